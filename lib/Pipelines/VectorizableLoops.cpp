//===- VectorizableLoops.cpp - loops over neighbours innermost ------------===//
//
// Upstream's loops of a contraction run along the sum innermost, which no
// compiler may reorder and therefore none vectorises. With a parallel dim
// inside, whose neighbours are neighbours in memory, each element is still
// summed in the same order, and a vector of them at a time.
//
//===----------------------------------------------------------------------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNVECTORIZABLELOOPS
#include "attn/Pipelines/Passes.h.inc"

namespace {
/// Is an operand's element, one dim up, its neighbour in memory or the same?
bool isSmooth(linalg::LinalgOp op, OpOperand &operand, unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !map.isFunctionOfDim(dim))
    return true;
  if (!type.isStrided())
    return false;
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    if (expr.isFunctionOfDim(dim) &&
        (expr != getAffineDimExpr(dim, op.getContext()) || stride != 1))
      return false;
  return true;
}

/// The parallel dim to go innermost, if another one is there that sums.
std::optional<unsigned> innermost(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(out.getResults().back());
  if (!last || !linalg::isParallelIterator(
                   op.getIteratorTypesArray()[last.getPosition()]))
    return std::nullopt;
  bool smooth = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isSmooth(op, operand, last.getPosition());
  });
  return smooth ? std::optional<unsigned>(last.getPosition()) : std::nullopt;
}

struct VectorizableLoops : impl::AttnVectorizableLoopsBase<VectorizableLoops> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (std::optional<unsigned> dim = innermost(op))
        moveInside(rewriter, op, *dim);
  }

  void moveInside(RewriterBase &rewriter, linalg::LinalgOp op, unsigned dim) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic;
    if (auto already = dyn_cast<linalg::GenericOp>(op.getOperation()))
      generic = already;
    else
      generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    SmallVector<unsigned> order;
    for (unsigned d = 0; d < generic->getNumLoops(); ++d)
      if (d != dim)
        order.push_back(d);
    order.push_back(dim);
    if (succeeded(linalg::interchangeGenericOp(rewriter, *generic, order)))
      ++numMoved;
  }
};
} // namespace
} // namespace mlir::attn
