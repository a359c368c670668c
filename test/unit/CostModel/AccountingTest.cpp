//===- AccountingTest.cpp - The ledger's formulas -------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Published integers, and loop nests that count what they would move. Neither
// shares code with the formulas.
//
//===----------------------------------------------------------------------===//

#include "Problems.h"
#include "attn/CostModel/Traffic.h"
#include "attn/CostModel/Work.h"
#include "gtest/gtest.h"
#include <map>

using namespace attn;
using namespace attn::test;

static int64_t elements(const Problem &problem, Accounting accounting,
                        const Tiling &tiling, bool initialisation = false) {
  return computeTraffic(problem, accounting, tiling, {initialisation})
      .elements();
}

// Accounting of the 2022 paper, forward in fp16, d = 64, Bc = 384.
TEST(Accounting, ForwardBytes) {
  struct Row {
    int64_t n, naive, paper;
  };
  for (Row row :
       {Row{1024, 8912896, 1466368}, Row{2048, 34603008, 5341184},
        Row{4096, 136314880, 18710528}, Row{8192, 541065216, 72744960},
        Row{16384, 2155872256, 280363008},
        Row{32768, 8606711808, 1113063424}}) {
    Problem problem = square(row.n, 64);
    Tiling tiling = blocks(64, 384);
    EXPECT_EQ(
        int64_t(computeTraffic(problem, Accounting::Naive, tiling).bytes()),
        row.naive);
    EXPECT_EQ(
        int64_t(computeTraffic(problem, Accounting::Paper, tiling).bytes()),
        row.paper);
  }
}

TEST(Accounting, ForwardAndBackwardElements) {
  struct Row {
    int64_t n, standard, paper;
  };
  for (Row row :
       {Row{512, 3276800, 793600}, Row{1024, 12320768, 2117632},
        Row{2048, 47710208, 7417856}, Row{4096, 187695104, 25444352},
        Row{8192, 744488960, 97566720}, Row{16384, 2965372928, 373358592},
        Row{65536, 47294971904, 5838733312}}) {
    Problem problem = square(row.n, 64, Direction::Both);
    llvm::Expected<Tiling> tiling = paperTiling(problem, 98304);
    ASSERT_TRUE(bool(tiling));
    EXPECT_EQ(elements(problem, Accounting::Naive, *tiling), row.standard);
    EXPECT_EQ(elements(problem, Accounting::Paper, *tiling, true), row.paper);
  }
}

TEST(Accounting, RaggedBlocks) {
  struct Row {
    int64_t n, d, br, bc, forward, backward;
  };
  for (Row row :
       {Row{64, 16, 16, 16, 16512, 26112}, Row{100, 8, 7, 33, 13800, 20800},
        Row{256, 32, 32, 128, 76288, 123904},
        Row{512, 64, 64, 384, 300032, 493568}}) {
    Tiling tiling = blocks(row.br, row.bc);
    EXPECT_EQ(elements(square(row.n, row.d), Accounting::Paper, tiling, true),
              row.forward);
    EXPECT_EQ(elements(square(row.n, row.d, Direction::Backward),
                       Accounting::Paper, tiling),
              row.backward);
  }
}

TEST(Accounting, EagerKernelsAddTenSquares) {
  Problem forward = square(256, 32),
          backward = square(256, 32, Direction::Backward);
  Tiling tiling = blocks(32, 32);
  int64_t square = 256 * 256;
  EXPECT_EQ(elements(forward, Accounting::NaiveEager, tiling) -
                elements(forward, Accounting::Naive, tiling),
            6 * square);
  EXPECT_EQ(elements(backward, Accounting::NaiveEager, tiling) -
                elements(backward, Accounting::Naive, tiling),
            4 * square);
}

TEST(Accounting, KvOuterBackwardHasAPassForD) {
  int64_t n = 96, d = 16, t = 4;
  Problem problem = square(n, d, Direction::Backward);
  problem.type = ElementType::F32;
  Traffic traffic =
      computeTraffic(problem, Accounting::KvOuter, blocks(16, 24));
  int64_t published = (2 * n * d + n) + 5 * n * d + 4 * t * n * d + 2 * t * n;
  EXPECT_EQ(int64_t(traffic.elements()), published);
  // A narrower dQ is rounded in a pass of its own.
  problem.type = ElementType::F16;
  traffic = computeTraffic(problem, Accounting::KvOuter, blocks(16, 24));
  EXPECT_EQ(int64_t(traffic.elements()), published + 2 * n * d);
}

