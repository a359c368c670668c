//===- JointMatch.cpp - gradients of the attention beside them ------------===//
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

/// A body over the reduction's own loops.
static Node *ownBody(View &view, Node *reduce, SmallVectorImpl<Linear> &loops) {
  for (auto [loop, extent] : view.reductionLoops(reduce))
    loops.push_back(view.getSpace().loop(reduce->op, loop, extent));
  Node *body = view.body(reduce, loops);
  return body ? view.full(body) : nullptr;
}

//===----------------------------------------------------------------------===//
// The attention
//===----------------------------------------------------------------------===//

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

/// dP = dO V^T, and which of its factors is which.
bool JointMatch::findOutputGrad() {
  walk(summand, false, [&](Node *node) {
    if (!isContraction(node) || node->op == scores->op ||
        !view.dependsOn(node, forward.keys))
      return;
    for (Atom atom : atomsOf(node))
      if (!fixed.contains(atom))
        return; // an operand that is a product itself
    SmallVector<Linear> loops;
    Node *body = ownBody(view, node, loops);
    // Other exponentials may be a part of dO, or of V: a gate's.
    if (!body || scoresIn(body))
      return;
    if (products && products != node)
      fail(Obligation::JointOutputGrad,
           "the gradients depend on two contractions besides the scores");
    products = node;
    valueLoops = loops;
  });
  if (forward.failure)
    return false;
  if (!products)
    return fail(Obligation::JointOutputGrad,
                "the gradients depend on no contraction besides the scores");
  Node *body = view.body(products, valueLoops);
  SmallVector<Factor> factors, ofGrad, ofValue;
  collectFactors(body, false, factors, productsFactor);
  for (const Factor &factor : factors)
    (view.dependsOn(factor.node, forward.keys) ? ofValue : ofGrad)
        .push_back(factor);
  if (ofGrad.empty()) {
    // The gradient of a sum, or a mean: one number.
    outputGrad = view.floatValue(products->type, productsFactor);
    productsFactor = 1;
  } else {
    outputGrad = productOf(view, ofGrad, products->type);
  }
  forward.value = productOf(view, ofValue, products->type);
  if (!outputGrad || !forward.value)
    return fail(Obligation::JointOutputGrad,
                "the factors of the other contraction are not dO and V");
  outputGrad = peelExact(view, outputGrad);
  insertAtoms(valueLoops, fixed);
  ring->setProducts(products, productsFactor, outputGrad, forward.value,
                    valueLoops);
  findSavedOutput();
  return true;
}

/// True if what was saved can be read, or computed again, by its own loops.
bool JointMatch::readsByRows(Node *saved) {
  SetVector<Node *> leaves;
  if (!collectLeaves(view, saved, leaves))
    return false;
  auto isKey = [&](Atom atom) {
    return llvm::is_contained(forward.keys, atom);
  };
  return llvm::none_of(leaves, [&](Node *leaf) {
    IndexSpace &space = view.getSpace();
    return llvm::any_of(
        *atomsOfReading(space, *readingOfLeaf(space, leaf, saved)), isKey);
  });
}

