//===- NextTiling.cpp - the second choice ---------------------------------===//
#include "attn/Tile/NextTiling.h"
#include "attn/CostModel/Select.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"

using namespace mlir;
using namespace mlir::attn;

FailureOr<bool> mlir::attn::takeNextTiling(ScoreOpInterface op) {
  FailureOr<::attn::Target> target = getTarget(op);
  if (failed(target))
    return failure();
  TilingAttr attr = op.getTilingAttr();
  if (!attr)
    return false;
  llvm::Expected<std::vector<::attn::RankedTiling>> ranked =
      ::attn::rankTilings(getProblem(op), *target, /*top=*/SIZE_MAX);
  if (!ranked)
    return op->emitOpError() << llvm::toString(ranked.takeError());
  // An op without row dims poses a problem of one row.
  bool oneRow = inferRoles(op).row.empty();
  auto toOp = [&](::attn::Tiling tiling) {
    if (oneRow)
      tiling.queryBlock.clear();
    return toAttribute(op->getContext(), tiling);
  };
  for (size_t i = 0; i + 1 < ranked->size(); ++i) {
    if (toOp((*ranked)[i].tiling) != attr)
      continue;
    op->setAttr("tiling", toOp((*ranked)[i + 1].tiling));
    return true;
  }
  return false;
}
