//===- Integer.cpp - Integer arithmetic -----------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <limits>

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

template <typename T> using U = std::make_unsigned_t<T>;

// 16-bit operands are widened to unsigned first: int would overflow.
template <typename T> T add(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
template <typename T> T sub(T a, T b) { return T(uint64_t(a) - uint64_t(b)); }
template <typename T> T mulLo(T a, T b) {
  return T(uint64_t(U<T>(a)) * uint64_t(U<T>(b)));
}
template <typename T> T mulHi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using W =
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T((W(a) * W(b)) >> 64);
  } else {
    using W = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return T((W(a) * W(b)) >> (8 * sizeof(T)));
  }
}
template <typename T> struct Wide;
template <> struct Wide<uint16_t> {
  using type = uint32_t;
};
template <> struct Wide<int16_t> {
  using type = int32_t;
};
template <> struct Wide<uint32_t> {
  using type = uint64_t;
};
template <> struct Wide<int32_t> {
  using type = int64_t;
};
template <typename T> typename Wide<T>::type mulWide(T a, T b) {
  using W = typename Wide<T>::type;
  return W(U<W>(W(a)) * U<W>(W(b)));
}
template <typename T> T madLo(T a, T b, T c) { return add(mulLo(a, b), c); }
template <typename T> T madHi(T a, T b, T c) { return add(mulHi(a, b), c); }
template <typename T>
typename Wide<T>::type madWide(T a, T b, typename Wide<T>::type c) {
  using W = typename Wide<T>::type;
  return W(U<W>(mulWide(a, b)) + U<W>(c));
}
int32_t addSat(int32_t a, int32_t b) {
  int64_t r = int64_t(a) + b;
  return int32_t(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
}
int32_t subSat(int32_t a, int32_t b) {
  int64_t r = int64_t(a) - b;
  return int32_t(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
}
// Division by zero has no defined result in PTX; devices give all ones.
template <typename T> T divide(T a, T b) {
  if (b == 0)
    return T(~T(0));
  if (std::is_signed_v<T> && b == T(-1))
    return T(0 - U<T>(a));
  return T(a / b);
}
template <typename T> T remainder(T a, T b) {
  if (b == 0)
    return a;
  if (std::is_signed_v<T> && b == T(-1))
    return 0;
  return T(a % b);
}
template <typename T> T negate(T a) { return T(0 - uint64_t(a)); }
template <typename T> T absolute(T a) { return a < 0 ? negate(a) : a; }
template <typename T> T minimum(T a, T b) { return a < b ? a : b; }
template <typename T> T maximum(T a, T b) { return a < b ? b : a; }
uint32_t sadU(uint32_t a, uint32_t b, uint32_t c) {
  return c + (a < b ? b - a : a - b);
}
int32_t sadS(int32_t a, int32_t b, int32_t c) {
  return int32_t(uint32_t(c) + (a < b ? uint32_t(b) - uint32_t(a)
                                      : uint32_t(a) - uint32_t(b)));
}
template <typename T, bool Signed> T mul24(T a, T b) {
  int64_t x = Signed ? int64_t(int32_t(uint32_t(a) << 8) >> 8)
                     : int64_t(uint32_t(a) & 0xffffff);
  int64_t y = Signed ? int64_t(int32_t(uint32_t(b) << 8) >> 8)
                     : int64_t(uint32_t(b) & 0xffffff);
  return T(x * y);
}
template <typename T> T mad24(T a, T b, T c) {
  return T(uint64_t(mul24<T, std::is_signed_v<T>>(a, b)) + uint64_t(c));
}

/// fn(tag) with the C++ type of an integer PTX type.
template <typename F> bool withInteger(Type t, F fn) {
  switch (t) {
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
    return false;
  }
}
Type widened(Type t) {
  switch (t) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  default:
    return Type::S64;
  }
}

constexpr InstructionClass cls = InstructionClass::Integer;

bool selectMultiply(Mnemonic &m, Selection &s, bool mad) {
  llvm::StringRef part = m.takeAny({"lo", "hi", "wide"});
  Type t = m.takeType();
  if (part.empty() || t == Type::None || isFloat(t))
    return false;
  Type w = part == "wide" ? widened(t) : t;
  if (mad)
    s.slots = {result(w), source(t), source(t), source(w)};
  else
    s.slots = {result(w), source(t), source(t)};
  s.cls = cls;
  return withInteger(t, [&](auto tag) {
    using T = decltype(tag);
    if (part == "lo")
      s.handler = mad ? &Map<&madLo<T>>::run : &Map<&mulLo<T>>::run;
    else if (part == "hi")
      s.handler = mad ? &Map<&madHi<T>>::run : &Map<&mulHi<T>>::run;
    else if constexpr (sizeof(T) < 8)
      s.handler = mad ? &Map<&madWide<T>>::run : &Map<&mulWide<T>>::run;
    return s.handler != nullptr;
  });
}

bool select24(Mnemonic &m, Selection &s, bool mad) {
  if (!m.take("lo"))
    return false;
  Type t = m.takeType();
  bool isS = t == Type::S32;
  if (!isS && t != Type::U32)
    return false;
  if (mad)
    return s.set(isS ? &Map<&mad24<int32_t>>::run : &Map<&mad24<uint32_t>>::run,
                 cls, {result(t), source(t), source(t), source(t)});
  return s.set(isS ? &Map<&mul24<int32_t, true>>::run
                   : &Map<&mul24<uint32_t, false>>::run,
               cls, {result(t), source(t), source(t)});
}

} // namespace

bool selectInteger(Mnemonic &m, Selection &s) {
  llvm::StringRef base = m.base;
  if (base == "mul" || base == "mad")
    return selectMultiply(m, s, base == "mad");
  if (base == "mul24" || base == "mad24")
    return select24(m, s, base == "mad24");
  bool saturate = m.take("sat");
  Type t = m.takeType();
  if (saturate) {
    if (t != Type::S32 || (base != "add" && base != "sub"))
      return false;
    return s.set(base == "add" ? &Map<&addSat>::run : &Map<&subSat>::run, cls,
                 {result(t), source(t), source(t)});
  }
  if (base == "sad")
    return t == Type::U32 ? s.set(&Map<&sadU>::run, cls,
                                  {result(t), source(t), source(t), source(t)})
           : t == Type::S32
               ? s.set(&Map<&sadS>::run, cls,
                       {result(t), source(t), source(t), source(t)})
               : false;
  return withInteger(t, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_signed_v<T>) {
      if (base == "neg")
        return s.set(&Map<&negate<T>>::run, cls, {result(t), source(t)});
      if (base == "abs")
        return s.set(&Map<&absolute<T>>::run, cls, {result(t), source(t)});
    }
    Handler h = base == "add"   ? &Map<&add<T>>::run
                : base == "sub" ? &Map<&sub<T>>::run
                : base == "div" ? &Map<&divide<T>>::run
                : base == "rem" ? &Map<&remainder<T>>::run
                : base == "min" ? &Map<&minimum<T>>::run
                : base == "max" ? &Map<&maximum<T>>::run
                                : nullptr;
    return s.set(h, cls, {result(t), source(t), source(t)});
  });
}

ATTN_LANES_END
} // namespace attn::emulator
