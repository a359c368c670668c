//===- JointAlign.cpp - members over the loops of the scores --------------===//
//
// Each member, and each gradient of an extra or a sink, is read at indices of
// its own, and what it reads of the scores says which of them are the scores'
// loops. The loop that is left, of depth or value, is found in the operand that
// it indexes.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"
#include "Operand.h"

using namespace mlir;
using namespace mlir::attn;

Linear mlir::attn::substituted(const Linear &linear,
                               const Substitution &replace) {
  Linear result(linear.constant);
  for (auto [atom, coefficient] : linear.terms) {
    auto it = replace.find(atom);
    if (it == replace.end())
      result.addTerm(atom, coefficient);
    else
      result.add(it->second, coefficient);
  }
  return result;
}

void mlir::attn::insertAtoms(ArrayRef<Linear> indices, DenseSet<Atom> &atoms) {
  for (const Linear &index : indices)
    for (auto [atom, coefficient] : index.terms)
      atoms.insert(atom);
}

/// Several sums over as many steps, added up: their terms, signs included.
static bool collectSums(Node *node, int sign, function_ref<bool(Node *)> isOwn,
                        SmallVectorImpl<std::pair<Node *, int>> &sums) {
  node = stripCasts(node);
  if (node->is("arith.negf"))
    return collectSums(node->operands[0], -sign, isOwn, sums);
  if (node->is("arith.addf") || node->is("arith.subf"))
    return collectSums(node->operands[0], sign, isOwn, sums) &&
           collectSums(node->operands[1], node->is("arith.subf") ? -sign : sign,
                       isOwn, sums);
  sums.push_back({node, sign});
  return node->kind == Node::Reduce && node->combiner == Combiner::Add &&
         isa<FloatType>(node->type) && isOwn(node);
}

/// Their summands over the loops of the first, added up; or null.
static Node *joinedSums(View &view, ArrayRef<Linear> loops,
                        ArrayRef<std::pair<Node *, int>> sums) {
  Node *joined = nullptr;
  auto sizes = [&](Node *sum) {
    return llvm::map_to_vector(view.reductionLoops(sum), [](const auto &loop) {
      return loop.second.size;
    });
  };
  for (auto [sum, sign] : sums) {
    Node *body = sizes(sum) == sizes(sums.front().first) ? view.body(sum, loops)
                                                         : nullptr;
    if (!body)
      return nullptr;
    if (!joined)
      joined = sign > 0 ? body : view.apply("arith.negf", {body}, body->type);
    else if (joined->type != body->type)
      return nullptr;
    else
      joined = view.apply(sign > 0 ? "arith.addf" : "arith.subf",
                          {joined, body}, body->type);
  }
  return joined;
}

