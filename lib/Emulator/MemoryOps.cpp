//===- MemoryOps.cpp - Loads and stores -----------------------------------===//
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

void shadowGlobal(Warp &w, const Inst &i, unsigned lane, Allocation &a,
                  uint64_t offset, unsigned bytes, bool isWrite) {
  Cta &cta = *w.cta;
  uint32_t me = uint32_t(cta.number + 1), other = 0;
  if (!a.shadow || bytes < 2)
    return;
  for (uint64_t k = offset / 2; k != (offset + bytes) / 2; ++k) {
    GlobalShadow &s = a.shadow.get()[k];
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
  }
  if (other)
    cta.report(w, i, Fault::CtaConflict, lane,
               ((isWrite ? "write to offset " : "read of offset ") +
                Twine(offset) + " of buffer '" + a.name +
                "', which another CTA " +
                (isWrite ? "also accesses" : "also writes") +
                ": expected disjoint bytes, atomics or another kernel")
                   .str());
}

namespace {

template <unsigned Width>
using Bits = std::conditional_t<
    Width == 8, uint64_t,
    std::conditional_t<Width == 4, uint32_t,
                       std::conditional_t<Width == 2, uint16_t, uint8_t>>>;

/// Writes one lane of the result rows.
template <unsigned Width>
inline void deliver(LaneFile &f, const Inst &i, unsigned lane,
                    const uint8_t *from) {
  for (unsigned e = 0; e != i.elements; ++e) {
    int32_t row = i.op[1 + e];
    if (row == -1)
      continue;
    Bits<Width> v;
    std::memcpy(&v, from + e * Width, Width);
    Storage<Bits<Width>> extended = v;
    if (Width < 4 && (i.flags & SignExtend))
      extended = Storage<Bits<Width>>(std::make_signed_t<Bits<Width>>(v));
    reinterpret_cast<Storage<Bits<Width>> *>(f.registers + row)[lane] =
        extended;
  }
}

template <unsigned Width>
inline void collect(const LaneFile &f, const Inst &i, unsigned lane,
                    uint8_t *to) {
  for (unsigned e = 0; e != i.elements; ++e) {
    using S = Storage<Bits<Width>>;
    Bits<Width> v =
        Bits<Width>(static_cast<const S *>(f.row(i.op[1 + e]))[lane]);
    std::memcpy(to + e * Width, &v, Width);
  }
}

const uint8_t zeros[64] = {};

template <unsigned Width>
void loadShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                uint32_t mask) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (!checkShared(w, i, l, address[l], n)) {
      deliver<Width>(w, i, l, zeros);
      continue;
    }
    SharedMemory::Access a{w.index, l, i.statement, (i.flags & Strong) != 0};
    for (unsigned k = 0; k < n; k += 16)
      if (!cta.shared.read(a, uint32_t(address[l]) + k, std::min(n, 16u)))
        reportConflict(w, i, l, address[l], n, "read");
    deliver<Width>(w, i, l, cta.shared.data() + address[l]);
  }
  countShared(w, i, address, mask, n, false);
}

template <unsigned Width>
void storeShared(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (!checkShared(w, i, l, address[l], n))
      continue;
    uint8_t value[64];
    collect<Width>(w, i, l, value);
    uint8_t *to = cta.shared.data() + address[l];
    SharedMemory::Access a{w.index, l, i.statement, (i.flags & Strong) != 0};
    for (unsigned k = 0; k < n; k += 16) {
      unsigned part = std::min(n, 16u);
      if (!cta.shared.write(a, uint32_t(address[l]) + k, part))
        reportWrite(w, i, l, address[l] + k, part, value + k);
    }
    std::memcpy(to, value, n);
  }
  countShared(w, i, address, mask, n, true);
}

template <unsigned Width>
void loadGlobal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                uint32_t mask) {
  unsigned n = Width * i.elements;
  bool detect = w.cta->launch->options.detectors;
  uint32_t good = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    Allocation *a = checkGlobal(w, i, l, address[l], n);
    if (!a) {
      deliver<Width>(w, i, l, zeros);
      continue;
    }
    good |= 1u << l;
    uint64_t offset = address[l] - a->base;
    if (detect) {
      checkInitialised(w, i, l, *a, offset, n);
      if (!(i.flags & Strong))
        shadowGlobal(w, i, l, *a, offset, n, false);
    }
    deliver<Width>(w, i, l, a->data.get() + offset);
  }
  countGlobal(w, address, good, n, false);
}

template <unsigned Width>
void storeGlobal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask) {
  unsigned n = Width * i.elements;
  bool detect = w.cta->launch->options.detectors;
  uint32_t good = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    Allocation *a = checkGlobal(w, i, l, address[l], n);
    if (!a)
      continue;
    good |= 1u << l;
    uint64_t offset = address[l] - a->base;
    if (detect && !(i.flags & Strong))
      shadowGlobal(w, i, l, *a, offset, n, true);
    uint8_t value[64];
    collect<Width>(w, i, l, value);
    std::memcpy(a->data.get() + offset, value, n);
    std::memset(a->initialised.get() + offset, 1, n);
  }
  countGlobal(w, address, good, n, true);
}

