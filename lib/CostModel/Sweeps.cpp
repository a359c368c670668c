//===- Sweeps.cpp - The two sweeps of a backward on a GPU -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Sweeps.h"
#include <algorithm>

using namespace attn;

/// Registers of a thread for sums and for a block's S and dP: what is left of
/// 255 is for addresses and fragments.
static constexpr int64_t sumRegisters = 208;
static constexpr int64_t warpSize = 32;

int64_t attn::ownBlockSize(const Problem &problem, const Tiling &tiling) {
  return problem.direction == Direction::Backward ? tiling.keyBlockSize()
                                                  : tiling.queryBlockSize();
}

Tiling attn::rowSweep(const Tiling &tiling) {
  Tiling sweep = tiling;
  sweep.order = Order::QueryOuter;
  std::fill(sweep.keyBlock.begin(), sweep.keyBlock.end(), 1);
  if (!sweep.keyBlock.empty())
    sweep.keyBlock.back() = ceilDiv(tiling.queryBlockSize(), 16) * 16;
  if (sweep.queryBlock.empty())
    return sweep;
  // More rows or fewer of the last dim.
  int64_t own = tiling.gpu ? tiling.gpu->warps * tiling.gpu->rowsPerWarp
                           : tiling.keyBlockSize();
  int64_t leading = tiling.queryBlockSize() / sweep.queryBlock.back();
  if (own % leading != 0) {
    std::fill(sweep.queryBlock.begin(), sweep.queryBlock.end(), 1);
    leading = 1;
  }
  sweep.queryBlock.back() = own / leading;
  return sweep;
}

bool attn::holdsKeySums(int64_t depth, int64_t value, const Tiling &tiling) {
  if (tiling.gpu->apart)
    return false;
  auto padded = [](int64_t columns) {
    return std::max<int64_t>(16, ceilDiv(columns, 16) * 16);
  };
  int64_t block = std::max<int64_t>(16, tiling.queryBlockSize());
  int64_t columns = padded(depth) + padded(value) + 2 * block;
  return tiling.gpu->rowsPerWarp * columns / warpSize <= sumRegisters;
}
