//===- JointGroups.cpp - the sums around a score contraction --------------===//
#include "Candidates.h"
#include "Joint.h"
#include "Operand.h"
#include "Thresholds.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// The contractions that a summand depends on.
struct Contractions {
  SetVector<Node *> inExponentials, outside;
};
/// What a sum of products is fed by.
struct Feeding {
  Operation *scores = nullptr;
  SmallVector<Operation *> rowsAndPoints; // sums over none but score loops
};
} // namespace

static bool isExponential(const Node *node) {
  return node->is("math.exp") || node->is("math.exp2");
}

static void collect(Node *node, bool inside, DenseSet<Node *> (&seen)[2],
                    Contractions &found) {
  if (!seen[inside].insert(node).second)
    return;
  if (isContraction(node))
    (inside ? found.inExponentials : found.outside).insert(node);
  for (Node *operand : node->operands)
    collect(operand, inside || isExponential(node), seen, found);
}

/// The only scores that are exponentiated, and the other contractions that have
/// no loops but theirs: dO V^T, and sums over the keys.
static Feeding feeding(View &view, const Contractions &found) {
  Feeding result;
  SmallVector<Atom> atoms;
  for (Node *node : found.inExponentials) {
    if (result.scores && result.scores != node->op)
      return {};
    result.scores = node->op;
    atoms = atomsOf(node);
  }
  for (Node *node : found.outside)
    if (node->op != result.scores &&
        llvm::all_of(atomsOf(node), [&](Atom atom) {
          return llvm::is_contained(atoms, atom);
        }))
      result.rowsAndPoints.push_back(node->op);
  return result;
}

static Feeding feedingOf(linalg::LinalgOp op) {
  IndexSpace space;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    space.reset();
    View view(space, op.getContext());
    Node *sum = sumBehind(
        view.access(op->getResult(0), indicesOf(space, op->getResult(0))));
    SmallVector<Atom> loops;
    Node *body = sum ? bodyOf(view, sum, loops) : nullptr;
    Contractions found;
    DenseSet<Node *> seen[2];
    if (body)
      collect(view.full(body), false, seen, found);
    if (!space.needsRestart())
      return feeding(view, found);
  }
  return {};
}

SmallVector<JointGroup> mlir::attn::findJointGroups(Operation *root) {
  llvm::MapVector<Operation *, JointGroup> groups;
  DenseSet<Operation *> consumed;
  root->walk([&](linalg::LinalgOp op) {
    if (!sumsProducts(op))
      return;
    Feeding found = feedingOf(op);
    if (!found.scores)
      return;
    consumed.insert(found.rowsAndPoints.begin(), found.rowsAndPoints.end());
    JointGroup &group = groups[found.scores];
    group.scores = cast<linalg::LinalgOp>(found.scores);
    group.members.push_back(
        {op, rootsOf(op->getResult(0), true), !found.rowsAndPoints.empty()});
  });
  SmallVector<JointGroup> result;
  for (auto &[scores, group] : groups) {
    // A row sum of products is a part of other members.
    llvm::erase_if(group.members, [&](const JointMember &member) {
      return consumed.contains(member.op);
    });
    if (llvm::any_of(group.members, [](const JointMember &member) {
          return member.hasGradient;
        }))
      result.push_back(std::move(group));
  }
  return result;
}
