//===- Model.h - Predicted times, inside the cost model ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_COSTMODEL_MODEL_H
#define ATTN_LIB_COSTMODEL_MODEL_H

#include "attn/CostModel/Footprint.h"

namespace attn {

/// What a mask does to an average row, from a few rows of it.
struct MaskShape {
  double visibleKeys = 0; ///< keys an average row sees
  double share = 1;       ///< of those, what a block-sparse mask shows
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

/// The order in which the compiler runs a direction.
Order orderFor(const Problem &problem);

/// A CPU's query block of `rows` rows against `keys` keys, at most, in the
/// order of the direction, with the register block that its products run best
/// in: what the grids of selection and of tuning are made of.
Tiling cpuTiling(const Problem &problem, const Target &target, int64_t rows,
                 int64_t keys);

/// Every tiling of the grid that is chosen from on this kind of machine.
std::vector<Tiling> selectionGrid(const Problem &problem, const Target &target);

double predictCpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask);
double predictGpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask,
                         const Footprint &footprint);

} // namespace attn

#endif // ATTN_LIB_COSTMODEL_MODEL_H
