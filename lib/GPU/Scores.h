//===- Scores.h - the score region on fragments -------------------*- C++
//-*-===//
//
// A block of scores comes out of the product raw: s' = q . k. What a softmax
// makes of it depends on the region:
//
//   - identity and scale > 0: s' is kept, the maximum is one of s', and
//     scale log2(e) is the factor of the exponential's one FMA. A mask makes
//     -inf of a hidden s'.
//   - anything else: x = region(scale s') is computed first, and the
//   exponential
//     is of (x - reference) log2(e): no product with x, which overflows for the
//     largest finite fills.
//   - a constant: the score of every key that is seen (hidden = replace(c)).
//
// References are in natural units. Where raw scores are kept, a row has a shift
// instead: the reference in log2 units, negated, which the FMA adds.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_SCORES_H
#define ATTN_LIB_GPU_SCORES_H

#include "Mask.h"

namespace mlir::attn {

Value exp2(KernelEmit &b, Value x);
Value log2(KernelEmit &b, Value x);
Value reciprocal(KernelEmit &b, Value x);

class Scores {
public:
  /// `extras` in order: a buffer, or (null pointer) the scalar.
  struct Extra {
    DeviceBuffer buffer;
    Value scalar;
  };
  /// `fill` is the score of a hidden key.
  Scores(KernelEmit &b, const Geometry &geometry, ScoreOpInterface op,
         ArrayRef<Extra> extras, double fill, std::optional<double> constant);

  /// Is a score kept as the product gave it? `finiteFill`: a hidden key has a
  /// score.
  static bool keepsRaw(ScoreOpInterface op, bool finiteFill);
  /// What one unit of a kept score is in natural units.
  double unit() const { return raw ? op.getScaleValue() : 1.0; }
  bool isConstant() const { return constant.has_value(); }

  /// Kept scores of the block of keys from `key` on, masked where some key of
  /// it is hidden or does not exist.
  Value keep(Mask &mask, Value product, Value key);
  /// exp(score - reference), and times the weight, if any, what is
  /// multiplied with V. `level` is the reference, or the shift of raw scores.
  struct Probabilities {
    Value sum, product;
  };
  Probabilities probabilities(Value kept, Value product, Value level,
                              Value key);

  // One element, for what computes more from it.
  bool isRaw() const { return raw; }
  bool isWeighted() const { return weighted; }
  /// The point of a fragment's element in the block of keys from `key` on.
  Point pointOf(Value row, Value column, Value key, Value &keyIndex) const;
  ScoreEmitter emitter(const Point &point) const;
  /// The region at a point. Rows (and keys, if asked for) that do not exist
  /// read the extras of the last one that does. `values` maps the region's
  /// values to the emitted ones.
  ScoreEmitter::Scores apply(Value product, Point point, Value key,
                             bool clampKey, IRMapping &values);

private:
  ScoreEmitter::Scores apply(Value product, Point point, Value key,
                             bool clampKey) {
    IRMapping values;
    return apply(product, std::move(point), key, clampKey, values);
  }
  Value element(const Extra &extra, const Point &point) const;

  KernelEmit &b;
  const Geometry &geometry;
  mutable ScoreOpInterface op;
  SmallVector<Extra> extras;
  double fill;
  std::optional<double> constant;
  bool raw, weighted;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_SCORES_H
