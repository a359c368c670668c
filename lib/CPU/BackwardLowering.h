//===- BackwardLowering.h - the state of one lowering of a backward -*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_BACKWARDLOWERING_H
#define ATTN_LIB_CPU_BACKWARDLOWERING_H

#include "Functions.h"
#include "Online.h"
#include "Operands.h"
#include "Scores.h"
#include "TileMultiply.h"

namespace mlir::attn {

/// Lowers one attn.online_backward. Backward.cpp has tiles and products,
/// BackwardPoints.cpp what is done to each score, BackwardAhead.cpp what is
/// asked for before it is read, BackwardTiles.cpp products by a matrix unit.
class BackwardLowering {
public:
  BackwardLowering(OnlineBackwardOp op, Lowering &lowering)
      : b(op.getLoc(), op.getContext()), op(op), lowering(lowering),
        tile(b, lowering.library), buffers(b, lowering.scratch, op),
        roles(inferRoles(op)), type(accumulateType(op)),
        target(lowering.library.target), lanes(target.lanes(type)) {}

  LogicalResult run();

private:
  LogicalResult plan();
  void keys();
  void rows();
  PackedKeys packKeys(StringRef suffix);
  PackedKeys packedKeys();
  bool isPlain();
  Value perRow(Value operand, const Twine &purpose);
  Product::Epilogue plainPoints();
  void emitPoints();
  void emitPoint(ScoreBlock &block, Value row, Value lane, Value lse,
                 Value delta);
  struct PointGradients {
    Value weighted, score; ///< P z and dS
    SmallVector<Value> extras;
  };
  PointGradients pointGradients(const ScoreBlock::Point &point, Value dOV,
                                Value lse, Value delta);
  Value hidden(Value x, const ScoreBlock::Point &point);

  Value transposed(Value operand, AffineMap map, ArrayRef<unsigned> depth,
                   const Twine &purpose);
  Value leftMatrix(Value operand, AffineMap map, ArrayRef<unsigned> columns,
                   const Twine &purpose);
  bool canUsePairs();
  Value inPairs(Value points, Copy::Pairs pairs, const Twine &purpose);
  Value inSteps(Value count) { return usePairs ? b.ceilDiv(count, 2) : count; }
  Value rowReference(Emit &b, Value lse);
  Value roundedToValue(Emit &b, Value p);
  /// One whose rows are rows or keys of the tile.
  struct MatrixOperand {
    OpOperand *operand;
    ArrayRef<unsigned> across; ///< the dims of its columns
  };
  struct NextRows {
    Value matrix; ///< from the first of them on
    int64_t columns, count;
  };
  std::optional<NextRows> nextRows(const MatrixOperand &matrix);
  SmallVector<Product::Next> requests(ArrayRef<MatrixOperand> operands);
  void product(Value left, Value right, Value result, ArrayRef<unsigned> depth,
               ArrayRef<MatrixOperand> ahead,
               std::optional<Product::Epilogue> epilogue = std::nullopt);
  struct Accumulation {
    Value matrix;      ///< rows x keys, as the left operand reads it
    Value right;       ///< the other operand
    int64_t panelRows; ///< of `right`
    RegisterBlock block;
    unsigned gradient;
    ArrayRef<unsigned> rows, columns; ///< of the gradient
    int64_t rowBound;
    Value contracted; ///< how many rows or keys are summed over
  };
  void accumulate(const Accumulation &a);
  void accumulateExtra(ScoreBlock &block, unsigned gradient, Value points);

  // By the matrix unit. Rows are lanes there.
  bool canUseTiles();
  void planTiles();
  PackedKeys packTileKeys(StringRef suffix);
  void packTileRows();
  /// Some rows against some keys: their scores stay in the first-level cache.
  struct TilePart {
    Value row, rows, width; ///< width: `rows` rounded up to kTileDepth
    Value key, keys;
  };
  void tileRows();
  void tileKeys(Value row, Value rows, ScoreBlock *block);
  bool limitsKeys();
  Value hideExactly(Value row, Value rows);
  void tileScores(const TilePart &part);
  void tilePart(const TilePart &part, ScoreBlock *block, bool masked);
  void tileHidden(const TilePart &part);
  void tilePlainPoints(const TilePart &part);
  void tilePoints(const TilePart &part, ScoreBlock &block, bool masked);
  void tileClear();
  void tileKeyGradient(Value matrix, Value right, unsigned gradient,
                       ArrayRef<unsigned> columns);
  void tileQueryGradient();
  Value narrowRows(Value operand, AffineMap map, ArrayRef<unsigned> rows,
                   int64_t bound, ArrayRef<unsigned> columns,
                   const Twine &purpose);
  Value leftRows(Value view, int64_t bound, Value count, int64_t depth,
                 const Twine &purpose);
  Value rowVector(Value operand, const Twine &purpose);
  Value scratchBuffer(int64_t rows, int64_t columns, Type element,
                      const Twine &purpose) {
    return lowering.scratch.get(op, MemRefType::get({rows, columns}, element),
                                purpose);
  }
  void clearRows(Value matrix, Value from, Value to, Value columns,
                 int64_t partRows);
  Value partBuffer(int64_t rows, int64_t columns, Type element,
                   const Twine &purpose);
  void storeParts(Emit &b, ArrayRef<Value> vectors, Value matrix,
                  ArrayRef<Value> at, bool bounded);

  AffineMap mapOf(unsigned operand) {
    return op.getMapOf(op->getOpOperand(operand));
  }
  AffineMap mapOf(OpOperand &operand) { return op.getMapOf(operand); }
  Value scratchMatrix(Value scratch, bool isTransposed = false) {
    return tile.scratchView(scratch, b.index(0), b.index(0), isTransposed);
  }
  RegisterBlock blockFor(ArrayRef<unsigned> columns);
  int64_t width(const RegisterBlock &block) { return block.vectors * lanes; }

  Emit b;
  OnlineBackwardOp op;
  Lowering &lowering;
  Tile tile;
  TileBuffers buffers;
  Roles roles;
  FloatType type;
  const CPUTarget &target;
  int64_t lanes;

  Cut rowCut, keyCut;
  SmallVector<unsigned> batch, rowDims, keyDims, depthDims, valueDims;
  int64_t rowBound = 0, keyBound = 0, paddedKeys = 0, pitch = 0;
  RegisterBlock scoreBlock, depthBlock, valueBlock;

  PackedKeys packed;
  Value scores, grads; ///< S, then P z; dP, then dS
  /// By dot products of bf16 pairs: all operands of products are pairs along
  /// what is summed over, and P z and dS are rounded to bf16.
  bool usePairs = false;
  /// By the matrix unit: S and dP of a part; P z and dS of the tile are bf16,
  /// keys x rows, and dS in pairs of keys, too.
  bool useTiles = false;
  int64_t tileRowBound = 0, tileKeyBound = 0; ///< rounded up to kTileDepth
  ::attn::TileTerms terms;
  std::optional<Parts> operandParts; ///< where these are wider than bf16
  Value probabilities, scoreGrads, scoreGradPairs;
  Value queryT, gradT;            ///< Q and dO, pairs along depth x rows
  Value queryPairs, gradPairs;    ///< pairs of rows x depth
  Value lseOfRows, deltaOfRows;   ///< vectors
  SmallVector<Value> extraPoints; ///< d extra at the points
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_BACKWARDLOWERING_H
