//===- BlocksTest.cpp - Sums over visited blocks --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Blocks.h"
#include "Problems.h"
#include "gtest/gtest.h"

using namespace attn;
using namespace attn::test;

TEST(Blocks, CausalVisits) {
  Problem problem = square(1024, 32);
  problem.visible = causalMask();
  BlockCounts counts = countBlocks(problem, blocks(64, 64));
  EXPECT_EQ(int64_t(counts.visited), 136);
  EXPECT_EQ(int64_t(counts.total), 256);

  problem = square(4096, 64);
  problem.visible = causalMask();
  counts = countBlocks(problem, blocks(64, 64));
  EXPECT_EQ(int64_t(counts.visited), 2080);
  EXPECT_EQ(int64_t(counts.total - counts.visited), 2016);
  EXPECT_EQ(int64_t(countVisiblePairs(problem)), 4096 * 4097 / 2);
}

TEST(Blocks, TheHeadersExample) {
  Problem problem = square(10, 4);
  problem.visible = causalMask();
  BlockCounts counts = countBlocks(problem, blocks(4, 4));
  EXPECT_EQ(int64_t(counts.visited), 6);
  EXPECT_EQ(int64_t(counts.rowVisits), 4 + 4 + 4 + 2 + 2 + 2);
  EXPECT_EQ(int64_t(counts.keyVisits), 4 + 4 + 4 + 4 + 4 + 2);
  EXPECT_EQ(int64_t(counts.scores), 16 + 16 + 16 + 8 + 8 + 4);
}

/// A mask over two batch dims, a group, rows and keys that differs by batch:
/// batch b sees the first 10 (b + 1) keys.
TEST(Blocks, MasksOverBatchDims) {
  Problem problem;
  problem.batch = {3, 2};
  problem.rows = {2, 16};
  problem.keys = {32};
  problem.depth = problem.value = 4;
  AffineSet set;
  set.constraints.push_back({10 * Expr::dim(0) + 9 - Expr::dim(4)});
  problem.visible = Visible(5, 5, set);
  Tiling tiling;
  tiling.queryBlock = {1, 8};
  tiling.keyBlock = {8};
  BlockCounts counts = countBlocks(problem, tiling);
  // Blocks of 8 keys: 2, 3 and 4 of them; 2 heads, 2 groups, 2 query blocks.
  EXPECT_EQ(int64_t(counts.visited), (2 + 3 + 4) * 2 * 2 * 2);
  EXPECT_EQ(int64_t(counts.keyVisits), (16 + 24 + 32) * 2 * 2 * 2);
  // A bias by key is read once for each key block, whichever rows see it.
  problem.extras.push_back({"bias", 4, {false, false}, {true}});
  counts = countBlocks(problem, tiling);
  EXPECT_EQ(int64_t(counts.extras[0].perKeyBlock), 32 * 3 * 2);
  EXPECT_EQ(int64_t(countVisiblePairs(problem)), (10 + 20 + 30) * 2 * 2 * 16);
}

/// What depends on run-time data is counted as visible; what does not is not.
TEST(Blocks, UnknownSymbolsHideNothing) {
  Problem problem = square(64, 8);
  AffineSet set;
  set.constraints.push_back({Expr::dim(1) - Expr::dim(2)});
  set.constraints.push_back({Expr::symbol(3) - 1 - Expr::dim(2)});
  problem.visible = Visible(3, 4, set);
  EXPECT_EQ(int64_t(countBlocks(problem, blocks(16, 16)).visited), 10);
  problem.maskValues = {16};
  EXPECT_EQ(int64_t(countBlocks(problem, blocks(16, 16)).visited), 4);
}

