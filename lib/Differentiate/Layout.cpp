//===- Layout.cpp - gradients of ops that move elements -------------------===//
#include "Tape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// The copies of mixed static and dynamic numbers.
SmallVector<OpFoldResult> copies(Tape &tape, ArrayRef<OpFoldResult> numbers) {
  SmallVector<OpFoldResult> result;
  for (OpFoldResult number : numbers) {
    auto value = dyn_cast<Value>(number);
    result.push_back(value ? OpFoldResult(tape.copy(value)) : number);
  }
  return result;
}
} // namespace

static void sliceGradient(tensor::ExtractSliceOp op, Value grad, Tape &tape) {
  // Zeros around the gradient.
  Location loc = op.getLoc();
  Value whole =
      tape.zeros(loc, op.getSource(), op.getSourceType().getElementType());
  tape.add(loc, op.getSource(),
           tensor::InsertSliceOp::create(tape.builder(), loc, grad, whole,
                                         copies(tape, op.getMixedOffsets()),
                                         copies(tape, op.getMixedSizes()),
                                         copies(tape, op.getMixedStrides())));
}

static void insertGradient(tensor::InsertSliceOp op, Value grad, Tape &tape) {
  Location loc = op.getLoc();
  OpBuilder &b = tape.builder();
  SmallVector<OpFoldResult> offsets = copies(tape, op.getMixedOffsets()),
                            sizes = copies(tape, op.getMixedSizes()),
                            strides = copies(tape, op.getMixedStrides());
  if (tape.isActive(op.getSource()))
    tape.add(loc, op.getSource(),
             tensor::ExtractSliceOp::create(b, loc, op.getSourceType(), grad,
                                            offsets, sizes, strides));
  if (!tape.isActive(op.getDest()))
    return;
  Value none =
      tape.zeros(loc, op.getSource(), op.getSourceType().getElementType());
  tape.add(loc, op.getDest(),
           tensor::InsertSliceOp::create(b, loc, none, grad, offsets, sizes,
                                         strides));
}

static void concatGradient(tensor::ConcatOp op, Value grad, Tape &tape) {
  Location loc = op.getLoc();
  OpBuilder &b = tape.builder();
  unsigned rank = op.getResultType().getRank(), dim = op.getDim();
  OpFoldResult offset = b.getIndexAttr(0);
  for (Value input : op.getInputs()) {
    SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)),
        strides(rank, b.getIndexAttr(1)),
        sizes = tensor::getMixedSizes(b, loc, tape.copy(input));
    offsets[dim] = offset;
    if (tape.isActive(input))
      tape.add(loc, input,
               tensor::ExtractSliceOp::create(b, loc, grad, offsets, sizes,
                                              strides));
    AffineExpr x = b.getAffineDimExpr(0), y = b.getAffineDimExpr(1);
    offset = affine::makeComposedFoldedAffineApply(b, loc, x + y,
                                                   {offset, sizes[dim]});
  }
}

Differentiated mlir::attn::differentiateLayout(Operation *op, Tape &tape) {
  OpBuilder &b = tape.builder();
  Location loc = op->getLoc();
  Value grad = tape.grad(op->getResult(0));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    sliceGradient(slice, grad, tape);
    return success();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    insertGradient(insert, grad, tape);
    return success();
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    concatGradient(concat, grad, tape);
    return success();
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    tape.add(loc, expand.getSrc(),
             tensor::CollapseShapeOp::create(b, loc, expand.getSrcType(), grad,
                                             expand.getReassociationIndices()));
    return success();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Value source = tape.copy(collapse.getSrc());
    tape.add(
        loc, collapse.getSrc(),
        tensor::ExpandShapeOp::create(b, loc, collapse.getSrcType(), grad,
                                      collapse.getReassociationIndices(),
                                      tensor::getMixedSizes(b, loc, source)));
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      return std::nullopt;
    tape.add(loc, cast.getSource(), grad);
    return success();
  }
  return std::nullopt;
}
