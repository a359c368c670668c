//===- OnlineTiles.cpp - a forward's products by a matrix unit ------------===//
//
// S^T = K Q^T reads K where it is, if whole blocks of whole steps lie there.
// acc^T += V^T P^T reads V^T, which is brought once per key block into panels
// of 32 keys: a tile of it is then 16 lines behind each other. P^T is where the
// softmax writes it, in pairs of keys.
//
// Of f32 and f16 the unit multiplies bf16 parts (TileTerms.h), which K, V and Q
// become when they are packed, and P where the softmax writes it.
//
// Steps along the keys are whole panels: beside the keys that a group folds, P
// is 0, and so is V where nobody has to see it (it may hold anything there).
//
//===----------------------------------------------------------------------===//
#include "OnlineLowering.h"

using namespace mlir;
using namespace mlir::attn;

static bool isTileType(Type type) {
  return type.isBF16() || type.isF16() || type.isF32();
}
static ::attn::ElementType tileType(Type type) {
  return type.isBF16()  ? ::attn::ElementType::BF16
         : type.isF16() ? ::attn::ElementType::F16
                        : ::attn::ElementType::F32;
}

/// Both products by the matrix unit: what lies along k is padded with zeros, of
/// a size that is known.
bool OnlineLowering::canUseTiles() {
  Type element = elementOf(op.getQuery());
  auto isKnown = [&](ArrayRef<unsigned> dims) {
    int64_t size = tile.flatBound(dims);
    return dims.size() <= 1 && !ShapedType::isDynamic(size) && size > 0;
  };
  return type.isF32() && elementOf(op.getKey()) == element &&
         elementOf(op.getValue()) == element && isTileType(element) &&
         target.usesMatrixTiles(tileType(element), rowBound) &&
         isKnown(depthDims) && isKnown(valueDims) && keyDims.size() <= 1;
}

void OnlineLowering::planTiles() {
  requestTiles(op, lowering.tileFunctions);
  ::attn::ElementType element = tileType(elementOf(op.getQuery()));
  // A weight may make P as large as any operand.
  bool bounded =
      !cast<YieldOp>(op.getScore().front().getTerminator()).getWeight();
  scoreTerms = ::attn::tileTerms(element);
  sumTerms = ::attn::tileTerms(element, bounded);
  if (element != ::attn::ElementType::BF16) {
    operandParts = {element, false};
    probabilityParts = {element, bounded};
  }
  // Rows of a group: so many that setting the unit up is little.
  scoreBlock = {kTileBlock, rowBound > 2 * kTileRows ? 4
                            : rowBound > kTileRows   ? 2
                                                     : 1};
  tileDepth = ::attn::TileDepth(tile.flatBound(depthDims), scoreTerms);
  tileValues = llvm::alignTo(valueSize, kTileRows);
}

/// Emits what copies Q or K with the depth cut down to a part of it.
void OnlineLowering::copyDepth(int64_t from, int64_t count,
                               llvm::function_ref<void()> emit) {
  if (count == 0)
    return;
  if (depthDims.empty())
    return emit();
  DimRange &range = tile.ranges[depthDims.front()];
  DimRange whole = range;
  range = {b.add(whole.offset, from), b.index(count), count};
  emit();
  range = whole;
}

/// Where the ends of a left or a right operand's parts go.
SmallVector<Copy::Place, 6> OnlineLowering::placesOfEnds(bool left) {
  SmallVector<Copy::Place, 6> places;
  for (auto [i, term] : llvm::enumerate(scoreTerms.terms)) {
    int64_t at =
        tileDepth.pair(left ? scoreTerms.leftParts : scoreTerms.rightParts,
                       i / 2) +
        int64_t(i % 2) * ::attn::kHalfStep;
    places.push_back(left ? Copy::Place{term.left, 0, at}
                          : Copy::Place{term.right, at / 2, 0});
  }
  return places;
}

