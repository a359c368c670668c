//===- BackwardLoop.h - the loops of a backward -------------------*- C++
//-*-===//
#ifndef ATTN_LIB_TILE_BACKWARDLOOP_H
#define ATTN_LIB_TILE_BACKWARDLOOP_H

#include "QueryLoop.h"

namespace mlir::attn {

/// Replaces an attention_backward on tensors by loops over batch dims, key
/// blocks and query blocks around `attn.online_backward` on one tile.
LogicalResult tileBackward(RewriterBase &rewriter, AttentionBackwardOp op,
                           Blocking blocking);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_BACKWARDLOOP_H
