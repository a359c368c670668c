//===- TuningGridTest.cpp - The tilings that tuning times -----------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/TuningGrid.h"
#include "Problems.h"
#include "attn/CostModel/Footprint.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace attn;
using namespace attn::test;

static Target machine() { return llvm::cantFail(findTarget("avx512")); }

TEST(TuningGrid, HasSixtyDistinctCandidatesOfEveryKind) {
  Problem decode = head(1, 8192, 128);
  for (const Problem &problem :
       {square(1024, 64), square(512, 32), square(2048, 128), decode}) {
    std::vector<Tiling> grid = tuningGrid(problem, machine());
    EXPECT_GE(grid.size(), 60u) << problem.str();
    std::set<std::string> texts;
    for (const Tiling &tiling : grid) {
      EXPECT_FALSE(bool(tiling.check(problem)));
      EXPECT_FALSE(bool(checkFits(problem, tiling, machine())));
      texts.insert(toString(tiling));
    }
    EXPECT_EQ(texts.size(), grid.size());
    auto any = [&](auto &&predicate) { return llvm::any_of(grid, predicate); };
    EXPECT_TRUE(any([](const Tiling &t) { return t.keySplits > 1; }));
    EXPECT_TRUE(
        any([](const Tiling &t) { return t.order == Order::KeyOuter; }));
    EXPECT_TRUE(any([](const Tiling &t) { return t.cpu->mr == 1; }));
  }
}

TEST(TuningGrid, IsSmallForSmallProblems) {
  EXPECT_GE(tuningGrid(square(1, 1), machine()).size(), 1u);
  EXPECT_GE(tuningGrid(square(0, 8), machine()).size(), 1u);
  EXPECT_LE(tuningGrid(square(16, 16), machine()).size(), 10u);
}
