//===- SelectTest.cpp - Which tilings are offered, and which comes first --===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/CostModel/Select.h"
#include "Problems.h"
#include "attn/CostModel/Sweeps.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace attn;
using namespace attn::test;

static Target target(const char *name) {
  llvm::Expected<Target> found = findTarget(name);
  return found ? *found : Target();
}

static std::vector<RankedTiling> rank(const Problem &problem,
                                      const Target &target, size_t top = 1) {
  llvm::Expected<std::vector<RankedTiling>> ranked =
      rankTilings(problem, target, top);
  if (ranked)
    return *ranked;
  ADD_FAILURE() << llvm::toString(ranked.takeError());
  return {};
}

TEST(Select, EveryOfferFits) {
  for (const char *name : {"avx512", "avx2", "neon", "a100", "rtx3090", "h100"})
    for (int64_t d : {8, 64, 80, 128, 256})
      for (int64_t n : {1, 37, 4096}) {
        Problem problem = square(n, d);
        std::vector<RankedTiling> ranked = rank(problem, target(name), 1000);
        ASSERT_FALSE(ranked.empty());
        for (const RankedTiling &entry : ranked) {
          EXPECT_EQ(llvm::toString(entry.tiling.check(problem)), "");
          EXPECT_EQ(
              llvm::toString(checkFits(problem, entry.tiling, target(name))),
              "");
          EXPECT_GT(entry.seconds, 0);
        }
      }
}

// What kernels that spill give way to is not offered otherwise, and fits.
TEST(Select, SpareTilings) {
  Target machine = target("a100");
  Problem problem = square(1000, 256);
  problem.type = ElementType::F32;
  std::vector<RankedTiling> offered = rank(problem, machine, 1000);
  std::vector<RankedTiling> spare = rankSpareTilings(problem, machine);
  EXPECT_FALSE(spare.empty());
  for (const RankedTiling &entry : spare) {
    EXPECT_EQ(llvm::toString(checkFits(problem, entry.tiling, machine)), "");
    for (const RankedTiling &other : offered)
      EXPECT_NE(toString(entry.tiling), toString(other.tiling));
  }
  // Of a backward: rows of the last dim, then of the first ones.
  problem.direction = Direction::Backward;
  problem.rows = {4, 3};
  spare = rankSpareTilings(problem, machine);
  EXPECT_FALSE(spare.empty());
  EXPECT_EQ(spare.front().tiling.queryBlock[0], 1);
  EXPECT_GE(spare.front().tiling.queryBlock[1], 16);
  EXPECT_EQ(spare.back().tiling.queryBlock[0], 4);
  // By atomic additions: those of ordered sums first.
  std::vector<RankedTiling> ordered = rank(problem, machine, 1000);
  problem.atomics = true;
  spare = rankSpareTilings(problem, machine);
  ASSERT_GT(spare.size(), ordered.size());
  EXPECT_EQ(toString(spare[0].tiling), toString(ordered[0].tiling));
  EXPECT_FALSE(spare[0].tiling.gpu->atomics);
  EXPECT_TRUE(rankSpareTilings(problem, target("avx512")).empty());
}

// Where registers are expected to hold dK and dV together, and do not.
TEST(Select, ApartAtLast) {
  Problem problem = square(256, 192);
  Target machine = target("a100");
  EXPECT_TRUE(rankApartTilings(problem, machine).empty());
  problem.direction = Direction::Backward;
  problem.rows = {4, 64};
  EXPECT_TRUE(rankApartTilings(problem, target("avx512")).empty());
  for (bool atomics : {false, true}) {
    problem.atomics = atomics;
    std::vector<RankedTiling> apart = rankApartTilings(problem, machine);
    ASSERT_FALSE(apart.empty());
    int64_t registers = 0;
    bool ordered = false, added = false;
    for (RankedTiling &entry : apart) {
      Tiling tiling = entry.tiling;
      EXPECT_TRUE(tiling.gpu->apart);
      EXPECT_FALSE(holdsKeySums(192, 192, tiling));
      EXPECT_GE(entry.footprint.registers(), registers);
      registers = entry.footprint.registers();
      (tiling.gpu->atomics ? added : ordered) = true;
      tiling.gpu->apart = false;
      EXPECT_TRUE(holdsKeySums(192, 192, tiling));
      EXPECT_GT(computeFootprint(problem, tiling, machine).registers(),
                registers);
    }
    EXPECT_TRUE(ordered);
    EXPECT_EQ(added, atomics);
  }
  // All of these are apart by themselves: nothing is left to be tried.
  for (bool atomics : {false, true}) {
    Problem wide = square(64, 256);
    wide.direction = Direction::Backward;
    wide.atomics = atomics;
    EXPECT_TRUE(rankApartTilings(wide, machine).empty());
  }
}

TEST(Select, SameInputsSameAnswer) {
  Problem problem = square(2048, 64);
  problem.visible = causalMask();
  std::vector<RankedTiling> a = rank(problem, target("avx512"), 50),
                            b = rank(problem, target("avx512"), 50);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(toString(a[i].tiling), toString(b[i].tiling));
}

