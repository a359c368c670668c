//===- Logic.cpp - Bits: logic, shifts, bit fields ------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "llvm/Support/MathExtras.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

template <typename T> T andOp(T a, T b) { return T(a & b); }
template <typename T> T orOp(T a, T b) { return T(a | b); }
template <typename T> T xorOp(T a, T b) { return T(a ^ b); }
template <typename T> T notOp(T a) { return T(~a); }
template <typename T> T cnot(T a) { return T(a == 0); }

// Shift amounts are 32 bits and clamp at the width of the type.
template <typename T> T shl(T a, uint32_t n) {
  return n >= 8 * sizeof(T) ? T(0) : T(a << n);
}
template <typename T> T shr(T a, uint32_t n) {
  uint32_t last = 8 * sizeof(T) - 1;
  if (std::is_signed_v<T>)
    return T(a >> (n > last ? last : n));
  return n > last ? T(0) : T(a >> n);
}
uint32_t shfLeft(uint32_t lo, uint32_t hi, uint32_t n) {
  return n ? hi << n | lo >> (32 - n) : hi;
}
uint32_t shfRight(uint32_t lo, uint32_t hi, uint32_t n) {
  return n >= 32 ? hi : n ? hi << (32 - n) | lo >> n : lo;
}
template <bool Left, bool Wrap>
uint32_t funnel(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t n = Wrap ? c & 31 : c > 32 ? 32 : c;
  if (Left)
    return n == 32 ? a : shfLeft(a, b, n);
  return shfRight(a, b, n);
}

template <typename T> T bfe(T a, uint32_t b, uint32_t c) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t bits = 8 * sizeof(T);
  uint32_t pos = b & 0xff, len = c & 0xff;
  if (len == 0)
    return 0;
  // Bits past the top repeat the sign bit: that of the field's last bit, or
  // of the word where the field reaches beyond it.
  uint32_t last = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
  bool sign = std::is_signed_v<T> && (U(a) >> last & 1);
  U shifted = pos >= bits ? U(0) : U(U(a) >> pos);
  uint32_t have = pos >= bits ? 0 : bits - pos;
  uint32_t keep = len < have ? len : have;
  U low = keep >= bits ? U(~U(0)) : U((U(1) << keep) - 1);
  return T((shifted & low) | (sign ? U(~low) : U(0)));
}
template <typename T> T bfi(T a, T b, uint32_t c, uint32_t d) {
  constexpr uint32_t bits = 8 * sizeof(T);
  uint32_t pos = c & 0xff, len = d & 0xff;
  if (pos >= bits || len == 0)
    return b;
  T ones = len >= bits ? T(~T(0)) : T((T(1) << len) - 1);
  T field = T(ones << pos);
  return T((b & ~field) | ((a << pos) & field));
}
template <typename T> uint32_t popc(T a) {
  return uint32_t(__builtin_popcountll(a));
}
template <typename T> uint32_t clz(T a) {
  return a ? uint32_t(__builtin_clzll(a)) - (64 - 8 * sizeof(T))
           : 8 * sizeof(T);
}
template <typename T> T brev(T a) { return llvm::reverseBits(a); }
/// Position of the most significant bit that differs from the sign.
template <typename T, bool ShiftAmount> uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  U bits = std::is_signed_v<T> && a < 0 ? U(~U(a)) : U(a);
  if (!bits)
    return ~0u;
  uint32_t zeros = clz<U>(bits);
  return ShiftAmount ? zeros : uint32_t(8 * sizeof(T) - 1) - zeros;
}

