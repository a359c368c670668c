//===- Special.cpp - Approximate functions, correctly rounded -------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Hardware gives about 2^-22 relative error here. We give the f32 nearest to
// the exact value: computed in double by a polynomial whose error is far below
// half an f32 ulp, then rounded once. Multiplications and additions only, so
// that every host gives the same bits.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

#include <cmath>

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

/// 2^x: x = n + f with |f| <= 1/2; sum of (f ln 2)^k / k! up to k = 14
/// (remainder below 4e-18).
inline float exp2Rounded(float x) {
  double d = x;
  // Beyond these the result is 0 or infinity whatever follows.
  d = d < -160 ? -160 : d;
  d = d > 140 ? 140 : d;
  double shifted = d + 6755399441055744.0; // 1.5 * 2^52: rounds to an integer
  double n = shifted - 6755399441055744.0;
  double t = (d - n) * 0.693147180559945309417;
  double p = 1.0 / 87178291200.0;
  p = p * t + 1.0 / 6227020800.0;
  p = p * t + 1.0 / 479001600.0;
  p = p * t + 1.0 / 39916800.0;
  p = p * t + 1.0 / 3628800.0;
  p = p * t + 1.0 / 362880.0;
  p = p * t + 1.0 / 40320.0;
  p = p * t + 1.0 / 5040.0;
  p = p * t + 1.0 / 720.0;
  p = p * t + 1.0 / 120.0;
  p = p * t + 1.0 / 24.0;
  p = p * t + 1.0 / 6.0;
  p = p * t + 0.5;
  p = p * t + 1.0;
  p = p * t + 1.0;
  uint64_t exponent = (bitCast<uint64_t>(shifted) + 1023) << 52;
  float r = float(p * bitCast<double>(exponent));
  return x != x ? x : r;
}

/// log2 x: x = 2^e m, m in [sqrt(1/2), sqrt(2)); 2 atanh(s) / ln 2 with
/// s = (m - 1) / (m + 1), terms up to s^25 (remainder below 2e-20).
inline float log2Rounded(float x) {
  double d = x;
  uint64_t bits = bitCast<uint64_t>(d);
  uint64_t top = bits - 0x3fe6a09e667f3bcd; // sqrt(1/2)
  int64_t e = int64_t(top) >> 52;
  double m = bitCast<double>(bits - (uint64_t(e) << 52));
  double s = (m - 1) / (m + 1), q = s * s;
  double p = 1.0 / 25;
  p = p * q + 1.0 / 23;
  p = p * q + 1.0 / 21;
  p = p * q + 1.0 / 19;
  p = p * q + 1.0 / 17;
  p = p * q + 1.0 / 15;
  p = p * q + 1.0 / 13;
  p = p * q + 1.0 / 11;
  p = p * q + 1.0 / 9;
  p = p * q + 1.0 / 7;
  p = p * q + 1.0 / 5;
  p = p * q + 1.0 / 3;
  p = p * q + 1.0;
  double r = double(int32_t(e)) + s * p * 2.8853900817779268147; // 2 / ln 2
  float f = float(r);
  f = x == 0 ? -__builtin_inff() : f;
  f = x == __builtin_inff() ? x : f;
  return x < 0 || x != x ? bitCast<float>(canonicalNaN32) : f;
}

// 1/sqrt rounds twice in double; the exact value is never so close to the
// middle of two floats that this matters (24-bit arguments, 53-bit quotient).
inline float rsqrtRounded(float x) {
  float r = float(1.0 / __builtin_sqrt(double(x)));
  return x == 0 ? __builtin_copysignf(__builtin_inff(), x) : r;
}
inline float rcpRounded(float x) { return 1.0f / x; }
inline float sqrtRounded(float x) { return __builtin_sqrtf(x); }
inline float tanhRounded(float x) { return float(std::tanh(double(x))); }
inline float sinRounded(float x) { return float(std::sin(double(x))); }
inline float cosRounded(float x) { return float(std::cos(double(x))); }

