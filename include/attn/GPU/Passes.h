//===- Passes.h - from attention to GPU kernels -------------------*- C++
//-*-===//
#ifndef ATTN_GPU_PASSES_H
#define ATTN_GPU_PASSES_H

#include "attn/GPU/AttnGPU.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
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
