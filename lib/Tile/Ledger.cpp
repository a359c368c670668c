//===- Ledger.cpp - what one attention of a file will move ----------------===//
#include "attn/Tile/Ledger.h"
#include "attn/CostModel/Blocks.h"
#include "attn/CostModel/Roofline.h"
#include "attn/CostModel/Select.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"

using namespace mlir;
using namespace mlir::attn;
namespace json = llvm::json;

/// An integer while JSON's readers take it exactly, else its digits.
static json::Value toJson(::attn::Count count) {
  if (count <= INT64_MAX)
    return static_cast<int64_t>(count);
  return ::attn::toString(count);
}

static json::Object operandsOf(const ::attn::Traffic &traffic) {
  llvm::StringMap<std::pair<::attn::Count, ::attn::Count>> sums;
  for (const ::attn::TrafficRow &row : traffic.rows) {
    auto &[read, written] = sums[::attn::countedName(row)];
    read += row.read;
    written += row.written;
  }
  json::Object operands;
  for (const auto &entry : sums)
    operands[entry.getKey().str()] =
        json::Object{{"read", toJson(entry.getValue().first)},
                     {"write", toJson(entry.getValue().second)}};
  return operands;
}

FailureOr<json::Object> mlir::attn::getLedger(ScoreOpInterface op) {
  TilingAttr attr = op.getTilingAttr();
  if (!attr)
    return op->emitOpError("expected a tiling: run attn-select-tiling first");
  FailureOr<::attn::Target> target = getTarget(op);
  if (failed(target))
    return failure();
  ::attn::Problem problem = getProblem(op);
  ::attn::Tiling tiling = fromAttribute(attr);
  // A problem without row dims has one row.
  if (tiling.queryBlock.empty())
    tiling.queryBlock.push_back(1);
  ::attn::Accounting accounting =
      tiling.order == ::attn::Order::QueryOuter ? ::attn::Accounting::QOuter
      : target->isGpu() ? usesAtomics(attr) ? ::attn::Accounting::OneSweep
                                            : ::attn::Accounting::TwoSweeps
                        : ::attn::Accounting::KvOuter;
  ::attn::Traffic traffic = ::attn::computeTraffic(problem, accounting, tiling);
  ::attn::Work work = ::attn::computeWork(problem, accounting, tiling);
  ::attn::Roofline roof =
      ::attn::computeRoofline(work, traffic.bytes(), problem.type, *target);
  ::attn::BlockCounts blocks = ::attn::countBlocks(problem, tiling);
  double bytes = ::attn::toDouble(traffic.bytes());

  json::Object ledger{
      {"accounting", ::attn::toString(accounting)},
      {"direction", ::attn::toString(problem.direction)},
      {"target", target->name},
      {"tiling", ::attn::toString(tiling)},
      {"assumed", llvm::any_of(staticSizes(op), ShapedType::isDynamic)},
      {"blocks", json::Object{{"visited", toJson(blocks.visited)},
                              {"total", toJson(blocks.total)},
                              {"at_most", problem.hidesUnknown()}}},
      {"elements", toJson(traffic.elements())},
      {"bytes", toJson(traffic.bytes())},
      {"flops", toJson(work.matrix)},
      {"exponentials", toJson(work.exponential)},
      {"intensity", bytes > 0 ? ::attn::toDouble(work.matrix) / bytes : 0.0},
      {"time_ms", roof.seconds * 1e3},
      {"bound", roof.bound()},
      {"resource", ::attn::toString(roof.resource)},
      {"operands", operandsOf(traffic)}};
  if (::attn::Surcharge surcharge = ::attn::computeSurcharge(problem, tiling);
      surcharge.blocks)
    ledger["surcharge"] =
        json::Object{{"blocks", toJson(surcharge.blocks)},
                     {"elements", toJson(surcharge.traffic.elements())},
                     {"bytes", toJson(surcharge.traffic.bytes())},
                     {"operands", operandsOf(surcharge.traffic)}};
  bool hasKernel =
      target->isGpu() ? tiling.gpu.has_value() : tiling.cpu.has_value();
  if (!hasKernel)
    return ledger;
  ledger["predicted_ms"] =
      ::attn::predictSeconds(problem, tiling, *target) * 1e3;
  json::Object footprint;
  for (const ::attn::LevelUse &use :
       ::attn::computeFootprint(problem, tiling, *target).levels)
    footprint[use.level] =
        json::Object{{"used", use.used}, {"limit", use.limit}};
  ledger["footprint"] = std::move(footprint);
  return ledger;
}
