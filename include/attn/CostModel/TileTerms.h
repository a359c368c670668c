//===- TileTerms.h - Products of f32 by a unit for bf16 ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix unit multiplies bf16 (8 bits of significand) and adds in f32. An f32
// (24 bits) is the exact sum of three bf16, each the rest of those before it,
// rounded: x = hi + mid + lo, |mid| <= 2^-8 |x|, |lo| <= 2^-16 |x|. Of the nine
// products of parts of x and y three are left out,
//
//     |mid lo| + |lo mid| + |lo lo| <= (2^-23 + 2^-32) |x y|,
//
// about what rounding x y to f32 would change. An f16 (11 bits) is the sum of
// two, and no product is left out. Henry, Tang, Heinecke: Leveraging the
// bfloat16 Artificial Intelligence Datatype For Higher-Precision Computations
// (2019).
//
// Products are exact and sums are those of f32, so that the result is as good
// as that of multiply-adds, but for very small numbers: the unit takes
// subnormal ones for 0. A part of x below 2^-126 is lost (the lowest one if x
// is below about 2^-110), and so is a product of parts below it: an error of at
// most 2^-126 (|x| + |y| + 6) a product.
//
// Infinities. Were inf its own first part, products of it with other parts of
// y, which may be 0, would be NaN. It has to meet a part of y that is 0 for
// y = 0 alone, the first one, and the other way round:
//
//     f32   hi = +-1, mid = 0, lo = +-inf; lo is multiplied with hi alone, and
//           inf inf is (+-1) inf + inf (+-1)
//     f16   the first part is stored twice: as it is, to be multiplied with
//           itself, and as 0 where x is not finite, for the other products
//
// NaN is NaN in the same places. inf 0 is NaN, as it should be; inf y is too
// where y is subnormal.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TILETERMS_H
#define ATTN_COSTMODEL_TILETERMS_H

#include "attn/CostModel/Problem.h"

namespace attn {

/// A part of the left operand times one of the right operand.
struct TileTerm {
  int64_t left, right;
};

/// A product as a sum of products of parts. Neighbours share a part where they
/// can: it is loaded once.
struct TileTerms {
  int64_t leftParts = 0, rightParts = 0;
  llvm::ArrayRef<TileTerm> terms;
};

/// Of two operands of this type: one term for bf16, six for f32, four for f16;
/// none for others. `bounded`: the right one is known to be at most about 1, or
/// NaN.
const TileTerms &tileTerms(ElementType type, bool bounded = false);

/// Steps of a unit along k, and half of one.
constexpr int64_t kStepDepth = 32, kHalfStep = 16;

/// How operands of many terms lie along a depth that both know. First their
/// parts, one behind the other, each of whole steps. What is left of each, if
/// no more than half a step, shares steps with that of the next term: behind
/// the parts lie, for each two terms, the left operand's ends of theirs, and
/// the right operand's of theirs.
struct TileDepth {
  TileDepth() = default;
  TileDepth(int64_t depth, const TileTerms &terms)
      : end(terms.terms.size() % 2 == 0 ? depth % kStepDepth : 0) {
    if (end > kHalfStep)
      end = 0;
    part = (depth - end + kStepDepth - 1) / kStepDepth * kStepDepth;
    pairs = end ? int64_t(terms.terms.size()) / 2 : 0;
  }

  int64_t end = 0;   ///< elements of a part that lie behind all
  int64_t part = 0;  ///< of a part without: whole steps
  int64_t pairs = 0; ///< of ends

  /// The first element of a pair of ends, behind so many parts; the second
  /// one's lies half a step further.
  int64_t pair(int64_t parts, int64_t number) const {
    return parts * part + number * kStepDepth;
  }
  /// Elements of an operand of so many parts.
  int64_t size(int64_t parts) const { return pair(parts, pairs); }
  /// Steps of a product.
  int64_t steps(const TileTerms &terms) const {
    return part / kStepDepth * int64_t(terms.terms.size()) + pairs;
  }
};

} // namespace attn

#endif // ATTN_COSTMODEL_TILETERMS_H
