//===- QueryLoop.h - the loops over query blocks ------------------*- C++
//-*-===//
#ifndef ATTN_LIB_TILE_QUERYLOOP_H
#define ATTN_LIB_TILE_QUERYLOOP_H

#include "attn/IR/Roles.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// How one attention is tiled: sizes per row and per key dim, positive.
struct Blocking {
  SmallVector<int64_t> query, key;
  Order order = Order::QOuter;
  int64_t keySplits = 1;
};

/// The dims under floordiv and mod in an op's maps, with their divisors.
SmallVector<std::pair<unsigned, int64_t>> groupedDims(ScoreOpInterface op);

/// The map of the operand `blocks`, which the op has.
AffineMap blocksMap(ScoreOpInterface op);

/// Makes block sizes fit what maps with floordiv and mod allow.
void alignBlocks(ScoreOpInterface op, const Roles &roles, Blocking &blocking);

/// `min(block, size - offset)`, folded where the block divides the size.
OpFoldResult tileSize(OpBuilder &b, Location loc, int64_t block,
                      OpFoldResult size, OpFoldResult offset);

/// Replaces `finish` and the online attention that feeds it by loops over batch
/// dims, query blocks and key blocks.
LogicalResult tileAttention(RewriterBase &rewriter, FinishOp finish,
                            OnlineAttentionOp online, Blocking blocking);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_QUERYLOOP_H
