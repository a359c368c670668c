//===- TuneStatisticsTest.cpp - what timings say about a model ------------===//
#include "attn/Runtime/TuneStatistics.h"
#include "attn/Runtime/Progress.h"
#include "gtest/gtest.h"

using namespace mlir::attn;

TEST(RankCorrelation, IsSpearmansWhereAllPairsCount) {
  // The textbook's 1 - 6 sum d^2 / (n (n^2 - 1)): d = 1 1 1 1 0, so 0.8.
  RankCorrelation found =
      correlateRanks({2, 1, 4, 3, 5}, {10, 20, 30, 40, 50}, 0);
  EXPECT_NEAR(found.rho, 0.8, 1e-12);
  EXPECT_EQ(found.pairs, 10u);
  EXPECT_EQ(found.countedPairs, 10u);
  EXPECT_NEAR(correlateRanks({3, 2, 1}, {1, 2, 3}, 0).rho, -1, 1e-12);
}

TEST(RankCorrelation, LeavesOutPairsWithinTheMargin) {
  // The model swaps two candidates that differ by 1 %, and nothing else.
  std::vector<double> predicted = {2, 1, 3, 4}, measured = {100, 101, 200, 300};
  EXPECT_NEAR(correlateRanks(predicted, measured, 0).rho, 0.8, 1e-12);
  RankCorrelation found = correlateRanks(predicted, measured, 0.03);
  EXPECT_NEAR(found.rho, 17.0 / 19, 1e-12);
  EXPECT_EQ(found.countedPairs, 5u);
}

TEST(RankCorrelation, IsOneWhereNothingCanBeTold) {
  EXPECT_EQ(correlateRanks({}, {}, 0.03).rho, 1);
  EXPECT_EQ(correlateRanks({1, 2}, {5, 5}, 0.03).countedPairs, 0u);
}

TEST(NoiseFloor, ComparesTheMinimaOfHalvesOfTheRounds) {
  EXPECT_EQ(noiseFloor({}), 0);
  EXPECT_EQ(noiseFloor({{1.0}}), 0);
  // Even rounds: 10, odd rounds: 11.
  EXPECT_NEAR(noiseFloor({{10, 11, 30, 12}}), 0.1, 1e-12);
}

TEST(Progress, SaysHowMuchIsLeft) {
  EXPECT_EQ(progressLine("tune", 0, 4, 1),
            "tune [                        ] 0/4");
  EXPECT_EQ(progressLine("tune", 1, 4, 10),
            "tune [######                  ] 1/4  30 s left");
  EXPECT_EQ(progressLine("tune", 2, 4, 300),
            "tune [############            ] 2/4  5 min left");
  EXPECT_EQ(progressLine("tune", 4, 4, 300),
            "tune [########################] 4/4");
}
