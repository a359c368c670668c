//===- Sinks.cpp - scores without a value beside the keys -----------------===//
//
// A sink s adds exp(s - shift) to the row sum, and nothing to the product:
//
//   l + exp(s - m)       beside the sum, as its start value, under its
//   logarithm sum over [x, s]      as one key more, which has no value 1 +
//   exp(s - lse)     a gate of the result by its log-sum-exp
//
// Several are one: the logarithm of the sum of their exponentials. The maximum
// may take the sink in or not. If not, a row without keys is NaN where the
// fused form has zero, so that every row must have a key (`sinkNeedsKeys`).
//
//===----------------------------------------------------------------------===//
#include "Mask.h"
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "attn/IR/VisibleRows.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

std::optional<LongerSum>
mlir::attn::readLongerSum(View &view, Node *sum, ArrayRef<Linear> keyLoops,
                          llvm::function_ref<bool(Node *)> isOfKeys) {
  auto loops = view.reductionLoops(sum);
  if (loops.size() != 1 || keyLoops.size() != 1)
    return std::nullopt;
  auto range = view.getSpace().range(keyLoops.front());
  int64_t size = loops.front().second.size;
  if (!range || ShapedType::isDynamic(size))
    return std::nullopt;
  int64_t keys = range->second + 1;
  if (size <= keys || size > keys + kMaxSinks)
    return std::nullopt;
  for (int64_t firstKey : {int64_t(0), size - keys}) {
    Linear index = keyLoops.front();
    index.constant += firstKey;
    LongerSum result{size, keys, firstKey, view.body(sum, index), {}};
    if (!result.ofKeys || !isOfKeys(result.ofKeys))
      continue;
    for (int64_t i = 0; i < size; ++i)
      if (i < firstKey || i >= firstKey + keys)
        result.besideKeys.push_back(view.body(sum, Linear(i)));
    if (llvm::is_contained(result.besideKeys, nullptr))
      return std::nullopt;
    return result;
  }
  return std::nullopt;
}

/// Adds the terms of an exponent; a constant factor on a sum goes to each.
static void addExponent(View &view, Node *node, int sign, SignedSum &sum,
                        SmallVectorImpl<Type> &narrowed) {
  node = stripCasts(view.full(node), &narrowed);
  if (node->is("arith.mulf"))
    for (unsigned i : {0u, 1u}) {
      Node *factor = node->operands[i];
      if (!floatConstant(factor))
        continue;
      SignedSum inner;
      addTerms(view, node->operands[1 - i], 1, inner, &narrowed);
      for (auto [term, own] : inner.terms)
        sum.add(view.apply("arith.mulf", {term, factor}, term->type),
                own * sign);
      return;
    }
  addTerms(view, node, sign, sum, &narrowed);
}

/// A sum of terms as one node; types are widened to that of the widest.
static Node *sumOf(View &view, const SignedSum &sum) {
  if (sum.terms.size() == 1 && sum.terms.front().second == 1)
    return sum.terms.front().first;
  Type type = Float32Type::get(view.getContext());
  for (auto [term, sign] : sum.terms)
    if (term->type.isF64())
      type = term->type;
  Node *total = view.floatValue(type, 0);
  for (auto [term, sign] : sum.terms)
    total = view.apply(sign > 0 ? "arith.addf" : "arith.subf",
                       {total, term->type == type
                                   ? term
                                   : view.apply("arith.extf", {term}, type)},
                       type);
  return total;
}

/// True if the expression reads the scores through a reduction.
bool SoftmaxMatcher::readsScores(Node *node) {
  if (node->kind == Node::Reduce)
    return isContraction(node) || reducesScores(node);
  return llvm::any_of(node->operands,
                      [&](Node *operand) { return readsScores(operand); });
}

