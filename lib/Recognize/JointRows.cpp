//===- JointRows.cpp - the log-sum-exp as a result, and its gradient ------===//
//
// A forward may return its log-sum-exp beside the output, or make something of
// it: a gate, the merge of two attentions, a penalty. Then dX has one more
// term,
//
//   dX = P (Z dP - sum P Z dP + dLSE)
//
// with dLSE a number of the row, whatever it was computed from: it is what is
// left of dS over P, and attention_backward reads it. The tensors that hold
// r + log(sum of exp(x - r)) become the attention's second result.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "JointWalk.h"
#include "Operand.h"
#include "SoftmaxMatcher.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Tells the ring what the score, its exponential and their sum are.
void JointMatch::findRows() {
  if (savedLse)
    return;
  Node *own = nullptr;
  walk(element, true, [&](Node *node) {
    if (!own && isExponential(node))
      own = node;
  });
  if (own && ring->setRows(own, view.full(forward.score), normaliser))
    exponential = own;
}

//===----------------------------------------------------------------------===//
// The gradient
//===----------------------------------------------------------------------===//

/// R of difference = R * by, where no part of R depends on more than rows.
std::optional<Polynomial> JointMatch::overRows(const Polynomial &difference,
                                               const Polynomial &by) {
  SmallVector<Atom> others(forward.keys);
  llvm::append_range(others, forward.depths);
  llvm::append_range(others, forward.value_);
  for (const auto &[divisor, factor] : by.terms) {
    Polynomial result;
    for (const auto &[term, coefficient] : difference.terms) {
      // Conditions stay as they are: those of the divisor must be there.
      std::map<unsigned, int> exponents(term.begin(), term.end());
      bool fits = true;
      for (auto [generator, exponent] : divisor)
        if ((*ring)[generator].kind == Generator::Shown)
          fits &= exponents.erase(generator) == 1;
        else
          exponents[generator] -= exponent;
      Monomial rest;
      for (auto [generator, exponent] : exponents) {
        if (exponent == 0)
          continue;
        rest.push_back({generator, exponent});
        fits &= (*ring)[generator].kind == Generator::Value &&
                !ring->dependsOn(generator, others);
      }
      if (fits)
        result.add(rest, coefficient / factor);
    }
    if (!result.isZero() && sameValue(ring->multiply(result, by), difference))
      return result;
  }
  return std::nullopt;
}

/// What a gradient of Q or K has beside the one that dO gives.
void JointMatch::findLseGradient(const Polynomial &derivative) {
  Polynomial ofLse =
      ring->multiply(ring->multiply(ring->of(unguarded), derivative),
                     ring->multiply(shown, Polynomial(forward.scale)));
  for (const JointMember &member : group.members)
    for (Value root :
         member.hasGradient ? ArrayRef<Value>(member.roots) : ArrayRef<Value>())
      for (MemberKind kind : {MemberKind::QueryGrad, MemberKind::KeyGrad}) {
        auto sum = aligned(member, root, kind);
        if (!sum || !coversLoops(kind, *sum))
          continue;
        Polynomial difference = valueOf(*sum);
        difference.add(expected(kind), -1);
        difference = ring->multiply(difference, shown);
        if (difference.isZero())
          return;
        Node *other =
            kind == MemberKind::QueryGrad ? forward.key : forward.query;
        auto rows =
            overRows(difference, ring->multiply(ofLse, ring->of(other)));
        if (!rows)
          continue;
        lseGrad = *rows;
        Polynomial dX = ring->multiply(ring->of(unguarded), lseGrad);
        exponentGradient.add(dX);
        scoreGradient.add(ring->multiply(ring->multiply(dX, derivative),
                                         Polynomial(forward.scale)));
        return;
      }
}

