//===- OnlineGroups.cpp - groups of rows against a key block --------------===//
//
// A query block is folded with a key block by groups of rows, whose scores pass
// from product to softmax to product in the first-level cache. Where the mask
// gives a group a range of keys, it is folded in parts: first the keys that all
// of its rows see, without the mask, then what the mask cuts on either side, by
// fewer rows at a time, which see less of what is hidden.
//
//===----------------------------------------------------------------------===//
#include "OnlineLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// What a group asks for of the next key block's K or V while a product of
/// `blocks` blocks of rows runs: the groups of a tile share it.
SmallVector<Product::Next> OnlineLowering::nextKeys(unsigned operand,
                                                    ArrayRef<unsigned> columns,
                                                    const Group &group,
                                                    int64_t blocks) {
  bool isWalked =
      isa<scf::ForOp>(op->getParentOp()) || !keyCut.loopDims.empty();
  int64_t width = tile.flatBound(columns);
  // Parts of groups, at a mask's edge, read what their group asked for.
  if (!isWalked || group.mostRows != groupRows || keyDims.size() != 1 ||
      columns.size() > 1 || ShapedType::isDynamic(width))
    return {};
  Value view = tile.view(op->getOperand(operand), mapOf(operand),
                         keyDims.front(), only(columns));
  if (!hasContiguousRows(view))
    return {};
  int64_t groups = llvm::divideCeil(rowBound, groupRows);
  int64_t share = llvm::divideCeil(keyBound, groups);
  Value first = b.mul(b.div(group.first, b.index(groupRows)), share);
  int64_t perBlock = llvm::divideCeil(share, std::max<int64_t>(blocks, 1));
  return {{tile.rowsFrom(view, b.add(first, keyBound)), width, perBlock}};
}

/// The same of the next query block's Q, shared by the groups of all key blocks
/// that the loop around the op walks over.
SmallVector<Product::Next> OnlineLowering::nextQueries(const Group &group) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  int64_t depth = tile.flatBound(depthDims);
  if (!loop || group.mostRows != groupRows || !batch.empty() ||
      !rowCut.loopDims.empty() || !keyCut.loopDims.empty() ||
      rowDims.size() != 1 || depthDims.size() > 1 ||
      ShapedType::isDynamic(depth))
    return {};
  Value view =
      tile.view(op.getQuery(), mapOf(0), rowDims.front(), only(depthDims));
  if (!hasContiguousRows(view))
    return {};
  // Rows per step of the loop, by its progress.
  int64_t groups = llvm::divideCeil(rowBound, groupRows);
  Value all =
      b.max(b.sub(loop.getUpperBound(), loop.getLowerBound()), b.index(1));
  Value done = b.sub(loop.getInductionVar(), loop.getLowerBound());
  Value from = b.div(b.mul(done, rowBound), all);
  Value share =
      b.div(b.mul(loop.getStep(), b.index(rowBound)), b.mul(all, groups));
  from = b.add(from, b.mul(share, b.div(group.first, b.index(groupRows))));
  return {{tile.rowsFrom(view, b.add(from, rowBound)), depth, 1}};
}

/// Rows that the K or V of few rows is asked for ahead. Where V's columns take
/// turns in several blocks, neither is one stream for long.
int64_t OnlineLowering::aheadOf(Value matrix) const {
  bool isOneStream = rowBound <= accBlock.rows &&
                     !ShapedType::isDynamic(valueSize) &&
                     valueSize <= accBlock.vectors * lanes;
  return isOneStream && target.aheadKeys ? target.aheadKeys : rowsAhead(matrix);
}

