//===- Requirements.h - what kernels are written for --------------*- C++
//-*-===//
#ifndef ATTN_LIB_GPU_REQUIREMENTS_H
#define ATTN_LIB_GPU_REQUIREMENTS_H

#include "attn/CostModel/Target.h"
#include "attn/IR/AttnDialect.h"

namespace mlir::attn {

/// Emits an error at the op that says which condition stops it.
LogicalResult checkRequirements(ScoreOpInterface op,
                                const ::attn::Target &target);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_REQUIREMENTS_H
