//===- BackwardTiles.cpp - a backward's products by a matrix unit ---------===//
//
// Rows are the lanes here, as in the forward. A left operand's rows are
// contiguous along what is summed over, a right one holds pairs along it:
//
//     S^T = K Q^T, dP^T = V dO^T   keys x rows, a part of the tile at a time:
//                                  from there P z and dS as bf16, keys x rows
//     dV += (P z)^T dO             left P z as it lies, right dO in pairs of
//     dK += dS^T Q                 rows; dS and Q likewise
//     dQ^T = K^T dS^T              left K^T, right dS in pairs of keys; added
//                                  to dQ transposed
//
// So nothing of rows x keys is transposed; dS is written twice. What sums run
// over is padded with zeros: the depth in K, V, Q and dO, rows in P z, dS, Q
// and dO, keys in K^T and dS.
//
// Operands of f32 lie in bf16 parts (TileTerms.h), and so do P z and dS: those
// of K and V beside each other, all others below each other.
//
//===----------------------------------------------------------------------===//
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Rows and keys of a part. S and dP fill the first-level cache; of half as
/// many keys they do by half, but each part is three calls (2 % longer in f32,
/// 5 in bf16).
static constexpr int64_t kPartRows = 64, kPartKeys = 128;

/// All products by the matrix unit, of operands of one type: what lies along k
/// is padded with zeros, of a size that is known.
bool BackwardLowering::canUseTiles() {
  auto isKnown = [&](ArrayRef<unsigned> dims) {
    int64_t size = tile.flatBound(dims);
    return !ShapedType::isDynamic(size) && size > 0;
  };
  Type element = getElementTypeOrSelf(op.getQuery().getType());
  if (!element.isBF16() && !element.isF32())
    return false;
  auto kind =
      element.isBF16() ? ::attn::ElementType::BF16 : ::attn::ElementType::F32;
  return type.isF32() && isKnown(depthDims) && isKnown(valueDims) &&
         target.usesBackwardTiles(kind, rowBound, keyBound) &&
         llvm::all_of(
             ValueRange{op.getKey(), op.getValue(), op.getOutputGrad()},
             [&](Value v) {
               return getElementTypeOrSelf(v.getType()) == element;
             });
}

void BackwardLowering::planTiles() {
  requestTiles(op, lowering.tileFunctions);
  tileRowBound = llvm::alignTo(rowBound, kTileDepth);
  tileKeyBound = llvm::alignTo(keyBound, kTileDepth);
  if (getElementTypeOrSelf(op.getQuery().getType()).isF32())
    operandParts.emplace();
  terms = ::attn::tileTerms(operandParts ? operandParts->type
                                         : ::attn::ElementType::BF16);
}

