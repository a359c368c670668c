//===- JointGroups.cpp - the sums around a score contraction --------------===//
#include "Joint.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<JointGroup>
mlir::attn::findJointGroups(ArrayRef<SumOfProducts> sums) {
  llvm::MapVector<Operation *, JointGroup> groups;
  DenseSet<Operation *> consumed;
  for (const SumOfProducts &sum : sums) {
    if (!sum.scores)
      continue;
    consumed.insert(sum.rowsAndPoints.begin(), sum.rowsAndPoints.end());
    JointGroup &group = groups[sum.scores];
    group.scores = cast<linalg::LinalgOp>(sum.scores);
    linalg::LinalgOp op = sum.op;
    group.members.push_back(
        {op, rootsOf(op->getResult(0), true), !sum.rowsAndPoints.empty()});
  }
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
