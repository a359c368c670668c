//===- Mma.cpp - mma.sync -------------------------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// D = A B + C over m16n8kK tiles whose elements are spread over the warp. With
// g = lane / 4 and t = lane % 4:
//
//   C, D       register r holds (row g + 8 (r / 2), column 2t + r % 2)
//   A 16-bit   register r, half h holds (row g + 8 (r % 2), k 2t + h + 8 (r /
//   2)) B 16-bit   register r, half h holds (k 2t + h + 8 r, column g) A tf32
//   register r holds (row g + 8 (r % 2), k t + 4 (r / 2)) B tf32     register r
//   holds (k t + 4 r, column g)
//
// Each product is exact and is added in f32 with one rounding, k ascending.
// Hardware adds groups of products with less precise alignment: compare with a
// tolerance. f16 accumulators round once at the end.
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"

namespace attn::emulator {
ATTN_LANES_BEGIN
namespace {

enum Element { F16, BF16, TF32 };

template <Element E> inline float loadPart(uint32_t bits, unsigned half) {
  if constexpr (E == TF32)
    return bitCast<float>(bits & ~0x1fffu);
  uint16_t h = uint16_t(bits >> (16 * half));
  return E == F16 ? halfToFloat(h) : bfloatToFloat(h);
}

using Four = float __attribute__((vector_size(16)));
using Sixteen = float __attribute__((vector_size(64)));

/// A row of 32 floats; lane 4 g + t is in part[g / 4].
struct Row {
  Sixteen part[2];
};

template <Element E> inline Row loadRow(const uint32_t *row, unsigned half) {
  alignas(64) float values[warpSize];
  for (unsigned l = 0; l != warpSize; ++l)
    values[l] = loadPart<E>(row[l], half);
  Row r;
  std::memcpy(&r, values, sizeof r);
  return r;
}

/// Lane 4 g + t gets what lane 4 g + T has.
template <int T> inline Sixteen spreadInQuad(Sixteen x) {
  return __builtin_shufflevector(x, x, T, T, T, T, T + 4, T + 4, T + 4, T + 4,
                                 T + 8, T + 8, T + 8, T + 8, T + 12, T + 12,
                                 T + 12, T + 12);
}

/// Lane 4 g + t gets the t-th of four floats.
inline Sixteen repeatFour(const float *from) {
  Four x;
  std::memcpy(&x, from, sizeof x);
  return __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1,
                                 2, 3);
}

/// From lanes 4 g + t to [t][g % 2][g / 2]: for each k of a B register the even
/// columns, then the odd ones, in the order in which lanes hold those of C.
inline void transpose(const Row &b, float (&to)[4][2][4]) {
  Sixteen lo = b.part[0], hi = b.part[1];
  Sixteen first = __builtin_shufflevector(lo, hi, 0, 8, 16, 24, 4, 12, 20, 28,
                                          1, 9, 17, 25, 5, 13, 21, 29);
  Sixteen second = __builtin_shufflevector(lo, hi, 2, 10, 18, 26, 6, 14, 22, 30,
                                           3, 11, 19, 27, 7, 15, 23, 31);
  std::memcpy(to[0], &first, sizeof first);
  std::memcpy(to[2], &second, sizeof second);
}

inline Sixteen fusedLanes(Sixteen a, Sixteen b, Sixteen c) {
#if defined(ATTN_EMULATOR_FMA) && defined(__clang__)
  return __builtin_elementwise_fma(a, b, c);
#else
  for (unsigned l = 0; l != 16; ++l)
    c[l] = fused(a[l], b[l], c[l]);
  return c;
#endif
}

/// Adds the products of one k, held by lanes 4 g + T of the A registers `upper`
/// (rows 0 to 7) and `lower`. Everything stays where the lanes of C have it.
template <int T>
inline void addProducts(const Row &upper, const Row &lower,
                        const float (&b)[4][2][4], Row (&c)[4]) {
  Sixteen even = repeatFour(b[T][0]), odd = repeatFour(b[T][1]);
  for (unsigned w = 0; w != 2; ++w) {
    Sixteen u = spreadInQuad<T>(upper.part[w]);
    Sixteen l = spreadInQuad<T>(lower.part[w]);
    c[0].part[w] = fusedLanes(u, even, c[0].part[w]);
    c[1].part[w] = fusedLanes(u, odd, c[1].part[w]);
    c[2].part[w] = fusedLanes(l, even, c[2].part[w]);
    c[3].part[w] = fusedLanes(l, odd, c[3].part[w]);
  }
}

/// Operands: D, A, B, C registers in order.
template <Element E, unsigned K, bool HalfAccumulator>
void mma(LaneFile &f, const Inst &i, uint32_t) {
  constexpr unsigned perRegister = E == TF32 ? 1 : 2;
  constexpr unsigned kStep = 4 * perRegister; // k covered by one B register
  constexpr unsigned nB = K / kStep, nA = 2 * nB;
  constexpr unsigned nC = HalfAccumulator ? 2 : 4;
  auto row = [&](unsigned operand) { return read<uint32_t>(f, i.op[operand]); };
  Row c[4];
  for (unsigned r = 0; r != 4; ++r)
    if constexpr (HalfAccumulator)
      c[r] = loadRow<F16>(row(nC + nA + nB + r / 2), r % 2);
    else
      std::memcpy(&c[r], row(nC + nA + nB + r), sizeof c[r]);
  for (unsigned s = 0; s != nB; ++s) {
    Row upper[perRegister], lower[perRegister];
    alignas(64) float b[perRegister][4][2][4];
    for (unsigned h = 0; h != perRegister; ++h) {
      upper[h] = loadRow<E>(row(nC + 2 * s), h);
      lower[h] = loadRow<E>(row(nC + 2 * s + 1), h);
      transpose(loadRow<E>(row(nC + nA + s), h), b[h]);
    }
    // k = perRegister t + h.
    for (unsigned h = 0; h != perRegister; ++h)
      addProducts<0>(upper[h], lower[h], b[h], c);
    for (unsigned h = 0; h != perRegister; ++h)
      addProducts<1>(upper[h], lower[h], b[h], c);
    for (unsigned h = 0; h != perRegister; ++h)
      addProducts<2>(upper[h], lower[h], b[h], c);
    for (unsigned h = 0; h != perRegister; ++h)
      addProducts<3>(upper[h], lower[h], b[h], c);
  }
  // All lanes execute it (Selection::allLanes).
  for (unsigned r = 0; r != nC; ++r) {
    alignas(64) float values[4 / nC][warpSize];
    std::memcpy(values, &c[4 / nC * r], sizeof values);
    uint32_t *out = reinterpret_cast<uint32_t *>(f.registers + i.op[r]);
    for (unsigned l = 0; l != warpSize; ++l) {
      if constexpr (HalfAccumulator)
        out[l] = floatToHalf(values[0][l]) | uint32_t(floatToHalf(values[1][l]))
                                                 << 16;
      else
        out[l] = bitCast<uint32_t>(canonical(values[0][l]));
    }
  }
}

} // namespace

