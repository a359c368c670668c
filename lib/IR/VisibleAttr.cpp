//===- VisibleAttr.cpp - masks between IR and plain C++ -------------------===//
#include "attn/IR/VisibleAttr.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::attn;
using ::attn::Expr;

Expr mlir::attn::fromAffineExpr(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Expr::dim(dim.getPosition());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return Expr::symbol(symbol.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expr(constant.getValue());
  auto node = cast<AffineBinaryOpExpr>(expr);
  Expr lhs = fromAffineExpr(node.getLHS());
  if (node.getKind() == AffineExprKind::Add)
    return lhs + fromAffineExpr(node.getRHS());
  int64_t factor = cast<AffineConstantExpr>(node.getRHS()).getValue();
  switch (node.getKind()) {
  case AffineExprKind::Mul:
    return lhs * factor;
  case AffineExprKind::FloorDiv:
    return lhs.floorDiv(factor);
  case AffineExprKind::CeilDiv:
    return lhs.ceilDiv(factor);
  default:
    return lhs.mod(factor);
  }
}

AffineExpr mlir::attn::toAffineExpr(const Expr &expr, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(expr.constant(), context);
  for (const Expr::Term &term : expr.terms()) {
    AffineExpr atom;
    switch (term.kind) {
    case Expr::Kind::Dim:
      atom = getAffineDimExpr(term.index, context);
      break;
    case Expr::Kind::Symbol:
      atom = getAffineSymbolExpr(term.index, context);
      break;
    case Expr::Kind::FloorDiv:
      atom = toAffineExpr(*term.operand, context).floorDiv(term.divisor);
      break;
    case Expr::Kind::Mod:
      atom = toAffineExpr(*term.operand, context) % term.divisor;
      break;
    }
    sum = sum + atom * term.coefficient;
  }
  return sum;
}

::attn::Visible mlir::attn::getVisible(ScoreOpInterface op) {
  unsigned dims = inferRoles(op).setDims().size();
  unsigned symbols = dims + op.getSymbols().size();
  if (!op.getVisibleAttr())
    return ::attn::Visible::all(dims, symbols);
  SmallVector<::attn::AffineSet> sets;
  for (IntegerSet set : op.getVisibleAttr().getAsValueRange<IntegerSetAttr>()) {
    ::attn::AffineSet &converted = sets.emplace_back();
    for (unsigned i = 0; i < set.getNumConstraints(); ++i)
      converted.constraints.push_back(
          {fromAffineExpr(set.getConstraint(i)), set.isEq(i)});
  }
  return ::attn::Visible(dims, symbols, sets);
}

ArrayAttr mlir::attn::toAttribute(MLIRContext *context,
                                  const ::attn::Visible &visible) {
  if (visible.isAll())
    return {};
  SmallVector<Attribute> sets;
  for (const ::attn::AffineSet &set : visible.sets()) {
    SmallVector<AffineExpr> constraints;
    SmallVector<bool> equalities;
    for (const ::attn::Constraint &constraint : set.constraints) {
      constraints.push_back(toAffineExpr(constraint.expr, context));
      equalities.push_back(constraint.isEquality);
    }
    sets.push_back(IntegerSetAttr::get(IntegerSet::get(
        visible.numDims(), visible.numSymbols(), constraints, equalities)));
  }
  return ArrayAttr::get(context, sets);
}
