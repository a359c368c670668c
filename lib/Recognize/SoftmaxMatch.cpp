//===- SoftmaxMatch.cpp - a product fed by a normalised exponential -------===//
//
// From the tensor a match starts at: it must be a product with exactly one sum
// over keys as a factor (O1). Its summand is a product again, of an exponential
// E and of V (O2); somewhere, outside or inside the sum, there is one division
// by a sum L of exponentials (O3) over the same keys (O4) of the same score
// (O5). How the factors are spread over ops, and in which order, does not
// matter.
//
//===----------------------------------------------------------------------===//
#include "Match.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static const StringRef exponentials[] = {"math.exp", "math.exp2"};

Node *mlir::attn::stripCasts(Node *node) {
  while (node->is("arith.extf") || node->is("arith.truncf"))
    node = node->operands[0];
  return node;
}

void Match::dropRounding(Type to, StringRef what) {
  assumed.insert(Assumption::DroppedRoundings);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what << " to " << to;
  if (!llvm::is_contained(droppedRoundings, text))
    droppedRoundings.push_back(text);
}

void SignedSum::add(Node *term, int sign) {
  auto it = llvm::find(terms, std::make_pair(term, -sign));
  if (it != terms.end()) {
    terms.erase(it);
    return;
  }
  std::pair<Node *, int> entry(term, sign);
  terms.insert(llvm::upper_bound(terms, entry,
                                 [](const auto &a, const auto &b) {
                                   return std::make_pair(a.first->id,
                                                         a.second) <
                                          std::make_pair(b.first->id, b.second);
                                 }),
               entry);
}

void mlir::attn::addTerms(View &view, Node *node, int sign, SignedSum &sum) {
  node = stripCasts(view.full(node));
  if (node->is("arith.addf") || node->is("arith.subf")) {
    addTerms(view, node->operands[0], sign, sum);
    addTerms(view, node->operands[1], node->is("arith.subf") ? -sign : sign,
             sum);
  } else if (node->is("arith.negf")) {
    addTerms(view, node->operands[0], -sign, sum);
  } else {
    auto constant = floatConstant(node);
    if (!constant || !constant->isZero())
      sum.add(node, sign);
  }
}

namespace {

/// A select that replaces by zero where its condition is `hidesOn`.
struct Guard {
  Node *condition;
  bool hidesOn;
  bool operator==(const Guard &o) const {
    return condition == o.condition && hidesOn == o.hidesOn;
  }
};

/// exp(score - shift) or exp2(...), under guards.
struct Exponential {
  SmallVector<Guard> guards;
  bool base2 = false;
  Node *score = nullptr;
  SignedSum shift;        // what is added to the score, independent of the key
  bool joinedLog = false; // the logarithm was added to the maximum first
};

class SoftmaxMatcher {
public:
  explicit SoftmaxMatcher(Match &match) : match(match), view(match.view) {}
  bool run();

private:
  bool findProduct();
  bool findFactors(unsigned opaque);
  void flatten(Node *node, bool inverse, bool top, Node *opaque);
  bool splitExponential(Node *node, Exponential &result);
  bool isShift(Node *node);
  bool reducesScores(Node *reduce);
  void peelShift(Node *node, Exponential &result);
  bool matchNormaliser(const Exponential &above);
  bool matchTotal(Node *normaliser, const Exponential &above,
                  const SignedSum &shift);
  bool coverKeys(Node *sum, SmallVector<Atom> remaining,
                 const Exponential &above, const SignedSum &shift);
  bool matchLongerTotal(Node *sum, const Exponential &above,
                        const SignedSum &shift, SmallVector<Node *> &extra);
  bool sameExponential(Node *element, const Exponential &above,
                       const SignedSum &shift);
  bool matchSink(ArrayRef<std::pair<Node *, int>> extra,
                 const SignedSum &shift);
  bool matchGuards(const Exponential &above);
  void noteRoundings();
  bool checkShift(const Exponential &above);
  bool isNoKey(Node *condition, bool negated);
  std::optional<bool> comparesWithMinusInfinity(Node *node);
  Linear wholeKey(unsigned loop) { return match.keyLoops[loop]; }
  bool onKeys(Node *node) { return view.dependsOn(node, match.keys); }

