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
//===----------------------------------------------------------------------===//
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Rows and keys of a part: S and dP fill half of the first-level cache.
static constexpr int64_t kPartRows = 64, kPartKeys = 64;

/// Elements of at least `count` that fill an odd number of cache lines.
static int64_t oddLines(int64_t count, int64_t bits) {
  int64_t line = 512 / bits, lines = llvm::divideCeil(count, line);
  return (lines + (lines % 2 == 0)) * line;
}

/// All products of bf16 by the matrix unit: what lies along k is padded with
/// zeros, of a size that is known.
bool BackwardLowering::canUseTiles() {
  auto isKnown = [&](ArrayRef<unsigned> dims) {
    int64_t size = tile.flatBound(dims);
    return !ShapedType::isDynamic(size) && size > 0;
  };
  return type.isF32() && isKnown(depthDims) && isKnown(valueDims) &&
         target.hasBF16Tiles(rowBound) && target.hasBF16Tiles(keyBound) &&
         llvm::all_of(ValueRange{op.getQuery(), op.getKey(), op.getValue(),
                                 op.getOutputGrad()},
                      [](Value v) {
                        return getElementTypeOrSelf(v.getType()).isBF16();
                      });
}

void BackwardLowering::planTiles() {
  requestTiles(op, lowering.tileFunctions);
  tileRowBound = llvm::alignTo(rowBound, kTileDepth);
  tileKeyBound = llvm::alignTo(keyBound, kTileDepth);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Elements of the columns [0, columns) in the rows [from, to) become 0.
void BackwardLowering::clearRows(Value matrix, Value from, Value to,
                                 Value columns) {
  auto first = getConstantIntValue(from), end = getConstantIntValue(to);
  if (first && end && *first == *end)
    return;
  Copy zeros;
  zeros.from = zeros.to = tile.rowsFrom(matrix, from);
  zeros.rows = b.sub(to, from);
  zeros.columns = b.index(0);
  zeros.paddedColumns = columns;
  emitCopy(b, lowering.library, zeros);
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
      scratchBuffer(bound, tile.flatBound(columns), b.getBF16Type(), purpose);
  tile.copyIn(operand, map, rows, columns, packed, Copy());
  return scratchMatrix(packed);
}

/// A left operand of whole blocks: itself, or padded with zeros along k. Rows
/// beyond its last one may hold anything, for what comes of them is not read.
Value BackwardLowering::leftRows(Value view, int64_t bound, Value count,
                                 int64_t depth, const Twine &purpose) {
  auto known = getConstantIntValue(count);
  if (known && *known % kTileBlock == 0 && depth % kTileDepth == 0)
    return view;
  int64_t padded = llvm::alignTo(depth, kTileDepth);
  Value packed = scratchBuffer(bound, padded, b.getBF16Type(), purpose);
  Copy copy;
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
  Value packed = scratchBuffer(llvm::alignTo(depth, kTileBlock),
                               oddLines(tileKeyBound / 2, 32), b.getI32Type(),
                               "transposed key" + suffix);
  Copy copy;
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
    alongDepth = copy.to =
        scratchMatrix(scratchBuffer(steps, oddLines(tileRowBound, 32),
                                    b.getI32Type(), "transposed " + name));
    copy.rows = b.index(depth);
    copy.columns = count;
    copy.paddedColumns = b.index(tileRowBound);
    emitCopy(b, lowering.library, copy);
    clearRows(alongDepth, b.index(llvm::divideCeil(depth, 2)), b.index(steps),
              b.index(tileRowBound));

    int64_t width = llvm::alignTo(depth, kTileRows);
    copy.transposed = false;
    alongRows = copy.to = scratchMatrix(
        scratchBuffer(tileRowBound / 2, oddLines(width, 32), b.getI32Type(),
                      "pairs of " + name + " rows"));
    copy.rows = count;
    copy.columns = b.index(depth);
    copy.paddedColumns = Value();
    emitCopy(b, lowering.library, copy);
    clearRows(alongRows, b.ceilDiv(count, 2), b.div(padded, two),
              b.index(width));
  };
  pack(op.getQuery(), mapOf(0), depthDims, "query", queryT, queryPairs);
  pack(op.getOutputGrad(), mapOf(op.getOutputGradMutable()), valueDims,
       "output gradient", gradT, gradPairs);
  lseOfRows = rowVector(op.getLse(), "lse of rows");
  deltaOfRows = rowVector(op.getDelta(), "delta of rows");
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// P z = P and dS where x = scale s and nothing is hidden.
void BackwardLowering::tilePlainPoints(const TilePart &part) {
  double scale = op.getScaleValue();
  std::string key;
  llvm::raw_string_ostream(key)
      << llvm::bit_cast<uint64_t>(scale) << ' ' << int(op.getEmptyRows());
  auto from = [&](Value vector) -> Value {
    return memref::SubViewOp::create(b, vector,
                                     ArrayRef<OpFoldResult>{part.row},
                                     ArrayRef<OpFoldResult>{part.width},
                                     ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  };
  auto body = [&](Emit &b, ValueRange arguments) {
    auto vector = VectorType::get(lanes, type);
    auto narrow = VectorType::get(lanes, b.getBF16Type());
    Value factor = b.constant(vector, scale);
    constexpr int64_t together = kTileDepth / kTileRows;
    b.loop(b.index(0), arguments[7], together * lanes, [&](Value first) {
      SmallVector<Value> lane, minusLse, minusDelta;
      for (int64_t v = 0; v < together; ++v) {
        lane.push_back(b.add(first, v * lanes));
        Value lse = b.load(vector, arguments[4], lane.back());
        Value delta = b.load(vector, arguments[5], lane.back());
        delta = arith::MulFOp::create(b, delta, factor);
        minusLse.push_back(arith::NegFOp::create(b, rowReference(b, lse)));
        minusDelta.push_back(arith::NegFOp::create(b, delta));
      }
      b.loop(b.index(0), arguments[6], 1, [&](Value i) {
        for (int64_t v = 0; v < together; ++v) {
          SmallVector<Value> at{i, lane[v]};
          Value s = b.load(vector, arguments[0], at);
          Value p = emitExpNegative(
              b, vector::FMAOp::create(b, s, factor, minusLse[v]), target);
          Value dP = b.load(vector, arguments[1], at);
          // scale (dP - D)
          Value dS = arith::MulFOp::create(
              b, p, vector::FMAOp::create(b, dP, factor, minusDelta[v]));
          b.store(arith::TruncFOp::create(b, narrow, p), arguments[2], at);
          b.store(arith::TruncFOp::create(b, narrow, dS), arguments[3], at);
        }
      });
    });
  };
  lowering.library.call(b, "attn_tile_points", key,
                        {scratchMatrix(scores), scratchMatrix(grads),
                         tile.scratchView(probabilities, part.key, part.row),
                         tile.scratchView(scoreGrads, part.key, part.row),
                         from(lseOfRows), from(deltaOfRows), part.keys,
                         part.width},
                        body);
}

/// The same of any score function; `masked`: something may be hidden.
void BackwardLowering::tilePoints(const TilePart &part, ScoreBlock &block,
                                  bool masked) {
  auto vector = VectorType::get(lanes, type);
  Type narrow = b.getBF16Type();
  b.loop(b.index(0), part.rows, lanes, [&](Value lane) {
    Value row = b.add(part.row, lane);
    Value lse = rowReference(b, b.load(vector, lseOfRows, row));
    Value delta = b.load(vector, deltaOfRows, row);
    if (block.hasParts())
      block.fillPart(part.key, part.keys, row);
    b.loop(b.index(0), part.keys, 1, [&](Value i) {
      Value key = b.add(part.key, i);
      SmallVector<Value> at{key, row};
      ScoreBlock::Point point =
          block.at(key, row, b.load(vector, scores, {i, lane}), masked);
      PointGradients gradients =
          pointGradients(point, b.load(vector, grads, {i, lane}), lse, delta);
      auto keep = [&](Value v, Value matrix) {
        b.store(convertFloat(b, b.getLoc(), v, narrow), matrix, at);
      };
      keep(gradients.weighted, probabilities);
      keep(gradients.score, scoreGrads);
      for (auto [gradient, points] :
           llvm::zip_equal(gradients.extras, extraPoints))
        b.store(gradient, points, at);
    });
  });
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
    multiply.a = tile.rowsFrom(left, part.key);
    multiply.b = memref::SubViewOp::create(
        b, right, ArrayRef<OpFoldResult>{b.getIndexAttr(0), part.row},
        ArrayRef<OpFoldResult>{b.getIndexAttr(depth / 2), part.width},
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

  Copy pairs;
  pairs.pairs = Copy::Pairs::Rows;
  pairs.from = tile.scratchView(scoreGrads, part.key, part.row);
  pairs.to =
      tile.scratchView(scoreGradPairs, b.div(part.key, b.index(2)), part.row);
  pairs.rows = part.keys;
  pairs.columns = part.width;
  emitCopy(b, lowering.library, pairs);
}

/// The same where everything is hidden.
void BackwardLowering::tileHidden(const TilePart &part) {
  auto clear = [&](Value matrix, Value row, Value rows) {
    Copy zeros;
    zeros.from = zeros.to = tile.scratchView(matrix, row, part.row);
    zeros.rows = rows;
    zeros.columns = b.index(0);
    zeros.paddedColumns = part.width;
    emitCopy(b, lowering.library, zeros);
  };
  clear(probabilities, part.key, part.keys);
  clear(scoreGrads, part.key, part.keys);
  clear(scoreGradPairs, b.div(part.key, b.index(2)), b.ceilDiv(part.keys, 2));
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
    for (Value matrix : {probabilities, scoreGrads}) {
      Copy zeros;
      zeros.from = zeros.to = tile.scratchView(matrix, b.index(0), count);
      zeros.rows = keys;
      zeros.columns = b.index(0);
      zeros.paddedColumns = b.sub(padded, count);
      emitCopy(b, lowering.library, zeros);
    }
  clearRows(scratchMatrix(scoreGradPairs), b.ceilDiv(keys, 2),
            b.div(b.roundUp(keys, kTileDepth), b.index(2)), padded);
}

/// One query block against one key block.
void BackwardLowering::tileRows() {
  packTileRows();
  Type narrow = b.getBF16Type();
  int64_t rowPitch = oddLines(tileRowBound, 16);
  scores = scratchBuffer(kPartKeys, oddLines(kPartRows, 32), type, "scores");
  grads = scratchBuffer(kPartKeys, oddLines(kPartRows, 32), type, "gradients");
  probabilities =
      scratchBuffer(tileKeyBound, rowPitch, narrow, "probabilities");
  scoreGrads = scratchBuffer(tileKeyBound, rowPitch, narrow, "score gradients");
  scoreGradPairs = scratchBuffer(tileKeyBound / 2, oddLines(tileRowBound, 32),
                                 b.getI32Type(), "pairs of score gradients");
  extraPoints.clear();
  for (unsigned i = 0; i < op.getDifferentiate().size(); ++i)
    extraPoints.push_back(scratchBuffer(tileKeyBound,
                                        oddLines(tileRowBound, 32), type,
                                        "extra gradient " + Twine(i)));
  std::optional<ScoreBlock> block;
  if (!isPlain()) {
    block.emplace(b, lowering, tile, op, rowDims, keyDims, keyDims);
    block->fillInParts();
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
