//===- Shift.cpp - what may be subtracted from the scores -----------------===//
//
// The fused form shifts by the maximum of the score, which is right for all
// scores. Any other shift is right where the unfused form is: that it is, is an
// assumption, unless constants in the shift show that it is not (O3).
//
//===----------------------------------------------------------------------===//
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {
/// What constants say of a value: its smallest and its largest, or that it is
/// NaN.
struct Bounds {
  double low = -INFINITY, high = INFINITY;
  bool isNaN = false;
};
} // namespace

static Bounds boundsOf(Node *node);

/// A maximum, or, mirrored, a minimum. maxnumf takes no notice of NaN.
static Bounds extremeOf(Node *node, bool maximum, bool ignoresNaN) {
  Bounds a = boundsOf(node->operands[0]), b = boundsOf(node->operands[1]);
  if (a.isNaN || b.isNaN) {
    if (!ignoresNaN || (a.isNaN && b.isNaN))
      return {NAN, NAN, true};
    return a.isNaN ? b : a;
  }
  return maximum ? Bounds{std::max(a.low, b.low), std::max(a.high, b.high)}
                 : Bounds{std::min(a.low, b.low), std::min(a.high, b.high)};
}

static Bounds boundsOf(Node *node) {
  if (auto value = floatConstant(node)) {
    double number = value->convertToDouble();
    return {number, number, value->isNaN()};
  }
  auto in = [&](unsigned i) { return boundsOf(node->operands[i]); };
  // inf - inf and the like are NaN, if it comes to that.
  auto made = [](double low, double high) {
    if (low == high && std::isinf(low))
      return Bounds{low, high};
    return Bounds{std::isnan(low) ? -INFINITY : low,
                  std::isnan(high) ? INFINITY : high};
  };
  if (node->is("arith.extf") || node->is("arith.truncf"))
    return in(0);
  if (node->is("arith.negf")) {
    Bounds inner = in(0);
    return {-inner.high, -inner.low, inner.isNaN};
  }
  if (node->is("arith.maximumf") || node->is("arith.maxnumf"))
    return extremeOf(node, true, node->is("arith.maxnumf"));
  if (node->is("arith.minimumf") || node->is("arith.minnumf"))
    return extremeOf(node, false, node->is("arith.minnumf"));
  if (node->is("arith.select")) {
    Bounds yes = in(1), no = in(2);
    if (yes.isNaN || no.isNaN)
      return {NAN, NAN, yes.isNaN && no.isNaN};
    return {std::min(yes.low, no.low), std::max(yes.high, no.high)};
  }
  bool sum = node->is("arith.addf"), difference = node->is("arith.subf");
  if (!sum && !difference && !node->is("arith.mulf") && !node->is("arith.divf"))
    return {};
  Bounds a = in(0), b = in(1);
  if (a.isNaN || b.isNaN)
    return {NAN, NAN, true};
  if (sum)
    return made(a.low + b.low, a.high + b.high);
  if (difference)
    return made(a.low - b.high, a.high - b.low);
  // Products: by a constant, or of an infinity, which stays one.
  bool divides = node->is("arith.divf");
  auto isInfinity = [](const Bounds &x) {
    return x.low == x.high && std::isinf(x.low);
  };
  if (isInfinity(a) || (!divides && isInfinity(b)))
    return {NAN, NAN, true};
  if (!divides && a.low == a.high)
    std::swap(a, b);
  if (b.low != b.high || b.low == 0)
    return {};
  double factor = divides ? 1 / b.low : b.low;
  double x = a.low * factor, y = a.high * factor;
  return made(std::min(x, y), std::max(x, y));
}

bool mlir::attn::isModerate(const SignedSum &shift) {
  Bounds total{0, 0};
  for (auto [term, sign] : shift.terms) {
    Bounds bounds = boundsOf(term);
    if (bounds.isNaN)
      return false;
    total.low += sign > 0 ? bounds.low : -bounds.high;
    total.high += sign > 0 ? bounds.high : -bounds.low;
  }
  return !(total.low >= -kHidingFill || total.high <= kHidingFill);
}

