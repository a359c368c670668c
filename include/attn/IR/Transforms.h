//===- Transforms.h - rewrites that passes share ------------------*- C++
//-*-===//
#ifndef ATTN_IR_TRANSFORMS_H
#define ATTN_IR_TRANSFORMS_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// Replaces an attention on tensors by its three steps: an initial state (the
/// identity, or the sink), one online attention over all keys, a finish. The
/// tiling is copied to the latter two. Fails on memrefs.
/// `rowsLast`: acc is laid out with its row dims innermost, as a lowering wants
/// it whose lanes are rows.
FailureOr<FinishOp> rewriteAsOnline(RewriterBase &rewriter, AttentionOp op,
                                    bool rowsLast = false);

/// D = sum_d dO O - dlse of each row, indexed as the log-sum-exp, in the
/// accumulate type.
Value emitDelta(OpBuilder &b, AttentionBackwardOp op);

/// The gradient of the op's sink, -exp(sink - lse) D summed over the dims that
/// the sink's map lacks (a sink of -inf is absent), in the op's destination.
Value emitSinkGradient(OpBuilder &b, AttentionBackwardOp op, Value delta);

/// `value` rounded once to the destination's element type, in the destination.
Value emitRounded(OpBuilder &b, Location loc, Value value, Value destination);

/// An attention on tensors that also returns its log-sum-exp, in the place of
/// one that may not.
AttentionOp withLogSumExp(RewriterBase &rewriter, AttentionOp attention);

/// The backward of an attention on tensors that has a log-sum-exp: its
/// operands, maps, region and mask, and gradients of Q, K, V, the sink and the
/// extras in `differentiate` into `outs`, in this order. `output` and `lse` are
/// what it returned, `outputGrad` is indexed as O is; `lseGrad` may be null.
AttentionBackwardOp createBackward(OpBuilder &b, AttentionOp attention,
                                   Value output, Value lse, Value outputGrad,
                                   Value lseGrad,
                                   ArrayRef<int64_t> differentiate,
                                   ValueRange outs);

} // namespace mlir::attn

#endif // ATTN_IR_TRANSFORMS_H
