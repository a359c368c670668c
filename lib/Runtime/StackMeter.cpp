//===- StackMeter.cpp - how deep a call goes into the stack ---------------===//
#include "attn/Runtime/StackMeter.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <cstdint>
#include <pthread.h>

static constexpr size_t windowBytes = size_t(4) << 20;
/// Room for this function's own frame, which lies next to the window.
static constexpr size_t marginBytes = 1024;
/// Left untouched at the far end of the stack.
static constexpr size_t guardBytes = size_t(64) << 10;
static constexpr uint64_t paint = 0xA77E57AC0DDBA11ull;

/// The lowest address of this thread's stack; 0 if it cannot be told.
static uintptr_t getStackBottom() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void *bottom = nullptr;
  size_t size = 0;
  bool known = pthread_attr_getstack(&attributes, &bottom, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? reinterpret_cast<uintptr_t>(bottom) : 0;
}

LLVM_ATTRIBUTE_NOINLINE size_t
mlir::attn::measureStack(llvm::function_ref<void()> callee) {
  uintptr_t frame =
      reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) & ~uintptr_t(7);
  uintptr_t bottom = getStackBottom();
  uintptr_t top = frame - marginBytes;
  if (bottom == 0 || bottom + guardBytes >= top) {
    callee();
    return 0;
  }
  uintptr_t low = std::max(bottom + guardBytes, top - windowBytes);
  // Word by word from the near end, so that the stack grows as it would, and
  // without a call, whose frame would be painted over.
  for (uintptr_t address = top; address >= low; address -= sizeof(uint64_t))
    *reinterpret_cast<volatile uint64_t *>(address) = paint;
  callee();
  uintptr_t deepest = low;
  while (deepest < top &&
         *reinterpret_cast<volatile uint64_t *>(deepest) == paint)
    deepest += sizeof(uint64_t);
  return frame - deepest;
}
