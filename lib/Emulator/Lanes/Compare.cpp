//===- Compare.cpp - setp, set, selp, slct --------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

enum Comparison {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
enum Combine { CAnd = 1, COr, CXor };

template <Comparison C, typename T> inline bool holds(T a, T b) {
  constexpr bool isF = std::is_floating_point_v<T>;
  bool unordered = isF && (a != a || b != b);
  switch (C) {
  case Eq:
    return a == b;
  case Ne:
    return a != b && !unordered;
  case Lt:
    return a < b;
  case Le:
    return a <= b;
  case Gt:
    return a > b;
  case Ge:
    return a >= b;
  case Equ:
    return a == b || unordered;
  case Neu:
    return a != b;
  case Ltu:
    return !(a >= b);
  case Leu:
    return !(a > b);
  case Gtu:
    return !(a <= b);
  case Geu:
    return !(a < b);
  case Num:
    return !unordered;
  case Nan:
    return unordered;
  }
}

struct HalfTag {
  static float load(uint32_t h) { return halfToFloat(uint16_t(h)); }
};
struct BfloatTag {
  static float load(uint32_t h) { return bfloatToFloat(uint16_t(h)); }
};

template <typename T, bool Ftz> inline auto operand(Storage<T> s) {
  if constexpr (std::is_class_v<T>)
    return T::load(s);
  else if constexpr (Ftz)
    return flush(get<T>(s));
  else
    return get<T>(s);
}

template <Comparison C, typename T, bool Ftz>
inline uint32_t compareRows(const LaneFile &f, int32_t x, int32_t y) {
  using S = std::conditional_t<std::is_class_v<T>, uint32_t, Storage<T>>;
  const S *a = static_cast<const S *>(f.row(x));
  const S *b = static_cast<const S *>(f.row(y));
  uint32_t m = 0;
  for (unsigned l = 0; l != warpSize; ++l)
    m |= uint32_t(holds<C>(operand<T, Ftz>(a[l]), operand<T, Ftz>(b[l]))) << l;
  return m;
}

/// Operands: p, q (-1 if absent), a, b, c (-1 if absent); i.imm: Combine or 0.
template <Comparison C, typename T, bool Ftz>
void setp(LaneFile &f, const Inst &i, uint32_t mask) {
  uint32_t yes = compareRows<C, T, Ftz>(f, i.op[2], i.op[3]), no = ~yes;
  if (i.imm) {
    uint32_t c = f.readPredicate(i.op[4]);
    yes = i.imm == CAnd ? yes & c : i.imm == COr ? yes | c : yes ^ c;
    no = i.imm == CAnd ? no & c : i.imm == COr ? no | c : no ^ c;
  }
  if (i.op[0] != -1)
    writePredicate(f, i.op[0], yes, mask);
  if (i.op[1] != -1)
    writePredicate(f, i.op[1], no, mask);
}

/// set: the value of the predicate as an integer mask or 1.0f. Operands: d, a,
/// b, c (-1 if absent); i.imm as setp; i.flags: float result.
template <Comparison C, typename T, bool Ftz>
void setValue(LaneFile &f, const Inst &i, uint32_t mask) {
  uint32_t yes = compareRows<C, T, Ftz>(f, i.op[1], i.op[2]);
  if (i.imm) {
    uint32_t c = f.readPredicate(i.op[3]);
    yes = i.imm == CAnd ? yes & c : i.imm == COr ? yes | c : yes ^ c;
  }
  uint32_t one = i.flags ? 0x3f800000 : ~0u;
  alignas(64) uint32_t r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l)
    r[l] = yes >> l & 1 ? one : 0;
  write(f, i.op[0], r, mask);
}

/// Operands: p, q, a, b; both halves of packed f16 (or bf16).
template <Comparison C, typename Tag>
void setp2(LaneFile &f, const Inst &i, uint32_t mask) {
  const uint32_t *a = read<uint32_t>(f, i.op[2]);
  const uint32_t *b = read<uint32_t>(f, i.op[3]);
  uint32_t low = 0, high = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    low |= uint32_t(holds<C>(Tag::load(a[l]), Tag::load(b[l]))) << l;
    high |= uint32_t(holds<C>(Tag::load(a[l] >> 16), Tag::load(b[l] >> 16)))
            << l;
  }
  if (i.op[0] != -1)
    writePredicate(f, i.op[0], low, mask);
  if (i.op[1] != -1)
    writePredicate(f, i.op[1], high, mask);
}

enum What { SetP, SetValue, SetPacked };

template <Comparison C, typename T, bool Ftz> Handler pickWhat(What w) {
  if constexpr (std::is_class_v<T>)
    if (w == SetPacked)
      return &setp2<C, T>;
  return w == SetP       ? &setp<C, T, Ftz>
         : w == SetValue ? &setValue<C, T, Ftz>
                         : nullptr;
}

template <typename T, bool Ftz>
Handler pickComparison(llvm::StringRef c, What w) {
  if (c == "eq")
    return pickWhat<Eq, T, Ftz>(w);
  if (c == "ne")
    return std::is_integral_v<T> ? pickWhat<Neu, T, Ftz>(w)
                                 : pickWhat<Ne, T, Ftz>(w);
  if (c == "lt" || c == "lo")
    return pickWhat<Lt, T, Ftz>(w);
  if (c == "le" || c == "ls")
    return pickWhat<Le, T, Ftz>(w);
  if (c == "gt" || c == "hi")
    return pickWhat<Gt, T, Ftz>(w);
  if (c == "ge" || c == "hs")
    return pickWhat<Ge, T, Ftz>(w);
  if constexpr (!std::is_integral_v<T>) {
    if (c == "equ")
      return pickWhat<Equ, T, Ftz>(w);
    if (c == "neu")
      return pickWhat<Neu, T, Ftz>(w);
    if (c == "ltu")
      return pickWhat<Ltu, T, Ftz>(w);
    if (c == "leu")
      return pickWhat<Leu, T, Ftz>(w);
    if (c == "gtu")
      return pickWhat<Gtu, T, Ftz>(w);
    if (c == "geu")
      return pickWhat<Geu, T, Ftz>(w);
    if (c == "num")
      return pickWhat<Num, T, Ftz>(w);
    if (c == "nan")
      return pickWhat<Nan, T, Ftz>(w);
  }
  return nullptr;
}

