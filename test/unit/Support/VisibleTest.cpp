//===- VisibleTest.cpp - Visible against brute force ------------*- C++ -*-===//
#include "VisibleTesting.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace attn;
using namespace attn::masks;

namespace {

const int64_t kExtents[][2] = {{0, 0}, {0, 5},   {5, 0},   {1, 1},   {1, 13},
                               {7, 1}, {13, 13}, {11, 17}, {17, 11}, {24, 24}};

TEST(Visible, NamedMasksMeanWhatTheySay) {
  for (const Mask &mask : namedMasks())
    for (auto [rows, keys] : kExtents)
      for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < keys; ++n)
          ASSERT_EQ(mask.visible.contains({0, m, n}, {1, rows, keys, 6}),
                    mask.isVisible(m, n, rows, keys, 6))
              << mask.name << " " << m << " " << n;
}

TEST(Visible, CountsNamedMasks) {
  for (const Mask &mask : namedMasks()) {
    for (auto [rows, keys] : kExtents) {
      uint64_t expected = 0;
      for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < keys; ++n)
          expected += mask.isVisible(m, n, rows, keys, 6);
      EXPECT_EQ(mask.visible.count({3, rows, keys, 6}), 3 * expected)
          << mask.name << " " << rows << " x " << keys;
    }
  }
}

TEST(Visible, CountsBigProblemsInClosedForm) {
  const int64_t n = 4096;
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(makeVisible({{ge(m - masks::n)}}).count({1, n, n, 0}),
            uint64_t(n) * (n + 1) / 2);
  // A window of 1024: whole rows, less the ones that it is cut short in.
  EXPECT_EQ(makeVisible({{ge(m - masks::n), ge(masks::n - m + 1023)}})
                .count({8, n, n, 0}),
            8 * (uint64_t(n) * 1024 - 1024 * 1023 / 2));
  EXPECT_EQ(makeVisible({{eq((m - masks::n).mod(4))}}).count({1, n, n, 0}),
            uint64_t(n) * n / 4);
  auto time = std::chrono::steady_clock::now() - start;
  RecordProperty(
      "microseconds",
      int(std::chrono::duration_cast<std::chrono::microseconds>(time).count()));
  // Points would take seconds, lines milliseconds, whatever the machine.
  EXPECT_LT(time, std::chrono::milliseconds(500));
  EXPECT_EQ(Visible::all(3, 3).count({1 << 20, 1 << 20, 1 << 20}), uint64_t(1)
                                                                       << 60);
  EXPECT_EQ(Visible::all(3, 3).count({1 << 30, 1 << 30, 1 << 30}), UINT64_MAX);
}

TEST(Visible, ClassifiesRandomBoxes) {
  RandomVisible random(2);
  int seen[3] = {};
  for (int trial = 0; trial < 3000; ++trial) {
    Visible visible = random.next();
    for (int i = 0; i < 6; ++i) {
      Box box{random.range(0, 3), random.range(0, 20), random.range(0, 20)};
      int64_t symbols[] = {4, 21, 21, random.pick(0, 20)};
      BlockKind expected = kindOf(tally(visible, box, symbols));
      ASSERT_EQ(visible.classify(box, symbols), expected)
          << visible.str() << " box " << box[1].begin << " " << box[1].end
          << " " << box[2].begin << " " << box[2].end;
      ++seen[int(expected)];
    }
  }
  for (int count : seen)
    EXPECT_GT(count, 1000);
}

TEST(Visible, CountsRandomBoxes) {
  RandomVisible random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    Visible visible = random.next();
    Box box{random.range(0, 3), random.range(0, 20), random.range(0, 20)};
    int64_t symbols[] = {4, 21, 21, random.pick(0, 20)};
    ASSERT_EQ(visible.count(box, symbols),
              uint64_t(tally(visible, box, symbols).first))
        << visible.str();
  }
}

TEST(Visible, EmptyBoxesAreEmpty) {
  Visible all = Visible::all(3, 3);
  EXPECT_EQ(all.classify(Box{{0, 1}, {4, 4}, {0, 9}}, {1, 9, 9}),
            BlockKind::Empty);
  EXPECT_EQ(all.count(Box{{0, 1}, {4, 3}, {0, 9}}, {1, 9, 9}), 0u);
  EXPECT_TRUE(all.keyRanges(Box{{0, 1}, {4, 4}, {}}, {2, {0, 9}, 4}, {1, 9, 9})
                  .empty());
  EXPECT_TRUE(all.keyRanges(Box{{0, 1}, {0, 4}, {}}, {2, {0, 0}, 4}, {1, 9, 0})
                  .empty());
}

TEST(Visible, BoxesBeyondTheBudgetStayPartial) {
  // Every line would have to be looked at; all of them are fully visible.
  Expr big = Expr::dim(0);
  Visible visible = makeVisible({{ge(m + big - 1000)}, {ge(999 - m - big)}});
  Box box{{0, 1 << 20}, {0, 1 << 20}, {0, 1}};
  EXPECT_EQ(visible.classify(box, {1, 1, 1, 0}), BlockKind::Partial);
  Box smaller{{0, 1 << 10}, {0, 1 << 20}, {0, 1}};
  EXPECT_EQ(visible.classify(smaller, {1, 1, 1, 0}), BlockKind::Full);
}

