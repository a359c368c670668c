//===- Guards.cpp - selects around the probabilities ----------------------===//
#include "SoftmaxMatcher.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// True (false) if the node says that the score is (is not) -inf.
std::optional<bool> SoftmaxMatcher::comparesWithMinusInfinity(Node *node) {
  if (!node)
    return std::nullopt;
  node = view.full(node);
  if (node->is("arith.xori"))
    if (auto one = intConstant(node->operands[1]); one && *one == 1) {
      auto inner = comparesWithMinusInfinity(node->operands[0]);
      return inner ? std::optional<bool>(!*inner) : std::nullopt;
    }
  if (!node->is("arith.cmpf"))
    return std::nullopt;
  Node *a = stripCasts(node->operands[0]), *b = stripCasts(node->operands[1]);
  if (floatConstant(a))
    std::swap(a, b);
  auto value = floatConstant(b);
  Node *score = stripCasts(view.full(match.score));
  // A factor on the whole exponent, log2(e) for instance, keeps -inf.
  if (a != score && score->is("arith.mulf"))
    if (auto factor = floatConstant(score->operands[1]);
        factor && factor->isFiniteNonZero() && !factor->isNegative())
      score = stripCasts(score->operands[0]);
  if (!value || !value->isInfinity() || !value->isNegative() || a != score)
    return std::nullopt;
  auto predicate =
      cast<arith::CmpFPredicateAttr>(node->attributes.get("predicate"))
          .getValue();
  if (predicate == arith::CmpFPredicate::OEQ)
    return true;
  if (predicate == arith::CmpFPredicate::UNE)
    return false;
  return std::nullopt;
}

/// True if the condition (or its negation) says that no key of the row has a
/// score above -inf.
bool SoftmaxMatcher::isNoKey(Node *condition, bool negated) {
  while (condition->is("arith.xori")) {
    auto one = intConstant(condition->operands[1]);
    if (!one || *one != 1)
      return false;
    negated = !negated;
    condition = view.full(condition->operands[0]);
  }
  if (condition->kind != Node::Reduce ||
      condition->combiner != (negated ? Combiner::Or : Combiner::And))
    return false;
  auto loops = view.reductionLoops(condition);
  if (loops.size() != match.keyLoops.size())
    return false;
  auto masked = comparesWithMinusInfinity(view.body(condition, match.keyLoops));
  // Loops of another length would read other elements: compare sizes.
  for (auto [loop, index] : llvm::zip_equal(loops, match.keyLoops))
    if (!view.getSpace().asMixedRadix(index, loop.second.size))
      return false;
  return masked && *masked == !negated;
}

bool SoftmaxMatcher::matchGuards(const Exponential &above) {
  bool mayHideItself = hasInfinity(view.full(match.score));
  // A guard of the exponentials themselves hides keys.
  for (const Guard &guard : usedGuards) {
    Type type = match.score->type;
    Node *hidden = view.floatValue(type, -INFINITY);
    Node *score = view.full(match.score);
    match.score =
        guard.hidesOn
            ? view.apply("arith.select", {guard.condition, hidden, score}, type)
            : view.apply("arith.select", {guard.condition, score, hidden},
                         type);
  }
  SmallVector<Guard> rest = usedGuards;
  for (const Guard &guard : above.guards) {
    auto it = llvm::find(rest, guard);
    if (it != rest.end()) {
      rest.erase(it);
      continue;
    }
    bool repeated = llvm::is_contained(usedGuards, guard);
    // Rows that the score itself hides would be NaN, not zero, unfused.
    if (repeated && mayHideItself)
      return match.fail(Obligation::Guards,
                        "keys are hidden both by the score and by the guard");
    if (!repeated && !isNoKey(guard.condition, !guard.hidesOn))
      return match.fail(Obligation::Guards,
                        "a select on the probabilities is neither the mask of "
                        "the exponentials nor a guard of rows without keys");
    match.emptyRowsZero = true;
  }
  return true;
}
