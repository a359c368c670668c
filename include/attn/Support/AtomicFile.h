//===- AtomicFile.h - Whole files in and out --------------------*- C++ -*-===//
//
// Output is written beside its destination and renamed over it: whatever goes
// wrong, the destination holds its old contents or all of the new ones. Errors
// name the path.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_ATOMICFILE_H
#define ATTN_SUPPORT_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace attn {

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);

llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef contents);

} // namespace attn

#endif // ATTN_SUPPORT_ATOMICFILE_H
