//===- TileBounds.h - What a tile sees, as expressions ----------*- C++ -*-===//
//
// Code generators meet a tile whose offset is a run-time value. This is Visible
// for them: loop bounds and block tests as expressions to emit as IR.
//
// The expressions live in *tile space*: for every dim d of the set, dim 2d is
// the tile's first index and dim 2d + 1 its last one (inclusive), so a tile is
// never empty; the symbols stay. Both are whole-problem indices.
//
// The one idea is interval arithmetic. Over a tile, c * d is least at the first
// index if c > 0 and at the last one if c < 0; floordiv is monotone; mod q is
// in [0, q - 1]. A constraint e >= 0 then may hold somewhere only if
// upper(e) >= 0, and surely holds everywhere if lower(e) >= 0. For a constraint
// in which each dim occurs once and outside of mod, both are exact.
//
// Bounds on a key dim come from solving the constraint for it first:
//
//     a n + r >= 0, a > 0      n >= ceil(-r / a)
//     a n + r >= 0, a < 0      n <= floor(r / -a)
//     c (x floordiv q) + r     solved exactly for x if n occurs nowhere else,
//                              else by x - q + 1 <= q (x floordiv q) <= x
//     x mod q                  by 0 <= x mod q <= q - 1
//
// and putting in for r its upper bound (some row sees the key) or its lower
// bound (all rows do).
//
// Example, causal with tile rows m0..m1 (m - n >= 0): any = [.., m1 + 1),
// full = [.., m0 + 1).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_TILEBOUNDS_H
#define ATTN_SUPPORT_TILEBOUNDS_H

#include "attn/Support/Visible.h"

namespace attn::tile {

/// First and last (inclusive) index of a tile in dim `d`, in tile space.
inline Expr first(unsigned d) { return Expr::dim(2 * d); }
inline Expr last(unsigned d) { return Expr::dim(2 * d + 1); }

/// Bounds in tile space of an expression over the set's dims: for every point p
/// of the tile, lower(e) <= e(p) <= upper(e).
Expr lower(const Expr &e);
Expr upper(const Expr &e);

/// The keys of one set that a tile of the other dims sees. Tile dims of the key
/// itself do not occur in it.
///
///  - A key n outside of [max anyLo, min anyHi) is hidden from the whole tile,
///    and so is every key unless all of anyIf are >= 0.
///  - A key n inside of [max fullLo, min fullHi) is visible to the whole tile,
///    provided that all of fullIf are >= 0.
///
/// An empty list is no restriction. Ranges may be empty (lo >= hi). What no
/// range can say (a key under mod) leaves `any` open and `full` impossible, by
/// an entry of fullIf that is a negative constant.
struct KeyBounds {
  using List = llvm::SmallVector<Expr, 2>;
  List anyLo, anyHi, anyIf;
  List fullLo, fullHi, fullIf;
};
KeyBounds keyBounds(const AffineSet &set, unsigned keyDim);

/// Tests of one block, over tiles of all dims, keys included. The block may see
/// something of the set only if all of anyConditions are >= 0; it sees
/// everything if all of fullConditions are >= 0. Conditions that always hold
/// are left out.
llvm::SmallVector<Expr, 4> anyConditions(const AffineSet &set);
llvm::SmallVector<Expr, 4> fullConditions(const AffineSet &set);

} // namespace attn::tile

#endif // ATTN_SUPPORT_TILEBOUNDS_H
