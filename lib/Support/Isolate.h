//===- Isolate.h - Solving a constraint for one dim -------------*- C++ -*-===//
//
// Shared by the symbolic bounds (TileBounds) and the concrete ones (lines).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_SUPPORT_ISOLATE_H
#define ATTN_LIB_SUPPORT_ISOLATE_H

#include "attn/Support/Expr.h"

namespace attn {

/// Rewrites e >= 0 to an equivalent constraint in which `dim` is as far outside
/// of floordiv as an exact rewriting can bring it: a floordiv that holds its
/// only occurrence is solved for,
///
///     c (x floordiv q) + r >= 0, c > 0   <=>   x - q ceil(-r / c) >= 0
///     c (x floordiv q) + r >= 0, c < 0   <=>   q floor(r / -c) + q - 1 - x >=
///     0
///
/// The result is linear in `dim` unless `isDimUnderDivision`.
Expr unwrapDim(Expr e, unsigned dim);

} // namespace attn

#endif // ATTN_LIB_SUPPORT_ISOLATE_H
