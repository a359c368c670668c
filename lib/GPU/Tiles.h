//===- Tiles.h - a thread array's tiles in shared memory ----------*- C++
//-*-===//
//
// Tiles are placed one after the other in shared memory. There are two kinds:
// the rows that the thread array owns, copied once, and blocks of the keys that
// it walks, in a ring of `stages` buffers. A key is a row of its block, unless
// keys lie side by side in memory: then it is a column, so that copies are as
// wide as they can be.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_TILES_H
#define ATTN_LIB_GPU_TILES_H

#include "Geometry.h"

namespace mlir::attn {

class Tiles {
public:
  Tiles(KernelEmit &b, const Geometry &geometry) : b(b), geometry(geometry) {}

  /// A tile of `rows` rows, whose columns are the dims `columns`.
  Value make(int64_t rows, ArrayRef<unsigned> columns, Type element);
  Value make(int64_t rows, int64_t columns, Type element) {
    return place(rows, columns, element);
  }
  int64_t bytes() const { return used; } ///< of all tiles

  /// Copies the thread array's rows. What does not exist becomes zero.
  void copyRows(const DeviceBuffer &buffer, ArrayRef<unsigned> columns,
                Value tile);
  /// Copies the block of keys from `first` on; `tile` holds all stages.
  void copyKeys(const DeviceBuffer &buffer, ArrayRef<unsigned> columns,
                Value tile, Value first);
  /// The same for a tile of all stages whose columns are the keys.
  bool keysLieAcross(const DeviceBuffer &buffer, ArrayRef<unsigned> rows) const;
  Value makeAcross(ArrayRef<unsigned> rows, Type element);
  void copyKeysAcross(const DeviceBuffer &buffer, ArrayRef<unsigned> rows,
                      Value tile, Value first);
  /// The buffer of the block of keys from `first` on, of all stages' `tile`.
  Value stage(Value tile, Value first);
  /// This warp's rows of a tile of the thread array's.
  Value warpRows(Value tile);

  void commit() { NVVM::CpAsyncCommitGroupOp::create(b); }
  void arrive(); ///< copies are there, and all warps are here

private:
  Value place(int64_t rows, int64_t columns, Type element);
  void copy(const DeviceBuffer &buffer, Value tile, Value whole, int64_t vector,
            Place place);

  KernelEmit &b;
  const Geometry &geometry;
  int64_t used = 0;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_TILES_H
