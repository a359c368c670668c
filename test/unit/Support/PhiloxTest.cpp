//===- PhiloxTest.cpp - Published answers, and attn.keep --------*- C++ -*-===//
#include "attn/Support/Philox.h"
#include "gtest/gtest.h"
#include <array>
#include <cmath>
#include <set>

using namespace attn;

namespace {

/// Random123's kat_vectors, philox 4x32 10.
TEST(Philox, PublishedAnswers) {
  const uint32_t ff = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({ff, ff, ff, ff}, {ff, ff}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// One lane of mma.sync m16n8 holds (g, 2t), (g, 2t+1), (g+8, 2t), (g+8, 2t+1).
TEST(Keep, OneCallServesALaneOfTheAccumulator) {
  for (uint64_t tileRow : {0, 16, 48})
    for (uint64_t tileKey : {0, 8, 24})
      for (uint64_t g = 0; g < 8; ++g)
        for (uint64_t t = 0; t < 4; ++t) {
          std::set<unsigned> words;
          PhiloxCounter first =
              keepIndex(tileRow + g, tileKey + 2 * t, 5, 9).counter;
          for (uint64_t m : {g, g + 8})
            for (uint64_t n : {2 * t, 2 * t + 1}) {
              KeepIndex i = keepIndex(tileRow + m, tileKey + n, 5, 9);
              EXPECT_EQ(i.counter, first);
              words.insert(i.word);
            }
          EXPECT_EQ(words.size(), 4u);
        }
}

TEST(Keep, NoWordIsUsedTwice) {
  std::set<std::pair<PhiloxCounter, unsigned>> used;
  for (uint64_t w = 0; w < 3; ++w)
    for (uint64_t m = 0; m < 50; ++m)
      for (uint64_t n = 0; n < 30; ++n) {
        KeepIndex i = keepIndex(m, n, w, 7);
        EXPECT_TRUE(used.insert({i.counter, i.word}).second);
        EXPECT_LT(i.word, 4u);
      }
  // The largest indices still differ from the smallest.
  const uint64_t max = (uint64_t(1) << 33) - 1;
  EXPECT_EQ(keepIndex(max, max, 0xffffffff, 7).counter,
            (PhiloxCounter{0xffffffff, 0xffffffff, 0xffffffff, 7}));
  EXPECT_EQ(keepIndex(max, max, 0, 7).word, 3u);
}

TEST(Keep, IndexingAsWritten) {
  // m = 13 = 0b1101: 13 >> 4 << 3 is 0, & 7 is 5, bit 3 is 1. n = 7.
  KeepIndex i = keepIndex(13, 7, 42, 0x100000003);
  EXPECT_EQ(i.counter, (PhiloxCounter{3, 5, 42, 3}));
  EXPECT_EQ(i.word, 3u);
  EXPECT_EQ(keepIndex(16, 0, 0, 0).counter[1], 8u);
  EXPECT_EQ(keepKey(0x1122334455667788, 0xff00000000),
            (PhiloxKey{0x55667788, 0x112233bb}));
}

TEST(Keep, Factors) {
  EXPECT_EQ(keepThreshold(0.0), 0u);
  EXPECT_EQ(keepThreshold(0.25), 0x40000000u);
  EXPECT_EQ(keepThreshold(1.0), uint64_t(1) << 32);
  for (uint64_t n = 0; n < 100; ++n) {
    EXPECT_EQ(keepFactor(0.0, 1, 2, 3, n, 4), 1.0);
    EXPECT_EQ(keepFactor(1.0, 1, 2, 3, n, 4), 0.0);
  }
  // By hand from the first published answer: m = 0 and 8, n = 0 and 1.
  const uint32_t words[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (uint64_t m : {0, 8})
    for (uint64_t n : {0, 1})
      for (double p : {0.1, 0.5, 0.65, 0.8}) {
        bool kept = double(words[n + m / 4]) / 4294967296.0 >= p;
        EXPECT_EQ(keepFactor(p, 0, 0, m, n, 0), kept ? 1 / (1 - p) : 0.0);
      }
  int kept = 0;
  for (uint64_t m = 0; m < 100; ++m)
    for (uint64_t n = 0; n < 100; ++n)
      kept += isKept(0.3, 1234, 56, m, n, 0);
  EXPECT_NEAR(kept, 7000, 4 * std::sqrt(10000 * 0.3 * 0.7));
}

/// Draws at the elements of a box, and how often two of them agree.
struct Draws {
  double rate, agreement;
};
static Draws draw(double p, std::array<uint64_t, 3> step, uint64_t seedStep,
                  uint64_t offsetStep) {
  constexpr uint64_t rows = 40, keys = 50, slices = 6;
  const uint64_t seed = 0x9e3779b97f4a7c15, offset = 11;
  unsigned kept = 0, equal = 0;
  for (uint64_t w = 0; w < slices; ++w)
    for (uint64_t m = 0; m < rows; ++m)
      for (uint64_t n = 0; n < keys; ++n) {
        bool own = isKept(p, seed, offset, m, n, w);
        bool other = isKept(p, seed + seedStep, offset + offsetStep,
                            m + step[0], n + step[1], w + step[2]);
        kept += own;
        equal += own == other;
      }
  const double all = rows * keys * slices;
  return {kept / all, equal / all};
}

/// Neighbours of every kind are as independent as coins: along rows and keys by
/// one, and by the strides at which a counter's words change; along heads and
/// batch (slices), from seed to seed, from offset to offset.
TEST(Keep, ElementsAreIndependent) {
  struct Step {
    std::array<uint64_t, 3> element;
    uint64_t seed, offset;
  };
  const Step steps[] = {
      {{1, 0, 0}, 0, 0},  {{7, 0, 0}, 0, 0}, {{8, 0, 0}, 0, 0},
      {{16, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}, {{0, 2, 0}, 0, 0},
      {{0, 16, 0}, 0, 0}, {{0, 0, 1}, 0, 0}, {{0, 0, 6}, 0, 0},
      {{1, 1, 0}, 0, 0},  {{8, 1, 0}, 0, 0}, {{0, 0, 0}, 1, 0},
      {{0, 0, 0}, 0, 1},  {{0, 0, 0}, 1, 1}, {{0, 0, 0}, 0, uint64_t(1) << 32},
  };
  const double count = 40 * 50 * 6;
  for (double p : {0.1, 0.3, 0.5, 0.9})
    for (const Step &step : steps) {
      Draws draws = draw(p, step.element, step.seed, step.offset);
      double same = p * p + (1 - p) * (1 - p);
      EXPECT_NEAR(draws.rate, 1 - p, 4 * std::sqrt(p * (1 - p) / count));
      // Pairs share elements, which widens what chance explains.
      EXPECT_NEAR(draws.agreement, same,
                  6 * std::sqrt(same * (1 - same) / count))
          << "p " << p << ", step " << step.element[0] << " " << step.element[1]
          << " " << step.element[2] << ", seed by " << step.seed
          << ", offset by " << step.offset;
    }
}

std::string errorOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(Keep, RangesAreChecked) {
  const uint64_t k32 = uint64_t(1) << 32, k33 = uint64_t(1) << 33;
  EXPECT_EQ(errorOf(checkKeepRange(0.5, k33, k33, k32)), "");
  EXPECT_NE(errorOf(checkKeepRange(0.5, k33 + 1, 1, 1)).find("last row dim"),
            std::string::npos);
  EXPECT_NE(errorOf(checkKeepRange(0.5, 1, k33 + 1, 1)).find("key dims"),
            std::string::npos);
  EXPECT_NE(errorOf(checkKeepRange(0.5, 1, 1, k32 + 1)).find("batch"),
            std::string::npos);
  for (double p : {-0.1, 1.1, std::nan("")})
    EXPECT_NE(errorOf(checkKeepRange(p, 1, 1, 1)).find("probability"),
              std::string::npos);
}

} // namespace
