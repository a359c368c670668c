//===- OperandWriter.h - tensors over the loops of an attention ---*- C++
//-*-===//
//
// An operand of an attention has one dim per loop that indexes it; the tensor
// it is read from has merged, split, unit or partly read dims. This writes the
// slices and reshapes between the two, both ways, or computes an operand again
// that only exists as an expression.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RECOGNIZE_OPERANDWRITER_H
#define ATTN_LIB_RECOGNIZE_OPERANDWRITER_H

#include "Match.h"

namespace mlir::attn {

/// A tensor whose dims are loops.
struct TensorOverLoops {
  Value tensor;
  SmallVector<Atom> loops;
};

class OperandWriter {
public:
  /// `loops`: the iteration space, in order.
  OperandWriter(View &view, OpBuilder &builder, Location loc,
                ArrayRef<Atom> loops)
      : view(view), builder(builder), loc(loc), loops(loops) {}

  /// The loops that each dim of a tensor is made of, outermost first.
  using Groups = SmallVector<SmallVector<Atom>>;
  /// Unit loops that the tensor must have are given to dims of size 1, the rest
  /// to `appended`.
  Groups groupsOf(const Reading &reading, ArrayRef<Atom> units,
                  SmallVector<Atom> &appended);

  /// Q, K or V: read, or computed again from the tensors it is an expression
  /// of.
  TensorOverLoops operand(Node *node, ArrayRef<Atom> units);
  TensorOverLoops read(const Reading &reading, ArrayRef<Atom> units);
  /// Extras may keep their unit dims: a map may say 0.
  TensorOverLoops readExtra(const Reading &reading, AffineMap &map);

  /// A tensor over the loops of `groups`, then of `appended`, in a shape.
  Value write(Value result, RankedTensorType type, const Groups &groups,
              ArrayRef<Atom> appended);
  /// The tensor with its loops in another order.
  Value transpose(const TensorOverLoops &from, ArrayRef<Atom> to);

  /// An uninitialised tensor; unknown sizes are those of the operands.
  Value destination(ArrayRef<Atom> atoms, ArrayRef<TensorOverLoops> operands,
                    Type element);
  AffineMap mapOf(ArrayRef<Atom> atoms);
  int64_t size(Atom atom) {
    return isUnitLoop(atom) ? 1 : view.getSpace().size(atom);
  }

private:
  Value sliced(const Reading &reading);

  View &view;
  OpBuilder &builder;
  Location loc;
  SmallVector<Atom> loops;
};

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_OPERANDWRITER_H
