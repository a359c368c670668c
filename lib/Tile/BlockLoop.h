//===- BlockLoop.h - loops over blocks of keys, or of rows ------------*- C++
//-*-===//
#ifndef ATTN_LIB_TILE_BLOCKLOOP_H
#define ATTN_LIB_TILE_BLOCKLOOP_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// Replaces an op that folds into its destinations by loops over blocks of
/// `dims` (key dims, or row dims), `blocks` indices of each. Blocks without a
/// visible point are not visited, unless `visitHidden` or a hidden key is
/// replaced; blocks that are visible in full carry no mask.
LogicalResult tileBlocks(RewriterBase &rewriter, ScoreOpInterface op,
                         ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks,
                         bool visitHidden = false);

/// Replaces an online attention (usually one query block of it) by loops over
/// blocks of its keys, `keyBlock` keys per key dim. Blocks without a visible
/// key are not visited; blocks that are visible in full carry no mask.
LogicalResult tileKeys(RewriterBase &rewriter, OnlineAttentionOp op,
                       ArrayRef<int64_t> keyBlock);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_BLOCKLOOP_H