bool selectMma(Mnemonic &m, Selection &s) {
  if (m.base != "mma" || !m.take("sync") || !m.take("aligned"))
    return false;
  llvm::StringRef shape = m.takeAny({"m16n8k16", "m16n8k8", "m16n8k4"});
  if (shape.empty() || !m.take("row") || !m.take("col"))
    return false;
  Type d = m.takeType(), a = m.takeType(), b = m.takeType(), c = m.takeType();
  if (a != b || c != d || (d != Type::F32 && d != Type::F16))
    return false;
  bool half = d == Type::F16;
  Handler h = nullptr;
  unsigned nB = 1;
  if (shape == "m16n8k16") {
    nB = 2;
    h = a == Type::F16    ? (half ? &mma<F16, 16, true> : &mma<F16, 16, false>)
        : a == Type::BF16 ? &mma<BF16, 16, false>
                          : nullptr;
  } else if (shape == "m16n8k8") {
    nB = a == Type::TF32 ? 2 : 1;
    h = a == Type::F16    ? (half ? &mma<F16, 8, true> : &mma<F16, 8, false>)
        : a == Type::BF16 ? &mma<BF16, 8, false>
        : a == Type::TF32 ? &mma<TF32, 8, false>
                          : nullptr;
  } else {
    h = a == Type::TF32 ? &mma<TF32, 4, false> : nullptr;
  }
  if (half && a != Type::F16)
    return false;
  unsigned nC = half ? 2 : 4;
  s.allLanes = true;
  Type acc = half ? Type::B32 : Type::F32;
  return s.set(h, InstructionClass::Mma,
               {result(acc, nC), source(Type::B32, 2 * nB),
                source(Type::B32, nB), source(acc, nC)});
}

ATTN_LANES_END
} // namespace attn::emulator
