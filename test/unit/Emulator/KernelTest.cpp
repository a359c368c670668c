//===- KernelTest.cpp - Kernels compiled by nvcc --------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// The CUDA sources lie beside the PTX in Inputs/. Expected values are computed
// here in double precision from the definition.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <cmath>
#include <random>

using namespace attn::emulator;
using namespace attn::emulator::test;

namespace {

std::vector<float> randomFloats(size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> v(n);
  for (float &x : v)
    x = normal(engine);
  return v;
}

/// f16 by the compiler's own conversion.
std::vector<_Float16> toHalf(const std::vector<float> &v) {
  std::vector<_Float16> h;
  for (float x : v)
    h.push_back(_Float16(x));
  return h;
}

TEST(Kernel, VectorAdd) {
  Device d(readInput("basic.ptx"));
  for (int n : {1, 31, 256, 1000}) {
    auto a = randomFloats(size_t(n), 1), b = randomFloats(size_t(n), 2);
    uint64_t pa = d.upload(a, "a"), pb = d.upload(b, "b");
    uint64_t pc = d.space<float>(size_t(n), "c");
    LaunchResult r =
        d.run("vectorAdd", {uint32_t(n + 127) / 128}, {128}, 0, pa, pb, pc, n);
    auto c = d.download<float>(pc, size_t(n));
    for (size_t i = 0; i != size_t(n); ++i)
      ASSERT_EQ(c[i], a[i] + b[i]);
    ASSERT_NE(r.parameter(0), nullptr);
    EXPECT_EQ(r.parameter(0)->bytesRead, uint64_t(4 * n));
    EXPECT_EQ(r.parameter(1)->sectorsRead, uint64_t(4 * n + 31) / 32);
    EXPECT_EQ(r.parameter(2)->bytesWritten, uint64_t(4 * n));
    EXPECT_EQ(r.parameter(2)->bytesRead, 0u);
  }
}

TEST(Kernel, ReductionIsTheSameOnAnyNumberOfThreads) {
  size_t n = 5000;
  auto x = randomFloats(n, 3);
  double expected = 0;
  for (float v : x)
    expected += v;
  std::vector<float> sums;
  for (unsigned threads : {1u, 2u, 5u}) {
    Device d(readInput("basic.ptx"));
    d.options.threads = threads;
    uint64_t px = d.upload(x), ps = d.upload(std::vector<float>{0});
    d.run("reduceSum", {16}, {128}, 0, px, ps, int(n));
    sums.push_back(d.download<float>(ps, 1)[0]);
    EXPECT_NEAR(sums.back(), expected, 1e-3);
    EXPECT_EQ(sums.back(), sums.front());
  }
}

TEST(Kernel, TiledMatmul) {
  int m = 37, n = 50, k = 45;
  auto a = randomFloats(size_t(m * k), 4), b = randomFloats(size_t(k * n), 5);
  Device d(readInput("basic.ptx"));
  uint64_t pa = d.upload(a), pb = d.upload(b);
  uint64_t pc = d.space<float>(size_t(m * n));
  LaunchResult r = d.run("matmul", {4, 3}, {16, 16}, 0, pa, pb, pc, m, n, k);
  auto c = d.download<float>(pc, size_t(m * n));
  for (int i = 0; i != m; ++i)
    for (int j = 0; j != n; ++j) {
      double sum = 0;
      for (int l = 0; l != k; ++l)
        sum += double(a[size_t(i * k + l)]) * b[size_t(l * n + j)];
      ASSERT_NEAR(c[size_t(i * n + j)], sum, 1e-4);
    }
  ASSERT_FALSE(r.loops.empty());
  // 12 CTAs of 8 warps, three tiles each.
  EXPECT_EQ(r.loops[0].iterations, 12u * 8 * 3);
}

TEST(Kernel, StructArgumentsAndDivergentCalls) {
  struct Affine {
    int scale;
    long long offset;
    short step;
  } f{3, -1000, 2};
  int n = 100;
  std::vector<int> x;
  for (int i = 0; i != n; ++i)
    x.push_back(i + 1);
  Device d(readInput("basic.ptx"));
  uint64_t px = d.upload(x), py = d.space<long long>(size_t(n));
  d.run("mixed", {2}, {64}, 0, f, px, py, n);
  auto y = d.download<long long>(py, size_t(n));
  for (int i = 0; i != n; ++i) {
    int steps = 0;
    for (int v = x[size_t(i)]; v != 1; ++steps)
      v = v % 2 ? 3 * v + 1 : v / 2;
    long long e = ((long long)steps * f.scale + f.offset) / 7 +
                  (short(x[size_t(i)] * 1000) >> f.step);
    ASSERT_EQ(y[size_t(i)], e) << i;
  }
}

TEST(Kernel, TensorCoreTileProduct) {
  int m = 128, n = 64, k = 96;
  auto a = toHalf(randomFloats(size_t(m * k), 6));
  auto b = toHalf(randomFloats(size_t(n * k), 7));
  Device d(readInput("tile.ptx"));
  uint64_t pa = d.upload(a, "a"), pb = d.upload(b, "b");
  uint64_t pc = d.space<float>(size_t(m * n), "c");
  LaunchResult r = d.run("tileProduct", {uint32_t(n / 64), uint32_t(m / 64)},
                         {128}, 0, pa, pb, pc, n, k);
  auto c = d.download<float>(pc, size_t(m * n));
  for (int i = 0; i != m; ++i)
    for (int j = 0; j != n; ++j) {
      double sum = 0;
      for (int l = 0; l != k; ++l)
        sum += double(a[size_t(i * k + l)]) * double(b[size_t(j * k + l)]);
      ASSERT_NEAR(c[size_t(i * n + j)], sum, 1e-3);
    }
  EXPECT_EQ(r.instructions[unsigned(InstructionClass::Mma)],
            uint64_t(m / 16) * (n / 8) * (k / 16));
  EXPECT_EQ(r.parameter(0)->bytesRead, uint64_t(2 * m * k));
  EXPECT_EQ(r.parameter(1)->bytesRead, uint64_t(2 * n * k) * (m / 64));
  EXPECT_EQ(r.parameter(2)->bytesWritten, uint64_t(4 * m * n));
  // Rows are 80 bytes apart: ldmatrix finds its eight rows on different banks,
  // but of the eight lanes that copy two rows together, one pair collides:
  // (5 r + 0..3) mod 8 for r and r + 1.
  EXPECT_EQ(r.shared.conflicts, uint64_t(m / 64) * (k / 32) * (2 * 64 * 4 / 8));
}

struct AttentionCase {
  int heads, queries, keys, causal;
};

void checkAttention(const AttentionCase &c) {
  constexpr int D = 64;
  auto size = [&](int rows) { return size_t(c.heads) * rows * D; };
  auto q = toHalf(randomFloats(size(c.queries), 8));
  auto k = toHalf(randomFloats(size(c.keys), 9));
  auto v = toHalf(randomFloats(size(c.keys), 10));
  Device d(readInput("attention.ptx"));
  uint64_t pq = d.upload(q, "q"), pk = d.upload(k, "k"), pv = d.upload(v, "v");
  uint64_t po = d.space<_Float16>(size(c.queries), "o");
  uint64_t pl = d.space<float>(size_t(c.heads * c.queries), "lse");
  float scale = 0.125f * 1.44269504f;
  LaunchResult r = d.run(
      "attention", {uint32_t(c.queries + 63) / 64, uint32_t(c.heads)}, {128},
      3 * 64 * 72 * 2, pq, pk, pv, po, pl, c.queries, c.keys, scale, c.causal);
  auto o = d.download<_Float16>(po, size(c.queries));
  auto lse = d.download<float>(pl, size_t(c.heads * c.queries));
  for (int h = 0; h != c.heads; ++h)
    for (int i = 0; i != c.queries; ++i) {
      std::vector<double> p;
      double total = 0, out[D] = {};
      for (int j = 0; j != c.keys; ++j) {
        double s = 0;
        for (int e = 0; e != D; ++e)
          s += double(q[size_t((h * c.queries + i) * D + e)]) *
               double(k[size_t((h * c.keys + j) * D + e)]);
        bool hidden = c.causal && j > i + c.keys - c.queries;
        p.push_back(hidden ? 0 : std::exp(s * 0.125));
        total += p.back();
        for (int e = 0; e != D; ++e)
          out[e] += p.back() * double(v[size_t((h * c.keys + j) * D + e)]);
      }
      for (int e = 0; e != D; ++e)
        ASSERT_NEAR(double(o[size_t((h * c.queries + i) * D + e)]),
                    out[e] / total, 4e-3)
            << h << " " << i << " " << e;
      ASSERT_NEAR(lse[size_t(h * c.queries + i)], std::log(total), 1e-4);
    }
  EXPECT_EQ(r.parameter(3)->bytesWritten, 2 * size(c.queries));
  EXPECT_EQ(r.parameter(0)->bytesRead, 2 * size(c.queries));
  if (!c.causal) {
    uint64_t blocks = uint64_t(c.queries + 63) / 64;
    EXPECT_EQ(r.parameter(1)->bytesRead, blocks * 2 * size(c.keys));
  }
  EXPECT_EQ(r.shared.conflicts, 0u);
}

TEST(Kernel, FlashAttention) {
  checkAttention({1, 64, 64, 0});
  checkAttention({2, 128, 192, 0});
  checkAttention({1, 128, 128, 1});
}
TEST(Kernel, FlashAttentionRaggedTails) {
  checkAttention({1, 1, 1, 0});
  checkAttention({1, 37, 101, 0});
  checkAttention({2, 67, 131, 1});
}

} // namespace
