//===- Convert.cpp - cvt --------------------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// The conversions that kernels use all the time have vector code of their own.
// The rest go through one exact path: the source becomes a long double (at
// least 64 bits of significand, so every PTX number fits) and is rounded once
// to the grid of the destination.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

#include <cmath>

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

enum Rounding : uint8_t { Nearest, Zero, Down, Up, Away };
enum { Ftz = 1, Sat = 2, Relu = 4, ToInteger = 8 };

using Number = long double;

struct Format {
  int precision, minExponent, maxExponent;
};
Format formatOf(Type t) {
  switch (t) {
  case Type::F16:
  case Type::F16x2:
    return {11, -14, 15};
  case Type::BF16:
  case Type::BF16x2:
    return {8, -126, 127};
  case Type::TF32:
    return {11, -126, 127};
  case Type::F64:
    return {53, -1022, 1023};
  default:
    return {24, -126, 127};
  }
}

Number roundInteger(Number x, Rounding mode) {
  switch (mode) {
  case Nearest:
    return rintl(x);
  case Zero:
    return truncl(x);
  case Down:
    return floorl(x);
  case Up:
    return ceill(x);
  case Away:
    return roundl(x);
  }
  return x;
}

Number roundFloat(Number x, Format f, Rounding mode) {
  if (x == 0 || x != x || std::isinf(x))
    return x;
  int e = std::max(ilogbl(x), f.minExponent);
  int scale = e - (f.precision - 1);
  Number y = scalbnl(roundInteger(scalbnl(x, -scale), mode), scale);
  Number greatest =
      scalbnl(2 - scalbnl(Number(1), 1 - f.precision), f.maxExponent);
  if (std::fabs(y) <= greatest)
    return y == 0 ? copysignl(0, x) : y;
  bool toInfinity = mode == Nearest || mode == Away || (mode == Up && x > 0) ||
                    (mode == Down && x < 0);
  return copysignl(toInfinity ? Number(INFINITY) : greatest, x);
}

Number load(uint64_t bits, Type t) {
  switch (t) {
  case Type::U8:
    return uint8_t(bits);
  case Type::S8:
    return int8_t(bits);
  case Type::U16:
    return uint16_t(bits);
  case Type::S16:
    return int16_t(bits);
  case Type::U32:
    return uint32_t(bits);
  case Type::S32:
    return int32_t(bits);
  case Type::U64:
    return bits;
  case Type::S64:
    return int64_t(bits);
  case Type::F16:
    return halfToFloat(uint16_t(bits));
  case Type::BF16:
    return bfloatToFloat(uint16_t(bits));
  case Type::F64:
    return bitCast<double>(bits);
  default:
    return bitCast<float>(uint32_t(bits));
  }
}

uint64_t storeFloat(Number x, Type t) {
  switch (t) {
  case Type::F16:
    return floatToHalf(float(x));
  case Type::BF16:
    return floatToBfloat(float(x));
  case Type::F64:
    return bitCast<uint64_t>(canonical(double(x)));
  default:
    return bitCast<uint32_t>(canonical(float(x)));
  }
}

uint64_t storeInteger(Number x, Type t) {
  unsigned bits = 8 * sizeOf(t);
  if (x != x)
    return 0;
  if (isSigned(t)) {
    Number low = -scalbnl(Number(1), bits - 1), high = -low - 1;
    return uint64_t(int64_t(x < low ? low : x > high ? high : x));
  }
  Number high = scalbnl(Number(1), bits) - 1;
  return uint64_t(x < 0 ? Number(0) : x > high ? high : x);
}