/// A buffer for all parts, below each other.
Value BackwardLowering::partBuffer(int64_t rows, int64_t columns, Type element,
                                   const Twine &purpose) {
  return scratchBuffer(terms.rightParts * rows, columns, element, purpose);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Elements of the columns [0, columns) in the rows [from, to) become 0, in all
/// parts, which are `partRows` apart.
void BackwardLowering::clearRows(Value matrix, Value from, Value to,
                                 Value columns, int64_t partRows) {
  auto first = getConstantIntValue(from), end = getConstantIntValue(to);
  if (first && end && *first == *end)
    return;
  for (int64_t part = 0; part < terms.rightParts; ++part) {
    Copy zeros;
    zeros.from = zeros.to = tile.rowsFrom(matrix, b.add(from, part * partRows));
    zeros.rows = b.sub(to, from);
    zeros.columns = b.index(0);
    zeros.paddedColumns = columns;
    emitCopy(b, lowering.library, zeros);
  }
}

/// An operand as a matrix with contiguous rows: in place if it can be.
Value BackwardLowering::narrowRows(Value operand, AffineMap map,
                                   ArrayRef<unsigned> rows, int64_t bound,
                                   ArrayRef<unsigned> columns,
                                   const Twine &purpose) {
  if (rows.size() <= 1 && columns.size() <= 1) {
    Value view = tile.view(operand, map, only(rows), only(columns));
    if (hasContiguousRows(view))
      return view;
  }
  Value packed =
      scratchBuffer(bound, tile.flatBound(columns),
                    getElementTypeOrSelf(operand.getType()), purpose);
  tile.copyIn(operand, map, rows, columns, packed, Copy());
  return scratchMatrix(packed);
}

/// A left operand of whole blocks: itself, or padded with zeros along k. Rows
/// beyond its last one may hold anything, for what comes of them is not read.
Value BackwardLowering::leftRows(Value view, int64_t bound, Value count,
                                 int64_t depth, const Twine &purpose) {
  auto known = getConstantIntValue(count);
  if (known && *known % kTileBlock == 0 && depth % kTileDepth == 0 &&
      !operandParts)
    return view;
  int64_t padded = llvm::alignTo(depth, kTileDepth);
  Value packed =
      scratchBuffer(bound, terms.leftParts * padded, b.getBF16Type(), purpose);
  Copy copy;
  copy.parts = operandParts;
  copy.partColumns = padded;
  copy.from = view;
  copy.to = scratchMatrix(packed);
  copy.rows = count;
  copy.columns = b.index(depth);
  copy.paddedColumns = b.index(padded);
  emitCopy(b, lowering.library, copy);
  return copy.to;
}

/// K and V as left operands of the scores; K^T, pairs of keys in its rows.
PackedKeys BackwardLowering::packTileKeys(StringRef suffix) {
  PackedKeys result;
  Value count = tile.flatSize(keyDims);
  int64_t depth = tile.flatBound(depthDims), value = tile.flatBound(valueDims);
  Value key = narrowRows(op.getKey(), mapOf(1), keyDims, keyBound, depthDims,
                         "key rows" + suffix);
  Value values = narrowRows(op.getValue(), mapOf(2), keyDims, keyBound,
                            valueDims, "value rows" + suffix);
  result.panels =
      leftRows(key, tileKeyBound, count, depth, "packed key" + suffix);
  result.valueT =
      leftRows(values, tileKeyBound, count, value, "packed value" + suffix);
  int64_t height = llvm::alignTo(depth, kTileBlock);
  Value packed = partBuffer(height, oddLines(tileKeyBound / 2, 32),
                            b.getI32Type(), "transposed key" + suffix);
  Copy copy;
  copy.parts = operandParts;
  copy.partRows = height;
  copy.transposed = true;
  copy.pairs = Copy::Pairs::Columns;
  copy.from = key;
  copy.to = result.keyT = scratchMatrix(packed);
  copy.rows = b.index(depth);
  copy.columns = count;
  copy.paddedColumns = b.index(tileKeyBound);
  emitCopy(b, lowering.library, copy);
  return result;
}

/// The numbers of the tile's rows behind each other.
Value BackwardLowering::rowVector(Value operand, const Twine &purpose) {
  Value packed =
      lowering.scratch.get(op, MemRefType::get({tileRowBound}, type), purpose);
  Copy copy;
  copy.paddedColumns = b.index(tileRowBound);
  tile.copyIn(operand, mapOf(op.getLseMutable()), {}, rowDims, packed, copy);
  return packed;
}

/// Q and dO as right operands, in pairs along the depth and in pairs of rows.
void BackwardLowering::packTileRows() {
  Value count = tile.flatSize(rowDims);
  Value padded = b.roundUp(count, kTileDepth), two = b.index(2);
  auto pack = [&](Value operand, AffineMap map, ArrayRef<unsigned> columns,
                  StringRef name, Value &alongDepth, Value &alongRows) {
    int64_t depth = tile.flatBound(columns);
    Value view =
        narrowRows(operand, map, rowDims, rowBound, columns, name + " rows");
    int64_t steps = llvm::alignTo(depth, kTileDepth) / 2;
    Copy copy;
    copy.from = view;
    copy.transposed = true;
    copy.pairs = Copy::Pairs::Rows;
    copy.parts = operandParts;
    copy.partRows = steps;
    alongDepth = copy.to =
        scratchMatrix(partBuffer(steps, oddLines(tileRowBound, 32),
                                 b.getI32Type(), "transposed " + name));
    copy.rows = b.index(depth);
    copy.columns = count;
    copy.paddedColumns = b.index(tileRowBound);
    emitCopy(b, lowering.library, copy);
    clearRows(alongDepth, b.index(llvm::divideCeil(depth, 2)), b.index(steps),
              b.index(tileRowBound), steps);

    int64_t width = llvm::alignTo(depth, kTileRows);
    copy.transposed = false;
    alongRows = copy.to =
        scratchMatrix(partBuffer(tileRowBound / 2, oddLines(width, 32),
                                 b.getI32Type(), "pairs of " + name + " rows"));
    copy.partRows = tileRowBound / 2;
    copy.rows = count;
    copy.columns = b.index(depth);
    copy.paddedColumns = Value();
    emitCopy(b, lowering.library, copy);
    clearRows(alongRows, b.ceilDiv(count, 2), b.div(padded, two),
              b.index(width), tileRowBound / 2);
  };
  pack(op.getQuery(), mapOf(0), depthDims, "query", queryT, queryPairs);
  pack(op.getOutputGrad(), mapOf(op.getOutputGradMutable()), valueDims,
       "output gradient", gradT, gradPairs);
  lseOfRows = rowVector(op.getLse(), "lse of rows");
  deltaOfRows = rowVector(op.getDelta(), "delta of rows");
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// gradient += matrix right, keys x columns: in place where whole blocks lie
/// there.
void BackwardLowering::tileKeyGradient(Value matrix, Value right,
                                       unsigned gradient,
                                       ArrayRef<unsigned> columns) {
  OpOperand &operand = *op.getDpsInitOperand(gradient);
  AffineMap map = mapOf(operand);
  Value count = tile.flatSize(keyDims), zero = b.index(0);
  int64_t size = tile.flatBound(columns);
  int64_t padded = llvm::alignTo(size, kTileRows);
  TileMultiply sums;
  sums.oddColumns = padded / kTileRows % 2;
  sums.parts = terms;
  sums.leftRows = tileKeyBound;
  sums.rightRows = tileRowBound / 2;
  sums.a = scratchMatrix(matrix);
  sums.b = right;
  sums.columns = b.index(padded);
  sums.steps = b.ceilDiv(tile.flatSize(rowDims), kTileDepth);
  auto scratch = [&] {
    return scratchBuffer(tileKeyBound, padded, type,
                         "sums of gradient " + Twine(gradient));
  };
  Value view;
  if (keyDims.size() <= 1 && columns.size() <= 1)
    view = tile.view(operand.get(), map, only(keyDims), only(columns));
  if (!view || !hasContiguousRows(view)) {
    Value own = scratch();
    tile.copyIn(operand.get(), map, keyDims, columns, own, Copy());
    sums.adds = true;
    sums.c = scratchMatrix(own);
    sums.rows = b.roundUp(count, kTileBlock);
    emitTileMultiply(b, lowering.library, sums);
    return tile.copyOut(own, operand.get(), map, keyDims, columns);
  }
  Value whole = padded == size ? b.roundDown(count, kTileBlock) : zero;
  if (padded == size) {
    sums.adds = true;
    sums.c = view;
    sums.rows = whole;
    emitTileMultiply(b, lowering.library, sums);
  }
  auto known = getConstantIntValue(count);
  if (known && padded == size && *known % kTileBlock == 0)
    return;
  Value rest = b.sub(count, whole);
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, rest, zero);
  b.when(any, [&] {
    sums.adds = false;
    sums.a = tile.rowsFrom(sums.a, whole);
    sums.c = scratchMatrix(scratch());
    sums.rows = b.roundUp(rest, kTileBlock);
    emitTileMultiply(b, lowering.library, sums);
    Copy copy;
    copy.adds = true;
    copy.from = sums.c;
    copy.to = tile.rowsFrom(view, whole);
    copy.rows = rest;
    copy.columns = b.index(size);
    emitCopy(b, lowering.library, copy);
  });
}

/// dQ += (K^T dS^T)^T.
void BackwardLowering::tileQueryGradient() {
  OpOperand &operand = *op.getDpsInitOperand(0);
  AffineMap map = mapOf(operand);
  int64_t depth = tile.flatBound(depthDims);
  int64_t height = llvm::alignTo(depth, kTileBlock);
  Value count = tile.flatSize(rowDims);
  TileMultiply sums;
  sums.columnsOutside = true;
  sums.parts = terms;
  sums.leftRows = height;
  sums.rightRows = tileKeyBound / 2;
  sums.a = packed.keyT;
  sums.b = scratchMatrix(scoreGradPairs);
  sums.c = scratchMatrix(scratchBuffer(height, oddLines(tileRowBound, 32), type,
                                       "transposed query gradient"));
  sums.rows = b.index(height);
  sums.columns = b.roundUp(count, kTileBlock);
  sums.steps = b.ceilDiv(tile.flatSize(keyDims), kTileDepth);
  emitTileMultiply(b, lowering.library, sums);

  Copy copy;
  copy.adds = copy.transposed = true;
  copy.from = sums.c;
  copy.rows = count;
  copy.columns = b.index(depth);
  if (rowDims.size() <= 1 && depthDims.size() <= 1) {
    copy.to = tile.view(operand.get(), map, only(rowDims), only(depthDims));
    return emitCopy(b, lowering.library, copy);
  }
  Value own = scratchBuffer(rowBound, depth, type, "sums of gradient 0");
  tile.copyIn(operand.get(), map, rowDims, depthDims, own, Copy());
  copy.to = scratchMatrix(own);
  emitCopy(b, lowering.library, copy);
  tile.copyOut(own, operand.get(), map, rowDims, depthDims);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// S and dP of a part.
void BackwardLowering::tileScores(const TilePart &part) {
  auto product = [&](Value left, Value right, Value result, int64_t depth) {
    TileMultiply multiply;
    multiply.columnsOutside = true;
    multiply.parts = terms;
    multiply.leftColumns = depth;
    multiply.rightRows = depth / 2;
    multiply.a = tile.rowsFrom(left, part.key);
    multiply.b = memref::SubViewOp::create(
        b, right, ArrayRef<OpFoldResult>{b.getIndexAttr(0), part.row},
        ArrayRef<OpFoldResult>{b.getIndexAttr(terms.rightParts * depth / 2),
                               part.width},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1), b.getIndexAttr(1)});
    multiply.c = scratchMatrix(result);
    multiply.rows = b.roundUp(part.keys, kTileBlock);
    multiply.columns = part.width;
    multiply.staticSteps = depth / kTileDepth;
    multiply.steps = b.index(multiply.staticSteps);
    emitTileMultiply(b, lowering.library, multiply);
  };
  product(packed.panels, queryT, scores,
          llvm::alignTo(tile.flatBound(depthDims), kTileDepth));
  product(packed.valueT, gradT, grads,
          llvm::alignTo(tile.flatBound(valueDims), kTileDepth));
}

