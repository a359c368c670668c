//===- Reduce.h - a smaller file that still shows the thing -----*- C++ -*-===//
//
// Takes a module apart op by op for as long as a script still finds it
// interesting (exit code 1, as mlir-reduce has it). What is tried:
//
//   leave out     a function that nobody calls
//   return sooner an op whose result is returned: its operand is returned
//                 instead, so that what follows the thing goes
//   pass through  an op becomes one of its operands of the same type
//   forget        an op's result becomes a zero
//
// on halves of a function's ops first, then on ever smaller parts, until a
// round over single ops changes nothing. Candidates are verified, so the script
// sees valid IR only. The result is not the smallest one, but no single step
// makes it smaller.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_TOOLS_REDUCE_H
#define ATTN_TOOLS_REDUCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::attn {

struct ReduceReport {
  unsigned before = 0, after = 0; ///< ops
  unsigned runs = 0;              ///< of the script
};

/// Reduces `module`. `script` is called with the path of a candidate. An error
/// where it cannot be run, or the whole module is not interesting.
llvm::Expected<ReduceReport> reduce(OwningOpRef<ModuleOp> &module,
                                    llvm::StringRef script);

} // namespace mlir::attn

#endif // ATTN_TOOLS_REDUCE_H
