//===- Tiling.h - How an attention is cut into blocks -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plain C++ twin of the attribute #attn.tiling. A tiling cuts the rows into
// query blocks and the keys into key blocks:
//
//   q_outer   for each query block: fold every key block it sees into a state
//             that stays near the arithmetic (FlashAttention-2, and the
//             default)
//   kv_outer  for each key block: fold it into the state of every query block
//             that sees it; the states travel through memory (FlashAttention)
//
// With key_splits > 1 the key blocks of a query block are shared out in that
// many parts whose states are merged: for problems with fewer query blocks than
// processors.
//
// Spelled as text, as the attribute is:
//   query_block=[1,64],key_block=128,order=q_outer,key_splits=1,
//   kernel=#attn.cpu<mr=6,nr=64>
// with one size per row (key) dim, brackets being optional around a single one,
// and for the GPU
//   kernel=#attn.gpu<warps=4,rows_per_warp=32,stages=1>
// with, after it, of a backward, atomics=true if it adds dQ up atomically and
// apart=true if dK and dV have a kernel each
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_TILING_H
#define ATTN_COSTMODEL_TILING_H

#include "attn/CostModel/Problem.h"

namespace attn {

enum class Order { QueryOuter, KeyOuter };

llvm::StringRef toString(Order order);

/// The register block of a CPU block product: mr rows times nr elements, held
/// in vector registers.
struct CpuKernel {
  int64_t mr = 0;
  int64_t nr = 0;
};

/// The shape of one cooperative thread array.
struct GpuKernel {
  int64_t warps = 0;
  int64_t rowsPerWarp = 0;
  /// Buffers for each of the K and V tiles in shared memory.
  int64_t stages = 0;
  /// Of a backward: dQ is added up in memory by atomic additions, in the sweep
  /// that makes dK and dV (Sweeps.h).
  bool atomics = false;
  /// Of a backward: dK and dV have a kernel each even where registers are
  /// expected to hold both: for kernels that spill with all other tilings.
  bool apart = false;
};

struct Tiling {
  llvm::SmallVector<int64_t, 2> queryBlock; ///< one size per row dim
  llvm::SmallVector<int64_t, 1> keyBlock;   ///< one size per key dim
  Order order = Order::QueryOuter;
  int64_t keySplits = 1;
  std::optional<CpuKernel> cpu;
  std::optional<GpuKernel> gpu;

  int64_t queryBlockSize() const;
  int64_t keyBlockSize() const;
  /// Blocks that the problem's keys fill, at least 1.
  int64_t keyBlockCount(const Problem &problem) const;

  /// Names what is wrong with the tiling for `problem`: rank, sizes below 1.
  llvm::Error check(const Problem &problem) const;
  /// The same tiling with no block larger than the problem (and none below 1),
  /// nor, on a CPU, than a block of its block-sparse mask.
  Tiling clampedTo(const Problem &problem) const;
};

/// `block` shrunk so that blocks and groups of `divisor` elements nest.
int64_t alignedBlock(int64_t block, int64_t divisor);

std::string toString(const Tiling &tiling);
/// Reads the spelling above (`#attn.` may be left out). Fields that are left
/// out stay as in `base`.
llvm::Expected<Tiling> parseTiling(llvm::StringRef text, Tiling base = {});

} // namespace attn

#endif // ATTN_COSTMODEL_TILING_H
