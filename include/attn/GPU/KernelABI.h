//===- KernelABI.h - what host code sees of a kernel --------------*- C++
//-*-===//
//
// attn-lower-to-gpu leaves two things: kernels in the gpu.module
// `attention_kernels`, which carries the target
//
//     gpu.module @attention_kernels [#nvvm.target<chip = "sm_80", O = 3>]
//
// and, in the place of each attention, host code that launches them:
//
//     %q = attn_gpu.address read %query : memref<2x512x64xf16>
//     ...
//     gpu.launch_func @attention_kernels::@main_attention
//       blocks in (%x, %y, %z) threads in (%t, %1, %1)
//       dynamic_shared_memory_size %bytes
//       args(%q : !llvm.ptr, ..., %n : i64)
//
// Launches run in order; a second one (merging key splits) reads what the first
// one wrote to scratch. Nothing is launched for an attention without results.
//
// Arguments. First one `!llvm.ptr` per buffer, in the order of the op's
// operands: Q, K, V, extras, sink, symbol tensors, blocks, O, log-sum-exp; then
// scratch. (Kernels of a backward name their buffers, see below.) It points to
// the element at index 0, comes from an attn_gpu.address, and nothing else uses
// the result of that op. Then scalars as i64, f32, ...: scalar extras and
// symbols in their own type (index as i64), and those of sizes, strides, origin
// and extents that are not constants of the IR, which constants in the IR are
// folded into. Kernels never go beyond the extents of the memrefs.
//
// Grid, block and shared bytes are constants in the IR where shapes are static,
// so that a manifest can be written from the launch alone (addresses tell the
// memrefs, and so types, extents, strides and where they come from).
//
// Memory. Buffers of the IR are host memory. What runs between the two worlds
// (copies around a launch, or nothing at all on shared memory) is decided by
// whoever replaces attn_gpu.address: its `access` says which way to copy. A
// scratch buffer is a memref.alloc used by nothing but addresses and a
// memref.dealloc.
//
// In the kernel, after attn-distribute-to-nvvm, parameters are exactly these;
// shared memory is dynamic only.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_GPU_KERNELABI_H
#define ATTN_GPU_KERNELABI_H

#include "llvm/ADT/StringRef.h"

namespace mlir::attn_gpu {

/// The gpu.module that holds all kernels of a module.
inline constexpr llvm::StringLiteral kKernelModuleName = "attention_kernels";

/// A string on an attn_gpu.address: what reports and the ledger call the
/// buffer. Without it, a kernel that reads its first three buffers reads Q, K
/// and V, and what a kernel writes is O, then LSE.
inline constexpr llvm::StringLiteral kOperandAttrName = "attn_gpu.operand";

} // namespace mlir::attn_gpu

#endif // ATTN_GPU_KERNELABI_H
