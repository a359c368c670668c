//===- KeyLoop.h - the loop over key blocks -----------------------*- C++
//-*-===//
#ifndef ATTN_LIB_TILE_KEYLOOP_H
#define ATTN_LIB_TILE_KEYLOOP_H

#include "attn/IR/AttnDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// Replaces an online attention (usually one query block of it) by loops over
/// blocks of its keys, `keyBlock` keys per key dim. Blocks without a visible
/// key are not visited; blocks that are visible in full carry no mask.
LogicalResult tileKeys(RewriterBase &rewriter, OnlineAttentionOp op,
                       ArrayRef<int64_t> keyBlock);

} // namespace mlir::attn

#endif // ATTN_LIB_TILE_KEYLOOP_H