template <float (*Fn)(float), bool Ftz> float special(float x) {
  return canonical(flushIf<Ftz>(Fn(flushIf<Ftz>(x))));
}
template <float (*Fn)(float)> Handler pick(bool ftz) {
  return ftz ? &Map<&special<Fn, true>>::run : &Map<&special<Fn, false>>::run;
}

template <bool Ftz> float divide(float a, float b) {
  return canonical(flushIf<Ftz>(flushIf<Ftz>(a) / flushIf<Ftz>(b)));
}

double rsqrt64(double x) { return canonical(1.0 / __builtin_sqrt(x)); }
double rcp64(double x) { return canonical(1.0 / x); }

// The f16 and bf16 forms: exact argument, one rounding from f32.
template <float (*Fn)(float), bool Half, bool Ftz> uint32_t narrow(uint32_t h) {
  float x = Half ? halfToFloat(uint16_t(h)) : bfloatToFloat(uint16_t(h));
  float y = Fn(flushIf < Ftz && !Half > (x));
  y = flushIf < Ftz && !Half > (y);
  return Half ? floatToHalf(y) : floatToBfloat(y);
}
template <float (*Fn)(float), bool Half, bool Ftz>
uint32_t narrow2(uint32_t p) {
  return narrow<Fn, Half, Ftz>(p & 0xffff) | narrow<Fn, Half, Ftz>(p >> 16)
                                                 << 16;
}
template <float (*Fn)(float)> Handler pickNarrow(Type t, bool ftz) {
  switch (t) {
  case Type::F16:
    return &Map<&narrow<Fn, true, false>>::run;
  case Type::F16x2:
    return &Map<&narrow2<Fn, true, false>>::run;
  case Type::BF16:
    return ftz ? &Map<&narrow<Fn, false, true>>::run
               : &Map<&narrow<Fn, false, false>>::run;
  case Type::BF16x2:
    return ftz ? &Map<&narrow2<Fn, false, true>>::run
               : &Map<&narrow2<Fn, false, false>>::run;
  default:
    return nullptr;
  }
}

constexpr InstructionClass cls = InstructionClass::Special;

} // namespace

bool selectSpecial(Mnemonic &m, Selection &s) {
  llvm::StringRef base = m.base;
  bool approx = m.take("approx"), full = m.take("full"), ftz = m.take("ftz");
  if (approx == full)
    return false;
  Type t = m.takeType();
  if (base == "div" && t == Type::F32)
    return s.set(ftz ? &Map<&divide<true>>::run : &Map<&divide<false>>::run,
                 cls, {result(t), source(t), source(t)});
  if (full)
    return false;
  if (t == Type::F64)
    return s.set(base == "rsqrt" ? &Map<&rsqrt64>::run
                 : base == "rcp" ? &Map<&rcp64>::run
                                 : nullptr,
                 cls, {result(t), source(t)});
  Handler h = nullptr;
  if (t == Type::F32)
    h = base == "ex2"     ? pick<&exp2Rounded>(ftz)
        : base == "lg2"   ? pick<&log2Rounded>(ftz)
        : base == "rcp"   ? pick<&rcpRounded>(ftz)
        : base == "rsqrt" ? pick<&rsqrtRounded>(ftz)
        : base == "sqrt"  ? pick<&sqrtRounded>(ftz)
        : base == "sin"   ? pick<&sinRounded>(ftz)
        : base == "cos"   ? pick<&cosRounded>(ftz)
        : base == "tanh"  ? pick<&tanhRounded>(ftz)
                          : nullptr;
  else if (base == "ex2")
    h = pickNarrow<&exp2Rounded>(t, ftz);
  else if (base == "tanh")
    h = pickNarrow<&tanhRounded>(t, ftz);
  return s.set(h, cls, {result(t), source(t)});
}

ATTN_LANES_END
} // namespace attn::emulator
