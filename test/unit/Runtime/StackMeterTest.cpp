//===- StackMeterTest.cpp -------------------------------------------------===//
#include "attn/Runtime/StackMeter.h"
#include "gtest/gtest.h"

using mlir::attn::measureStack;

/// Writes to all of a buffer on the stack.
template <size_t Bytes> static void useStack() {
  volatile char buffer[Bytes];
  for (size_t i = 0; i < Bytes; ++i)
    buffer[i] = static_cast<char>(i);
}

TEST(StackMeter, SeesABufferOnTheStack) {
  size_t nothing = measureStack([] {});
  EXPECT_LT(nothing, size_t(8192));
  size_t small = measureStack([] { useStack<(1 << 14)>(); });
  EXPECT_GE(small, size_t(1 << 14));
  EXPECT_LT(small, size_t(1 << 14) + 8192);
  size_t large = measureStack([] { useStack<(1 << 20)>(); });
  EXPECT_GE(large, size_t(1 << 20));
  EXPECT_LT(large, size_t(1 << 20) + 8192);
  // Painted anew: an earlier, deeper call leaves no trace.
  EXPECT_LT(measureStack([] { useStack<64>(); }), size_t(8192));
}
