//===- AttnGPU.h - the attn_gpu dialect ---------------------------*- C++
//-*-===//
//
// Types and ops of a kernel's tile program: what one warp does with fragments
// in its registers and tiles in shared memory. AttnGPUOps.td tells what each of
// them means; KernelABI.h how kernels are launched.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_GPU_ATTNGPU_H
#define ATTN_GPU_ATTNGPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "attn/GPU/AttnGPUDialect.h.inc"
#include "attn/GPU/AttnGPUEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "attn/GPU/AttnGPUAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "attn/GPU/AttnGPUTypes.h.inc"
#define GET_OP_CLASSES
#include "attn/GPU/AttnGPUOps.h.inc"

namespace mlir::attn_gpu {

/// Threads of a warp, and lanes that share a row of a fragment.
inline constexpr int64_t kWarpSize = 32;
inline constexpr int64_t kLanesPerRow = 4;

} // namespace mlir::attn_gpu

#endif // ATTN_GPU_ATTNGPU_H