Handler pickType(Type t, bool ftz, llvm::StringRef c, What w) {
  if (ftz && t != Type::F32)
    return nullptr;
  switch (t) {
  case Type::B16:
  case Type::U16:
    return pickComparison<uint16_t, false>(c, w);
  case Type::S16:
    return pickComparison<int16_t, false>(c, w);
  case Type::B32:
  case Type::U32:
    return pickComparison<uint32_t, false>(c, w);
  case Type::S32:
    return pickComparison<int32_t, false>(c, w);
  case Type::B64:
  case Type::U64:
    return pickComparison<uint64_t, false>(c, w);
  case Type::S64:
    return pickComparison<int64_t, false>(c, w);
  case Type::F32:
    return ftz ? pickComparison<float, true>(c, w)
               : pickComparison<float, false>(c, w);
  case Type::F64:
    return pickComparison<double, false>(c, w);
  case Type::F16:
  case Type::F16x2:
    return pickComparison<HalfTag, false>(c, w);
  case Type::BF16:
  case Type::BF16x2:
    return pickComparison<BfloatTag, false>(c, w);
  default:
    return nullptr;
  }
}

/// d = p ? a : b. Operands: d, a, b, p.
template <typename S> void selp(LaneFile &f, const Inst &i, uint32_t mask) {
  const S *a = read<S>(f, i.op[1]), *b = read<S>(f, i.op[2]);
  uint32_t p = f.readPredicate(i.op[3]);
  alignas(64) S r[warpSize];
  for (unsigned l = 0; l != warpSize; ++l)
    r[l] = (p >> l & 1) ? a[l] : b[l];
  write(f, i.op[0], r, mask);
}

template <typename S> S slctInt(S a, S b, int32_t c) { return c >= 0 ? a : b; }
template <typename S> S slctFloat(S a, S b, float c) { return c >= 0 ? a : b; }
template <typename S> S slctFtz(S a, S b, float c) {
  return flush(c) >= 0 ? a : b;
}

constexpr llvm::StringRef comparisons[] = {
    "eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
    "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

bool selectSet(Mnemonic &m, Selection &s) {
  bool toPredicate = m.base == "setp";
  llvm::StringRef compare;
  for (llvm::StringRef c : comparisons)
    if (m.take(c)) {
      compare = c;
      break;
    }
  llvm::StringRef combine = m.takeAny({"and", "or", "xor"});
  s.imm = combine == "and"   ? CAnd
          : combine == "or"  ? COr
          : combine == "xor" ? CXor
                             : 0;
  bool ftz = m.take("ftz");
  Type d = toPredicate ? Type::Pred : m.takeType();
  Type t = m.takeType();
  if (compare.empty())
    return false;
  bool packed = t == Type::F16x2 || t == Type::BF16x2;
  if (packed && (!toPredicate || s.imm))
    return false;
  Handler h = pickType(t, ftz, compare,
                       packed        ? SetPacked
                       : toPredicate ? SetP
                                     : SetValue);
  if (toPredicate) {
    s.set(h, isFloat(t) ? InstructionClass::Float : InstructionClass::Integer,
          {result(d), result(d), source(t), source(t)});
    s.slots[0].optional = s.slots[1].optional = true;
  } else {
    if (d != Type::U32 && d != Type::S32 && d != Type::F32)
      return false;
    s.flags = d == Type::F32;
    s.set(h, isFloat(t) ? InstructionClass::Float : InstructionClass::Integer,
          {result(d), source(t), source(t)});
  }
  if (s.imm)
    s.slots.push_back(source(Type::Pred));
  return h;
}

} // namespace

bool selectCompare(Mnemonic &m, Selection &s) {
  constexpr InstructionClass cls = InstructionClass::Move;
  if (m.base == "setp" || m.base == "set")
    return selectSet(m, s);
  if (m.base == "selp") {
    Type t = m.takeType();
    unsigned size = sizeOf(t);
    if (size < 2 || size > 8)
      return false;
    return s.set(size == 8 ? &selp<uint64_t> : &selp<uint32_t>, cls,
                 {result(t), source(t), source(t), source(Type::Pred)});
  }
  if (m.base == "slct") {
    bool ftz = m.take("ftz");
    Type t = m.takeType(), c = m.takeType();
    bool wide = sizeOf(t) == 8;
    Handler h = nullptr;
    if (c == Type::S32 && !ftz)
      h = wide ? &Map<&slctInt<uint64_t>>::run : &Map<&slctInt<uint32_t>>::run;
    else if (c == Type::F32)
      h = ftz ? (wide ? &Map<&slctFtz<uint64_t>>::run
                      : &Map<&slctFtz<uint32_t>>::run)
              : (wide ? &Map<&slctFloat<uint64_t>>::run
                      : &Map<&slctFloat<uint32_t>>::run);
    return t != Type::None &&
           s.set(h, cls, {result(t), source(t), source(t), source(c)});
  }
  return false;
}

ATTN_LANES_END
} // namespace attn::emulator
