//===- NextTiling.h - the second choice -------------------------*- C++ -*-===//
#ifndef ATTN_TILE_NEXTTILING_H
#define ATTN_TILE_NEXTTILING_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// Gives `op`, which carries one of the tilings that the cost model ranks for
/// its target, the one to try next where its kernels spill: down the ranks, the
/// spare ones last, by those that are expected to need no more registers than
/// the one before; then those that were passed over, for the assembler decides,
/// not the model; at the end a backward's with dK and dV apart, which are next
/// at once if `toApart`. From the best one it comes by each once. False, and
/// nothing done, where there is none left, or its tiling is not the model's.
FailureOr<bool> takeNextTiling(ScoreOpInterface op, bool toApart = false);

} // namespace mlir::attn

#endif // ATTN_TILE_NEXTTILING_H
