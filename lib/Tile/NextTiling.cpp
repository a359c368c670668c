//===- NextTiling.cpp - the second choice ---------------------------------===//
#include "attn/Tile/NextTiling.h"
#include "attn/CostModel/Select.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"

using namespace mlir;
using namespace mlir::attn;

/// Registers per thread, as the model expects them.
static int64_t registersOf(const ::attn::RankedTiling &entry) {
  const ::attn::LevelUse *use = entry.footprint.find("registers per thread");
  return use ? use->used : 0;
}

FailureOr<bool> mlir::attn::takeNextTiling(ScoreOpInterface op) {
  FailureOr<::attn::Target> target = getTarget(op);
  if (failed(target))
    return failure();
  TilingAttr attr = op.getTilingAttr();
  if (!attr)
    return false;
  ::attn::Problem problem = getProblem(op);
  llvm::Expected<std::vector<::attn::RankedTiling>> ranked =
      ::attn::rankTilings(problem, *target, /*top=*/SIZE_MAX);
  if (!ranked)
    return op->emitOpError() << llvm::toString(ranked.takeError());
  llvm::append_range(*ranked, ::attn::rankSpareTilings(problem, *target));
  // An op without row dims poses a problem of one row.
  bool oneRow = inferRoles(op).row.empty();
  auto toOp = [&](::attn::Tiling tiling) {
    if (oneRow)
      tiling.queryBlock.clear();
    return toAttribute(op->getContext(), tiling);
  };
  auto current = llvm::find_if(
      *ranked, [&](const auto &entry) { return toOp(entry.tiling) == attr; });
  if (current == ranked->end())
    return false;
  auto next = std::find_if(current + 1, ranked->end(), [&](const auto &entry) {
    return registersOf(entry) <= registersOf(*current);
  });
  if (next == ranked->end())
    return false;
  op->setAttr("tiling", toOp(next->tiling));
  return true;
}
