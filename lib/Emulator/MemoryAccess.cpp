//===- MemoryAccess.cpp - Checks and counts of memory accesses -----------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

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

unsigned countWavefronts(const uint64_t (&address)[warpSize], uint32_t mask,
                         unsigned bytes, unsigned &conflicts) {
  // Lanes go in groups that move at most 128 bytes together; a slot is the
  // banks that one lane covers.
  unsigned shift = bytes >= 16 ? 4 : bytes == 8 ? 3 : 2;
  unsigned slots = 128u >> shift, total = 0;
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

unsigned countSectors(const uint64_t (&address)[warpSize], uint32_t mask,
                      unsigned bytes) {
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

/// Two CTAs on the same bytes, one of them writing.
static bool isOwnedByOther(const Cta &cta, uint32_t owner) {
  uint32_t me = uint32_t(cta.number + 1);
  if (!owner || owner == me)
    return false;
  return !(cta.ordered && (owner < me || owner == GlobalShadow::manyReaders));
}

/// Records one access; the CTA it conflicts with, or 0.
static uint32_t shadowPair(const Cta &cta, GlobalShadow &s, bool isWrite) {
  uint32_t me = uint32_t(cta.number + 1), other = 0;
  uint32_t writer = __atomic_load_n(&s.writer, __ATOMIC_RELAXED);
  uint32_t reader = __atomic_load_n(&s.reader, __ATOMIC_RELAXED);
  if (isOwnedByOther(cta, writer))
    other = writer;
  if (isWrite) {
    if (isOwnedByOther(cta, reader))
      other = reader;
    __atomic_store_n(&s.writer, me, __ATOMIC_RELAXED);
  } else if (reader != me) {
    __atomic_store_n(&s.reader, reader ? GlobalShadow::manyReaders : me,
                     __ATOMIC_RELAXED);
  }
  return other;
}

void shadowGlobal(Warp &w, const Inst &i, unsigned lane, Allocation &a,
                  uint64_t offset, unsigned bytes, bool isWrite,
                  unsigned lanes) {
  Cta &cta = *w.cta;
  uint32_t me = uint32_t(cta.number + 1);
  if (!a.shadow || bytes < 2)
    return;
  GlobalShadow *first = a.shadow.get() + offset / 2, *conflict = nullptr;
  GlobalShadow *end = a.shadow.get() + (offset + lanes * bytes) / 2;
  // Mostly nobody else was here: the record says so already, or is empty.
  uint64_t mine = isWrite ? me : uint64_t(me) << 32;
  uint64_t same = isWrite ? me : uint64_t(GlobalShadow::manyReaders) << 32;
  for (GlobalShadow *s = first; s != end; ++s) {
    uint64_t both =
        __atomic_load_n(reinterpret_cast<uint64_t *>(s), __ATOMIC_RELAXED);
    if (both == mine || both == same)
      continue;
    if (!both) {
      __atomic_store_n(isWrite ? &s->writer : &s->reader, me, __ATOMIC_RELAXED);
      continue;
    }
    if (shadowPair(cta, *s, isWrite) && !conflict)
      conflict = s;
  }
  if (!conflict)
    return;
  unsigned beyond = unsigned(2 * (conflict - first)) / bytes;
  cta.report(w, i, Fault::CtaConflict, lane + beyond,
             ((isWrite ? "write to offset " : "read of offset ") +
              Twine(offset + beyond * bytes) + " of buffer '" + a.name +
              "', which another CTA " +
              (isWrite ? "also accesses" : "also writes") +
              ": expected disjoint bytes, atomics or another kernel")
                 .str());
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

void checkInitialised(Warp &w, const Inst &i, unsigned lane,
                      const Allocation &a, uint64_t offset, unsigned bytes,
                      unsigned lanes) {
  // The marks are 0 or 1.
  const uint8_t *mark = a.initialised.get() + offset;
  unsigned k = 0, total = lanes * bytes;
  uint64_t all = 0x0101010101010101;
  for (; k + 8 <= total; k += 8) {
    uint64_t eight;
    std::memcpy(&eight, mark + k, 8);
    all &= eight;
  }
  bool fine = all == 0x0101010101010101;
  for (; k != total; ++k)
    fine &= mark[k] != 0;
  if (fine)
    return;
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
