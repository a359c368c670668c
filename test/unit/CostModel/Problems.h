//===- Problems.h - Problems that the cost model's tests share --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_COSTMODEL_PROBLEMS_H
#define ATTN_TEST_COSTMODEL_PROBLEMS_H

#include "attn/CostModel/Tiling.h"

namespace attn::test {

/// One head, dims (batch, m, n).
inline Problem head(int64_t m, int64_t n, int64_t d,
                    Direction direction = Direction::Forward) {
  Problem problem;
  problem.batch = {1};
  problem.rows = {m};
  problem.keys = {n};
  problem.depth = problem.value = d;
  problem.direction = direction;
  return problem;
}

inline Problem square(int64_t n, int64_t d,
                      Direction direction = Direction::Forward) {
  return head(n, n, d, direction);
}

inline Visible causalMask() {
  AffineSet set;
  set.constraints.push_back({Expr::dim(1) - Expr::dim(2)});
  return Visible(3, 3, set);
}

/// Causal, and no more than w keys back.
inline Visible windowMask(int64_t w) {
  AffineSet set;
  set.constraints.push_back({Expr::dim(1) - Expr::dim(2)});
  set.constraints.push_back({Expr::dim(2) - Expr::dim(1) + (w - 1)});
  return Visible(3, 3, set);
}

inline Tiling blocks(int64_t br, int64_t bc) {
  Tiling tiling;
  tiling.queryBlock = {br};
  tiling.keyBlock = {bc};
  return tiling;
}

} // namespace attn::test

#endif // ATTN_TEST_COSTMODEL_PROBLEMS_H
