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

/// All of them, in the order in which they are tried.
static SmallVector<const ::attn::RankedTiling *>
inOrderOfTrial(ArrayRef<::attn::RankedTiling> ranked) {
  SmallVector<const ::attn::RankedTiling *> order, passedOver;
  for (const ::attn::RankedTiling &entry : ranked) {
    bool fewer =
        order.empty() || registersOf(entry) <= registersOf(*order.back());
    (fewer ? order : passedOver).push_back(&entry);
  }
  llvm::append_range(order, passedOver);
  return order;
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
  SmallVector<TilingAttr> order; // what is listed twice is tried once
  for (const ::attn::RankedTiling *entry : inOrderOfTrial(*ranked))
    if (TilingAttr tiling = toOp(entry->tiling);
        !llvm::is_contained(order, tiling))
      order.push_back(tiling);
  auto current = llvm::find(order, attr);
  if (current == order.end() || current + 1 == order.end())
    return false;
  op->setAttr("tiling", *(current + 1));
  return true;
}
