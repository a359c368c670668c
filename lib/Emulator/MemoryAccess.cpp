//===- MemoryAccess.cpp - Checks and counts of memory accesses -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "HostClones.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace attn::emulator {

void laneAddresses(const LaneFile &f, const Inst &, int32_t row, bool wide,
                   int64_t offset, uint64_t (&address)[warpSize]) {
  if (wide) {
    const uint64_t *a = static_cast<const uint64_t *>(f.row(row));
    for (unsigned l = 0; l != warpSize; ++l)
      address[l] = a[l] + uint64_t(offset);
  } else {
    const uint32_t *a = static_cast<const uint32_t *>(f.row(row));
    for (unsigned l = 0; l != warpSize; ++l)
      address[l] = uint32_t(a[l] + uint32_t(offset));
  }
}

void splitGeneric(uint64_t (&address)[warpSize], uint32_t mask,
                  uint32_t (&masks)[4]) {
  for (uint32_t &m : masks)
    m = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    uint64_t window = address[l] >> Memory::windowBits;
    unsigned k = window == sharedWindow  ? 1
                 : window == localWindow ? 2
                 : window == paramWindow ? 3
                                         : 0;
    if (k)
      address[l] -= windowBase(window);
    masks[k] |= 1u << l;
  }
}

/// Do no two lanes of a group share a slot? A group is as many lanes as there
/// are slots; `groups` grows by those that have a lane.
ATTN_HOST_CLONES
static bool slotsDiffer(const uint64_t *address, uint32_t mask, unsigned shift,
                        unsigned slots, unsigned &groups) {
  uint32_t bit[warpSize], twice = 0;
  for (unsigned l = 0; l != warpSize; ++l)
    bit[l] = (mask >> l & 1) << (uint32_t(address[l] >> shift) & (slots - 1));
  for (unsigned first = 0; first != warpSize; first += slots) {
    // Without a carry the sum of bits is their union.
    uint64_t sum = 0, any = 0;
    for (unsigned l = first; l != first + slots; ++l) {
      sum += bit[l];
      any |= bit[l];
    }
    twice |= uint32_t(sum != any);
    groups += any != 0;
  }
  return !twice;
}

unsigned countWavefronts(const uint64_t (&address)[warpSize], uint32_t mask,
                         unsigned bytes, unsigned &conflicts) {
  // Lanes go in groups that move at most 128 bytes together; a slot is the
  // banks that one lane covers.
  unsigned shift = bytes >= 16 ? 4 : bytes == 8 ? 3 : 2;
  unsigned slots = 128u >> shift, total = 0;
  if (slotsDiffer(address, mask, shift, slots, total))
    return total;
  total = 0;
  for (unsigned first = 0; first < warpSize; first += slots) {
    // Mostly no two lanes share a slot.
    uint32_t taken = 0, shared = 0;
    for (unsigned l = first; l != first + slots; ++l) {
      uint32_t bit = (mask >> l & 1) << ((address[l] >> shift) & (slots - 1));
      shared |= taken & bit;
      taken |= bit;
    }
    if (!shared) {
      total += taken != 0;
      continue;
    }
    uint64_t seen[warpSize][4];
    uint8_t depth[warpSize] = {};
    unsigned passes = 0;
    for (unsigned l = first; l != first + slots; ++l) {
      if (!(mask >> l & 1))
        continue;
      uint64_t word = address[l] >> shift;
      unsigned slot = word & (slots - 1);
      unsigned d = depth[slot], k = 0;
      while (k != d && k != 4 && seen[slot][k] != word)
        ++k;
      if (k < d && k < 4)
        continue; // the same word again: broadcast
      if (d < 4)
        seen[slot][d] = word;
      depth[slot] = uint8_t(d + 1);
      passes = std::max(passes, d + 1);
    }
    total += passes;
    conflicts += passes ? passes - 1 : 0;
  }
  return total;
}

