//===- Operands.h - operands of a tile as matrices for the products -*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_OPERANDS_H
#define ATTN_LIB_CPU_OPERANDS_H

#include "Scratch.h"
#include "Tile.h"

namespace mlir::attn {

/// The scratch matrices of one op: from the pool where their size is static,
/// else allocated for the tile and freed after it.
class TileBuffers {
public:
  TileBuffers(Emit &b, ScratchPool &pool, Operation *op)
      : b(b), pool(pool), op(op) {}

  /// A buffer of rows x columns, either of which may be kDynamic: then it has
  /// the size `rowCount` or `columnCount` and lives until freeTo.
  Value get(int64_t rows, Value rowCount, int64_t columns, Value columnCount,
            Type element, const Twine &purpose);
  size_t mark() const { return dynamic.size(); }
  void freeTo(size_t mark);

private:
  Emit &b;
  ScratchPool &pool;
  Operation *op;
  SmallVector<Value> dynamic; ///< innermost last
};

/// An operand as the right one of a product: a matrix of `rows` x `columns`.
struct RightOperand {
  Value operand;
  AffineMap map;
  ArrayRef<unsigned> rows, columns;
  int64_t rowBound; ///< of the rows' flat size
  int64_t width;    ///< columns of the product's register block
  FloatType type;   ///< of its sums
  bool bf16Pairs = false;
  /// The left operand is one block of rows: nothing is read twice, so that
  /// packing would gain nothing.
  bool readOnce = false;
  /// Few read it: a product in short stretches costs less than packing.
  bool inStretches = false;
};

/// In place where blocks of the product's width lie well in the cache, else
/// packed in blocks of that width, each `panelRows` rows; 0: it is one matrix.
Value rightMatrix(Emit &b, Tile &tile, TileBuffers &buffers,
                  const RightOperand &right, const Twine &purpose,
                  int64_t &panelRows);

/// The first of the dims, if there is one.
inline std::optional<unsigned> only(ArrayRef<unsigned> dims) {
  return dims.empty() ? std::nullopt : std::optional<unsigned>(dims.front());
}

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_OPERANDS_H