/// P z and dS of a part; `masked`: something may be hidden.
void BackwardLowering::tilePart(const TilePart &part, ScoreBlock *block,
                                bool masked) {
  tileScores(part);
  bool isPlain = hasIdentityScore(op) && op.getDifferentiate().empty();
  if (isPlain && !masked)
    tilePlainPoints(part);
  else
    tilePoints(part, *block, masked);

  for (int64_t i = 0; i < terms.rightParts; ++i) {
    Copy pairs;
    pairs.pairs = Copy::Pairs::Rows;
    pairs.from = tile.scratchView(scoreGrads, b.add(part.key, i * tileKeyBound),
                                  part.row);
    pairs.to = tile.scratchView(
        scoreGradPairs,
        b.add(b.div(part.key, b.index(2)), i * tileKeyBound / 2), part.row);
    pairs.rows = part.keys;
    pairs.columns = part.width;
    emitCopy(b, lowering.library, pairs);
  }
}

/// The same where everything is hidden.
void BackwardLowering::tileHidden(const TilePart &part) {
  auto clear = [&](Value matrix, Value row, Value rows, int64_t partRows) {
    clearRows(tile.scratchView(matrix, row, part.row), b.index(0), rows,
              part.width, partRows);
  };
  clear(probabilities, part.key, part.keys, tileKeyBound);
  clear(scoreGrads, part.key, part.keys, tileKeyBound);
  clear(scoreGradPairs, b.div(part.key, b.index(2)), b.ceilDiv(part.keys, 2),
        tileKeyBound / 2);
}

