//===- QueryLoop.h - the loops over query blocks ------------------*- C++
//-*-===//
#ifndef ATTN_LIB_TILE_QUERYLOOP_H
#define ATTN_LIB_TILE_QUERYLOOP_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// How one attention is tiled: sizes per row and per key dim, positive.
struct Blocking {
  SmallVector<int64_t> query, key;
  Order order = Order::QOuter;
  int64_t keySplits = 1;
};

/// Replaces `finish` and the online attention that feeds it by loops over batch
/// dims, query blocks and key blocks.
LogicalResult tileAttention(RewriterBase &rewriter, FinishOp finish,
                            OnlineAttentionOp online, Blocking blocking);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_QUERYLOOP_H
