//===- MatrixOps.cpp - ldmatrix and stmatrix ------------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Matrix j is eight rows of 16 bytes; lane 8 j + r holds the address of row r.
// Lane l gets in register j the elements (l / 4, 2 (l % 4)) and the one to the
// right of it, or, transposed, (2 (l % 4), l / 4) and the one below it.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include <algorithm>
#include <iterator>

namespace attn::emulator {

static void count(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                  bool isWrite) {
  uint32_t mask = i.elements == 4 ? allLanes : (1u << (8 * i.elements)) - 1;
  countShared(w, i, address, mask, 16, isWrite);
}

/// The pair of a lane within a matrix of 8 rows of 8, transposed (t) or not.
static inline void positions(bool t, unsigned lane, unsigned (&at)[2]) {
  unsigned a = lane / 4, b = 2 * (lane % 4);
  at[0] = t ? 8 * b + a : 8 * a + b;
  at[1] = t ? 8 * (b + 1) + a : 8 * a + b + 1;
}

/// Eight rows of eight elements.
struct Matrix {
  using Row = uint16_t __attribute__((vector_size(16)));
  Row row[8];

  /// In place, by rounds that bring rows together which lie four apart.
  void transpose() {
    for (unsigned round = 0; round != 3; ++round) {
      Row next[8];
      for (unsigned r = 0; r != 4; ++r) {
        next[2 * r] = __builtin_shufflevector(row[r], row[r + 4], 0, 8, 1, 9, 2,
                                              10, 3, 11);
        next[2 * r + 1] = __builtin_shufflevector(row[r], row[r + 4], 4, 12, 5,
                                                  13, 6, 14, 7, 15);
      }
      std::copy(std::begin(next), std::end(next), std::begin(row));
    }
  }
};

/// True if every row is fine; what to know of it is recorded then.
static bool readAllRows(Warp &w, const Inst &i,
                        const uint64_t (&address)[warpSize]) {
  SharedMemory &shared = w.cta->shared;
  if (shared.size() < 16)
    return false;
  uint64_t odd = 0, beyond = 0, last = shared.size() - 16;
  for (unsigned l = 0; l != 8u * i.elements; ++l) {
    odd |= address[l];
    beyond |= last - address[l];
    beyond |= address[l];
  }
  return !(odd & 15) && !(beyond >> 63) &&
         shared.readChunks(w.index, address, 8 * i.elements);
}

void ldmatrixOp(LaneFile &f, const Inst &i, uint32_t) {
  Warp &w = static_cast<Warp &>(f);
  SharedMemory &shared = w.cta->shared;
  uint64_t address[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, address);
  SharedMemory::Access a{w.index, SharedMemory::wholeWarp, i.statement, false};
  bool fine = readAllRows(w, i, address);
  for (unsigned j = 0; j != i.elements; ++j) {
    Matrix matrix = {};
    for (unsigned r = 0; r != 8; ++r) {
      unsigned lane = 8 * j + r;
      uint64_t at = address[lane];
      if (!fine && !checkShared(w, i, lane, at, 16))
        continue;
      if (!fine && !shared.read(a, uint32_t(at), 16))
        reportConflict(w, i, lane, at, 16, "read");
      std::memcpy(&matrix.row[r], shared.data() + at, 16);
    }
    if (i.flags & Transposed)
      matrix.transpose();
    std::memcpy(f.registers + i.op[1 + j], &matrix, sizeof matrix);
  }
  count(w, i, address, false);
}

void stmatrixOp(LaneFile &f, const Inst &i, uint32_t) {
  Warp &w = static_cast<Warp &>(f);
  SharedMemory &shared = w.cta->shared;
  uint64_t address[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, address);
  for (unsigned j = 0; j != i.elements; ++j) {
    const uint32_t *from = static_cast<const uint32_t *>(f.row(i.op[1 + j]));
    alignas(16) uint16_t matrix[64];
    for (unsigned l = 0; l != warpSize; ++l) {
      unsigned at[2];
      positions(i.flags & Transposed, l, at);
      matrix[at[0]] = uint16_t(from[l]);
      matrix[at[1]] = uint16_t(from[l] >> 16);
    }
    for (unsigned r = 0; r != 8; ++r) {
      unsigned lane = 8 * j + r;
      uint64_t at = address[lane];
      if (!checkShared(w, i, lane, at, 16))
        continue;
      SharedMemory::Access a{w.index, lane, i.statement, false};
      if (!shared.write(a, uint32_t(at), 16))
        reportWrite(w, i, lane, at, 16, matrix + 8 * r);
      std::memcpy(shared.data() + at, matrix + 8 * r, 16);
    }
  }
  count(w, i, address, true);
}

} // namespace attn::emulator
