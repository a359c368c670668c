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

#include "attn/Runtime/CpuSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::attn {

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
