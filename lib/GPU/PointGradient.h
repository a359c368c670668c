//===- PointGradient.h - the softmax's part of a gradient ---------*- C++
//-*-===//
//
// From the score and weight of one row and key, the row's terms (RowTerms.h)
// and dO . v, the gradients that enter the score region's vector-Jacobian
// product (attn/Support/Algebra.h).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_POINTGRADIENT_H
#define ATTN_LIB_GPU_POINTGRADIENT_H

#include "Scores.h"

namespace mlir::attn {

struct PointInput {
  ScoreEmitter::Scores x; ///< the score as kept (Scores.h), and the weight
  Value shift, delta;     ///< of the row; delta may be null if gradient is
  Value gradient;         ///< dO . v; null if only P is asked for
  Value seen, exists;     ///< null: yes
};

struct PointGradient {
  Value weighted;      ///< P z
  Value score, weight; ///< dX and dZ; null if not asked for, or no weight
};

PointGradient computePoint(KernelEmit &b, AttentionBackwardOp op,
                           const Scores &scores, const PointInput &input);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_POINTGRADIENT_H
