//===- TileBoundsTest.cpp - Symbolic bounds against points ------*- C++ -*-===//
#include "attn/Support/TileBounds.h"
#include "VisibleTesting.h"
#include "gtest/gtest.h"

using namespace attn;
using namespace attn::masks;

namespace {

llvm::SmallVector<int64_t, 6> tileDimsOf(llvm::ArrayRef<Range> box) {
  llvm::SmallVector<int64_t, 6> dims;
  for (Range r : box) {
    dims.push_back(r.begin);
    dims.push_back(r.end - 1);
  }
  return dims;
}

TEST(TileBounds, Causal) {
  AffineSet causal{{ge(m - n + N - M)}};
  tile::KeyBounds bounds = tile::keyBounds(causal, 2);
  ASSERT_EQ(bounds.anyHi.size(), 1u);
  ASSERT_EQ(bounds.fullHi.size(), 1u);
  EXPECT_EQ(bounds.anyHi[0], tile::last(1) + N - M + 1);
  EXPECT_EQ(bounds.fullHi[0], tile::first(1) + N - M + 1);
  EXPECT_TRUE(bounds.anyLo.empty() && bounds.fullLo.empty());
  EXPECT_TRUE(bounds.anyIf.empty() && bounds.fullIf.empty());
}

TEST(TileBounds, ChunksAreBoundedThroughFloordiv) {
  AffineSet chunks{{eq(m.floorDiv(64) - n.floorDiv(64))}};
  tile::KeyBounds bounds = tile::keyBounds(chunks, 2);
  ASSERT_EQ(bounds.anyLo.size(), 1u);
  ASSERT_EQ(bounds.anyHi.size(), 1u);
  EXPECT_EQ(bounds.anyLo[0], 64 * tile::first(1).floorDiv(64));
  EXPECT_EQ(bounds.anyHi[0], 64 * tile::last(1).floorDiv(64) + 64);
  EXPECT_EQ(bounds.fullLo[0], 64 * tile::last(1).floorDiv(64));
  EXPECT_EQ(bounds.fullHi[0], 64 * tile::first(1).floorDiv(64) + 64);
}

TEST(TileBounds, ModIsOpenAndNeverFull) {
  tile::KeyBounds bounds = tile::keyBounds({{eq((m - n).mod(4))}}, 2);
  EXPECT_TRUE(bounds.anyLo.empty() && bounds.anyHi.empty() &&
              bounds.anyIf.empty());
  ASSERT_EQ(bounds.fullIf.size(), 1u);
  EXPECT_EQ(bounds.fullIf[0], Expr(-3));
}

TEST(TileBounds, RowOnlyConstraintsAreConditions) {
  tile::KeyBounds bounds = tile::keyBounds({{ge(L - m)}}, 2);
  ASSERT_EQ(bounds.anyIf.size(), 1u);
  EXPECT_EQ(bounds.anyIf[0], L - tile::first(1));
  EXPECT_EQ(bounds.fullIf[0], L - tile::last(1));
}

TEST(TileBounds, IntervalsContainEveryValue) {
  RandomVisible random(6);
  for (int trial = 0; trial < 4000; ++trial) {
    Expr e = random.expr();
    Box box{random.range(0, 3), random.range(0, 9), random.range(0, 9)};
    int64_t symbols[] = {4, 10, 10, random.pick(0, 20)};
    auto dims = tileDimsOf(box);
    int64_t lo = tile::lower(e).evaluate(dims, symbols);
    int64_t hi = tile::upper(e).evaluate(dims, symbols);
    for (int64_t b = box[0].begin; b < box[0].end; ++b)
      for (int64_t m = box[1].begin; m < box[1].end; ++m)
        for (int64_t n = box[2].begin; n < box[2].end; ++n) {
          int64_t value = e.evaluate({b, m, n}, symbols);
          ASSERT_LE(lo, value) << e.str();
          ASSERT_GE(hi, value) << e.str();
        }
  }
}

TEST(TileBounds, LinearIntervalsAreTight) {
  RandomVisible random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    Expr e = random.linear();
    Box box{random.range(0, 3), random.range(0, 9), random.range(0, 9)};
    int64_t symbols[] = {4, 10, 10, random.pick(0, 20)};
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (int64_t b = box[0].begin; b < box[0].end; ++b)
      for (int64_t m = box[1].begin; m < box[1].end; ++m)
        for (int64_t n = box[2].begin; n < box[2].end; ++n) {
          int64_t value = e.evaluate({b, m, n}, symbols);
          least = std::min(least, value);
          greatest = std::max(greatest, value);
        }
    auto dims = tileDimsOf(box);
    EXPECT_EQ(tile::lower(e).evaluate(dims, symbols), least);
    EXPECT_EQ(tile::upper(e).evaluate(dims, symbols), greatest);
  }
}