TEST(Accounting, BackwardsThatMayNotSkipMoveWhatADenseOneDoes) {
  for (Order order : {Order::QueryOuter, Order::KeyOuter}) {
    Problem problem = square(100, 8, Direction::Backward);
    problem.visible = causalMask();
    problem.replacesHidden = true;
    Problem dense = square(100, 8, Direction::Backward);
    Tiling tiling = blocks(16, 24);
    tiling.order = order;
    Accounting accounting =
        order == Order::QueryOuter ? Accounting::QOuter : Accounting::KvOuter;
    Surcharge surcharge = computeSurcharge(problem, tiling);
    EXPECT_GT(int64_t(surcharge.blocks), 0);
    EXPECT_EQ(int64_t(computeTraffic(problem, accounting, tiling).elements() +
                      surcharge.traffic.elements()),
              int64_t(computeTraffic(dense, accounting, tiling).elements()));
  }
}

namespace {
using Sums = std::map<std::string, std::pair<int64_t, int64_t>>;
} // namespace

static Sums sumsOf(const Traffic &traffic) {
  Sums sums;
  for (const TrafficRow &row : traffic.rows) {
    sums[row.operand].first += int64_t(row.read);
    sums[row.operand].second += int64_t(row.written);
  }
  return sums;
}

static bool anyVisible(const Problem &p, int64_t m0, int64_t m1, int64_t n0,
                       int64_t n1) {
  for (int64_t m = m0; m < m1; ++m)
    for (int64_t n = n0; n < n1; ++n)
      if (!p.visible || p.visible->contains({0, m, n}, p.maskSymbols()))
        return true;
  return false;
}

/// The loop nest of q_outer, counting each slice it would read or write.
static Sums runQOuter(const Problem &p, int64_t br, int64_t bc) {
  Sums sums;
  int64_t m = p.rows[0], n = p.keys[0];
  for (int64_t i = 0; i < m; i += br) {
    int64_t rows = std::min(br, m - i);
    sums["Q"].first += rows * p.depth;
    for (int64_t j = 0; j < n; j += bc) {
      int64_t keys = std::min(bc, n - j);
      if (!anyVisible(p, i, i + rows, j, j + keys))
        continue;
      sums["K"].first += keys * p.depth;
      sums["V"].first += keys * p.value;
    }
    sums["O"].second += rows * p.value;
    sums["LSE"].second += rows;
  }
  return sums;
}

/// The loop nest of kv_outer, with the state set up before and finished after.
static Sums runKvOuter(const Problem &p, int64_t br, int64_t bc) {
  Sums sums;
  int64_t m = p.rows[0], n = p.keys[0];
  for (const char *state : {"r", "l"})
    sums[state].second += m;
  sums["acc"].second += m * p.value;
  for (int64_t j = 0; j < n; j += bc) {
    int64_t keys = std::min(bc, n - j);
    sums["K"].first += keys * p.depth;
    sums["V"].first += keys * p.value;
    for (int64_t i = 0; i < m; i += br) {
      int64_t rows = std::min(br, m - i);
      if (!anyVisible(p, i, i + rows, j, j + keys))
        continue;
      sums["Q"].first += rows * p.depth;
      for (const char *state : {"r", "l"}) {
        sums[state].first += rows;
        sums[state].second += rows;
      }
      sums["acc"].first += rows * p.value;
      sums["acc"].second += rows * p.value;
    }
  }
  for (const char *state : {"r", "l"})
    sums[state].first += m;
  sums["acc"].first += m * p.value;
  sums["O"].second += m * p.value;
  sums["LSE"].second += m;
  return sums;
}

TEST(Accounting, FormulasEqualLoopNests) {
  struct Case {
    int64_t m, n, br, bc;
  };
  for (Case c : {Case{64, 64, 16, 16}, Case{37, 53, 8, 12}, Case{1, 97, 4, 10},
                 Case{97, 1, 13, 7}, Case{50, 50, 64, 64}, Case{60, 24, 7, 5}})
    for (int mask = 0; mask < 3; ++mask) {
      Problem problem = head(c.m, c.n, 8);
      problem.value = 24;
      if (mask == 1)
        problem.visible = causalMask();
      if (mask == 2)
        problem.visible = windowMask(9);
      Tiling tiling = blocks(c.br, c.bc);
      EXPECT_EQ(sumsOf(computeTraffic(problem, Accounting::QOuter, tiling)),
                runQOuter(problem, c.br, c.bc))
          << c.m << "x" << c.n << " mask " << mask;
      EXPECT_EQ(sumsOf(computeTraffic(problem, Accounting::KvOuter, tiling)),
                runKvOuter(problem, c.br, c.bc))
          << c.m << "x" << c.n << " mask " << mask;
    }
}

