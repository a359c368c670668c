//===- CompareTest.cpp ----------------------------------------------------===//
#include "attn/Runtime/Compare.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::attn;
using attn::Array;
using attn::DType;

static Array makeArray(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<double> values) {
  Array array(DType::F64, shape);
  for (size_t i = 0; i < values.size(); ++i)
    array.set(static_cast<int64_t>(i), values[i]);
  return array;
}

static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double Inf = std::numeric_limits<double>::infinity();

TEST(Compare, TheRuleIsTwiceTheToleranceOfMaxOneWant) {
  Array want = makeArray({3}, {0.5, 1, 100});
  // Allowed are 2e-3 below 1 and 2e-3 * |want| above.
  EXPECT_TRUE(
      compare(makeArray({3}, {0.5019, 0.9981, 100.19}), want, 1e-3).agrees);
  EXPECT_FALSE(compare(makeArray({3}, {0.5021, 1, 100}), want, 1e-3).agrees);
  EXPECT_FALSE(compare(makeArray({3}, {0.5, 1, 100.21}), want, 1e-3).agrees);
}

TEST(Compare, NaNAgreesWithNaNOnlyAndInfinityWithItsSign) {
  Array want = makeArray({3}, {NaN, Inf, -Inf});
  EXPECT_TRUE(compare(want, want, 0).agrees);
  EXPECT_FALSE(compare(makeArray({3}, {0, Inf, -Inf}), want, 1).agrees);
  EXPECT_FALSE(compare(makeArray({3}, {NaN, -Inf, -Inf}), want, 1).agrees);
  Comparison toNaN = compare(makeArray({1}, {NaN}), makeArray({1}, {1}), 1e300);
  EXPECT_FALSE(toNaN.agrees);
  EXPECT_EQ(toNaN.maxAbsError, Inf);
}

TEST(Compare, TheWorstElementIsTheOneOfLargestRelativeError) {
  Array want = makeArray({2, 2}, {1, 1000, 2, 3});
  Array got = makeArray({2, 2}, {1, 1001, 2.5, 3});
  Comparison result = compare(got, want, 1e-3);
  EXPECT_EQ(result.worstIndex, 2);
  EXPECT_EQ(result.worstGot, 2.5);
  EXPECT_EQ(result.worstWant, 2.0);
  EXPECT_EQ(result.maxAbsError, 1.0);
  EXPECT_EQ(result.numDisagreeing, 1);
  EXPECT_EQ(describe(result, "out0", got, want, 1e-3),
            "out0[1,0]: expected 2, got 2.5; 1 of 4 elements differ by more "
            "than 0.002 * max(1, |expected|)");
}

TEST(Compare, ShapesMustBeEqual) {
  Comparison result = compare(makeArray({2, 3}, {}), makeArray({3, 2}, {}), 1);
  EXPECT_FALSE(result.agrees);
  EXPECT_TRUE(result.shapesDiffer);
}

TEST(Compare, EmptyArraysAgree) {
  EXPECT_TRUE(compare(makeArray({0, 4}, {}), makeArray({0, 4}, {}), 0).agrees);
}

TEST(Compare, IntegersMustBeEqual) {
  EXPECT_EQ(getDefaultTolerance(DType::I64), 0.0);
  EXPECT_EQ(getDefaultTolerance(DType::Bool), 0.0);
  EXPECT_GT(getDefaultTolerance(DType::BF16), getDefaultTolerance(DType::F32));
}
