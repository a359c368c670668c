//===- Lanes.h - Vectors of 32 lanes ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// A handler reads rows, computes all 32 lanes in a loop that the compiler turns
// into vector code, and writes back the lanes of its mask. `Map<fn>::run` makes
// such a handler from a function on scalars.
//
// The files of this folder are compiled once for each host instruction set, in
// a namespace of its own. They give the same bits in each: floating
// point contraction is off, and fused operations are explicit. The instruction
// set is an attribute of the functions between ATTN_LANES_BEGIN and
// ATTN_LANES_END and not a flag of the file, which would also apply to inline
// functions of other headers, and the linker may keep those for everyone.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_LANES_LANES_H
#define ATTN_LIB_EMULATOR_LANES_LANES_H

#include "../Program.h"
#include "../Select.h"

#include <cstring>
#include <type_traits>
#include <utility>

// clang-format off
#if ATTN_EMULATOR_LEVEL == 2
#define ATTN_EMULATOR_FMA 1
#define ATTN_EMULATOR_F16C 1
#define ATTN_LANES_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,fma,f16c\"))), apply_to = function)") \
  inline namespace avx2 {
#define ATTN_LANES_END } _Pragma("clang attribute pop")
#elif ATTN_EMULATOR_LEVEL == 3
#define ATTN_EMULATOR_FMA 1
#define ATTN_EMULATOR_F16C 1
#define ATTN_LANES_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl\"))), apply_to = function)") \
  inline namespace avx512 {
#define ATTN_LANES_END } _Pragma("clang attribute pop")
#else
#ifdef __ARM_FEATURE_FMA
#define ATTN_EMULATOR_FMA 1
#endif
#define ATTN_LANES_BEGIN inline namespace baseline {
#define ATTN_LANES_END }
#endif
// clang-format on

namespace attn::emulator {

/// The register file of a warp and what handlers may ask of the warp. Warp
/// derives from it.
struct LaneFile {
  char *registers = nullptr;
  const char *constants = nullptr;
  uint32_t live = 0; ///< lanes that have not exited
  /// Records a fault of `lane`.
  void (*report)(LaneFile &, const Inst &, Fault, unsigned lane,
                 const char *message) = nullptr;

  const void *row(int32_t offset) const {
    return offset >= 0 ? registers + offset : constants + ~offset;
  }
  uint32_t &predicate(int32_t offset) {
    return *reinterpret_cast<uint32_t *>(registers + offset);
  }
  uint32_t readPredicate(int32_t offset) const {
    return *static_cast<const uint32_t *>(row(offset));
  }
};

ATTN_LANES_BEGIN

template <typename T>
using Storage = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename To, typename From> inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Upper bits of a row that holds a narrower type are unspecified: every reader
/// goes through `get` or masks.
template <typename T> inline T get(Storage<T> s) {
  if constexpr (std::is_floating_point_v<T>)
    return bitCast<T>(s);
  else
    return T(s);
}
template <typename T> inline Storage<T> put(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return bitCast<Storage<T>>(v);
  else
    return Storage<T>(v); // sign extends, as ld and cvt into wider registers do
}

template <typename T>
inline const Storage<T> *read(const LaneFile &f, int32_t offset) {
  return static_cast<const Storage<T> *>(f.row(offset));
}

template <typename S>
inline void write(LaneFile &f, int32_t offset, const S *values, uint32_t mask) {
  S *d = reinterpret_cast<S *>(f.registers + offset);
  if (mask == allLanes) {
    for (unsigned l = 0; l != warpSize; ++l)
      d[l] = values[l];
    return;
  }
  for (unsigned l = 0; l != warpSize; ++l)
    d[l] = (mask >> l & 1) ? values[l] : d[l];
}

inline void writePredicate(LaneFile &f, int32_t offset, uint32_t value,
                           uint32_t mask) {
  uint32_t &p = f.predicate(offset);
  p = (p & ~mask) | (value & mask);
}

template <auto Fn> struct Map;

/// Operands: result, then one source per argument of Fn.
template <typename R, typename... A, R (*Fn)(A...)> struct Map<Fn> {
  static void run(LaneFile &f, const Inst &i, uint32_t mask) {
    apply(f, i, mask, std::index_sequence_for<A...>{});
  }

private:
  template <size_t... K>
  static void apply(LaneFile &f, const Inst &i, uint32_t mask,
                    std::index_sequence<K...>) {
    alignas(64) Storage<R> r[warpSize];
    auto lanes = [&](const Storage<A> *...source) {
      for (unsigned l = 0; l != warpSize; ++l)
        r[l] = put<R>(Fn(get<A>(source[l])...));
    };
    lanes(read<A>(f, i.op[K + 1])...);
    write(f, i.op[0], r, mask);
  }
};

/// One bit per lane from a function to bool.
template <typename T, typename F>
inline uint32_t maskOf(const Storage<T> *a, const Storage<T> *b, F compare) {
  uint32_t m = 0;
  for (unsigned l = 0; l != warpSize; ++l)
    m |= uint32_t(compare(get<T>(a[l]), get<T>(b[l]))) << l;
  return m;
}

bool selectInteger(Mnemonic &m, Selection &s);
bool selectLogic(Mnemonic &m, Selection &s);
bool selectFloat(Mnemonic &m, Selection &s);
bool selectHalf(Mnemonic &m, Selection &s);
bool selectSpecial(Mnemonic &m, Selection &s);
bool selectConvert(Mnemonic &m, Selection &s);
bool selectCompare(Mnemonic &m, Selection &s);
bool selectMove(Mnemonic &m, Selection &s);
bool selectWarp(Mnemonic &m, Selection &s);
bool selectMma(Mnemonic &m, Selection &s);
bool selectLanes(Mnemonic &m, Selection &s);

ATTN_LANES_END
} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_LANES_LANES_H