/// The score whose exponential, shifted, the term is; or null.
Node *SoftmaxMatcher::sinkBehind(Node *term, const SignedSum &shift,
                                 bool base2) {
  if (onKeys(term))
    return nullptr;
  Type type = term->type.isF64() ? term->type
                                 : Type(Float32Type::get(view.getContext()));
  term = stripCasts(view.full(term));
  SignedSum exponent;
  SmallVector<Type> rounded;
  if (auto value = floatConstant(term)) {
    double number = value->convertToDouble();
    if (!(number > 0) || !std::isfinite(number))
      return nullptr;
    if (number != 1)
      exponent.add(
          view.floatValue(type, base2 ? std::log2(number) : std::log(number)),
          1);
  } else if (term->is(base2 ? "math.exp2" : "math.exp")) {
    addExponent(view, term->operands[0], 1, exponent, rounded);
  } else {
    return nullptr;
  }
  for (auto [node, sign] : shift.terms)
    exponent.add(node, -sign);
  for (auto [node, sign] : exponent.terms)
    if (readsScores(node))
      return nullptr;
  for (Type narrow : rounded)
    if (narrow.getIntOrFloatBitWidth() < 32)
      match.dropRounding(narrow, "sink");
  return exponent.terms.empty() ? view.floatValue(type, 0)
                                : view.full(sumOf(view, exponent));
}

/// Adds the further terms of a normaliser to the sinks.
bool SoftmaxMatcher::matchSinks(ArrayRef<std::pair<Node *, int>> extra,
                                const SignedSum &shift, bool base2) {
  for (auto [term, sign] : extra) {
    Node *sink = sign == 1 ? sinkBehind(term, shift, base2) : nullptr;
    if (!sink)
      return match.fail(Obligation::Normalised,
                        "the normaliser has a further term that is no sink");
    // +inf would make all probabilities zero, unfused; NaN needs no rows.
    if (auto value = floatConstant(sink);
        value && !value->isFinite() && !value->isNegative())
      return match.fail(Obligation::Normalised,
                        "the sink is a constant that is no number");
    sinks.push_back(sink);
  }
  return sinks.size() <= kMaxSinks ||
         match.fail(Obligation::Normalised, "the normaliser has many sinks");
}

/// Sinks as one, in natural units: M + log(sum exp(sink - M)).
void SoftmaxMatcher::joinSinks(bool base2) {
  if (sinks.empty())
    return;
  Type type = Float32Type::get(view.getContext());
  for (Node *sink : sinks)
    if (sink->type.isF64())
      type = sink->type;
  SmallVector<Node *> natural;
  for (Node *sink : sinks) {
    natural.push_back(base2 ? naturalUnits(sink) : sink);
    if (sinks.size() > 1 && natural.back()->type != type)
      natural.back() = view.apply("arith.extf", {natural.back()}, type);
  }
  match.sink = natural.front();
  if (natural.size() == 1)
    return;
  // Of sinks that are all -inf, the maximum must stay finite.
  auto lowest = llvm::APFloat::getLargest(
      cast<FloatType>(type).getFloatSemantics(), /*Negative=*/true);
  Node *most = view.constant(FloatAttr::get(type, lowest));
  for (Node *sink : natural)
    most = view.apply("arith.maximumf", {most, sink}, type);
  Node *total = view.floatValue(type, 0);
  for (Node *sink : natural) {
    Node *e = view.apply("math.exp",
                         {view.apply("arith.subf", {sink, most}, type)}, type);
    total = view.apply("arith.addf", {total, e}, type);
  }
  Node *log = view.apply("math.log", {total}, type);
  match.sink = view.full(view.apply("arith.addf", {most, log}, type));
}

/// True if the node, times a factor perhaps, is one of the sinks.
bool SoftmaxMatcher::isSink(Node *node, Node *factor) {
  node = stripCasts(view.full(node));
  if (factor)
    node = view.full(view.apply("arith.mulf", {node, factor}, node->type));
  auto value = floatConstant(node);
  return llvm::any_of(sinks, [&](Node *sink) {
    if (sink == node)
      return true;
    auto own = floatConstant(sink);
    return value && own && value->convertToDouble() == own->convertToDouble();
  });
}

