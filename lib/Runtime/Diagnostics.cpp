//===- Diagnostics.cpp - errors kept instead of printed -------------------===//
#include "attn/Runtime/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

std::string DiagnosticRecord::text() const {
  std::string place = file;
  if (!file.empty() && line != 0)
    place += ":" + std::to_string(line) + ":" + std::to_string(column);
  return (place.empty() ? "" : place + ": ") + severity + ": " + message;
}

static StringRef spell(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("every severity has a name");
}

DiagnosticRecord mlir::attn::errorAt(Location location, std::string message) {
  DiagnosticRecord record;
  record.severity = "error";
  record.message = std::move(message);
  if (auto place = location->findInstanceOf<FileLineColLoc>()) {
    record.file = place.getFilename().str();
    record.line = place.getLine();
    record.column = place.getColumn();
  }
  return record;
}

static DiagnosticRecord toRecord(Diagnostic &diagnostic) {
  DiagnosticRecord record = errorAt(diagnostic.getLocation(), diagnostic.str());
  record.severity = spell(diagnostic.getSeverity()).str();
  return record;
}

DiagnosticLog::DiagnosticLog(MLIRContext *context,
                             std::vector<DiagnosticRecord> &records)
    : ScopedDiagnosticHandler(context) {
  setHandler([&records](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      return failure();
    records.push_back(toRecord(diagnostic));
    for (Diagnostic &note : diagnostic.getNotes())
      records.push_back(toRecord(note));
    return success();
  });
}

char LocatedError::ID;

void LocatedError::log(raw_ostream &os) const {
  llvm::interleave(
      records, os, [&](const DiagnosticRecord &record) { os << record.text(); },
      "\n");
}

LogicalResult mlir::attn::emitTo(Location location, llvm::Error error) {
  MLIRContext *context = location.getContext();
  llvm::handleAllErrors(
      std::move(error),
      [&](const LocatedError &located) {
        for (const DiagnosticRecord &record : located.getRecords())
          emitError(record.file.empty()
                        ? location
                        : FileLineColLoc::get(context, record.file, record.line,
                                              record.column),
                    record.message);
      },
      [&](const llvm::ErrorInfoBase &other) {
        emitError(location, other.message());
      });
  return failure();
}

void mlir::attn::printError(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [](const LocatedError &located) { llvm::errs() << located.message(); },
      [](const llvm::ErrorInfoBase &other) {
        llvm::WithColor::error() << other.message();
      });
  llvm::errs() << '\n';
}

std::error_code LocatedError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}
