//===- Uses.cpp - who else needs the scores -------------------------------===//
#include "Rewrite.h"

using namespace mlir;
using namespace mlir::attn;

/// Everything computed from the contraction must end in a root or in nothing:
/// then all of it dies with the roots.
bool mlir::attn::checkNoOtherUse(Match &match, ArrayRef<Operation *> roots,
                                 ArrayRef<Value> kept, Operation **used) {
  Block *block = roots.front()->getBlock();
  SmallVector<Operation *> work{match.contraction->op};
  DenseSet<Operation *> cone{match.contraction->op};
  if (match.contraction->op->getBlock() != block)
    return match.fail(Obligation::NoOtherUse,
                      "the scores are computed in another block");
  auto escapes = [&](Operation *op, Operation *user) {
    if (used)
      *used = op;
    return match.fail(Obligation::NoOtherUse,
                      Twine("the scores or probabilities are also used by ") +
                          user->getName().getStringRef());
  };
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor)
        return escapes(op, user);
      if (llvm::is_contained(roots, ancestor) || !cone.insert(ancestor).second)
        continue;
      if (ancestor->hasTrait<OpTrait::IsTerminator>() ||
          !isMemoryEffectFree(ancestor))
        return escapes(op, user);
      work.push_back(ancestor);
    }
  }
  for (Value value : kept)
    if (Operation *def = value.getDefiningOp(); def && cone.contains(def))
      return match.fail(Obligation::NoOtherUse,
                        "a part of the score is computed from all scores");
  return true;
}

void mlir::attn::eraseDead(Operation *op, DenseSet<Operation *> &erased) {
  SetVector<Operation *> work;
  work.insert(op);
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    SmallVector<Value> operands(next->getOperands());
    next->walk([&](Operation *inner) {
      llvm::append_range(operands, inner->getOperands());
    });
    SmallVector<Operation *> defs;
    for (Value operand : operands)
      if (Operation *def = operand.getDefiningOp())
        if (!next->isAncestor(def))
          defs.push_back(def);
    erased.insert(next);
    next->erase();
    for (Operation *def : defs)
      work.insert(def);
  }
}
