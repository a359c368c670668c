//===- JointAlign.cpp - members over the loops of the scores --------------===//
//
// Each member is read at indices of its own, and what it reads of the scores
// says which of them are the scores' loops. The loop that is left, of depth or
// value, is found in the operand that it indexes.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"
#include "Joint.h"

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

namespace {
/// Takes a member apart into the sum, what multiplies it, and what it sums.
class MemberReader {
public:
  MemberReader(View &view, const JointMember &member,
               const Substitution &replace)
      : view(view), member(member), replace(replace) {
    for (Value root : member.roots)
      chain.insert(root.getDefiningOp());
  }

  std::optional<MemberSum> read(Value root) {
    sum.root = root;
    for (const Linear &own : indicesOf(view.getSpace(), root))
      sum.rootIndices.push_back(substituted(own, replace));
    Node *node = view.access(root, sum.rootIndices);
    while (true) {
      reduce = nullptr;
      if (!collect(view.full(node), false) || !reduce)
        return std::nullopt;
      SmallVector<Linear> loops;
      for (auto [loop, extent] : view.reductionLoops(reduce)) {
        Linear own = view.getSpace().loop(reduce->op, loop, extent);
        loops.push_back(substituted(own, replace));
      }
      sum.loops.append(loops.begin(), loops.end());
      node = view.body(reduce, loops);
      if (!node)
        return std::nullopt;
      if (reduce->op == member.op)
        break;
    }
    sum.summand = view.full(node);
    return sum;
  }

private:
  /// Splits a product into the one sum of the chain and the other factors.
  bool collect(Node *node, bool inverse) {
    if (node->is("arith.extf") || node->is("arith.truncf"))
      return collect(node->operands[0], inverse);
    if (node->is("arith.mulf") || node->is("arith.divf"))
      return collect(node->operands[0], inverse) &&
             collect(node->operands[1],
                     node->is("arith.divf") ? !inverse : inverse);
    if (node->kind == Node::Reduce && node->combiner == Combiner::Add &&
        chain.contains(node->op)) {
      if (reduce || inverse)
        return false;
      reduce = node;
      return true;
    }
    sum.factors.push_back({node, inverse});
    return true;
  }

  View &view;
  const JointMember &member;
  const Substitution &replace;
  DenseSet<Operation *> chain;
  MemberSum sum;
  Node *reduce = nullptr;
};
} // namespace

std::optional<MemberSum> JointMatch::read(const JointMember &member, Value root,
                                          const Substitution &replace) {
  return MemberReader(view, member, replace).read(root);
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

/// Finds the rest of a member's loops in what it reads of an operand.
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