template <unsigned Width>
void accessLocal(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
                 uint32_t mask, bool isLoad) {
  unsigned n = Width * i.elements;
  Cta &cta = *w.cta;
  uint32_t frame = cta.program->localBytes;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (address[l] > frame || n > frame - address[l]) {
      cta.report(w, i, Fault::OutOfBounds, l,
                 (Twine(n) + " bytes at local address " +
                  Twine(int64_t(address[l])) + ", the frame has " +
                  Twine(frame) + " bytes")
                     .str());
      if (isLoad)
        deliver<Width>(w, i, l, zeros);
      continue;
    }
    if (!checkAligned(w, i, l, address[l], n)) {
      if (isLoad)
        deliver<Width>(w, i, l, zeros);
      continue;
    }
    size_t at = size_t(w.index * warpSize + l) * frame + address[l];
    if (!isLoad) {
      collect<Width>(w, i, l, &cta.local[at]);
      std::memset(&cta.localInitialised[at], 1, n);
      continue;
    }
    if (cta.launch->options.detectors &&
        std::memchr(&cta.localInitialised[at], 0, n))
      cta.report(w, i, Fault::Uninitialised, l,
                 ("read of local address " + Twine(address[l]) +
                  " that nothing has written")
                     .str());
    deliver<Width>(w, i, l, &cta.local[at]);
  }
}

template <unsigned Width>
void loadParam(Warp &w, const Inst &i, const uint64_t (&address)[warpSize],
               uint32_t mask) {
  unsigned n = Width * i.elements;
  const std::vector<uint8_t> &block = w.cta->launch->parameters;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    if (address[l] > block.size() || n > block.size() - address[l]) {
      w.cta->report(w, i, Fault::OutOfBounds, l,
                    (Twine(n) + " bytes at offset " + Twine(address[l]) +
                     " of the parameters, which have " + Twine(block.size()) +
                     " bytes")
                        .str());
      deliver<Width>(w, i, l, zeros);
      continue;
    }
    deliver<Width>(w, i, l, block.data() + address[l]);
  }
}

} // namespace

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
    uint32_t group = 0;
    for (unsigned l = 0; l != warpSize; ++l)
      group |=
          uint32_t((mask >> l & 1) && Memory::numberOf(address[l]) == number)
          << l;
    mask &= ~group;
    Counters::Buffer &b = w.cta->counters->buffers[number];
    uint64_t total = uint64_t(__builtin_popcount(group)) * bytes;
    unsigned sectors = countSectors(address, group, bytes);
    (isWrite ? b.bytesWritten : b.bytesRead) += total;
    (isWrite ? b.sectorsWritten : b.sectorsRead) += sectors;
  }
}

void checkInitialised(Warp &w, const Inst &i, unsigned lane,
                      const Allocation &a, uint64_t offset, unsigned bytes) {
  if (std::memchr(a.initialised.get() + offset, 0, bytes))
    w.cta->report(w, i, Fault::Uninitialised, lane,
                  ("read of " + Twine(bytes) + " bytes at offset " +
                   Twine(offset) + " of buffer '" + a.name +
                   "' that nothing has written")
                      .str());
}

template <unsigned Width>
static void access(LaneFile &f, const Inst &i, uint32_t mask, bool isLoad) {
  Warp &w = static_cast<Warp &>(f);
  uint64_t address[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, address);
  uint32_t masks[4] = {};
  switch (i.space) {
  case Space::Reg:
    splitGeneric(address, mask, masks);
    break;
  case Space::Shared:
    masks[1] = mask;
    break;
  case Space::Local:
    masks[2] = mask;
    break;
  case Space::Param:
    masks[3] = mask;
    break;
  default:
    masks[0] = mask;
    break;
  }
  if (masks[0])
    isLoad ? loadGlobal<Width>(w, i, address, masks[0])
           : storeGlobal<Width>(w, i, address, masks[0]);
  if (masks[1])
    isLoad ? loadShared<Width>(w, i, address, masks[1])
           : storeShared<Width>(w, i, address, masks[1]);
  if (masks[2])
    accessLocal<Width>(w, i, address, masks[2], isLoad);
  if (masks[3] && isLoad)
    loadParam<Width>(w, i, address, masks[3]);
  if (masks[3] && !isLoad)
    w.cta->report(w, i, Fault::OutOfBounds, unsigned(__builtin_ctz(masks[3])),
                  "write to the kernel's parameters, which are constant");
}

static void accessAnyWidth(LaneFile &f, const Inst &i, uint32_t mask,
                           bool isLoad) {
  switch (i.width) {
  case 8:
    return access<8>(f, i, mask, isLoad);
  case 4:
    return access<4>(f, i, mask, isLoad);
  case 2:
    return access<2>(f, i, mask, isLoad);
  default:
    return access<1>(f, i, mask, isLoad);
  }
}

void loadOp(LaneFile &f, const Inst &i, uint32_t mask) {
  accessAnyWidth(f, i, mask, true);
}
void storeOp(LaneFile &f, const Inst &i, uint32_t mask) {
  accessAnyWidth(f, i, mask, false);
}
void nothingOp(LaneFile &, const Inst &, uint32_t) {}

void clockOp(LaneFile &f, const Inst &i, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  char *to = f.registers + i.op[0];
  for (unsigned l = 0; l != warpSize; ++l) {
    if (!(mask >> l & 1))
      continue;
    if (i.width == 8)
      reinterpret_cast<uint64_t *>(to)[l] = w.cta->executed;
    else
      reinterpret_cast<uint32_t *>(to)[l] = uint32_t(w.cta->executed);
  }
}

} // namespace attn::emulator
