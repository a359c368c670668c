//===- Support.cpp - strings and errors of the C API ----------------------===//
#include "Support.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::attn;

const char *attnGetVersion(void) { return ATTN_VERSION; }

AttnString mlir::attn::toOwnedString(llvm::StringRef text) {
  auto *data = static_cast<char *>(std::malloc(text.size() + 1));
  if (!data)
    return {nullptr, 0};
  std::memcpy(data, text.data(), text.size());
  data[text.size()] = 0;
  return {data, text.size()};
}

void attnStringFree(AttnString string) { std::free(string.data); }

llvm::Error mlir::attn::requirePointers(
    std::initializer_list<std::pair<const char *, const void *>> pointers) {
  for (auto [name, pointer] : pointers)
    if (!pointer)
      return llvm::createStringError(llvm::Twine(name) +
                                     ": expected a pointer, got null");
  return llvm::Error::success();
}

bool mlir::attn::report(llvm::Error error, AttnError **out) {
  auto *result = new AttnError;
  llvm::handleAllErrors(
      std::move(error),
      [&](const LocatedError &located) {
        llvm::append_range(result->records, located.getRecords());
      },
      [&](const llvm::ErrorInfoBase &other) {
        DiagnosticRecord record;
        record.severity = "error";
        record.message = other.message();
        result->records.push_back(std::move(record));
      });
  for (const DiagnosticRecord &record : result->records)
    result->message += (result->message.empty() ? "" : "\n") + record.text();
  if (out)
    *out = result;
  else
    delete result;
  return false;
}

const char *attnErrorGetMessage(const AttnError *error) {
  return error ? error->message.c_str() : "";
}

size_t attnErrorGetNumDiagnostics(const AttnError *error) {
  return error ? error->records.size() : 0;
}

AttnDiagnostic attnErrorGetDiagnostic(const AttnError *error, size_t index) {
  if (!error || index >= error->records.size())
    return {"", "", 0, 0, ""};
  const DiagnosticRecord &record = error->records[index];
  return {record.severity.c_str(), record.file.c_str(), record.line,
          record.column, record.message.c_str()};
}

void attnErrorDestroy(AttnError *error) { delete error; }
