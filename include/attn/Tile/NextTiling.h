//===- NextTiling.h - the second choice -------------------------*- C++ -*-===//
#ifndef ATTN_TILE_NEXTTILING_H
#define ATTN_TILE_NEXTTILING_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// Gives `op`, which carries one of the tilings that the cost model ranks for
/// its target, the one that ranks next, the spare ones last, of those that
/// are expected to need no more registers. False, and nothing done, where there
/// is none, or its tiling is not the model's.
FailureOr<bool> takeNextTiling(ScoreOpInterface op);

} // namespace mlir::attn

#endif // ATTN_TILE_NEXTTILING_H
