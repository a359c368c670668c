//===- Mask.h - conditions as affine sets -------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_RECOGNIZE_MASK_H
#define ATTN_LIB_RECOGNIZE_MASK_H

#include "Match.h"

namespace mlir::attn {

/// A linear function of loops and of integers that are data (lengths).
struct Affine {
  Linear linear;
  SmallVector<std::pair<Node *, int64_t>, 2> symbols; // by id, no zeros

  Affine() = default;
  explicit Affine(Linear linear) : linear(std::move(linear)) {}
  void add(const Affine &other, int64_t factor = 1);
  bool operator==(const Affine &o) const {
    return linear == o.linear && symbols == o.symbols;
  }
};

/// value >= 0, or value == 0.
struct Constraint {
  Affine value;
  bool equal;
  bool operator==(const Constraint &o) const {
    return value == o.value && equal == o.equal;
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
