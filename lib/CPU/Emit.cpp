//===- Emit.cpp - short spellings for emitted code ------------------------===//
#include "Emit.h"

using namespace mlir;
using namespace mlir::attn;

Value Emit::toValue(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return index(cast<IntegerAttr>(attr).getInt());
  return cast<Value>(value);
}

Value Emit::roundDown(Value value, int64_t factor) {
  return factor == 1 ? value : mul(div(value, index(factor)), factor);
}
Value Emit::ceilDiv(Value value, int64_t divisor) {
  return divisor == 1 ? value : div(add(value, divisor - 1), index(divisor));
}
Value Emit::roundUp(Value value, int64_t factor) {
  return factor == 1 ? value : mul(ceilDiv(value, factor), factor);
}

Value Emit::constant(Type type, double value) {
  Attribute attr = getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(*this, cast<TypedAttr>(attr));
}

Value Emit::integer(Type type, int64_t value) {
  Attribute attr = getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(*this, cast<TypedAttr>(attr));
}

void Emit::store(Value value, Value memref, ValueRange indices) {
  if (isa<VectorType>(value.getType()))
    vector::StoreOp::create(*this, value, memref, indices);
  else
    memref::StoreOp::create(*this, value, memref, indices);
}

Value Emit::maximum(Value lhs, Value rhs) {
  Value greater =
      arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, lhs, rhs);
  return arith::SelectOp::create(*this, greater, lhs, rhs);
}

SmallVector<Value> Emit::loop(Value from, Value to, int64_t step,
                              ValueRange carried, Body body) {
  Value stepValue = index(step);
  auto loop = scf::ForOp::create(*this, from, to, stepValue, carried);
  OpBuilder::InsertionGuard guard(*this);
  // Without carried values the body already has its terminator.
  if (carried.empty()) {
    setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar(), {});
    return {};
  }
  setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(*this, next);
  return SmallVector<Value>(loop.getResults());
}

void Emit::loop(Value from, Value to, int64_t step,
                function_ref<void(Value iv)> body) {
  loop(from, to, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

void Emit::when(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.getThenRegion().front().getTerminator());
  body();
}
