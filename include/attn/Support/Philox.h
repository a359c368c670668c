//===- Philox.h - Counter-based random numbers and attn.keep ----*- C++ -*-===//
//
// Dropout must give the same mask in forward and backward, on every target and
// for every tiling, so its random numbers are a function of position and not of
// a sequence. Philox4x32-10 is that function: a 64-bit key and a 128-bit
// counter give four 32-bit words.
//
// attn.keep reads one word per (query, key). With m the index in the last row
// dim, n the linear index over the key dims, w the linear index over the batch
// dims and then the other row dims, all of the whole problem and by its whole
// extents:
//
//     key       seed, with the high half of offset xored into its high word
//     counter   ( n >> 1,  (m >> 4 << 3) | (m & 7),  w,  low half of offset )
//     word      (n & 1) | ((m >> 3 & 1) << 1)
//     keep      word >= floor(p 2^32), compared in 64 bits; the factor is then
//               1 / (1 - p), else 0
//
// A lane that holds an m16n8 accumulator of mma.sync has the elements (g, 2t),
// (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1): these are the four words of one
// call, so a GPU makes one call for four scores and throws nothing away.
//
//                n even   n odd
//     m & 8 = 0  word 0   word 1
//     m & 8 = 8  word 2   word 3
//
// (m, n) -> (counter, word) is a bijection for m, n < 2^33 and w < 2^32.
//
// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as
// easy as 1, 2, 3 (SC 2011).
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_SUPPORT_PHILOX_H
#define ATTN_SUPPORT_PHILOX_H

#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>

namespace attn {

/// The constants, for those who emit code.
struct Philox {
  static constexpr uint32_t kMul0 = 0xD2511F53, kMul1 = 0xCD9E8D57;
  static constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  static constexpr int kRounds = 10;
};

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

constexpr PhiloxCounter philox4x32(PhiloxCounter c, PhiloxKey k) {
  for (int round = 0; round < Philox::kRounds; ++round) {
    uint64_t a = uint64_t(Philox::kMul0) * c[0];
    uint64_t b = uint64_t(Philox::kMul1) * c[2];
    c = {uint32_t(b >> 32) ^ c[1] ^ k[0], uint32_t(b),
         uint32_t(a >> 32) ^ c[3] ^ k[1], uint32_t(a)};
    k = {k[0] + Philox::kWeyl0, k[1] + Philox::kWeyl1};
  }
  return c;
}

/// Which word of which call belongs to a position.
struct KeepIndex {
  PhiloxCounter counter;
  unsigned word;
};
constexpr KeepIndex keepIndex(uint64_t m, uint64_t n, uint64_t w,
                              uint64_t offset) {
  return {{uint32_t(n >> 1), uint32_t((m >> 4 << 3) | (m & 7)), uint32_t(w),
           uint32_t(offset)},
          unsigned((n & 1) | ((m >> 3 & 1) << 1))};
}

constexpr PhiloxKey keepKey(uint64_t seed, uint64_t offset) {
  return {uint32_t(seed), uint32_t(seed >> 32) ^ uint32_t(offset >> 32)};
}

/// floor(p * 2^32), in [0, 2^32]. Requires p in [0, 1].
constexpr uint64_t keepThreshold(double p) {
  return uint64_t(p * 4294967296.0);
}

constexpr bool isKept(double p, uint64_t seed, uint64_t offset, uint64_t m,
                      uint64_t n, uint64_t w) {
  KeepIndex i = keepIndex(m, n, w, offset);
  uint32_t word = philox4x32(i.counter, keepKey(seed, offset))[i.word];
  return uint64_t(word) >= keepThreshold(p);
}

/// The result of attn.keep: 0, or 1 / (1 - p), for an m, n, w in range.
constexpr double keepFactor(double p, uint64_t seed, uint64_t offset,
                            uint64_t m, uint64_t n, uint64_t w) {
  return isKept(p, seed, offset, m, n, w) ? 1.0 / (1.0 - p) : 0.0;
}

/// Success if p is in [0, 1] and a problem of these sizes (the last row dim,
/// the product of the key dims, the product of all batch and other row dims)
/// can be indexed; otherwise an error that says which one is out of range.
llvm::Error checkKeepRange(double p, uint64_t m, uint64_t n, uint64_t w);

} // namespace attn

#endif // ATTN_SUPPORT_PHILOX_H
