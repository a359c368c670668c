//===- CpuSpec.h - the processor that CPU code is for -----------*- C++ -*-===//
//
// The cost model's table says how fast a CPU is; here is what LLVM calls it,
// and whether this machine can run its code.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_CPUSPEC_H
#define ATTN_RUNTIME_CPUSPEC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::attn {

/// Where CPU code is to run. The empty CPU is this machine with all it has.
struct CpuSpec {
  std::string triple, cpu, features;
};

/// Makes LLVM's backends known, once in the life of the process and from any
/// thread; whatever asks LLVM for a target calls this first.
void initializeTargets();

/// The processor of a name of the cost model's target table, or of a target
/// file, whose code is for this machine; an error for GPUs and unknown names.
llvm::Expected<CpuSpec> getCpuSpec(llvm::StringRef target);

/// An error that names the first feature of `spec` which this machine lacks.
/// `target` is what the user called it.
llvm::Error checkRunsHere(const CpuSpec &spec, llvm::StringRef target);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_CPUSPEC_H
