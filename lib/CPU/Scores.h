//===- Scores.h - region, mask and extras on a block of scores ----*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_SCORES_H
#define ATTN_LIB_CPU_SCORES_H

#include "Online.h"
#include "attn/IR/ScoreRegion.h"

namespace mlir::attn {

/// True if the scores of the op are more than scale * raw with scale > 0, so
/// that a pass over the block has to follow the product.
bool needsScorePass(OnlineAttentionOp op);

/// Emits x = hidden ? fill : region(scale * raw, extras, indices) over a block
/// of raw scores, keys x rows, in place, with the column maxima of x; and z.
class ScorePass {
public:
  ScorePass(Emit &b, Lowering &lowering, Tile &tile, OnlineAttentionOp op,
            ArrayRef<unsigned> rows, ArrayRef<unsigned> keys)
      : b(b), lowering(lowering), tile(tile), op(op), roles(inferRoles(op)),
        rowDims(rows), keyDims(keys) {}

  /// What does not depend on the keys: positions, symbols, extras of rows. Call
  /// where the tile's row ranges are set; `paddedRows` is a static width.
  void prepareRows(int64_t paddedRows);
  /// Packs extras of rows and keys, then runs over the block.
  void emit(Value scores, Value weights, Value maxima);

private:
  /// An element of an operand as a function of key and row lanes.
  struct Source {
    Value scalar;   ///< neither
    Value perRow;   ///< a scratch vector
    Value perBlock; ///< a scratch matrix, keys x rows
    Value operand;  ///< key only: read in place
    AffineMap map;
    Type element;
  };
  Source prepare(OpOperand &operand);
  Value element(const Source &source, Value key, Value lane);
  void fillSource(Value scratch, const Source &source, bool withKeys);

  bool dependsOn(AffineMap map, ArrayRef<unsigned> dims) const;
  /// The local index of each dim at a flat key and a flat row (either may be
  /// null: dims of that group are then at their offset).
  SmallVector<Value> localIndices(Value key, Value row);
  SmallVector<Value> evaluate(AffineMap map, ArrayRef<Value> dims);
  Value point(const ScoreEmitter &emit, Value scores);
  Value rowIndex(unsigned dim, Value lane);

  Emit &b;
  Lowering &lowering;
  Tile &tile;
  OnlineAttentionOp op;
  Roles roles;
  ArrayRef<unsigned> rowDims, keyDims;

  int64_t lanes = 0, paddedRows = 0;
  SmallVector<Value> origin, extents, symbols;
  SmallVector<Source> extras;
  std::optional<Source> blocks;
  llvm::DenseMap<unsigned, Value> rowIndices; ///< per row dim, if several
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_SCORES_H
