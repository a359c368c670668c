//===- RunKernels.h - run kernels that come as PTX --------------*- C++ -*-===//
//
// What `attn-run --ptx=F --manifest=F` does: no compiler, only launches. The
// manifest (attn/Support/LaunchManifest.h, docs/Manifest.md) says what the PTX
// leaves open; where the two disagree, or the arrays fit neither, nothing runs.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_RUNKERNELS_H
#define ATTN_RUNTIME_RUNKERNELS_H

#include "attn/Runtime/Run.h"

namespace mlir::attn {

struct KernelRequest {
  std::string ptx, manifest;
  std::string args; ///< empty: seeded inputs
  std::string save, executor;
  bool timed = false;
  unsigned timedRuns = 1;
  unsigned threads = 0;
};

/// Fills the report's executor, kernels, io (by operand, in elements), checks
/// and time: a device's own between two events, where it has a clock.
RunStatus runKernels(const KernelRequest &request, RunReport &report);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_RUNKERNELS_H