/// Mostly addresses ascend from lane to lane. 0: these do not.
static unsigned countAscending(const uint64_t (&address)[warpSize],
                               uint32_t mask, unsigned bytes) {
  unsigned n = 0;
  uint64_t before = 0, covered = 0; // sectors below this one
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t at = address[unsigned(__builtin_ctz(rest))];
    if (at < before)
      return 0;
    before = at;
    uint64_t first = std::max(at >> 5, covered),
             end = ((at + bytes - 1) >> 5) + 1;
    n += end > first ? unsigned(end - first) : 0;
    covered = std::max(covered, end);
  }
  return n;
}

unsigned countSectors(const uint64_t (&address)[warpSize], uint32_t mask,
                      unsigned bytes) {
  if (unsigned n = countAscending(address, mask, bytes))
    return n;
  uint64_t seen[2 * warpSize];
  unsigned n = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    uint64_t last = (address[l] + bytes - 1) >> 5;
    for (uint64_t sector = address[l] >> 5; sector <= last; ++sector) {
      unsigned k = n;
      while (k && seen[k - 1] != sector)
        --k;
      if (!k)
        seen[n++] = sector;
    }
  }
  return n;
}

void reportConflict(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                    unsigned bytes, const char *what) {
  const SharedMemory::Conflict &c = w.cta->shared.conflict;
  std::string where = (Twine(what) + " of " + Twine(bytes) +
                       " bytes at shared address " + Twine(address))
                          .str();
  if (c.kind == SharedMemory::Conflict::Uninitialised)
    return w.cta->report(w, i, Fault::Uninitialised, lane,
                         where + " that nothing has written");
  std::string other;
  if (c.lane < warpSize) {
    Dim3 t = w.cta->threadIndex(c.warp, c.lane);
    other =
        ("thread (" + Twine(t.x) + "," + Twine(t.y) + "," + Twine(t.z) + ")")
            .str();
  } else {
    other = ("warp " + Twine(c.warp)).str();
  }
  if (c.withWrite)
    other += (" at line " + Twine(w.cta->program->statements[c.statement].line))
                 .str();
  if (c.kind == SharedMemory::Conflict::Async)
    return w.cta->report(w, i, Fault::AsyncConflict, lane,
                         where + " while a cp.async of " + other +
                             " is in flight: expected cp.async.wait_group (and "
                             "a barrier, for other threads) in between");
  w.cta->report(w, i, Fault::Race, lane,
                where + " races with a " + (c.withWrite ? "write" : "read") +
                    " by " + other + ": expected a barrier in between");
}

void reportWrite(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                 unsigned bytes, const void *value) {
  SharedMemory &shared = w.cta->shared;
  if (shared.conflict.kind == SharedMemory::Conflict::Async ||
      std::memcmp(shared.data() + address, value, bytes))
    reportConflict(w, i, lane, address, bytes, "write");
}

bool checkAligned(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                  unsigned bytes) {
  if (!(address & (bytes - 1)))
    return true;
  w.cta->report(w, i, Fault::Misaligned, lane,
                ("address 0x" + Twine::utohexstr(address) +
                 " is not a multiple of " + Twine(bytes))
                    .str());
  return false;
}

bool checkShared(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                 unsigned bytes) {
  if (!w.cta->shared.contains(address, bytes)) {
    w.cta->report(w, i, Fault::OutOfBounds, lane,
                  (Twine(bytes) + " bytes at shared address " +
                   Twine(int64_t(address)) + ", the CTA has " +
                   Twine(w.cta->shared.size()) + " bytes")
                      .str());
    return false;
  }
  return checkAligned(w, i, lane, address, bytes);
}

Allocation *checkGlobal(Warp &w, const Inst &i, unsigned lane, uint64_t address,
                        unsigned bytes) {
  Memory &memory = w.cta->launch->memory;
  Allocation *a = memory.find(address);
  if (!a) {
    w.cta->report(
        w, i, Fault::OutOfBounds, lane,
        ("address 0x" + Twine::utohexstr(address) + " belongs to no buffer")
            .str());
    return nullptr;
  }
  int64_t offset = int64_t(address - a->base);
  if (offset < 0 || uint64_t(offset) > a->bytes ||
      bytes > a->bytes - uint64_t(offset)) {
    w.cta->report(w, i, Fault::OutOfBounds, lane,
                  (Twine(bytes) + " bytes at offset " + Twine(offset) +
                   " of buffer '" + a->name + "', which has " +
                   Twine(a->bytes) + " bytes")
                      .str());
    return nullptr;
  }
  return checkAligned(w, i, lane, address, bytes) ? a : nullptr;
}

void countShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask, unsigned bytes, bool isWrite) {
  Counters &c = *w.cta->counters;
  size_t k = size_t(&i - w.cta->program->code.data());
  unsigned conflicts = 0;
  c.wavefronts[k] += countWavefronts(address, mask, bytes, conflicts);
  c.conflicts[k] += conflicts;
  (isWrite ? c.sharedWritten : c.sharedRead)[k] +=
      uint64_t(__builtin_popcount(mask)) * bytes;
}

void countGlobal(Warp &w, const uint64_t (&address)[warpSize], uint32_t mask,
                 unsigned bytes, bool isWrite) {
  // A warp may touch several buffers at once: one round for each.
  while (mask) {
    uint64_t number = Memory::numberOf(address[unsigned(__builtin_ctz(mask))]);
    uint32_t others = 0;
    for (unsigned l = 0; l != warpSize; ++l)
      others |= uint32_t(Memory::numberOf(address[l]) != number) << l;
    uint32_t group = mask & ~others;
    mask &= ~group;
    Counters::Buffer &b = w.cta->counters->buffers[number];
    uint64_t total = uint64_t(__builtin_popcount(group)) * bytes;
    unsigned sectors = countSectors(address, group, bytes);
    (isWrite ? b.bytesWritten : b.bytesRead) += total;
    (isWrite ? b.sectorsWritten : b.sectorsRead) += sectors;
  }
}

/// Are all offsets multiples of `bytes`, a power of two, and at most `last`?
ATTN_HOST_CLONES
static bool allInside(const uint64_t *address, uint32_t mask, uint64_t base,
                      uint64_t last, unsigned bytes) {
  uint64_t odd = 0, beyond = 0;
  for (unsigned l = 0; l != warpSize; ++l) {
    uint64_t offset = (mask >> l & 1) ? address[l] - base : 0;
    odd |= offset;
    beyond |= offset | (last - offset); // one of them is negative
  }
  return !(odd & (bytes - 1)) && !(beyond >> 63);
}

Allocation *commonBuffer(Warp &w, const uint64_t (&address)[warpSize],
                         uint32_t mask, unsigned bytes) {
  Allocation *a =
      w.cta->launch->memory.find(address[unsigned(__builtin_ctz(mask))]);
  if (!a || bytes > a->bytes ||
      !allInside(address, mask, a->base, a->bytes - bytes, bytes))
    return nullptr;
  return a;
}

/// Marks are 0 or 1.
ATTN_HOST_CLONES
static bool allMarked(const uint8_t *mark, unsigned n) {
  uint8_t all = 1;
  for (unsigned k = 0; k != n; ++k)
    all &= mark[k];
  return all;
}

bool isInitialised(const Allocation &a, uint64_t offset, unsigned bytes) {
  const uint8_t *mark = a.initialised.get() + offset;
  if (bytes > 16)
    return allMarked(mark, bytes);
  uint64_t eight[2] = {~uint64_t(0), ~uint64_t(0)};
  std::memcpy(eight, mark, bytes);
  constexpr uint64_t ones = 0x0101010101010101;
  return (eight[0] & eight[1] & ones) == ones;
}

void checkInitialised(Warp &w, const Inst &i, unsigned lane,
                      const Allocation &a, uint64_t offset, unsigned bytes,
                      unsigned lanes) {
  unsigned total = lanes * bytes;
  if (isInitialised(a, offset, total))
    return;
  const uint8_t *mark = a.initialised.get() + offset;
  const void *missing = std::memchr(mark, 0, total);
  unsigned beyond =
      unsigned(static_cast<const uint8_t *>(missing) - mark) / bytes;
  w.cta->report(w, i, Fault::Uninitialised, lane + beyond,
                ("read of " + Twine(bytes) + " bytes at offset " +
                 Twine(offset + beyond * bytes) + " of buffer '" + a.name +
                 "' that nothing has written")
                    .str());
}

} // namespace attn::emulator
