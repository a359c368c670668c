//===- Scores.cpp - region, mask and extras on a block of scores ----------===//
//
// Lanes are rows. An extra is brought to one of four forms: a scalar, a vector
// per row block, an element read in place per key, or, where it varies with
// both, a matrix packed like the scores. Lanes beyond the last row repeat it,
// so that whatever the region does is defined for them.
//
//===----------------------------------------------------------------------===//
#include "Scores.h"
#include "Functions.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::needsScorePass(OnlineAttentionOp op) {
  return !hasIdentityScore(op) || !(op.getScaleValue() > 0.0) ||
         op.getVisibleAttr() || op.getBlocks();
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

SmallVector<Value> ScorePass::localIndices(Value key, Value row) {
  SmallVector<Value> dims;
  for (const DimRange &range : tile.ranges)
    dims.push_back(range.offset);
  auto spread = [&](Value flat, ArrayRef<unsigned> group) {
    if (!flat)
      return;
    for (unsigned dim : llvm::reverse(group)) {
      Value local = flat;
      if (dim != group.front()) {
        local = b.rem(flat, tile.ranges[dim].size);
        flat = b.div(flat, tile.ranges[dim].size);
      }
      dims[dim] = b.add(dims[dim], local);
    }
  };
  spread(key, keyDims);
  spread(row, rowDims);
  return dims;
}

SmallVector<Value> ScorePass::evaluate(AffineMap map, ArrayRef<Value> dims) {
  ScoreEmitter scalar(b, b.getLoc(), op);
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(scalar.affine(expr, dims, {}));
  return indices;
}

bool ScorePass::dependsOn(AffineMap map, ArrayRef<unsigned> dims) const {
  return llvm::any_of(dims,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// The whole-problem index of a row dim in the lanes from `lane` on.
Value ScorePass::rowIndex(unsigned dim, Value lane) {
  auto type = VectorType::get(lanes, b.getIndexType());
  if (Value indices = rowIndices.lookup(dim))
    return b.load(type, indices, lane);
  Value last = b.sub(tile.ranges[dim].size, b.index(1));
  Value local = arith::AddIOp::create(b, b.broadcast(type, lane),
                                      vector::StepOp::create(b, type));
  local = arith::MinSIOp::create(b, local, b.broadcast(type, last));
  Value first = b.add(origin[dim], tile.ranges[dim].offset);
  return arith::AddIOp::create(b, local, b.broadcast(type, first));
}

//===----------------------------------------------------------------------===//
// Extras
//===----------------------------------------------------------------------===//

ScorePass::Source ScorePass::prepare(OpOperand &operand) {
  Source source;
  Value value = operand.get();
  source.element = getElementTypeOrSelf(value);
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    source.scalar = value;
    return source;
  }
  source.operand = value;
  source.map = op.getMapOf(operand);
  bool perRow = dependsOn(source.map, rowDims);
  // Key dims that are walked one by one have no place in a block's keys, but
  // what depends on them changes from block to block all the same.
  bool perKey = dependsOn(source.map, inferRoles(op).key);
  if (!perRow && !perKey) {
    source.scalar =
        b.load(value, evaluate(source.map, localIndices(Value(), Value())));
    return source;
  }
  if (!perRow)
    return source;
  // i1 has no vector loads of one byte per element: it is kept as i8.
  Type element = source.element;
  if (element.isInteger(1))
    element = b.getI8Type();
  std::string purpose = "extra" + std::to_string(operand.getOperandNumber());
  if (!perKey) {
    source.perRow = lowering.scratch.get(
        op, MemRefType::get({paddedRows}, element), purpose);
    fillSource(source.perRow, source, /*withKeys=*/false);
    return source;
  }
  int64_t keys = tile.flatBound(keyDims);
  source.perBlock = lowering.scratch.get(
      op, MemRefType::get({keys, paddedRows}, element), purpose);
  return source;
}

/// Brings an operand that varies with the rows into its scratch buffer.
void ScorePass::fillSource(Value scratch, const Source &source, bool withKeys) {
  ArrayRef<unsigned> keys = withKeys ? keyDims : ArrayRef<unsigned>();
  Value rows = tile.flatSize(rowDims);
  bool plain = llvm::all_of(source.map.getResults(), [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  });
  if (plain) {
    Copy copy;
    copy.transposed = true;
    copy.padding = Copy::Padding::Repeat;
    copy.paddedColumns = b.index(paddedRows);
    tile.copyIn(source.operand, source.map, keys, rowDims, scratch, copy);
    return;
  }
  // Divided dims: element by element.
  Value keyCount = tile.flatSize(keys);
  b.loop(b.index(0), keyCount, 1, [&](Value key) {
    b.loop(b.index(0), b.index(paddedRows), 1, [&](Value lane) {
      Value row = b.min(lane, b.sub(rows, b.index(1)));
      SmallVector<Value> dims = localIndices(withKeys ? key : Value(), row);
      Value v = b.load(source.operand, evaluate(source.map, dims));
      if (source.element.isInteger(1))
        v = arith::ExtUIOp::create(b, b.getI8Type(), v);
      SmallVector<Value> at{lane};
      if (withKeys)
        at.insert(at.begin(), key);
      b.store(v, scratch, at);
    });
  });
}

Value ScorePass::element(const Source &source, Value key, Value lane) {
  if (source.scalar)
    return source.scalar;
  Value scratch = source.perRow ? source.perRow : source.perBlock;
  if (!scratch)
    return b.load(source.operand,
                  evaluate(source.map, localIndices(key, Value())));
  SmallVector<Value> at{lane};
  if (source.perBlock)
    at.insert(at.begin(), key);
  Type stored = cast<MemRefType>(scratch.getType()).getElementType();
  Value v = b.load(VectorType::get(lanes, stored), scratch, at);
  if (source.element == stored)
    return v;
  return arith::TruncIOp::create(b, VectorType::get(lanes, source.element), v);
}

//===----------------------------------------------------------------------===//
// The pass over a block
//===----------------------------------------------------------------------===//

void ScorePass::prepareRows(int64_t padded) {
  lanes = lowering.library.target.lanes(accumulateType(op));
  paddedRows = padded;
  Position position = getPosition(b, op);
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    origin.push_back(b.toValue(position.origin[dim]));
    extents.push_back(b.toValue(position.extents[dim]));
  }
  unsigned first = op.getExtras().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getExtras().size(); ++i)
    extras.push_back(prepare(op->getOpOperand(first + i)));
  if (op.getBlocks())
    blocks = prepare(op.getBlocksMutable()[0]);
  first = op.getSymbols().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getSymbols().size(); ++i) {
    Value symbol = prepare(op->getOpOperand(first + i)).scalar;
    if (!symbol.getType().isIndex())
      symbol = arith::IndexCastOp::create(b, b.getIndexType(), symbol);
    symbols.push_back(symbol);
  }
  if (rowDims.size() < 2 || !dependsOnPosition(op))
    return;
  // Several row dims in the lanes: their indices are tabulated.
  auto type = MemRefType::get({paddedRows}, b.getIndexType());
  for (unsigned dim : rowDims)
    rowIndices[dim] = lowering.scratch.get(op, type, "row index " + Twine(dim));
  Value last = b.sub(tile.flatSize(rowDims), b.index(1));
  b.loop(b.index(0), b.index(paddedRows), 1, [&](Value lane) {
    SmallVector<Value> dims = localIndices(Value(), b.min(lane, last));
    for (unsigned dim : rowDims)
      b.store(b.add(origin[dim], dims[dim]), rowIndices[dim], lane);
  });
}