  Match &match;
  View &view;
  SmallVector<Node *> numerators, denominators;
  SmallVector<Guard> guards;
  SmallVector<Guard> usedGuards; // guards that the normaliser has, too
  DenseMap<Node *, bool> scoreReductions;
  SmallVector<std::pair<Type, bool>> narrowed; // to what; outside the sum?
};

} // namespace

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

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
  for (Node *factor : numerators) {
    if (factor->kind != Node::Reduce || factor->combiner != Combiner::Add ||
        !isa<FloatType>(factor->type))
      return match.fail(Obligation::Product,
                        "the result has a factor that is no sum over keys");
    if (match.product)
      return match.fail(Obligation::Product,
                        "the result is a product of two sums");
    match.product = factor;
  }
  if (!match.product)
    return match.fail(Obligation::Product,
                      "the result is no sum over keys that starts at zero");
  numerators.clear();
  for (auto [loop, extent] : view.reductionLoops(match.product)) {
    match.keyLoops.push_back(
        view.getSpace().loop(match.product->op, loop, extent));
    for (auto [atom, coefficient] : match.keyLoops.back().terms)
      match.keys.push_back(atom);
  }
  if (match.keys.empty())
    return match.fail(Obligation::Product, "the sum runs over no loop");
  return true;
}

/// Reads the summand. If both of its factors hold exponentials, number `opaque`
/// is taken for V.
bool SoftmaxMatcher::findFactors(unsigned opaque) {
  Node *body = view.body(match.product, match.keyLoops);
  if (!body)
    return match.fail(Obligation::Product, "the summand cannot be read");
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
  if (others.size() != 1 || !onKeys(others.front()))
    return match.fail(
        Obligation::Exponential,
        others.empty() ? "no factor beside the exponential depends on the key"
                       : "the probabilities are weighted by a further factor");
  match.value = others.front();
  numerators = {exponential};
  return true;
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

/// True if the node is made of constants and of reductions over scores alone,
/// and does not depend on the key: a maximum, a logarithm of a sum. What is
/// read from other tensors is no shift, even if it is the same for all keys: it
/// may be -inf, which does not cancel.
bool SoftmaxMatcher::isShift(Node *node) {
  if (onKeys(node))
    return false;
  bool any = false;
  SmallVector<Node *> work{view.full(node)};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (next->kind == Node::Reduce) {
      if (!reducesScores(next))
        return false;
      any = true;
    } else if (next->kind != Node::Apply && next->kind != Node::Constant) {
      return false;
    }
    llvm::append_range(work, next->operands);
  }
  return any;
}

/// True if what a reduction combines is computed from a contraction.
bool SoftmaxMatcher::reducesScores(Node *reduce) {
  if (auto it = scoreReductions.find(reduce); it != scoreReductions.end())
    return it->second;
  SmallVector<Linear> loops;
  for (auto [loop, extent] : view.reductionLoops(reduce))
    loops.push_back(view.getSpace().loop(reduce->op, loop, extent));
  Node *body = view.body(reduce, loops);
  bool result = false;
  SmallVector<Node *> work;
  if (body)
    work.push_back(view.full(body));
  DenseSet<Node *> seen;
  while (!work.empty() && !result) {
    Node *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    result = isContraction(next) ||
             (next->kind == Node::Reduce && reducesScores(next));
    llvm::append_range(work, next->operands);
    // A tensor put together from parts: one element of each will do.
    Operation *def =
        next->kind == Node::Access ? next->value.getDefiningOp() : nullptr;
    if (isa_and_nonnull<tensor::ConcatOp, tensor::InsertSliceOp>(def))
      for (Value part : def->getOperands())
        if (auto type = dyn_cast<RankedTensorType>(part.getType()))
          work.push_back(view.full(view.access(
              part, SmallVector<Linear>(type.getRank(), Linear()))));
  }
  return scoreReductions[reduce] = result;
}

