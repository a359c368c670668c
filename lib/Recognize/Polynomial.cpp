//===- Polynomial.cpp - expressions up to the laws of a ring --------------===//
#include "Polynomial.h"
#include "Thresholds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Longer ones are left as they are: a value of its own.
static constexpr size_t maxTerms = 64;

void Polynomial::add(const Monomial &monomial, double coefficient) {
  if (coefficient == 0)
    return;
  auto [it, inserted] = terms.try_emplace(monomial, coefficient);
  if (inserted)
    return;
  double sum = it->second + coefficient;
  // What is left of a difference of equal constants is their rounding.
  if (std::fabs(sum) <= 1e-12 * std::fabs(coefficient))
    terms.erase(it);
  else
    it->second = sum;
}

void Polynomial::add(const Polynomial &other, double factor) {
  for (const auto &[monomial, coefficient] : other.terms)
    add(monomial, factor * coefficient);
}

bool mlir::attn::sameValue(const Polynomial &a, const Polynomial &b,
                           double tolerance) {
  if (a.terms.size() != b.terms.size())
    return false;
  for (auto [left, right] : llvm::zip_equal(a.terms, b.terms))
    if (left.first != right.first || !(std::fabs(left.second - right.second) <=
                                       tolerance * std::fabs(right.second)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

void Ring::setType(Type type) { roundings = constantTolerance(type); }

unsigned Ring::value(Node *node) {
  auto [it, inserted] = values.try_emplace(node, generators.size());
  if (inserted)
    generators.push_back({Generator::Value, node});
  return it->second;
}

unsigned Ring::shown(Node *condition, bool shownIf) {
  // not c, and c == false, are c.
  while (condition->is("arith.xori")) {
    auto flip = intConstant(condition->operands[1]);
    if (!flip)
      break;
    shownIf ^= *flip != 0;
    condition = condition->operands[0];
  }
  for (auto [i, g] : llvm::enumerate(generators))
    if (g.kind == Generator::Shown && g.node == condition &&
        g.shownIf == shownIf)
      return i;
  generators.push_back({Generator::Shown, condition, shownIf});
  return generators.size() - 1;
}

unsigned Ring::sumOf(const Monomial &summand) {
  for (auto [i, g] : llvm::enumerate(generators))
    if (g.kind == Generator::Sum && g.summand == summand)
      return i;
  generators.push_back({Generator::Sum, nullptr, true, summand});
  return generators.size() - 1;
}

bool Ring::dependsOn(unsigned generator, ArrayRef<Atom> atoms) {
  const Generator &g = generators[generator];
  if (g.kind != Generator::Sum)
    return view.dependsOn(g.node, atoms);
  SmallVector<Atom> others;
  for (Atom atom : atoms)
    if (!llvm::is_contained(keys, atom))
      others.push_back(atom);
  return llvm::any_of(g.summand, [&](const auto &factor) {
    return dependsOn(factor.first, others);
  });
}

Polynomial Ring::power(unsigned generator, int exponent) {
  Polynomial result;
  result.add({{generator, exponent}}, 1);
  return result;
}

//===----------------------------------------------------------------------===//
// Products, inverses, sums
//===----------------------------------------------------------------------===//

Polynomial Ring::multiply(const Polynomial &a, const Polynomial &b) {
  Polynomial result;
  for (const auto &[left, x] : a.terms)
    for (const auto &[right, y] : b.terms) {
      Monomial product;
      bool none = false;
      auto take = [&](std::pair<unsigned, int> factor) {
        // A condition is 0 or 1: its powers are itself, and with its opposite
        // it is 0.
        const Generator &g = generators[factor.first];
        if (g.kind == Generator::Shown) {
          factor.second = 1;
          for (auto [other, exponent] : product) {
            const Generator &o = generators[other];
            none |= o.kind == Generator::Shown && o.node == g.node &&
                    o.shownIf != g.shownIf;
          }
        }
        if (factor.second != 0)
          product.push_back(factor);
      };
      auto *l = left.begin();
      auto *r = right.begin();
      while (l != left.end() || r != right.end()) {
        if (r == right.end() || (l != left.end() && l->first < r->first))
          take(*l++);
        else if (l == left.end() || r->first < l->first)
          take(*r++);
        else {
          take({l->first, l->second + r->second});
          ++l;
          ++r;
        }
      }
      if (!none)
        addReduced(result, product, x * y);
    }
  return result;
}

/// g d^-k is (d^(1-k) - c d^-k) / a where d = c + a g.
void Ring::addReduced(Polynomial &result, const Monomial &product,
                      double coefficient) {
  for (const Divisor &rule : divisors) {
    auto *value = llvm::find_if(product, [&](const auto &factor) {
      return factor.first == rule.value && factor.second > 0;
    });
    auto *divisor = llvm::find_if(product, [&](const auto &factor) {
      return factor.first == rule.divisor && factor.second < 0;
    });
    if (value == product.end() || divisor == product.end())
      continue;
    Monomial higher, lower;
    for (auto [generator, exponent] : product) {
      int own = exponent - (generator == rule.value ? 1 : 0);
      int above = own + (generator == rule.divisor ? 1 : 0);
      if (own != 0)
        lower.push_back({generator, own});
      if (above != 0)
        higher.push_back({generator, above});
    }
    addReduced(result, higher, coefficient / rule.factor);
    addReduced(result, lower, -coefficient * rule.constant / rule.factor);
    return;
  }
  result.add(product, coefficient);
}

/// a over a sum of several terms, which is a value of its own.
Polynomial Ring::quotient(const Polynomial &a, Node *divisor) {
  Polynomial sum = of(divisor);
  if (auto inverted = inverse(sum))
    return multiply(a, *inverted);
  unsigned generator = value(divisor);
  bool known = llvm::any_of(
      divisors, [&](const Divisor &rule) { return rule.divisor == generator; });
  if (!known && sum.terms.size() == 2) {
    auto constant = sum.terms.find(Monomial());
    for (const auto &[term, coefficient] : sum.terms)
      if (constant != sum.terms.end() && term.size() == 1 &&
          term.front().second == 1 &&
          generators[term.front().first].kind == Generator::Value)
        divisors.push_back(
            {generator, term.front().first, constant->second, coefficient});
  }
  return multiply(a, power(generator, -1));
}

std::optional<Polynomial> Ring::inverse(const Polynomial &a) {
  const auto *term = a.single();
  if (!term)
    return std::nullopt;
  Monomial inverted;
  for (auto [generator, exponent] : term->first) {
    if (generators[generator].kind == Generator::Shown)
      return std::nullopt;
    inverted.push_back({generator, -exponent});
  }
  Polynomial result;
  result.add(inverted, 1 / term->second);
  return result;
}

Polynomial Ring::sum(const Polynomial &a) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : a.terms) {
    Monomial inside, outside;
    for (auto factor : monomial)
      (dependsOn(factor.first, keys) ? inside : outside).push_back(factor);
    Polynomial term;
    term.add(outside, coefficient);
    if (normaliser.node && inside == normaliser.element)
      result.add(multiply(term, normaliser.sum), 1 / normaliser.coefficient);
    else
      result.add(multiply(term, power(sumOf(inside))));
  }
  return result;
}

void Ring::setNormaliser(Node *node, Node *element, ArrayRef<Node *> rest) {
  Polynomial summand = of(element);
  const auto *term = summand.single();
  if (rest.empty() || !term)
    return;
  normaliser.sum = power(value(view.full(node)));
  for (Node *other : rest)
    normaliser.sum.add(of(other), -1);
  normaliser.element = term->first;
  normaliser.coefficient = term->second;
  normaliser.node = view.full(node);
  known.erase(normaliser.node);
}

void Ring::setLongerSums(int64_t size, int64_t offset) {
  longerSize = size;
  longerOffset = offset;
}

/// A sum over the keys and what stands beside them, for one row.
std::optional<Polynomial> Ring::longerSum(Node *node) {
  if (longerSize == 0 || node->kind != Node::Reduce ||
      node->combiner != Combiner::Add || !isa<FloatType>(node->type) ||
      view.dependsOn(node, keys))
    return std::nullopt;
  auto loops = view.reductionLoops(node);
  if (loops.size() != 1 || loops.front().second.size != longerSize)
    return std::nullopt;
  Linear index = keyLoops.front();
  auto bounds = view.getSpace().range(index);
  index.constant += longerOffset;
  Node *summand = bounds ? view.body(node, index) : nullptr;
  if (!summand)
    return std::nullopt;
  Polynomial result = sum(of(summand));
  for (int64_t i = 0; i < longerSize; ++i) {
    if (i >= longerOffset && i <= longerOffset + bounds->second)
      continue;
    Node *element = view.body(node, Linear(i));
    if (!element)
      return std::nullopt;
    result.add(of(element));
  }
  return result;
}

bool Ring::isSumOver(Node *node, ArrayRef<Linear> sumLoops) {
  if (sumLoops.empty() || node->kind != Node::Reduce ||
      node->combiner != Combiner::Add || !isa<FloatType>(node->type))
    return false;
  auto loops = view.reductionLoops(node);
  if (loops.size() != sumLoops.size())
    return false;
  for (auto [loop, index] : llvm::zip_equal(loops, sumLoops))
    if (!view.getSpace().asMixedRadix(index, loop.second.size))
      return false;
  return true;
}

/// A sum over exactly the keys, for one row.
bool Ring::isKeySum(Node *node) {
  return isSumOver(node, keyLoops) && !view.dependsOn(node, keys);
}

void Ring::setProducts(Node *products, double factor, Node *outputGrad,
                       Node *value, ArrayRef<Linear> loops) {
  auto product = [&](Node *node) -> std::optional<Monomial> {
    Polynomial p = of(node);
    const auto *term = p.single();
    if (!term || term->second != 1 || term->first.empty())
      return std::nullopt;
    return term->first;
  };
  auto dO = product(outputGrad), v = product(value);
  if (!dO || !v || v->size() != 1 || v->front().second != 1)
    return;
  rowSum.products = this->value(products);
  rowSum.outputGrad = *dO;
  rowSum.value = v->front().first;
  rowSum.factor = factor;
  rowSum.loops.assign(loops.begin(), loops.end());
  for (const Linear &loop : loops)
    for (auto [atom, coefficient] : loop.terms)
      rowSum.atoms.push_back(atom);
}

/// sum_d dO sum_n f V = sum_n f sum_d dO V, for one term of the summand.
std::optional<Polynomial> Ring::exchangeSums(const Monomial &term) {
  Monomial rest, inside;
  bool output = false;
  size_t grad = 0; // factors of dO
  for (auto [generator, exponent] : term) {
    const Generator &g = generators[generator];
    auto value = llvm::find(g.summand, std::make_pair(rowSum.value, 1));
    if (llvm::is_contained(rowSum.outputGrad,
                           std::make_pair(generator, exponent))) {
      ++grad;
    } else if (g.kind == Generator::Sum && exponent == 1 && !output &&
               value != g.summand.end()) {
      output = true;
      for (auto factor : g.summand)
        if (factor.first != rowSum.value)
          inside.push_back(factor);
    } else {
      if (dependsOn(generator, rowSum.atoms))
        return std::nullopt;
      rest.push_back({generator, exponent});
    }
  }
  if (grad != rowSum.outputGrad.size() || !output ||
      llvm::any_of(inside, [&](const auto &factor) {
        return dependsOn(factor.first, rowSum.atoms);
      }))
    return std::nullopt;
  Polynomial product;
  product.add(inside, 1 / rowSum.factor);
  Polynomial outside;
  outside.add(rest, 1);
  return multiply(outside, sum(multiply(product, power(rowSum.products))));
}

/// The sum of dO O of a row as one of P dP.
std::optional<Polynomial> Ring::sumOfOutputs(Node *node) {
  if (!isSumOver(node, rowSum.loops) || view.dependsOn(node, rowSum.atoms))
    return std::nullopt;
  Node *summand = view.body(node, rowSum.loops);
  if (!summand)
    return std::nullopt;
  Polynomial result;
  for (const auto &[term, coefficient] : of(summand).terms) {
    auto exchanged = exchangeSums(term);
    if (!exchanged)
      return std::nullopt;
    result.add(*exchanged, coefficient);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Polynomial Ring::of(Node *node) {
  node = view.full(node);
  if (auto it = known.find(node); it != known.end())
    return it->second;
  Polynomial result = compute(node);
  if (result.terms.size() > maxTerms)
    result = power(value(node));
  known[node] = result;
  return result;
}

Polynomial Ring::compute(Node *node) {
  if (node == normaliser.node)
    return power(value(node));
  if (auto constant = floatConstant(node); constant && constant->isFinite())
    return Polynomial(constant->convertToDouble());
  auto in = [&](unsigned i) { return of(node->operands[i]); };
  if (node->is("arith.extf") || node->is("arith.truncf")) {
    if (node->is("arith.truncf") && node->type.getIntOrFloatBitWidth() < 32 &&
        !llvm::is_contained(narrowed, node->type))
      narrowed.push_back(node->type);
    return in(0);
  }
  if (node->is("arith.addf") || node->is("arith.subf")) {
    Polynomial result = in(0);
    result.add(in(1), node->is("arith.subf") ? -1 : 1);
    return result;
  }
  if (node->is("arith.negf")) {
    Polynomial result;
    result.add(in(0), -1);
    return result;
  }
  if (node->is("arith.mulf"))
    return multiply(in(0), in(1));
  if (node->is("arith.divf"))
    return quotient(in(0), node->operands[1]);
  if (auto shifted = shiftedExponential(node))
    return *shifted;
  if (auto log = logarithm(node))
    return *log;
  if (auto positive = ofPositive(node))
    return *positive;
  if (node->is("arith.select") && isa<FloatType>(node->type)) {
    unsigned condition = shown(node->operands[0], true);
    if (floatConstant(node->operands[1]) && floatConstant(node->operands[2]))
      constantSelects.insert(generators[condition].node);
    Polynomial result = multiply(power(condition), in(1));
    result.add(multiply(power(shown(node->operands[0], false)), in(2)));
    return result;
  }
  if (auto outputs = sumOfOutputs(node))
    return *outputs;
  if (isKeySum(node))
    if (Node *summand = view.body(node, keyLoops))
      return sum(of(summand));
  if (auto longer = longerSum(node))
    return *longer;
  return power(value(node));
}

std::optional<Polynomial> Ring::derivative(Node *node, Node *by) {
  if (node == by)
    return Polynomial(1);
  if (node->kind != Node::Apply || node->value)
    return Polynomial();
  SmallVector<Polynomial> flows;
  bool any = false;
  for (Node *operand : node->operands) {
    auto flow = derivative(operand, by);
    if (!flow)
      return std::nullopt;
    any |= !flow->isZero();
    flows.push_back(*flow);
  }
  if (!any || !isa<FloatType>(node->type))
    return Polynomial();
  auto in = [&](unsigned i) { return of(node->operands[i]); };
  auto negated = [](const Polynomial &p) {
    Polynomial result;
    result.add(p, -1);
    return result;
  };
  if (node->is("arith.extf") || node->is("arith.truncf"))
    return flows[0];
  if (node->is("arith.negf"))
    return negated(flows[0]);
  if (node->is("arith.addf") || node->is("arith.subf")) {
    Polynomial result = flows[0];
    result.add(flows[1], node->is("arith.subf") ? -1 : 1);
    return result;
  }
  if (node->is("arith.mulf")) {
    Polynomial result = multiply(flows[0], in(1));
    result.add(multiply(in(0), flows[1]));
    return result;
  }
  if (node->is("arith.divf")) {
    Polynomial result = quotient(flows[0], node->operands[1]);
    Polynomial byDivisor = multiply(of(node), flows[1]);
    result.add(quotient(negated(byDivisor), node->operands[1]));
    return result;
  }
  if (node->is("arith.select")) {
    Polynomial result =
        multiply(power(shown(node->operands[0], true)), flows[1]);
    result.add(multiply(power(shown(node->operands[0], false)), flows[2]));
    return result;
  }
  if (node->is("math.exp"))
    return multiply(of(node), flows[0]);
  if (node->is("math.exp2"))
    return multiply(multiply(of(node), Polynomial(M_LN2)), flows[0]);
  if (node->is("math.tanh")) {
    Polynomial result(1);
    result.add(multiply(of(node), of(node)), -1);
    return multiply(result, flows[0]);
  }
  return std::nullopt;
}
