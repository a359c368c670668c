//===- PointSums.h - gradients that are sums over points ----------*- C++
//-*-===//
#ifndef ATTN_LIB_GPU_POINTSUMS_H
#define ATTN_LIB_GPU_POINTSUMS_H

#include "RowTerms.h"

namespace mlir::attn {

/// Launches a kernel that writes the gradient of the sink: -exp(sink - lse) D,
/// summed over the rows that share an element.
void sumSinkGradient(AttentionBackwardOp op, const ::attn::Target &target,
                     StringRef name, RowTerms terms, bool raw);

/// Launches a kernel that writes the gradient of the extra that is number
/// `index` of `differentiate`: summed over all rows and keys at which an
/// element is read.
void sumExtraGradient(AttentionBackwardOp op, const ::attn::Target &target,
                      StringRef name, RowTerms terms, unsigned index);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_POINTSUMS_H
