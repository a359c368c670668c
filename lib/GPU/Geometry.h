//===- Geometry.h - where a thread array and its elements are -----*- C++
//-*-===//
//
// The grid is one-dimensional: parts of the keys, batch elements, query blocks
// (fastest). A
// thread array has warps x rows_per_warp rows, which are the points of its
// query block in row-major order; keys are walked by their row-major number
// over all key dims, or, where a backward walks rows in several dims, box by
// box
// (`boxes`): a number is then that of a box and within it. Here numbers become
// points of the iteration space.
//
// A kernel of the backward may own keys and walk rows (Owner::Keys). All is the
// same then with the two exchanged: what is called a row here is a key of the
// op, and the other way round, `roles` included.
//
// A gradient is summed over the batch dims that its operand lacks: these are no
// part of the grid (`summed`), a kernel walks them.
//
// A point has a local index per iteration dim; dims that do not matter where it
// is used are null.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_GPU_GEOMETRY_H
#define ATTN_LIB_GPU_GEOMETRY_H

#include "Kernel.h"

namespace mlir::attn {

using Point = SmallVector<Value>;

/// Which points a thread array has a block of.
enum class Owner { Rows, Keys };

class Geometry {
public:
  /// Reads sizes and tiling; emits host code for the number of query blocks.
  Geometry(Kernel &kernel, ScoreOpInterface op, Owner owner = Owner::Rows,
           ArrayRef<unsigned> summed = {});
  /// Makes sizes known to the kernel. After all buffers are parameters.
  void importSizes();
  /// That, and emits the thread array's position.
  void locate();

  Roles roles;
  int64_t warps, rowsPerWarp, stages, keyBlock;
  int64_t rowsPerBlock() const { return warps * rowsPerWarp; }
  SmallVector<int64_t> staticSizes;
  Value grid;        ///< on the host: thread arrays, for each part of the keys
  int64_t parts = 1; ///< of the keys; set before locate()

  // In the kernel, after importSizes() ..
  SmallVector<Value> sizes, origin, extents; ///< per iteration dim
  Value keys; ///< numbers of keys, those of boxes that are cut included
  // .. and after locate().
  Value blocks, block; ///< thread arrays of a part, and this one's number
  Value part;          ///< of the keys
  Value warpRow;       ///< first row of this warp

  /// This batch element, nothing else known.
  const Point &batchPoint() const { return batch; }
  /// How many batch elements are summed over, and which one is looked at.
  Value summedCount() const;
  void setSummed(Value number);
  /// The row-major number of a point's indices in `dims`.
  Value flatten(const Point &point, ArrayRef<unsigned> dims) const;
  /// Points of the thread array in each row dim.
  ArrayRef<int64_t> ownBlock() const { return queryBlock; }
  /// Sets the row dims to those of row `row` of the thread array.
  void setRow(Point &point, Value row) const;
  void setKey(Point &point, Value key) const;
  /// Sets the depth (or value) dims to column `column` of a tile.
  void setColumn(Point &point, ArrayRef<unsigned> dims, Value column) const;
  /// Does the row exist? Always: constant true.
  Value rowExists(const Point &point) const;
  /// Do all rows of the thread array exist? The same in all threads.
  Value allRowsExist() const;
  /// Moves a row, or key, that does not exist to the last one that does.
  void clampRow(Point &point) const;
  void clampKey(Point &point, Value key) const;
  /// Does the key exist? `point` is at it.
  Value keyExists(const Point &point, Value key) const;
  /// Do all keys of the block from `first` on?
  Value blockExists(Value first) const;
  bool walksBoxes() const { return boxes; }
  /// Is a block of keys a range in each dim, and which one?
  bool blocksAreRanges() const { return !walked.empty(); }
  std::pair<Value, Value> keyRange(unsigned dim, Value first) const;
  int64_t columns(ArrayRef<unsigned> dims) const;
  /// Columns of a shared tile: a multiple of 16.
  int64_t paddedColumns(ArrayRef<unsigned> dims) const;
  /// Is `column` one of the operand's? Constant true without padding.
  Value columnExists(ArrayRef<unsigned> dims, Value column) const;

  /// First and last local index of a row dim among the rows of the thread
  /// array, or of this warp as far as that is known.
  std::pair<Value, Value> rowRange(unsigned dim, bool ofWarp) const;

  /// Where column `column` of an operand, in its dims `columns`, lies: in a row
  /// of the thread array, or at a key; and whether it exists.
  std::pair<Value, Value> rowPlace(const DeviceBuffer &buffer,
                                   ArrayRef<unsigned> columns, Value row,
                                   Value column) const;
  std::pair<Value, Value> keyPlace(const DeviceBuffer &buffer,
                                   ArrayRef<unsigned> columns, Value key,
                                   Value column) const;

private:
  KernelEmit &b;
  Kernel &kernel;
  ScoreOpInterface op;
  void setBlocks(Owner owner, TilingAttr tiling);

  SmallVector<unsigned> gridDims, summedDims; ///< the batch dims
  SmallVector<int64_t> queryBlock;            ///< per row dim
  /// Keys of a block in each key dim; empty if blocks are no boxes.
  SmallVector<int64_t> walked;
  bool boxes = false;
  SmallVector<Value> blockCounts; ///< per row dim, on the host
  SmallVector<OpFoldResult> hostSizes;
  SmallVector<Value> rowStart; ///< per row dim
  Point batch;
};

} // namespace mlir::attn

#endif // ATTN_LIB_GPU_GEOMETRY_H
