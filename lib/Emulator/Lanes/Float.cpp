//===- Float.cpp - f32 and f64 arithmetic ---------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

#include <cfenv>
#include <cmath>

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

enum FloatOp { Add, Sub, Mul, Fma, Div, Sqrt, Rcp };

template <FloatOp Op, typename T> inline T compute(T a, T b, T c) {
  switch (Op) {
  case Add:
    return a + b;
  case Sub:
    return a - b;
  case Mul:
    return a * b;
  case Fma:
    if constexpr (sizeof(T) == 4)
      return fused(a, b, c);
    else
      return __builtin_fma(a, b, c);
  case Div:
    return a / b;
  case Sqrt:
    if constexpr (sizeof(T) == 4)
      return __builtin_sqrtf(a);
    else
      return __builtin_sqrt(a);
  case Rcp:
    return T(1) / a;
  }
}
constexpr unsigned arity(FloatOp op) {
  return op == Fma ? 3 : op == Sqrt || op == Rcp ? 1 : 2;
}

/// Operands: d, a, b, c, as many as the operation has.
template <FloatOp Op, typename T, bool Ftz, bool Sat>
void nearest(LaneFile &f, const Inst &i, uint32_t mask) {
  constexpr unsigned n = arity(Op);
  const Storage<T> *a = read<T>(f, i.op[1]);
  const Storage<T> *b = n > 1 ? read<T>(f, i.op[2]) : a;
  const Storage<T> *c = n > 2 ? read<T>(f, i.op[3]) : a;
  alignas(64) Storage<T> r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l) {
    T x = get<T>(a[l]), y = get<T>(b[l]), z = get<T>(c[l]);
    if constexpr (Ftz)
      x = flush(x), y = flush(y), z = flush(z);
    T v = compute<Op, T>(x, y, z);
    if constexpr (Ftz)
      v = flush(v);
    v = Sat ? saturate(v) : canonical(v);
    r[l] = put<T>(v);
  }
  write(f, i.op[0], r, mask);
}

/// .rz, .rm, .rp: lane by lane under the host's rounding mode (i.imm).
template <FloatOp Op, typename T, bool Ftz, bool Sat>
void directed(LaneFile &f, const Inst &i, uint32_t mask) {
  constexpr unsigned n = arity(Op);
  const Storage<T> *a = read<T>(f, i.op[1]);
  const Storage<T> *b = n > 1 ? read<T>(f, i.op[2]) : a;
  const Storage<T> *c = n > 2 ? read<T>(f, i.op[3]) : a;
  alignas(64) Storage<T> r[warpSize];
  int before = std::fegetround();
  std::fesetround(int(i.imm));
  for (unsigned l = 0; l != warpSize; ++l) {
    T x = get<T>(a[l]), y = get<T>(b[l]), z = get<T>(c[l]);
    if constexpr (Ftz)
      x = flush(x), y = flush(y), z = flush(z);
    // volatile: the compiler does not know about the rounding mode.
    volatile T vx = x, vy = y, vz = z;
    volatile T v;
    if constexpr (Op == Fma)
      v = std::fma(T(vx), T(vy), T(vz));
    else
      v = compute<Op, T>(vx, vy, vz);
    T out = v;
    if constexpr (Ftz)
      out = flush(out);
    r[l] = put<T>(Sat ? saturate(out) : canonical(out));
  }
  std::fesetround(before);
  write(f, i.op[0], r, mask);
}

template <FloatOp Op, typename T>
Handler pick(bool isDirected, bool ftz, bool sat) {
  if constexpr (sizeof(T) == 8) {
    return isDirected ? &directed<Op, T, false, false>
                      : &nearest<Op, T, false, false>;
  } else {
    if (isDirected)
      return ftz ? (sat ? &directed<Op, T, true, true>
                        : &directed<Op, T, true, false>)
                 : (sat ? &directed<Op, T, false, true>
                        : &directed<Op, T, false, false>);
    return ftz ? (sat ? &nearest<Op, T, true, true>
                      : &nearest<Op, T, true, false>)
               : (sat ? &nearest<Op, T, false, true>
                      : &nearest<Op, T, false, false>);
  }
}

template <typename T>
Handler pickOp(llvm::StringRef base, bool isDirected, bool ftz, bool sat) {
  if (base == "add")
    return pick<Add, T>(isDirected, ftz, sat);
  if (base == "sub")
    return pick<Sub, T>(isDirected, ftz, sat);
  if (base == "mul")
    return pick<Mul, T>(isDirected, ftz, sat);
  if (base == "fma" || base == "mad")
    return pick<Fma, T>(isDirected, ftz, sat);
  if (base == "div")
    return pick<Div, T>(isDirected, ftz, sat);
  if (base == "sqrt")
    return pick<Sqrt, T>(isDirected, ftz, sat);
  if (base == "rcp")
    return pick<Rcp, T>(isDirected, ftz, sat);
  return nullptr;
}

/// minimum and maximum: a NaN loses (or wins, with .NaN), -0 < +0.
template <typename T, bool Max, bool NaN> inline T extremum(T a, T b) {
  using S = Storage<T>;
  constexpr S signBit = S(1) << (8 * sizeof(S) - 1);
  bool less = a < b || (a == b && (bitCast<S>(a) & signBit));
  T r = (less != Max) ? a : b;
  r = b != b ? (NaN ? b : a) : r;
  r = a != a ? (NaN ? a : b) : r;
  return canonical(r);
}
template <typename T, bool Max, bool NaN, bool Ftz> T extremum2(T a, T b) {
  if constexpr (Ftz)
    a = flush(a), b = flush(b);
  return extremum<T, Max, NaN>(a, b);
}
template <typename T, bool Max> Handler pickExtremum(bool nan, bool ftz) {
  if constexpr (sizeof(T) == 8)
    return nan ? &Map<&extremum2<T, Max, true, false>>::run
               : &Map<&extremum2<T, Max, false, false>>::run;
  else
    return nan ? (ftz ? &Map<&extremum2<T, Max, true, true>>::run
                      : &Map<&extremum2<T, Max, true, false>>::run)
               : (ftz ? &Map<&extremum2<T, Max, false, true>>::run
                      : &Map<&extremum2<T, Max, false, false>>::run);
}

