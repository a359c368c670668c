//===- Mask.h - conditions as affine sets -------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_MASK_H
#define ATTN_LIB_RECOGNIZE_MASK_H

#include "Match.h"

namespace mlir::attn {

/// linear >= 0, or linear == 0.
struct Constraint {
  Linear linear;
  bool equal;
  bool operator==(const Constraint &o) const {
    return linear == o.linear && equal == o.equal;
  }
};
using Conjunction = SmallVector<Constraint>;
using Disjunction = SmallVector<Conjunction>;

/// Where a boolean node is true (false, if negated), in disjunctive form;
/// nothing if that is not affine, or too long.
std::optional<Disjunction> toDisjunction(View &view, Node *node, bool negate);

/// The same for a constant table, read from its values: bands, and complements
/// of bands.
std::optional<Disjunction> fitTable(View &view, Node *table, bool negate);

} // namespace mlir::attn

#endif // ATTN_LIB_RECOGNIZE_MASK_H
