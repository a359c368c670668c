//===- ScoreMatch.cpp - the contraction of Q and K behind the score -------===//
//
// The score must be a function of exactly one contraction along the keys (O7),
// and that one a plain sum of products of two tensors (O8). Constant factors,
// of the summand as of Q and K themselves, go to the scale.
//
//===----------------------------------------------------------------------===//
#include "Match.h"
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
  bool flatten(Node *node, bool inverse);
  Node *peelScale(Node *operand);
  bool checkTypes();

  Match &match;
  View &view;
  SmallVector<Node *> factors;
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

bool ScoreMatcher::findContraction() {
  match.score = view.full(match.score);
  SmallVector<Node *> work{match.score};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!seen.insert(node).second)
      continue;
    llvm::append_range(work, node->operands);
    if (!isContraction(node) || !view.dependsOn(node, match.keys))
      continue;
    if (match.contraction)
      return match.fail(Obligation::OneContraction,
                        "the score depends on two contractions along the keys");
    match.contraction = node;
  }
  if (!match.contraction)
    return match.fail(Obligation::OneContraction,
                      "the score is no function of a contraction along the "
                      "keys");
  return true;
}

bool ScoreMatcher::flatten(Node *node, bool inverse) {
  if (node->is("arith.mulf"))
    return flatten(node->operands[0], inverse) &&
           flatten(node->operands[1], inverse);
  if (node->is("arith.divf"))
    return flatten(node->operands[0], inverse) &&
           flatten(node->operands[1], !inverse);
  if (node->is("arith.negf")) {
    match.scale = -match.scale;
    return flatten(node->operands[0], inverse);
  }
  // Widening is exact; what is narrowed here was so on purpose.
  if (node->is("arith.extf"))
    return flatten(node->operands[0], inverse);
  if (auto value = floatConstant(node)) {
    double factor = value->convertToDouble();
    match.scale = inverse ? match.scale / factor : match.scale * factor;
    return true;
  }
  if (inverse || node->readings.empty())
    return match.fail(Obligation::PlainContraction,
                      "the contraction's summand is no product of two tensors");
  factors.push_back(node);
  return true;
}

/// The node below widening casts, and below gathers that turned out to be
/// reads: what holds the same values in some tensor.
static Node *peelExact(View &view, Node *operand) {
  while (Node *next = view.expand(operand)) {
    if (next->is("arith.extf"))
      next = next->operands[0];
    else if (next->kind != Node::Access && next->kind != Node::Reduce)
      break;
    if (next->readings.empty())
      break;
    operand = next;
  }
  return operand;
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
  SmallVector<Linear> loops;
  for (auto [loop, extent] : view.reductionLoops(match.contraction)) {
    loops.push_back(view.getSpace().loop(match.contraction->op, loop, extent));
    for (auto [atom, coefficient] : loops.back().terms)
      match.depths.push_back(atom);
  }
  Node *body = view.body(match.contraction, loops);
  if (!body)
    return match.fail(Obligation::PlainContraction,
                      "the contraction's summand cannot be read");
  if (!flatten(body, false))
    return false;
  if (factors.size() != 2)
    return match.fail(Obligation::PlainContraction,
                      "the contraction's summand is no product of two tensors");
  bool firstOnKeys = view.dependsOn(factors[0], match.keys);
  bool secondOnKeys = view.dependsOn(factors[1], match.keys);
  if (firstOnKeys == secondOnKeys)
    return match.fail(Obligation::Roles,
                      firstOnKeys ? "both factors of the contraction depend on "
                                    "the key"
                                  : "no factor of the contraction depends on "
                                    "the key");
  match.query = peelScale(factors[firstOnKeys ? 1 : 0]);
  match.key = peelScale(factors[firstOnKeys ? 0 : 1]);
  if (!std::isfinite(match.scale))
    return match.fail(Obligation::PlainContraction, "the scale is not finite");
  return true;
}

bool ScoreMatcher::checkTypes() {
  match.value = peelExact(view, match.value);
  auto supported = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  };
  Type result = cast<RankedTensorType>(match.root.getType()).getElementType();
  for (Type type :
       {match.query->type, match.key->type, match.value->type, result})
    if (!supported(type))
      return match.fail(Obligation::Types,
                        "an operand or the result has an element type other "
                        "than f16, bf16, f32 and f64");
  unsigned width = accumulateType(match).getWidth();
  for (auto [node, name] : {std::make_pair(match.contraction, "sum of Q K"),
                            std::make_pair(match.product, "sum of P V")}) {
    unsigned own = node->type.getIntOrFloatBitWidth();
    if (own > width)
      return match.fail(Obligation::Types,
                        "sums are accumulated in a wider type than the "
                        "attention would");
    if (own < width)
      match.dropRounding(node->type, name);
  }
  return true;
}

FloatType mlir::attn::accumulateType(const Match &match) {
  MLIRContext *context = match.view.getContext();
  for (Node *node : {match.query, match.key, match.value})
    if (node->type.isF64())
      return Float64Type::get(context);
  return Float32Type::get(context);
}

bool mlir::attn::matchScore(Match &match) { return ScoreMatcher(match).run(); }
