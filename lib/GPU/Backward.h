//===- Backward.h - the kernels of a backward ---------------------*- C++
//-*-===//
#ifndef ATTN_LIB_GPU_BACKWARD_H
#define ATTN_LIB_GPU_BACKWARD_H

#include "Kernel.h"

namespace mlir::attn {

/// Replaces an attention_backward on memrefs by kernels and their launches;
/// their number. Emits an error where the target or the op is not one that
/// kernels are written for.
FailureOr<unsigned> lowerBackward(AttentionBackwardOp op,
                                  const ::attn::Target &target);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_BACKWARD_H
