//===- RowReference.h - scores measured from a reference of each row -*- C++
//-*-===//
//
// The backward recomputes P = exp(x - LSE). Where all scores of a row lie near
// one large c, as in a row that a finite fill hides as a whole, LSE = c + log l
// has no digit left of log l: at -1e9 in f32, P comes out as 1, not as 1/N. P
// does not change if a number of each row is taken from all its scores and from
// LSE. With that reference r = LSE the difference x - r is exact, and the new
// log-sum-exp is small.
//
// Its cost: a subtraction per score, and one more forward in calls in which
// some row's |LSE| is larger than what an f32 keeps log l to all digits that
// matter beside.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_ROWREFERENCE_H
#define ATTN_IR_ROWREFERENCE_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// Beside this much, f32 keeps log l to 1.5e-5, which is how exact P then is.
constexpr double kLargeScore = 256;
/// True if P of a row whose scores are all `score` is less exact than that.
bool losesLogSum(double score);

/// True if all scores of a row may lie near one large number, and nothing but
/// the row's log-sum-exp says how many: the score function has a large constant
/// or adds data, and there is no sink.
bool mayLoseLogSum(AttentionOp attention);

/// An attention of the same probabilities with further extras, the references
/// last, and its log-sum-exp. Write the backward from these and the output of
/// the other. `lse` is what `attention` returned; b is where the backward goes.
/// A mask that replaces scores moves into the score function, so that they are
/// measured from the references too; fails where it cannot, as maskInScore.
struct ReferredAttention {
  AttentionOp attention;
  Value lse;
};
FailureOr<ReferredAttention> referToRows(OpBuilder &b, AttentionOp attention,
                                         Value lse);

/// `hidden = replace(c)` with a large c, and rows may be without a visible key:
/// their scores are all c.
bool mayReplaceWholeRows(AttentionOp attention);

/// The same attention whose score function yields c where `visible` hides a
/// key, so that it hides none; symbols and sizes become extras. Fails for a
/// part of a larger problem, and where whole blocks are hidden.
FailureOr<AttentionOp> maskInScore(OpBuilder &b, AttentionOp attention);

} // namespace mlir::attn

#endif // ATTN_IR_ROWREFERENCE_H