/// Takes shifts off the exponent.
void SoftmaxMatcher::peelShift(Node *node, Exponential &result) {
  while (true) {
    Node *inner = node;
    if (inner->kind == Node::Access) {
      Node *next = view.expand(inner);
      if (!next)
        break;
      node = next;
      continue;
    }
    if (inner->is("arith.extf") || inner->is("arith.truncf")) {
      Node *below = stripCasts(inner);
      while (below->kind == Node::Access && view.expand(below))
        below = stripCasts(view.expand(below));
      bool sum = below->is("arith.addf") || below->is("arith.subf");
      if (!sum || (onKeys(below->operands[0]) && onKeys(below->operands[1])))
        break;
      match.dropRounding(below->type, "exponent");
      node = below;
      continue;
    }
    // A factor on the whole exponent, log2(e) for instance: c (x - m).
    if (inner->is("arith.mulf") && (floatConstant(inner->operands[0]) ||
                                    floatConstant(inner->operands[1]))) {
      bool left = floatConstant(inner->operands[0]).has_value();
      Node *factor = inner->operands[left ? 0 : 1];
      Exponential below;
      peelShift(inner->operands[left ? 1 : 0], below);
      if (below.shift.terms.empty())
        break;
      for (auto [term, sign] : below.shift.terms)
        result.shift.add(view.apply("arith.mulf", {term, factor}, term->type),
                         sign);
      node = view.apply("arith.mulf", {below.score, factor}, inner->type);
      break;
    }
    bool isSub = inner->is("arith.subf");
    if (!isSub && !inner->is("arith.addf"))
      break;
    Node *a = inner->operands[0], *b = inner->operands[1];
    if (isShift(b)) {
      SignedSum own;
      addTerms(view, b, 1, own);
      for (auto [term, sign] : own.terms) {
        result.shift.add(term, isSub ? -sign : sign);
        result.joinedLog |= own.terms.size() > 1 && term->is("math.log");
      }
      node = a;
    } else if (isShift(a)) {
      addTerms(view, a, 1, result.shift);
      node = isSub ? view.apply("arith.negf", {b}, b->type) : b;
    } else {
      // (x - m) + bias: look below the bias.
      bool left = onKeys(a);
      Exponential below;
      peelShift(left ? a : b, below);
      if (below.shift.terms.empty() || (!left && isSub))
        break;
      for (auto [term, sign] : below.shift.terms)
        result.shift.add(term, sign);
      node = view.apply(inner->name.getValue(),
                        {left ? below.score : a, left ? b : below.score},
                        inner->type);
      break;
    }
  }
  result.score = node;
}