TEST(Accounting, CausalTrafficFollowsTheVisitedShare) {
  Problem problem = square(1024, 32);
  Tiling tiling = blocks(64, 64);
  double dense = elements(problem, Accounting::Paper, tiling, true);
  problem.visible = causalMask();
  double causal = elements(problem, Accounting::Paper, tiling, true);
  EXPECT_NEAR(causal / dense, 0.56, 0.005);
}

TEST(Accounting, TrafficFallsAsFastMemoryGrows) {
  Problem problem = square(4096, 64, Direction::Both);
  int64_t last = INT64_MAX;
  const double ratios[] = {0.1, 0.2, 0.3, 0.7, 1.4, 2.7, 5.2, 9.8, 17.7, 29.6};
  for (int exponent = 10; exponent <= 19; ++exponent) {
    llvm::Expected<Tiling> tiling =
        paperTiling(problem, int64_t(1) << exponent);
    ASSERT_TRUE(bool(tiling));
    int64_t paper = elements(problem, Accounting::Paper, *tiling, true);
    EXPECT_LT(paper, last);
    last = paper;
    double naive = elements(problem, Accounting::Naive, *tiling);
    EXPECT_NEAR(naive / paper, ratios[exponent - 10], 0.05);
  }
}

TEST(Accounting, KeySplitsMoveStates) {
  Problem problem = head(1, 8192, 128);
  Tiling tiling = blocks(1, 512);
  Sums whole = sumsOf(computeTraffic(problem, Accounting::QOuter, tiling));
  tiling.keySplits = 4;
  Sums split = sumsOf(computeTraffic(problem, Accounting::QOuter, tiling));
  EXPECT_EQ(split["K"], whole["K"]);
  EXPECT_EQ(split["O"], whole["O"]);
  EXPECT_EQ(split["Q"].first, 4 * whole["Q"].first);
  EXPECT_EQ(split["acc"], std::make_pair(int64_t(4 * 128), int64_t(4 * 128)));
}

TEST(Accounting, OperandsKeepTheirOwnTypes) {
  Problem problem = square(64, 16);
  problem.type = ElementType::BF16;
  for (const TrafficRow &row :
       computeTraffic(problem, Accounting::QOuter, blocks(16, 16)).rows)
    EXPECT_EQ(row.elementBytes, row.operand == "LSE" ? 4 : 2) << row.operand;
}

TEST(Accounting, ExtrasAreReadWhereTheyVary) {
  Problem problem = head(40, 60, 8);
  problem.extras.push_back({"bias", 2, {true}, {true}});
  problem.extras.push_back({"slope", 4, {false}, {false}});
  problem.extras.push_back({"perKey", 4, {false}, {true}});
  Sums q = sumsOf(computeTraffic(problem, Accounting::QOuter, blocks(10, 20)));
  EXPECT_EQ(q["bias"].first, 40 * 60);
  EXPECT_EQ(q["slope"].first, 4);
  EXPECT_EQ(q["perKey"].first, 4 * 60);
  Sums kv =
      sumsOf(computeTraffic(problem, Accounting::KvOuter, blocks(10, 20)));
  EXPECT_EQ(kv["bias"].first, 40 * 60);
  EXPECT_EQ(kv["slope"].first, 3);
  EXPECT_EQ(kv["perKey"].first, 60);
}

/// An extra of a problem with one dim of each kind, with an f32 gradient.
static Extra differentiated(const char *name, bool batch, bool row, bool key) {
  Extra extra{name, 4, {row}, {key}};
  extra.gradientBytes = 4;
  extra.batch = {batch};
  return extra;
}