/// lop3: bit k of the table is the result for a, b, c = bits 2, 1, 0 of k.
void lop3(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[1]);
  const uint32_t *b = read<uint32_t>(f, i.op[2]);
  const uint32_t *c = read<uint32_t>(f, i.op[3]);
  uint32_t lut = *read<uint32_t>(f, i.op[4]);
  alignas(64) uint32_t r[warpSize] = {};
  for (unsigned k = 0; k != 8; ++k) {
    if (!(lut >> k & 1))
      continue;
    uint32_t fa = k & 4 ? 0 : ~0u, fb = k & 2 ? 0 : ~0u, fc = k & 1 ? 0 : ~0u;
    for (unsigned l = 0; l != warpSize; ++l)
      r[l] |= (a[l] ^ fa) & (b[l] ^ fb) & (c[l] ^ fc);
  }
  write(f, i.op[0], r, mask);
}

/// Default mode: each nibble of c selects one of the eight bytes of {b, a};
/// its high bit replicates that byte's sign.
uint32_t prmt(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t r = 0;
  for (unsigned k = 0; k != 4; ++k) {
    uint32_t sel = c >> (4 * k) & 0xf;
    uint32_t byte = uint32_t(bytes >> (8 * (sel & 7))) & 0xff;
    if (sel & 8)
      byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * k);
  }
  return r;
}
template <int Mode> uint32_t prmtMode(uint32_t a, uint32_t b, uint32_t c) {
  // Selectors by mode and the low two bits of c, as in the PTX table.
  constexpr uint16_t table[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543},  // f4e
                                    {0x5670, 0x6701, 0x7012, 0x0123},  // b4e
                                    {0x0000, 0x1111, 0x2222, 0x3333},  // rc8
                                    {0x3210, 0x3211, 0x3222, 0x3333},  // ecl
                                    {0x0000, 0x1110, 0x2210, 0x3210},  // ecr
                                    {0x1010, 0x3232, 0x1010, 0x3232}}; // rc16
  return prmt(a, b, table[Mode][c & 3]);
}

enum PredicateOp { PAnd, POr, PXor };
template <int Op>
void predicateLogic(LaneFile &f, const Inst &i, uint32_t mask) {
  uint32_t a = f.readPredicate(i.op[1]), b = f.readPredicate(i.op[2]);
  writePredicate(f, i.op[0],
                 Op == PAnd  ? a & b
                 : Op == POr ? a | b
                             : a ^ b,
                 mask);
}
void predicateNot(LaneFile &f, const Inst &i, uint32_t mask) {
  writePredicate(f, i.op[0], ~f.readPredicate(i.op[1]), mask);
}

template <typename F> bool withBits(Type t, F fn) {
  switch (t) {
  case Type::B16:
  case Type::U16:
    return fn(uint16_t{});
  case Type::B32:
  case Type::U32:
    return fn(uint32_t{});
  case Type::B64:
  case Type::U64:
    return fn(uint64_t{});
  case Type::S16:
    return fn(int16_t{});
  case Type::S32:
    return fn(int32_t{});
  case Type::S64:
    return fn(int64_t{});
  default:
    return false;
  }
}

constexpr InstructionClass cls = InstructionClass::Integer;

bool selectPredicate(llvm::StringRef base, Selection &s) {
  Type t = Type::Pred;
  if (base == "not")
    return s.set(&predicateNot, cls, {result(t), source(t)});
  return s.set(base == "and"   ? &predicateLogic<PAnd>
               : base == "or"  ? &predicateLogic<POr>
               : base == "xor" ? &predicateLogic<PXor>
                               : nullptr,
               cls, {result(t), source(t), source(t)});
}

bool selectBitwise(llvm::StringRef base, Type t, Selection &s) {
  return withBits(t, [&](auto tag) {
    using T = std::make_unsigned_t<decltype(tag)>;
    if (base == "not" || base == "cnot")
      return s.set(base == "not" ? &Map<&notOp<T>>::run : &Map<&cnot<T>>::run,
                   cls, {result(t), source(t)});
    return s.set(base == "and"  ? &Map<&andOp<T>>::run
                 : base == "or" ? &Map<&orOp<T>>::run
                                : &Map<&xorOp<T>>::run,
                 cls, {result(t), source(t), source(t)});
  });
}

