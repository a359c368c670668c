//===- Sizes.cpp - where sizes come from ----------------------------------===//
//
// Exporters of dynamic shapes compute every size anew, with integer arithmetic
// that guards against negative sizes. Here a size is traced back through
// tensors made with it, through products and exact quotients, and through
// guards that sizes cannot trip.
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

bool Size::isNonnegative() const {
  return factor >= 0 && llvm::all_of(unknowns, [](const SizeOrigin &origin) {
           return origin.dim >= 0;
         });
}

std::optional<Size> mlir::attn::multiply(const Size &a, const Size &b) {
  Size result = a;
  if (llvm::MulOverflow(a.factor, b.factor, result.factor))
    return std::nullopt;
  llvm::append_range(result.unknowns, b.unknowns);
  llvm::sort(result.unknowns, [](const SizeOrigin &x, const SizeOrigin &y) {
    return std::make_pair(x.value.getAsOpaquePointer(), x.dim) <
           std::make_pair(y.value.getAsOpaquePointer(), y.dim);
  });
  return result;
}

std::optional<Size> mlir::attn::divideExactly(const Size &a, const Size &b) {
  if (b.factor == 0 || a.factor % b.factor != 0)
    return std::nullopt;
  Size result = a;
  result.factor = a.factor / b.factor;
  for (const SizeOrigin &origin : b.unknowns) {
    auto *it = llvm::find(result.unknowns, origin);
    if (it == result.unknowns.end())
      return std::nullopt;
    result.unknowns.erase(it);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

static Size sizeOf(OpFoldResult result) {
  if (auto constant = getConstantIntValue(result))
    return Size(*constant);
  return mlir::attn::sizeOf(cast<Value>(result));
}

Size mlir::attn::sizeOf(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Size(type.getDimSize(dim));
  Size here(SizeOrigin{tensor, dim});
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return here;
  if (auto op = dyn_cast<tensor::EmptyOp>(def))
    return sizeOf(op.getDynamicSize(dim));
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(def))
    return ::sizeOf(op.getMixedOutputShape()[dim]);
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(def)) {
    Size product(1);
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    for (int64_t source : groups[dim]) {
      auto next = multiply(product, sizeOf(op.getSrc(), source));
      if (!next)
        return here;
      product = *next;
    }
    return product;
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

SmallVector<Size> mlir::attn::sizesOf(Value tensor, int64_t first,
                                      int64_t count) {
  SmallVector<Size> sizes;
  for (int64_t dim = first; dim < first + count; ++dim)
    sizes.push_back(sizeOf(tensor, dim));
  return sizes;
}

/// True for what a size cannot be: below zero.
static bool asksNegative(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  auto bound = getConstantIntValue(compare.getRhs());
  return bound && *bound <= 0 &&
         mlir::attn::sizeOf(compare.getLhs()).isNonnegative();
}

/// A product of sizes and numbers as an affine expression.
static std::optional<Size> sizeOf(AffineExpr expr, affine::AffineApplyOp op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Size(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return mlir::attn::sizeOf(op.getDimOperands()[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return mlir::attn::sizeOf(op.getSymbolOperands()[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = ::sizeOf(binary.getLHS(), op);
  auto right = ::sizeOf(binary.getRHS(), op);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return multiply(*left, *right);
  if (expr.getKind() == AffineExprKind::FloorDiv ||
      expr.getKind() == AffineExprKind::CeilDiv)
    return divideExactly(*left, *right);
  return std::nullopt;
}

/// One step: what a product or a quotient of sizes is.
static std::optional<Size> computedSize(Operation *def) {
  if (auto op = dyn_cast_or_null<affine::AffineApplyOp>(def))
    return ::sizeOf(op.getAffineMap().getResult(0), op);
  if (!isa_and_nonnull<arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
                       arith::FloorDivSIOp>(def))
    return std::nullopt;
  Size left = mlir::attn::sizeOf(def->getOperand(0));
  Size right = mlir::attn::sizeOf(def->getOperand(1));
  return isa<arith::MulIOp>(def) ? multiply(left, right)
                                 : divideExactly(left, right);
}

Size mlir::attn::sizeOf(Value scalar) {
  while (true) {
    if (auto constant = getConstantIntValue(scalar))
      return Size(*constant);
    Operation *def = scalar.getDefiningOp();
    if (auto cast = dyn_cast_or_null<arith::IndexCastOp>(def)) {
      scalar = cast.getIn();
    } else if (auto dim = dyn_cast_or_null<tensor::DimOp>(def)) {
      auto number = dim.getConstantIndex();
      if (!number || !isa<RankedTensorType>(dim.getSource().getType()))
        break;
      return sizeOf(dim.getSource(), *number);
    } else if (auto select = dyn_cast_or_null<arith::SelectOp>(def)) {
      if (!asksNegative(select.getCondition()))
        break;
      scalar = select.getFalseValue();
    } else if (auto computed = computedSize(def)) {
      return *computed;
    } else {
      break;
    }
  }
  return Size(SizeOrigin{scalar, -1});
}
