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

template <unsigned K>
inline void multiply(const float (&a)[16][K], const float (&b)[K][8],
                     float (&c)[16][8]) {
  // Four rows at a time keep enough independent sums in flight.
  for (unsigned m = 0; m != 16; m += 4) {
    float acc[4][8];
    std::memcpy(acc, c[m], sizeof acc);
    for (unsigned k = 0; k != K; ++k)
      for (unsigned r = 0; r != 4; ++r)
        for (unsigned n = 0; n != 8; ++n)
          acc[r][n] = fused(a[m + r][k], b[k][n], acc[r][n]);
    std::memcpy(c[m], acc, sizeof acc);
  }
}

/// Operands: D, A, B, C registers in order.
template <Element E, unsigned K, bool HalfAccumulator>
void mma(LaneFile &f, const Inst &i, uint32_t mask) {
  constexpr unsigned perRegister = E == TF32 ? 1 : 2;
  constexpr unsigned kStep = 4 * perRegister; // k covered by one B register
  constexpr unsigned nB = K / kStep, nA = 2 * nB;
  constexpr unsigned nC = HalfAccumulator ? 2 : 4;
  float a[16][K], b[K][8], c[16][8];
  alignas(64) float part[warpSize];
  for (unsigned r = 0; r != nA; ++r) {
    const uint32_t *row = read<uint32_t>(f, i.op[nC + r]);
    for (unsigned h = 0; h != perRegister; ++h) {
      for (unsigned l = 0; l != warpSize; ++l)
        part[l] = loadPart<E>(row[l], h);
      for (unsigned l = 0; l != warpSize; ++l)
        a[l / 4 + 8 * (r % 2)][perRegister * (l % 4) + h + kStep * (r / 2)] =
            part[l];
    }
  }
  for (unsigned r = 0; r != nB; ++r) {
    const uint32_t *row = read<uint32_t>(f, i.op[nC + nA + r]);
    for (unsigned h = 0; h != perRegister; ++h) {
      for (unsigned l = 0; l != warpSize; ++l)
        part[l] = loadPart<E>(row[l], h);
      for (unsigned l = 0; l != warpSize; ++l)
        b[perRegister * (l % 4) + h + kStep * r][l / 4] = part[l];
    }
  }
  for (unsigned r = 0; r != nC; ++r) {
    const uint32_t *row = read<uint32_t>(f, i.op[nC + nA + nB + r]);
    for (unsigned l = 0; l != warpSize; ++l) {
      if constexpr (HalfAccumulator) {
        c[l / 4 + 8 * r][2 * (l % 4)] = halfToFloat(uint16_t(row[l]));
        c[l / 4 + 8 * r][2 * (l % 4) + 1] = halfToFloat(uint16_t(row[l] >> 16));
      } else {
        c[l / 4 + 8 * (r / 2)][2 * (l % 4) + r % 2] = bitCast<float>(row[l]);
      }
    }
  }
  multiply<K>(a, b, c);
  for (unsigned r = 0; r != nC; ++r) {
    alignas(64) uint32_t out[warpSize];
    for (unsigned l = 0; l != warpSize; ++l) {
      if constexpr (HalfAccumulator) {
        const float *pair = &c[l / 4 + 8 * r][2 * (l % 4)];
        out[l] = floatToHalf(pair[0]) | uint32_t(floatToHalf(pair[1])) << 16;
      } else {
        out[l] = bitCast<uint32_t>(
            canonical(c[l / 4 + 8 * (r / 2)][2 * (l % 4) + r % 2]));
      }
    }
    write(f, i.op[r], out, mask);
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
