//===- MemoryAccess.h - Checks and counts of memory accesses ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// What loads, stores, atomics, matrix loads and async copies share. Checks
// report their faults themselves; false or null means: leave this lane out.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_MEMORYACCESS_H
#define ATTN_LIB_EMULATOR_MEMORYACCESS_H

#include "Warp.h"

namespace attn::emulator {

void laneAddresses(const LaneFile &f, const Inst &i, int32_t row, bool wide,
                   int64_t offset, uint64_t (&address)[warpSize]);
/// Sorts lanes with generic addresses into masks {global, shared, local, param}
/// and makes the addresses those of the space.
void splitGeneric(uint64_t (&address)[warpSize], uint32_t mask,
                  uint32_t (&masks)[4]);

bool checkAligned(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                  unsigned bytes);
bool checkShared(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                 unsigned bytes);
Allocation *checkGlobal(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                        unsigned bytes);
/// The buffer in which all lanes of `mask` access `bytes`, aligned. Null if
/// some lane does not, or they are in several: each is then looked at alone.
Allocation *commonBuffer(Warp &w, const uint64_t (&address)[warpSize],
                         uint32_t mask, unsigned bytes);
/// How many lanes from the first of `rest` on access bytes side by side.
inline unsigned sideBySide(const uint64_t (&address)[warpSize], uint32_t rest,
                           unsigned bytes) {
  unsigned first = unsigned(__builtin_ctz(rest)), l = first + 1;
  while (l != warpSize && (rest >> l & 1) &&
         address[l] == address[l - 1] + bytes)
    ++l;
  return l - first;
}
bool isInitialised(const Allocation &a, uint64_t offset, unsigned bytes);
/// Of `lanes` lanes from `lane` on, whose accesses of `bytes` bytes lie side by
/// side. The first that reads what nothing has written is reported.
void checkInitialised(Warp &w, const Inst &i, unsigned lane,
                      const Allocation &a, uint64_t offset, unsigned bytes,
                      unsigned lanes = 1);
/// Records one access; the offset of the first byte that is in conflict with
/// another CTA, or `nowhere`.
constexpr uint64_t nowhere = ~uint64_t(0);
uint64_t recordGlobal(const Cta &cta, Allocation &a, uint64_t offset,
                      uint64_t bytes, bool isWrite);
/// Records the accesses and reports the first that conflicts with another CTA.
void shadowGlobal(Warp &w, const Inst &i, unsigned lane, Allocation &a,
                  uint64_t offset, unsigned bytes, bool isWrite,
                  unsigned lanes = 1);
/// Reports what SharedMemory::conflict describes.
void reportConflict(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                    unsigned bytes, const char *what);

/// The same for a store of `value`, unless it changes nothing: several threads
/// may write one value to one place.
void reportWrite(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                 unsigned bytes, const void *value);

/// Passes over the banks for one request; `conflicts` grows by those beyond the
/// first of each group of lanes.
unsigned countWavefronts(const uint64_t (&address)[warpSize], uint32_t mask,
                         unsigned bytes, unsigned &conflicts);
unsigned countSectors(const uint64_t (&address)[warpSize], uint32_t mask,
                      unsigned bytes);
void countShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask, unsigned bytes, bool isWrite);
void countGlobal(Warp &w, const uint64_t (&address)[warpSize], uint32_t mask,
                 unsigned bytes, bool isWrite);

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_MEMORYACCESS_H
