//===- Emit.h - short spellings for emitted code ------------------*- C++
//-*-===//
//
// A builder with the few shapes of arithmetic and loops that the CPU lowering
// emits everywhere: index arithmetic that folds constants, float constants of
// scalar or vector type, counted loops with carried values.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_EMIT_H
#define ATTN_LIB_CPU_EMIT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

class Emit : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  // Index arithmetic; constants fold on the way.
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value toValue(OpFoldResult value);
  Value add(Value lhs, Value rhs) { return fold<arith::AddIOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return fold<arith::SubIOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return fold<arith::MulIOp>(lhs, rhs); }
  Value div(Value lhs, Value rhs) { return fold<arith::DivUIOp>(lhs, rhs); }
  Value rem(Value lhs, Value rhs) { return fold<arith::RemUIOp>(lhs, rhs); }
  Value min(Value lhs, Value rhs) { return fold<arith::MinSIOp>(lhs, rhs); }
  Value max(Value lhs, Value rhs) { return fold<arith::MaxSIOp>(lhs, rhs); }
  Value add(Value lhs, int64_t rhs) { return add(lhs, index(rhs)); }
  Value mul(Value lhs, int64_t rhs) { return mul(lhs, index(rhs)); }
  /// The largest multiple of `factor` that is at most `value`; the smallest one
  /// that is at least `value`. Requires value >= 0.
  Value roundDown(Value value, int64_t factor);
  Value roundUp(Value value, int64_t factor);
  Value ceilDiv(Value value, int64_t divisor);

  /// A float constant of scalar or vector type.
  Value constant(Type type, double value);
  /// A constant of integer, or vector of integer, type.
  Value integer(Type type, int64_t value);

  Value broadcast(VectorType type, Value scalar) {
    return vector::BroadcastOp::create(*this, type, scalar);
  }
  Value load(VectorType type, Value memref, ValueRange indices) {
    return vector::LoadOp::create(*this, type, memref, indices);
  }
  Value load(Value memref, ValueRange indices) {
    return memref::LoadOp::create(*this, memref, indices);
  }
  /// Stores a scalar or a vector.
  void store(Value value, Value memref, ValueRange indices);
  /// `lhs > rhs ? lhs : rhs`. One instruction, unlike maxnumf and maximumf; a
  /// NaN in lhs is dropped, one in rhs stays.
  Value maximum(Value lhs, Value rhs);

  using Body = function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;
  /// for (iv = from; iv < to; iv += step) carried = body(iv, carried).
  SmallVector<Value> loop(Value from, Value to, int64_t step,
                          ValueRange carried, Body body);
  void loop(Value from, Value to, int64_t step,
            function_ref<void(Value iv)> body);

  /// Emits `body` under `condition`; without a branch if it is null.
  void when(Value condition, function_ref<void()> body);

private:
  template <typename OpTy> Value fold(Value lhs, Value rhs) {
    return createOrFold<OpTy>(lhs, rhs);
  }
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_EMIT_H
