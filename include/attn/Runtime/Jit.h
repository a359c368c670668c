//===- Jit.h - compile an LLVM-dialect module and call into it --*- C++ -*-===//
//
// A thin layer over upstream's ExecutionEngine that settles, in one place, what
// running compiled attention needs: the host's CPU and features, the -O3
// pipeline with the host's cost model, one copy of each function (only the
// packed wrappers stay visible), the allocator hooks of AllocationLog.h, and
// failed run-time assertions as errors instead of a dead process.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_JIT_H
#define ATTN_RUNTIME_JIT_H

#include "attn/Runtime/Optimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
class ExecutionEngine;
}

namespace mlir::attn {

class CompiledModule {
public:
  /// Compiles `module` (LLVM dialect) for the CPU that its attn.target names,
  /// or for this machine; an error where this machine lacks a feature of that
  /// CPU. `symbols` are further functions that the code may call, by name.
  static llvm::Expected<std::unique_ptr<CompiledModule>>
  create(ModuleOp module, Unrolling unrolling = Unrolling::AsWritten,
         const llvm::StringMap<void *> &symbols = {});
  ~CompiledModule();

  /// A function as the engine's wrapper offers it: an array of pointers to
  /// the arguments, the pointer to the result last.
  using PackedFunction = void (*)(void **);
  llvm::Expected<PackedFunction> lookup(llvm::StringRef name) const;

private:
  explicit CompiledModule(std::unique_ptr<ExecutionEngine> engine);
  std::unique_ptr<ExecutionEngine> engine;
};

/// Calls a compiled function. A failed assertion of the program (cf.assert)
/// becomes an error that carries its message; what it had allocated is lost.
llvm::Error callCompiled(CompiledModule::PackedFunction function, void **args);

/// The number of threads that compiled code may use from now on; 0 keeps the
/// default (all cores). Returns the number in force.
unsigned setNumThreads(unsigned threads);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_JIT_H
