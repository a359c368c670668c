//===- PointGradient.cpp - the softmax's part of a gradient ---------------===//
#include "PointGradient.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

/// What P's exponential is of; x is the score, or what hiding made of it.
static Value exponent(KernelEmit &b, const Scores &scores, Value x,
                      Value shift) {
  if (scores.isRaw())
    return math::FmaOp::create(
        b, x, b.f32(llvm::numbers::log2e * scores.unit()), shift);
  Value natural = arith::SubFOp::create(b, x, shift);
  return arith::MulFOp::create(b, natural, b.f32(llvm::numbers::log2e));
}

PointGradient mlir::attn::computePoint(KernelEmit &b, AttentionBackwardOp op,
                                       const Scores &scores,
                                       const PointInput &input) {
  const auto &[x, shift, delta, gradient, seen, exists] = input;
  bool skips = op.getHidden().isSkip();
  double fill = skips ? -std::numeric_limits<double>::infinity()
                      : op.getHidden().getValue().getValueAsDouble();
  Value zero = b.f32(0);
  Value score = seen ? b.select(seen, x.score, b.f32(fill)) : x.score;
  Value p = exp2(b, exponent(b, scores, score, shift));
  if (exists)
    p = b.select(exists, p, zero);
  PointGradient result;
  result.weighted = p;
  if (x.weight)
    result.weighted = arith::MulFOp::create(b, p, x.weight);
  if (!gradient)
    return result;

  Value dP = gradient;
  if (x.weight)
    dP = arith::MulFOp::create(b, dP, x.weight);
  Value dX = arith::MulFOp::create(b, p, arith::SubFOp::create(b, dP, delta));
  // Nothing flows through a hidden key's score, except the NaN of a row whose
  // mask was added.
  Value flows = seen;
  if (seen && skips && op.getEmptyRows() == EmptyRows::NaN)
    flows = b.either(seen, arith::CmpFOp::create(b, arith::CmpFPredicate::UNO,
                                                 shift, shift));
  Value passes = b.both(flows, exists);
  result.score = passes ? b.select(passes, dX, zero) : dX;
  if (x.weight)
    result.weight = arith::MulFOp::create(b, p, gradient);
  return result;
}