/// Raw scores of a key block and their maxima per row.
void OnlineLowering::emitScores(Value scoreBuffer, const Group &group) {
  Value zero = b.index(0);
  if (useDots) {
    Dots dots;
    dots.type = type;
    dots.rowBound = rowBound;
    dots.evenOdd = dotsEvenOdd;
    dots.keys = tile.rowsFrom(key, group.firstKey);
    dots.ahead = aheadOf(dots.keys);
    dots.queries = tile.scratchView(packedQuery, zero, zero);
    dots.scores = tile.scratchView(scoreBuffer, zero, zero);
    dots.maxima = raw;
    dots.keyCount = group.keys;
    dots.rows = group.rows;
    dots.depth = tile.flatSize(depthDims);
    return emitDots(b, lowering.library, dots);
  }
  Value depth = tile.flatSize(depthDims);
  Product scores;
  scores.kind = Product::Kind::Scores;
  scores.type = type;
  scores.block = group.block;
  scores.bf16Pairs = scorePairs;
  scores.a = tile.rowsFrom(key, group.firstKey);
  scores.b = tile.scratchView(packedQuery, zero, group.first);
  scores.c = tile.scratchView(scoreBuffer, zero, zero);
  scores.vector = raw;
  scores.m = group.keys;
  scores.n = paddedCount(group);
  scores.k = scorePairs ? b.ceilDiv(depth, 2) : depth;
  if (pass && group.mostRows == groupRows)
    scores.ahead = pass->ahead(group.first, groupRows, keyBound);
  scores.next = nextKeys(1, depthDims, group, keyBound / scoreBlock.rows);
  llvm::append_range(scores.next, nextQueries(group));
  emitProduct(b, lowering.library, scores);
}

void OnlineLowering::emitSoftmax(Value scoreBuffer, Value probabilities,
                                 Value weights, const Group &group) {
  Value zero = b.index(0), firstScore = zero, firstPair = zero;
  if (useTiles) { // they lie where their keys are in the block
    firstScore = group.firstKey;
    firstPair = b.div(firstScore, b.index(2));
  }
  Softmax softmax;
  softmax.type = type;
  softmax.valueType = cast<FloatType>(elementOf(op.getValue()));
  softmax.bf16Pairs = valuePairs;
  softmax.parts = probabilityParts;
  if (useTiles)
    softmax.partRows = tileKeys() / 2;
  softmax.vectors = group.block.vectors;
  softmax.scale = pass && pass->scales() ? 1.0 : op.getScaleValue();
  softmax.scores = tile.scratchView(scoreBuffer, firstScore, zero);
  softmax.probabilities = tile.scratchView(probabilities, firstPair, zero);
  if (weights)
    softmax.weight = tile.scratchView(weights, zero, zero);
  softmax.raw = raw;
  softmax.max = tile.rowsOf(max, group.first, group.mostRows);
  softmax.sum = tile.rowsOf(sum, group.first, group.mostRows);
  softmax.correction = correction;
  softmax.keys = group.keys;
  softmax.rows = paddedCount(group);
  mlir::attn::emitSoftmax(b, lowering.library, softmax);
}

void OnlineLowering::emitAccumulate(Value probabilities, const Group &group) {
  Value zero = b.index(0), firstKey = group.firstKey, keyCount = group.keys;
  if (valuePairs) {
    firstKey = b.div(firstKey, b.index(2));
    keyCount = b.ceilDiv(keyCount, 2);
  }
  Product accumulate;
  accumulate.kind = Product::Kind::Accumulate;
  accumulate.type = type;
  accumulate.block = accBlock;
  accumulate.bf16Pairs = valuePairs;
  accumulate.a = tile.scratchView(probabilities, zero, zero,
                                  /*transposed=*/true);
  accumulate.b = tile.rowsFrom(value, firstKey);
  accumulate.panelRows = valuePanelRows;
  if (useDots && rowBound <= accBlock.rows)
    accumulate.streamsB = aheadOf(accumulate.b);
  auto stored = cast<MemRefType>(accumulate.b.getType()).getElementType();
  accumulate.evenOdd = accumulate.streamsB && !valuePanelRows &&
                       stored.isBF16() && accBlock.vectors % 2 == 0 &&
                       !ShapedType::isDynamic(valueSize) &&
                       valueSize % (accBlock.vectors * lanes) == 0;
  accumulate.vector = correction;
  accumulate.m = group.rows;
  accumulate.n = tile.flatSize(valueDims);
  accumulate.k = keyCount;
  accumulate.next = nextKeys(2, valueDims, group, groupRows / accBlock.rows);
  int64_t width = accBlock.vectors * lanes;
  if (accInPlace) {
    accumulate.c = tile.rowsFrom(accumulator, group.first);
    accumulate.raggedColumns =
        ShapedType::isDynamic(valueSize) || valueSize % width != 0;
  } else {
    accumulate.c = tile.scratchView(accumulator, group.first, zero);
    accumulate.n = b.roundUp(accumulate.n, width);
  }
  emitProduct(b, lowering.library, accumulate);
}