/// Does the mask bound by a range the keys that rows see? Their other points
/// are then 0, if a row has any key.
bool BackwardLowering::limitsKeys() {
  return op.getVisibleAttr() && op.getHidden().isSkip() &&
         keyDims.size() == 1 && op.getDifferentiate().empty();
}

/// Has each of these rows a probability of 0 where it sees nothing?
Value BackwardLowering::hideExactly(Value row, Value rows) {
  auto vector = VectorType::get(lanes, type);
  auto seen = VectorType::get(lanes, b.getI1Type());
  // Rows of NaN have it everywhere.
  auto predicate = op.getEmptyRows() == EmptyRows::Zero
                       ? arith::CmpFPredicate::OGE
                       : arith::CmpFPredicate::OGT;
  Value none = b.constant(vector, -std::numeric_limits<double>::infinity());
  Value all = b.loop(
      row, b.add(row, rows), lanes, b.integer(seen, 1),
      [&](Value lane, ValueRange carried) {
        Value lse = b.load(vector, lseOfRows, lane);
        Value holds = arith::CmpFOp::create(b, predicate, lse, none);
        return SmallVector<Value>{arith::AndIOp::create(b, carried[0], holds)};
      })[0];
  return vector::ReductionOp::create(b, vector::CombiningKind::AND, all);
}

