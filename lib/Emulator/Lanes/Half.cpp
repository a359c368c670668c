//===- Half.cpp - f16, bf16 and their packed forms ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Elements are computed in double and rounded once: products of 11-bit
// significands are exact there, and a sum that is not is rounded to odd, so the
// final rounding is that of the exact value.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

struct F16 {
  static constexpr bool isHalf = true;
  static float load(uint32_t h) { return halfToFloat(uint16_t(h)); }
  static uint32_t store(float x) { return floatToHalf(x); }
  static bool isSubnormal(uint32_t h) { return !(h & 0x7c00); }
};
struct BF16 {
  static constexpr bool isHalf = false;
  static float load(uint32_t h) { return bfloatToFloat(uint16_t(h)); }
  static uint32_t store(float x) { return floatToBfloat(x); }
  static bool isSubnormal(uint32_t h) { return !(h & 0x7f80); }
};

enum HalfOp { Add, Sub, Mul, Fma, Min, Max, MinNaN, MaxNaN };
enum { Ftz = 1, Sat = 2, Relu = 4 };

template <typename F, int Mods> inline uint32_t input(uint32_t h) {
  return (Mods & Ftz) && F::isSubnormal(h) ? h & 0x8000 : h;
}

template <typename F, HalfOp Op, int Mods>
inline uint32_t element(uint32_t a, uint32_t b, uint32_t c) {
  a = input<F, Mods>(a), b = input<F, Mods>(b), c = input<F, Mods>(c);
  double x = F::load(a), y = F::load(b), z = F::load(c);
  uint32_t r;
  if constexpr (Op >= Min) {
    bool isMax = Op == Max || Op == MaxNaN, nanWins = Op >= MinNaN;
    bool less = x < y || (x == y && (a & 0x8000));
    r = less != isMax ? a : b;
    bool aNaN = x != x, bNaN = y != y;
    r = bNaN ? (nanWins ? b : a) : r;
    r = aNaN ? (nanWins ? a : b) : r;
    bool isNaN = nanWins ? aNaN || bNaN : aNaN && bNaN;
    r = isNaN ? uint32_t(canonicalNaN16) : r;
  } else {
    double v = Op == Add   ? addToOdd(x, y)
               : Op == Sub ? addToOdd(x, -y)
               : Op == Mul ? x * y
                           : addToOdd(x * y, z);
    r = F::store(toFloatOdd(v));
  }
  if ((Mods & Ftz) && F::isSubnormal(r))
    r &= 0x8000;
  if constexpr ((Mods & Sat) != 0)
    r = F::store(saturate(F::load(r)));
  // relu: negative to +0, NaN to the canonical NaN.
  if ((Mods & Relu) && (r & 0x8000))
    r = 0;
  return r;
}

template <typename F, HalfOp Op, int Mods, bool Packed>
void run(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[1]);
  const uint32_t *b = read<uint32_t>(f, i.op[2]);
  const uint32_t *c = Op == Fma ? read<uint32_t>(f, i.op[3]) : a;
  alignas(64) uint32_t r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l) {
    uint32_t low =
        element<F, Op, Mods>(a[l] & 0xffff, b[l] & 0xffff, c[l] & 0xffff);
    r[l] = low;
    if constexpr (Packed)
      r[l] |= element<F, Op, Mods>(a[l] >> 16, b[l] >> 16, c[l] >> 16) << 16;
  }
  write(f, i.op[0], r, mask);
}

template <typename F, HalfOp Op, bool Packed> Handler pick(int mods) {
  switch (mods) {
  case 0:
    return &run<F, Op, 0, Packed>;
  case Ftz:
    return F::isHalf ? &run<F, Op, Ftz, Packed> : nullptr;
  case Sat:
    return Op < Min && F::isHalf ? &run<F, Op, Sat, Packed> : nullptr;
  case Relu:
    return Op == Fma ? &run<F, Op, Relu, Packed> : nullptr;
  case Ftz | Sat:
    return Op < Min && F::isHalf ? &run<F, Op, Ftz | Sat, Packed> : nullptr;
  case Ftz | Relu:
    return Op == Fma && F::isHalf ? &run<F, Op, Ftz | Relu, Packed> : nullptr;
  default:
    return nullptr;
  }
}

template <typename F, bool Packed>
Handler pickOp(llvm::StringRef base, bool nan, int mods) {
  if (base == "add")
    return pick<F, Add, Packed>(mods);
  if (base == "sub")
    return pick<F, Sub, Packed>(mods);
  if (base == "mul")
    return pick<F, Mul, Packed>(mods);
  if (base == "fma")
    return pick<F, Fma, Packed>(mods);
  if (base == "min")
    return nan ? pick<F, MinNaN, Packed>(mods) : pick<F, Min, Packed>(mods);
  if (base == "max")
    return nan ? pick<F, MaxNaN, Packed>(mods) : pick<F, Max, Packed>(mods);
  return nullptr;
}

uint32_t negate(uint32_t a) { return a ^ 0x8000; }
uint32_t negate2(uint32_t a) { return a ^ 0x80008000; }
uint32_t absolute(uint32_t a) { return a & 0x7fff; }
uint32_t absolute2(uint32_t a) { return a & 0x7fff7fff; }

} // namespace

bool selectHalf(Mnemonic &m, Selection &s) {
  bool nan = m.take("NaN");
  int mods = (m.take("ftz") ? Ftz : 0) | (m.take("sat") ? Sat : 0) |
             (m.take("relu") ? Relu : 0);
  m.take("rn");
  Type t = m.takeType();
  bool packed = t == Type::F16x2 || t == Type::BF16x2;
  bool isHalf = t == Type::F16 || t == Type::F16x2;
  if (!packed && !isHalf && t != Type::BF16)
    return false;
  constexpr InstructionClass cls = InstructionClass::Float;
  if (m.base == "neg" || m.base == "abs") {
    bool neg = m.base == "neg";
    return !nan && !mods &&
           s.set(packed ? (neg ? &Map<&negate2>::run : &Map<&absolute2>::run)
                        : (neg ? &Map<&negate>::run : &Map<&absolute>::run),
                 cls, {result(t), source(t)});
  }
  if (nan && m.base != "min" && m.base != "max")
    return false;
  Handler h = isHalf ? (packed ? pickOp<F16, true>(m.base, nan, mods)
                               : pickOp<F16, false>(m.base, nan, mods))
                     : (packed ? pickOp<BF16, true>(m.base, nan, mods)
                               : pickOp<BF16, false>(m.base, nan, mods));
  s.set(h, cls, {result(t), source(t), source(t)});
  if (m.base == "fma")
    s.slots.push_back(source(t));
  return h;
}

ATTN_LANES_END
} // namespace attn::emulator