/// A group of rows against the keys of one block.
void OnlineLowering::foldGroup(const Group &group) {
  int64_t keyRows = useTiles ? tileKeys() : keyBound;
  Value scoreBuffer = buffer({keyRows, groupPitch}, type, "scores");
  if (useTiles)
    emitTileScores(scoreBuffer, group);
  else
    emitScores(scoreBuffer, group);
  Value weights;
  if (weighted)
    weights = buffer({keyBound, groupPitch}, type, "weights");
  Value scores = scoreBuffer;
  if (useTiles)
    scores = tile.scratchView(scoreBuffer, group.firstKey, b.index(0));
  if (pass && (group.masked || hasScoreFunction(op)))
    pass->emit(scores, weights, raw,
               {group.first, paddedCount(group), group.firstKey, group.keys,
                group.masked});
  Value probabilities = scoreBuffer;
  if (valuePairs) {
    int64_t parts = useTiles ? sumTerms.rightParts : 1;
    probabilities = buffer({(keyRows + 1) / 2 * parts, groupPitch},
                           b.getI32Type(), "probabilities");
  }
  emitSoftmax(scoreBuffer, probabilities, weights, group);
  if (useTiles)
    emitTileAccumulate(probabilities, group);
  else
    emitAccumulate(probabilities, group);
}

/// Folds the keys [from, to), if there are any.
void OnlineLowering::foldKeys(const Group &group, Value from, Value to) {
  Group part = group;
  part.firstKey = from;
  part.keys = b.sub(to, from);
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, from, to);
  b.when(any, [&] { foldGroup(part); });
}

/// Of the keys of a block those that the mask lets a group see: first what all
/// of its rows see.
void OnlineLowering::foldVisible(Value first, Value rows) {
  Group group = wholeGroup(first, rows);
  auto [from, to, open, openTo] = pass->keyRange(first, rows);
  if (!open)
    return foldEdges(group, Value(), Value());
  // In order, and pairs of keys, or steps, stay together.
  int64_t together = keysTogether();
  open = b.roundUp(b.max(open, from), together);
  openTo = b.roundDown(b.max(b.min(openTo, to), b.index(0)), together);
  Value none =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, open, openTo);
  open = arith::SelectOp::create(b, none, to, open);
  openTo = arith::SelectOp::create(b, none, to, openTo);
  group.masked = false;
  foldKeys(group, open, openTo);
  foldEdges(group, open, openTo);
}

/// What is left of the keys on either side of [open, openTo), by fewer rows at
/// a time, which see less of what is hidden.
void OnlineLowering::foldEdges(const Group &group, Value open, Value openTo) {
  Value end = b.add(group.first, group.rows);
  b.loop(group.first, end, edgeRows, [&](Value first) {
    Group edge{first,    b.min(b.index(edgeRows), b.sub(end, first)),
               Value(),  Value(),
               edgeRows, edgeRows == groupRows ? scoreBlock : edgeBlock,
               true};
    ScoreBlock::StepRange range = pass->keyRange(first, edge.rows);
    Value from = range.from, to = range.to;
    if (valuePairs)
      from = b.roundDown(from, 2);
    if (!open)
      return foldKeys(edge, from, to);
    b.loop(b.index(0), b.index(2), 1, [&](Value side) {
      Value left =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, side, b.index(0));
      Value start = arith::SelectOp::create(b, left, from, b.max(from, openTo));
      Value stop = arith::SelectOp::create(b, left, b.min(to, open), to);
      foldKeys(edge, start, stop);
    });
  });
}
