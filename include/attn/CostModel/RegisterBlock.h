//===- RegisterBlock.h - what a CPU product holds in registers --*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block product C = A B walks C in blocks of `rows` x `vectors` sums that
// stay in registers while it runs along the contracted dim: in each step it
// loads `vectors` vectors of B and `rows` elements of A, and multiplies each
// with each. One formula says how many cycles a step of a whole C takes; the
// lowering chooses its blocks by it and the cost model predicts with it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_REGISTERBLOCK_H
#define ATTN_COSTMODEL_REGISTERBLOCK_H

#include "attn/CostModel/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <optional>

namespace attn {

struct RegisterBlock {
  /// Cycles until a sum can be added to again, on every core of the table.
  static constexpr double latency = 4;

  int64_t rows = 1, vectors = 1;

  /// The heights of the blocks that C's rows are done in, largest first: what a
  /// whole block does not fit is done in smaller ones. The last is 1.
  llvm::SmallVector<int64_t, 4> heights() const;

  /// How many blocks of each of these heights C's rows take. Where there are
  /// blocks of two thirds of the first, none of one third is left over if that
  /// can be: 8 rows are 4 + 4, not 6 + 2, whose two rows would wait for the
  /// latency of their sums. `Int`: int64_t, or what emits its arithmetic.
  template <typename Int> llvm::SmallVector<Int, 4> counts(Int height) const {
    using std::min;
    llvm::SmallVector<int64_t, 4> all = heights();
    llvm::SmallVector<Int, 4> result;
    if (all.size() > 2 && 3 * all[2] == all[0]) {
      Int thirds = height / all[2];
      Int second = min(thirds * 2 % 3, thirds / 2);
      result = {(thirds - second * 2) / 3, second};
      height = height - (result[0] * 3 + second * 2) * all[2];
    }
    for (int64_t block : llvm::ArrayRef(all).drop_front(result.size())) {
      result.push_back(height / block);
      height = height % block;
    }
    return result;
  }

  bool operator==(const RegisterBlock &other) const {
    return rows == other.rows && vectors == other.vectors;
  }

  /// Cycles of a step along the contracted dim for a C of `height` rows that is
  /// `width` vectors wide. `issue`: multiplications that start in a cycle.
  /// `wait`: at least as many cycles lie between two steps of a block.
  double stepCycles(int64_t height, int64_t width, double issue,
                    double wait = latency) const;
};

/// The block that computes a C of `height` rows, `width` vectors wide, in the
/// fewest cycles and fits the target's vector registers; height 0: unknown,
/// many. With `most` it is no wider than that and has no more sums.
RegisterBlock
chooseRegisterBlock(const Target &target, int64_t height, int64_t width,
                    std::optional<RegisterBlock> most = std::nullopt);

/// The block of the scores, `height` x `width`, beside one of the product with
/// V, `sums`, which a tiling names. Where that is `usual`, the one which is
/// chosen for V, it says nothing about scores; else it limits their block too.
RegisterBlock scoreRegisterBlock(const Target &target, int64_t height,
                                 int64_t width, RegisterBlock sums,
                                 RegisterBlock usual);

/// A forward folds a query block by groups of rows whose scores against `keys`
/// keys pass from step to step in the first-level cache: the rows of a group
/// are a multiple of `step`, and at most `rows`. `bytes`: of a score.
int64_t rowGroup(const Target &target, int64_t keys, int64_t bytes,
                 int64_t step, int64_t rows);

/// The vectors of rows that a forward folds at a time where a mask cuts the
/// keys of a group; `vectors`: of the scores' register block. Fewer rows see
/// less of what is hidden; two vectors still make a block that is not bound by
/// loads.
inline int64_t edgeVectors(int64_t vectors) { return vectors % 2 ? 1 : 2; }

} // namespace attn

#endif // ATTN_COSTMODEL_REGISTERBLOCK_H
