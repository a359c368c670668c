//===- SoftmaxMatch.cpp - a product fed by a normalised exponential -------===//
//
// The factors of the product and of its summand; SoftmaxMatcher.h has the plan.
//
//===----------------------------------------------------------------------===//
#include "Operand.h"
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static const StringRef exponentials[] = {"math.exp", "math.exp2"};

void Match::dropRounding(Type to, StringRef what) {
  assumed.insert(Assumption::Roundings);
  quantised |= to.getIntOrFloatBitWidth() < 16;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what << " to " << to;
  if (!llvm::is_contained(droppedRoundings, text))
    droppedRoundings.push_back(text);
}

/// Collects the factors of a product. What the keys do not change, and what
/// holds an exponential, is looked into; V stays as it is read. `top`: outside
/// the sum over keys, where everything is looked into. `opaque` is not looked
/// into.
void SoftmaxMatcher::flatten(Node *node, bool inverse, bool top, Node *opaque) {
  if (node == opaque) {
    (inverse ? denominators : numerators).push_back(node);
    return;
  }
  if (node->kind == Node::Access) {
    bool open = top || !onKeys(node) || view.contains(node, exponentials);
    if (Node *next = open ? view.expand(node) : nullptr)
      return flatten(next, inverse, top, opaque);
  }
  if (node->is("arith.mulf") || node->is("arith.divf")) {
    flatten(node->operands[0], inverse, top, opaque);
    flatten(node->operands[1], node->is("arith.divf") ? !inverse : inverse, top,
            opaque);
    return;
  }
  if (node->is("arith.extf"))
    return flatten(node->operands[0], inverse, top, opaque);
  if (node->is("arith.truncf") &&
      (top || !onKeys(node) || view.contains(node, exponentials))) {
    narrowed.push_back({node->type, top});
    return flatten(node->operands[0], inverse, top, opaque);
  }
  if (node->is("arith.select") && !inverse) {
    auto zero = [](Node *n) {
      auto value = floatConstant(n);
      return value && value->isZero();
    };
    for (bool hidesOn : {true, false})
      if (zero(node->operands[hidesOn ? 1 : 2])) {
        guards.push_back({view.full(node->operands[0]), hidesOn});
        return flatten(node->operands[hidesOn ? 2 : 1], inverse, top, opaque);
      }
  }
  if (auto value = floatConstant(node); value && value->isExactlyValue(1.0))
    return;
  (inverse ? denominators : numerators).push_back(node);
}

bool SoftmaxMatcher::findProduct() {
  flatten(view.access(match.root, match.rootIndices), false, /*top=*/true,
          nullptr);
  Node *product = nullptr;
  for (Node *factor : numerators) {
    if (factor->kind != Node::Reduce || factor->combiner != Combiner::Add ||
        !isa<FloatType>(factor->type))
      return match.fail(Obligation::Product,
                        "the result has a factor that is no sum over keys");
    if (product)
      return match.fail(Obligation::Product,
                        "the result is a product of two sums");
    product = factor;
  }
  if (!product)
    return match.fail(Obligation::Product,
                      "the result is no sum over keys that starts at zero");
  numerators.clear();
  for (auto [loop, extent] : view.reductionLoops(product)) {
    match.keyLoops.push_back(view.getSpace().loop(product->op, loop, extent));
    for (auto [atom, coefficient] : match.keyLoops.back().terms)
      match.keys.push_back(atom);
  }
  if (match.keys.empty())
    return match.fail(Obligation::Product, "the sum runs over no loop");
  match.sumType = product->type;
  match.summand = view.body(product, match.keyLoops);
  if (!match.summand)
    return match.fail(Obligation::Product, "the summand cannot be read");
  return true;
}

/// True for a sum over scores, whatever it is a sum of: a normaliser.
bool SoftmaxMatcher::sumsScores(Node *node) {
  node = stripCasts(view.full(node));
  return node->kind == Node::Reduce && node->combiner == Combiner::Add &&
         reducesScores(node);
}

/// True if some part is read from a tensor that is no constant.
static bool readsData(Node *node) {
  if (node->kind == Node::Access || node->kind == Node::Reduce || node->value)
    return true;
  return llvm::any_of(node->operands, readsData);
}

