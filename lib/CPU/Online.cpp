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
// From S to acc a tile is folded by groups of rows whose scores stay in the
// first-level cache, while the key block stays in the second.
//
//===----------------------------------------------------------------------===//
#include "Online.h"
#include "Operands.h"
#include "Scores.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Tiles without a tiling of their own have at most this many rows and keys.
constexpr int64_t kMaxRows = 256, kDefaultRows = 64;
constexpr int64_t kMaxKeys = 1024, kDefaultKeys = 256;

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
  /// At least `columns` elements, an odd number of cache lines: a column then
  /// visits all sets.
  int64_t oddLines(int64_t columns) {
    int64_t line = 512 / type.getWidth();
    int64_t lines = llvm::divideCeil(columns, line);
    return (lines + (lines % 2 == 0)) * line;
  }
  SmallVector<Product::Next> nextKeys(unsigned operand,
                                      ArrayRef<unsigned> columns,
                                      const Group &group, int64_t blocks);
  SmallVector<Product::Next> nextQueries(const Group &group);
  void emitScores(Value scoreBuffer, const Group &group);
  void emitSoftmax(Value scoreBuffer, Value probabilities, Value weights,
                   const Group &group);
  void emitAccumulate(Value probabilities, const Group &group);

  void rows();
  void keys();
  void foldGroup(const Group &group);
  /// The rows of a group rounded up to whole blocks of the scores' product.
  Value paddedCount(const Group &group) {
    return b.roundUp(group.rows, group.block.vectors * lanes);
  }
  void packQuery();
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
  bool accInPlace = false, weighted = false;
  std::optional<ScorePass> pass;

  Value packedQuery, max, sum, correction, raw, accumulator;
  Value key, value; ///< the key block as the products read it
  int64_t valuePanelRows = 0;
};

} // namespace

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
  paddedRows = llvm::alignTo(rowBound, scoreBlock.vectors * lanes);
  pitch = oddLines(paddedRows);
  groupRows = ::attn::rowGroup(target, keyBound, type.getWidth() / 8,
                               scoreBlock.vectors * lanes, paddedRows);
  groupPitch = oddLines(groupRows);
  // Rows that lie apart see the same range.
  edgeRows = rowDims.size() == 1
                 ? ::attn::edgeVectors(scoreBlock.vectors) * lanes
                 : groupRows;
  edgeBlock = target.chooseBlock(keyBound, edgeRows / lanes);

  bool dot = target.hasBF16Dot() && type.isF32();
  scorePairs = dot && elementOf(op.getQuery()).isBF16() &&
               elementOf(op.getKey()).isBF16() && depthDims.size() <= 1;
  valuePairs = dot && elementOf(op.getValue()).isBF16() &&
               keyDims.size() <= 1 && rowBound > accBlock.rows;
  useDots = canUseDots();
  scorePairs = scorePairs && !useDots;
  weighted =
      bool(cast<YieldOp>(op.getScore().front().getTerminator()).getWeight());
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Packed Q: depth (or pairs of depth) x rows.
void OnlineLowering::packQuery() {
  int64_t depth = tile.flatBound(depthDims);
  Copy copy;
  if (useDots) { // rows x depth, small
    packedQuery = buffer({rowBound, depth}, type, "query");
    tile.copyIn(op.getQuery(), mapOf(0), rowDims, depthDims, packedQuery, copy);
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
    tile.copyIn(op.getQuery(), mapOf(0), depthDims, rowDims, packedQuery, copy);
    return;
  }
  std::string key;
  llvm::raw_string_ostream(key)
      << op.getQuery().getAsOpaquePointer() << ' ' << mapOf(0) << ' ' << element
      << ' ' << paddedRows << ' ' << roles.row.size();
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
    tile.copyIn(op.getQuery(), mapOf(0), depthDims, rowDims, cached, copy);
    tile.ranges = whole;
  }
  packedQuery = cached;
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
  if (!accInPlace)
    tile.copyOut(accumulator, op.getAcc(), mapOf(op.getAccMutable()), rowDims,
                 valueDims);
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

/// Raw scores of a key block and their maxima per row.
void OnlineLowering::emitScores(Value scoreBuffer, const Group &group) {
  Value zero = b.index(0);
  if (useDots) {
    Dots dots;
    dots.type = type;
    dots.rowBound = rowBound;
    dots.keys = tile.rowsFrom(key, group.firstKey);
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
  Value zero = b.index(0);
  Softmax softmax;
  softmax.type = type;
  softmax.valueType = cast<FloatType>(elementOf(op.getValue()));
  softmax.bf16Pairs = valuePairs;
  softmax.vectors = group.block.vectors;
  softmax.scale = pass && pass->scales() ? 1.0 : op.getScaleValue();
  softmax.scores = tile.scratchView(scoreBuffer, zero, zero);
  softmax.probabilities = tile.scratchView(probabilities, zero, zero);
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
  accumulate.streamsB = useDots && rowBound <= accBlock.rows;
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
  Value scoreBuffer = buffer({keyBound, groupPitch}, type, "scores");
  emitScores(scoreBuffer, group);
  Value weights;
  if (weighted)
    weights = buffer({keyBound, groupPitch}, type, "weights");
  if (pass && (group.masked || hasScoreFunction(op)))
    pass->emit(scoreBuffer, weights, raw,
               {group.first, paddedCount(group), group.firstKey, group.keys,
                group.masked});
  Value probabilities = scoreBuffer;
  if (valuePairs)
    probabilities = buffer({(keyBound + 1) / 2, groupPitch}, b.getI32Type(),
                           "probabilities");
  emitSoftmax(scoreBuffer, probabilities, weights, group);
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
  // In order, and pairs of keys stay together.
  int64_t together = valuePairs ? 2 : 1;
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

/// One query block against one key block.
void OnlineLowering::keys() {
  size_t mark = buffers.mark();
  key = useDots
            ? tile.view(op.getKey(), mapOf(1), only(keyDims), only(depthDims))
            : keyMatrix();
  RightOperand right{op.getValue(), mapOf(2),   keyDims,
                     valueDims,     keyBound,   accBlock.vectors * lanes,
                     type,          valuePairs, rowBound <= accBlock.rows};
  right.inStretches = true;
  value = rightMatrix(b, tile, buffers, right, "packed value", valuePanelRows);
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