/// E = select(guard, 0, exp(score + shift)).
bool SoftmaxMatcher::splitExponential(Node *node, Exponential &result) {
  SmallVector<Node *> keptNumerators, keptDenominators;
  SmallVector<Guard> keptGuards;
  std::swap(keptNumerators, numerators);
  std::swap(keptDenominators, denominators);
  std::swap(keptGuards, guards);
  flatten(node, false, /*top=*/false, nullptr);
  std::swap(keptNumerators, numerators);
  std::swap(keptDenominators, denominators);
  std::swap(keptGuards, guards);
  result.guards = keptGuards;
  if (keptNumerators.size() != 1 || !keptDenominators.empty())
    return false;
  Node *e = keptNumerators.front();
  if (!e->is("math.exp") && !e->is("math.exp2"))
    return false;
  result.base2 = e->is("math.exp2");
  peelShift(e->operands[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// The normaliser
//===----------------------------------------------------------------------===//

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
  match.total = sum;
  return true;
}

/// A sum over a few more scores than there are keys (attention sinks): the keys
/// are a run of them, the others are constants positions.
bool SoftmaxMatcher::matchLongerTotal(Node *sum, const Exponential &above,
                                      const SignedSum &shift,
                                      SmallVector<Node *> &extra) {
  auto loops = view.reductionLoops(sum);
  if (loops.size() != 1 || match.keyLoops.size() != 1)
    return false;
  auto range = view.getSpace().range(match.keyLoops.front());
  int64_t size = loops.front().second.size;
  if (!range || ShapedType::isDynamic(size))
    return false;
  int64_t keys = range->second + 1;
  if (size <= keys || size > keys + 4)
    return false;
  for (int64_t offset : {int64_t(0), size - keys}) {
    Linear index = match.keyLoops.front();
    index.constant += offset;
    std::optional<Failure> before = match.failure;
    match.failure.reset();
    bool same = sameExponential(view.body(sum, index), above, shift);
    match.failure = before;
    if (!same)
      continue;
    for (int64_t i = 0; i < size; ++i)
      if (i < offset || i >= offset + keys)
        extra.push_back(view.body(sum, Linear(i)));
    match.total = sum;
    return true;
  }
  return false;
}

/// The further term of a normaliser, exp(sink + shift).
bool SoftmaxMatcher::matchSink(ArrayRef<std::pair<Node *, int>> extra,
                               const SignedSum &shift) {
  if (extra.empty())
    return true;
  auto refuse = [&] {
    return match.fail(Obligation::Normalised,
                      "the normaliser has a further term that is no sink");
  };
  if (extra.size() != 1 || extra.front().second != 1 ||
      onKeys(extra.front().first))
    return refuse();
  Node *term = stripCasts(view.full(extra.front().first));
  SignedSum exponent;
  if (auto value = floatConstant(term)) {
    if (!value->isExactlyValue(1.0))
      return refuse();
  } else if (term->is("math.exp")) {
    addTerms(view, term->operands[0], 1, exponent);
  } else {
    return refuse();
  }
  for (auto [node, sign] : shift.terms)
    exponent.add(node, -sign);
  if (exponent.terms.empty())
    match.sink = view.floatValue(Float32Type::get(view.getContext()), 0.0);
  else if (exponent.terms.size() == 1 && exponent.terms.front().second == 1)
    match.sink = exponent.terms.front().first;
  else
    return refuse();
  return true;
}

/// normaliser = sum over keys of E, and perhaps a sink.
bool SoftmaxMatcher::matchTotal(Node *normaliser, const Exponential &above,
                                const SignedSum &shift) {
  SignedSum terms;
  addTerms(view, normaliser, 1, terms);
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
  if (!extra.empty() && above.base2)
    return match.fail(Obligation::Normalised,
                      "the normaliser has a further term beside powers of 2");
  return matchSink(extra, shift);
}

/// True if the expression has a finite constant that hides keys.
static bool hasFill(Node *node, DenseSet<Node *> &seen) {
  if (!seen.insert(node).second)
    return false;
  if (auto value = floatConstant(node))
    return value->isFinite() && value->convertToDouble() <= -1e3;
  return llvm::any_of(node->operands,
                      [&](Node *n) { return hasFill(n, seen); });
}

bool SoftmaxMatcher::matchNormaliser(const Exponential &above) {
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
    DenseSet<Node *> seen;
    if (above.joinedLog && hasFill(view.full(above.score), seen))
      return match.fail(Obligation::Normalised,
                        "a row without keys loses the logarithm of its sum to "
                        "the rounding of a finite fill");
    return matchTotal(term->operands[0], above, shift);
  }
  return match.fail(Obligation::Normalised,
                    "the exponentials are not divided by their sum");
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// True (false) if the node says that the score is (is not) -inf.
std::optional<bool> SoftmaxMatcher::comparesWithMinusInfinity(Node *node) {
  node = view.full(node);
  if (node->is("arith.xori"))
    if (auto one = intConstant(node->operands[1]); one && *one == 1) {
      auto inner = comparesWithMinusInfinity(node->operands[0]);
      return inner ? std::optional<bool>(!*inner) : std::nullopt;
    }
  if (!node->is("arith.cmpf"))
    return std::nullopt;
  Node *a = stripCasts(node->operands[0]), *b = stripCasts(node->operands[1]);
  if (floatConstant(a))
    std::swap(a, b);
  auto value = floatConstant(b);
  if (!value || !value->isInfinity() || !value->isNegative() ||
      a != stripCasts(view.full(match.score)))
    return std::nullopt;
  auto predicate =
      cast<arith::CmpFPredicateAttr>(node->attributes.get("predicate"))
          .getValue();
  if (predicate == arith::CmpFPredicate::OEQ)
    return true;
  if (predicate == arith::CmpFPredicate::UNE)
    return false;
  return std::nullopt;
}

/// True if the condition (or its negation) says that no key of the row has a
/// score above -inf.
bool SoftmaxMatcher::isNoKey(Node *condition, bool negated) {
  while (condition->is("arith.xori")) {
    auto one = intConstant(condition->operands[1]);
    if (!one || *one != 1)
      return false;
    negated = !negated;
    condition = view.full(condition->operands[0]);
  }
  if (condition->kind != Node::Reduce ||
      condition->combiner != (negated ? Combiner::Or : Combiner::And))
    return false;
  auto loops = view.reductionLoops(condition);
  if (loops.size() != match.keyLoops.size())
    return false;
  auto masked = comparesWithMinusInfinity(view.body(condition, match.keyLoops));
  // Loops of another length would read other elements: compare sizes.
  for (auto [loop, index] : llvm::zip_equal(loops, match.keyLoops))
    if (!view.getSpace().asMixedRadix(index, loop.second.size))
      return false;
  return masked && *masked == !negated;
}

/// Roundings that the fused form does not do: of the result before its own, of
/// probabilities before V's type.
void SoftmaxMatcher::noteRoundings() {
  auto width = [](Type type) { return type.getIntOrFloatBitWidth(); };
  Type result = cast<RankedTensorType>(match.root.getType()).getElementType();
  for (auto [type, top] : narrowed)
    if (width(type) < width(top ? result : match.value->type))
      match.dropRounding(type, top ? "result" : "probabilities");
  if (width(numerators.front()->type) < 32)
    match.dropRounding(numerators.front()->type, "exponentials");
}

/// True if the expression may be -inf: by a constant, or by data.
static bool mayBeMinusInfinity(Node *node, DenseSet<Node *> &seen) {
  if (!seen.insert(node).second)
    return false;
  if (auto value = floatConstant(node))
    return value->isInfinity();
  if (isa<FloatType>(node->type) && node->kind != Node::Apply)
    return !isContraction(node);
  return llvm::any_of(node->operands,
                      [&](Node *n) { return mayBeMinusInfinity(n, seen); });
}

/// True if the expression has -inf as a constant.
static bool hasMinusInfinity(Node *node, DenseSet<Node *> &seen) {
  if (!seen.insert(node).second)
    return false;
  if (auto value = floatConstant(node))
    return value->isInfinity();
  return llvm::any_of(node->operands,
                      [&](Node *n) { return hasMinusInfinity(n, seen); });
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
  for (auto [term, sign] : above.shift.terms) {
    Node *maximum = maximumBehind(term);
    if (sign != -1 || maximum->kind != Node::Reduce ||
        maximum->combiner != Combiner::Max)
      continue;
    auto loops = view.reductionLoops(maximum);
    if (loops.size() != match.keyLoops.size())
      continue;
    Node *element = view.body(maximum, match.keyLoops);
    if (!element || view.full(element) != view.full(above.score))
      continue;
    byMaximum = true;
    for (auto [loop, index] : llvm::zip_equal(loops, match.keyLoops))
      ofKeysOnly |=
          view.getSpace().asMixedRadix(index, loop.second.size).has_value();
  }
  DenseSet<Node *> seen;
  if (!byMaximum && hasFill(view.full(match.score), seen))
    return match.fail(Obligation::ConstantShift,
                      "keys are hidden by a finite fill, but the shift is not "
                      "the row maximum: a row without keys vanishes");
  if (!byMaximum)
    match.assumed.insert(Assumption::ShiftSafe);
  // A row without keys has the maximum -inf and is NaN; with a sink beside an
  // empty state it would be zero.
  seen.clear();
  if (match.sink && ofKeysOnly &&
      mayBeMinusInfinity(view.full(match.score), seen))
    return match.fail(Obligation::Normalised,
                      "a row without keys is NaN although there is a sink");
  return true;
}

bool SoftmaxMatcher::matchGuards(const Exponential &above) {
  DenseSet<Node *> seen;
  bool mayHideItself = hasMinusInfinity(view.full(match.score), seen);
  // A guard of the exponentials themselves hides keys.
  for (const Guard &guard : usedGuards) {
    Type type = match.score->type;
    Node *hidden = view.floatValue(type, -INFINITY);
    Node *score = view.full(match.score);
    match.score =
        guard.hidesOn
            ? view.apply("arith.select", {guard.condition, hidden, score}, type)
            : view.apply("arith.select", {guard.condition, score, hidden},
                         type);
  }
  SmallVector<Guard> rest = usedGuards;
  for (const Guard &guard : above.guards) {
    auto it = llvm::find(rest, guard);
    if (it != rest.end()) {
      rest.erase(it);
      continue;
    }
    bool repeated = llvm::is_contained(usedGuards, guard);
    // Rows that the score itself hides would be NaN, not zero, unfused.
    if (repeated && mayHideItself)
      return match.fail(Obligation::Guards,
                        "keys are hidden both by the score and by the guard");
    if (!repeated && !isNoKey(guard.condition, !guard.hidesOn))
      return match.fail(Obligation::Guards,
                        "a select on the probabilities is neither the mask of "
                        "the exponentials nor a guard of rows without keys");
    match.emptyRowsZero = true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The stage
//===----------------------------------------------------------------------===//

bool SoftmaxMatcher::run() {
  if (!findProduct())
    return false;
  SmallVector<Node *> outer = denominators;
  SmallVector<Guard> outerGuards = guards;
  for (unsigned opaque : {1u, 0u}) {
    numerators.clear();
    denominators = outer;
    guards = outerGuards;
    match.failure.reset();
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
  if (above.base2) {
    Node *ln2 = view.floatValue(match.score->type, M_LN2);
    match.score =
        view.apply("arith.mulf", {match.score, ln2}, match.score->type);
  }
  return true;
}

bool mlir::attn::matchSoftmax(Match &match) {
  return SoftmaxMatcher(match).run();
}
