//===- Select.h - Tilings for a problem, best first -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates come from a small grid of block sizes, those that cannot launch
// (or overflow a soft limit while others do not) are dropped, and the rest are
// ordered by a predicted time:
//
//   CPU   cycles of the two (backward: five) block products with the register
//         block's ragged edges, of the softmax between them, of packing K and
//         of each block's fixed cost; all on one core's vector unit, so they
//         add. Cores share out the query blocks.
//   GPU   per warp and key tile, cycles of the tensor core, the issue port and
//         the exponential unit; they overlap between warps of one scheduler and
//         add up where there is only one. Multiprocessors share out the query
//         blocks in waves.
//
// Equal inputs give equal answers: no clock, no randomness, ties broken by the
// grid's order. Where the mask hides keys, the blocks visited are estimated
// from a few rows, so that selection takes microseconds at any length; exact
// counts are Blocks.h's.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_SELECT_H
#define ATTN_COSTMODEL_SELECT_H

#include "attn/CostModel/Footprint.h"

namespace attn {

struct RankedTiling {
  Tiling tiling;
  Footprint footprint;
  double seconds = 0; ///< predicted
};

/// At most `top` tilings, best first; never empty on success. Fails where no
/// tiling can launch: what the smallest needs and what there is.
llvm::Expected<std::vector<RankedTiling>>
rankTilings(const Problem &problem, const Target &target, size_t top = 1);

/// What a kernel gives way to that spills with each of `rankTilings`', best
/// first; empty where there is nothing. On a GPU, of a forward, tilings that
/// are too small to be picked; of a backward, two warps and rows of other dims;
/// of one that may add dQ up in any order also those of ordered sums, for which
/// a thread holds no part of dQ. Some may be among `rankTilings`' as well.
std::vector<RankedTiling> rankSpareTilings(const Problem &problem,
                                           const Target &target);

/// What is left where those spill too, the fewest registers first: a backward's
/// with dK and dV in a kernel each where registers should have held both. It
/// reads Q and dO, and computes S, once more. Empty where there is nothing.
std::vector<RankedTiling> rankApartTilings(const Problem &problem,
                                           const Target &target);

/// The time the model predicts for a given tiling, in seconds.
double predictSeconds(const Problem &problem, const Tiling &tiling,
                      const Target &target);

} // namespace attn

#endif // ATTN_COSTMODEL_SELECT_H
