//===- PolynomialRows.cpp - exponentials of scores, shifted by rows -------===//
//
// A graph may have several exponentials of one score x: the softmax's own, less
// its maximum, a log-sum-exp's, less another, exp(x - lse) of a gradient. With
// e = exp(x - r), the one whose sum is the normaliser T, and lse = r + log T:
//
//   exp(x - s) = e exp(r - s),   exp(r - lse) = 1 / T,
//   log(T exp(r - s)) = lse - s
//
// and all of them are e, T, lse and exponentials of differences of shifts.
//
//===----------------------------------------------------------------------===//
#include "JointWalk.h"
#include "Polynomial.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

bool Ring::onKeys(const Polynomial &a) {
  return llvm::any_of(a.terms, [&](const auto &term) {
    return llvm::any_of(term.first, [&](const auto &factor) {
      return dependsOn(factor.first, keys);
    });
  });
}

/// The exponent of exp or exp2, in natural units.
static Polynomial exponentOf(Ring &ring, Node *node) {
  Polynomial exponent;
  exponent.add(ring.of(node->operands[0]), node->is("math.exp2") ? M_LN2 : 1);
  return exponent;
}

bool Ring::setRows(Node *exponential, Node *score, Node *total) {
  Polynomial sum = of(total), exponent = exponentOf(*this, exponential);
  const auto *single = sum.single();
  if (!single || single->second != 1 || single->first.size() != 1 ||
      single->first.front().second != 1)
    return false;
  Polynomial reference = of(score);
  reference.add(exponent, -1);
  if (onKeys(reference))
    return false;
  rows.exponential = exponential;
  rows.total = single->first.front().first;
  rows.exponent = exponent;
  rows.reference = reference;
  rows.lse = generators.size();
  generators.push_back(
      {Generator::Value, view.apply("math.log", {total}, total->type)});
  known.clear();
  return true;
}

bool Ring::isLogSumExp(Node *node) {
  if (!rows.lse)
    return false;
  Polynomial rest = of(node);
  rest.add(power(*rows.lse), -1);
  return llvm::all_of(rest.terms, [&](const auto &term) {
    bool part = term.first == Monomial{{*rows.lse, 1}} ||
                rows.reference.terms.count(term.first);
    return part && std::fabs(term.second) <= roundings;
  });
}

/// exp of a number of a row: T to a power times exp of what is left.
Polynomial Ring::shiftFactor(Polynomial exponent) {
  Polynomial result(1);
  Monomial lse{{*rows.lse, 1}};
  if (auto it = exponent.terms.find(lse); it != exponent.terms.end()) {
    double times = it->second;
    if (std::fabs(times) == 1) {
      exponent.terms.erase(it);
      exponent.add(rows.reference, times);
      result = power(rows.total, static_cast<int>(times));
    }
  }
  if (exponent.isZero())
    return result;
  for (const auto &[known, generator] : rows.shifts)
    if (sameValue(known, exponent, roundings))
      return multiply(result, power(generator));
  rows.shifts.push_back({exponent, generators.size()});
  generators.push_back({Generator::Shift, generators[*rows.lse].node});
  return multiply(result, power(rows.shifts.back().second));
}

std::optional<Polynomial> Ring::shiftedExponential(Node *node) {
  if (!rows.lse || !isExponential(node) || node == rows.exponential)
    return std::nullopt;
  Polynomial difference = exponentOf(*this, node);
  difference.add(rows.exponent, -1);
  if (onKeys(difference))
    return std::nullopt;
  return multiply(power(value(rows.exponential)), shiftFactor(difference));
}

/// The logarithm of T times exponentials of differences of shifts.
std::optional<Polynomial> Ring::logarithm(Node *node) {
  double unit = node->is("math.log2") ? M_LN2 : 1;
  if (!rows.lse || !(node->is("math.log") || node->is("math.log2")))
    return std::nullopt;
  Polynomial sum = of(node->operands[0]);
  const auto *single = sum.single();
  if (!single || !(single->second > 0))
    return std::nullopt;
  Polynomial result = power(*rows.lse);
  result.add(rows.reference, -1);
  result.add(Monomial(), std::log(single->second));
  bool total = false;
  for (const auto &factor : single->first) {
    if (factor == std::make_pair(rows.total, 1)) {
      total = true;
      continue;
    }
    auto *shift = llvm::find_if(rows.shifts, [&](const auto &entry) {
      return entry.second == factor.first;
    });
    if (shift == rows.shifts.end())
      return std::nullopt;
    result.add(shift->first, factor.second);
  }
  Polynomial scaled;
  scaled.add(result, 1 / unit);
  return total ? std::optional<Polynomial>(scaled) : std::nullopt;
}

/// True for a product of exponentials and their sum: no score makes it
/// negative.
bool Ring::isPositive(Node *node) {
  if (!rows.lse || view.dependsOn(node, keys))
    return false;
  Polynomial sum = of(node);
  const auto *single = sum.single();
  if (!single || !(single->second > 0) || single->first.empty())
    return false;
  return llvm::all_of(single->first, [&](const auto &factor) {
    return factor.first == rows.total ||
           generators[factor.first].kind == Generator::Shift;
  });
}

/// JAX's logsumexp is of the sum's size, and has its sign: where it is
/// negative, which it is not, another gradient flows. (NaN it may be; then all
/// is.)
std::optional<Polynomial> Ring::ofPositive(Node *node) {
  if (node->is("math.absf") && isPositive(node->operands[0]))
    return of(node->operands[0]);
  if (!node->is("arith.select") || !node->operands[0]->is("arith.cmpf"))
    return std::nullopt;
  Node *test = node->operands[0];
  auto zero = floatConstant(test->operands[1]);
  auto predicate =
      cast<arith::CmpFPredicateAttr>(test->attributes.get("predicate"))
          .getValue();
  if (!zero || !zero->isZero() || predicate != arith::CmpFPredicate::OGE ||
      !isPositive(test->operands[0]))
    return std::nullopt;
  return of(node->operands[1]);
}
