//===- Roles.h - what the dims of an attention are ----------------*- C++
//-*-===//
//
// An attention's iteration dims have no names in the IR: what a dim is follows
// from which operands it indexes. This is the one place where that is decided.
//
//   dim indexes   Q K V O    role
//                 x     x    row     (several: grouped queries)
//                   x x      key     (summed by the softmax)
//                 x x        depth   (summed by the score)
//                     x x    value
//                 x x x x    batch, and also {K,V,O}, {Q,K,O}, {Q,V,O}, {K,O}
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_IR_ROLES_H
#define ATTN_IR_ROLES_H

#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

enum class Role { Batch, Row, Key, Depth, Value, None };

/// "batch", "row", ...
StringRef stringify(Role role);

/// The roles of all iteration dims, and the dims of each role in order.
struct Roles {
  SmallVector<Role> ofDim;
  SmallVector<unsigned> batch, row, key, depth, value;

  /// Batch, row and key dims in iteration order: the dims of `visible`.
  SmallVector<unsigned> setDims() const;
};

/// Roles from the maps of Q, K, V and O. A dim of no role has Role::None.
Roles inferRoles(AffineMap query, AffineMap key, AffineMap value,
                 AffineMap output);

/// Roles of an attention or online attention that verifies.
Roles inferRoles(ScoreOpInterface op);

/// The batch and row dims on which scores, and so max, sum and the log-sum-exp
/// depend: those that index Q or K. (A batch dim always does.)
SmallVector<unsigned> stateDims(const Roles &roles);

/// The type in which scores, exponentials and sums are kept: f64 if one of Q, K
/// and V is f64, else f32.
FloatType accumulateType(ScoreOpInterface op);

/// Local size of each iteration dim, static where known.
SmallVector<OpFoldResult> iterationSizes(OpBuilder &b, IndexedOpInterface op);

/// Static local size of each iteration dim, ShapedType::kDynamic where unknown.
SmallVector<int64_t> staticSizes(IndexedOpInterface op);

/// Whole-problem index of local 0 and whole-problem size of each iteration dim,
/// defaults filled in.
struct Position {
  SmallVector<OpFoldResult> origin, extents;
};
Position getPosition(OpBuilder &b, ScoreOpInterface op);

/// True if moving or cutting the op changes what it computes at a point unless
/// origin and extents follow: it has `visible`, attn.index or attn.keep.
bool dependsOnPosition(ScoreOpInterface op);

/// True if the score region yields its score argument and nothing else.
bool hasIdentityScore(ScoreOpInterface op);

} // namespace mlir::attn

#endif // ATTN_IR_ROLES_H
