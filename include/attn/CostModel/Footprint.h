//===- Footprint.h - What a tiling needs at once ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The working set of one query block and one key block, level by level.
//
// CPU: the register block holds mr x nr accumulators, nr elements of the right
// operand and one broadcast of the left. L1 should hold the panel the innermost
// loop streams and the mr rows it meets (else the panel streams from L2); L2
// the block of scores, K, V, packed Q and the accumulators. Caches are soft: a
// tiling that overflows one is slow, not wrong; registers are hard.
//
// GPU: everything is hard. Shared memory holds the Q tile and `stages` K and V
// tiles; each thread's registers hold its share of the accumulators and of the
// scores (overwritten by P), the row state and the fragments in flight:
//
//     rows_per_warp x (d + Bc) / 32  +  state, fragments, addresses
//
// Thread arrays per multiprocessor follow from shared memory, registers,
// threads and the hardware's own limit, whichever is least.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_FOOTPRINT_H
#define ATTN_COSTMODEL_FOOTPRINT_H

#include "attn/CostModel/Target.h"
#include "attn/CostModel/Tiling.h"

namespace attn {

struct LevelUse {
  std::string level;
  int64_t used = 0;
  int64_t limit = 0;
  bool hard = false;
  std::string unit = "B";
  /// What does not fit streams from the next level; the model counts the time.
  bool streams = false;
};

struct Footprint {
  llvm::SmallVector<LevelUse, 4> levels;
  /// GPU: thread arrays resident on a multiprocessor, and the level that limits
  /// them.
  int64_t residentBlocks = 0;
  std::string residentLimit;

  const LevelUse *find(llvm::StringRef level) const;
  /// GPU: of a thread, as the model expects them.
  int64_t registers() const;
  /// The first hard limit that is passed; null: it can launch.
  const LevelUse *violation() const;
  /// Within the soft limits as well, where an overflow does not just stream.
  bool fits() const;
};

/// The footprint of `tiling` in the problem's direction (both: the forward).
/// The tiling must carry the kernel of the target's kind. On a GPU the backward
/// has the larger of its kernels' footprints (Sweeps.h).
Footprint computeFootprint(const Problem &problem, const Tiling &tiling,
                           const Target &target);

/// Names the limit that `tiling` passes on `target`, or that its kernel is not
/// of the target's kind.
llvm::Error checkFits(const Problem &problem, const Tiling &tiling,
                      const Target &target);

/// The register block that computes a product of `rows` x `columns` best: no
/// more rows than there are, as few padded columns, as few loads per
/// multiplication and as many independent sums as the vector registers allow.
CpuKernel registerBlock(const Target &target, ElementType type, int64_t rows,
                        int64_t columns);

} // namespace attn

#endif // ATTN_COSTMODEL_FOOTPRINT_H
