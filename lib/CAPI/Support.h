//===- Support.h - what the C API's files share -----------------*- C++ -*-===//
#ifndef ATTN_LIB_CAPI_SUPPORT_H
#define ATTN_LIB_CAPI_SUPPORT_H

#include "attn-c/Support.h"
#include "attn/Runtime/Diagnostics.h"
#include <initializer_list>
#include <utility>

struct AttnError {
  std::vector<mlir::attn::DiagnosticRecord> records;
  std::string message;
};

namespace mlir::attn {

/// A copy for the caller.
AttnString toOwnedString(llvm::StringRef text);

/// An error that names the first of these pointers that is null.
llvm::Error requirePointers(
    std::initializer_list<std::pair<const char *, const void *>> pointers);

/// Makes *out of `error`, unless `out` is null. Returns false.
bool report(llvm::Error error, AttnError **out);

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_SUPPORT_H
