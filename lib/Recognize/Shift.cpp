//===- Shift.cpp - what may be subtracted from the scores -----------------===//
//
// The fused form shifts by the maximum of the score, which is right for all
// scores. Any other shift is right where the unfused form is: that it is, is an
// assumption, unless constants in the shift show that it is not (O3).
//
//===----------------------------------------------------------------------===//
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
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

/// What is added to the score is of a size that ordinary scores can outweigh.
static bool isModerate(const SignedSum &shift) {
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

/// The reduction behind a maximum that starts at the lowest finite number, as
/// exporters without infinities write it.
static Node *maximumBehind(Node *node) {
  if (node->is("arith.maximumf") || node->is("arith.maxnumf"))
    for (unsigned i : {0u, 1u})
      if (auto lowest = floatConstant(node->operands[i]))
        if (lowest->isNegative() && lowest->isLargest())
          return node->operands[1 - i];
  return node;
}

/// The fused form shifts by the maximum of the score. Any other shift is right
/// where the unfused form is.
bool SoftmaxMatcher::checkShift(const Exponential &above) {
  bool byMaximum = false, ofKeysOnly = false;
  if (!isModerate(above.shift))
    return match.fail(Obligation::ConstantShift,
                      "the shift is so large, or no number, whatever the "
                      "scores are, that all exponentials vanish or overflow");
  for (auto [term, sign] : above.shift.terms) {
    // A factor on the whole exponent is on the shift and on the score.
    Node *score = above.score, *shift = term;
    if (shift->is("arith.mulf") && score->is("arith.mulf") &&
        shift->operands[1] == score->operands[1])
      if (auto factor = floatConstant(shift->operands[1]);
          factor && !factor->isNegative()) {
        shift = shift->operands[0];
        score = score->operands[0];
      }
    Node *maximum = maximumBehind(shift);
    if (sign != -1 || maximum->kind != Node::Reduce ||
        maximum->combiner != Combiner::Max)
      continue;
    auto loops = view.reductionLoops(maximum);
    if (loops.size() != match.keyLoops.size())
      continue;
    Node *element = view.body(maximum, match.keyLoops);
    if (!element || view.full(element) != view.full(score))
      continue;
    byMaximum = true;
    for (auto [loop, index] : llvm::zip_equal(loops, match.keyLoops))
      ofKeysOnly |=
          view.getSpace().asMixedRadix(index, loop.second.size).has_value();
  }
  // A maximum over more keys than these: of what is summed only with a sink.
  byMaximum &= ofKeysOnly || match.sink;
  if (!byMaximum && hasFill(view.full(match.score)))
    return match.fail(Obligation::ConstantShift,
                      "keys are hidden by a finite fill, but the shift is not "
                      "the row maximum: a row without keys vanishes");
  if (!byMaximum)
    match.assumed.insert(Assumption::ShiftSafe);
  // A row without keys has the maximum -inf and is NaN; with a sink beside an
  // empty state it would be zero.
  if (match.sink && ofKeysOnly && mayBeInfinite(view.full(match.score)))
    return match.fail(Obligation::Normalised,
                      "a row without keys is NaN although there is a sink");
  return true;
}
