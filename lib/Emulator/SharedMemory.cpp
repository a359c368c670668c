//===- SharedMemory.cpp - A CTA's shared memory and its shadow ------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "HostClones.h"

#include <algorithm>
#include <cstring>

namespace attn::emulator {

void SharedMemory::reset(uint32_t n, unsigned nWarps, bool detect) {
  bytes = n;
  warps = nWarps;
  detectors = detect;
  size_t chunks = n / 16 + 1;
  memory.reserve(16 * chunks);
  std::memset(memory.get(), 0xcd, 16 * chunks);
  for (unsigned w = 0; w != warps; ++w) {
    order[w] = OrderClocks();
    clock[w] = 1;
    oldest[w] = 0;
  }
  if (!detect)
    return;
  chunkWrites.reserve(chunks);
  byteWrites.reserve(16 * chunks);
  std::fill_n(chunkWrites.get(), chunks, 0);
  chunkReads.reserve(chunks * warps);
  std::fill_n(chunkReads.get(), chunks * warps, 0);
  for (unsigned w = 0; w != warps; ++w)
    byteReads[w].reserve(16 * chunks);
}

bool SharedMemory::describe(uint64_t record) {
  conflict = {};
  conflict.kind = !(record & written)   ? Conflict::Uninitialised
                  : (record & inFlight) ? Conflict::Async
                                        : Conflict::Race;
  conflict.withWrite = true;
  conflict.warp = warpOf(record);
  conflict.lane = laneOf(record);
  conflict.statement = record >> 40 & 0xfffff;
  return false;
}

bool SharedMemory::checkReadBytes(const Access &a, uint32_t address,
                                  unsigned n) {
  const uint64_t *records = byteWrites.get() + address;
  // Mostly all are written and older than what any warp's clock must show:
  // three reductions tell, without a branch.
  uint64_t all = ~uint64_t(0), any = 0, late = 0, horizon = oldest[a.warp];
  for (unsigned k = 0; k != n; ++k) {
    all &= records[k];
    any |= records[k];
    late |= horizon - (records[k] & 0xfffffff);
  }
  if ((all & written) && !(any & inFlight) && !(late >> 63))
    return true;
  for (unsigned k = 0; k != n; ++k)
    if (!checkRead(a, records[k]))
      return false;
  return true;
}

namespace {
/// What all of some records say.
struct Together {
  uint64_t all, any, late;
};
} // namespace

/// Of the chunks at `addresses`; negative `late`: one has a stamp after the
/// horizon.
ATTN_HOST_CLONES
static void lookAtChunks(const uint64_t *records, const uint64_t *addresses,
                         unsigned n, uint64_t horizon, Together &result) {
  uint64_t all = ~uint64_t(0), any = 0, late = 0;
  for (unsigned k = 0; k != n; ++k) {
    uint64_t record = records[addresses[k] >> 4];
    all &= record;
    any |= record;
    late |= horizon - (record & 0xfffffff);
  }
  result = {all, any, late};
}

bool SharedMemory::readChunks(unsigned warp, const uint64_t *addresses,
                              unsigned n) {
  if (!detectors)
    return true;
  Together seen;
  lookAtChunks(chunkWrites.get(), addresses, n, oldest[warp], seen);
  if (!(seen.all & written) || (seen.any & (inFlight | expanded)) ||
      seen.late >> 63)
    return false;
  // As recordRead does: a record of this stamp stays, the lane it names or
  // several are more than the warp at once.
  uint32_t *reads = chunkReads.get() + warp;
  uint32_t now = clock[warp], mine = now << 6 | wholeWarp;
  for (unsigned k = 0; k != n; ++k) {
    uint32_t &chunk = reads[(addresses[k] >> 4) * warps];
    chunk = chunk >> 6 == now ? chunk : mine;
  }
  return true;
}

void SharedMemory::recordRead(const Access &a, uint32_t address, unsigned n) {
  uint32_t stamp = clock[a.warp] << 6;
  uint32_t &chunk = chunkReads.get()[size_t(address >> 4) * warps + a.warp];
  auto merge = [&](uint32_t &r) {
    if (r >> 6 != clock[a.warp] || (r & 63) == wholeWarp)
      r = stamp | a.lane;
    else if (a.lane != wholeWarp && (r & 63) != a.lane)
      r = stamp | severalLanes;
  };
  if (n == 16) {
    if (chunk == expandedRead)
      chunk = stamp | a.lane;
    else
      merge(chunk);
    return;
  }
  uint32_t *perByte = byteReads[a.warp].get();
  if (chunk != expandedRead) {
    if (chunk == (stamp | a.lane) || chunk == (stamp | severalLanes))
      return;
    std::fill_n(perByte + (address & ~15u), 16, chunk);
    chunk = expandedRead;
  }
  for (unsigned k = 0; k != n; ++k)
    merge(perByte[address + k]);
}

bool SharedMemory::isReadOrdered(const Access &a, unsigned reader,
                                 uint32_t record) const {
  if (record >> 6 <= order[a.warp].through[reader])
    return true;
  unsigned lane = record & 63;
  return reader == a.warp && (lane == a.lane || lane == wholeWarp);
}

bool SharedMemory::checkReaders(const Access &a, uint32_t address, unsigned n) {
  for (unsigned w = 0; w != warps; ++w) {
    uint32_t chunk = chunkReads.get()[size_t(address >> 4) * warps + w];
    bool fine = true;
    uint32_t record = chunk;
    if (chunk != expandedRead) {
      fine = isReadOrdered(a, w, chunk);
    } else {
      const uint32_t *perByte = byteReads[w].get() + address;
      for (unsigned k = 0; k != n && fine; ++k) {
        if (k && perByte[k] == record)
          continue;
        record = perByte[k];
        fine = isReadOrdered(a, w, record);
      }
    }
    if (!fine) {
      conflict = {};
      conflict.kind = Conflict::Race;
      conflict.warp = w;
      conflict.lane = record & 63;
      return false;
    }
  }
  return true;
}

bool SharedMemory::checkWrite(const Access &a, uint64_t record) {
  if (!(record & written))
    return true;
  if (record & inFlight)
    return describe(record);
  return isOrdered(a, record) || (a.strong && (record & strongWrite)) ||
         describe(record);
}

void SharedMemory::recordWritePart(uint64_t record, uint32_t address,
                                   unsigned n) {
  uint64_t &chunk = chunkWrites.get()[address >> 4];
  uint64_t *perByte = byteWrites.get();
  if (!(chunk & expanded)) {
    std::fill_n(perByte + (address & ~15u), 16, chunk);
    chunk = expanded;
  }
  std::fill_n(perByte + address, n, record);
}

bool SharedMemory::writePart(const Access &a, uint32_t address, unsigned n) {
  uint64_t chunk = chunkWrites.get()[address >> 4];
  bool fine = true;
  if (!(chunk & expanded)) {
    fine = checkWrite(a, chunk);
  } else {
    const uint64_t *perByte = byteWrites.get() + address;
    for (unsigned k = 0; k != n && fine; ++k)
      if (!k || perByte[k] != perByte[k - 1])
        fine = checkWrite(a, perByte[k]);
  }
  fine = fine && checkReaders(a, address, n);
  recordWrite(makeRecord(a), address, n);
  return fine;
}

} // namespace attn::emulator
