//===- Passes.h - from attention to GPU kernels ------------------*- C++-*-===//
#ifndef ATTN_GPU_PASSES_H
#define ATTN_GPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/GPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "attn/GPU/Passes.h.inc"

/// From tile programs to kernels in the LLVM dialect: attn-distribute-to-nvvm
/// and the upstream conversions that follow it, nested on gpu.module. What is
/// left to do: gpu-to-llvm on the host code and gpu-module-to-binary. Also a
/// registered pipeline, `attn-gpu-kernels`.
void addGpuKernelLowering(OpPassManager &pm);
void registerGpuKernelLowering();

} // namespace mlir::attn

#endif // ATTN_GPU_PASSES_H
