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

/// A block of scores, steps x lanes: rows are the lanes and keys the steps, or
/// the other way round. Brings what the score region and the mask read to where
/// vectors can read it, and emits them at a vector of points.
class ScoreBlock {
public:
  /// `lanes` and `steps`: the dims that the block spans. `moving`: dims of the
  /// steps' role, also those that loops inside of `prepare` walk one by one.
  ScoreBlock(Emit &b, Lowering &lowering, Tile &tile, ScoreOpInterface op,
             ArrayRef<unsigned> lanes, ArrayRef<unsigned> steps,
             ArrayRef<unsigned> moving)
      : b(b), lowering(lowering), tile(tile), op(op), laneDims(lanes),
        stepDims(steps), movingDims(moving) {}

  /// What does not depend on the steps: positions, symbols, extras of lanes.
  /// Call where the tile's lane ranges are set; `paddedLanes` is a static
  /// width.
  void prepare(int64_t paddedLanes);
  /// Packs extras of lanes and steps. Call where all ranges are set.
  void fill();

  struct Point {
    Value score;      ///< x without the mask
    Value weight;     ///< z; null: 1
    Value seen;       ///< null: everything is visible
    IRMapping values; ///< region values to emitted ones
  };
  /// The points of a step and the lanes from `lane` on; `raw` is the product of
  /// query and key there.
  Point at(Value step, Value lane, Value raw);

  /// The steps that the mask lets any of `count` lanes from `first` on see:
  /// outside of [first, second) everything is hidden. For an op with `visible`
  /// and blocks of one dim of steps. Call where all ranges are set.
  std::pair<Value, Value> stepRange(Value first, Value count);

  /// The local index of each dim at a flat step and a flat lane (either may be
  /// null: dims of that group are then at their offset).
  SmallVector<Value> localIndices(Value step, Value lane);
  /// Where a map reads its operand at these indices.
  SmallVector<Value> evaluate(AffineMap map, ArrayRef<Value> dims);

private:
  /// An element of an operand as a function of step and lanes.
  struct Source {
    Value scalar;   ///< neither
    Value perLane;  ///< a scratch vector
    Value perBlock; ///< a scratch matrix, steps x lanes
    Value operand;  ///< step only: read in place
    AffineMap map;
    Type element;
  };
  Source prepare(OpOperand &operand);
  Value element(const Source &source, Value step, Value lane);
  void fillSource(Value scratch, const Source &source, bool withSteps);
  bool dependsOn(AffineMap map, ArrayRef<unsigned> dims) const;
  Value laneIndex(unsigned dim, Value lane);

  Emit &b;
  Lowering &lowering;
  Tile &tile;
  ScoreOpInterface op;
  ArrayRef<unsigned> laneDims, stepDims;
  SmallVector<unsigned> movingDims;

  int64_t lanes = 0, paddedLanes = 0;
  SmallVector<Value> origin, extents, symbols;
  SmallVector<Source> extras;
  std::optional<Source> blocks;
  llvm::DenseMap<unsigned, Value> laneIndices; ///< per lane dim, if several
};

/// Emits x = hidden ? fill : region(scale * raw, extras, indices) over a block
/// of raw scores, keys x rows, in place, with the column maxima of x; and z.
class ScorePass {
public:
  ScorePass(Emit &b, Lowering &lowering, Tile &tile, OnlineAttentionOp op,
            ArrayRef<unsigned> rows, ArrayRef<unsigned> keys)
      : b(b), op(op),
        block(b, lowering, tile, op, rows, keys, inferRoles(op).key),
        lanes(lowering.library.target.lanes(accumulateType(op))) {}

  /// What does not depend on the keys; `paddedRows` is a static width.
  void prepareRows(int64_t padded) { block.prepare(padded); }
  /// Packs extras of rows and keys. Call where the keys' ranges are set.
  void fill() { block.fill(); }
  /// The keys that any of these rows may see.
  std::pair<Value, Value> keyRange(Value firstRow, Value count) {
    return block.stepRange(firstRow, count);
  }
  /// Part of a block: rows are a multiple of the lanes.
  struct Part {
    Value firstRow, rows, firstKey, keys;
  };
  /// Runs over a part; the matrices and `maxima` start with it.
  void emit(Value scores, Value weights, Value maxima, const Part &part);

private:
  Emit &b;
  OnlineAttentionOp op;
  ScoreBlock block;
  int64_t lanes;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_SCORES_H
