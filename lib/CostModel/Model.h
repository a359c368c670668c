//===- Model.h - Predicted times, inside the cost model ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_COSTMODEL_MODEL_H
#define ATTN_LIB_COSTMODEL_MODEL_H

#include "attn/CostModel/Footprint.h"
#include <algorithm>

namespace attn {

/// What a mask does to an average row, from a few rows of it.
struct MaskShape {
  double visibleKeys = 0; ///< keys an average row sees
  double edges = 0; ///< ends of its runs of keys that lie inside of [0, N)

  /// Keys of the blocks that a query block of `rows` rows and key blocks of
  /// `keys` keys visits. Each edge moves by a key per row and is rounded out to
  /// a block. Query blocks begin at multiples of `rows`, so what is rounded
  /// away is a multiple of g = gcd(rows, keys): from 0 to keys - g, each as
  /// often.
  double visitedKeys(int64_t rows, int64_t keys, double extent) const;
  /// Of those, the keys of blocks that an edge goes through.
  double edgeKeys(int64_t rows, int64_t keys, double extent) const;
};

MaskShape sampleMask(const Problem &problem);

/// `size` elements as a block of the last dims: whole trailing dims first.
template <typename Vector>
Vector fillBlock(llvm::ArrayRef<int64_t> extents, int64_t size) {
  Vector block(extents.size(), 1);
  for (size_t i = extents.size(); i-- > 0 && size > 1;) {
    block[i] = std::clamp<int64_t>(extents[i], 1, size);
    size /= block[i];
  }
  return block;
}

/// The order in which the compiler runs a direction.
Order orderFor(const Problem &problem);

/// Every tiling of the grid that is chosen from on this kind of machine.
std::vector<Tiling> selectionGrid(const Problem &problem, const Target &target);

double predictCpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask);
double predictGpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask,
                         const Footprint &footprint);

} // namespace attn

#endif // ATTN_LIB_COSTMODEL_MODEL_H