/// Rows of packed Q beyond the depth are 0.
void OnlineLowering::tileQuery(Value packed, Copy copy) {
  copy.parts = operandParts;
  if (operandParts && !rowDims.empty()) // along what is contiguous in memory
    copy.transposed =
        !tile.isContiguousAlong(op.getQuery(), mapOf(0), rowDims.back());
  auto copyRows = [&](int64_t from, int64_t count, int64_t room,
                      ArrayRef<Copy::Place> places) {
    copy.places.assign(places.begin(), places.end());
    copyDepth(from, count, [&] {
      tile.copyIn(op.getQuery(), mapOf(0), depthDims, rowDims, packed, copy);
    });
    int64_t first = llvm::divideCeil(count, 2);
    if (count == 0 || 2 * first == room)
      return;
    for (auto [part, row, column] : places) {
      Copy zeros;
      zeros.from = zeros.to =
          tile.scratchView(packed, b.index(row + first), b.index(column));
      zeros.rows = b.index(room / 2 - first);
      zeros.columns = b.index(0);
      zeros.paddedColumns = b.index(pitch);
      emitCopy(b, lowering.library, zeros);
    }
  };
  SmallVector<Copy::Place, 6> parts;
  for (int64_t part = 0; part < scoreTerms.rightParts; ++part)
    parts.push_back({part, part * tileDepth.part / 2, 0});
  int64_t depth = tile.flatBound(depthDims), whole = depth - tileDepth.end;
  copyRows(0, whole, tileDepth.part, parts);
  copyRows(whole, tileDepth.end, ::attn::kHalfStep, placesOfEnds(false));
}

/// K as the left operand: rows beyond the last key may hold anything, for what
/// comes of them is not read.
void OnlineLowering::packTileKeys() {
  int64_t depth = tile.flatBound(depthDims), whole = depth - tileDepth.end;
  auto count = getConstantIntValue(tile.flatSize(keyDims));
  if (!operandParts && count && *count % kTileBlock == 0 &&
      depth == tileDepth.part) {
    key = tile.view(op.getKey(), mapOf(1), only(keyDims), only(depthDims));
    if (hasContiguousRows(key))
      return;
  }
  Value packed = buffer({tileKeys(), tileDepth.size(scoreTerms.leftParts)},
                        b.getBF16Type(), "packed key");
  Copy copy;
  copy.parts = operandParts;
  if (operandParts && !keyDims.empty())
    copy.transposed =
        tile.isContiguousAlong(op.getKey(), mapOf(1), keyDims.front());
  auto copyColumns = [&](int64_t from, int64_t count, int64_t room) {
    copy.paddedColumns = b.index(room);
    copyDepth(from, count, [&] {
      tile.copyIn(op.getKey(), mapOf(1), keyDims, depthDims, packed, copy);
    });
  };
  copy.partColumns = tileDepth.part;
  copyColumns(0, whole, tileDepth.part);
  copy.places = placesOfEnds(true);
  copyColumns(whole, tileDepth.end, ::attn::kHalfStep);
  key = tile.scratchView(packed, b.index(0), b.index(0));
}

/// V^T by panels, and room for two in which something is hidden.
void OnlineLowering::packTileValues() {
  int64_t panels = tileKeys() / kTileDepth;
  int64_t height = sumTerms.leftParts * tileValues;
  value = buffer({(panels + 2) * height, kTileDepth / 2}, b.getI32Type(),
                 "packed value");
  Copy copy;
  copy.parts = operandParts;
  copy.partRows = tileValues;
  copy.transposed =
      !operandParts || keyDims.empty() ||
      !tile.isContiguousAlong(op.getValue(), mapOf(2), keyDims.front());
  copy.pairs = Copy::Pairs::Columns;
  copy.paddedColumns = b.index(kTileDepth);
  Value start = keyDims.empty() ? b.index(0) : tile.ranges[keyDims[0]].offset;
  SmallVector<int64_t> steps(keyDims.size(), kTileDepth);
  tile.nest(keyDims, steps, [&] {
    Value first = b.index(0);
    if (!keyDims.empty()) {
      Value at = b.sub(tile.ranges[keyDims[0]].offset, start);
      first = b.mul(b.div(at, b.index(kTileDepth)), height);
    }
    tile.copyIn(op.getValue(), mapOf(2), valueDims, keyDims, value, copy,
                first);
  });
}