template <typename T> T negateBits(T a) {
  using S = Storage<T>;
  return bitCast<T>(S(bitCast<S>(a) ^ (S(1) << (8 * sizeof(S) - 1))));
}
template <typename T> T absBits(T a) {
  using S = Storage<T>;
  return bitCast<T>(S(bitCast<S>(a) & ~(S(1) << (8 * sizeof(S) - 1))));
}
float negateFtz(float a) { return negateBits(flush(a)); }
float absFtz(float a) { return absBits(flush(a)); }
template <typename T> T copySign(T sign, T magnitude) {
  using S = Storage<T>;
  constexpr S bit = S(1) << (8 * sizeof(S) - 1);
  return bitCast<T>(
      S((bitCast<S>(sign) & bit) | (bitCast<S>(magnitude) & ~bit)));
}

enum Test { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <typename T> void testp(LaneFile &f, const Inst &i, uint32_t mask) {
  const Storage<T> *a = read<T>(f, i.op[1]);
  uint32_t m = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    int c = std::fpclassify(get<T>(a[l]));
    bool r = false;
    switch (Test(i.imm)) {
    case Finite:
      r = c != FP_NAN && c != FP_INFINITE;
      break;
    case Infinite:
      r = c == FP_INFINITE;
      break;
    case Number:
      r = c != FP_NAN;
      break;
    case NotANumber:
      r = c == FP_NAN;
      break;
    case Normal:
      r = c == FP_NORMAL;
      break;
    case Subnormal:
      r = c == FP_SUBNORMAL;
      break;
    }
    m |= uint32_t(r) << l;
  }
  writePredicate(f, i.op[0], m, mask);
}

constexpr InstructionClass cls = InstructionClass::Float;

bool selectTest(Mnemonic &m, Selection &s) {
  llvm::StringRef names[] = {"finite",     "infinite", "number",
                             "notanumber", "normal",   "subnormal"};
  for (unsigned k = 0; k != 6; ++k)
    if (m.take(names[k])) {
      s.imm = k;
      Type t = m.takeType();
      return (t == Type::F32 || t == Type::F64) &&
             s.set(t == Type::F32 ? &testp<float> : &testp<double>, cls,
                   {result(Type::Pred), source(t)});
    }
  return false;
}

bool selectSign(Mnemonic &m, Selection &s, bool ftz, Type t) {
  bool single = t == Type::F32;
  if (m.base == "copysign")
    return s.set(single ? &Map<&copySign<float>>::run
                        : &Map<&copySign<double>>::run,
                 cls, {result(t), source(t), source(t)});
  bool neg = m.base == "neg";
  Handler h = ftz      ? (neg ? &Map<&negateFtz>::run : &Map<&absFtz>::run)
              : single ? (neg ? &Map<&negateBits<float>>::run
                              : &Map<&absBits<float>>::run)
                       : (neg ? &Map<&negateBits<double>>::run
                              : &Map<&absBits<double>>::run);
  return s.set(h, cls, {result(t), source(t)});
}

} // namespace

bool selectFloat(Mnemonic &m, Selection &s) {
  llvm::StringRef base = m.base;
  if (base == "testp")
    return selectTest(m, s);
  bool ftz = m.take("ftz"), sat = m.take("sat"), nan = m.take("NaN");
  llvm::StringRef rounding = m.takeAny({"rn", "rz", "rm", "rp"});
  Type t = m.takeType();
  bool single = t == Type::F32;
  if ((!single && t != Type::F64) || (!single && (ftz || sat)))
    return false;
  if (base == "neg" || base == "abs" || base == "copysign")
    return rounding.empty() && !sat && !nan && selectSign(m, s, ftz, t);
  if (base == "min" || base == "max") {
    if (!rounding.empty() || sat)
      return false;
    bool max = base == "max";
    Handler h = single ? (max ? pickExtremum<float, true>(nan, ftz)
                              : pickExtremum<float, false>(nan, ftz))
                       : (max ? pickExtremum<double, true>(nan, ftz)
                              : pickExtremum<double, false>(nan, ftz));
    return s.set(h, cls, {result(t), source(t), source(t)});
  }
  // div, sqrt, rcp and fma name their rounding; .approx and .full are Special.
  bool named =
      base == "div" || base == "sqrt" || base == "rcp" || base == "fma";
  if (nan || (named && rounding.empty()))
    return false;
  bool isDirected = !rounding.empty() && rounding != "rn";
  s.imm = rounding == "rz"   ? FE_TOWARDZERO
          : rounding == "rm" ? FE_DOWNWARD
          : rounding == "rp" ? FE_UPWARD
                             : FE_TONEAREST;
  Handler h = single ? pickOp<float>(base, isDirected, ftz, sat)
                     : pickOp<double>(base, isDirected, ftz, sat);
  if (!h)
    return false;
  s.set(h, cls, {result(t), source(t)});
  unsigned sources = base == "fma" || base == "mad"    ? 3
                     : base == "sqrt" || base == "rcp" ? 1
                                                       : 2;
  while (s.slots.size() != sources + 1)
    s.slots.push_back(source(t));
  return true;
}

ATTN_LANES_END
} // namespace attn::emulator
