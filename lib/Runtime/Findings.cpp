//===- Findings.cpp - what the compiler found in a file -------------------===//
#include "attn/Runtime/Findings.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Ledger.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::attn;
namespace json = llvm::json;

static AttentionRecord describeAttention(ScoreOpInterface score) {
  AttentionRecord record;
  record.location = formatLocation(score.getLoc());
  Roles roles = inferRoles(score);
  SmallVector<int64_t> sizes =
      staticSizes(cast<IndexedOpInterface>(score.getOperation()));
  auto add = [&](StringRef role, ArrayRef<unsigned> dims) {
    std::vector<int64_t> extents;
    for (unsigned dim : dims)
      extents.push_back(sizes[dim]);
    record.extents.emplace_back(role.str(), std::move(extents));
  };
  add("batch", roles.batch);
  add("row", roles.row);
  add("key", roles.key);
  add("depth", roles.depth);
  add("value", roles.value);
  llvm::raw_string_ostream(record.dtype)
      << getElementTypeOrSelf(score.getQuery().getType());
  if (TilingAttr tiling = score.getTilingAttr()) {
    llvm::raw_string_ostream(record.tiling) << tiling;
    if (FailureOr<llvm::json::Object> ledger = getLedger(score);
        succeeded(ledger))
      record.ledger = std::move(*ledger);
  }
  record.masked = static_cast<bool>(score.getVisibleAttr());
  record.backward = isa<AttentionBackwardOp>(score);
  return record;
}

std::vector<AttentionRecord> mlir::attn::findAttentions(ModuleOp module) {
  std::vector<AttentionRecord> records;
  module->walk([&](ScoreOpInterface op) {
    // What recomputes a log-sum-exp is a part of the backward.
    bool recomputes = isa<AttentionOp>(op) &&
                      !isa<FunctionOpInterface>(op->getParentOp()) &&
                      op->getResult(0).use_empty();
    if (choosesTiling(op) && !recomputes)
      records.push_back(describeAttention(op));
  });
  return records;
}

/// A reason reads "O7 name: text", or G3: the obligation comes first.
std::vector<DeclinedRecord> mlir::attn::findDeclined(const RemarkLog &remarks) {
  std::vector<DeclinedRecord> records;
  for (const RemarkRecord &remark : remarks) {
    if (remark.kind != "Missed")
      continue;
    StringRef reason = remark.lookup("Reason");
    DeclinedRecord record{remark.location, "", reason.str()};
    auto [obligation, text] = reason.split(' ');
    if (obligation.size() > 1 && StringRef("OG").contains(obligation[0]) &&
        llvm::all_of(obligation.drop_front(), llvm::isDigit)) {
      record.obligation = obligation.str();
      record.reason = text.str();
    }
    records.push_back(std::move(record));
  }
  return records;
}

static json::Value toJsonExtents(const AttentionRecord &attention) {
  json::Object extents;
  for (const auto &[role, sizes] : attention.extents) {
    json::Array values;
    for (int64_t size : sizes)
      values.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                   : json::Value(size));
    extents[role] = std::move(values);
  }
  return extents;
}

json::Object AttentionRecord::toJson() const {
  return json::Object{
      {"loc", location},
      {"direction", backward ? "bwd" : "fwd"},
      {"extents", toJsonExtents(*this)},
      {"dtype", dtype},
      {"tiling", tiling.empty() ? json::Value(nullptr) : json::Value(tiling)},
      {"ledger", ledger}};
}

json::Object DeclinedRecord::toJson() const {
  return json::Object{
      {"loc", location}, {"obligation", obligation}, {"reason", reason}};
}
