//===- OnlineLowering.h - the state of one lowering of a forward ---*- C++
//-*-===//
#ifndef ATTN_LIB_CPU_ONLINELOWERING_H
#define ATTN_LIB_CPU_ONLINELOWERING_H

#include "Online.h"
#include "Operands.h"
#include "Scores.h"
#include "TileProduct.h"

namespace mlir::attn {

/// Lowers one attn.online_attention. Online.cpp has tiles, buffers and the
/// running state, OnlineGroups.cpp the groups of rows that a key block is
/// folded with.
class OnlineLowering {
public:
  OnlineLowering(OnlineAttentionOp op, Lowering &lowering)
      : b(op.getLoc(), op.getContext()), op(op), lowering(lowering),
        tile(b, lowering.library), roles(inferRoles(op)),
        type(accumulateType(op)), target(lowering.library.target),
        buffers(b, lowering.scratch, op) {}

  LogicalResult run();

private:
  LogicalResult plan();
  LogicalResult chooseBlocks();
  bool canUseDots();
  bool canUseTiles();
  /// Consecutive rows of a tile, whose scores pass from product to softmax to
  /// product in the first-level cache, and the keys that they are folded with.
  struct Group {
    Value first, rows, firstKey, keys;
    int64_t mostRows;    ///< rows, rounded up to blocks, are no more
    RegisterBlock block; ///< of the scores' product
    bool masked;         ///< something may be hidden
  };
  Group wholeGroup(Value first, Value rows) {
    return {first,     rows,       b.index(0), tile.flatSize(keyDims),
            groupRows, scoreBlock, true};
  }
  void foldKeys(const Group &group, Value from, Value to);
  void foldVisible(Value first, Value rows);
  void foldEdges(const Group &group, Value open, Value openTo);
  /// Does the mask bound the keys of a group by a range?
  bool limitsKeys() {
    return op.getVisibleAttr() && op.getHidden().isSkip() &&
           keyDims.size() == 1;
  }
  SmallVector<Product::Next> nextKeys(unsigned operand,
                                      ArrayRef<unsigned> columns,
                                      const Group &group, int64_t blocks);
  SmallVector<Product::Next> nextQueries(const Group &group);
  int64_t aheadOf(Value matrix) const;
  void emitScores(Value scoreBuffer, const Group &group);
  void emitSoftmax(Value scoreBuffer, Value probabilities, Value weights,
                   const Group &group);
  void emitAccumulate(Value probabilities, const Group &group);
  // By the matrix unit.
  void planTiles();
  void tileQuery(Value packed, Copy copy);
  void copyDepth(int64_t from, int64_t count, llvm::function_ref<void()> emit);
  SmallVector<Copy::Place, 6> placesOfEnds(bool left);
  void tileStateIn();
  /// Keys of a block, rounded up to whole steps of the matrix unit.
  int64_t tileKeys() const { return llvm::alignTo(keyBound, kTileBlock); }
  void packTileKeys();
  void packTileValues();
  void emitTileScores(Value scoreBuffer, const Group &group);
  void emitTileAccumulate(Value probabilities, const Group &group);
  /// Steps along keys, or pairs of them, that stay together.
  int64_t keysTogether() const {
    return useTiles ? kTileDepth : valuePairs ? 2 : 1;
  }

  void rows();
  void keys();
  void foldGroup(const Group &group);
  /// The rows of a group rounded up to whole blocks of the scores' product.
  Value paddedCount(const Group &group) {
    return b.roundUp(group.rows, group.block.vectors * lanes);
  }
  void packQuery();
  void copyQuery(Value packed, Copy copy);
  void splitEvenOdd(Value matrix, int64_t columns);
  Value queryScratch(Operation *user);
  Value keyMatrix();
  void stateIn();
  void stateOut();

  Value buffer(ArrayRef<int64_t> shape, Type element, const Twine &purpose) {
    return lowering.scratch.get(op, MemRefType::get(shape, element), purpose);
  }
  Value buffer(int64_t rows, Value rowCount, int64_t columns, Value columnCount,
               Type element, const Twine &purpose) {
    return buffers.get(rows, rowCount, columns, columnCount, element, purpose);
  }
  AffineMap mapOf(unsigned operand) {
    return op.getMapOf(op->getOpOperand(operand));
  }
  AffineMap mapOf(OpOperand &operand) { return op.getMapOf(operand); }
  Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

  Emit b;
  OnlineAttentionOp op;
  Lowering &lowering;
  Tile tile;
  Roles roles;
  FloatType type;
  const CPUTarget &target;
  TileBuffers buffers;

  Cut rowCut, keyCut;
  SmallVector<unsigned> batch, rowDims, keyDims, depthDims, valueDims;
  int64_t lanes = 0, rowBound = 0, paddedRows = 0, keyBound = 0;
  int64_t groupRows = 0; ///< of a group, at most
  int64_t edgeRows = 0;  ///< the same where the mask cuts its keys
  /// Of matrices whose columns are rows of the tile, of a group.
  int64_t pitch = 0, groupPitch = 0;
  int64_t valueSize = 0; ///< static size of the value dims, or kDynamic
  RegisterBlock scoreBlock, edgeBlock, accBlock;
  bool scorePairs = false, valuePairs = false, useDots = false;
  bool dotsEvenOdd = false; ///< Dots::evenOdd
  /// The matrix unit makes both products; acc is values x rows.
  bool useTiles = false;
  /// What they are sums of, and the parts of operands and P where these are
  /// wider than bf16.
  ::attn::TileTerms scoreTerms, sumTerms;
  std::optional<Parts> operandParts, probabilityParts;
  bool accInPlace = false, weighted = false;
  std::optional<ScorePass> pass;

  Value packedQuery, max, sum, correction, raw, accumulator;
  Value key, value; ///< the key block as the products read it
  ::attn::TileDepth tileDepth;
  int64_t tileValues = 0; ///< rounded up to tiles
  int64_t valuePanelRows = 0;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CPU_ONLINELOWERING_H