/// Takes a value apart into sums over loops, what multiplies them, and what the
/// innermost one sums. Each step looks through casts and factors for the one
/// sum that `isOwn`; it ends at the sum of `innermost`, or, if that is null,
/// where there is none, or after `limit` of them. Nothing if `innermost` is not
/// reached.
static std::optional<MemberSum> readSums(View &view, Value root,
                                         const Substitution &replace,
                                         function_ref<bool(Node *)> isOwn,
                                         Operation *innermost,
                                         unsigned limit = ~0u) {
  MemberSum sum;
  sum.root = root;
  for (const Linear &own : indicesOf(view.getSpace(), root))
    sum.rootIndices.push_back(substituted(own, replace));
  Node *node = view.full(view.access(root, sum.rootIndices));
  for (unsigned taken = 0;; ++taken) {
    for (; node->is("arith.extf") || node->is("arith.truncf");
         node = node->operands[0])
      if (node->is("arith.truncf") && !sum.loops.empty())
        sum.narrowed.push_back(node->type);
    SmallVector<std::pair<Node *, int>> sums;
    if (!innermost && taken != limit &&
        (node->is("arith.addf") || node->is("arith.subf")) &&
        collectSums(node, 1, isOwn, sums)) {
      SmallVector<Linear> loops;
      Node *first = sums.front().first;
      for (auto [loop, extent] : view.reductionLoops(first))
        loops.push_back(substituted(
            view.getSpace().loop(first->op, loop, extent), replace));
      if (Node *joined = joinedSums(view, loops, sums)) {
        sum.loops.append(loops.begin(), loops.end());
        node = view.full(joined);
        continue;
      }
    }
    SmallVector<Factor> factors;
    double constant = 1;
    collectFactors(node, false, factors, constant);
    auto owns = [&](const Factor &factor) {
      Node *inner = stripCasts(factor.node);
      return inner->kind == Node::Reduce && inner->combiner == Combiner::Add &&
             isa<FloatType>(inner->type) && isOwn(inner);
    };
    auto *own = llvm::find_if(factors, owns);
    if (taken == limit || own == factors.end() ||
        llvm::count_if(factors, owns) != 1 || own->inverse) {
      sum.summand = node;
      return innermost ? std::nullopt : std::optional<MemberSum>(sum);
    }
    Node *reduce = stripCasts(own->node, &sum.narrowed);
    SmallVector<Linear> loops;
    for (auto [loop, extent] : view.reductionLoops(reduce))
      loops.push_back(
          substituted(view.getSpace().loop(reduce->op, loop, extent), replace));
    Node *body = view.body(reduce, loops);
    if (!body)
      return std::nullopt;
    sum.loops.append(loops.begin(), loops.end());
    factors.erase(own);
    if (constant != 1)
      factors.push_back({view.floatValue(reduce->type, constant), false});
    for (const Factor &factor : factors)
      sum.factors.push_back({factor.node, factor.inverse});
    node = view.full(body);
    if (reduce->op == innermost) {
      sum.summand = node;
      return sum;
    }
  }
}

std::optional<MemberSum> JointMatch::read(const JointMember &member, Value root,
                                          const Substitution &replace) {
  return readSums(
      view, root, replace,
      [&](Node *reduce) {
        return llvm::any_of(member.roots, [&](Value part) {
          return part.getDefiningOp() == reduce->op;
        });
      },
      member.op);
}

std::optional<MemberSum> JointMatch::readGradient(Value root,
                                                  const Substitution &replace,
                                                  unsigned limit) {
  return readSums(
      view, root, replace,
      [&](Node *reduce) {
        return reduce->op != products->op && reduce->op != scores->op;
      },
      nullptr, limit);
}

/// True if no loops but the match's are left.
bool JointMatch::overLoops(const MemberSum &sum) {
  DenseSet<Atom> used;
  insertAtoms(sum.rootIndices, used);
  insertAtoms(sum.loops, used);
  return llvm::all_of(used, [&](Atom atom) { return fixed.contains(atom); });
}

std::optional<MemberSum> JointMatch::aligned(const JointMember &member,
                                             Value root, MemberKind kind) {
  // What the member reads beside the probabilities.
  Node *other = kind == MemberKind::Output      ? forward.value
                : kind == MemberKind::ValueGrad ? outputGrad
                : kind == MemberKind::QueryGrad ? forward.key
                                                : forward.query;
  Substitution replace;
  auto sum = read(member, root, replace);
  if (!sum || !align(sum->summand, replace))
    return std::nullopt;
  sum = read(member, root, replace);
  if (!sum)
    return std::nullopt;
  if (alignLeaves(sum->summand, other, replace))
    sum = read(member, root, replace);
  if (sum && kind == MemberKind::ValueGrad && !overLoops(*sum) &&
      alignUnread(*sum, replace))
    sum = read(member, root, replace);
  return sum && overLoops(*sum) ? sum : std::nullopt;
}

/// Where dO is the same for all value loops, nothing that dV reads tells them
/// from others: one of them may be left over.
bool JointMatch::alignUnread(const MemberSum &sum, Substitution &replace) {
  auto isKnown = [&](const Linear &index) {
    return llvm::all_of(index.terms,
                        [&](auto term) { return fixed.contains(term.first); });
  };
  DenseSet<Atom> used;
  SmallVector<Linear> own, canonical;
  for (const Linear &index : sum.rootIndices)
    if (isKnown(index))
      insertAtoms(index, used);
    else
      own.push_back(index);
  for (const Linear &index : valueLoops)
    if (llvm::none_of(index.terms,
                      [&](auto term) { return used.contains(term.first); }))
      canonical.push_back(index);
  return own.size() == 1 && canonical.size() == 1 &&
         unify(own, canonical, replace);
}

