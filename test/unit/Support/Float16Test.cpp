//===- Float16Test.cpp - 16-bit formats against arithmetic ------*- C++ -*-===//
//
// The oracle knows only what the bits of a 16-bit number mean; the nearest one
// is found by search among neighbours.
//
//===----------------------------------------------------------------------===//
#include "attn/Support/Float16.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace attn;

namespace {

struct Format {
  const char *name;
  int mantissaBits, bias;
  uint16_t (*fromFloat)(float);
  uint16_t (*fromDouble)(double);
  float (*toFloat)(uint16_t);

  uint16_t infinity() const {
    return uint16_t(0x7FFF >> mantissaBits << mantissaBits);
  }
  /// The meaning of finite positive bits; infinity as if the range went on.
  double meaning(uint16_t bits) const {
    int exponent = bits >> mantissaBits;
    double mantissa = bits & ((1 << mantissaBits) - 1);
    double unit = std::ldexp(1.0, -mantissaBits);
    return exponent == 0 ? std::ldexp(mantissa * unit, 1 - bias)
                         : std::ldexp(1 + mantissa * unit, exponent - bias);
  }
  /// Nearest, ties to even, of a non-negative number.
  uint16_t nearest(double value) const {
    uint16_t lo = 0, hi = infinity();
    if (value >= meaning(hi))
      return hi;
    while (hi - lo > 1) {
      uint16_t mid = uint16_t((lo + hi) / 2);
      (meaning(mid) <= value ? lo : hi) = mid;
    }
    double below = value - meaning(lo), above = meaning(hi) - value;
    return below < above || (below == above && lo % 2 == 0) ? lo : hi;
  }
};

const Format kFormats[] = {
    {"f16", 10, 15, floatToFloat16, doubleToFloat16, float16ToFloat},
    {"bf16", 7, 127, floatToBfloat16, doubleToBfloat16, bfloat16ToFloat}};

TEST(Float16, WidensEveryPattern) {
  for (const Format &f : kFormats)
    for (uint32_t bits = 0; bits < f.infinity(); ++bits) {
      ASSERT_EQ(f.toFloat(uint16_t(bits)), f.meaning(uint16_t(bits)));
      ASSERT_EQ(f.toFloat(uint16_t(bits | 0x8000)), -f.meaning(uint16_t(bits)));
      ASSERT_EQ(f.fromFloat(f.toFloat(uint16_t(bits))), bits);
    }
}

TEST(Float16, RoundsToNearestEven) {
  std::mt19937_64 rng(1);
  for (const Format &f : kFormats) {
    auto check = [&](double value) {
      ASSERT_EQ(f.fromDouble(value), f.nearest(value)) << f.name << value;
      float single = float(value);
      ASSERT_EQ(f.fromFloat(single), f.nearest(double(single))) << f.name;
      ASSERT_EQ(f.fromFloat(-single), f.nearest(double(single)) | 0x8000);
    };
    // Halfway between neighbours, and a hair to either side.
    for (uint32_t bits = 0; bits < f.infinity(); ++bits) {
      double half =
          (f.meaning(uint16_t(bits)) + f.meaning(uint16_t(bits + 1))) / 2;
      check(half);
      check(std::nextafter(half, 0.0));
      check(std::nextafter(half, 1e300));
      ASSERT_EQ(f.fromFloat(std::nextafter(float(half), 1e30f)),
                f.nearest(std::nextafter(float(half), 1e30f)));
    }
    for (int i = 0; i < 100000; ++i) {
      double exponent = double(int64_t(rng() % 320)) - 160;
      check(std::ldexp(1.0 + double(rng() >> 12) * 0x1p-52, int(exponent)));
    }
  }
}

TEST(Float16, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const Format &f : kFormats) {
    EXPECT_EQ(f.fromFloat(inf), f.infinity());
    EXPECT_EQ(f.fromFloat(-inf), f.infinity() | 0x8000);
    EXPECT_EQ(f.toFloat(f.infinity()), inf);
    EXPECT_EQ(f.fromFloat(-0.0f), 0x8000);
    EXPECT_EQ(f.fromDouble(1e300), f.infinity());
    EXPECT_EQ(f.fromDouble(double(inf)), f.infinity());
    // NaNs of every payload stay NaNs.
    for (uint32_t bits : {0x7F800001u, 0x7FC00000u, 0xFFFFFFFFu, 0xFF802000u}) {
      EXPECT_TRUE(std::isnan(f.toFloat(f.fromFloat(bitsToFloat(bits)))));
      EXPECT_EQ(f.fromFloat(bitsToFloat(bits)) >> 15, bits >> 31);
    }
    EXPECT_TRUE(std::isnan(f.toFloat(uint16_t(f.infinity() + 1))));
    EXPECT_TRUE(std::isnan(
        f.toFloat(f.fromDouble(std::numeric_limits<double>::quiet_NaN()))));
  }
}

} // namespace
