//===- JointMask.cpp - gradients at hidden keys and in rows without keys --===//
//
// attention_backward lets nothing flow through a hidden key. A graph may say so
// by a select on dS, or leave it to P, which is 0 there. The two differ in rows
// without a key, where P is NaN: that is what `empty_rows` tells apart. Where
// no row kind fits, the mask stays in the score function, whose derivative is
// exact.
//
//===----------------------------------------------------------------------===//
#include "Joint.h"
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::attn;

void JointMatch::extractConditions() {
  maskedScore = forward.score;
  extractMask(forward);
  for (auto [condition, hides] : forward.maskConditions)
    shown = ring->multiply(
        shown, ring->power(ring->shown(view.full(condition), !hides)));
}

bool JointMatch::sameWhereShown(const Polynomial &a, const Polynomial &b) {
  return sameValue(ring->multiply(a, shown), ring->multiply(b, shown));
}

/// True if every term has a factor exp(x - shift).
bool JointMatch::vanishesWithProbability(const Polynomial &value) {
  unsigned generator = ring->value(exponential);
  return llvm::all_of(value.terms, [&](const auto &term) {
    return llvm::any_of(term.first, [&](const auto &factor) {
      return factor.first == generator && factor.second > 0;
    });
  });
}

void JointMatch::keepMaskInScore() {
  forward.score = maskedScore;
  forward.visible = nullptr;
  forward.symbols.clear();
  forward.hidden = HiddenAttr::getSkip(view.getContext());
  forward.maskBySelect = false;
}

/// True if in every row some score is above -inf, and no fill.
bool JointMatch::everyRowHasKey() {
  IndexSpace &space = view.getSpace();
  if (mayBeInfinite(view.full(forward.score)))
    return false;
  SmallVector<int64_t> sizes;
  for (Atom atom : forward.setAtoms)
    sizes.push_back(isUnitLoop(atom) ? 1 : space.size(atom));
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) || size == 0)
      return false;
  if (!forward.visible)
    return true;
  if (!forward.symbols.empty())
    return false; // data decides
  using namespace presburger;
  unsigned count = sizes.size(), keys = forward.keys.size();
  // Rows that a set shows some key: its points without the key dims.
  auto bound = [&](IntegerPolyhedron &rows) {
    for (unsigned i = 0; i + keys < count; ++i) {
      rows.addBound(BoundType::LB, i, 0);
      rows.addBound(BoundType::UB, i, sizes[i] - 1);
    }
  };
  IntegerPolyhedron all(PresburgerSpace::getSetSpace(count - keys));
  bound(all);
  PresburgerSet rest(all);
  for (Attribute attr : forward.visible) {
    FlatLinearValueConstraints set(cast<IntegerSetAttr>(attr).getValue());
    for (unsigned i = 0; i < count; ++i) {
      set.addBound(BoundType::LB, i, 0);
      set.addBound(BoundType::UB, i, sizes[i] - 1);
      set.addBound(BoundType::EQ, set.getVarKindOffset(VarKind::Symbol) + i,
                   sizes[i]);
    }
    IntegerPolyhedron points(set);
    points.convertToLocal(VarKind::Symbol, 0, points.getNumSymbolVars());
    points.convertToLocal(VarKind::SetDim, count - keys, count);
    rest = PresburgerSet(rest.subtract(PresburgerSet(points)));
  }
  return rest.isIntegerEmpty();
}

/// True if every gradient is 0 in rows that the guard of P replaces by 0: by a
/// select, since P itself is NaN there.
bool JointMatch::guardHolds() {
  if (!guard || ring->selectsConstants((*ring)[*guard].node))
    return false;
  return llvm::all_of(gradients, [&](const Found &g) {
    return sameValue(ring->multiply(g.value, ring->power(*guard)), g.value);
  });
}

bool JointMatch::chooseMask() {
  auto all = [&](function_ref<bool(const Found &)> holds) {
    return llvm::all_of(gradients, holds);
  };
  bool exact =
      all([&](const Found &g) { return sameValue(g.value, expected(g.kind)); });
  if (forward.emptyRowsZero && !guardHolds() && !everyRowHasKey())
    return fail(Obligation::JointRows,
                "rows without keys are guarded, and their gradients are not "
                "known to be 0");
  if (forward.maskConditions.empty())
    return exact || fail(Obligation::JointGradient,
                         "a select on the gradients is no mask of the scores");
  bool selected = all([&](const Found &g) {
    return sameValue(ring->multiply(g.value, shown), g.value);
  });
  bool open = all([&](const Found &g) {
    return llvm::all_of(g.value.terms, [&](const auto &term) {
      return llvm::none_of(term.first, [&](const auto &factor) {
        const Generator &generator = (*ring)[factor.first];
        return generator.kind == Generator::Shown &&
               llvm::any_of(forward.maskConditions, [&](const auto &c) {
                 return view.full(c.first) == generator.node;
               });
      });
    });
  });
  bool vanishes =
      all([&](const Found &g) { return vanishesWithProbability(g.value); });
  if (forward.hidden.isSkip()) {
    if (vanishes && (selected || open || everyRowHasKey())) {
      forward.maskBySelect = selected;
      return true;
    }
  } else {
    double fill = forward.hidden.getValue().getValueAsDouble();
    // P = exp(c - LSE) of a row in which all scores are c has lost log N where
    // c is as large as a hiding fill.
    if (fill <= kHidingFill && !everyRowHasKey())
      return fail(Obligation::JointRows,
                  "rows without keys have a log-sum-exp near the fill, from "
                  "which their probabilities cannot be recomputed");
    if (selected)
      return true;
    if (vanishes && fill <= kAbsorbingFill && everyRowHasKey()) {
      forward.assumed.insert(Assumption::Absorbing);
      return true;
    }
  }
  keepMaskInScore();
  return exact || fail(Obligation::JointRows,
                       "the gradients at hidden keys fit no row kind");
}
