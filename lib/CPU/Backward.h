//===- Backward.h - lowering of attn.online_backward --------------*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_BACKWARD_H
#define ATTN_LIB_CPU_BACKWARD_H

#include "Online.h"

namespace mlir::attn {

/// Replaces the op on memrefs by vector code. Errors are reported at the op.
LogicalResult lowerBackward(OnlineBackwardOp op, Lowering &lowering);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_BACKWARD_H
