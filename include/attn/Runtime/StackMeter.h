//===- StackMeter.h - how deep a call goes into the stack -------*- C++ -*-===//
//
// Compiled code keeps small buffers on the stack, which no allocator sees. The
// meter paints the unused part of this thread's stack, lets the call happen,
// and looks for the deepest byte that changed.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_RUNTIME_STACKMETER_H
#define ATTN_RUNTIME_STACKMETER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace mlir::attn {

/// Calls `callee` and returns the bytes of stack below this frame that it and
/// what it called have written to, a few hundred of the meter's own included.
/// Depths beyond the window (4 MiB, or what is left of the stack) are cut off.
size_t measureStack(llvm::function_ref<void()> callee);

} // namespace mlir::attn

#endif // ATTN_RUNTIME_STACKMETER_H
