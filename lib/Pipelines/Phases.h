//===- Phases.h - the passes of each phase ----------------------*- C++ -*-===//
//
// A file per kind of upstream headers, which take longer to read than all else
// in them takes to compile.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_PIPELINES_PHASES_H
#define ATTN_LIB_PIPELINES_PHASES_H

#include "attn/Pipelines/Pipelines.h"

namespace mlir::attn {

/// input: matchers see linalg only, in one function.
void addInputPhase(OpPassManager &pm);

/// What every road to buffers needs first: elementwise arith on tensors and
/// aggregated ops have no bufferization or loop lowering of their own.
void addBufferize(OpPassManager &pm, bool destinations);

/// vector: buffers, and vector code in the place of a tile's ops.
void addVectorPhase(OpPassManager &pm, const PipelineOptions &options);

/// gpu: kernels as tile programs, and host code that launches them.
void addGpuPhase(OpPassManager &pm);

/// kernels: what runs on the device, in the LLVM dialect.
void addKernelsPhase(OpPassManager &pm);

/// host: kernels are text, their launches have copies around them.
void addHostPhase(OpPassManager &pm);

/// Buffers and structured ops to the LLVM dialect.
void addLowerToLLVM(OpPassManager &pm, bool parallel);

} // namespace mlir::attn

#endif // ATTN_LIB_PIPELINES_PHASES_H
