//===- Diagnostics.h - errors kept instead of printed -----------*- C++ -*-===//
//
// A library may not print: what passes and parsers say goes into a log, which
// whoever called turns into an exception or a message of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_DIAGNOSTICS_H
#define ATTN_RUNTIME_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::attn {

struct DiagnosticRecord {
  std::string severity; ///< "error", "warning", "note", "remark"
  std::string file;     ///< empty where the location has no file in it
  unsigned line = 0, column = 0;
  std::string message;

  /// "file.mlir:6:8: error: message".
  std::string text() const;
};

/// An error at the place of `location`, if it has one.
DiagnosticRecord errorAt(Location location, std::string message);

/// Takes a context's diagnostics for as long as it lives; notes follow what
/// they belong to. Remarks are left to the next handler.
class DiagnosticLog : public ScopedDiagnosticHandler {
public:
  DiagnosticLog(MLIRContext *context, std::vector<DiagnosticRecord> &records);
};

/// What went wrong, as diagnostics with places in the input where they are
/// known.
class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static char ID;
  explicit LocatedError(std::vector<DiagnosticRecord> records)
      : records(std::move(records)) {}
  llvm::ArrayRef<DiagnosticRecord> getRecords() const { return records; }
  /// One diagnostic a line.
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::vector<DiagnosticRecord> records;
};

/// Reports an error as diagnostics of the context: those of a LocatedError at
/// their places, any other at `location`. Returns failure.
LogicalResult emitTo(Location location, llvm::Error error);

/// Prints an error to stderr, as a tool does: "error: ..." or diagnostics with
/// their places.
void printError(llvm::Error error);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_DIAGNOSTICS_H
