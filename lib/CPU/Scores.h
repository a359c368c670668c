//===- Scores.h - region, mask and extras on a block of scores ----*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_SCORES_H
#define ATTN_LIB_CPU_SCORES_H

#include "Online.h"
#include "attn/IR/ScoreRegion.h"

namespace mlir::attn {

/// True if the scores of the op that the mask leaves visible are more than
/// scale * raw with scale > 0.
bool hasScoreFunction(OnlineAttentionOp op);
/// True if a pass over the block has to follow the product: there is a score
/// function, or something may be hidden.
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
  /// Packs extras of lanes and steps, for the whole block. Call where all
  /// ranges are set.
  void fill();
  /// The same in small parts of it, where that can be done: from now on fill()
  /// leaves out what fillPart() is to bring. Call before `prepare`.
  void fillInParts(int64_t vectors = 1) { partVectors = vectors; }
  /// Is there something to be filled in parts?
  bool hasParts() const;
  /// For up to kPartSteps steps and that many vectors of lanes.
  void fillPart(Value firstStep, Value steps, Value lane);
  static constexpr int64_t kPartSteps = 64;
  /// What fillPart() will read of `count` lanes from `lane` on and of the steps
  /// from `step` on, steps x lanes.
  SmallVector<Product::Ahead, 1> ahead(Value step, Value lane, int64_t count);
  /// Is the whole problem's last step within `count` steps of the tile's first?
  Value endsWithin(int64_t count);

  struct Point {
    Value score;      ///< x without the mask
    Value weight;     ///< z; null: 1
    Value seen;       ///< null: everything is visible
    IRMapping values; ///< region values to emitted ones
  };
  /// The points of a step and the lanes from `lane` on; `raw` is the product of
  /// query and key there. Without the mask where it is known to hide nothing.
  Point at(Value step, Value lane, Value raw, bool masked = true);
  /// Only what the mask says; null: everything is visible.
  Value seen(Value step, Value lane);

  /// What the mask lets `count` lanes from `first` on see of the steps: outside
  /// of [from, to) everything is hidden from all of them, inside of
  /// [open, openTo), a part of it, nothing is from any (null where that cannot
  /// be told). For an op with `visible` and blocks of one dim of steps. Call
  /// where all ranges are set.
  struct StepRange {
    Value from, to, open, openTo;
  };
  StepRange stepRange(Value first, Value count);

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
    Value perPart;  ///< the same of a part
    Value operand;  ///< step only: read in place
    AffineMap map;
    Type element;
  };
  Source prepare(OpOperand &operand);
  Value element(const Source &source, Value step, Value lane);
  void fillSource(Value scratch, const Source &source, bool withSteps,
                  int64_t padded);
  bool dependsOn(AffineMap map, ArrayRef<unsigned> dims) const;
  Value laneIndex(unsigned dim, Value lane);
  ScoreEmitter emitterAt(Value step, Value lane);

  Emit &b;
  Lowering &lowering;
  Tile &tile;
  ScoreOpInterface op;
  ArrayRef<unsigned> laneDims, stepDims;
  SmallVector<unsigned> movingDims;

  int64_t lanes = 0, paddedLanes = 0;
  int64_t partVectors = 0;  ///< of a part; 0: fill() brings all
  Value partStep, partLane; ///< where the part that is filled starts
  SmallVector<Value> origin, extents, symbols;
  SmallVector<Source> extras;
  std::optional<Source> blocks;
  llvm::DenseMap<unsigned, Value> laneIndices; ///< per lane dim, if several
};

/// Emits x = hidden ? fill : region(scale * raw, extras, indices) over a block
/// of raw scores, keys x rows, in place, with the column maxima of x; and z.
/// Where that is no more than -inf for hidden ones, raw scores stay raw.
class ScorePass {
public:
  ScorePass(Emit &b, Lowering &lowering, Tile &tile, OnlineAttentionOp op,
            ArrayRef<unsigned> rows, ArrayRef<unsigned> keys)
      : b(b), tile(tile), rows(rows), op(op),
        block(b, lowering, tile, op, rows, keys, inferRoles(op).key),
        lanes(lowering.library.target.lanes(accumulateType(op))) {
    block.fillInParts();
  }

  /// What does not depend on the keys; `paddedRows` is a static width.
  void prepareRows(int64_t padded) { block.prepare(padded); }
  /// Packs extras of rows and keys. Call where the keys' ranges are set.
  void fill() { block.fill(); }
  /// What these rows may see of the keys.
  ScoreBlock::StepRange keyRange(Value firstRow, Value count) {
    return block.stepRange(firstRow, count);
  }
  /// What is read after the scores of the rows that follow [firstRow, firstRow
  /// + count): those of this block, or the first ones of the next.
  SmallVector<Product::Ahead, 1> ahead(Value firstRow, int64_t count,
                                       int64_t blockKeys);
  /// Are scores multiplied with the scale here?
  bool scales() { return hasScoreFunction(op) || !op.getHidden().isSkip(); }
  /// Part of a block: rows are a multiple of the lanes. `masked`: something in
  /// it may be hidden.
  struct Part {
    Value firstRow, rows, firstKey, keys;
    bool masked;
  };
  /// Runs over a part; the matrices and `maxima` start with it.
  void emit(Value scores, Value weights, Value maxima, const Part &part);

private:
  Emit &b;
  Tile &tile;
  ArrayRef<unsigned> rows;
  OnlineAttentionOp op;
  ScoreBlock block;
  int64_t lanes;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_SCORES_H
