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
FailureOr<FinishOp> rewriteAsOnline(RewriterBase &rewriter, AttentionOp op);

} // namespace mlir::attn

#endif // ATTN_IR_TRANSFORMS_H
