//===- RowGradient.h - dQ by atomic additions ---------------------*- C++
//-*-===//
//
// Thread arrays that own keys have parts of dQ for every row that they walk. A
// scratch buffer of f32 sums takes them up:
//
//     a kernel that sets the sums to 0
//     the key sweep, which adds to them (attn_gpu.add_sums)
//     a kernel that scales and rounds them to dQ
//
// The sums are [element of Q's batch dims][rows, padded to whole blocks]
// [columns, padded to 16], 16 rows at a time in the order of registers. Rows
// count as the key sweep walks them.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_ROWGRADIENT_H
#define ATTN_LIB_GPU_ROWGRADIENT_H

#include "Geometry.h"

namespace mlir::attn {

struct RowGradient {
  Value buffer;                ///< on the host
  Value padded;                ///< on the host: rows of a batch element
  Value total;                 ///< on the host: sums
  SmallVector<unsigned> batch; ///< dims of dQ
  int64_t columns = 0;         ///< a multiple of 16
  Value pointer, stride;       ///< in a kernel, after `addPointer`, `import`

  void addPointer(Kernel &kernel);
  void importStride(Kernel &kernel) { stride = kernel.import(padded); }
  /// The place of the first sum of row `row`, a multiple of 16, of the batch
  /// element at `point`, and block of 8 columns `block`.
  Value offset(KernelEmit &b, const Geometry &geometry, const Point &point,
               Value row, Value block) const;
};

/// Allocates the sums and launches the kernel that sets them to 0.
RowGradient zeroRowGradient(AttentionBackwardOp op,
                            const ::attn::Target &target, StringRef name);

/// Launches the kernel that makes dQ of the sums, and frees them.
void finishRowGradient(AttentionBackwardOp op, const ::attn::Target &target,
                       StringRef name, RowGradient sums);

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_ROWGRADIENT_H
