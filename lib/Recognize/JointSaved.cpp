//===- JointSaved.cpp - backwards that are given the forward's results ----===//
//
// A backward alone is given what its forward saved: the log-sum-exp L, or a
// maximum and a sum, perhaps the output O. It computes
//
//   P = exp(X - L),  dX = P (dP - D),  D = rowsum(dO O)  or  rowsum(P dP)
//
// which is what attention_backward computes from L and O, whatever they are: no
// more needs to be known of them, and nothing is assumed but that L is -inf or
// NaN in rows without keys alone. Where O is not given, it is that of one more
// forward, whose log-sum-exp is M: P V = O exp(M - L).
//
// A backward that is given its probabilities, or the scores, cannot be fused:
// they are the tensor of rows x keys. It is told so.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "JointWalk.h"
#include "Operand.h"
#include "Thresholds.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// A product or quotient with one factor looked for: the other, and whether it
/// divides.
static std::optional<Factor> otherFactor(Node *node, Node *factor) {
  auto is = [&](unsigned i) { return stripCasts(node->operands[i]) == factor; };
  if (node->is("arith.divf") && is(0))
    return Factor{node->operands[1], true};
  if (node->is("arith.mulf") && (is(0) || is(1)))
    return Factor{node->operands[is(0) ? 1 : 0], false};
  return std::nullopt;
}

/// What divides, if the node is 1 / x; else null.
static Node *reciprocalOf(Node *node) {
  if (!node->is("arith.divf"))
    return nullptr;
  auto one = floatConstant(node->operands[0]);
  return one && one->isExactlyValue(1.0) ? node->operands[1] : nullptr;
}

/// Takes what was saved off the exponent of E, and what divides E.
bool JointMatch::findSavedShift(Node *e) {
  auto ofRows = [&](Node *node) {
    return !scoresIn(node) && !atomsOf(node).empty();
  };
  Type type = e->type;
  Node *shift = nullptr, *score = e->operands[0];
  while (score->is("arith.subf") && ofRows(score->operands[1])) {
    Node *next = score->operands[1];
    shift = shift ? view.apply("arith.addf", {shift, next}, type) : next;
    score = score->operands[0];
  }
  if (!shift)
    return false;
  exponential = probability = e;
  walk(summand, false, [&](Node *node) {
    if (probability != e)
      return;
    auto other = otherFactor(node, e);
    if (!other)
      return;
    Node *divisor = other->inverse ? other->node : reciprocalOf(other->node);
    if (!divisor || !ofRows(divisor))
      return;
    Node *log = view.apply("math.log", {divisor}, divisor->type);
    shift = view.apply("arith.addf", {shift, log}, type);
    probability = node;
  });
  if (e->is("math.exp2")) {
    Node *ln2 = view.floatValue(type, M_LN2);
    shift = view.apply("arith.mulf", {shift, ln2}, type);
    score = view.apply("arith.mulf", {score, ln2}, type);
  }
  forward.score = score;
  savedLse = view.full(shift);
  return true;
}

bool JointMatch::findSavedProbabilities() {
  Node *e = nullptr;
  walk(summand, false, [&](Node *node) {
    if (!e && isExponential(node) && scoresIn(node) == scores)
      e = node;
  });
  if (!e || !findSavedShift(e))
    return false;
  // The rows are what was saved for; the keys are the scores' other loops.
  SmallVector<Atom> rows = atomsOf(savedLse);
  for (const Linear &index : scores->indices) {
    auto ofRow = [&](auto term) {
      return llvm::is_contained(rows, term.first);
    };
    if (llvm::all_of(index.terms, ofRow))
      continue;
    if (llvm::any_of(index.terms, ofRow))
      return false;
    forward.keyLoops.push_back(index);
    for (auto [atom, coefficient] : index.terms)
      forward.keys.push_back(atom);
  }
  if (forward.keys.empty())
    return false;
  ring.emplace(view, forward.keyLoops, forward.keys);
  ring->setType(scores->type);
  findGuard();
  forward.assumed.insert(Assumption::SavedRows);
  return true;
}

