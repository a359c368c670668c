//===- ScoreMatch.cpp - the contraction of Q and K behind the score -------===//
//
// The score must be a function of exactly one contraction along the keys (O7),
// and that one a plain sum of products of two tensors (O8). Constant factors,
// of the summand as of Q and K themselves, go to the scale.
//
//===----------------------------------------------------------------------===//
#include "Operand.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

class ScoreMatcher {
public:
  explicit ScoreMatcher(Match &match) : match(match), view(match.view) {}

  bool run() { return findContraction() && readSummand() && checkTypes(); }

private:
  bool findContraction();
  bool readSummand();
  bool separates(Node *contraction);
  Node *bodyOf(Node *contraction, SmallVectorImpl<Atom> *depths);
  Node *peelScale(Node *operand);
  bool checkTypes();

  Match &match;
  View &view;
};

} // namespace

bool mlir::attn::isContraction(const Node *node) {
  if (node->kind != Node::Reduce || node->combiner != Combiner::Add ||
      !isa<FloatType>(node->type))
    return false;
  auto op = dyn_cast<linalg::LinalgOp>(node->op);
  if (!op)
    return false;
  auto combining = matchCombining(op, node->role);
  Operation *product = combining ? combining->element.getDefiningOp() : nullptr;
  return product && product->getName().getStringRef() == "arith.mulf";
}

Node *ScoreMatcher::bodyOf(Node *contraction, SmallVectorImpl<Atom> *depths) {
  SmallVector<Linear> loops;
  for (auto [loop, extent] : view.reductionLoops(contraction)) {
    loops.push_back(view.getSpace().loop(contraction->op, loop, extent));
    for (auto [atom, coefficient] : loops.back().terms)
      if (depths)
        depths->push_back(atom);
  }
  return view.body(contraction, loops);
}

/// True if some factor of the summand depends on the key and some does not. A
/// norm of the keys is a contraction, but no product of Q and K.
bool ScoreMatcher::separates(Node *contraction) {
  Node *body = bodyOf(contraction, nullptr);
  SmallVector<Factor> factors;
  double constant = 1;
  if (body)
    collectFactors(body, false, factors, constant);
  auto onKeys = [&](const Factor &f) {
    return view.dependsOn(f.node, match.keys);
  };
  return llvm::any_of(factors, onKeys) && !llvm::all_of(factors, onKeys);
}

bool ScoreMatcher::findContraction() {
  match.score = view.full(match.score);
  SmallVector<Node *> work{match.score};
  DenseSet<Node *> seen;
  Node *other = nullptr;
  SmallVector<Node *> ofOneStep; // biases may be outer products
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!seen.insert(node).second)
      continue;
    llvm::append_range(work, node->operands);
    if (!isContraction(node) || !view.dependsOn(node, match.keys))
      continue;
    if (!separates(node)) {
      other = node;
      continue;
    }
    if (view.reductionLoops(node).empty()) {
      ofOneStep.push_back(node);
      continue;
    }
    if (match.contraction)
      return match.fail(Obligation::OneContraction,
                        "the score depends on two contractions along the keys");
    match.contraction = node;
  }
  if (!match.contraction && ofOneStep.size() == 1)
    match.contraction = ofOneStep.front();
  if (!match.contraction && other)
    return match.fail(Obligation::Roles,
                      "both factors of the contraction depend on the key");
  if (!match.contraction)
    return match.fail(Obligation::OneContraction,
                      "the score is no function of a contraction along the "
                      "keys");
  return true;
}

/// Q and K without constant factors, if these were applied in the accumulate
/// type (else a rounding would be dropped for nothing).
Node *ScoreMatcher::peelScale(Node *operand) {
  while (true) {
    operand = peelExact(view, operand);
    Node *next = view.expand(operand);
    bool divides = next && next->is("arith.divf");
    if (!next || (!divides && !next->is("arith.mulf")) ||
        next->type.getIntOrFloatBitWidth() < 32)
      return operand;
    Node *a = next->operands[0], *b = next->operands[1];
    if (!divides && floatConstant(a))
      std::swap(a, b);
    auto factor = floatConstant(b);
    if (!factor || a->readings.empty())
      return operand;
    double value = factor->convertToDouble();
    match.scale = divides ? match.scale / value : match.scale * value;
    match.assumed.insert(Assumption::MergedScales);
    operand = a;
  }
}

bool ScoreMatcher::readSummand() {
  Node *body = bodyOf(match.contraction, &match.depths);
  if (!body)
    return match.fail(Obligation::PlainContraction,
                      "the contraction's summand cannot be read");
  SmallVector<Factor> factors, ofQuery, ofKey;
  collectFactors(body, false, factors, match.scale);
  for (const Factor &factor : factors)
    (view.dependsOn(factor.node, match.keys) ? ofKey : ofQuery)
        .push_back(factor);
  match.query = productOf(view, ofQuery, match.contraction->type);
  match.key = productOf(view, ofKey, match.contraction->type);
  if (!match.query || !match.key)
    return match.fail(
        Obligation::PlainContraction,
        "the contraction's summand has a factor of more loops than "
        "Q or K has");
  match.query = peelScale(match.query);
  match.key = peelScale(match.key);
  if (!std::isfinite(match.scale))
    return match.fail(Obligation::PlainContraction, "the scale is not finite");
  return true;
}

bool ScoreMatcher::checkTypes() {
  match.value = peelExact(view, match.value);
  auto supported = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  };
  for (Type type : {match.query->type, match.key->type, match.value->type,
                    resultType(match)})
    if (!supported(type))
      return match.fail(Obligation::Types,
                        "an operand or the result has an element type other "
                        "than f16, bf16, f32 and f64");
  unsigned width = accumulateType(match).getWidth();
  for (auto [type, name] :
       {std::make_pair(match.contraction->type, "sum of Q K"),
        std::make_pair(match.sumType, "sum of P V")}) {
    unsigned own = type.getIntOrFloatBitWidth();
    if (own > width)
      return match.fail(Obligation::Types,
                        "sums are accumulated in a wider type than the "
                        "attention would");
    if (own < width)
      match.dropRounding(type, name);
  }
  return true;
}

Type mlir::attn::resultType(const Match &match) {
  return match.root
             ? cast<RankedTensorType>(match.root.getType()).getElementType()
             : match.sumType;
}

FloatType mlir::attn::accumulateType(const Match &match) {
  MLIRContext *context = match.view.getContext();
  for (Node *node : {match.query, match.key, match.value})
    if (node->type.isF64())
      return Float64Type::get(context);
  return Float32Type::get(context);
}

bool mlir::attn::matchScore(Match &match) { return ScoreMatcher(match).run(); }
