//===- Tile.h - the part of an attention that code is being emitted for --===//
//
// An op's iteration dims are cut down by loops until what is left is a tile:
// per dim an offset, a size, and a static bound of the size. Here are tiles,
// views of operands at a tile, and copies between operands and scratch matrices
// whose rows and columns are flattened groups of dims.
//
//===----------------------------------------------------------------------===//
#ifndef ATTN_LIB_CPU_TILE_H
#define ATTN_LIB_CPU_TILE_H

#include "Kernels.h"
#include "attn/IR/Roles.h"

namespace mlir::attn {

/// The part of one iteration dim. `bound` is kDynamic where none is known.
struct DimRange {
  Value offset, size;
  int64_t bound;
};

/// The loops that cut one role's dims down, and the dims that remain.
struct Cut {
  SmallVector<unsigned> loopDims;
  SmallVector<int64_t> steps;
  SmallVector<unsigned> group; ///< dims of the tile that may exceed 1
};

class Tile {
public:
  Tile(Emit &b, KernelLibrary &library) : b(b), library(library) {}

  SmallVector<DimRange> ranges; ///< per iteration dim

  const CPUTarget &target() const { return library.target; }

  /// Makes the tile all of the op; bounds are what is known of its sizes. Fails
  /// on memrefs without strides.
  LogicalResult setRanges(IndexedOpInterface op);

  /// The dims whose size is not known to be 1.
  SmallVector<unsigned> present(ArrayRef<unsigned> dims) const;
  /// Whole dims while they fit into the product of `blocks`, the next one in
  /// blocks, the others one by one. Without blocks a tile grows up to `limit`,
  /// and blocks are of `fallback`.
  Cut cut(ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks, int64_t limit,
          int64_t fallback) const;
  /// The largest flat size of what a cut leaves, at least 1.
  int64_t bound(const Cut &cut) const;

  /// Whether no dim of `dims` is empty; null where that is known to hold.
  Value hasPoints(ArrayRef<unsigned> dims);

  /// Emits loops around `body`: over `dims`, each in steps of `steps`, with the
  /// ranges set to what an iteration covers.
  void nest(ArrayRef<unsigned> dims, ArrayRef<int64_t> steps,
            function_ref<void()> body);

  /// The product of the sizes, or of the bounds, of `dims`.
  Value flatSize(ArrayRef<unsigned> dims);
  int64_t flatBound(ArrayRef<unsigned> dims) const;

  /// The operand at this tile as a matrix: rows along `row`, columns along
  /// `column`, one of either without; other dims at their offset. The map's
  /// results must be dims or constants.
  Value view(Value operand, AffineMap map, std::optional<unsigned> row,
             std::optional<unsigned> column);

  /// Are elements that are neighbours along `dim` known to be so in memory?
  bool isContiguousAlong(Value operand, AffineMap map, unsigned dim) const;

  /// A matrix over a scratch buffer from (row, column) on.
  Value scratchView(Value scratch, Value row, Value column,
                    bool transposed = false);

  /// `count` elements of a scratch vector from `first` on.
  Value rowsOf(Value scratch, Value first, int64_t count);
  /// The rows of a matrix from `first` on.
  Value rowsFrom(Value whole, Value first);

  /// Copies between an operand, seen as a matrix with rows along the dims
  /// `rows` and columns along `columns`, and a scratch matrix. In `copy` the
  /// transposition, pairs, padding and the padded width are taken from the
  /// caller; `to` and `from` need not be set. `rows` and `columns` are those of
  /// the scratch.
  void copyIn(Value operand, AffineMap map, ArrayRef<unsigned> rows,
              ArrayRef<unsigned> columns, Value scratch, Copy copy,
              Value firstRow = Value());
  void copyOut(Value scratch, Value operand, AffineMap map,
               ArrayRef<unsigned> rows, ArrayRef<unsigned> columns);

private:
  /// Calls `body(row, column)` with the flat position of each piece of the
  /// groups in which only the last dims vary.
  void pieces(ArrayRef<unsigned> rows, ArrayRef<unsigned> columns,
              function_ref<void(Value row, Value column)> body);

  Emit &b;
  KernelLibrary &library;
};

/// The dims as part of a name for what depends on them.
std::string listed(ArrayRef<unsigned> dims);

/// True if the innermost stride of a matrix is statically 1.
bool hasContiguousRows(Value view);

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_TILE_H
