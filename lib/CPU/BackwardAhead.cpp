//===- BackwardAhead.cpp - what a backward asks for before it is read -----===//
//
// Of what a tile reads and adds to, the part that moves with the inner loop is
// a stream, which a processor follows by itself. The rest, K, V, dK and dV (or
// Q, dO and dQ where these are outside), changes at once with each iteration of
// the outer loop: bit by bit, the tiles before ask for it. Requests that run
// beyond the last row of a head find the next head's, or are for nothing.
//
//===----------------------------------------------------------------------===//
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Tiles of an inner loop whose number is not known, at least.
static constexpr int64_t kFewTrips = 8;

/// Does this view lie elsewhere in each iteration of `loop`?
static bool movesWith(Value view, scf::ForOp loop) {
  auto slice = view.getDefiningOp<memref::SubViewOp>();
  if (!slice || !loop)
    return false;
  return llvm::is_contained(slice.getOffsets(), loop.getInductionVar()) ||
         movesWith(slice.getSource(), loop);
}

/// The tile's share of the next outer block's rows of those operands that have
/// them, while a product of `blocks` blocks of registers runs.
SmallVector<Product::Next>
BackwardLowering::nextOuter(ArrayRef<MatrixOperand> operands, int64_t blocks) {
  SmallVector<Product::Next> all;
  for (const MatrixOperand &operand : operands)
    llvm::append_range(all, nextOuter(operand, blocks));
  return all;
}

SmallVector<Product::Next>
BackwardLowering::nextOuter(const MatrixOperand &matrix, int64_t blocks) {
  OpOperand &operand = *matrix.operand;
  ArrayRef<unsigned> across = matrix.across;
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  int64_t width = tile.flatBound(across);
  if (!loop || !batch.empty() || !rowCut.loopDims.empty() ||
      !keyCut.loopDims.empty() || across.size() > 1 ||
      ShapedType::isDynamic(width) || width == 0)
    return {};
  AffineMap map = mapOf(operand);
  bool ofKeys = llvm::any_of(
      roles.key, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  ArrayRef<unsigned> along = ofKeys ? keyDims : rowDims;
  if (along.size() != 1 || movesWith(operand.get(), loop) ||
      !movesWith(operand.get(), dyn_cast<scf::ForOp>(loop->getParentOp())))
    return {};
  Value view = tile.view(operand.get(), map, along.front(), only(across));
  if (!hasContiguousRows(view))
    return {};
  int64_t bound = ofKeys ? keyBound : rowBound, trips = kFewTrips;
  if (std::optional<APInt> count = loop.getStaticTripCount())
    trips = std::max<int64_t>(count->getSExtValue(), 1);
  Value begin = loop.getLowerBound();
  Value size = b.max(b.sub(loop.getUpperBound(), begin), b.index(1));
  Value done = b.mul(b.sub(loop.getInductionVar(), begin), bound);
  Value first = b.add(b.div(done, size), bound);
  int64_t share = llvm::divideCeil(bound, trips);
  return {{tile.rowsFrom(view, first), width,
           llvm::divideCeilSigned(share, std::max<int64_t>(blocks, 1))}};
}