/// i.imm: destination type, source type, rounding, flags, a byte each.
uint64_t convertOne(uint64_t bits, int64_t imm) {
  Type to = Type(imm & 0xff), from = Type(imm >> 8 & 0xff);
  Rounding mode = Rounding(imm >> 16 & 0xff);
  unsigned flags = unsigned(imm >> 24 & 0xff);
  Number x = load(bits, from);
  auto isTiny = [](Number v) { return v != 0 && std::fabs(v) < 0x1p-126L; };
  if ((flags & Ftz) && from == Type::F32 && isTiny(x))
    x = copysignl(0, x);
  if (!isFloat(to))
    return storeInteger(isFloat(from) ? roundInteger(x, mode) : x, to);
  if (flags & ToInteger) {
    Number r = roundInteger(x, mode);
    x = r == 0 ? copysignl(0, x) : r;
  }
  Number y = roundFloat(x, formatOf(to), (flags & ToInteger) ? Nearest : mode);
  if ((flags & Ftz) && (to == Type::F32 || to == Type::TF32) && isTiny(y))
    y = copysignl(0, y);
  if (flags & Sat)
    y = y > 0 ? (y < 1 ? y : 1) : 0;
  if ((flags & Relu) && y < 0)
    y = 0;
  return storeFloat(y, to);
}

template <typename To, typename From>
void generic(LaneFile &f, const Inst &i, uint32_t mask) {
  const From *a = static_cast<const From *>(f.row(i.op[1]));
  alignas(64) To r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l)
    r[l] = To(convertOne(a[l], i.imm));
  write(f, i.op[0], r, mask);
}

/// d = {a (upper), b (lower)}.
void packGeneric(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[1]);
  const uint32_t *b = read<uint32_t>(f, i.op[2]);
  alignas(64) uint32_t r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l)
    r[l] = uint32_t(convertOne(b[l], i.imm) & 0xffff) |
           uint32_t(convertOne(a[l], i.imm)) << 16;
  write(f, i.op[0], r, mask);
}

// Fast paths.
uint32_t packHalf(float high, float low) {
  return uint32_t(floatToHalf(high)) << 16 | floatToHalf(low);
}
uint32_t packBfloat(float high, float low) {
  return uint32_t(floatToBfloat(high)) << 16 | floatToBfloat(low);
}
uint16_t toHalf(float x) { return floatToHalf(x); }
uint16_t toBfloat(float x) { return floatToBfloat(x); }
float fromHalf(uint16_t h) { return canonical(halfToFloat(h)); }
float fromBfloat(uint16_t h) { return canonical(bfloatToFloat(h)); }
float fromS32(int32_t x) { return float(x); }
float fromU32(uint32_t x) { return float(x); }
double toF64(float x) { return canonical(double(x)); }
float toF32(double x) { return canonical(float(x)); }
/// 13 bits dropped, ties away from zero.
float toTf32(float x) {
  uint32_t b = bitCast<uint32_t>(x);
  bool isFinite = (b & 0x7f800000) != 0x7f800000;
  return canonical(bitCast<float>(isFinite ? (b + 0x1000) & ~0x1fffu : b));
}
int32_t truncateS32(float x) {
  double d = x;
  d = d < -2147483648.0 ? -2147483648.0 : d > 2147483647.0 ? 2147483647.0 : d;
  return x != x ? 0 : int32_t(d);
}

Handler fastPath(Type to, Type from, Rounding mode, unsigned flags) {
  if (mode == Nearest && !flags) {
    if (to == Type::F16 && from == Type::F32)
      return &Map<&toHalf>::run;
    if (to == Type::BF16 && from == Type::F32)
      return &Map<&toBfloat>::run;
    if (to == Type::F32 && from == Type::F16)
      return &Map<&fromHalf>::run;
    if (to == Type::F32 && from == Type::BF16)
      return &Map<&fromBfloat>::run;
    if (to == Type::F32 && from == Type::S32)
      return &Map<&fromS32>::run;
    if (to == Type::F32 && from == Type::U32)
      return &Map<&fromU32>::run;
    if (to == Type::F64 && from == Type::F32)
      return &Map<&toF64>::run;
    if (to == Type::F32 && from == Type::F64)
      return &Map<&toF32>::run;
  }
  if (to == Type::TF32 && mode == Away && !flags)
    return &Map<&toTf32>::run;
  if (to == Type::S32 && from == Type::F32 && mode == Zero && !(flags & Ftz))
    return &Map<&truncateS32>::run;
  return nullptr;
}

template <typename To, typename From> To resize(From x) { return To(x); }

