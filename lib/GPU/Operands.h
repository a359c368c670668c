//===- Operands.h - what scores are computed from -----------------*- C++
//-*-===//
//
// The operands that forward and backward share, as parameters of a kernel: Q,
// K, V, the region's extras, and what the mask is made of. Pointers come first,
// in the order that KernelABI.h tells, so a kernel adds its own in between.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_OPERANDS_H
#define ATTN_LIB_GPU_OPERANDS_H

#include "Scores.h"

namespace mlir::attn {

class ScoreOperands {
public:
  ScoreOperands(Kernel &kernel, ScoreOpInterface op) : kernel(kernel), op(op) {}

  void addInputs();     ///< pointers of Q, K, V and extras
  void addMask();       ///< pointers of symbol tensors and blocks
  void importScalars(); ///< after all pointers

  /// The op's symbols of the batch element at `point`, as index.
  SmallVector<Value> symbolValues(const Point &point) const;

  DeviceBuffer query, key, value;
  std::optional<DeviceBuffer> blocks;
  SmallVector<Scores::Extra> extras;

private:
  DeviceBuffer addAt(unsigned operand);
  SmallVector<Scores::Extra> addAll(OperandRange range);
  void finish(SmallVector<Scores::Extra> &list, OperandRange range);

  Kernel &kernel;
  mutable ScoreOpInterface op;
  SmallVector<Scores::Extra> symbols;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_OPERANDS_H
