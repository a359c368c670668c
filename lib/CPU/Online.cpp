//===- Online.cpp - lowering of attn.online_attention ---------------------===//
//
// The op is cut into tiles of at most a query block by a key block. A tile's
// rows (all row dims that it spans, flattened) are the lanes of vectors:
//
//     packed Q   depth x rows     once per query block, transposed
//     S^T = K Q^T  keys x rows    with the maximum of each row on the way
//     region, mask                only if there is one: a pass over S^T
//     P^T        keys x rows      softmax with the new reference
//     acc = diag(correction) acc + P V
//
// Where a matrix unit makes the products (OnlineTiles.cpp) the last one is
//
//     acc^T = acc^T diag(correction) + V^T P^T
//
// From S to acc a tile is folded by groups of rows whose scores stay in the
// first-level cache, while the key block stays in the second.
//
//===----------------------------------------------------------------------===//
#include "OnlineLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Tiles without a tiling of their own have at most this many rows and keys.
static constexpr int64_t kMaxRows = 256, kDefaultRows = 64;
static constexpr int64_t kMaxKeys = 1024, kDefaultKeys = 256;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Few rows, and keys whose elements lie along the depth.
bool OnlineLowering::canUseDots() {
  int64_t depth = tile.flatBound(depthDims);
  if (rowBound > std::max<int64_t>(1, lanes / 2) || paddedRows != lanes ||
      ShapedType::isDynamic(depth) || depth == 0 || depth % lanes != 0 ||
      keyDims.size() > 1 || depthDims.size() > 1)
    return false;
  auto keyType = cast<MemRefType>(op.getKey().getType());
  AffineMap map = mapOf(1);
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (!depthDims.empty() &&
        cast<AffineDimExpr>(expr).getPosition() == depthDims.front())
      return keyType.getStridesAndOffset().first[i] == 1;
  return false;
}

/// The products' blocks: the tiling's for the one with V if it names one.
LogicalResult OnlineLowering::chooseBlocks() {
  int64_t width =
      ShapedType::isDynamic(valueSize)
          ? 4
          : std::max<int64_t>(1, llvm::divideCeil(valueSize, lanes));
  RegisterBlock usual = target.chooseBlock(rowBound, width);
  accBlock = usual;
  int64_t rowVectors = llvm::divideCeil(rowBound, lanes);
  scoreBlock = target.chooseBlock(keyBound, rowVectors);
  TilingAttr tiling = op.getTilingAttr();
  auto kernel =
      tiling ? dyn_cast_or_null<CPUKernelAttr>(tiling.getKernel()) : nullptr;
  if (!kernel)
    return success();
  int64_t vectors = llvm::divideCeil(kernel.getNr(), lanes);
  int64_t needed = kernel.getMr() * vectors + vectors + 1;
  if (needed > target.vectorRegisters)
    return op.emitOpError("expected a register block that fits ")
           << target.vectorRegisters << " vector registers of " << lanes
           << " elements, got mr = " << kernel.getMr()
           << ", nr = " << kernel.getNr() << ", which needs " << needed;
  // A block wider than the values would compute nothing but padding. Where
  // their number is known only at run time, what fits the registers is taken.
  if (!ShapedType::isDynamic(valueSize) && vectors > width)
    return op.emitOpError("expected nr of the register block to be at most ")
           << width * lanes
           << ", as wide as the values, got nr = " << kernel.getNr();
  accBlock = {kernel.getMr(), vectors};
  scoreBlock =
      ::attn::scoreRegisterBlock(target, keyBound, rowVectors, accBlock, usual);
  return success();
}

