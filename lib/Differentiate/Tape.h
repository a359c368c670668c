//===- Tape.h - gradients on their way back through a function ----*- C++
//-*-===//
//
// A vector-Jacobian product is a function's ops walked in reverse: each op
// turns the gradients of its results into gradients of its operands. The tape
// holds what is known so far, for the values of the original function; what it
// emits reads their copies in the new function.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_DIFFERENTIATE_TAPE_H
#define ATTN_LIB_DIFFERENTIATE_TAPE_H

#include "attn/IR/AttnDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn {

class Tape {
public:
  Tape(OpBuilder &b, IRMapping &copies) : b(b), copies(copies) {}

  OpBuilder &builder() { return b; }
  /// The copy of a value of the original function.
  Value copy(Value value) { return copies.lookupOrDefault(value); }

  /// Says that a value depends on something differentiated.
  void activate(Value value) { active.insert(value); }
  bool isActive(Value value) const { return active.contains(value); }

  /// Adds to the gradient of a value, in the value's type.
  void add(Location loc, Value of, Value grad);
  /// The gradient, or null if none has arrived.
  Value grad(Value of) const { return grads.lookup(of); }
  /// The gradient, zeros if none has arrived.
  Value gradOrZeros(Location loc, Value of);

  /// A tensor of zeros with the sizes of another's copy.
  Value zeros(Location loc, Value like, Type element);
  /// Rounded, or widened, to a tensor type's elements.
  Value convert(Location loc, Value value, Type element);

private:
  OpBuilder &b;
  IRMapping &copies;
  DenseMap<Value, Value> grads;
  DenseSet<Value> active;
};

/// The type in which sums of gradients are kept.
Type sumType(Type element);

/// Each takes an op with a gradient for some result and adds those of its
/// operands; an error if it cannot. An op is of no kind if it returns nothing.
using Differentiated = std::optional<LogicalResult>;
Differentiated differentiateLayout(Operation *op, Tape &tape);
LogicalResult differentiateStructured(linalg::LinalgOp op, Tape &tape);
/// `lse` is the residual, `lseGrad` its gradient or null.
LogicalResult differentiateAttention(AttentionOp op, Tape &tape, Value output,
                                     Value lse, Value lseGrad);

/// "expected an op with a derivative, got X".
LogicalResult noDerivative(Operation *op, const Twine &why = "");

} // namespace mlir::attn

#endif // ATTN_LIB_DIFFERENTIATE_TAPE_H