void ScorePass::emit(Value scores, Value weights, Value maxima) {
  FloatType type = accumulateType(op);
  auto vector = VectorType::get(lanes, type);
  for (Source *source : llvm::concat<Source *>(
           llvm::map_to_vector(extras, [](Source &s) { return &s; }),
           blocks ? SmallVector<Source *>{&*blocks} : SmallVector<Source *>()))
    if (source->perBlock)
      fillSource(source->perBlock, *source, /*withKeys=*/true);

  constexpr double inf = std::numeric_limits<double>::infinity();
  Value keys = tile.flatSize(keyDims);
  b.loop(b.index(0), b.index(paddedRows), lanes, [&](Value lane) {
    Value none = b.constant(vector, -inf);
    Value max =
        b.loop(b.index(0), keys, 1, none, [&](Value key, ValueRange carried) {
          ScoreEmitter emit(b, b.getLoc(), op, lanes);
          SmallVector<Value> local = localIndices(key, Value());
          emit.indexOf = [&](unsigned dim) {
            return llvm::is_contained(rowDims, dim)
                       ? rowIndex(dim, lane)
                       : b.add(origin[dim], local[dim]);
          };
          emit.extentOf = [&](unsigned dim) { return extents[dim]; };
          Value s = b.load(vector, scores, {key, lane});
          if (op.getScaleValue() != 1.0)
            s = arith::MulFOp::create(b, s,
                                      b.constant(vector, op.getScaleValue()));
          SmallVector<Value> inputs;
          for (const Source &extra : extras)
            inputs.push_back(element(extra, key, lane));
          ScoreEmitter::Scores result = emit.score(s, inputs);
          Value x = emit.toVector(result.score);
          Value fill = b.constant(
              vector, op.getHidden().isSkip()
                          ? -inf
                          : op.getHidden().getValue().getValueAsDouble());
          auto hideUnless = [&](Value seen) {
            x = arith::SelectOp::create(b, emit.toVector(seen), x, fill);
          };
          if (Value seen = emit.visible(symbols))
            hideUnless(seen);
          if (blocks)
            hideUnless(element(*blocks, key, lane));
          b.store(x, scores, {key, lane});
          if (weights)
            b.store(emit.toVector(result.weight), weights, {key, lane});
          return SmallVector<Value>{b.maximum(x, carried[0])};
        })[0];
    b.store(max, maxima, lane);
  });
  expandMath(&*std::prev(b.getInsertionPoint()));
}
