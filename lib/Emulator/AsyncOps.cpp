//===- AsyncOps.cpp - cp.async and its groups -----------------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// The bytes are read at issue and arrive as late as allowed: at the wait that
// covers them. In between the destination is marked in flight, so whoever looks
// too early is reported (and sees the old bytes).
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace llvm;

namespace attn::emulator {

static uint32_t rowValue(const LaneFile &f, int32_t row, unsigned lane) {
  return static_cast<const uint32_t *>(f.row(row))[lane];
}

/// Copies of whole chunks from one buffer to places that exist, or of nothing:
/// their sources are looked at together. False: nothing is done, each is to be
/// looked at alone. `sized` lanes have a source.
static bool copyTogether(Warp &w, const Inst &i, const uint64_t (&to)[warpSize],
                         const uint64_t (&from)[warpSize], uint32_t mask,
                         uint32_t sized) {
  Cta &cta = *w.cta;
  unsigned n = i.width;
  uint64_t odd = 0, last = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    odd |= to[l];
    last = std::max(last, to[l]);
  }
  if ((odd & (n - 1)) || !cta.shared.contains(last, n))
    return false;
  Allocation *a = sized ? commonBuffer(w, from, sized, n) : nullptr;
  if (sized && !a)
    return false;
  if (cta.launch->options.detectors)
    for (uint32_t rest = sized; rest;) {
      unsigned l = unsigned(__builtin_ctz(rest));
      unsigned lanes = sideBySide(from, rest, n);
      uint64_t offset = from[l] - a->base;
      checkInitialised(w, i, l, *a, offset, n, lanes);
      shadowGlobal(w, i, l, *a, offset, n, false, lanes);
      rest &= ~((allLanes >> (warpSize - lanes)) << l);
    }
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    PendingCopy &copy = w.copies.emplace_back(
        PendingCopy{uint32_t(to[l]), w.commits[l], uint8_t(l), i.width, {}});
    if (sized >> l & 1)
      std::memcpy(copy.data, a->data.get() + (from[l] - a->base), n);
    SharedMemory::Access access{w.index, l, i.statement, false};
    if (!cta.shared.beginAsync(access, copy.destination, n))
      reportConflict(w, i, l, to[l], n, "cp.async");
  }
  countGlobal(w, from, sized, n, false);
  countShared(w, i, to, mask, n, true);
  return true;
}

void asyncCopyOp(LaneFile &f, const Inst &i, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  Cta &cta = *w.cta;
  bool detect = cta.launch->options.detectors;
  uint64_t to[warpSize], from[warpSize];
  laneAddresses(f, i, i.op[0], i.flags & WideAddress, i.imm, to);
  laneAddresses(f, i, i.op[1], true, i.op[4], from);
  uint32_t ignored = i.op[3] == -1 ? 0 : f.readPredicate(i.op[3]);
  uint32_t sized = 0, odd = 0;
  unsigned sizes[warpSize]; // of each lane's source
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    unsigned bytes = i.op[2] == -1 ? i.width : rowValue(f, i.op[2], l);
    if (ignored >> l & 1)
      bytes = 0;
    sizes[l] = bytes;
    sized |= uint32_t(bytes == i.width) << l;
    odd |= uint32_t(bytes != i.width && bytes != 0) << l;
  }
  if (!odd && copyTogether(w, i, to, from, mask, sized))
    return;
  uint32_t reading = 0, writing = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest)), bytes = sizes[l];
    if (bytes > i.width) {
      cta.report(w, i, Fault::OutOfBounds, l,
                 (Twine("source size ") + Twine(bytes) +
                  " is larger than the copy of " + Twine(unsigned(i.width)))
                     .str());
      continue;
    }
    if (!checkShared(w, i, l, to[l], i.width))
      continue;
    PendingCopy copy{uint32_t(to[l]), w.commits[l], uint8_t(l), i.width, {}};
    if (bytes) {
      // Nothing of the source is touched where its size is 0.
      if (!checkAligned(w, i, l, from[l], i.width))
        continue;
      Allocation *a = checkGlobal(w, i, l, from[l], 1);
      uint64_t offset = a ? from[l] - a->base : 0;
      if (!a || bytes > a->bytes - offset) {
        if (a)
          cta.report(w, i, Fault::OutOfBounds, l,
                     (Twine(bytes) + " bytes at offset " + Twine(offset) +
                      " of buffer '" + a->name + "', which has " +
                      Twine(a->bytes) + " bytes")
                         .str());
        continue;
      }
      if (detect) {
        checkInitialised(w, i, l, *a, offset, bytes);
        shadowGlobal(w, i, l, *a, offset, bytes, false);
      }
      std::memcpy(copy.data, a->data.get() + offset, bytes);
      reading |= 1u << l;
      if (bytes != i.width) {
        // A partial copy counts its own bytes.
        countGlobal(w, from, 1u << l, bytes, false);
        reading &= ~(1u << l);
      }
    }
    SharedMemory::Access access{w.index, l, i.statement, false};
    if (!cta.shared.beginAsync(access, copy.destination, i.width))
      reportConflict(w, i, l, to[l], i.width, "cp.async");
    writing |= 1u << l;
    w.copies.push_back(copy);
  }
  countGlobal(w, from, reading, i.width, false);
  countShared(w, i, to, writing, i.width, true);
}

void asyncCommitOp(LaneFile &f, const Inst &, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  for (unsigned l = 0; l != warpSize; ++l)
    w.commits[l] += mask >> l & 1;
}

/// i.imm: groups of the lane that may stay in flight; -1: nothing may,
/// committed or not.
void asyncWaitOp(LaneFile &f, const Inst &i, uint32_t mask) {
  Warp &w = static_cast<Warp &>(f);
  auto isPending = [&](const PendingCopy &c) {
    if (!(mask >> c.lane & 1))
      return true;
    return i.imm >= 0 && c.group + uint64_t(i.imm) >= w.commits[c.lane];
  };
  size_t kept = 0;
  for (const PendingCopy &c : w.copies) {
    if (isPending(c)) {
      w.copies[kept++] = c;
      continue;
    }
    std::memcpy(w.cta->shared.data() + c.destination, c.data, c.bytes);
    SharedMemory::Access a{w.index, c.lane, i.statement, false};
    w.cta->shared.endAsync(a, c.destination, c.bytes);
  }
  w.copies.resize(kept);
}

} // namespace attn::emulator
