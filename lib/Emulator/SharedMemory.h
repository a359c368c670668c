//===- SharedMemory.h - A CTA's shared memory and its shadow ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// Which accesses are ordered is decided by vector clocks, one entry per warp.
// Warp w stamps its accesses with clock[w]; a barrier gives everyone who leaves
// it the joined clocks of all who arrived and starts a new stamp. An access by
// w comes after one by v with stamp c iff c <= order[w].through[v]. Within a
// warp, lanes are ordered by bar.warp.sync and barriers only; a lane is ordered
// with itself.
//
// The shadow remembers the last write, and for each warp the last read, of
// every byte. Accesses mostly cover aligned 16-byte chunks, so a chunk has one
// record until an access of part of it expands it to a record per byte.
//
// A cp.async marks its destination as in flight until its thread waits for it;
// every access in between conflicts. At the wait the write is stamped anew.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_EMULATOR_SHAREDMEMORY_H
#define ATTN_LIB_EMULATOR_SHAREDMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace attn::emulator {

constexpr unsigned maxWarps = 32;

struct OrderClocks {
  uint32_t through[maxWarps] = {};
  void join(const OrderClocks &o) {
    for (unsigned w = 0; w != maxWarps; ++w)
      through[w] = through[w] > o.through[w] ? through[w] : o.through[w];
  }
};

class SharedMemory {
public:
  /// Reader or writer of a whole warp at once (ldmatrix, stmatrix).
  static constexpr unsigned wholeWarp = 63;
  static constexpr unsigned severalLanes = 62;

  struct Access {
    unsigned warp, lane;
    uint32_t statement;
    bool strong; ///< atomic or volatile: never races with another such
  };
  struct Conflict {
    enum Kind : uint8_t { None, Uninitialised, Race, Async } kind = None;
    bool withWrite = false; ///< else with a read
    unsigned warp = 0, lane = 0;
    uint32_t statement = 0; ///< of the earlier write
  };

  /// Empties the memory for a new CTA.
  void reset(uint32_t bytes, unsigned warps, bool detectors);

  uint32_t size() const { return bytes; }
  uint8_t *data() { return memory.get(); }
  bool contains(uint64_t address, unsigned n) const {
    return address <= bytes && n <= bytes - address;
  }

  // Checks of one access that lies inside and does not cross a chunk. False:
  // `conflict` says what is wrong. The access is recorded either way.
  bool read(const Access &a, uint32_t address, unsigned n) {
    if (!detectors)
      return true;
    uint64_t record = chunkWrites.get()[address >> 4];
    bool fine = record & expanded ? checkReadBytes(a, address, n)
                                  : checkRead(a, record);
    if (!a.strong) // what a strong read could conflict with checks itself
      recordRead(a, address, n);
    return fine;
  }
  /// Reads of aligned chunks of 16 bytes, all by the whole warp. False: nothing
  /// is recorded, `read` must be asked about each.
  bool readChunks(unsigned warp, const uint64_t *addresses, unsigned n);
  bool write(const Access &a, uint32_t address, unsigned n) {
    if (!detectors)
      return true;
    uint64_t &chunk = chunkWrites.get()[address >> 4];
    if (n == 16 && !(chunk & (inFlight | expanded)) &&
        isLongAgo(a.warp, chunk, address >> 4)) {
      chunk = makeRecord(a);
      return true;
    }
    return writePart(a, address, n);
  }
  bool beginAsync(const Access &a, uint32_t address, unsigned n) {
    if (!detectors)
      return true;
    bool fine = write(a, address, n);
    recordWrite(makeRecord(a) | inFlight, address, n);
    return fine;
  }
  void endAsync(const Access &a, uint32_t address, unsigned n) {
    if (detectors)
      recordWrite(makeRecord(a), address, n);
  }
  Conflict conflict;

