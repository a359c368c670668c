//===- Rewrite.h - from a complete match to attn.attention --------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_REWRITE_H
#define ATTN_LIB_RECOGNIZE_REWRITE_H

#include "Match.h"
#include "OperandWriter.h"
#include "ScoreRegion.h"

namespace mlir::attn {

/// O14: everything that is computed from the contraction ends in one of the
/// roots; none of the `kept` tensors is computed from it otherwise. `used` gets
/// the op whose result something else needs.
bool checkNoOtherUse(Match &match, ArrayRef<Operation *> roots,
                     ArrayRef<Value> kept, Operation **used = nullptr);

/// Erases an op if nothing needs it, and then what only it needed; adds them to
/// `erased`.
void eraseDead(Operation *op, DenseSet<Operation *> &erased);

/// The tensors that the attention would read.
SmallVector<Value> operandsOf(Match &match, const ScoreRegion &region);

/// The loops of an attention, in the order of its iteration space.
SmallVector<Atom> iterationSpace(const Match &match);

/// Those loops of some roles that are no loops of the index space.
SmallVector<Atom> unitLoops(ArrayRef<ArrayRef<Atom>> roles);

/// What a row without keys yields.
EmptyRows emptyRowsOf(const Match &match);

struct WrittenAttention {
  AttentionOp op;
  TensorOverLoops query, key, value, sink;
  SmallVector<TensorOverLoops> extras; // over loops where differentiated
  SmallVector<Atom> lseLoops;
};
/// Writes the attention and its operands; its result has `resultLoops` as dims.
/// Extras in `differentiated` keep no dims but loops.
WrittenAttention writeAttention(Match &match, ScoreRegion &region,
                                OpBuilder &builder, Location loc,
                                OperandWriter &writer,
                                ArrayRef<Atom> resultLoops, bool withLse,
                                ArrayRef<int64_t> differentiated = {});

/// Writes the attention in the root's place and erases what it replaces.
void rewrite(Match &match, ScoreRegion &region, DenseSet<Operation *> &erased);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_REWRITE_H
