//===- JointProbabilities.cpp - what the gradients are fed by
//--------------===//
//
// From the first gradient's summand: the sum over exponentials of the scores,
// whose loops are the keys, what it is divided by, and so P.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "JointWalk.h"
#include "Layout.h"
#include "Operand.h"
#include "Thresholds.h"

using namespace mlir;
using namespace mlir::attn;

void mlir::attn::walk(Node *root, bool intoExponentials,
                      function_ref<void(Node *)> visit) {
  SmallVector<Node *> work{root};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!seen.insert(node).second)
      continue;
    visit(node);
    if (intoExponentials || !isExponential(node))
      llvm::append_range(work, node->operands);
  }
}

bool mlir::attn::holdsExponential(Node *node) {
  bool found = false;
  walk(node, true, [&](Node *n) { found |= isExponential(n); });
  return found;
}

Node *mlir::attn::ownBody(View &view, Node *reduce,
                          SmallVectorImpl<Linear> &loops) {
  for (auto [loop, extent] : view.reductionLoops(reduce))
    loops.push_back(view.getSpace().loop(reduce->op, loop, extent));
  Node *body = view.body(reduce, loops);
  return body ? view.full(body) : nullptr;
}

bool JointMatch::findScores() {
  Value result = group.scores->getResult(0);
  scores = sumBehind(view.access(result, indicesOf(view.getSpace(), result)));
  if (!scores)
    return fail(Obligation::JointProbabilities,
                "the scores are no sum over a loop");
  insertAtoms(scores->indices, fixed);
  for (const JointMember &member : group.members) {
    if (!member.hasGradient)
      continue;
    Substitution replace;
    Value nearest = member.roots.front();
    auto own = read(member, nearest, replace);
    if (!own || !align(own->summand, replace))
      return fail(Obligation::JointProbabilities,
                  "a gradient reads the scores along other loops");
    own = read(member, nearest, replace);
    if (!own)
      return false;
    summand = own->summand;
    return true;
  }
  return false;
}

/// A sum over exponentials of the scores: its loops are the keys.
bool JointMatch::isTotal(Node *sum) {
  SmallVector<Linear> loops;
  Node *body = ownBody(view, sum, loops);
  Substitution replace;
  if (!body || !exponentiatesScores(body) || !align(body, replace))
    return false;
  SmallVector<Linear> keyLoops;
  for (const Linear &loop : loops) {
    Linear keys(loop.constant);
    for (auto [atom, coefficient] : loop.terms) {
      auto it = replace.find(atom);
      if (it == replace.end())
        return false;
      keys.add(it->second, coefficient);
    }
    keyLoops.push_back(keys);
  }
  forward.keyLoops = keyLoops;
  element = view.body(sum, keyLoops);
  return element;
}

/// A sum over the keys and a few elements beside them, where a sink was put
/// beside the scores: the keys are the loop of the scores that it lacks.
bool JointMatch::isLongerTotal(Node *sum) {
  DenseSet<Atom> rows;
  insertAtoms(sum->indices, rows);
  SmallVector<Linear> keyLoops;
  for (const Linear &index : scores->indices)
    if (!index.isConstant() && llvm::none_of(index.terms, [&](auto term) {
          return rows.contains(term.first);
        }))
      keyLoops.push_back(index);
  auto read = readLongerSum(view, sum, keyLoops, [&](Node *body) {
    return exponentiatesScores(view.full(body)) &&
           scoresIn(view.full(body)) == scores;
  });
  if (!read)
    return false;
  forward.keyLoops = keyLoops;
  element = read->ofKeys;
  besideKeys = read->besideKeys;
  longer = {read->size, read->firstKey};
  return true;
}

/// True for exponentials of the scores, and no product of them.
bool JointMatch::exponentiatesScores(Node *body) {
  bool products = false;
  walk(body, false, [&](Node *node) { products |= isContraction(node); });
  return !products && scoresIn(body) && holdsExponential(body);
}

/// The sum of exponentials in an expression, and so the keys.
bool JointMatch::findTotal(Node *expression) {
  SmallVector<Node *> sums;
  walk(expression, true, [&](Node *node) {
    if (node->kind == Node::Reduce && node->combiner == Combiner::Add &&
        isa<FloatType>(node->type) && node->op != scores->op)
      sums.push_back(node);
  });
  for (bool alone : {true, false})
    for (Node *sum : sums) {
      if (!(alone ? isTotal(sum) : isLongerTotal(sum)))
        continue;
      total = sum;
      for (const Linear &loop : forward.keyLoops)
        for (auto [atom, coefficient] : loop.terms)
          forward.keys.push_back(atom);
      return !forward.keys.empty();
    }
  return false;
}

/// What the exponentials are divided by: their sum, or that and further terms,
/// which go to `besideKeys`.
Node *JointMatch::findNormaliser(Node *expression) {
  SmallVector<Factor> divisors;
  double constant = 1;
  walk(expression, true, [&](Node *node) {
    if (node->is("arith.divf"))
      collectFactors(node->operands[1], false, divisors, constant);
    else if (node->is("math.log"))
      divisors.push_back({node->operands[0], false});
  });
  for (const Factor &divisor : divisors) {
    Node *node = stripCasts(divisor.node);
    SignedSum terms;
    addTerms(view, node, 1, terms);
    auto own = std::make_pair(total, 1);
    if (terms.terms.size() < 2 || !llvm::is_contained(terms.terms, own))
      continue;
    for (auto [term, sign] : terms.terms)
      if (term != total)
        besideKeys.push_back(
            sign > 0 ? term : view.apply("arith.negf", {term}, term->type));
    return node;
  }
  return total;
}

bool JointMatch::findProbabilities() {
  if (!findTotal(summand))
    return findSavedProbabilities() ||
           fail(Obligation::JointProbabilities,
                "the gradients hold no sum of the exponentials of the scores");
  ring.emplace(view, forward.keyLoops, forward.keys);
  ring->setType(scores->type);
  element = view.full(element);
  normaliser = findNormaliser(summand);
  if (longer)
    ring->setLongerSums(longer->first, longer->second);
  ring->setNormaliser(normaliser, element, besideKeys);
  // exp(x) / sum exp(x), or exp(x - log sum exp(x)).
  Node *joined = nullptr;
  walk(summand, true, [&](Node *node) {
    if (!isExponential(node) || !view.dependsOn(node, forward.keys))
      return;
    walk(node, true, [&](Node *inner) {
      if (inner == total)
        joined = node;
    });
  });
  probability = joined ? joined
                       : view.apply("arith.divf", {element, normaliser},
                                    normaliser->type);
  walk(joined ? joined : element, true, [&](Node *node) {
    if (!exponential && isExponential(node))
      exponential = node;
  });
  findGuard();
  return true;
}

/// A select of 0 for P in rows without keys: P is what it yields.
void JointMatch::findGuard() {
  Polynomial p = ring->of(probability);
  Node *guarded = nullptr;
  walk(summand, false, [&](Node *node) {
    if (guarded || !node->is("arith.select") || !isa<FloatType>(node->type) ||
        view.dependsOn(node->operands[0], forward.keys))
      return;
    for (unsigned branch : {1u, 2u}) {
      auto zero = floatConstant(node->operands[branch]);
      if (!zero || !zero->isZero() ||
          !sameValue(ring->of(node->operands[3 - branch]), p))
        continue;
      guarded = node;
      guard = ring->shown(view.full(node->operands[0]), branch == 2);
    }
  });
  unguarded = probability;
  if (guarded)
    probability = guarded;
}