LogicalResult OnlineLowering::plan() {
  if (failed(tile.setRanges(op)))
    return failure();
  TilingAttr tiling = op.getTilingAttr();
  ArrayRef<int64_t> none;
  rowCut = tile.cut(roles.row, tiling ? tiling.getQueryBlock() : none, kMaxRows,
                    kDefaultRows);
  keyCut = tile.cut(roles.key, tiling ? tiling.getKeyBlock() : none, kMaxKeys,
                    kDefaultKeys);
  batch = tile.present(roles.batch);
  rowDims = rowCut.group;
  keyDims = keyCut.group;
  depthDims = tile.present(roles.depth);
  valueDims = tile.present(roles.value);

  lanes = target.lanes(type);
  rowBound = tile.bound(rowCut);
  keyBound = tile.bound(keyCut);
  valueSize = tile.flatBound(valueDims);
  if (failed(chooseBlocks()))
    return failure();
  useTiles = canUseTiles();
  if (useTiles)
    planTiles();
  paddedRows = llvm::alignTo(rowBound, scoreBlock.vectors * lanes);
  pitch = oddLines(paddedRows, type.getWidth());
  groupRows = ::attn::rowGroup(target, keyBound, type.getWidth() / 8,
                               scoreBlock.vectors * lanes, paddedRows);
  groupPitch = oddLines(groupRows, type.getWidth());
  // Rows that lie apart see the same range.
  edgeRows = rowDims.size() == 1
                 ? ::attn::edgeVectors(scoreBlock.vectors) * lanes
                 : groupRows;
  edgeBlock = useTiles ? RegisterBlock{kTileBlock, edgeRows / lanes}
                       : target.chooseBlock(keyBound, edgeRows / lanes);

  bool dot = target.hasBF16Dot() && type.isF32();
  scorePairs =
      useTiles || (dot && elementOf(op.getQuery()).isBF16() &&
                   elementOf(op.getKey()).isBF16() && depthDims.size() <= 1);
  valuePairs = useTiles || (dot && elementOf(op.getValue()).isBF16() &&
                            keyDims.size() <= 1 && rowBound > accBlock.rows);
  useDots = canUseDots() && !useTiles;
  scorePairs = scorePairs && !useDots;
  dotsEvenOdd = useDots && type.isF32() && elementOf(op.getKey()).isBF16() &&
                tile.flatBound(depthDims) % (2 * lanes) == 0;
  weighted =
      bool(cast<YieldOp>(op.getScore().front().getTerminator()).getWeight());
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Moves the elements in even places of each two vectors before the others.
void OnlineLowering::splitEvenOdd(Value matrix, int64_t columns) {
  auto pair = VectorType::get(2 * lanes, type);
  b.loop(b.index(0), tile.flatSize(rowDims), 1, [&](Value row) {
    b.loop(b.index(0), b.index(columns), 2 * lanes, [&](Value k) {
      auto split =
          vector::DeinterleaveOp::create(b, b.load(pair, matrix, {row, k}));
      b.store(split.getRes1(), matrix, {row, k});
      b.store(split.getRes2(), matrix, {row, b.add(k, lanes)});
    });
  });
}

/// Packed Q: depth (or pairs of depth) x rows.
void OnlineLowering::packQuery() {
  int64_t depth = tile.flatBound(depthDims);
  Copy copy;
  if (useDots) { // rows x depth, small
    packedQuery = buffer({rowBound, depth}, type, "query");
    tile.copyIn(op.getQuery(), mapOf(0), rowDims, depthDims, packedQuery, copy);
    if (dotsEvenOdd)
      splitEvenOdd(packedQuery, depth);
    return;
  }
  copy.transposed = true;
  copy.padding = Copy::Padding::Repeat;
  copy.paddedColumns = b.index(paddedRows);
  Type element = type;
  if (scorePairs) {
    copy.pairs = Copy::Pairs::Rows;
    element = b.getI32Type();
    if (!ShapedType::isDynamic(depth))
      depth = llvm::divideCeil(depth, 2);
    if (useTiles)
      depth = tileDepth.size(scoreTerms.rightParts) / 2;
  }
  // Outside of the loops around the op, where only the op's own tile decides
  // what is packed.
  Operation *point = lowering.queryPoint.lookup(op);
  bool ownLoops = !batch.empty() || !rowCut.loopDims.empty();
  bool hoisted = !ownLoops && point != op && !ShapedType::isDynamic(depth);
  if (!hoisted) {
    packedQuery =
        buffer(depth, b.ceilDiv(tile.flatSize(depthDims), scorePairs ? 2 : 1),
               pitch, Value(), element, "packed query");
    copyQuery(packedQuery, copy);
    return;
  }
  std::string key;
  llvm::raw_string_ostream(key)
      << op.getQuery().getAsOpaquePointer() << ' ' << mapOf(0) << ' ' << element
      << ' ' << depth << ' ' << paddedRows << listed(depthDims)
      << listed(rowDims);
  Value &cached = lowering.packedQueries[point->getBlock()][key];
  if (!cached) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(point);
    cached = buffer({depth, pitch}, element,
                    "packed query " + Twine(lowering.numPackedQueries++));
    copy.paddedColumns = b.index(paddedRows);
    // Sizes and offsets as they are known there: from Q itself.
    SmallVector<DimRange> whole(tile.ranges);
    for (auto [i, expr] : llvm::enumerate(mapOf(0).getResults())) {
      DimRange &range = tile.ranges[cast<AffineDimExpr>(expr).getPosition()];
      Value position = b.index(i);
      range.offset = b.index(0);
      range.size = b.createOrFold<memref::DimOp>(op.getQuery(), position);
    }
    copyQuery(cached, copy);
    tile.ranges = whole;
  }
  packedQuery = cached;
}

