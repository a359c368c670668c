//===- Memory.cpp - Device memory of the PTX emulator ---------------------===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "attn/Emulator/Memory.h"

#include "llvm/ADT/Twine.h"

#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace attn::emulator {

/// Allocations up to this size start with a pattern. In larger ones it would
/// touch every page; what reads before anything wrote is reported in both.
static constexpr uint64_t patternBytes = uint64_t(1) << 28;
static constexpr uint64_t hugePage = uint64_t(1) << 21;

void *mapPages(uint64_t bytes) {
  void *first = mmap(nullptr, size_t(bytes), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (first == MAP_FAILED)
    return nullptr;
#ifdef MADV_HUGEPAGE
  // Arrays that kernels fill from end to end: fewer page faults. Larger ones
  // may be sparse, and must cost no more than what is touched.
  if (bytes >= hugePage && bytes <= patternBytes)
    madvise(first, size_t(bytes), MADV_HUGEPAGE);
#endif
  return first;
}

void unmapPages(void *first, uint64_t bytes) {
  if (first)
    munmap(first, size_t(bytes));
}

Memory::Memory() = default;

uint64_t Memory::allocate(uint64_t bytes, StringRef name) {
  auto a = std::make_unique<Allocation>();
  if (bytes >= uint64_t(1) << (windowBits - 1))
    return 0;
  uint64_t number = allocations.size();
  a->name = name.empty() ? ("#" + Twine(number)).str() : name.str();
  a->base = ((number + firstWindow) << windowBits) +
            (uint64_t(1) << (windowBits - 1));
  a->bytes = bytes;
  a->live = true;
  a->data = SparseArray<uint8_t>(bytes);
  a->initialised = SparseArray<uint8_t>(bytes);
  if (!a->data || !a->initialised)
    return 0;
  // What a fresh device allocation holds is anything but zero.
  if (bytes <= patternBytes)
    std::memset(a->data.get(), 0xcd, size_t(bytes));
  allocations.push_back(std::move(a));
  return allocations.back()->base;
}

Error Memory::free(uint64_t address) {
  Allocation *a = find(address);
  if (!a || a->base != address)
    return createStringError(
        "expected the first address of a live allocation, got 0x" +
        Twine::utohexstr(address));
  a->live = false;
  a->data.reset();
  a->initialised.reset();
  a->chunkShadow.reset();
  a->pairShadow.reset();
  return Error::success();
}

Expected<Allocation *> Memory::checkRange(uint64_t address, uint64_t bytes,
                                          const char *what) const {
  Allocation *a = const_cast<Memory *>(this)->find(address);
  if (!a)
    return createStringError(Twine(what) + ": address 0x" +
                             Twine::utohexstr(address) +
                             " belongs to no allocation");
  int64_t offset = int64_t(address - a->base);
  if (offset < 0 || uint64_t(offset) > a->bytes ||
      bytes > a->bytes - uint64_t(offset))
    return createStringError(Twine(what) + ": expected a range within the " +
                             Twine(a->bytes) + " bytes of '" + a->name +
                             "', got " + Twine(bytes) + " bytes at offset " +
                             Twine(offset));
  return a;
}

Error Memory::write(uint64_t address, const void *source, uint64_t bytes) {
  Expected<Allocation *> a = checkRange(address, bytes, "copy to device");
  if (!a)
    return a.takeError();
  uint64_t offset = address - (*a)->base;
  if (bytes)
    std::memcpy((*a)->data.get() + offset, source, size_t(bytes));
  std::memset((*a)->initialised.get() + offset, 1, size_t(bytes));
  return Error::success();
}

Error Memory::read(void *destination, uint64_t address, uint64_t bytes) const {
  Expected<Allocation *> a = checkRange(address, bytes, "copy from device");
  if (!a)
    return a.takeError();
  if (bytes)
    std::memcpy(destination, (*a)->data.get() + (address - (*a)->base),
                size_t(bytes));
  return Error::success();
}

Error Memory::copy(uint64_t destination, uint64_t source, uint64_t bytes) {
  Expected<Allocation *> to = checkRange(destination, bytes, "copy on device");
  if (!to)
    return to.takeError();
  Expected<Allocation *> from = checkRange(source, bytes, "copy on device");
  if (!from)
    return from.takeError();
  uint64_t i = destination - (*to)->base, j = source - (*from)->base;
  std::memmove((*to)->data.get() + i, (*from)->data.get() + j, size_t(bytes));
  std::memmove((*to)->initialised.get() + i, (*from)->initialised.get() + j,
               size_t(bytes));
  return Error::success();
}

Error Memory::fill(uint64_t address, uint8_t value, uint64_t bytes) {
  Expected<Allocation *> a = checkRange(address, bytes, "fill");
  if (!a)
    return a.takeError();
  uint64_t offset = address - (*a)->base;
  std::memset((*a)->data.get() + offset, value, size_t(bytes));
  std::memset((*a)->initialised.get() + offset, 1, size_t(bytes));
  return Error::success();
}

Expected<bool> Memory::isInitialised(uint64_t address, uint64_t bytes) const {
  Expected<Allocation *> a = checkRange(address, bytes, "query");
  if (!a)
    return a.takeError();
  return !bytes ||
         !std::memchr((*a)->initialised.get() + (address - (*a)->base), 0,
                      size_t(bytes));
}

bool Memory::resetShadows() {
  for (auto &a : allocations) {
    if (!a->live)
      continue;
    a->chunkShadow = SparseArray<GlobalShadow>(a->bytes / 16 + 1);
    a->pairShadow = SparseArray<GlobalShadow>(a->bytes / 2 + 8);
    if (!a->chunkShadow || !a->pairShadow)
      return false;
  }
  return true;
}

uint64_t &Memory::moduleVariable(uint64_t module, StringRef name) {
  std::string key = (Twine(module) + ":" + name).str();
  for (auto &[known, address] : variables)
    if (known == key)
      return address;
  return variables.emplace_back(std::move(key), 0).second;
}

} // namespace attn::emulator
