//===- GlobalShadow.cpp - Which CTAs touch which bytes --------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Two CTAs that touch the same bytes of global memory in one launch, one of
// them writing, conflict. A record names the last writer and the reader, or
// tells that several read. Accesses mostly cover aligned chunks of 16 bytes, so
// a chunk has one record until an access of part of it expands that to one for
// each pair of bytes; a byte alone is not recorded.
//
// Host threads run CTAs side by side. A chunk's record changes by compare and
// exchange; who expands it holds it locked meanwhile. Pairs have no lock: of
// two accesses at the very same time one may be lost, and is found at the next.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace llvm;

namespace attn::emulator {

static constexpr unsigned chunkBytes = 16, pairBytes = 2;
// Instead of a writer: beyond the number of any CTA.
static constexpr uint32_t expanded = ~0u - 1, locked = ~0u - 2;

static uint64_t pack(uint32_t writer, uint32_t reader) {
  return uint64_t(reader) << 32 | writer;
}
static uint32_t writerOf(uint64_t record) { return uint32_t(record); }
static uint32_t readerOf(uint64_t record) { return uint32_t(record >> 32); }
static uint64_t *bits(GlobalShadow *s) {
  return reinterpret_cast<uint64_t *>(s);
}
static uint64_t load(GlobalShadow *s) {
  return __atomic_load_n(bits(s), __ATOMIC_ACQUIRE);
}

/// Two CTAs on the same bytes, one of them writing. All before an ordered one
/// have finished.
static bool isOwnedByOther(const Cta &cta, uint32_t owner) {
  uint32_t me = uint32_t(cta.number + 1);
  if (!owner || owner == me)
    return false;
  return !(cta.ordered && (owner < me || owner == GlobalShadow::manyReaders));
}

/// The record after an access; `conflict` if it is one.
static uint64_t recordAccess(const Cta &cta, uint64_t old, bool isWrite,
                             bool &conflict) {
  uint32_t me = uint32_t(cta.number + 1);
  uint32_t writer = writerOf(old), reader = readerOf(old);
  conflict |= isOwnedByOther(cta, writer);
  if (isWrite) {
    conflict |= isOwnedByOther(cta, reader);
    return pack(me, reader);
  }
  // Whoever conflicts with a read conflicts with one's own write.
  if (reader == me || writer == me)
    return old;
  return pack(writer, reader ? GlobalShadow::manyReaders : me);
}

/// Bytes [from, to) of a chunk that is expanded. The first that are in conflict
/// with another CTA, or nowhere.
static uint64_t recordPairs(const Cta &cta, Allocation &a, uint64_t from,
                            uint64_t to, bool isWrite) {
  uint64_t first = nowhere;
  for (uint64_t at = from; at < to; at += pairBytes) {
    GlobalShadow *s = a.pairShadow.get() + at / pairBytes;
    uint64_t old = __atomic_load_n(bits(s), __ATOMIC_RELAXED);
    bool conflict = false;
    uint64_t next = recordAccess(cta, old, isWrite, conflict);
    if (next != old)
      __atomic_store_n(bits(s), next, __ATOMIC_RELAXED);
    if (conflict)
      first = std::min(first, at);
  }
  return first;
}

/// The same of any one chunk.
static uint64_t recordPart(const Cta &cta, Allocation &a, uint64_t from,
                           uint64_t to, bool isWrite) {
  GlobalShadow *chunk = a.chunkShadow.get() + from / chunkBytes;
  uint64_t old = load(chunk);
  while (true) {
    if (writerOf(old) == expanded)
      return recordPairs(cta, a, from, to, isWrite);
    if (writerOf(old) == locked) {
      old = load(chunk);
      continue;
    }
    bool conflict = false;
    uint64_t next = recordAccess(cta, old, isWrite, conflict);
    uint64_t where = conflict ? from : nowhere;
    if (next == old)
      return where;
    bool whole = to - from == chunkBytes;
    if (!__atomic_compare_exchange_n(
            bits(chunk), &old, whole ? next : pack(locked, 0), /*weak=*/false,
            __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
      continue;
    if (whole)
      return where;
    constexpr unsigned pairsOfChunk = chunkBytes / pairBytes;
    GlobalShadow *pairs = a.pairShadow.get() + from / chunkBytes * pairsOfChunk;
    for (unsigned k = 0; k != pairsOfChunk; ++k)
      __atomic_store_n(bits(pairs + k), old, __ATOMIC_RELAXED);
    old = pack(expanded, 0);
    __atomic_store_n(bits(chunk), old, __ATOMIC_RELEASE);
  }
}

/// How many whole chunks from `chunk` on say what this access would record.
static uint64_t countSame(const Cta &cta, GlobalShadow *chunk, uint64_t n,
                          bool isWrite) {
  uint32_t me = uint32_t(cta.number + 1);
  uint64_t mine = isWrite ? pack(me, 0) : pack(0, me);
  uint64_t same = isWrite ? mine : pack(0, GlobalShadow::manyReaders);
  uint64_t k = 0;
  for (; k != n; ++k) {
    uint64_t record = load(chunk + k);
    if (record != mine && record != same)
      break;
  }
  return k;
}

uint64_t recordGlobal(const Cta &cta, Allocation &a, uint64_t offset,
                      uint64_t bytes, bool isWrite) {
  uint64_t end = offset + bytes, conflict = nowhere;
  for (uint64_t at = offset; at < end;) {
    uint64_t chunk = at / chunkBytes, whole = (end - at) / chunkBytes;
    if (at % chunkBytes == 0 && whole)
      if (uint64_t n =
              countSame(cta, a.chunkShadow.get() + chunk, whole, isWrite)) {
        at += n * chunkBytes;
        continue;
      }
    uint64_t to = std::min((chunk + 1) * chunkBytes, end);
    conflict = std::min(conflict, recordPart(cta, a, at, to, isWrite));
    at = to;
  }
  return conflict;
}

void shadowGlobal(Warp &w, const Inst &i, unsigned lane, Allocation &a,
                  uint64_t offset, unsigned bytes, bool isWrite,
                  unsigned lanes) {
  Cta &cta = *w.cta;
  if (!a.chunkShadow || bytes < pairBytes)
    return;
  uint64_t conflict =
      recordGlobal(cta, a, offset, uint64_t(lanes) * bytes, isWrite);
  if (conflict == nowhere)
    return;
  unsigned beyond = unsigned(conflict - offset) / bytes;
  cta.report(w, i, Fault::CtaConflict, lane + beyond,
             ((isWrite ? "write to offset " : "read of offset ") +
              Twine(offset + beyond * bytes) + " of buffer '" + a.name +
              "', which another CTA " +
              (isWrite ? "also accesses" : "also writes") +
              ": expected disjoint bytes, atomics or another kernel")
                 .str());
}

} // namespace attn::emulator