std::optional<MemberSum> JointMatch::alignedGradient(Value root, Node *like,
                                                     unsigned limit) {
  Substitution replace;
  auto sum = readGradient(root, replace, limit);
  if (!sum || !(like ? alignLeaves(sum->summand, like, replace)
                     : align(sum->summand, replace)))
    return std::nullopt;
  sum = readGradient(root, replace, limit);
  return sum && overLoops(*sum) ? sum : std::nullopt;
}

/// own = canonical, solved for the atoms of `own` that are neither the match's
/// nor in the substitution yet.
bool JointMatch::unify(ArrayRef<Linear> own, ArrayRef<Linear> canonical,
                       Substitution &replace) {
  IndexSpace &space = view.getSpace();
  for (auto [left, right] : llvm::zip_equal(own, canonical)) {
    Linear rest = right;
    SmallVector<std::pair<int64_t, Atom>> unknown;
    rest.constant -= left.constant;
    for (auto [atom, coefficient] : left.terms) {
      auto it = replace.find(atom);
      if (fixed.contains(atom))
        rest.addTerm(atom, -coefficient);
      else if (it != replace.end())
        rest.add(it->second, -coefficient);
      else
        unknown.push_back({coefficient, atom});
    }
    llvm::sort(unknown);
    int64_t stride = 1;
    for (auto [i, entry] : llvm::enumerate(unknown)) {
      auto [coefficient, atom] = entry;
      if (coefficient <= 0 || coefficient % stride != 0)
        return false;
      // What lies below this atom's stride belongs to the ones before.
      auto parts = space.divide(rest, coefficient / stride);
      if (!parts)
        return false;
      if (i == 0 ? !(parts->second == Linear())
                 : !space.asMixedRadix(parts->second, coefficient / stride))
        return false;
      if (i != 0)
        replace[unknown[i - 1].second] = parts->second;
      rest = parts->first;
      stride = coefficient;
    }
    if (unknown.empty()) {
      if (!(rest == Linear()))
        return false;
      continue;
    }
    replace[unknown.back().second] = rest;
    for (auto [coefficient, atom] : unknown)
      if (!space.asMixedRadix(replace[atom], space.size(atom)))
        return false;
  }
  return true;
}

/// The scores inside an expression.
Node *JointMatch::scoresIn(Node *expression) {
  SmallVector<Node *> work{expression};
  DenseSet<Node *> seen;
  while (!work.empty()) {
    Node *node = work.pop_back_val();
    if (!seen.insert(node).second)
      continue;
    if (node->kind == Node::Reduce && node->op == scores->op)
      return node;
    llvm::append_range(work, node->operands);
  }
  return nullptr;
}

bool JointMatch::align(Node *summand, Substitution &replace) {
  Node *own = scoresIn(summand);
  return own && unify(own->indices, scores->indices, replace);
}

/// Finds the rest of a value's loops in what it reads as an operand does.
bool JointMatch::alignLeaves(Node *summand, Node *operand,
                             Substitution &replace) {
  auto leaves = [&](Node *root) {
    SmallVector<Node *> work{view.full(root)}, result;
    DenseSet<Node *> seen;
    while (!work.empty()) {
      Node *node = work.pop_back_val();
      if (!seen.insert(node).second)
        continue;
      if (node->kind == Node::Access || node->kind == Node::Table ||
          node->kind == Node::Reduce)
        result.push_back(node);
      llvm::append_range(work, node->operands);
    }
    return result;
  };
  bool any = false;
  SmallVector<Node *> canonical = leaves(operand);
  for (Node *own : leaves(summand))
    for (Node *other : canonical) {
      if (own->kind != other->kind || own->value != other->value ||
          own->attr != other->attr || own->op != other->op ||
          own->role != other->role)
        continue;
      Substitution attempt = replace;
      if (own != other && unify(own->indices, other->indices, attempt)) {
        replace = attempt;
        any = true;
      }
    }
  return any;
}
