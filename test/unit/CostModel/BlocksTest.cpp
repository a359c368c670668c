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
  // A bias by key is read once for each key block that some row sees.
  problem.extras.push_back({"bias", 4, {false, false}, {true}});
  counts = countBlocks(problem, tiling);
  EXPECT_EQ(int64_t(counts.extras[0].perKeyBlock), (16 + 24 + 32) * 2);
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
