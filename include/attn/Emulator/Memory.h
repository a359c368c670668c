//===- Memory.h - Device memory of the PTX emulator -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//
//
// The global memory that emulated kernels see. Device addresses are not host
// addresses: every allocation lives alone in a window of 2^40 bytes, with its
// first byte in the middle of the window, so an access outside the *true*
// extent of an allocation can never land in another one and is always reported
// against the buffer it was meant for, on whichever side it misses.
//
//   address = (allocation number << 40) + 2^39 + offset
//
// Bytes start uninitialised, as after cudaMalloc; a kernel that reads one
// before the host or a kernel wrote it is reported.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_EMULATOR_MEMORY_H
#define ATTN_EMULATOR_MEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attn::emulator {

void *mapPages(uint64_t bytes);
void unmapPages(void *first, uint64_t bytes);

/// Who touched some bytes last in the current launch: CTA number + 1, or 0.
/// `manyReaders` stands for more than one reading CTA. What it covers and how
/// it is kept up: lib/Emulator/GlobalShadow.cpp.
struct alignas(8) GlobalShadow {
  static constexpr uint32_t manyReaders = ~0u;
  uint32_t writer;
  uint32_t reader;
};

/// Memory that the system hands out, zeroed, page by page when it is touched:
/// a buffer may be larger than the machine's memory if little of it is used.
template <typename T> class SparseArray {
public:
  SparseArray() = default;
  /// Null if the system refuses.
  explicit SparseArray(uint64_t count)
      : bytes((count + 1) * sizeof(T)), first(mapPages(bytes)) {}
  SparseArray(SparseArray &&other)
      : bytes(other.bytes), first(std::exchange(other.first, nullptr)) {}
  SparseArray &operator=(SparseArray &&other) {
    std::swap(bytes, other.bytes);
    std::swap(first, other.first);
    return *this;
  }
  ~SparseArray() { reset(); }

  void reset() { unmapPages(std::exchange(first, nullptr), bytes); }
  T *get() const { return static_cast<T *>(first); }
  explicit operator bool() const { return first; }

private:
  uint64_t bytes = 0;
  void *first = nullptr;
};

/// One device allocation with its shadow.
struct Allocation {
  std::string name;
  uint64_t base = 0;  ///< device address of byte 0, aligned to 2^39
  uint64_t bytes = 0; ///< true extent
  bool live = false;
  SparseArray<uint8_t> data;
  /// One byte per byte: nonzero once written.
  SparseArray<uint8_t> initialised;
  /// Records of the current launch: one per 16 bytes, and one per two bytes
  /// that are looked up where the first says so.
  SparseArray<GlobalShadow> chunkShadow, pairShadow;
};

/// Device memory: allocations, copies, and the module variables instantiated in
/// it. Not thread safe between host calls; a launch uses many threads inside.
class Memory {
public:
  static constexpr unsigned windowBits = 40;
  /// Windows below this number are no device memory: a few stand for the
  /// shared, local and parameter spaces in generic addresses, and a program's
  /// own addresses (47 bits) must not be taken for a device's.
  static constexpr uint64_t firstWindow = 256;

  Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Device address of `bytes` new, uninitialised bytes. `name` is used in
  /// diagnostics and counts. Zero bytes are legal: every access is
  /// then outside. Address 0 if the host cannot provide them.
  uint64_t allocate(uint64_t bytes, llvm::StringRef name = "");
  /// Errors unless `address` is the first byte of a live allocation.
  llvm::Error free(uint64_t address);

  /// Host to device, device to host, device to device, and fill with a byte.
  /// All check that the range lies within one allocation. `read` copies what is
  /// there, initialised or not: use `isInitialised` to ask.
  llvm::Error write(uint64_t address, const void *source, uint64_t bytes);
  llvm::Error read(void *destination, uint64_t address, uint64_t bytes) const;
  llvm::Error copy(uint64_t destination, uint64_t source, uint64_t bytes);
  llvm::Error fill(uint64_t address, uint8_t value, uint64_t bytes);
  llvm::Expected<bool> isInitialised(uint64_t address, uint64_t bytes) const;

  /// The allocation whose window holds `address` (the address itself may lie
  /// outside its extent), or null.
  Allocation *find(uint64_t address) {
    uint64_t window = address >> windowBits;
    if (window < firstWindow || window - firstWindow >= allocations.size())
      return nullptr;
    Allocation *a = allocations[window - firstWindow].get();
    return a->live ? a : nullptr;
  }
  const Allocation *find(uint64_t address) const {
    return const_cast<Memory *>(this)->find(address);
  }
  /// The allocation's number, which indexes `LaunchResult` tables internally.
  static uint64_t numberOf(uint64_t address) {
    return (address >> windowBits) - firstWindow;
  }
  uint64_t size() const { return allocations.size(); }
  const Allocation &allocation(uint64_t number) const {
    return *allocations[number];
  }

  /// Starts the cross-CTA conflict check of a new launch. False if the host
  /// has no room for its records.
  bool resetShadows();

  /// Device address of a module-scope variable instantiated here by an earlier
  /// launch, or 0. Keys are the module's unique number and the variable's name.
  uint64_t &moduleVariable(uint64_t module, llvm::StringRef name);

private:
  llvm::Expected<Allocation *> checkRange(uint64_t address, uint64_t bytes,
                                          const char *what) const;

  std::vector<std::unique_ptr<Allocation>> allocations;
  std::vector<std::pair<std::string, uint64_t>> variables;
};

} // namespace attn::emulator

#endif // ATTN_EMULATOR_MEMORY_H