/// The gradient as an expression of tensors that stay: what is computed from
/// the log-sum-exp is read from where it is computed, or from its own tensor.
Node *JointMatch::lseGradient() {
  if (lseGrad.isZero())
    return nullptr;
  Type type = accumulateType(forward);
  auto widened = [&](Node *node) {
    if (node->type == type)
      return node;
    bool wider =
        node->type.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth();
    return view.apply(wider ? "arith.extf" : "arith.truncf", {node}, type);
  };
  const JointResult *rows =
      llvm::find_if(results, [](const JointResult &result) {
        return result.kind == MemberKind::LogSumExp;
      });
  Node *sum = nullptr;
  for (const auto &[term, coefficient] : lseGrad.terms) {
    Node *product = nullptr;
    for (auto [generator, exponent] : term) {
      Node *factor = (*ring)[generator].node;
      if (generator == ring->logSumExp()) {
        if (rows == results.end())
          return nullptr;
        factor = view.full(view.access(rows->root, rows->rootIndices));
      }
      factor = widened(factor);
      if (!product && exponent < 0)
        product = view.floatValue(type, 1);
      for (int i = 0; i < std::abs(exponent); ++i)
        product = !product
                      ? factor
                      : view.apply(exponent > 0 ? "arith.mulf" : "arith.divf",
                                   {product, factor}, type);
    }
    Node *constant = view.floatValue(type, coefficient);
    if (!product)
      product = constant;
    else if (coefficient != 1)
      product = view.apply("arith.mulf", {product, constant}, type);
    sum = sum ? view.apply("arith.addf", {sum, product}, type) : product;
  }
  return sum;
}

bool JointMatch::checkLseGradient() {
  if (lseGrad.isZero())
    return true;
  Node *gradient = lseGradient();
  SetVector<Node *> leaves;
  return (gradient && collectLeaves(view, gradient, leaves)) ||
         fail(Obligation::JointOutputGrad,
              "what the gradients have beside rowsum(P dP), the log-sum-exp's, "
              "is not computed from tensors over rows");
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// True if the expression, in a row whose scores are all -inf, is -inf: it is
/// shifted by a number even then.
bool JointMatch::isExactWithoutKeys(Node *logSumExp) {
  if (attn::everyRowHasKey(forward))
    return true;
  if (!logSumExp->is("arith.addf"))
    return false;
  for (Node *shift : logSumExp->operands) {
    Node *maximum = nullptr;
    walk(shift, true, [&](Node *node) {
      if (node->kind == Node::Reduce && node->combiner == Combiner::Max)
        maximum = node;
    });
    if (!maximum)
      continue;
    Node *nothing = view.floatValue(maximum->type, -INFINITY);
    auto value = floatConstant(substitute(view, shift, maximum, nothing));
    return value && value->isFinite();
  }
  return false;
}

/// The value over the loops of the rows, if it is the log-sum-exp.
std::optional<MemberSum> JointMatch::logSumExpIn(Value value) {
  MemberSum sum;
  sum.root = value;
  Substitution replace;
  auto read = [&] {
    sum.rootIndices.clear();
    for (const Linear &own : indicesOf(view.getSpace(), value))
      sum.rootIndices.push_back(substituted(own, replace));
    sum.summand = view.full(view.access(value, sum.rootIndices));
  };
  read();
  SmallVector<Node *> sums;
  bool hasLog = false;
  walk(stripCasts(sum.summand), true, [&](Node *node) {
    hasLog |= node->is("math.log") || node->is("math.log2");
    if (node->kind == Node::Reduce)
      sums.push_back(node);
  });
  if (!hasLog)
    return std::nullopt;
  for (Node *reduce : sums) {
    SmallVector<Linear> loops;
    for (auto [loop, extent] : view.reductionLoops(reduce))
      loops.push_back(view.getSpace().loop(reduce->op, loop, extent));
    Node *body = view.body(reduce, loops);
    Substitution attempt = replace;
    if (body && align(view.full(body), attempt))
      replace = attempt;
  }
  read();
  DenseSet<Atom> own, rows;
  insertAtoms(sum.rootIndices, own);
  for (Atom atom : atomsOf(normaliser))
    rows.insert(atom);
  if (own != rows || !ring->isLogSumExp(sum.summand))
    return std::nullopt;
  if (!isExactWithoutKeys(stripCasts(sum.summand, &sum.narrowed))) {
    lseWithoutKeys = true;
    return std::nullopt;
  }
  return sum;
}