/// The ranges by looking at every block.
llvm::SmallVector<KeyRange, 4> rangesByBlocks(const Visible &visible, Box box,
                                              const KeyBlocking &blocking,
                                              llvm::ArrayRef<int64_t> symbols) {
  llvm::SmallVector<KeyRange, 4> ranges;
  for (int64_t begin = blocking.keys.begin; begin < blocking.keys.end;
       begin += blocking.block) {
    int64_t end = std::min(begin + blocking.block, blocking.keys.end);
    box[blocking.dim] = {begin, end};
    BlockKind kind = kindOf(tally(visible, box, symbols));
    if (kind == BlockKind::Empty)
      continue;
    if (!ranges.empty() && ranges.back().end == begin &&
        ranges.back().kind == kind)
      ranges.back().end = end;
    else
      ranges.push_back({begin, end, kind});
  }
  return ranges;
}

TEST(Visible, KeyRangesOfNamedMasks) {
  for (const Mask &mask : namedMasks())
    for (auto [rows, keys] : kExtents)
      for (int64_t queryBlock : {1, 3, 8, 64})
        for (int64_t keyBlock : {1, 2, 5, 8, 64})
          for (int64_t row = 0; row < rows; row += queryBlock) {
            Box box{{0, 2}, {row, std::min(row + queryBlock, rows)}, {}};
            KeyBlocking blocking{2, {0, keys}, keyBlock};
            int64_t symbols[] = {2, rows, keys, 6};
            ASSERT_EQ(mask.visible.keyRanges(box, blocking, symbols),
                      rangesByBlocks(mask.visible, box, blocking, symbols))
                << mask.name << " " << rows << " x " << keys << " row " << row
                << " blocks " << queryBlock << ", " << keyBlock;
          }
}

TEST(Visible, KeyRangesOfRandomSets) {
  RandomVisible random(4);
  for (int trial = 0; trial < 4000; ++trial) {
    Visible visible = random.next();
    Box box{random.range(0, 2), random.range(0, 20), random.range(0, 20)};
    unsigned dim = trial % 4 == 0 ? 1 : 2;
    KeyBlocking blocking{dim, random.range(0, 20), random.pick(1, 9)};
    int64_t symbols[] = {4, 21, 21, random.pick(0, 20)};
    KeyRangeFinder finder(visible, blocking, symbols);
    ASSERT_EQ(finder.find(box), rangesByBlocks(visible, box, blocking, symbols))
        << visible.str();
  }
}

TEST(Visible, ComplementsNamedMasks) {
  for (const Mask &mask : namedMasks()) {
    Visible hidden = mask.visible.complement();
    EXPECT_LE(hidden.sets().size(), mask.visible.complementBound());
    for (int64_t m = 0; m < 13; ++m)
      for (int64_t n = 0; n < 17; ++n)
        ASSERT_NE(hidden.contains({0, m, n}, {1, 13, 17, 6}),
                  mask.visible.contains({0, m, n}, {1, 13, 17, 6}))
            << mask.name;
  }
  EXPECT_TRUE(Visible::all(3, 3).complement().isNone());
  EXPECT_TRUE(Visible::none(3, 3).complement().isAll());
  // Twice is the same set again, up to the normal form.
  EXPECT_EQ(makeVisible({{ge(m - n)}}).complement().complement().str(),
            makeVisible({{ge(m - n)}}).str());
}

TEST(Visible, ComplementsRandomSets) {
  RandomVisible random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    Visible visible = random.next(), hidden = visible.complement();
    for (int i = 0; i < 60; ++i) {
      int64_t point[] = {random.pick(0, 3), random.pick(0, 20),
                         random.pick(0, 20)};
      int64_t symbols[] = {4, 21, 21, random.pick(0, 20)};
      ASSERT_NE(isVisibleByConstraints(visible, point, symbols),
                isVisibleByConstraints(hidden, point, symbols))
          << visible.str();
    }
  }
}

TEST(Visible, ComplementOfEverySetIsPruned) {
  // Prefix-LM hides n > m and n >= L: one set of two constraints.
  EXPECT_EQ(makeVisible({{ge(m - n)}, {ge(L - 1 - n)}}).complement().str(),
            "[{-d1 + d2 - 1 >= 0, d2 - s3 >= 0}]");
  EXPECT_EQ(makeVisible({{ge(m - n)}, {ge(n - m - 1)}}).complement().str(),
            "[]");
}

TEST(Visible, Prints) {
  EXPECT_EQ(makeVisible({{ge(m - n), eq(n.mod(3))}}).str(),
            "[{d1 - d2 >= 0, d2 mod 3 == 0}]");
  EXPECT_EQ(Visible::all(2, 2).str(), "all");
  EXPECT_EQ(Visible::none(2, 2).str(), "[]");
}

} // namespace