/// torch-mlir writes a maximum as a choice. Which of the two it is where one is
/// NaN does not matter here: that row is NaN anyway.
std::optional<std::pair<Node *, Node *>>
mlir::attn::maximumOperands(Node *node) {
  if (node->is("arith.maximumf") || node->is("arith.maxnumf"))
    return std::make_pair(node->operands[0], node->operands[1]);
  if (!node->is("arith.select") || !node->operands[0]->is("arith.cmpf"))
    return std::nullopt;
  Node *test = node->operands[0], *yes = node->operands[1],
       *no = node->operands[2];
  using P = arith::CmpFPredicate;
  P predicate =
      cast<arith::CmpFPredicateAttr>(test->attributes.get("predicate"))
          .getValue();
  bool greater =
      llvm::is_contained({P::OGT, P::OGE, P::UGT, P::UGE}, predicate);
  bool less = llvm::is_contained({P::OLT, P::OLE, P::ULT, P::ULE}, predicate);
  if (less)
    std::swap(yes, no);
  if ((!greater && !less) || test->operands[0] != yes ||
      test->operands[1] != no)
    return std::nullopt;
  return std::make_pair(yes, no);
}

/// The reduction in an expression that is a maximum with other numbers, or a
/// choice of another number where it is not finite.
static Node *maximumIn(Node *node) {
  if (node->kind == Node::Reduce)
    return node->combiner == Combiner::Max ? node : nullptr;
  if (!maximumOperands(node) && !node->is("arith.select"))
    return nullptr;
  Node *found = nullptr;
  for (Node *operand : ArrayRef(node->operands).take_back(2))
    if (Node *inner = maximumIn(operand))
      found = found && found != inner ? nullptr : inner;
  return found;
}

/// True for a choice by whether the maximum, or its size, is an infinity.
static bool choosesFinite(Node *node, Node *maximum) {
  if (!node->is("arith.select") || !node->operands[0]->is("arith.cmpf"))
    return false;
  Node *a = node->operands[0]->operands[0], *b = node->operands[0]->operands[1];
  if (floatConstant(a))
    std::swap(a, b);
  auto value = floatConstant(b);
  if (a->is("math.absf"))
    a = a->operands[0];
  return value && value->isInfinity() && a == maximum &&
         llvm::is_contained(node->operands, maximum);
}

/// The node below widening casts.
static Node *stripWidening(Node *node) {
  while (node->is("arith.extf"))
    node = node->operands[0];
  return node;
}

/// True if the reduction is the maximum of the score, or of the score shifted
/// by other terms of the whole shift; over the keys, or, `takesSink`, over keys
/// and sinks.
bool SoftmaxMatcher::isMaximumOf(Node *maximum, Node *score, Node *factor,
                                 const SignedSum &shift, bool &takesSink) {
  auto loops = view.reductionLoops(maximum);
  if (loops.size() != match.keyLoops.size())
    return false;
  bool ofKeysOnly = false;
  for (auto [loop, index] : llvm::zip_equal(loops, match.keyLoops))
    ofKeysOnly |=
        view.getSpace().asMixedRadix(index, loop.second.size).has_value();
  auto elementAt = [&](ArrayRef<Linear> at, Exponential &element) {
    Node *body = view.body(maximum, at);
    if (!body)
      return false;
    element.score = body;
    if (view.full(body) != view.full(score))
      peelShift(body, element);
    element.score = stripWidening(view.full(element.score));
    return llvm::all_of(element.shift.terms, [&](const auto &term) {
      return llvm::is_contained(shift.terms, term);
    });
  };
  SmallVector<Linear> keys(match.keyLoops);
  if (!ofKeysOnly && keys.size() == 1)
    keys.front().constant += firstKey;
  Exponential element;
  if (!elementAt(keys, element) ||
      element.score != stripWidening(view.full(score)))
    return false;
  if (ofKeysOnly)
    return true;
  // Beyond the keys, it must take in no more than the sinks.
  auto range = view.getSpace().range(match.keyLoops.front());
  int64_t size = loops.front().second.size;
  if (sinks.empty() || loops.size() != 1 || !range ||
      ShapedType::isDynamic(size))
    return false;
  for (int64_t i = 0; i < size; ++i) {
    if (i >= firstKey && i <= firstKey + range->second)
      continue;
    Exponential other;
    if (size > range->second + 1 + kMaxSinks ||
        !elementAt({Linear(i)}, other) || !isSink(other.score, factor))
      return false;
  }
  takesSink = true;
  return true;
}

