//===- Sweeps.h - The two sweeps of a backward on a GPU ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a GPU a backward is two sweeps over rows and keys, which share nothing:
//
//   key sweep   thread arrays own key blocks and walk rows: dK and dV, in two
//               kernels where registers do not hold both, or the tiling keeps
//               them apart
//   row sweep   thread arrays own query blocks and walk keys: dQ
//
// A tiling gives the blocks of the key sweep: `key_block` holds the warps x
// rows_per_warp keys that a thread array owns, `query_block` the rows that it
// walks at a time. The row sweep has the same numbers with rows and keys
// exchanged.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_SWEEPS_H
#define ATTN_COSTMODEL_SWEEPS_H

#include "attn/CostModel/Tiling.h"

namespace attn {

/// Points of a block that the warps of a thread array share out: rows, in the
/// backward keys.
int64_t ownBlockSize(const Problem &problem, const Tiling &tiling);

/// The blocks of the row sweep of a backward's tiling.
Tiling rowSweep(const Tiling &tiling);

/// Do registers hold dK and dV of a warp's keys together, beside S and dP of a
/// block, and does the tiling let them? `depth` and `value` are the head dims.
bool holdsKeySums(int64_t depth, int64_t value, const Tiling &tiling);

} // namespace attn

#endif // ATTN_COSTMODEL_SWEEPS_H
