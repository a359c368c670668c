//===- Float16.h - float16 and bfloat16 as bits -----------------*- C++ -*-===//
//
// Conversions between float and the 16-bit formats, held as their bit patterns
// in uint16_t. To narrow is to round to nearest, ties to even; overflow gives
// infinity, underflow subnormals, NaN stays a (quiet) NaN with its sign.
// Widening is exact.
//
// The one idea: IEEE formats are ordered like their bits, so to round is to add
// just under half of the last kept bit (plus that bit, for ties to even) to the
// integer, and a carry into the exponent is right by itself.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_FLOAT16_H
#define ATTN_SUPPORT_FLOAT16_H

#include <cstdint>
#include <cstring>

namespace attn {

inline uint32_t floatToBits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}
inline float bitsToFloat(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

inline uint16_t floatToBfloat16(float f) {
  uint32_t bits = floatToBits(f);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return uint16_t(bits >> 16) | 0x40;
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
inline float bfloat16ToFloat(uint16_t h) {
  return bitsToFloat(uint32_t(h) << 16);
}

inline uint16_t floatToFloat16(float f) {
  uint32_t bits = floatToBits(f);
  uint16_t sign = uint16_t(bits >> 16 & 0x8000);
  bits &= 0x7FFFFFFF;
  if (bits > 0x7F800000) // NaN: keep the payload's top bits
    return sign | 0x7E00 | uint16_t(bits >> 13 & 0x3FF);
  if (bits >= 0x47800000) // 2^16 and more, infinity
    return sign | 0x7C00;
  if (bits < 0x38800000) { // below 2^-14: a multiple of 2^-24, by an addition
    float shifted = bitsToFloat(bits) + 0.5f; // whose last bit is 2^-24
    return sign | uint16_t(floatToBits(shifted) - 0x3F000000);
  }
  uint32_t rebiased = bits - (uint32_t(127 - 15) << 23);
  return sign | uint16_t((rebiased + 0xFFF + (rebiased >> 13 & 1)) >> 13);
}
inline float float16ToFloat(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000) << 16;
  uint32_t magnitude = h & 0x7FFF;
  if (magnitude >= 0x7C00) // infinity, NaN
    return bitsToFloat(sign | 0x7F800000 | (magnitude & 0x3FF) << 13);
  if (magnitude < 0x400) { // zero, subnormal
    float value = float(magnitude) * 0x1p-24f;
    return bitsToFloat(sign | floatToBits(value));
  }
  return bitsToFloat(sign | ((magnitude << 13) + (uint32_t(127 - 15) << 23)));
}

/// double to a 16-bit format with one rounding: to float first, to odd, which
/// keeps the information that a second rounding needs.
inline float roundToOdd(double d) {
  float f = float(d);
  if (double(f) == d || f != f || (floatToBits(f) & 1))
    return f;
  bool tooLarge = (double(f) > d) == (d > 0);
  if ((floatToBits(f) & 0x7FFFFFFF) == 0x7F800000) // rounded up to infinity
    return d - d == 0 ? bitsToFloat(floatToBits(f) - 1) : f;
  return bitsToFloat(floatToBits(f) + (tooLarge ? -1 : 1));
}
inline uint16_t doubleToFloat16(double d) {
  return floatToFloat16(roundToOdd(d));
}
inline uint16_t doubleToBfloat16(double d) {
  return floatToBfloat16(roundToOdd(d));
}

} // namespace attn

#endif // ATTN_SUPPORT_FLOAT16_H
