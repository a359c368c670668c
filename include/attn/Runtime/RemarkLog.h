//===- RemarkLog.h - remarks kept for a report ------------------*- C++ -*-===//
//
// Everything that passes say through MLIR's remark engine, as plain records, so
// that a tool can list what was fused and what was declined, and why.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_REMARKLOG_H
#define ATTN_RUNTIME_REMARKLOG_H

#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::attn {

struct RemarkRecord {
  std::string kind;     ///< "Passed", "Missed", "Failure", "Analysis"
  std::string name;     ///< of the decision
  std::string category; ///< of the pass
  std::string location; ///< "file.mlir:6:8"
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string text; ///< the whole remark on one line

  /// The value of an argument, or "".
  StringRef lookup(StringRef key) const;
};

using RemarkLog = std::vector<RemarkRecord>;

/// Makes the context's remark engine append to `log`.
LogicalResult recordRemarks(MLIRContext &context,
                            std::shared_ptr<RemarkLog> log);

/// "file.mlir:6:8" where the location has a file in it, else MLIR's spelling.
std::string formatLocation(Location location);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_REMARKLOG_H