/// D = rowsum(dO O) of an O that is read, not computed from the scores.
void JointMatch::findSavedOutput() {
  walk(summand, false, [&](Node *node) {
    if (savedOutput || view.dependsOn(node, forward.keys) ||
        !ring->isSumOver(node, valueLoops))
      return;
    // An O that is computed here is seen as such: P V.
    Polynomial own = ring->power(ring->value(node));
    Node *body = view.body(node, valueLoops);
    if (!body || !sameValue(ring->of(node), own))
      return;
    SmallVector<Factor> factors;
    double constant = 1;
    collectFactors(view.full(body), false, factors, constant);
    if (factors.size() != 2 || factors[0].inverse || factors[1].inverse)
      return;
    Node *grad = stripCasts(view.full(outputGrad));
    for (unsigned i : {0u, 1u}) {
      Node *output = factors[1 - i].node;
      SetVector<Node *> leaves;
      if (stripCasts(factors[i].node) != grad || holdsExponential(output) ||
          !collectLeaves(view, output, leaves))
        continue;
      savedOutput = peelExact(view, output);
      savedSum = ring->multiply(own, Polynomial(productsFactor / constant));
      return;
    }
  });
}

//===----------------------------------------------------------------------===//
// Saved tensors of rows x keys
//===----------------------------------------------------------------------===//

/// P (dP - rowsum(P dP)) in a polynomial: the factor P that is no contraction's
/// exponential, or null. Terms a P dP and -a P sum(P dP) are looked for.
static Node *probabilitiesIn(const Polynomial &gradient, Ring &ring, View &view,
                             ArrayRef<Atom> keys) {
  for (const auto &[term, coefficient] : gradient.terms)
    for (auto [generator, exponent] : term) {
      const Generator sum = ring[generator];
      if (sum.kind != Generator::Sum || exponent != 1)
        continue;
      Polynomial rest, inside;
      rest.add(term, coefficient);
      rest = ring.multiply(rest, ring.power(generator, -1));
      inside.add(sum.summand, 1);
      for (const auto &[other, factor] : gradient.terms) {
        if (std::fabs(factor + coefficient) > 1e-6 * std::fabs(factor))
          continue;
        Polynomial whole;
        whole.add(other, -factor);
        auto inverse = ring.inverse(whole);
        if (!inverse)
          continue;
        // rest inside / whole is P.
        Polynomial p = ring.multiply(ring.multiply(rest, inside), *inverse);
        const auto *single = p.single();
        if (!single || std::fabs(single->second - 1) > 1e-6)
          continue;
        Node *found = nullptr;
        bool fits = true, isWeighted = false;
        for (auto [own, power] : single->first) {
          if (!ring.dependsOn(own, keys))
            continue;
          fits &= power == 1 && !found && ring[own].kind == Generator::Value;
          found = ring[own].node;
        }
        for (auto [own, power] : sum.summand)
          isWeighted |= ring[own].kind == Generator::Value &&
                        ring[own].node != found &&
                        isContraction(ring[own].node);
        if (fits && found && isWeighted)
          return found;
      }
    }
  return nullptr;
}

/// True if there is a dP, and another sum.
static bool mayBeGradient(Node *body) {
  unsigned sums = 0, products = 0;
  walk(body, false, [&](Node *node) {
    if (node->kind != Node::Reduce || node->combiner != Combiner::Add)
      return;
    ++sums;
    products += isContraction(node);
  });
  return products > 0 && sums > 1;
}

std::optional<SavedProbabilities>
mlir::attn::findSavedProbabilities(linalg::LinalgOp op) {
  IndexSpace space;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    space.reset();
    View view(space, op.getContext());
    Node *sum = sumBehind(
        view.access(op->getResult(0), indicesOf(space, op->getResult(0))));
    SmallVector<Atom> keys;
    Node *body = sum ? bodyOf(view, sum, keys) : nullptr;
    body = body ? view.full(body) : nullptr;
    if (body && !keys.empty() && mayBeGradient(body)) {
      SmallVector<Linear> loops;
      for (auto [loop, extent] : view.reductionLoops(sum))
        loops.push_back(space.loop(sum->op, loop, extent));
      Ring ring(view, loops, keys);
      ring.setType(body->type);
      Node *found = probabilitiesIn(ring.of(body), ring, view, keys);
      if (found && !space.needsRestart()) {
        Node *leaf = nullptr;
        bool computed = false; // by a contraction
        walk(found, true, [&](Node *node) {
          if (!leaf && node->kind == Node::Access && view.dependsOn(node, keys))
            leaf = node;
          computed |= isContraction(node);
        });
        if (leaf && !computed)
          return SavedProbabilities{leaf->value, found != leaf};
      }
    }
    if (!space.needsRestart())
      break;
  }
  return std::nullopt;
}
