//===- Completion.h - folding keys whose score is replaced --------*- C++
//-*-===//
//
// With hidden = replace(c) a hidden key is not absent: its score is c. Leaving
// it out is exact only where exp(c - r) underflows in every row, r being the
// row's reference after all visible keys. So that is tested, and where it fails
// the hidden keys are folded too, with c for a score; their K is not read.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_TILE_COMPLETION_H
#define ATTN_LIB_TILE_COMPLETION_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// True if hidden keys of `op` are replaced and can be left to a completion:
/// the complement of its mask is a union of reasonably few sets.
bool needsCompletion(OnlineAttentionOp op);

/// The op as a fold of its visible keys alone.
void dropHiddenKeys(OnlineAttentionOp op);

/// Replaces `op`, an online attention with replaced hidden keys whose visible
/// keys are already in its state operands, by the test and the fold of the
/// hidden ones.
LogicalResult completeHiddenKeys(RewriterBase &rewriter, OnlineAttentionOp op,
                                 ArrayRef<int64_t> keyBlock);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_COMPLETION_H
