//===- ExprTest.cpp - Integer affine expressions ----------------*- C++ -*-===//
#include "attn/Support/Expr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <functional>
#include <random>

using namespace attn;

namespace {

Expr d0 = Expr::dim(0), d1 = Expr::dim(1), s0 = Expr::symbol(0);

TEST(Expr, NormalForm) {
  EXPECT_EQ(d0 + d1 - d0, d1);
  EXPECT_EQ((6 * d0 + d1 + 8).floorDiv(2), 3 * d0 + 4 + d1.floorDiv(2));
  EXPECT_EQ((6 * d0 + 4).mod(8), 2 * (3 * d0 + 2).mod(4));
  EXPECT_EQ(d0.floorDiv(4).floorDiv(8), d0.floorDiv(32));
  EXPECT_EQ((d0.floorDiv(4) + 3).floorDiv(8), (d0 + 12).floorDiv(32));
  EXPECT_EQ(d0.ceilDiv(8), (d0 + 7).floorDiv(8));
  EXPECT_EQ(d0.mod(4).mod(8), d0.mod(4));
  EXPECT_EQ((d0 * 0).terms().size(), 0u);
  EXPECT_EQ(Expr(-7).floorDiv(2), Expr(-4));
  EXPECT_EQ(Expr(-7).ceilDiv(2), Expr(-3));
  EXPECT_EQ(Expr(-7).mod(4), Expr(1));
  EXPECT_EQ(d0.mod(1), Expr(0));
  EXPECT_EQ(d0.floorDiv(1), d0);
}

TEST(Expr, Prints) {
  EXPECT_EQ(Expr().str(), "0");
  EXPECT_EQ((d0 - d1 - 3).str(), "d0 - d1 - 3");
  EXPECT_EQ((-d0 + 2 * s0).str(), "-d0 + 2 * s0");
  EXPECT_EQ((d0 + s0).floorDiv(4).str(), "(d0 + s0) floordiv 4");
  EXPECT_EQ((2 * d0.mod(3) + 1).str(), "2 * (d0 mod 3) + 1");
  std::string text;
  llvm::raw_string_ostream os(text);
  (d0 - s0).print(os, {"m"}, {"M"});
  EXPECT_EQ(text, "m - M");
}

TEST(Expr, MentionsLooksInside) {
  Expr e = d0 + (d1 + s0).floorDiv(4);
  EXPECT_TRUE(e.mentionsDim(1));
  EXPECT_TRUE(e.mentionsSymbol(0));
  EXPECT_FALSE(e.mentionsDim(2));
  EXPECT_EQ(e.coefficientOfDim(0), 1);
  EXPECT_EQ(e.coefficientOfDim(1), 0);
  EXPECT_TRUE(e.isDimUnderDivision(1));
  EXPECT_FALSE(e.isDimUnderDivision(0));
}

TEST(Expr, SaturatesInsteadOfOverflowing) {
  Expr huge = d0 * INT64_MAX * 2 + INT64_MAX;
  EXPECT_EQ(huge.evaluate({INT64_MAX}, {}), INT64_MAX);
  EXPECT_EQ((-huge).evaluate({INT64_MAX}, {}), -INT64_MAX);
}

/// A random expression beside a direct evaluation of how it was built.
struct Random {
  std::mt19937 rng{1};
  using Eval = std::function<int64_t(int64_t, int64_t, int64_t)>;

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }
  static int64_t roundedDown(int64_t a, int64_t q) {
    int64_t t = a / q;
    while (t * q > a)
      --t;
    return t;
  }
  std::pair<Expr, Eval> make(int depth) {
    switch (depth == 0 ? pick(0, 3) : pick(0, 8)) {
    case 0: {
      int64_t c = pick(-9, 9);
      return {Expr(c), [=](int64_t, int64_t, int64_t) { return c; }};
    }
    case 1:
      return {d0, [](int64_t a, int64_t, int64_t) { return a; }};
    case 2:
      return {d1, [](int64_t, int64_t b, int64_t) { return b; }};
    case 3:
      return {s0, [](int64_t, int64_t, int64_t s) { return s; }};
    case 4:
    case 5: {
      auto [x, fx] = make(depth - 1);
      auto [y, fy] = make(depth - 1);
      return {x + y, [f = fx, g = fy](int64_t a, int64_t b, int64_t s) {
                return f(a, b, s) + g(a, b, s);
              }};
    }
    case 6: {
      auto [x, fx] = make(depth - 1);
      int64_t k = pick(-6, 6);
      return {x * k, [f = fx, k](int64_t a, int64_t b, int64_t s) {
                return k * f(a, b, s);
              }};
    }
    case 7: {
      auto [x, fx] = make(depth - 1);
      int64_t q = pick(1, 12);
      if (pick(0, 1))
        return {x.ceilDiv(q), [f = fx, q](int64_t a, int64_t b, int64_t s) {
                  return -roundedDown(-f(a, b, s), q);
                }};
      return {x.floorDiv(q), [f = fx, q](int64_t a, int64_t b, int64_t s) {
                return roundedDown(f(a, b, s), q);
              }};
    }
    default: {
      auto [x, fx] = make(depth - 1);
      int64_t q = pick(1, 12);
      return {x.mod(q), [f = fx, q](int64_t a, int64_t b, int64_t s) {
                int64_t v = f(a, b, s);
                return v - q * roundedDown(v, q);
              }};
    }
    }
  }
};

TEST(Expr, NormalFormKeepsTheValue) {
  Random random;
  for (int trial = 0; trial < 3000; ++trial) {
    auto [e, f] = random.make(5);
    for (int point = 0; point < 20; ++point) {
      int64_t a = random.pick(-40, 40), b = random.pick(-40, 40),
              s = random.pick(-40, 40);
      ASSERT_EQ(e.evaluate({a, b}, {s}), f(a, b, s)) << e.str();
      ASSERT_EQ(e.bindSymbols({s}).evaluate({a, b}, {}), f(a, b, s));
    }
  }
}

} // namespace
