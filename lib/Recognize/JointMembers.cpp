//===- JointMembers.cpp - which gradient each sum of products is ----------===//
//
// A member is what its summand says, as a polynomial: O, dQ, dK or dV of this
// attention, and nothing else.
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
