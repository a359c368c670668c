//===- IoCounter.h - what instrumented code moved ---------------*- C++ -*-===//
//
// The runtime's side of attn-count-io: code that was instrumented calls
// `attn_count_io(operand, direction, elements)`, and the counts add up here,
// from whichever thread. The numbers of operands are listed with the pass.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_IOCOUNTER_H
#define ATTN_RUNTIME_IOCOUNTER_H

#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace mlir::attn {

/// Elements moved of one operand.
struct IoRecord {
  std::string operand; ///< "query", "key", ..., "extra0"
  int64_t read = 0, written = 0;
};

/// Sets all counts to zero.
void resetIoCounts();
/// The operands that were moved at all, in the order of their numbers.
std::vector<IoRecord> getIoCounts();
/// The function by the name that instrumented code calls it by.
void addIoSymbols(llvm::StringMap<void *> &symbols);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_IOCOUNTER_H