  // Order.
  void warpSync(unsigned warp) {
    order[warp].through[warp] = clock[warp]++;
    updateOldest(warp);
  }
  /// The clocks that `warp` brings to a barrier. Its stamp ends here.
  OrderClocks arrive(unsigned warp) {
    OrderClocks o = order[warp];
    o.through[warp] = clock[warp];
    warpSync(warp);
    return o;
  }
  void leave(unsigned warp, const OrderClocks &joined) {
    uint32_t own = order[warp].through[warp];
    order[warp].join(joined);
    order[warp].through[warp] = own;
    updateOldest(warp);
  }

private:
  // A write record: stamp 28 bits, warp 6, lane 6, statement 20, flags 4.
  static constexpr uint64_t written = uint64_t(1) << 60;
  static constexpr uint64_t inFlight = uint64_t(1) << 61;
  static constexpr uint64_t strongWrite = uint64_t(1) << 62;
  static constexpr uint64_t expanded = uint64_t(1) << 63;
  // A read record: stamp 26 bits, lane 6.
  static constexpr uint32_t expandedRead = ~0u;

  static uint32_t stampOf(uint64_t r) { return r & 0xfffffff; }
  static unsigned warpOf(uint64_t r) { return r >> 28 & 63; }
  static unsigned laneOf(uint64_t r) { return r >> 34 & 63; }

  uint64_t makeRecord(const Access &a) const {
    return clock[a.warp] | uint64_t(a.warp) << 28 | uint64_t(a.lane) << 34 |
           uint64_t(a.statement & 0xfffff) << 40 | written |
           (a.strong ? strongWrite : 0);
  }
  bool isOrdered(const Access &a, uint64_t record) const {
    return stampOf(record) <= order[a.warp].through[warpOf(record)] ||
           (warpOf(record) == a.warp && laneOf(record) == a.lane);
  }
  bool checkRead(const Access &a, uint64_t record) {
    if ((record & (written | inFlight)) == written &&
        (isOrdered(a, record) || (a.strong && (record & strongWrite))))
      return true;
    return describe(record);
  }
  bool checkReadBytes(const Access &a, uint32_t address, unsigned n);
  bool checkWrite(const Access &a, uint64_t record);
  bool writePart(const Access &a, uint32_t address, unsigned n);
  /// Was the last write of the chunk, `record`, before what any warp's clock
  /// must show, and was every read of it before `warp`?
  bool isLongAgo(unsigned warp, uint64_t record, uint32_t chunk) {
    const uint32_t *reads = chunkReads.get() + size_t(chunk) * warps;
    uint32_t late = oldest[warp] - stampOf(record);
    for (unsigned w = 0; w != warps; ++w)
      late |= order[warp].through[w] - (reads[w] >> 6);
    return !(late >> 31);
  }
  bool checkReaders(const Access &a, uint32_t address, unsigned n);
  bool isReadOrdered(const Access &a, unsigned reader, uint32_t record) const;
  bool describe(uint64_t record);
  void updateOldest(unsigned warp) {
    uint32_t least = ~0u;
    for (unsigned w = 0; w != warps; ++w)
      least = order[warp].through[w] < least ? order[warp].through[w] : least;
    oldest[warp] = least;
  }
  void recordRead(const Access &a, uint32_t address, unsigned n);
  void recordWrite(uint64_t record, uint32_t address, unsigned n) {
    if (n == 16)
      chunkWrites.get()[address >> 4] = record;
    else
      recordWritePart(record, address, n);
  }
  void recordWritePart(uint64_t record, uint32_t address, unsigned n);

  template <typename T> struct Zeroed {
    std::unique_ptr<T, void (*)(void *)> p{nullptr, &std::free};
    size_t count = 0;
    /// Pages of calloc that nobody touches cost nothing.
    void reserve(size_t n) {
      if (n <= count)
        return;
      p.reset(static_cast<T *>(std::calloc(n, sizeof(T))));
      count = n;
    }
    T *get() { return p.get(); }
  };

  uint32_t bytes = 0;
  unsigned warps = 0;
  bool detectors = true;
  uint32_t clock[maxWarps];
  OrderClocks order[maxWarps];
  /// Every access stamped at most oldest[w], whoever made it, comes before w.
  uint32_t oldest[maxWarps];
  Zeroed<uint8_t> memory;
  Zeroed<uint64_t> chunkWrites, byteWrites;
  /// Of chunk c by warp w: [c * warps + w].
  Zeroed<uint32_t> chunkReads;
  Zeroed<uint32_t> byteReads[maxWarps];
};

} // namespace attn::emulator

#endif // ATTN_LIB_EMULATOR_SHAREDMEMORY_H
