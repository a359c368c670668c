//===- NextTiling.cpp - the second choice ---------------------------------===//
#include "attn/Tile/NextTiling.h"
#include "attn/CostModel/Select.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"

using namespace mlir;
using namespace mlir::attn;

/// All of them, in the order in which they are tried.
static SmallVector<const ::attn::RankedTiling *>
inOrderOfTrial(ArrayRef<::attn::RankedTiling> ranked) {
  SmallVector<const ::attn::RankedTiling *> order, passedOver;
  for (const ::attn::RankedTiling &entry : ranked) {
    bool fewer = order.empty() || entry.footprint.registers() <=
                                      order.back()->footprint.registers();
    (fewer ? order : passedOver).push_back(&entry);
  }
  llvm::append_range(order, passedOver);
  return order;
}

FailureOr<bool> mlir::attn::takeNextTiling(ScoreOpInterface op, bool toApart) {
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
  size_t firstApart = order.size();
  for (const ::attn::RankedTiling &entry :
       ::attn::rankApartTilings(problem, *target))
    if (TilingAttr tiling = toOp(entry.tiling);
        !llvm::is_contained(order, tiling))
      order.push_back(tiling);
  auto current = llvm::find(order, attr);
  if (current == order.end())
    return false;
  size_t next = current - order.begin() + 1;
  if (toApart)
    next = std::max(next, firstApart);
  if (next >= order.size())
    return false;
  op->setAttr("tiling", order[next]);
  return true;
}
