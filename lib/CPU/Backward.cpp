//===- Backward.cpp - lowering of attn.online_backward --------------------===//
//
// The op is cut into tiles of at most a query block by a key block. A tile's
// keys (all key dims that it spans, flattened) are the lanes of vectors:
//
//     K^T, V^T   depth x keys     packed once per key block; K by panels, too
//     dO V^T = dP   rows x keys
//     S  = Q K^T    likewise; P z and dS in the places of S and dP: P from the
//                   LSE, then the region's VJP. Where the score is the product
//                   and nothing is hidden, S never leaves the registers.
//     dV += (P z)^T dO,  dK += dS^T Q,  dQ += dS K
//
// The products read P and dS with their strides exchanged: nothing is
// transposed but K and V. Where bf16 goes by dot products, P z and dS are
// written once more as pairs along what is summed over. Where a matrix unit
// makes the products (BackwardTiles.cpp) rows are the lanes.
//
//===----------------------------------------------------------------------===//
#include "Backward.h"
#include "BackwardLowering.h"

using namespace mlir;
using namespace mlir::attn;

/// Tiles without a tiling of their own have at most this many rows and keys.
static constexpr int64_t kMaxRows = 128, kDefaultRows = 64;
static constexpr int64_t kMaxKeys = 256, kDefaultKeys = 128;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// The register block of a product into a matrix with these columns: the
/// tiling's where it has one that is not wider.
RegisterBlock BackwardLowering::blockFor(ArrayRef<unsigned> columns) {
  int64_t size = tile.flatBound(columns);
  int64_t vectors = ShapedType::isDynamic(size)
                        ? 4
                        : std::max<int64_t>(1, llvm::divideCeil(size, lanes));
  TilingAttr tiling = op.getTilingAttr();
  if (auto kernel = tiling ? dyn_cast_or_null<CPUKernelAttr>(tiling.getKernel())
                           : nullptr) {
    int64_t wide = llvm::divideCeil(kernel.getNr(), lanes);
    if (wide <= vectors)
      return {kernel.getMr(), wide};
  }
  return target.chooseBlock(ShapedType::kDynamic, vectors);
}

LogicalResult BackwardLowering::plan() {
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
  rowBound = tile.bound(rowCut);
  keyBound = tile.bound(keyCut);
  scoreBlock = target.chooseBlock(rowBound, llvm::divideCeil(keyBound, lanes));
  depthBlock = blockFor(depthDims);
  valueBlock = blockFor(valueDims);
  for (RegisterBlock block : {depthBlock, valueBlock}) {
    int64_t needed = block.rows * block.vectors + block.vectors + 1;
    if (needed > target.vectorRegisters)
      return op.emitOpError("expected a register block that fits ")
             << target.vectorRegisters << " vector registers of " << lanes
             << " elements, got mr = " << block.rows
             << ", nr = " << width(block) << ", which needs " << needed;
  }
  paddedKeys = llvm::alignTo(keyBound, width(scoreBlock));
  useTiles = canUseTiles();
  if (useTiles)
    planTiles();
  usePairs = !useTiles && canUsePairs();
  pitch = oddLines(paddedKeys, type.getWidth());
  return success();
}