bool allHold(llvm::ArrayRef<Expr> list, llvm::ArrayRef<int64_t> dims,
             llvm::ArrayRef<int64_t> symbols) {
  return llvm::all_of(
      list, [&](const Expr &e) { return e.evaluate(dims, symbols) >= 0; });
}

bool isInside(int64_t key, const tile::KeyBounds::List &los,
              const tile::KeyBounds::List &his, llvm::ArrayRef<int64_t> dims,
              llvm::ArrayRef<int64_t> symbols) {
  for (const Expr &lo : los)
    if (key < lo.evaluate(dims, symbols))
      return false;
  for (const Expr &hi : his)
    if (key >= hi.evaluate(dims, symbols))
      return false;
  return true;
}

TEST(TileBounds, KeyBoundsHoldForRandomSets) {
  RandomVisible random(8);
  int hidden = 0, surelyVisible = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    Visible visible = random.next();
    Box box{random.range(0, 2), random.range(0, 9), {0, 1}};
    int64_t symbols[] = {4, 10, 20, random.pick(0, 20)};
    auto dims = tileDimsOf(box);
    // The key's own tile must not matter.
    dims[4] = dims[5] = -1000;
    for (const AffineSet &set : visible.sets()) {
      tile::KeyBounds bounds = tile::keyBounds(set, 2);
      Visible one(kDims, kSymbols, set);
      bool any = allHold(bounds.anyIf, dims, symbols);
      bool full = allHold(bounds.fullIf, dims, symbols);
      for (int64_t key = 0; key < 20; ++key) {
        box[2] = {key, key + 1};
        BlockKind kind = kindOf(tally(one, box, symbols));
        if (!any || !isInside(key, bounds.anyLo, bounds.anyHi, dims, symbols)) {
          ASSERT_EQ(kind, BlockKind::Empty) << one.str() << " key " << key;
          ++hidden;
        }
        if (full &&
            isInside(key, bounds.fullLo, bounds.fullHi, dims, symbols)) {
          ASSERT_EQ(kind, BlockKind::Full) << one.str() << " key " << key;
          ++surelyVisible;
        }
      }
    }
  }
  EXPECT_GT(hidden, 10000);
  EXPECT_GT(surelyVisible, 10000);
}

/// For constraints with a key of coefficient 1 or -1 and one row, nothing is
/// lost: what is not said to be hidden is seen by some row.
TEST(TileBounds, SingleConstraintBoundsAreExact) {
  RandomVisible random(9);
  for (int trial = 0; trial < 2000; ++trial) {
    AffineSet set{{ge(random.linear())}};
    Visible one(kDims, kSymbols, set);
    Box box{random.range(0, 2), random.range(0, 9), {0, 1}};
    int64_t symbols[] = {4, 10, 20, random.pick(0, 20)};
    auto dims = tileDimsOf(box);
    tile::KeyBounds bounds = tile::keyBounds(set, 2);
    for (int64_t key = 0; key < 20; ++key) {
      box[2] = {key, key + 1};
      BlockKind kind = kindOf(tally(one, box, symbols));
      bool any = allHold(bounds.anyIf, dims, symbols) &&
                 isInside(key, bounds.anyLo, bounds.anyHi, dims, symbols);
      bool full = allHold(bounds.fullIf, dims, symbols) &&
                  isInside(key, bounds.fullLo, bounds.fullHi, dims, symbols);
      ASSERT_EQ(any, kind != BlockKind::Empty) << one.str();
      ASSERT_EQ(full, kind == BlockKind::Full) << one.str();
    }
  }
}

TEST(TileBounds, BlockConditionsHoldForRandomSets) {
  RandomVisible random(10);
  int empty = 0, full = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    Visible visible = random.next();
    Box box{random.range(0, 2), random.range(0, 15), random.range(0, 15)};
    int64_t symbols[] = {4, 16, 16, random.pick(0, 20)};
    auto dims = tileDimsOf(box);
    for (const AffineSet &set : visible.sets()) {
      BlockKind kind =
          kindOf(tally(Visible(kDims, kSymbols, set), box, symbols));
      if (!allHold(tile::anyConditions(set), dims, symbols)) {
        ASSERT_EQ(kind, BlockKind::Empty);
        ++empty;
      }
      if (allHold(tile::fullConditions(set), dims, symbols)) {
        ASSERT_EQ(kind, BlockKind::Full);
        ++full;
      }
    }
  }
  EXPECT_GT(empty, 500);
  EXPECT_GT(full, 500);
}

} // namespace
