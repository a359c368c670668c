//===- Optimize.h - LLVM's optimiser as the project uses it -----*- C++ -*-===//
#ifndef ATTN_RUNTIME_OPTIMIZE_H
#define ATTN_RUNTIME_OPTIMIZE_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::attn {

/// Exporters' extents are small constants: unrolled in full, plain loops of a
/// whole model run up to twice as fast and take the code generator seconds.
/// Ours are written as they should run; a baseline that is timed deserves the
/// former.
enum class Unrolling { AsWritten, Full };

/// Runs LLVM's -O3 pipeline with the machine's cost model.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              Unrolling unrolling);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_OPTIMIZE_H