bool JointMatch::matchForward() {
  Node *value = forward.value;
  if (value->type != products->type)
    value = view.apply("arith.extf", {value}, products->type);
  forward.summand =
      view.apply("arith.mulf", {probability, value}, products->type);
  forward.sumType = products->type;
  SmallVector<Atom> loops;
  auto add = [&](ArrayRef<Linear> indices) {
    for (const Linear &index : indices)
      for (auto [atom, coefficient] : index.terms)
        if (!llvm::is_contained(forward.keys, atom) &&
            !llvm::is_contained(loops, atom))
          loops.push_back(atom);
  };
  add(scores->indices);
  add(valueLoops);
  for (Atom atom : loops) {
    Linear index;
    index.addTerm(atom, 1);
    forward.rootIndices.push_back(index);
  }
  if (!(savedLse || matchSoftmax(forward)) || !matchScore(forward) ||
      !matchLayout(forward))
    return false;
  findRows();
  fixed.insert(forward.depths.begin(), forward.depths.end());
  if (forward.contraction != scores)
    return fail(Obligation::JointProbabilities,
                "the gradients are of other scores than the probabilities");
  SetVector<Node *> leaves;
  if (!collectLeaves(view, outputGrad, leaves))
    return fail(Obligation::Layout,
                "dO is not read through a projected permutation of whole dims");
  if (savedLse && !readsByRows(savedLse))
    return fail(Obligation::Layout,
                "the log-sum-exp is not read by rows through a projected "
                "permutation");
  for (const Linear &index : forward.rootIndices)
    if (savedOutput && !view.dependsOn(savedOutput, index.terms.front().first))
      return fail(Obligation::JointOutputGrad,
                  "the output that is given has not all loops of an output");
  return true;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

/// The operand whose loops a member's own result shares.
Node *JointMatch::operandOf(MemberKind kind) {
  switch (kind) {
  case MemberKind::Output:
  case MemberKind::ValueGrad:
    return forward.value;
  case MemberKind::QueryGrad:
    return forward.query;
  case MemberKind::KeyGrad:
    return forward.key;
  case MemberKind::ExtraGrad:
  case MemberKind::SinkGrad:
  case MemberKind::LogSumExp:
    break;
  }
  llvm_unreachable("extras, sinks and sums have no members");
}

Polynomial JointMatch::valueOf(const MemberSum &sum) {
  Polynomial value = ring->of(sum.summand);
  for (auto [factor, inverse] : sum.factors) {
    Polynomial p = ring->of(factor);
    if (inverse) {
      auto inverted = ring->inverse(p);
      p = inverted ? *inverted : ring->power(ring->value(factor), -1);
    }
    value = ring->multiply(value, p);
  }
  return value;
}

/// The member is indexed by exactly its operand's loops (O: by batch, row and
/// value loops) and sums over exactly the other batch, row and key loops.
bool JointMatch::coversLoops(MemberKind kind, const MemberSum &sum) {
  SmallVector<Atom> wanted;
  if (kind == MemberKind::Output) {
    for (const Linear &index : forward.rootIndices)
      wanted.push_back(index.terms.front().first);
  } else {
    wanted = atomsOf(operandOf(kind));
  }
  DenseSet<Atom> result(wanted.begin(), wanted.end()), summed, own, loops;
  for (Atom atom : forward.setAtoms)
    if (!isUnitLoop(atom) && !result.contains(atom))
      summed.insert(atom);
  insertAtoms(sum.rootIndices, own);
  insertAtoms(sum.loops, loops);
  size_t terms = 0;
  for (const Linear &loop : sum.loops)
    terms += loop.terms.size();
  return own == result && loops == summed && terms == loops.size();
}

/// A weight on the probabilities, from P^T dO or P V.
void JointMatch::findWeight() {
  Polynomial p = ring->of(unguarded);
  for (const JointMember &member : group.members)
    for (MemberKind kind : {MemberKind::ValueGrad, MemberKind::Output}) {
      if (member.hasGradient)
        continue;
      auto sum = aligned(member, member.roots.front(), kind);
      if (!sum)
        continue;
      Node *other = kind == MemberKind::Output ? forward.value : outputGrad;
      auto overP = ring->inverse(p), over = ring->inverse(ring->of(other));
      if (!overP || !over)
        continue;
      Polynomial rest =
          ring->multiply(valueOf(*sum), ring->multiply(*overP, *over));
      const auto *single = rest.single();
      if (!single)
        continue;
      // The guard is P's own.
      Monomial factors = single->first;
      auto *own = llvm::find_if(
          factors, [&](const auto &factor) { return factor.first == guard; });
      if (own != factors.end())
        factors.erase(own);
      else if (guard)
        continue;
      if (factors.empty())
        continue;
      Type type = products->type;
      Node *node = view.floatValue(type, single->second);
      bool elementwise = true;
      for (auto [generator, exponent] : factors) {
        const Generator &g = (*ring)[generator];
        // A select of zero for a hidden key is a factor of 0 only where the
        // probability is a number, which it is not in a row without keys.
        elementwise &= generator != ring->logSumExp() &&
                       (g.kind == Generator::Value ||
                        (g.kind == Generator::Shown && exponent > 0)) &&
                       !ring->dependsOn(generator, forward.value_) &&
                       g.node->kind != Node::Reduce &&
                       (g.kind != Generator::Shown || everyRowHasKey());
        if (!elementwise)
          break;
        Node *factor = g.node;
        if (g.kind == Generator::Shown)
          factor = view.apply("arith.select",
                              {g.node, view.floatValue(type, g.shownIf),
                               view.floatValue(type, !g.shownIf)},
                              type);
        else if (factor->type != type)
          factor = view.apply("arith.extf", {factor}, type);
        for (int i = 0; i < std::abs(exponent); ++i)
          node = exponent > 0 ? view.apply("arith.mulf", {factor, node}, type)
                              : view.apply("arith.divf", {node, factor}, type);
      }
      if (!elementwise)
        continue;
      weight = Polynomial();
      weight.add(factors, single->second);
      forward.weight = node;
      return;
    }
}

Polynomial JointMatch::expected(MemberKind kind) {
  Polynomial weighted = ring->multiply(ring->of(probability), weight);
  switch (kind) {
  case MemberKind::Output:
    return ring->multiply(weighted, ring->of(forward.value));
  case MemberKind::ValueGrad:
    return ring->multiply(weighted, ring->of(outputGrad));
  case MemberKind::QueryGrad:
    return ring->multiply(scoreGradient, ring->of(forward.key));
  case MemberKind::KeyGrad:
    return ring->multiply(scoreGradient, ring->of(forward.query));
  case MemberKind::ExtraGrad:
  case MemberKind::SinkGrad:
  case MemberKind::LogSumExp:
    break;
  }
  llvm_unreachable("extras, sinks and sums have no members");
}

/// True if a gradient reads a tensor of rows and keys that the attention itself
/// does not.
bool JointMatch::probabilitiesHaveGradient(const JointMember &member) {
  for (Value root : member.roots)
    for (MemberKind kind : {MemberKind::QueryGrad, MemberKind::KeyGrad}) {
      auto sum = aligned(member, root, kind);
      if (!sum)
        continue;
      DenseSet<unsigned> own;
      for (const auto &[term, coefficient] : expected(kind).terms)
        for (auto [generator, exponent] : term)
          own.insert(generator);
      for (const auto &[term, coefficient] : valueOf(*sum).terms)
        for (auto [generator, exponent] : term) {
          const Generator &g = (*ring)[generator];
          if (!own.contains(generator) && g.kind == Generator::Value &&
              g.node->kind == Node::Access &&
              view.dependsOn(g.node, forward.keys) &&
              view.dependsOn(g.node, forward.row))
            return true;
        }
    }
  return false;
}

bool JointMatch::matchMember(const JointMember &member) {
  SmallVector<MemberKind> kinds =
      member.hasGradient
          ? SmallVector<MemberKind>{MemberKind::QueryGrad, MemberKind::KeyGrad}
          : SmallVector<MemberKind>{MemberKind::Output, MemberKind::ValueGrad};
  for (Value root : llvm::reverse(member.roots))
    for (MemberKind kind : kinds) {
      auto sum = aligned(member, root, kind);
      if (!sum || !coversLoops(kind, *sum))
        continue;
      if (llvm::any_of(results,
                       [&](const JointResult &r) { return r.kind == kind; }))
        continue;
      Polynomial value = valueOf(*sum);
      // What a gradient is at hidden keys is looked at later.
      Polynomial wanted = expected(kind);
      if (!(member.hasGradient ? sameWhereShown(value, wanted)
                               : sameValue(value, wanted)))
        continue;
      JointResult result{kind, root, sum->rootIndices};
      for (auto [factor, inverse] : sum->factors)
        walk(factor, true, [&](Node *node) {
          result.dividedAfter |= node->kind == Node::Reduce;
        });
      results.push_back(result);
      if (member.hasGradient)
        gradients.push_back({&member, kind, value});
      return true;
    }
  if (member.hasGradient && probabilitiesHaveGradient(member))
    return fail(Obligation::JointGradient,
                "a tensor of rows x keys that this attention does not read is "
                "added to dP, as where the probabilities are a result: return "
                "them detached, or not at all");
  return fail(
      Obligation::JointGradient,
      member.hasGradient
          ? "a product of the scores' gradient is neither dQ nor dK of "
            "this attention"
          : "a product of the probabilities is neither O nor dV of this "
            "attention");
}

bool JointMatch::matchMembers() {
  auto derivative = ring->derivative(view.full(forward.score), scores);
  if (!derivative)
    return fail(Obligation::JointGradient,
                "the score function has an op without a known derivative");
  Polynomial p = ring->of(probability);
  Polynomial dP = ring->multiply(weight, ring->power(ring->value(products)));
  Polynomial dX = ring->multiply(p, dP);
  rowSum = savedOutput ? savedSum : ring->sum(ring->multiply(p, dP));
  dX.add(ring->multiply(p, rowSum), -1);
  exponentGradient = ring->multiply(dX, Polynomial(1 / productsFactor));
  scoreGradient = ring->multiply(ring->multiply(exponentGradient, *derivative),
                                 Polynomial(forward.scale));
  extractConditions();
  findLseGradient(*derivative);
  for (const JointMember &member : group.members)
    if (!matchMember(member))
      return false;
  auto isOutput = [](const JointResult &result) {
    return result.kind == MemberKind::Output;
  };
  if (savedOutput && !savedLse && llvm::any_of(results, isOutput))
    return fail(Obligation::JointGradient,
                "the row sum of dO is over another output than the one that is "
                "computed");
  return true;
}

bool JointMatch::run() {
  if (!findScores() || !findProbabilities() || !findOutputGrad() ||
      !matchForward())
    return false;
  findWeight();
  if (!matchMembers() || !chooseMask())
    return false;
  return true;
}