TEST(Select, CpuBlocksAreWhereMeasurementsHaveThem) {
  Problem problem = square(4096, 64);
  problem.type = ElementType::F32;
  Tiling tiling = rank(problem, target("avx512"))[0].tiling;
  EXPECT_GE(tiling.queryBlockSize(), 48);
  EXPECT_LE(tiling.queryBlockSize(), 512);
  EXPECT_GE(tiling.keyBlockSize(), 64);
  EXPECT_LE(tiling.keyBlockSize(), 512);
  EXPECT_EQ(tiling.cpu->mr, 6);
  EXPECT_EQ(tiling.cpu->nr, 64);
}

TEST(Select, DecodeSplitsTheKeys) {
  Problem problem = head(1, 8192, 128);
  Tiling tiling = rank(problem, target("avx512"))[0].tiling;
  EXPECT_EQ(tiling.queryBlockSize(), 1);
  EXPECT_GT(tiling.keySplits, 1);
  problem.batch = {64};
  EXPECT_EQ(rank(problem, target("avx512"))[0].tiling.keySplits, 1);
}

TEST(Select, RegisterBlocksFitTheProduct) {
  Target machine = target("avx512");
  auto block = [&](int64_t rows, int64_t columns) {
    CpuKernel kernel = registerBlock(machine, ElementType::F32, rows, columns);
    return std::make_pair(kernel.mr, kernel.nr);
  };
  EXPECT_EQ(block(96, 64), std::make_pair(int64_t(6), int64_t(64)));
  EXPECT_EQ(block(96, 80), std::make_pair(int64_t(5), int64_t(80)));
  EXPECT_EQ(block(96, 16), std::make_pair(int64_t(12), int64_t(16)));
  // One row: eight sums in flight.
  EXPECT_EQ(block(1, 128), std::make_pair(int64_t(1), int64_t(128)));
}

TEST(Select, GroupedRowsShareABlock) {
  Problem problem = head(1, 4096, 64);
  problem.rows = {8, 1};
  problem.batch = {32};
  Tiling tiling = rank(problem, target("avx512"))[0].tiling;
  EXPECT_GT(tiling.queryBlock[0], 1);
  EXPECT_EQ(tiling.queryBlock[1], 1);
}

TEST(Select, GpuBlocksHoldTheirWarps) {
  Problem problem = head(1, 4096, 64);
  problem.rows = {8, 1};
  for (const RankedTiling &entry : rank(problem, target("a100"), 100))
    EXPECT_EQ(entry.tiling.queryBlockSize(),
              entry.tiling.gpu->warps * entry.tiling.gpu->rowsPerWarp);
}

TEST(Footprint, GrowsWithTheTile) {
  for (const char *name : {"avx512", "a100"}) {
    Target machine = target(name);
    Problem problem = square(4096, 64);
    Footprint small, large;
    for (int64_t keys : {32, 64, 128}) {
      Tiling tiling = blocks(128, keys);
      if (machine.isGpu())
        tiling.gpu = GpuKernel{4, 32, 1};
      else
        tiling.cpu = registerBlock(machine, problem.type, 128, 64);
      large = computeFootprint(problem, tiling, machine);
      if (!small.levels.empty())
        for (size_t i = 0; i < large.levels.size(); ++i)
          EXPECT_GE(large.levels[i].used, small.levels[i].used) << name;
      small = large;
    }
  }
}

// 128 x 64, 4 warps, d 128: 32 KiB of Q, 16 of K, 16 of V; two thread arrays on
// an A100, one on an RTX 3090.
TEST(Footprint, Gpu) {
  Problem problem = square(4096, 128);
  Tiling tiling = blocks(128, 64);
  tiling.gpu = GpuKernel{4, 32, 1};
  Footprint footprint = computeFootprint(problem, tiling, target("a100"));
  EXPECT_EQ(footprint.find("shared memory")->used, 64 * 1024);
  EXPECT_LE(footprint.find("registers per thread")->used, 255);
  EXPECT_EQ(footprint.residentBlocks, 2);
  EXPECT_EQ(computeFootprint(problem, tiling, target("rtx3090")).residentBlocks,
            1);
  // Accumulators of 32 rows x 256 columns alone are all 255 registers.
  problem.value = 256;
  EXPECT_EQ(llvm::toString(checkFits(problem, tiling, target("a100"))),
            "tiling does not fit a100: it needs 364 of registers per thread, "
            "there are 255");
}

TEST(Select, NothingFits) {
  Problem problem = square(1024, 4096);
  llvm::Expected<std::vector<RankedTiling>> ranked =
      rankTilings(problem, target("a100"));
  ASSERT_FALSE(bool(ranked));
  std::string message = llvm::toString(ranked.takeError());
  EXPECT_NE(
      message.find("no tiling fits target a100: the nearest, query_block="),
      std::string::npos)
      << message;
}

TEST(Select, TakesMicroseconds) {
  Problem problem = square(1 << 20, 64);
  problem.visible = causalMask();
  Target machine = target("avx512");
  double least = 1;
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    rank(problem, machine);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
  }
  // 100 microseconds optimised; unoptimised builds get ten times that.
  EXPECT_LT(least, 1e-3);
}