// 40 rows in 4 blocks, 60 keys in 3, for each of 2 batch elements: 12 visits.
TEST(Accounting, GradientsOfExtrasAreSummedWhereTheyLie) {
  Problem problem = head(40, 60, 8, Direction::Backward);
  problem.batch = {2};
  Tiling tiling = blocks(10, 20);
  auto sums = [&](Accounting accounting) {
    return sumsOf(computeTraffic(problem, accounting, tiling));
  };
  auto counts = [](int64_t read, int64_t written) {
    return std::make_pair(read, written);
  };
  // Each visit adds to a slice of 10 x 20.
  problem.extras = {differentiated("full", true, true, true)};
  EXPECT_EQ(sums(Accounting::KvOuter)["dfull"], counts(4800, 9600));
  // Keys are the outer loop: the sum of a key block stays near the arithmetic,
  // unless batch elements share it.
  problem.extras = {differentiated("keys", true, false, true)};
  EXPECT_EQ(sums(Accounting::KvOuter)["dkeys"], counts(0, 120));
  problem.extras = {differentiated("keys", false, false, true)};
  EXPECT_EQ(sums(Accounting::KvOuter)["dkeys"], counts(120, 180));
  EXPECT_EQ(sums(Accounting::QOuter)["dkeys"], counts(480, 60 + 480));

  // What the keys do not index is not summed in parts of the keys.
  tiling.keySplits = 3;
  problem.extras.clear();
  int64_t parted = sums(Accounting::KvOuter)["dQ"].first;
  problem.extras = {differentiated("rows", true, true, false)};
  EXPECT_LT(sums(Accounting::KvOuter)["dQ"].first, parted);
  // A narrow gradient is rounded from its sums.
  problem.extras[0].gradientBytes = 2;
  EXPECT_EQ(sums(Accounting::KvOuter)["drows"], counts(240 + 80, 80 + 320));

  problem.direction = Direction::Forward;
  EXPECT_EQ(sums(Accounting::KvOuter)["drows"], counts(0, 0));
}

TEST(Accounting, GroupedHeadsShareKeys) {
  Problem grouped = head(64, 64, 8);
  grouped.rows = {4, 64};
  Tiling tiling;
  tiling.queryBlock = {4, 16};
  tiling.keyBlock = {16};
  Sums sums = sumsOf(computeTraffic(grouped, Accounting::QOuter, tiling));
  EXPECT_EQ(sums["Q"].first, 4 * 64 * 8);
  EXPECT_EQ(sums["K"].first, 4 * 64 * 8);
}

TEST(Accounting, EmptyProblemsMoveNoScores) {
  for (auto [m, n] : {std::pair(0, 64), std::pair(64, 0), std::pair(0, 0)}) {
    Problem problem = head(m, n, 8);
    problem.visible = causalMask();
    Sums sums =
        sumsOf(computeTraffic(problem, Accounting::QOuter, blocks(16, 16)));
    EXPECT_EQ(sums["K"].first, 0);
    EXPECT_EQ(sums["O"].second, m * 8);
  }
}

TEST(Work, PublishedOperations) {
  Problem problem = square(1024, 64);
  Tiling tiling = blocks(64, 384);
  int64_t unit = int64_t(1024) * 1024 * 64;
  EXPECT_EQ(int64_t(computeWork(problem, Accounting::Paper, tiling).matrix),
            4 * unit);
  problem.direction = Direction::Both;
  EXPECT_EQ(int64_t(computeWork(problem, Accounting::Naive, tiling).matrix),
            12 * unit);
  EXPECT_EQ(int64_t(computeWork(problem, Accounting::Paper, tiling).matrix),
            14 * unit);
}

TEST(Work, CountsBeyond64Bits) {
  Problem problem = square(1 << 20, 128, Direction::Both);
  problem.batch = {1024, 128};
  ASSERT_FALSE(bool(problem.check()));
  Count n = 1 << 20;
  EXPECT_TRUE(
      computeWork(problem, Accounting::QOuter, blocks(128, 128)).matrix ==
      14 * n * n * 128 * 1024 * 128);
  EXPECT_EQ(toString(14 * n * n * 128 * 1024 * 128), "258254417031933722624");
}

TEST(Accounting, ReplacedKeysAreASurcharge) {
  Problem problem = head(40, 40, 8);
  problem.visible = causalMask();
  Tiling tiling = blocks(7, 11);
  EXPECT_EQ(int64_t(computeSurcharge(problem, tiling).blocks), 0);
  problem.replacesHidden = true;
  // Blocks that hold a pair n > m, counted pair by pair.
  int64_t hidden = 0, keys = 0;
  for (int64_t i = 0; i < 40; i += 7)
    for (int64_t j = 0; j < 40; j += 11) {
      bool any = false;
      for (int64_t m = i; m < std::min<int64_t>(i + 7, 40); ++m)
        for (int64_t n = j; n < std::min<int64_t>(j + 11, 40); ++n)
          any |= n > m;
      hidden += any;
      keys += any ? std::min<int64_t>(11, 40 - j) : 0;
    }
  Surcharge surcharge = computeSurcharge(problem, tiling);
  EXPECT_EQ(int64_t(surcharge.blocks), hidden);
  EXPECT_EQ(int64_t(surcharge.traffic.elements()), keys * 8);
  // The fast path is what a skipping mask moves.
  Problem skips = problem;
  skips.replacesHidden = false;
  EXPECT_EQ(elements(problem, Accounting::QOuter, tiling),
            elements(skips, Accounting::QOuter, tiling));
}