/// True if the shift of a row without keys is above -inf, or a sink's own.
bool SoftmaxMatcher::isBounded(Node *shift, Node *factor) {
  if (auto value = floatConstant(shift))
    return value->isFinite() || isSink(shift, factor);
  if (auto operands = maximumOperands(shift))
    return isBounded(operands->first, factor) ||
           isBounded(operands->second, factor);
  return isSink(shift, factor);
}

/// What a maximum takes the sinks into.
Node *SoftmaxMatcher::withoutSinks(Node *shift, Node *factor) {
  while (auto operands = maximumOperands(shift)) {
    if (isSink(operands->first, factor))
      shift = operands->second;
    else if (isSink(operands->second, factor))
      shift = operands->first;
    else
      break;
  }
  return shift;
}

/// The fused form shifts by the maximum of the score. Any other shift is right
/// where the unfused form is.
bool SoftmaxMatcher::checkShift(const Exponential &above) {
  bool byMaximum = false;
  if (!isModerate(above.shift))
    return match.fail(Obligation::ConstantShift,
                      "the shift is so large, or no number, whatever the "
                      "scores are, that all exponentials vanish or overflow");
  for (auto [term, sign] : above.shift.terms) {
    if (!readsOnlySinks(term))
      return match.fail(Obligation::ConstantShift,
                        "the maximum takes in what is neither a score nor a "
                        "sink");
    // A factor on the whole exponent is on the shift and on the score.
    Node *score = above.score, *shift = term, *factor = nullptr;
    if (shift->is("arith.mulf") && score->is("arith.mulf") &&
        shift->operands[1] == score->operands[1])
      if (auto value = floatConstant(shift->operands[1]);
          value && !value->isNegative()) {
        factor = shift->operands[1];
        shift = shift->operands[0];
        score = score->operands[0];
      }
    if (shift->is("math.log"))
      continue;
    Node *maximum = maximumIn(shift);
    if (sign != -1 || !maximum) {
      match.sinkNeedsKeys |= readsScores(shift);
      continue;
    }
    bool takesSink = false;
    bool isRowMaximum =
        isMaximumOf(maximum, score, factor, above.shift, takesSink);
    // What the shift is where no score is above -inf.
    Node *nothing = view.floatValue(maximum->type, -INFINITY);
    Node *alone = substitute(view, shift, maximum, nothing);
    auto value = floatConstant(alone);
    match.sinkNeedsKeys |= !takesSink && !isBounded(alone, factor);
    bool lowest = value && value->isNegative() && value->isLargest();
    byMaximum |= isRowMaximum && (withoutSinks(shift, factor) == maximum ||
                                  lowest || choosesFinite(shift, maximum));
  }
  match.sinkNeedsKeys &= match.sink != nullptr;
  if (match.sink && match.sink->kind != Node::Constant &&
      (match.sinkNeedsKeys || sinks.size() > 1))
    match.assumed.insert(Assumption::FiniteSinks);
  if (!byMaximum && hasFill(view.full(match.score)))
    return match.fail(Obligation::ConstantShift,
                      "keys are hidden by a finite fill, but the shift is not "
                      "the row maximum: a row without keys vanishes");
  if (!byMaximum)
    match.assumed.insert(Assumption::ShiftSafe);
  return true;
}
