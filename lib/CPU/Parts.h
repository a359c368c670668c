//===- Parts.h - numbers as sums of bf16 ---------------------------*- C++
//-*-===//
//
// What a matrix unit for bf16 multiplies of wider types: their parts. Which
// there are and why their products are as good as those of the numbers is told
// in attn/CostModel/TileTerms.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_PARTS_H
#define ATTN_LIB_CPU_PARTS_H

#include "Emit.h"
#include "attn/CostModel/TileTerms.h"

namespace mlir::attn {

struct Parts {
  ::attn::ElementType type = ::attn::ElementType::F32; ///< F32 or F16
  /// At most about 1, or NaN: as the right operand of a bounded product.
  bool bounded = false;

  int64_t count() const { return ::attn::tileTerms(type, bounded).rightParts; }
};

/// The parts of x, an f32 or a vector of it (whose values are those of `parts`'
/// type), each as f32 whose upper half is the bf16: the lower half may hold
/// anything.
SmallVector<Value, 3> emitParts(Emit &b, Value x, Parts parts);

/// Upper halves as bf16.
Value emitUpperHalf(Emit &b, Value part);
/// Those of two vectors, behind each other.
Value emitUpperHalfOfBoth(Emit &b, Value first, Value second);
/// Upper halves of two, or of vectors of them, as one i32 each; the first one
/// is low.
Value emitUpperHalves(Emit &b, Value first, Value second);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_PARTS_H