/// Takes from the factors of V those that only depend on loops of the scores,
/// and on more of them than V does: they weigh the probabilities. What is made
/// of indices alone is a mask that came after the softmax, no weight.
static void splitWeights(View &view, ArrayRef<Atom> scoreAtoms,
                         SmallVectorImpl<Factor> &factors,
                         SmallVectorImpl<Factor> &weights) {
  auto inScores = [&](Atom atom) {
    return llvm::is_contained(scoreAtoms, atom);
  };
  SetVector<Atom> ofValue;
  for (const Factor &factor : factors) {
    SmallVector<Atom> atoms = atomsOf(factor.node);
    if (!llvm::all_of(atoms, inScores))
      ofValue.insert(atoms.begin(), atoms.end());
  }
  if (ofValue.empty())
    return;
  llvm::erase_if(factors, [&](const Factor &factor) {
    SmallVector<Atom> atoms = atomsOf(factor.node);
    bool weighs =
        readsData(view.full(factor.node)) && llvm::all_of(atoms, inScores) &&
        !llvm::all_of(atoms, [&](Atom atom) { return ofValue.contains(atom); });
    if (weighs)
      weights.push_back(factor);
    return weighs;
  });
}

/// Reads the summand. If both of its factors hold exponentials, number `opaque`
/// is taken for V.
bool SoftmaxMatcher::findFactors(unsigned opaque) {
  Node *body = match.summand;
  Node *taken = nullptr;
  if (body->is("arith.mulf")) {
    auto holds = [&](Node *n) { return view.contains(n, exponentials); };
    if (holds(body->operands[0]) && holds(body->operands[1]))
      taken = stripCasts(body->operands[opaque]);
  }
  flatten(body, false, /*top=*/false, taken);

  Node *exponential = nullptr;
  SmallVector<Node *> others;
  for (Node *factor : numerators) {
    if (factor != taken && onKeys(factor) &&
        (factor->is("math.exp") || factor->is("math.exp2"))) {
      if (exponential)
        return match.fail(Obligation::Exponential,
                          "the product has two exponentials");
      exponential = factor;
    } else {
      others.push_back(factor);
    }
  }
  for (Node *factor : denominators)
    if (factor->is("math.exp") || factor->is("math.exp2"))
      return match.fail(Obligation::Exponential,
                        "the product is divided by an exponential");
  if (!exponential)
    return match.fail(Obligation::Exponential,
                      "no factor of the product is an exponential of the key");
  // V, what scales it per key, and what weighs the probabilities.
  SmallVector<Factor> ofValue, weights;
  for (Node *factor : others)
    ofValue.push_back({factor, false});
  llvm::erase_if(denominators, [&](Node *factor) {
    bool scales = onKeys(factor) && !sumsScores(factor);
    if (scales)
      ofValue.push_back({factor, true});
    return scales;
  });
  if (others.empty() ||
      !llvm::any_of(others, [&](Node *n) { return onKeys(n); }))
    return match.fail(Obligation::Exponential,
                      "no factor beside the exponential depends on the key");
  splitWeights(view, atomsOf(exponential), ofValue, weights);
  for (const Factor &factor : weights) {
    Node *one = view.floatValue(match.sumType, 1);
    Node *wide = factor.node->type == match.sumType
                     ? factor.node
                     : view.apply("arith.extf", {factor.node}, match.sumType);
    match.weight =
        view.apply(factor.inverse ? "arith.divf" : "arith.mulf",
                   {match.weight ? match.weight : one, wide}, match.sumType);
  }
  if (match.weight)
    match.weight = view.full(match.weight);
  match.value = productOf(view, ofValue, match.sumType);
  if (!match.value)
    return match.fail(Obligation::Exponential,
                      "the probabilities are weighted by a further factor");
  numerators = {exponential};
  return true;
}

