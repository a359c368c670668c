//===- AllocationLog.cpp - what compiled code allocates -------------------===//
#include "attn/Runtime/AllocationLog.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>

using namespace mlir::attn;

AllocationLog *AllocationLog::active = nullptr;

AllocationLog::AllocationLog() { active = this; }
AllocationLog::~AllocationLog() { active = nullptr; }

void *AllocationLog::allocate(size_t bytes, size_t alignment) {
  // A block has an address even if nothing is in it.
  size_t padded = llvm::alignTo(std::max<size_t>(bytes, 1), alignment);
  void *block =
      padded < bytes ? nullptr : std::aligned_alloc(alignment, padded);
  if (active && block) {
    std::lock_guard<std::mutex> lock(active->mutex);
    active->events.push_back({block, std::max<size_t>(bytes, 1)});
  }
  return block;
}

void AllocationLog::release(void *block) {
  if (active && block) {
    // Noted before the block can be handed out again.
    std::lock_guard<std::mutex> lock(active->mutex);
    active->events.push_back({block, 0});
  }
  std::free(block);
}

size_t AllocationLog::peakWithout(llvm::ArrayRef<void *> results) const {
  std::lock_guard<std::mutex> lock(mutex);
  // A result's address may have served another block before: only the last
  // allocation at that address is the result.
  llvm::DenseMap<void *, size_t> lastAllocation;
  for (auto [index, event] : llvm::enumerate(events))
    if (event.bytes != 0)
      lastAllocation[event.block] = index;
  llvm::DenseMap<void *, size_t> live;
  size_t current = 0, peak = 0;
  for (auto [index, event] : llvm::enumerate(events)) {
    if (event.bytes == 0) {
      auto block = live.find(event.block);
      if (block == live.end())
        continue;
      current -= block->second;
      live.erase(block);
      continue;
    }
    bool isResult = llvm::is_contained(results, event.block) &&
                    lastAllocation.lookup(event.block) == index;
    if (isResult)
      continue;
    live[event.block] = event.bytes;
    current += event.bytes;
    peak = std::max(peak, current);
  }
  return peak;
}