void OnlineLowering::copyQuery(Value packed, Copy copy) {
  if (useTiles)
    return tileQuery(packed, copy);
  tile.copyIn(op.getQuery(), mapOf(0), depthDims, rowDims, packed, copy);
}

/// K as the left operand of the scores: in place if it can be, else packed.
Value OnlineLowering::keyMatrix() {
  bool single = keyDims.size() <= 1 && depthDims.size() <= 1;
  int64_t depth = tile.flatBound(depthDims);
  if (single && (scorePairs || elementOf(op.getKey()) == type)) {
    Value view =
        tile.view(op.getKey(), mapOf(1), only(keyDims), only(depthDims));
    bool even = !ShapedType::isDynamic(depth) && depth % 2 == 0;
    if (!scorePairs || (even && hasContiguousRows(view)))
      return view;
  }
  Copy copy;
  Value count = tile.flatSize(depthDims);
  Type element = type;
  if (scorePairs) {
    copy.pairs = Copy::Pairs::Columns;
    element = b.getI32Type();
    count = b.ceilDiv(count, 2);
    if (!ShapedType::isDynamic(depth))
      depth = llvm::divideCeil(depth, 2);
  }
  Value packed = buffer(keyBound, Value(), depth, count, element, "packed key");
  tile.copyIn(op.getKey(), mapOf(1), keyDims, depthDims, packed, copy);
  return tile.scratchView(packed, b.index(0), b.index(0));
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

void OnlineLowering::stateIn() {
  Copy copy;
  copy.padding = Copy::Padding::Repeat;
  copy.paddedColumns = b.index(paddedRows);
  OpOperand &maxOperand = op.getMaxMutable(), &sumOperand = op.getSumMutable();
  tile.copyIn(op.getMax(), mapOf(maxOperand), {}, rowDims, max, copy);
  tile.copyIn(op.getSum(), mapOf(sumOperand), {}, rowDims, sum, copy);

  if (useTiles)
    return tileStateIn();
  AffineMap accMap = mapOf(op.getAccMutable());
  accInPlace = false;
  if (rowDims.size() <= 1 && valueDims.size() <= 1) {
    accumulator =
        tile.view(op.getAcc(), accMap, only(rowDims), only(valueDims));
    accInPlace = hasContiguousRows(accumulator);
  }
  if (accInPlace)
    return;
  int64_t width = accBlock.vectors * lanes, columns = valueSize;
  Value count = b.roundUp(tile.flatSize(valueDims), width);
  if (!ShapedType::isDynamic(columns))
    columns = llvm::alignTo(columns, width);
  accumulator = buffer(rowBound, Value(), columns, count, type, "accumulator");
  Copy accCopy;
  accCopy.paddedColumns = count;
  tile.copyIn(op.getAcc(), accMap, rowDims, valueDims, accumulator, accCopy);
}

void OnlineLowering::stateOut() {
  // The maximum of a row with a NaN is NaN too; so far only its sum is.
  auto vector = VectorType::get(lanes, type);
  b.loop(b.index(0), b.index(paddedRows), lanes, [&](Value lane) {
    Value s = b.load(vector, sum, lane);
    Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, s, s);
    Value m = b.load(vector, max, lane);
    b.store(arith::SelectOp::create(b, isNaN, s, m), max, lane);
  });
  tile.copyOut(max, op.getMax(), mapOf(op.getMaxMutable()), {}, rowDims);
  tile.copyOut(sum, op.getSum(), mapOf(op.getSumMutable()), {}, rowDims);
  if (accInPlace)
    return;
  ArrayRef<unsigned> accRows = rowDims, accColumns = valueDims;
  if (useTiles)
    std::swap(accRows, accColumns);
  tile.copyOut(accumulator, op.getAcc(), mapOf(op.getAccMutable()), accRows,
               accColumns);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// One query block against all keys.
void OnlineLowering::rows() {
  size_t mark = buffers.mark();
  int64_t wholeGroups = llvm::alignTo(paddedRows, groupRows);
  max = buffer({wholeGroups}, type, "max");
  sum = buffer({wholeGroups}, type, "sum");
  correction = buffer({groupRows}, type, "correction");
  raw = buffer({groupRows}, type, "raw maxima");
  packQuery();
  stateIn();
  if (needsScorePass(op)) {
    pass.emplace(b, lowering, tile, op, rowDims, keyDims);
    pass->prepareRows(paddedRows);
  }
  tile.nest(keyCut.loopDims, keyCut.steps, [&] { keys(); });
  stateOut();
  buffers.freeTo(mark);
}

/// One query block against one key block.
void OnlineLowering::keys() {
  size_t mark = buffers.mark();
  if (useTiles) {
    packTileKeys();
    packTileValues();
  } else {
    key = useDots
              ? tile.view(op.getKey(), mapOf(1), only(keyDims), only(depthDims))
              : keyMatrix();
    RightOperand right{op.getValue(), mapOf(2),   keyDims,
                       valueDims,     keyBound,   accBlock.vectors * lanes,
                       type,          valuePairs, rowBound <= accBlock.rows};
    right.inStretches = true;
    value =
        rightMatrix(b, tile, buffers, right, "packed value", valuePanelRows);
  }
  if (pass)
    pass->fill();
  Value rowCount = tile.flatSize(rowDims);
  auto fold = [&](Value first, Value rows) {
    if (limitsKeys())
      foldVisible(first, rows);
    else
      foldGroup(wholeGroup(first, rows));
  };
  if (groupRows >= paddedRows)
    fold(b.index(0), rowCount);
  else
    b.loop(b.index(0), rowCount, groupRows, [&](Value first) {
      fold(first, b.min(b.index(groupRows), b.sub(rowCount, first)));
    });
  buffers.freeTo(mark);
}

LogicalResult OnlineLowering::run() {
  b.setInsertionPoint(op);
  if (op->getNumResults())
    return op.emitOpError("expected memrefs, got tensors: run "
                          "one-shot-bufferize before attn-lower-to-vector");
  if (failed(plan()))
    return failure();
  // Nothing to fold, or nothing to fold into: the state stays as it is.
  Value any = tile.hasPoints(
      llvm::to_vector(llvm::concat<const unsigned>(roles.row, roles.key)));
  SmallVector<int64_t> ones(batch.size(), 1);
  b.when(any, [&] {
    tile.nest(batch, ones, [&] {
      tile.nest(rowCut.loopDims, rowCut.steps, [&] { rows(); });
    });
  });
  op.erase();
  return success();
}

LogicalResult mlir::attn::lowerOnline(OnlineAttentionOp op,
                                      Lowering &lowering) {
  return OnlineLowering(op, lowering).run();
}
