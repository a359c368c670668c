//===- BFloat16Support.h - conversions that a CPU has no instruction for --===//
//
// Where a CPU cannot round to bf16, LLVM calls the compiler's runtime library,
// which neither the JIT nor an older C compiler's link brings. These are its
// two functions, in the module itself.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_RUNTIME_BFLOAT16SUPPORT_H
#define ATTN_LIB_RUNTIME_BFLOAT16SUPPORT_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::attn {

/// Defines __truncsfbf2 and __truncdfbf2 (round to nearest, ties to even) in a
/// module with bf16 for a machine that lacks the instructions.
void addBFloat16Support(llvm::Module &module,
                        const llvm::TargetMachine &machine);

} // namespace mlir::attn

#endif // ATTN_LIB_RUNTIME_BFLOAT16SUPPORT_H
