//===- Exponent.cpp - exponents: the score and its shift ------------------===//
#include "SoftmaxMatcher.h"
#include "Thresholds.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

Node *mlir::attn::stripCasts(Node *node, SmallVectorImpl<Type> *narrowed) {
  while (node->is("arith.extf") || node->is("arith.truncf")) {
    if (narrowed && node->is("arith.truncf"))
      narrowed->push_back(node->type);
    node = node->operands[0];
  }
  return node;
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

void mlir::attn::addTerms(View &view, Node *node, int sign, SignedSum &sum,
                          SmallVectorImpl<Type> *narrowed) {
  node = stripCasts(view.full(node), narrowed);
  if (node->is("arith.addf") || node->is("arith.subf")) {
    addTerms(view, node->operands[0], sign, sum, narrowed);
    addTerms(view, node->operands[1], node->is("arith.subf") ? -sign : sign,
             sum, narrowed);
  } else if (node->is("arith.negf")) {
    addTerms(view, node->operands[0], -sign, sum, narrowed);
  } else {
    auto constant = floatConstant(node);
    if (!constant || !constant->isZero())
      sum.add(node, sign);
  }
}

/// True if the node is made of constants and of reductions over scores alone,
/// and does not depend on the key: a maximum, a logarithm of a sum. What is
/// read from other tensors is no shift, even if it is the same for all keys: it
/// may be -inf, which does not cancel. Only a maximum with scores, and the
/// logarithm of a sum with theirs, may take in a further score, a sink.
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
      continue;
    }
    if (next->kind != Node::Apply && next->kind != Node::Constant)
      return false;
    bool takesSinks = maximumOperands(next) || next->is("math.log");
    if (takesSinks && readsScores(next))
      any = true;
    else
      llvm::append_range(work, next->operands);
  }
  return any;
}

/// The indices of an element of a tensor, over loops of their own.
static SmallVector<Linear> anyElement(IndexSpace &space, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Linear> indices;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    indices.push_back(space.loop(tensor.getAsOpaquePointer(), dim,
                                 Extent{size, tensor, unsigned(dim)}));
  return indices;
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
    // A tensor put together from parts: any element of each.
    Operation *def =
        next->kind == Node::Access ? next->value.getDefiningOp() : nullptr;
    if (isa_and_nonnull<tensor::ConcatOp, tensor::InsertSliceOp>(def))
      for (Value part : def->getOperands())
        if (isa<RankedTensorType>(part.getType()))
          work.push_back(
              view.full(view.access(part, anyElement(view.getSpace(), part))));
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
      SmallVector<Type> narrowed;
      Node *below = stripCasts(inner, &narrowed);
      while (below->kind == Node::Access && view.expand(below))
        below = stripCasts(view.expand(below), &narrowed);
      bool sum = below->is("arith.addf") || below->is("arith.subf");
      if (!sum || (onKeys(below->operands[0]) && onKeys(below->operands[1])))
        break;
      narrowed.push_back(below->type);
      for (Type type : narrowed)
        match.dropRounding(type, "exponent");
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

/// True if some node of the expression satisfies the predicate.
static bool anyNode(Node *node, DenseSet<Node *> &seen,
                    function_ref<bool(Node *)> predicate) {
  if (!seen.insert(node).second)
    return false;
  return predicate(node) || llvm::any_of(node->operands, [&](Node *n) {
           return anyNode(n, seen, predicate);
         });
}

bool mlir::attn::hasFill(Node *node) {
  DenseSet<Node *> seen;
  return anyNode(node, seen, [](Node *n) {
    auto value = floatConstant(n);
    return value && value->isFinite() &&
           value->convertToDouble() <= kHidingFill;
  });
}

bool mlir::attn::hasInfinity(Node *node) {
  DenseSet<Node *> seen;
  return anyNode(node, seen, [](Node *n) {
    auto value = floatConstant(n);
    return value && value->isInfinity();
  });
}

bool mlir::attn::mayBeInfinite(Node *node) {
  DenseSet<Node *> seen;
  return anyNode(node, seen, [](Node *n) {
    if (auto value = floatConstant(n))
      return value->isInfinity();
    return isa<FloatType>(n->type) && n->kind != Node::Apply &&
           !isContraction(n);
  });
}