/// Are all products dot products of bf16 pairs?
bool BackwardLowering::canUsePairs() {
  Value operands[] = {op.getQuery(), op.getKey(), op.getValue(),
                      op.getOutputGrad()};
  auto isSingle = [](ArrayRef<unsigned> dims) { return dims.size() <= 1; };
  return target.hasBF16Dot() && type.isF32() && isSingle(rowDims) &&
         isSingle(keyDims) && isSingle(depthDims) && isSingle(valueDims) &&
         llvm::all_of(operands, [](Value operand) {
           return getElementTypeOrSelf(operand.getType()).isBF16();
         });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// K^T or V^T: depth (or pairs of it) x keys, lanes beyond the last key repeat
/// it.
Value BackwardLowering::transposed(Value operand, AffineMap map,
                                   ArrayRef<unsigned> depth,
                                   const Twine &purpose) {
  Copy copy;
  copy.transposed = true;
  copy.padding = Copy::Padding::Repeat;
  copy.paddedColumns = b.index(paddedKeys);
  int64_t rows = tile.flatBound(depth);
  Type element = type;
  if (usePairs) {
    copy.pairs = Copy::Pairs::Rows;
    element = b.getI32Type();
    if (!ShapedType::isDynamic(rows))
      rows = llvm::divideCeil(rows, 2);
  }
  Value packed = buffers.get(rows, inSteps(tile.flatSize(depth)), pitch,
                             Value(), element, purpose);
  tile.copyIn(operand, map, depth, keyDims, packed, copy);
  return packed;
}

PackedKeys BackwardLowering::packKeys(StringRef suffix) {
  if (useTiles)
    return packTileKeys(suffix);
  PackedKeys result;
  result.keyT =
      transposed(op.getKey(), mapOf(1), depthDims, "transposed key" + suffix);
  result.valueT = transposed(op.getValue(), mapOf(2), valueDims,
                             "transposed value" + suffix);
  RightOperand right{op.getKey(), mapOf(1),          keyDims, depthDims,
                     keyBound,    width(depthBlock), type,    usePairs};
  result.panels = rightMatrix(b, tile, buffers, right, "key panels" + suffix,
                              result.panelRows);
  return result;
}

/// The key block, packed outside of the loops around the op, where only the
/// op's own tile decides what is packed.
PackedKeys BackwardLowering::packedKeys() {
  Operation *point = lowering.keyPoint.lookup(op);
  bool ownLoops = !batch.empty() || !keyCut.loopDims.empty();
  bool isStatic = !ShapedType::isDynamic(tile.flatBound(depthDims)) &&
                  !ShapedType::isDynamic(tile.flatBound(valueDims));
  if (ownLoops || point == op || !isStatic)
    return packKeys("");
  std::string key;
  llvm::raw_string_ostream(key)
      << op.getKey().getAsOpaquePointer() << ' ' << mapOf(1) << ' '
      << op.getValue().getAsOpaquePointer() << ' ' << mapOf(2) << ' ' << type
      << ' ' << keyBound << ' ' << paddedKeys << ' ' << width(depthBlock) << ' '
      << useTiles << usePairs << listed(keyDims) << listed(depthDims)
      << listed(valueDims);
  PackedKeys &cached = lowering.packedKeys[point->getBlock()][key];
  if (cached.keyT)
    return cached;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(point);
  // Sizes and offsets as they are known there: from K and V themselves.
  SmallVector<DimRange> whole(tile.ranges);
  for (unsigned operand : {1u, 2u})
    for (auto [i, expr] : llvm::enumerate(mapOf(operand).getResults())) {
      DimRange &range = tile.ranges[cast<AffineDimExpr>(expr).getPosition()];
      Value position = b.index(i);
      range.offset = b.index(0);
      range.size =
          b.createOrFold<memref::DimOp>(op->getOperand(operand), position);
    }
  cached = packKeys((" " + Twine(lowering.numPackedKeys++)).str());
  tile.ranges = whole;
  return cached;
}

/// Q or dO as the left operand of a product: in place if it can be, else packed
/// and widened, or in pairs.
Value BackwardLowering::leftMatrix(Value operand, AffineMap map,
                                   ArrayRef<unsigned> columns,
                                   const Twine &purpose) {
  int64_t size = tile.flatBound(columns);
  if (usePairs) {
    Value view = tile.view(operand, map, only(rowDims), only(columns));
    bool isKnown = !ShapedType::isDynamic(size);
    if (isKnown && size % 2 == 0 && hasContiguousRows(view))
      return view;
    Copy copy;
    copy.pairs = Copy::Pairs::Columns;
    Value packed = buffers.get(
        rowBound, Value(), isKnown ? int64_t(llvm::divideCeil(size, 2)) : size,
        inSteps(tile.flatSize(columns)), b.getI32Type(), purpose);
    tile.copyIn(operand, map, rowDims, columns, packed, copy);
    return scratchMatrix(packed);
  }
  bool single = rowDims.size() <= 1 && columns.size() <= 1;
  if (single && getElementTypeOrSelf(operand.getType()) == type)
    return tile.view(operand, map, only(rowDims), only(columns));
  Value packed = buffers.get(rowBound, Value(), size, tile.flatSize(columns),
                             type, purpose);
  tile.copyIn(operand, map, rowDims, columns, packed, Copy());
  return scratchMatrix(packed);
}

/// P z or dS, rounded to bf16 and in pairs of rows or of keys (columns).
Value BackwardLowering::inPairs(Value points, Copy::Pairs pairs,
                                const Twine &purpose) {
  bool ofRows = pairs == Copy::Pairs::Rows;
  int64_t rows = ofRows ? llvm::divideCeil(rowBound, 2) : rowBound;
  int64_t columns =
      ofRows ? pitch : oddLines(llvm::divideCeil(paddedKeys, 2), 32);
  Copy copy;
  copy.pairs = pairs;
  copy.from = scratchMatrix(points);
  Value packed =
      buffers.get(rows, Value(), columns, Value(), b.getI32Type(), purpose);
  copy.to = scratchMatrix(packed);
  copy.rows = tile.flatSize(rowDims);
  copy.columns = tile.flatSize(keyDims);
  emitCopy(b, lowering.library, copy);
  return packed;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// result = left right^T: rows x keys.
void BackwardLowering::product(Value left, Value right, Value result,
                               ArrayRef<unsigned> depth,
                               ArrayRef<MatrixOperand> ahead,
                               std::optional<Product::Epilogue> epilogue) {
  Product product;
  product.kind = Product::Kind::Scores;
  product.type = type;
  product.block = scoreBlock;
  product.bf16Pairs = usePairs;
  product.a = left;
  product.b = scratchMatrix(right);
  product.c = scratchMatrix(result);
  product.m = tile.flatSize(rowDims);
  product.n = b.roundUp(tile.flatSize(keyDims), width(scoreBlock));
  product.k = inSteps(tile.flatSize(depth));
  product.next = requests(ahead);
  product.epilogue = std::move(epilogue);
  emitProduct(b, lowering.library, product);
}

/// gradient += matrix right, in place where its rows are contiguous.
void BackwardLowering::accumulate(const Accumulation &a) {
  OpOperand &operand = *op.getDpsInitOperand(a.gradient);
  AffineMap map = mapOf(operand);
  Product product;
  product.kind = Product::Kind::Accumulate;
  product.type = type;
  product.block = a.block;
  product.bf16Pairs = usePairs;
  product.panelRows = a.panelRows;
  product.a = a.matrix;
  product.b = a.right;
  product.m = tile.flatSize(a.rows);
  product.n = tile.flatSize(a.columns);
  product.k = inSteps(a.contracted);
  int64_t size = tile.flatBound(a.columns);
  bool known = !ShapedType::isDynamic(size);
  if (a.rows.size() <= 1 && a.columns.size() <= 1) {
    Value view = tile.view(operand.get(), map, only(a.rows), only(a.columns));
    if (hasContiguousRows(view)) {
      product.c = view;
      product.raggedColumns = !known || size % width(a.block) != 0;
      return emitProduct(b, lowering.library, product);
    }
  }
  Value count = b.roundUp(product.n, width(a.block));
  Copy copy;
  copy.paddedColumns = count;
  Value sums = buffers.get(
      a.rowBound, Value(), known ? llvm::alignTo(size, width(a.block)) : size,
      count, type, "sums of gradient " + Twine(a.gradient));
  tile.copyIn(operand.get(), map, a.rows, a.columns, sums, copy);
  product.c = scratchMatrix(sums);
  product.n = count;
  emitProduct(b, lowering.library, product);
  tile.copyOut(sums, operand.get(), map, a.rows, a.columns);
}

/// Adds the points' contributions to an extra's gradient, in order.
void BackwardLowering::accumulateExtra(ScoreBlock &block, unsigned gradient,
                                       Value points) {
  OpOperand &operand = *op.getDpsInitOperand(gradient);
  AffineMap map = mapOf(operand);
  Value rowCount = tile.flatSize(rowDims), keyCount = tile.flatSize(keyDims);
  bool plain = llvm::all_of(map.getResults(), [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  });
  Value whole = b.index(0), view;
  if (plain && rowDims.size() <= 1 && keyDims.size() <= 1) {
    bool perKey = !keyDims.empty() && map.isFunctionOfDim(keyDims.front());
    Value at = tile.view(operand.get(), map, only(rowDims),
                         perKey ? only(keyDims) : std::nullopt);
    if (perKey && hasContiguousRows(at)) {
      view = at;
      whole = b.roundDown(keyCount, lanes);
    }
  }
  b.loop(b.index(0), rowCount, 1, [&](Value row) {
    auto vector = VectorType::get(lanes, type);
    if (view)
      b.loop(b.index(0), whole, lanes, [&](Value key) {
        Value old = b.load(vector, view, {row, key});
        Value more = b.load(vector, points, {row, key});
        b.store(arith::AddFOp::create(b, old, more), view, {row, key});
      });
    b.loop(whole, keyCount, 1, [&](Value key) {
      SmallVector<Value> dims = useTiles ? block.localIndices(key, row)
                                         : block.localIndices(row, key);
      SmallVector<Value> at = block.evaluate(map, dims);
      Value old = b.load(operand.get(), at);
      Value more = b.load(points, {row, key});
      b.store(arith::AddFOp::create(b, old, more), operand.get(), at);
    });
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// One query block against one key block.
void BackwardLowering::rows() {
  size_t mark = buffers.mark();
  AffineMap queryMap = mapOf(0), gradMap = mapOf(op.getOutputGradMutable());
  scores = buffers.get(rowBound, Value(), pitch, Value(), type, "scores");
  grads = buffers.get(rowBound, Value(), pitch, Value(), type, "gradients");
  MatrixOperand inputs[] = {{&op->getOpOperand(0), depthDims},
                            {&op->getOpOperand(1), depthDims},
                            {&op->getOpOperand(2), valueDims},
                            {&op.getOutputGradMutable(), valueDims}};
  MatrixOperand gradients[] = {{op.getDpsInitOperand(0), depthDims},
                               {op.getDpsInitOperand(1), depthDims},
                               {op.getDpsInitOperand(2), valueDims}};
  product(leftMatrix(op.getOutputGrad(), gradMap, valueDims, "output gradient"),
          packed.valueT, grads, valueDims, gradients);
  Value query = leftMatrix(op.getQuery(), queryMap, depthDims, "query");
  if (isPlain()) {
    product(query, packed.keyT, scores, depthDims, inputs, plainPoints());
  } else {
    product(query, packed.keyT, scores, depthDims, inputs);
    emitPoints();
  }

  Value rowCount = tile.flatSize(rowDims), keyCount = tile.flatSize(keyDims);
  Value ofValue = scores, ofKey = grads, ofQuery = grads;
  if (usePairs) {
    ofValue = inPairs(scores, Copy::Pairs::Rows, "paired probabilities");
    ofKey = inPairs(grads, Copy::Pairs::Rows, "paired gradients");
    ofQuery =
        inPairs(grads, Copy::Pairs::Columns, "gradients in pairs of keys");
  }
  Accumulation dV{scratchMatrix(ofValue, true),
                  {},
                  0,
                  valueBlock,
                  2,
                  keyDims,
                  valueDims,
                  keyBound,
                  rowCount};
  RightOperand right{op.getOutputGrad(), gradMap,           rowDims, valueDims,
                     rowBound,           width(valueBlock), type,    usePairs};
  dV.right = rightMatrix(b, tile, buffers, right, "output gradient panels",
                         dV.panelRows);
  accumulate(dV);
  Accumulation dK{scratchMatrix(ofKey, true),
                  {},
                  0,
                  depthBlock,
                  1,
                  keyDims,
                  depthDims,
                  keyBound,
                  rowCount};
  right = {op.getQuery(), queryMap,          rowDims, depthDims,
           rowBound,      width(depthBlock), type,    usePairs};
  dK.right = rightMatrix(b, tile, buffers, right, "query panels", dK.panelRows);
  accumulate(dK);
  Accumulation dQ{scratchMatrix(ofQuery),
                  packed.panels,
                  packed.panelRows,
                  depthBlock,
                  0,
                  rowDims,
                  depthDims,
                  rowBound,
                  keyCount};
  accumulate(dQ);
  buffers.freeTo(mark);
}

/// All query blocks against one key block.
void BackwardLowering::keys() {
  size_t mark = buffers.mark();
  packed = packedKeys();
  tile.nest(rowCut.loopDims, rowCut.steps,
            [&] { useTiles ? tileRows() : rows(); });
  buffers.freeTo(mark);
}

LogicalResult BackwardLowering::run() {
  b.setInsertionPoint(op);
  if (op->getNumResults())
    return op.emitOpError("expected memrefs, got tensors: run "
                          "one-shot-bufferize before attn-lower-to-vector");
  if (failed(plan()))
    return failure();
  // Without points nothing is added.
  Value any = tile.hasPoints(
      llvm::to_vector(llvm::concat<const unsigned>(roles.row, roles.key)));
  SmallVector<int64_t> ones(batch.size(), 1);
  b.when(any, [&] {
    tile.nest(batch, ones, [&] {
      tile.nest(keyCut.loopDims, keyCut.steps, [&] { keys(); });
    });
  });
  op.erase();
  return success();
}

LogicalResult mlir::attn::lowerBackward(OnlineBackwardOp op,
                                        Lowering &lowering) {
  return BackwardLowering(op, lowering).run();
}