/// Some rows against all keys, part by part: without the mask where all see
/// everything, not at all where they see nothing.
void BackwardLowering::tileKeys(Value row, Value rows, ScoreBlock *block) {
  Value keys = tile.flatSize(keyDims), zero = b.index(0);
  auto parts = [&](function_ref<void(const TilePart &)> body) {
    b.loop(zero, keys, kPartKeys, [&](Value key) {
      body({row, rows, b.roundUp(rows, kTileDepth), key,
            b.min(b.index(kPartKeys), b.sub(keys, key))});
    });
  };
  bool hides = op.getVisibleAttr() || op.getBlocks();
  if (!hides || !limitsKeys())
    return parts([&](const TilePart &part) { tilePart(part, block, hides); });

  ScoreBlock::StepRange range = block->stepRange(row, rows);
  Value exactly = hideExactly(row, rows);
  auto holds = [&](arith::CmpIPredicate predicate, Value lhs,
                   Value rhs) -> Value {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  };
  auto both = [&](Value lhs, Value rhs) -> Value {
    return arith::AndIOp::create(b, lhs, rhs);
  };
  auto otherwise = [&](Value condition, function_ref<void()> then,
                       function_ref<void()> body) {
    auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenYield());
    then();
    b.setInsertionPoint(branch.elseYield());
    body();
  };
  parts([&](const TilePart &part) {
    Value end = b.add(part.key, part.keys);
    Value beside = arith::OrIOp::create(
        b, holds(arith::CmpIPredicate::sle, end, range.from),
        holds(arith::CmpIPredicate::sge, part.key, range.to));
    auto masked = [&] { tilePart(part, block, /*masked=*/true); };
    otherwise(
        both(exactly, beside), [&] { tileHidden(part); },
        [&] {
          if (!range.open)
            return masked();
          Value open =
              both(holds(arith::CmpIPredicate::sge, part.key, range.open),
                   holds(arith::CmpIPredicate::sle, end, range.openTo));
          otherwise(
              open, [&] { tilePart(part, block, /*masked=*/false); }, masked);
        });
  });
}

