//===- ScoreDerivative.h - the score region, backwards ------------*- C++
//-*-===//
//
// The backward of attention needs the vector-Jacobian product of the score
// region: given dx and dz, the gradients with respect to the score and the
// extras. It is built by reverse-mode differentiation of the region's ops. A
// product and not a Jacobian, so that a select passes an exact 0 to the side
// that was not taken, and not NaN * 0.
//
// Ops without a derivative (a comparison, a conversion to an integer) stop the
// flow where they produce integers; a float op that is not in the table is an
// error that names it.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_SCOREDERIVATIVE_H
#define ATTN_IR_SCOREDERIVATIVE_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn {

/// Succeeds if every op on the way from the score or an extra in
/// `differentiate` to a yielded value has a derivative; else an error that
/// names the first that has none (B4).
LogicalResult verifyDifferentiable(ScoreOpInterface op,
                                   ArrayRef<int64_t> differentiate);

/// True if the scalar op has a derivative, or stops every gradient.
bool hasDerivative(Operation *op);

/// Gradients of a block's arguments from gradients of some of its values
/// (`seeds`: pairs of a value of the block and its gradient). `values` maps the
/// block's values to emitted ones. Null where none flows, else in the type of
/// the argument. Works on scalars and on vectors.
SmallVector<Value> emitBlockGradient(OpBuilder &b, Location loc, Block &block,
                                     const IRMapping &values,
                                     ArrayRef<std::pair<Value, Value>> seeds);

/// Emits the product. `values` maps the region's values to emitted ones (see
/// ScoreEmitter::score); `dWeight` is null if the region yields no weight.
/// Returns one gradient per region argument, null where none flows, in the type
/// of the argument. Works on scalars and on vectors.
SmallVector<Value> emitScoreGradient(OpBuilder &b, Location loc, Block &region,
                                     const IRMapping &values, Value dScore,
                                     Value dWeight);

} // namespace mlir::attn

#endif // ATTN_IR_SCOREDERIVATIVE_H
