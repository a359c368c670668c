//===- Findings.h - what the compiler found in a file -----------*- C++ -*-===//
//
// The attentions of a module that were fused, with the tiling each got and the
// cost model's account of it, and the candidates that were declined and why:
// plain records and their JSON, for whoever reports on a compilation.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_FINDINGS_H
#define ATTN_RUNTIME_FINDINGS_H

#include "attn/Runtime/RemarkLog.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::attn {

struct AttentionRecord {
  std::string location;
  /// The size of each role's dims, e.g. {"row": [4, 64]}; null: dynamic.
  std::vector<std::pair<std::string, std::vector<int64_t>>> extents;
  std::string dtype;
  std::string tiling; ///< as IR prints it; empty if none was chosen
  /// The cost model's account of it (attn/Tile/Ledger.h); null without a
  /// tiling.
  llvm::json::Value ledger = nullptr;
  bool masked = false;
  bool backward = false; ///< of gradients

  llvm::json::Object toJson() const;
};

struct DeclinedRecord {
  std::string location, obligation, reason;

  llvm::json::Object toJson() const;
};

/// The attentions and their backwards in `module`, which is in the phase
/// "attn", in order.
std::vector<AttentionRecord> findAttentions(ModuleOp module);

/// The remarks that say "Missed".
std::vector<DeclinedRecord> findDeclined(const RemarkLog &remarks);

/// A list of records as JSON.
template <typename Records> llvm::json::Array toJsonList(const Records &list) {
  llvm::json::Array array;
  for (const auto &record : list)
    array.push_back(record.toJson());
  return array;
}

} // namespace mlir::attn

#endif // ATTN_RUNTIME_FINDINGS_H