/// Roundings that the fused form does not do: of the result before its own, of
/// probabilities before V's type. One that it adds: of wider probabilities to
/// V's type, before their product.
void SoftmaxMatcher::noteRoundings() {
  auto width = [](Type type) { return type.getIntOrFloatBitWidth(); };
  Type result = resultType(match);
  for (auto [type, top] : narrowed)
    if (width(type) < width(top ? result : match.value->type))
      match.dropRounding(type, top ? "result" : "probabilities");
  Type exponential = numerators.front()->type, value = match.value->type;
  if (width(exponential) < 32)
    match.dropRounding(exponential, "exponentials");
  bool fits = llvm::any_of(narrowed, [&](auto rounding) {
    return !rounding.second && width(rounding.first) <= width(value);
  });
  if (!fits && width(exponential) > width(value))
    match.dropRounding(value, "an added one of the probabilities");
}

bool SoftmaxMatcher::run() {
  if (!match.summand && !findProduct())
    return false;
  SmallVector<Node *> outer = denominators;
  match.zeroWithoutKeys = outer.empty();
  SmallVector<Guard> outerGuards = guards;
  for (unsigned opaque : {1u, 0u}) {
    numerators.clear();
    denominators = outer;
    guards = outerGuards;
    match.failure.reset();
    match.weight = nullptr;
    if (findFactors(opaque))
      break;
  }
  if (match.failure)
    return false;

  Exponential above;
  above.guards = guards;
  Node *e = numerators.front();
  above.base2 = e->is("math.exp2");
  peelShift(e->operands[0], above);
  if (!onKeys(above.score))
    return match.fail(Obligation::Exponential,
                      "the exponent does not depend on the key");
  if (llvm::any_of(denominators, [&](Node *n) { return onKeys(n); }))
    return match.fail(Obligation::Normalised,
                      "the product is divided by what depends on the key: the "
                      "softmax is along another axis");
  SignedSum terms;
  addTerms(view, above.score, 1, terms);
  for (auto [term, sign] : terms.terms)
    if (term->kind == Node::Reduce && term->combiner == Combiner::Max &&
        onKeys(term))
      return match.fail(Obligation::ConstantShift,
                        "the exponent is shifted by a maximum that depends on "
                        "the key");
  if (!matchNormaliser(above))
    return false;
  match.score = above.score;
  if (!matchGuards(above))
    return false;
  noteRoundings();

  if (!checkShift(above))
    return false;
  return above.base2 ? toNaturalUnits() : scalesFills();
}

/// A factor on the whole exponent, c (x - m), was put on x: c x must be finite
/// for the finite fills in x.
bool SoftmaxMatcher::scalesFills() {
  Node *score = match.score;
  if (!score->is("arith.mulf"))
    return true;
  auto factor = floatConstant(score->operands[1]);
  if (!factor)
    return true;
  llvm::APFloat size = llvm::abs(*factor);
  bool fits = !holdsConstant(
      view.full(score->operands[0]), [&](const llvm::APFloat &fill) {
        llvm::APFloat product = fill;
        if (!fill.isFinite() || &fill.getSemantics() != &size.getSemantics())
          return false;
        product.multiply(size, llvm::APFloat::rmNearestTiesToEven);
        return product.isInfinity();
      });
  return fits || match.fail(Obligation::ConstantShift,
                            "a factor on the exponent makes a finite fill "
                            "overflow, which its difference to the maximum "
                            "does not");
}

/// 2^x = e^(x ln 2); if x is a number times log2(e), it is that number.
Node *SoftmaxMatcher::naturalUnits(Node *exponent) {
  if (exponent->is("arith.mulf"))
    if (auto factor = floatConstant(exponent->operands[1])) {
      double natural = factor->convertToDouble() * M_LN2;
      if (std::abs(natural - 1) <= constantTolerance(exponent->type))
        return exponent->operands[0];
    }
  Node *ln2 = view.floatValue(exponent->type, M_LN2);
  return view.apply("arith.mulf", {exponent, ln2}, exponent->type);
}

bool SoftmaxMatcher::toNaturalUnits() {
  Node *natural = naturalUnits(match.score);
  bool wasLog2e =
      match.score->is("arith.mulf") && natural == match.score->operands[0];
  if (!wasLog2e && !scalesFills())
    return false;
  match.score = natural;
  return true;
}

bool mlir::attn::matchSoftmax(Match &match) {
  return SoftmaxMatcher(match).run();
}