/// Every pair of a causal, block-sparse problem, one by one: rows and keys in
/// elements of 6 x 8, a pattern for each of two heads.
TEST(Blocks, PatternsAreCountedElementByElement) {
  constexpr int64_t heads = 2, rows = 20, keys = 30, across = 4, down = 4;
  Problem problem = head(rows, keys, 4);
  problem.batch = {heads};
  problem.visible = causalMask();
  problem.blocks.emplace();
  problem.blocks->terms = {{0, 1}, {1, 6}, {2, 8}};
  for (int64_t i = 0; i < heads * down * across; ++i)
    problem.blocks->seen.push_back(i * 7 % 5 < 3);
  ASSERT_FALSE(problem.check());
  auto isSeen = [&](int64_t h, int64_t m, int64_t n) {
    return problem.blocks->seen[(h * down + m / 6) * across + n / 8];
  };
  for (Tiling tiling : {blocks(64, 64), blocks(6, 8), blocks(4, 5)}) {
    // 4 rows become 2 and 5 keys 1: blocks and elements nest.
    Tiling nested = tiling.clampedTo(problem);
    int64_t br = nested.queryBlock[0], bc = nested.keyBlock[0];
    EXPECT_EQ(6 % br + 8 % bc, 0);
    int64_t visited = 0, tested = 0, scores = 0, pairs = 0;
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t m = 0; m < rows; m += br)
        for (int64_t n = 0; n < keys; n += bc) {
          int64_t mEnd = std::min(m + br, rows), nEnd = std::min(n + bc, keys);
          bool causal = mEnd - 1 >= n;
          tested += causal;
          if (!causal || !isSeen(h, m, n))
            continue;
          ++visited;
          scores += (mEnd - m) * (nEnd - n);
          for (int64_t i = m; i < mEnd; ++i)
            pairs += std::clamp<int64_t>(i + 1 - n, 0, nEnd - n);
        }
    BlockCounts counts = countBlocks(problem, tiling);
    EXPECT_EQ(int64_t(counts.visited), visited);
    EXPECT_EQ(int64_t(counts.maskElements), tested);
    EXPECT_EQ(int64_t(counts.scores), scores);
    EXPECT_EQ(int64_t(countVisiblePairs(problem)), pairs);
  }
  // As run-time data it is read all the same, and hides nothing.
  BlockCounts known = countBlocks(problem, blocks(6, 8));
  problem.blocks->seen.clear();
  BlockCounts unknown = countBlocks(problem, blocks(6, 8));
  EXPECT_TRUE(problem.hidesUnknown());
  EXPECT_EQ(int64_t(unknown.visited), int64_t(known.maskElements));
  EXPECT_EQ(int64_t(unknown.maskElements), int64_t(known.maskElements));
}

TEST(Blocks, PatternsMustHaveTheProblemsShape) {
  Problem problem = square(20, 4);
  problem.blocks.emplace();
  problem.blocks->terms = {{1, 6}, {2, 8}};
  problem.blocks->seen.assign(11, true);
  EXPECT_EQ(llvm::toString(problem.check()),
            "expected a mask of blocks with 12 elements, got 11");
  problem.blocks->terms.push_back({3, 2});
  EXPECT_EQ(
      llvm::toString(problem.check()),
      "expected a mask of blocks to have blocks of at least 1 of a batch, "
      "row or key dim, got 2 of dim 3");
}

TEST(Blocks, NothingVisible) {
  Problem problem = square(64, 8);
  problem.visible = Visible::none(3, 3);
  BlockCounts counts = countBlocks(problem, blocks(16, 16));
  EXPECT_EQ(int64_t(counts.visited), 0);
  EXPECT_EQ(int64_t(counts.queryBlocks), 4);
}

TEST(Problem, Errors) {
  auto messageOf = [](const Problem &p) { return llvm::toString(p.check()); };
  Problem problem = square(64, 8);
  problem.keys = {-1};
  EXPECT_EQ(messageOf(problem), "expected a key extent of at least 0, got -1");
  problem = square(int64_t(1) << 60, int64_t(1) << 60);
  EXPECT_NE(messageOf(problem).find("use smaller extents"), std::string::npos);
  problem = square(64, 8);
  problem.visible = Visible::all(5, 5);
  EXPECT_EQ(messageOf(problem), "expected a mask over the 3 batch, row and key "
                                "dims, got one over 5");
}
