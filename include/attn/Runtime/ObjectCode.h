//===- ObjectCode.h - LLVM IR, objects and libraries for CPUs ---*- C++ -*-===//
//
// What the JIT does in memory, into files: a module in the LLVM dialect becomes
// an object or a shared library for a CPU target. The exported functions keep
// their names and have a C interface (`_mlir_ciface_NAME`) where the module
// asks for one; whatever else is internal.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_OBJECTCODE_H
#define ATTN_RUNTIME_OBJECTCODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::attn {

/// Where CPU code is to run. The empty CPU is this machine with all it has.
struct CpuSpec {
  std::string triple, cpu, features;
};

/// The processor of a name of the cost model's target table; an error for GPUs
/// and unknown names.
llvm::Expected<CpuSpec> getCpuSpec(llvm::StringRef target);

/// The bytes of an optimised object file.
llvm::Expected<std::string>
compileToObject(ModuleOp module, llvm::ArrayRef<std::string> exported,
                const CpuSpec &spec);

/// The bytes of a shared library, linked by the system's compiler driver.
llvm::Expected<std::string>
compileToSharedLibrary(ModuleOp module, llvm::ArrayRef<std::string> exported,
                       const CpuSpec &spec);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_OBJECTCODE_H