void OnlineLowering::emitTileScores(Value scoreBuffer, const Group &group) {
  TileScores scores;
  scores.vectors = std::min<int64_t>(group.block.vectors, 2);
  scores.depth = tileDepth;
  scores.parts = scoreTerms;
  scores.a = key;
  scores.b = tile.scratchView(packedQuery, b.index(0), group.first);
  scores.c = tile.scratchView(scoreBuffer, b.index(0), b.index(0));
  scores.maxima = raw;
  scores.from = group.firstKey;
  scores.to = b.add(group.firstKey, group.keys);
  scores.columns = paddedCount(group);
  mlir::attn::emitTileScores(b, lowering.library, scores);
}

void OnlineLowering::emitTileAccumulate(Value probabilities,
                                        const Group &group) {
  Value zero = b.index(0), depth = b.index(kTileDepth);
  Value from = group.firstKey, to = b.add(from, group.keys);
  TileAccumulate sums;
  sums.vectors = std::min<int64_t>(group.block.vectors, 2);
  sums.rows = valueSize;
  sums.height = tileValues;
  sums.parts = sumTerms;
  sums.partRows = tileKeys() / 2;
  sums.panels = value;
  sums.b = tile.scratchView(probabilities, zero, zero);
  sums.sums = tile.scratchView(
      buffer({tileValues, groupPitch}, type, "sums of tiles"), zero, zero);
  sums.factors = correction;
  sums.first = sums.firstPanel = b.div(from, depth);
  sums.end = b.ceilDiv(to, kTileDepth);
  sums.lastPanel = b.sub(sums.end, b.index(1));
  sums.columns = paddedCount(group);
  sums.columnsOfC = group.rows;
  sums.raggedColumns = false;
  if (accInPlace) {
    DimRange whole;
    if (!rowDims.empty()) {
      DimRange &range = tile.ranges[rowDims.front()];
      whole = range;
      auto size = getConstantIntValue(range.size);
      // Columns are computed by whole blocks of a group's.
      int64_t width = group.block.vectors * kTileRows;
      sums.raggedColumns = !size || *size % width != 0;
      range.offset = b.add(range.offset, group.first);
    }
    sums.c = tile.view(op.getAcc(), mapOf(op.getAccMutable()), only(valueDims),
                       only(rowDims));
    sums.raggedColumns |= rowDims.empty();
    if (!rowDims.empty())
      tile.ranges[rowDims.front()] = whole;
  } else {
    sums.c = tile.scratchView(accumulator, zero, group.first);
  }

  auto isWhole = [](Value v) {
    auto known = getConstantIntValue(v);
    return known && *known % kTileDepth == 0;
  };
  if (!isWhole(from) || !isWhole(group.keys)) {
    TileEdges edges;
    edges.height = sumTerms.leftParts * tileValues;
    edges.probabilityParts = sumTerms.rightParts;
    edges.partRows = sums.partRows;
    edges.panels = value;
    edges.spare = tileKeys() / kTileDepth;
    edges.probabilities = sums.b;
    edges.from = from;
    edges.to = to;
    edges.columns = sums.columns;
    std::tie(sums.firstPanel, sums.lastPanel) =
        emitTileEdges(b, lowering.library, edges, tile.flatSize(keyDims));
  }
  mlir::attn::emitTileAccumulate(b, lowering.library, sums);
}

/// acc^T in place if its rows are contiguous, else in a matrix of its own.
void OnlineLowering::tileStateIn() {
  AffineMap map = mapOf(op.getAccMutable());
  accInPlace = false;
  if (rowDims.size() <= 1) {
    Value view = tile.view(op.getAcc(), map, only(valueDims), only(rowDims));
    accInPlace = hasContiguousRows(view);
  }
  if (accInPlace)
    return;
  accumulator = buffer({valueSize, pitch}, type, "accumulator");
  Copy copy;
  copy.transposed = !rowDims.empty() &&
                    !tile.isContiguousAlong(op.getAcc(), map, rowDims.back());
  copy.paddedColumns = b.index(pitch);
  tile.copyIn(op.getAcc(), map, valueDims, rowDims, accumulator, copy);
}
