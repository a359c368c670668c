//===- TuningGrid.h - The tilings that tuning times -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model's pick is judged against the best of a grid that does not ask
// the model: wider than the one selection chooses from, with tilings that are
// poor on purpose (a block of 16 keys, a register block of one row), so that a
// model which cannot tell good from bad is seen. On a CPU it is
//
//   blocks      query block x key block, in the order of the direction
//   orders      some of them in the other order
//   registers   some of them with each other register block
//   splits      some of them with the keys in 2, 3, 4, 8 parts
//
// where "some" are four blocks in the middle of the grid; where a problem has
// so few rows or keys that fewer than 60 remain, every block has every split
// and register block, up to 90 in all.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TUNINGGRID_H
#define ATTN_COSTMODEL_TUNINGGRID_H

#include "attn/CostModel/Target.h"
#include "attn/CostModel/Tiling.h"

namespace attn {

/// The grid for `problem` on `target`, without tilings that pass a hard limit
/// and without repetitions, in a fixed order. On a GPU it is the grid of
/// selection.
std::vector<Tiling> tuningGrid(const Problem &problem, const Target &target);

} // namespace attn

#endif // ATTN_COSTMODEL_TUNINGGRID_H
