//===- FloatMath.h - Scalars of PTX's floating point ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Pieces that several families share: flush to zero, canonical NaN, saturation,
// and the conversions of the 16-bit formats, all without branches so that they
// vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_LANES_FLOATMATH_H
#define ATTN_LIB_EMULATOR_LANES_FLOATMATH_H

#include "Lanes.h"

namespace attn::emulator {
ATTN_LANES_BEGIN

constexpr uint32_t canonicalNaN32 = 0x7fffffff;
constexpr uint16_t canonicalNaN16 = 0x7fff;

/// Subnormals become zeros of the same sign.
inline float flush(float x) {
  uint32_t b = bitCast<uint32_t>(x);
  return bitCast<float>((b & 0x7f800000) ? b : b & 0x80000000);
}
template <bool Ftz> inline float flushIf(float x) { return Ftz ? flush(x) : x; }
inline float canonical(float x) {
  return x != x ? bitCast<float>(canonicalNaN32) : x;
}
inline double canonical(double x) {
  return x != x ? bitCast<double>(uint64_t(0x7fffffffffffffff)) : x;
}
/// [0, 1], NaN to +0.
template <typename T> inline T saturate(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

#ifdef ATTN_EMULATOR_F16C

/// f16 to f32, exact. What a NaN holds is nobody's business: results are the
/// canonical one.
inline float halfToFloat(uint16_t h) { return float(bitCast<_Float16>(h)); }

/// f32 to f16, to nearest even.
inline uint16_t floatToHalf(float x) {
  uint16_t r = bitCast<uint16_t>(_Float16(x));
  return x != x ? canonicalNaN16 : r;
}

#else

/// f16 to f32, exact.
inline float halfToFloat(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000) << 16;
  uint32_t body = uint32_t(h & 0x7fff) << 13;
  // Exponent rebias by a multiplication, which also normalises subnormals.
  float scaled = bitCast<float>(body) * bitCast<float>(0x77800000u); // 2^112
  uint32_t special = body | 0x7f800000;
  uint32_t bits = body >= 0x0f800000 ? special : bitCast<uint32_t>(scaled);
  return bitCast<float>(bits | sign);
}

/// f32 to f16, to nearest even.
inline uint16_t floatToHalf(float x) {
  uint32_t b = bitCast<uint32_t>(x);
  uint32_t sign = b >> 16 & 0x8000;
  uint32_t a = b & 0x7fffffff;
  // Normal range: add half an ulp (ties to even) and rebias.
  uint32_t normal = (a + 0xfff + (a >> 13 & 1) - 0x38000000) >> 13;
  // Below 2^-14: let the float adder round at 2^-24.
  uint32_t subnormal = bitCast<uint32_t>(bitCast<float>(a) + 0.5f) - 0x3f000000;
  uint32_t r = a < 0x38800000 ? subnormal : normal;
  r = a >= 0x477ff000 ? 0x7c00 : r;
  r = a > 0x7f800000 ? uint32_t(canonicalNaN16) : r;
  return uint16_t(r | (a > 0x7f800000 ? 0 : sign));
}

#endif

inline float bfloatToFloat(uint16_t h) {
  return bitCast<float>(uint32_t(h) << 16);
}
/// f32 to bf16, to nearest even.
inline uint16_t floatToBfloat(float x) {
  uint32_t b = bitCast<uint32_t>(x);
  uint32_t r = (b + 0x7fff + (b >> 16 & 1)) >> 16;
  return uint16_t((b & 0x7fffffff) > 0x7f800000 ? uint32_t(canonicalNaN16) : r);
}

/// Rounds a sum of two doubles so that a second rounding to a narrower type is
/// right: where the sum is inexact its last bit is made odd.
inline double addToOdd(double a, double b) {
  double s = a + b;
  double t = s - a;
  double error = (a - (s - t)) + (b - t);
  uint64_t bits = bitCast<uint64_t>(s);
  bool inexact = error != 0 && error == error && s - s == 0;
  // Toward the exact value first, then set the last bit.
  bool away = (error < 0) != (s < 0);
  uint64_t truncated = bits - uint64_t(inexact && away);
  return bitCast<double>(truncated | uint64_t(inexact));
}

/// double to f32 with the last bit odd when inexact.
inline float toFloatOdd(double x) {
  float f = float(x);
  double back = f;
  uint32_t bits = bitCast<uint32_t>(f);
  bool inexact = back != x && x == x && f - f == 0;
  bool away = (back > x) != (x < 0);
  uint32_t truncated = bits - uint32_t(inexact && away);
  return bitCast<float>(truncated | uint32_t(inexact));
}

/// a * b + c rounded once. Without the instruction: the product of two floats
/// is exact in double, and a sum rounded to odd rounds right to float.
inline float fused(float a, float b, float c) {
#ifdef ATTN_EMULATOR_FMA
  return __builtin_fmaf(a, b, c);
#else
  return float(addToOdd(double(a) * double(b), double(c)));
#endif
}

ATTN_LANES_END
} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_LANES_FLOATMATH_H
