//===- Sizes.cpp - when two unknown sizes are the same --------------------===//
//
// Exporters of dynamic shapes compute every size anew, with integer arithmetic
// that guards against negative sizes. Here a size is traced back through
// tensors made with it and through guards that sizes cannot trip.
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::attn;

static Size fixed(int64_t value) {
  Size size;
  size.constant = value;
  return size;
}

static Size sizeOf(OpFoldResult result) {
  if (auto constant = getConstantIntValue(result))
    return fixed(*constant);
  return mlir::attn::sizeOf(cast<Value>(result));
}

Size mlir::attn::sizeOf(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return fixed(type.getDimSize(dim));
  Size here{std::nullopt, tensor, dim};
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return here;
  if (auto op = dyn_cast<tensor::EmptyOp>(def))
    return sizeOf(op.getDynamicSize(dim));
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(def))
    return ::sizeOf(op.getMixedOutputShape()[dim]);
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(def)) {
    std::optional<int64_t> only;
    for (int64_t source : op.getReassociationIndices()[dim]) {
      if (op.getSrcType().getDimSize(source) == 1)
        continue;
      if (only)
        return here;
      only = source;
    }
    return only ? sizeOf(op.getSrc(), *only) : here;
  }
  if (auto op = dyn_cast<tensor::CastOp>(def))
    return isa<RankedTensorType>(op.getSource().getType())
               ? sizeOf(op.getSource(), dim)
               : here;
  if (auto op = dyn_cast<tensor::ReshapeOp>(def)) {
    auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
    return shape ? sizeOf(shape.getElements()[dim]) : here;
  }
  if (auto op = dyn_cast<DestinationStyleOpInterface>(def))
    if (OpOperand *init = op.getTiedOpOperand(cast<OpResult>(tensor)))
      return sizeOf(init->get(), dim);
  return here;
}

/// True for what a size cannot be: below zero.
static bool asksNegative(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  auto bound = getConstantIntValue(compare.getRhs());
  Size size = sizeOf(compare.getLhs());
  bool nonnegative = size.dim >= 0 || (size.constant && *size.constant >= 0);
  return bound && *bound <= 0 && nonnegative;
}

Size mlir::attn::sizeOf(Value scalar) {
  while (true) {
    if (auto constant = getConstantIntValue(scalar))
      return fixed(*constant);
    if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>()) {
      scalar = cast.getIn();
    } else if (auto dim = scalar.getDefiningOp<tensor::DimOp>()) {
      auto number = dim.getConstantIndex();
      if (!number || !isa<RankedTensorType>(dim.getSource().getType()))
        break;
      return sizeOf(dim.getSource(), *number);
    } else if (auto select = scalar.getDefiningOp<arith::SelectOp>()) {
      if (!asksNegative(select.getCondition()))
        break;
      scalar = select.getFalseValue();
    } else {
      break;
    }
  }
  return Size{std::nullopt, scalar, -1};
}
