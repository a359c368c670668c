//===- Forward.h - the forward kernel -----------------------------*- C++
//-*-===//
#ifndef ATTN_LIB_GPU_FORWARD_H
#define ATTN_LIB_GPU_FORWARD_H

#include "Kernel.h"

namespace mlir::attn {

/// Replaces an attention on memrefs by a kernel and its launch. Emits an error
/// where the target or the op is not one that kernels are written for.
LogicalResult lowerForward(AttentionOp op, const ::attn::Target &target);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_FORWARD_H
