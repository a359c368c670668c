//===- Normaliser.cpp - the sum of exponentials ---------------------------===//
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;

/// The element of a sum over keys is the exponential above, shifted by `shift`.
bool SoftmaxMatcher::sameExponential(Node *element, const Exponential &above,
                                     const SignedSum &shift) {
  Exponential below;
  if (!element || !splitExponential(element, below))
    return match.fail(Obligation::SameExponent,
                      "the normalising sum is not over an exponential");
  if (below.base2 != above.base2 ||
      view.full(below.score) != view.full(above.score))
    return match.fail(
        Obligation::SameExponent,
        "the normalising sum exponentiates another score than the product");
  if (!(below.shift == shift))
    return match.fail(Obligation::SameExponent,
                      "the exponents above and below are shifted differently");
  for (const Guard &guard : below.guards)
    if (!llvm::is_contained(above.guards, guard))
      return match.fail(Obligation::SameExponent,
                        "the normalising sum is masked, the product is not");
  usedGuards = below.guards;
  return true;
}

/// True if `sum` (a reduction, perhaps of reductions) runs over exactly the
/// remaining keys and its element is the exponential above.
bool SoftmaxMatcher::coverKeys(Node *sum, SmallVector<Atom> remaining,
                               const Exponential &above,
                               const SignedSum &shift) {
  IndexSpace &space = view.getSpace();
  auto loops = view.reductionLoops(sum);
  SmallVector<Linear> assigned;
  // Depth-first over assignments of runs of key atoms to the sum's loops.
  std::function<bool(SmallVector<Atom>)> assign = [&](SmallVector<Atom> left) {
    if (assigned.size() == loops.size()) {
      Node *element = view.body(sum, assigned);
      if (!element)
        return match.fail(Obligation::SameExponent,
                          "the normalising sum cannot be read");
      if (left.empty())
        return sameExponential(element, above, shift);
      Node *inner = stripCasts(element);
      if (inner->kind != Node::Reduce || inner->combiner != Combiner::Add)
        return match.fail(Obligation::SameAxes,
                          "the normalising sum runs over fewer loops than the "
                          "product contracts");
      return coverKeys(inner, left, above, shift);
    }
    int64_t wanted = loops[assigned.size()].second.size;
    for (size_t begin = 0; begin < left.size(); ++begin) {
      int64_t size = 1;
      for (size_t end = begin; end < left.size(); ++end) {
        int64_t extent = space.size(left[end]);
        bool unknown = ShapedType::isDynamic(extent);
        if (unknown && end != begin)
          break;
        size = unknown ? extent : size * extent;
        if (size == wanted || (unknown && ShapedType::isDynamic(wanted))) {
          Linear index;
          int64_t stride = 1;
          for (size_t i = end + 1; i-- > begin;) {
            index.addTerm(left[i], stride);
            if (!ShapedType::isDynamic(space.size(left[i])))
              stride *= space.size(left[i]);
          }
          SmallVector<Atom> rest(left);
          rest.erase(rest.begin() + begin, rest.begin() + end + 1);
          assigned.push_back(index);
          match.failure.reset();
          if (assign(rest))
            return true;
          assigned.pop_back();
        }
        if (unknown)
          break;
      }
    }
    return match.fail(
        Obligation::SameAxes,
        llvm::formatv(
            "the normalising sum runs over {0} steps of a loop, which "
            "is not what the product contracts",
            ShapedType::isDynamic(wanted) ? std::string("an unknown number of")
                                          : std::to_string(wanted))
            .str());
  };
  std::optional<Failure> before = match.failure;
  if (!assign(std::move(remaining)))
    return false;
  match.failure = before;
  return true;
}

/// A sum over a few more scores than there are keys (attention sinks).
bool SoftmaxMatcher::matchLongerTotal(Node *sum, const Exponential &above,
                                      const SignedSum &shift,
                                      SmallVector<Node *> &extra) {
  auto longer = readLongerSum(view, sum, match.keyLoops, [&](Node *body) {
    std::optional<Failure> before = match.failure;
    match.failure.reset();
    bool same = sameExponential(body, above, shift);
    match.failure = before;
    return same;
  });
  if (!longer)
    return false;
  firstKey = longer->firstKey;
  extra.append(longer->besideKeys);
  return true;
}

/// normaliser = sum over keys of E, and perhaps a sink.
bool SoftmaxMatcher::matchTotal(Node *normaliser, const Exponential &above,
                                const SignedSum &shift) {
  SignedSum terms;
  SmallVector<Type> narrowed;
  addTerms(view, normaliser, 1, terms, &narrowed);
  Node *sum = nullptr;
  SmallVector<std::pair<Node *, int>> extra;
  for (auto term : terms.terms) {
    if (!sum && term.second == 1 && term.first->kind == Node::Reduce &&
        term.first->combiner == Combiner::Add)
      sum = term.first;
    else
      extra.push_back(term);
  }
  if (!sum)
    return match.fail(Obligation::Normalised,
                      "the product is divided by what is no sum");
  if (!coverKeys(sum, match.keys, above, shift)) {
    SmallVector<Node *> more;
    if (!matchLongerTotal(sum, above, shift, more))
      return false;
    match.failure.reset();
    for (Node *element : more)
      extra.push_back({element, 1});
  }
  for (Type type : narrowed)
    if (type.getIntOrFloatBitWidth() < 32)
      match.dropRounding(type, "sum of exponentials");
  return matchSinks(extra, shift, above.base2);
}

bool SoftmaxMatcher::matchNormaliser(const Exponential &above) {
  if (!matchDenominators(above))
    return false;
  joinSinks(above.base2);
  return true;
}

bool SoftmaxMatcher::matchDenominators(const Exponential &above) {
  if (denominators.size() == 2)
    for (unsigned i : {0u, 1u}) {
      sinks.clear();
      if (matchGate(denominators[i], above, above.shift))
        return matchTotal(denominators[1 - i], above, above.shift) &&
               (sinks.size() == 1 ||
                match.fail(Obligation::Normalised,
                           "a gate by the log-sum-exp of the keys alone is no "
                           "sink beside another"));
      match.failure.reset();
    }
  sinks.clear();
  if (denominators.size() > 1)
    return match.fail(Obligation::Normalised,
                      "the product is divided more than once");
  if (denominators.size() == 1)
    return matchTotal(denominators.front(), above, above.shift);
  // exp(x - (m + log sum exp(x - m))): normalised in the exponent.
  for (auto [term, sign] : above.shift.terms) {
    if (sign != -1 || !term->is("math.log") || above.base2)
      continue;
    SignedSum shift = above.shift;
    shift.add(term, 1);
    if (above.joinedLog && hasFill(view.full(above.score)))
      return match.fail(Obligation::Normalised,
                        "a row without keys loses the logarithm of its sum to "
                        "the rounding of a finite fill");
    return matchTotal(term->operands[0], above, shift);
  }
  return match.fail(Obligation::Normalised,
                    "the exponentials are not divided by their sum");
}
