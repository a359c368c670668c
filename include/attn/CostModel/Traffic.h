//===- Traffic.h - Elements moved, by named accounting ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an attention moves between the large memory and the processor, operand
// by operand. People count it in different ways; each way is an Accounting with
// a name, and each formula stands in lib/CostModel/Accounting.cpp and nowhere
// else:
//
//   naive        S and P go through memory. Forward 4Nd + 4N^2, backward
//                7N^2 + 8Nd
//   naive_eager  as an eager framework runs it: scale, mask and dropout are
//                kernels of their own. + 6N^2 forward, + 4N^2 backward
//   paper        key blocks outermost, O, l, m read and written for each:
//                Algorithms 1 and 4 of Dao et al., FlashAttention (2022).
//                Forward 2Nd + 3TNd + 4TN, backward 5Nd + 5TNd + 2TN, with
//                T = ceil(N / Bc). `initialisation` adds the Nd + 2N of writing
//                the initial O, l, m. One element size for every operand.
//   kv_outer     the same loop order as this compiler runs it: unnormalised
//                states in the accumulate type, a finishing pass, and for the
//                backward D = rowsum(dO . O) in a pass of its own
//   two_sweeps   the backward of a GPU (Sweeps.h): dQ with query blocks
//                outermost and dK, dV with key blocks outermost, each with the
//                scores made anew, so that no sum goes through memory. The
//                forward is that of q_outer
//   one_sweep    the same machine with key blocks outermost only, dQ added up
//                in memory by atomic additions, which read and write
//   q_outer      query blocks outermost (FlashAttention-2 and this compiler): Q
//                and O once, K and V once per query block that sees them
//
// In the last five, sums run over the blocks that hold a visible pair
// (Blocks.h), ragged last blocks with their true size; hidden blocks move
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TRAFFIC_H
#define ATTN_COSTMODEL_TRAFFIC_H

#include "attn/CostModel/Tiling.h"
#include <vector>

namespace attn {

enum class Accounting {
  Naive,
  NaiveEager,
  Paper,
  KvOuter,
  TwoSweeps,
  OneSweep,
  QOuter
};

std::optional<Accounting> parseAccounting(llvm::StringRef name);
llvm::StringRef toString(Accounting accounting);
/// Does the accounting depend on block sizes?
bool isTiled(Accounting accounting);
/// Those that tables compare, in their order: all but two_sweeps and one_sweep,
/// which are one machine's.
llvm::ArrayRef<Accounting> allAccountings();

/// The part of the computation that moves a row's elements.
enum class Part { Loop, Init, Finish, Merge, Delta, Completion };

llvm::StringRef toString(Part part);

struct TrafficRow {
  bool backward = false;
  Part part = Part::Loop;
  std::string operand;
  Count read = 0;    ///< elements
  Count written = 0; ///< elements
  int64_t elementBytes = 0;

  Count elements() const { return read + written; }
  Count bytes() const { return elements() * elementBytes; }
};

struct Traffic {
  std::vector<TrafficRow> rows;

  Count elements() const;
  Count bytes() const;
  /// The rows of one direction alone.
  Traffic forward() const;
  Traffic backward() const;
};

struct TrafficOptions {
  /// `paper` only: count the writes that initialise O, l and m.
  bool initialisation = false;
};

/// What `problem` moves under `accounting`. `tiling` gives the block sizes of
/// the tiled accountings (its order is implied by the accounting) and is not
/// read by the others. Both are assumed to pass their check().
Traffic computeTraffic(const Problem &problem, Accounting accounting,
                       const Tiling &tiling, TrafficOptions options = {});

/// What a problem with hidden = replace moves beside its fast path if every row
/// needs its hidden keys. Forward: V of each block that holds one, for each
/// query block (extras that the region's weight reads come on top). Backward:
/// all that the blocks which the mask hides would move. No rows for other
/// problems.
struct Surcharge {
  Count blocks = 0; ///< folded on top of the visited ones
  Traffic traffic;
};
Surcharge computeSurcharge(const Problem &problem, const Tiling &tiling);

/// What an instrumented run (attn-count-io) calls a row: its operand, or
/// "finish" where a state or sum in memory becomes a result.
std::string countedName(const TrafficRow &row);

/// The block sizes of the 2022 paper for `sramElements` elements of fast
/// memory: Bc = floor(M / 4d), Br = min(Bc, d), at most the extents, d the
/// larger head dim. Fails where not even one key fits.
llvm::Expected<Tiling> paperTiling(const Problem &problem,
                                   int64_t sramElements);

} // namespace attn

#endif // ATTN_COSTMODEL_TRAFFIC_H