/// True if what a shift reads beside the scores are numbers and the sinks.
bool SoftmaxMatcher::readsOnlySinks(Node *shift) {
  DenseSet<Node *> known;
  std::function<void(Node *)> add = [&](Node *node) {
    if (known.insert(node).second)
      llvm::for_each(node->operands, add);
  };
  llvm::for_each(sinks, add);
  std::function<bool(Node *)> visit = [&](Node *node) {
    if (node->kind == Node::Reduce || node->kind == Node::Constant ||
        !known.insert(node).second)
      return true;
    return node->kind == Node::Apply && !node->value &&
           llvm::all_of(node->operands, visit);
  };
  return visit(view.full(shift));
}

/// 1 + exp(sink - lse), where lse is the logarithm of this row's sum: what
/// sigmoid(lse - sink) divides by. `shift` is that of the normaliser.
bool SoftmaxMatcher::matchGate(Node *gate, const Exponential &above,
                               const SignedSum &shift) {
  SignedSum terms, exponent;
  SmallVector<Type> narrowed;
  addTerms(view, gate, 1, terms, &narrowed);
  Node *e = nullptr;
  bool one = false;
  for (auto [term, sign] : terms.terms) {
    auto value = floatConstant(term);
    if (sign == 1 && value && value->isExactlyValue(1.0) && !one)
      one = true;
    else if (sign == 1 && !e && term->is("math.exp"))
      e = term;
    else
      return false;
  }
  if (!one || !e || above.base2 || !above.guards.empty())
    return false;
  addExponent(view, e->operands[0], 1, exponent, narrowed);
  Node *log = nullptr;
  for (auto [term, sign] : exponent.terms)
    if (sign == -1 && term->is("math.log"))
      log = term;
  if (!log)
    return false;
  exponent.add(log, 1);
  // What is left is the sink and the shift of that sum.
  SignedSum own, sink;
  for (auto [term, sign] : exponent.terms) {
    bool shifts = readsScores(term) ||
                  llvm::is_contained(shift.terms, std::make_pair(term, sign));
    (shifts ? own : sink).add(term, sign);
  }
  if (own.terms.empty())
    match.assumed.insert(Assumption::ShiftSafe);
  if (!isModerate(own) || !matchTotal(log->operands[0], above, own) ||
      !sinks.empty())
    return false;
  Node *node = sink.terms.empty() ? view.floatValue(e->type, 0)
                                  : view.full(sumOf(view, sink));
  if (onKeys(node))
    return false;
  for (Type type : narrowed)
    if (type.getIntOrFloatBitWidth() < 32)
      match.dropRounding(type, "sink");
  sinks.push_back(node);
  match.sinkNeedsKeys = true; // 0 / 0 without keys, whatever the shift
  return true;
}

bool mlir::attn::everyRowHasKey(const Match &match, bool ofAnyLength) {
  IndexSpace &space = match.view.getSpace();
  if (mayBeInfinite(match.view.full(match.score)))
    return false;
  SmallVector<int64_t> sizes;
  for (Atom atom : match.setAtoms)
    sizes.push_back(isUnitLoop(atom) ? 1 : space.size(atom));
  for (Atom atom : match.keys)
    if (!ofAnyLength && ShapedType::isDynamic(space.size(atom)))
      return false;
  if (match.visible && !match.symbols.empty())
    return false; // data decides
  return everyRowSeesKey(match.visible, sizes, match.keys.size());
}

bool mlir::attn::checkSinkRows(Match &match) {
  // Without any key the sum is the sink's alone, however it is shifted.
  bool fits = !match.sinkNeedsKeys || match.emptyRowsZero ||
              (match.hidden && !match.hidden.isSkip() &&
               !mayBeInfinite(match.view.full(match.score))) ||
              everyRowHasKey(match, /*ofAnyLength=*/true);
  return fits ||
         match.fail(Obligation::Normalised,
                    "a row without keys is NaN although there is a sink");
}
