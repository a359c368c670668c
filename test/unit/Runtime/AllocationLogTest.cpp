//===- AllocationLogTest.cpp ----------------------------------------------===//
#include "attn/Runtime/AllocationLog.h"
#include "gtest/gtest.h"
#include <cstdint>

using mlir::attn::AllocationLog;

TEST(AllocationLog, PeakIsTheLargestSumOfLiveBlocks) {
  AllocationLog log;
  void *a = AllocationLog::allocate(100);
  void *b = AllocationLog::allocate(50);
  AllocationLog::release(a);
  void *c = AllocationLog::allocate(70);
  EXPECT_EQ(log.peakWithout({}), 150u);
  AllocationLog::release(b);
  AllocationLog::release(c);
  EXPECT_EQ(log.peakWithout({}), 150u);
}

TEST(AllocationLog, ResultsAreLeftOutWhileTheyLive) {
  AllocationLog log;
  void *result = AllocationLog::allocate(1000);
  void *scratch = AllocationLog::allocate(10);
  AllocationLog::release(scratch);
  EXPECT_EQ(log.peakWithout({result}), 10u);
  EXPECT_EQ(log.peakWithout({}), 1010u);
  AllocationLog::release(result);
}

TEST(AllocationLog, AnEarlierBlockAtAResultsAddressCounts) {
  AllocationLog log;
  void *first = AllocationLog::allocate(640, 64);
  AllocationLog::release(first);
  void *second = AllocationLog::allocate(640, 64);
  if (first == second) { // the allocator's choice, nearly always
    EXPECT_EQ(log.peakWithout({second}), 640u);
  }
  AllocationLog::release(second);
}

TEST(AllocationLog, WhatWasAllocatedBeforeIsIgnored) {
  void *early = AllocationLog::allocate(500);
  AllocationLog log;
  AllocationLog::release(early);
  EXPECT_EQ(log.peakWithout({}), 0u);
}

TEST(AllocationLog, BlocksAreAlignedAndEmptyOnesHaveAnAddress) {
  void *empty = AllocationLog::allocate(0, 64);
  EXPECT_NE(empty, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(empty) % 64, 0u);
  AllocationLog::release(empty);
  EXPECT_EQ(AllocationLog::allocate(SIZE_MAX - 3, 64), nullptr);
}
