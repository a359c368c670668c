//===- Rewrite.h - from a complete match to attn.attention --------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_REWRITE_H
#define ATTN_LIB_RECOGNIZE_REWRITE_H

#include "Match.h"
#include "ScoreRegion.h"

namespace mlir::attn {

/// O13: everything that is computed from the contraction ends in the root; none
/// of the `kept` tensors is computed from it.
bool checkNoOtherUse(Match &match, ArrayRef<Value> kept);

/// Erases an op if nothing needs it, and then what only it needed; adds them to
/// `erased`.
void eraseDead(Operation *op, DenseSet<Operation *> &erased);

/// The tensors that the attention would read.
SmallVector<Value> operandsOf(Match &match, const ScoreRegion &region);

/// Writes the attention in the root's place and erases what it replaces.
void rewrite(Match &match, ScoreRegion &region, DenseSet<Operation *> &erased);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_REWRITE_H
