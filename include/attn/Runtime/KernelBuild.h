//===- KernelBuild.h - PTX and cubin of a module's kernels ------*- C++ -*-===//
//
// Attentions that have their tilings become PTX, and machine code where
// NVIDIA's assembler is at hand. The cost model can only estimate registers;
// the assembler knows: where a kernel spills, its attention takes the tiling
// that ranks next of those with no larger estimate, and is built again. If all
// of them spill, the one that spills least stays: a warning, or under `strict`
// an error.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_KERNELBUILD_H
#define ATTN_RUNTIME_KERNELBUILD_H

#include "attn/Pipelines/Pipelines.h"
#include "attn/Runtime/Findings.h"
#include "attn/Runtime/LaunchSites.h"
#include "attn/Runtime/Ptxas.h"
#include "attn/Support/LaunchManifest.h"

namespace mlir::attn {

struct KernelBuild {
  std::string ptx; ///< empty: the module has no kernels
  /// Missing where no assembler was found.
  std::optional<Assembly> assembly;
  /// Its report: {target, chip, ptxas or not_checked, kernels: [...],
  /// attentions: [...]}; `launches` says why there are none where host code
  /// does more than launch.
  ::attn::LaunchManifest manifest;
  /// With the tilings that they were built with in the end.
  std::vector<AttentionRecord> attentions;
  KernelOperands operands;
};

/// Brings `module` from Phase::Attn to Phase::Host. `entry` is the function
/// that the manifest describes. Whatever goes wrong is a diagnostic.
FailureOr<KernelBuild> buildKernels(ModuleOp module, StringRef entry,
                                    const PipelineOptions &options);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_KERNELBUILD_H
