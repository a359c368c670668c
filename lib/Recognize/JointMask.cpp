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
#include "attn/IR/RowReference.h"

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

bool JointMatch::everyRowHasKey() { return attn::everyRowHasKey(forward); }

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
    // A row in which all scores are c may lose log N. A mask in the score does
    // not lose it: it is measured from another reference.
    double fill = forward.hidden.getValue().getValueAsDouble();
    bool hasKeys = everyRowHasKey();
    if (selected && (hasKeys || !losesLogSum(fill)))
      return true;
    // A fill that data adds in the score function may leave a row without any
    // other score; there what was added lets gradients through.
    bool fillsRows = hasFill(view.full(forward.score));
    if (vanishes && fill <= kAbsorbingFill && hasKeys && !fillsRows) {
      forward.assumed.insert(Assumption::Absorbing);
      return true;
    }
  }
  keepMaskInScore();
  return exact || fail(Obligation::JointRows,
                       "the gradients at hidden keys fit no row kind");
}
