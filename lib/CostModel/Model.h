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
  double edges = 0; ///< ends of its runs of keys that lie inside of [0, N)

  /// Keys of the blocks that a query block of `rows` rows and key blocks of
  /// `keys` keys visits: each edge moves by a key per row and is rounded out to
  /// a block, so on average it costs half of both.
  double visitedKeys(double rows, double keys, double extent) const;
};

MaskShape sampleMask(const Problem &problem);

double predictCpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask);
double predictGpuSeconds(const Problem &problem, const Tiling &tiling,
                         const Target &target, const MaskShape &mask,
                         const Footprint &footprint);

} // namespace attn

#endif // ATTN_LIB_COSTMODEL_MODEL_H
