//===- Blocks.h - Which blocks a tiling visits ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tiling cuts the M x N plane of scores into blocks; those without a visible
// pair are never visited. Every tiled cost is a sum over the visited blocks of
// a product of block sizes, so the few sums below are all that traffic, work
// and footprint need. For a problem of 10 rows and 10 keys, causal, in blocks
// of 4:
//
//     # . .      visited 6 of 9
//     # # .      rowVisits  = 4 + 4 + 4 + 2 + 2 + 2   (rows of each visited)
//     # # #      keyVisits  = 4 + 4 + 4 + 4 + 4 + 2   (keys of each visited)
//                scores     = 16 + 16 + 16 + 8 + 8 + 4
//
// Counts are for all batches together.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_COSTMODEL_BLOCKS_H
#define ATTN_COSTMODEL_BLOCKS_H

#include "attn/CostModel/Tiling.h"
#include <vector>

namespace attn {

struct BlockCounts {
  Count queryBlocks = 0; ///< of all batches
  Count keyBlocks = 0;
  Count total = 0;   ///< query blocks x key blocks
  Count visited = 0; ///< of those, the ones with a visible pair
  Count rowVisits = 0;
  Count keyVisits = 0;
  Count scores = 0; ///< row-key pairs inside visited blocks
  /// Elements of a block-sparse mask that are read to know what to visit.
  Count maskElements = 0;
  /// For each extra of the problem: elements of its slices over all visited
  /// blocks, over all query blocks and over all key blocks.
  struct ExtraCounts {
    Count perVisit = 0;
    Count perQueryBlock = 0;
    Count perKeyBlock = 0;
  };
  llvm::SmallVector<ExtraCounts, 0> extras;
};

/// Sums over the blocks of `tiling`, which is clamped to the problem first. A
/// mask that depends on run-time data is taken as if it hid nothing.
BlockCounts countBlocks(const Problem &problem, const Tiling &tiling);

/// The blocks of the first batch element along the last row dim and the last
/// key dim, the other dims at 0: one string per query block with a letter per
/// key block, '#' visible in full, '+' in part, '.' not at all. Fails where
/// there are more than `most` blocks in a dim.
llvm::Expected<std::vector<std::string>>
drawBlocks(const Problem &problem, const Tiling &tiling, int64_t most);

/// Visible row-key pairs, exact, of all batches.
Count countVisiblePairs(const Problem &problem);

} // namespace attn

#endif // ATTN_COSTMODEL_BLOCKS_H
