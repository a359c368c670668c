//===- LaunchSites.h - the kernel launches of a module ----------*- C++ -*-===//
//
// What can be told of a module in the phase "gpu" (attn/GPU/KernelABI.h) before
// its host code is compiled: which operand each parameter of a kernel points
// to, and, where shapes are static, the launch manifest of its entry function.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_LAUNCHSITES_H
#define ATTN_RUNTIME_LAUNCHSITES_H

#include "attn/Runtime/EntryPoint.h"
#include "attn/Runtime/IoCounter.h"
#include "attn/Runtime/LaunchDevice.h"
#include "attn/Support/LaunchManifest.h"

namespace mlir::attn {

/// What a parameter of a kernel points to; no name: not a pointer.
struct KernelOperand {
  std::string name; ///< "Q", "K", ..., else "operand3"
  unsigned elementBytes = 0;
};
using KernelOperands = llvm::StringMap<std::vector<KernelOperand>>;

/// By kernel, one entry per parameter.
KernelOperands findKernelOperands(ModuleOp module);

/// Elements that launches moved, by operand, summed over kernels.
std::vector<IoRecord> countIo(llvm::ArrayRef<LaunchRecord> launches,
                              const KernelOperands &operands);

/// Calls the counted buffers what the kernels' operands are called.
void nameBuffers(std::vector<LaunchRecord> &launches,
                 const KernelOperands &operands);

/// How to run the kernels that function `entry` launches without its host code.
/// An error where host code does more than launch them, or a size is not
/// constant.
llvm::Expected<::attn::LaunchManifest> buildManifest(ModuleOp module,
                                                     StringRef entry);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_LAUNCHSITES_H
