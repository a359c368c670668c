//===- BackwardAhead.cpp - what a backward asks for before it is read -----===//
//
// Of what a tile reads and adds to, the part that moves with the inner loop is
// a stream, which a processor follows by itself (asked for as well, it comes 1
// to 3 % later). The rest, K, V, dK and dV (or Q, dO and dQ where these are
// outside), changes at once with each iteration of the outer loop: bit by bit,
// the tiles before ask for it. Requests that run beyond the last row of a head
// find the next head's, or are for nothing.
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

/// Requests for what later tiles read of the operands, shared by the blocks of
/// a product with keys.
SmallVector<Product::Next>
BackwardLowering::requests(ArrayRef<MatrixOperand> operands) {
  int64_t panels = paddedKeys / width(scoreBlock);
  int64_t blocks = std::max<int64_t>(rowBound / scoreBlock.rows, 1) * panels;
  SmallVector<Product::Next> result;
  for (const MatrixOperand &operand : operands)
    if (std::optional<NextRows> next = nextRows(operand))
      result.push_back({next->matrix, next->columns,
                        int64_t(llvm::divideCeil(next->count, blocks)),
                        panels});
  return result;
}

/// The tile's share of what the next iteration of the outer loop reads of an
/// operand, if it reads other rows then.
std::optional<BackwardLowering::NextRows>
BackwardLowering::nextRows(const MatrixOperand &matrix) {
  OpOperand &operand = *matrix.operand;
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  int64_t columns = tile.flatBound(matrix.across);
  if (!loop || !batch.empty() || !rowCut.loopDims.empty() ||
      !keyCut.loopDims.empty() || matrix.across.size() > 1 ||
      ShapedType::isDynamic(columns) || columns == 0)
    return std::nullopt;
  AffineMap map = mapOf(operand);
  bool ofKeys = llvm::any_of(
      roles.key, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  ArrayRef<unsigned> along = ofKeys ? keyDims : rowDims;
  auto outer = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (along.size() != 1 || movesWith(operand.get(), loop) ||
      !movesWith(operand.get(), outer))
    return std::nullopt;
  Value view =
      tile.view(operand.get(), map, along.front(), only(matrix.across));
  if (!hasContiguousRows(view))
    return std::nullopt;
  int64_t bound = ofKeys ? keyBound : rowBound;
  int64_t trips = kFewTrips;
  if (std::optional<APInt> count = loop.getStaticTripCount())
    trips = std::max<int64_t>(count->getSExtValue(), 1);
  Value begin = loop.getLowerBound();
  Value size = b.max(b.sub(loop.getUpperBound(), begin), b.index(1));
  Value done = b.mul(b.sub(loop.getInductionVar(), begin), bound);
  Value first = b.add(b.div(done, size), bound);
  return NextRows{tile.rowsFrom(view, first), columns,
                  int64_t(llvm::divideCeil(bound, trips))};
}