/// What lies beyond the last row in P z and dS, beyond the last key in the
/// pairs of dS.
void BackwardLowering::tileClear() {
  Value count = tile.flatSize(rowDims), keys = tile.flatSize(keyDims);
  Value padded = b.roundUp(count, kTileDepth);
  auto known = getConstantIntValue(count);
  if (!known || *known % kTileDepth != 0)
    for (Value matrix : {probabilities, scoreGrads})
      clearRows(tile.scratchView(matrix, b.index(0), count), b.index(0), keys,
                b.sub(padded, count), tileKeyBound);
  clearRows(scratchMatrix(scoreGradPairs), b.ceilDiv(keys, 2),
            b.div(b.roundUp(keys, kTileDepth), b.index(2)), padded,
            tileKeyBound / 2);
}

/// One query block against one key block.
void BackwardLowering::tileRows() {
  packTileRows();
  Type narrow = b.getBF16Type();
  int64_t rowPitch = oddLines(tileRowBound, 16);
  scores = scratchBuffer(kPartKeys, oddLines(kPartRows, 32), type, "scores");
  grads = scratchBuffer(kPartKeys, oddLines(kPartRows, 32), type, "gradients");
  probabilities = partBuffer(tileKeyBound, rowPitch, narrow, "probabilities");
  scoreGrads = partBuffer(tileKeyBound, rowPitch, narrow, "score gradients");
  scoreGradPairs = partBuffer(tileKeyBound / 2, oddLines(tileRowBound, 32),
                              b.getI32Type(), "pairs of score gradients");
  extraPoints.clear();
  for (unsigned i = 0; i < op.getDifferentiate().size(); ++i)
    extraPoints.push_back(scratchBuffer(tileKeyBound,
                                        oddLines(tileRowBound, 32), type,
                                        "extra gradient " + Twine(i)));
  std::optional<ScoreBlock> block;
  if (!isPlain()) {
    block.emplace(b, lowering, tile, op, rowDims, keyDims, keyDims);
    block->fillInParts(kTileDepth / kTileRows);
    block->prepare(tileRowBound);
    block->fill();
  }
  Value count = tile.flatSize(rowDims), keys = tile.flatSize(keyDims);
  b.loop(b.index(0), count, kPartRows, [&](Value row) {
    tileKeys(row, b.min(b.index(kPartRows), b.sub(count, row)),
             block ? &*block : nullptr);
  });
  if (block)
    expandMath(&*std::prev(b.getInsertionPoint()));
  tileClear();
  tileKeyGradient(probabilities, gradPairs, 2, valueDims);
  tileKeyGradient(scoreGrads, queryPairs, 1, depthDims);
  tileQueryGradient();
  for (auto [i, points] : llvm::enumerate(extraPoints)) {
    Value across = scratchBuffer(rowBound, pitch, type, "extra gradient");
    Copy copy;
    copy.transposed = true;
    copy.from = scratchMatrix(points);
    copy.to = scratchMatrix(across);
    copy.rows = count;
    copy.columns = keys;
    emitCopy(b, lowering.library, copy);
    accumulateExtra(*block, 3 + i, across);
  }
}