/// fn(tag) with the C++ type of an integer PTX type.
template <typename F> Handler withInteger(Type t, F fn) {
  switch (t) {
  case Type::U8:
    return fn(uint8_t{});
  case Type::S8:
    return fn(int8_t{});
  case Type::U16:
    return fn(uint16_t{});
  case Type::S16:
    return fn(int16_t{});
  case Type::U32:
    return fn(uint32_t{});
  case Type::S32:
    return fn(int32_t{});
  case Type::U64:
    return fn(uint64_t{});
  case Type::S64:
    return fn(int64_t{});
  default:
    return nullptr;
  }
}
Handler pickResize(Type to, Type from) {
  return withInteger(to, [&](auto d) {
    return withInteger(from, [&](auto s) -> Handler {
      return &Map<&resize<decltype(d), decltype(s)>>::run;
    });
  });
}

Handler pickGeneric(Type to, Type from) {
  if (sizeOf(to) == 8)
    return sizeOf(from) == 8 ? &generic<uint64_t, uint64_t>
                             : &generic<uint64_t, uint32_t>;
  return sizeOf(from) == 8 ? &generic<uint32_t, uint64_t>
                           : &generic<uint32_t, uint32_t>;
}

bool isInteger(Type t) { return t >= Type::U8 && t <= Type::S64; }
bool isScalarFloat(Type t) {
  return t == Type::F16 || t == Type::BF16 || t == Type::F32 || t == Type::F64;
}

} // namespace

bool selectConvert(Mnemonic &m, Selection &s) {
  if (m.base != "cvt")
    return false;
  unsigned flags = (m.take("ftz") ? Ftz : 0) | (m.take("sat") ? Sat : 0) |
                   (m.take("relu") ? Relu : 0);
  bool integral = true;
  llvm::StringRef name = m.takeAny({"rni", "rzi", "rmi", "rpi"});
  if (name.empty()) {
    integral = false;
    name = m.takeAny({"rna", "rn", "rz", "rm", "rp"});
  }
  Rounding mode = name == "rna"            ? Away
                  : name.starts_with("rz") ? Zero
                  : name.starts_with("rm") ? Down
                  : name.starts_with("rp") ? Up
                                           : Nearest;
  m.take("satfinite");
  Type to = m.takeType(), from = m.takeType();
  constexpr InstructionClass cls = InstructionClass::Convert;
  bool pack = to == Type::F16x2 || to == Type::BF16x2;
  if (pack) {
    if (from != Type::F32 || integral || (mode != Nearest && mode != Zero))
      return false;
    Type element = to == Type::F16x2 ? Type::F16 : Type::BF16;
    bool fast = mode == Nearest && !flags;
    Handler h = !fast               ? &packGeneric
                : to == Type::F16x2 ? &Map<&packHalf>::run
                                    : &Map<&packBfloat>::run;
    s.imm = int64_t(element) | int64_t(from) << 8 | int64_t(mode) << 16 |
            int64_t(flags) << 24;
    return s.set(h, cls, {result(to), source(from), source(from)});
  }
  if (isInteger(to) && isInteger(from)) {
    if (integral || (flags & ~unsigned(Sat)))
      return false;
    s.imm = int64_t(to) | int64_t(from) << 8;
    return s.set((flags & Sat) ? pickGeneric(to, from) : pickResize(to, from),
                 cls, {result(to), source(from)});
  }
  bool toFloat = isScalarFloat(to) || (to == Type::TF32 && from == Type::F32);
  if ((!toFloat && !isInteger(to)) ||
      (!isScalarFloat(from) && !isInteger(from)))
    return false;
  if (isInteger(to) && !integral)
    return false; // a float to an integer names its rounding
  if (integral && toFloat)
    flags |= ToInteger;
  s.imm = int64_t(to) | int64_t(from) << 8 | int64_t(mode) << 16 |
          int64_t(flags) << 24;
  Handler h = fastPath(to, from, mode, flags);
  return s.set(h ? h : pickGeneric(to, from), cls, {result(to), source(from)});
}

ATTN_LANES_END
} // namespace attn::emulator
