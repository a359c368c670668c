//===- Scratch.h - buffers that outlive the op they serve ---------*- C++
//-*-===//
//
// Scratch buffers are allocated once per iteration of the enclosing parallel
// loop (or call of the function), outside of all sequential loops, and shared
// by the ops in it that need one of the same type for the same purpose. They
// live on the heap: stack space taken inside an OpenMP loop would pile up.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_SCRATCH_H
#define ATTN_LIB_CPU_SCRATCH_H

#include "Emit.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::attn {

class ScratchPool {
public:
  /// A buffer of the static type `type` that is valid at `user` and until the
  /// end of the parallel iteration. Contents may be used by others between ops,
  /// unless `purpose` is unique.
  Value get(Operation *user, MemRefType type, const Twine &purpose);

private:
  llvm::DenseMap<Block *, llvm::StringMap<Value>> buffers;
};

/// The block whose end is the end of a parallel iteration around `op`.
Block *parallelBlock(Operation *op);

/// The outermost op before which `value` (a buffer that `op` reads) is
/// available and holds what `op` will read: `op`, or a sequential loop or
/// branch around it in which nothing writes to the buffer.
Operation *hoistPoint(Operation *op, Value value);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_SCRATCH_H