bool selectCount(Mnemonic &m, Selection &s) {
  bool shiftAmount = m.base == "bfind" && m.take("shiftamt");
  Type t = m.takeType();
  bool reverse = m.base == "brev";
  return withBits(t, [&](auto tag) {
    using T = decltype(tag);
    using U = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) < 4) {
      return false;
    } else {
      Handler h = m.base == "popc"  ? &Map<&popc<U>>::run
                  : m.base == "clz" ? &Map<&clz<U>>::run
                  : reverse         ? &Map<&brev<U>>::run
                  : shiftAmount     ? &Map<&bfind<T, true>>::run
                                    : &Map<&bfind<T, false>>::run;
      return s.set(h, cls, {result(reverse ? t : Type::U32), source(t)});
    }
  });
}

bool selectField(Mnemonic &m, Selection &s) {
  Type t = m.takeType(), n = Type::U32;
  return withBits(t, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (sizeof(T) >= 4) {
      if (m.base == "bfe")
        return s.set(&Map<&bfe<T>>::run, cls,
                     {result(t), source(t), source(n), source(n)});
      return s.set(&Map<&bfi<std::make_unsigned_t<T>>>::run, cls,
                   {result(t), source(t), source(t), source(n), source(n)});
    }
    return false;
  });
}

bool selectPermute(Mnemonic &m, Selection &s) {
  Type t = m.takeType();
  if (t != Type::B32)
    return false;
  llvm::StringRef mode = m.takeAny({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  Handler h = mode.empty()    ? &Map<&prmt>::run
              : mode == "f4e" ? &Map<&prmtMode<0>>::run
              : mode == "b4e" ? &Map<&prmtMode<1>>::run
              : mode == "rc8" ? &Map<&prmtMode<2>>::run
              : mode == "ecl" ? &Map<&prmtMode<3>>::run
              : mode == "ecr" ? &Map<&prmtMode<4>>::run
                              : &Map<&prmtMode<5>>::run;
  return s.set(h, InstructionClass::Move,
               {result(t), source(t), source(t), source(t)});
}

} // namespace

bool selectLogic(Mnemonic &m, Selection &s) {
  llvm::StringRef base = m.base;
  if (base == "popc" || base == "clz" || base == "brev" || base == "bfind")
    return selectCount(m, s);
  if (base == "bfe" || base == "bfi")
    return selectField(m, s);
  if (base == "prmt")
    return selectPermute(m, s);
  if (base == "lop3") {
    Type t = m.takeType();
    return t == Type::B32 && s.set(&lop3, cls,
                                   {result(t), source(t), source(t), source(t),
                                    source(Type::U32)});
  }
  if (base == "shf") {
    bool left = m.take("l");
    if (!left && !m.take("r"))
      return false;
    bool wrap = m.take("wrap");
    if (!wrap && !m.take("clamp"))
      return false;
    Type t = m.takeType();
    Handler h = left ? (wrap ? &Map<&funnel<true, true>>::run
                             : &Map<&funnel<true, false>>::run)
                     : (wrap ? &Map<&funnel<false, true>>::run
                             : &Map<&funnel<false, false>>::run);
    return t == Type::B32 &&
           s.set(h, cls, {result(t), source(t), source(t), source(t)});
  }
  Type t = m.takeType();
  if (base == "shl" || base == "shr")
    return withBits(t, [&](auto tag) {
      using T = decltype(tag);
      return s.set(base == "shl" ? &Map<&shl<std::make_unsigned_t<T>>>::run
                                 : &Map<&shr<T>>::run,
                   cls, {result(t), source(t), source(Type::U32)});
    });
  if (base != "and" && base != "or" && base != "xor" && base != "not" &&
      base != "cnot")
    return false;
  return t == Type::Pred ? selectPredicate(base, s) : selectBitwise(base, t, s);
}

ATTN_LANES_END
} // namespace attn::emulator
