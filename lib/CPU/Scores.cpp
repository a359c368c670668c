//===- Scores.cpp - region, mask and extras on a block of scores ----------===//
//
// An extra is brought to one of four forms: a scalar, a vector of lanes, an
// element read in place per step, or, where it varies with both, a matrix
// packed like the scores. Lanes beyond the last one repeat it, so that whatever
// the region does is defined for them.
//
//===----------------------------------------------------------------------===//
#include "Scores.h"
#include "Functions.h"
#include "attn/IR/VisibleAttr.h"
#include "attn/Support/TileBounds.h"
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

SmallVector<Value> ScoreBlock::localIndices(Value step, Value lane) {
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
  spread(step, stepDims);
  spread(lane, laneDims);
  return dims;
}

SmallVector<Value> ScoreBlock::evaluate(AffineMap map, ArrayRef<Value> dims) {
  ScoreEmitter scalar(b, b.getLoc(), op);
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(scalar.affine(expr, dims, {}));
  return indices;
}

bool ScoreBlock::dependsOn(AffineMap map, ArrayRef<unsigned> dims) const {
  return llvm::any_of(dims,
                      [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// The whole-problem index of a lane dim in the lanes from `lane` on.
Value ScoreBlock::laneIndex(unsigned dim, Value lane) {
  auto type = VectorType::get(lanes, b.getIndexType());
  if (Value indices = laneIndices.lookup(dim))
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

ScoreBlock::Source ScoreBlock::prepare(OpOperand &operand) {
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
  bool perLane = dependsOn(source.map, laneDims);
  // Dims that are walked one by one have no place in a block's steps, but what
  // depends on them changes from block to block all the same.
  bool perStep = dependsOn(source.map, movingDims);
  if (!perLane && !perStep) {
    source.scalar =
        b.load(value, evaluate(source.map, localIndices(Value(), Value())));
    return source;
  }
  if (!perLane)
    return source;
  // i1 has no vector loads of one byte per element: it is kept as i8.
  Type element = source.element;
  if (element.isInteger(1))
    element = b.getI8Type();
  std::string purpose = "extra" + std::to_string(operand.getOperandNumber());
  if (!perStep) {
    source.perLane = lowering.scratch.get(
        op, MemRefType::get({paddedLanes}, element), purpose);
    fillSource(source.perLane, source, /*withSteps=*/false);
    return source;
  }
  int64_t steps = tile.flatBound(stepDims);
  source.perBlock = lowering.scratch.get(
      op, MemRefType::get({steps, paddedLanes}, element), purpose);
  return source;
}

/// Brings an operand that varies with the lanes into its scratch buffer.
void ScoreBlock::fillSource(Value scratch, const Source &source,
                            bool withSteps) {
  ArrayRef<unsigned> steps = withSteps ? stepDims : ArrayRef<unsigned>();
  Value count = tile.flatSize(laneDims);
  bool plain = llvm::all_of(source.map.getResults(), [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  });
  if (plain) {
    Copy copy;
    copy.transposed = true;
    copy.padding = Copy::Padding::Repeat;
    copy.paddedColumns = b.index(paddedLanes);
    copy.fetchNext = withSteps;
    tile.copyIn(source.operand, source.map, steps, laneDims, scratch, copy);
    return;
  }
  // Divided dims: element by element.
  b.loop(b.index(0), tile.flatSize(steps), 1, [&](Value step) {
    b.loop(b.index(0), b.index(paddedLanes), 1, [&](Value lane) {
      Value last = b.min(lane, b.sub(count, b.index(1)));
      SmallVector<Value> dims = localIndices(withSteps ? step : Value(), last);
      Value v = b.load(source.operand, evaluate(source.map, dims));
      if (source.element.isInteger(1))
        v = arith::ExtUIOp::create(b, b.getI8Type(), v);
      SmallVector<Value> at{lane};
      if (withSteps)
        at.insert(at.begin(), step);
      b.store(v, scratch, at);
    });
  });
}

Value ScoreBlock::element(const Source &source, Value step, Value lane) {
  if (source.scalar)
    return source.scalar;
  Value scratch = source.perLane ? source.perLane : source.perBlock;
  if (!scratch)
    return b.load(source.operand,
                  evaluate(source.map, localIndices(step, Value())));
  SmallVector<Value> at{lane};
  if (source.perBlock)
    at.insert(at.begin(), step);
  Type stored = cast<MemRefType>(scratch.getType()).getElementType();
  Value v = b.load(VectorType::get(lanes, stored), scratch, at);
  if (source.element == stored)
    return v;
  return arith::TruncIOp::create(b, VectorType::get(lanes, source.element), v);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void ScoreBlock::prepare(int64_t padded) {
  lanes = lowering.library.target.lanes(accumulateType(op));
  paddedLanes = padded;
  Position position = getPosition(b, op);
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    origin.push_back(b.toValue(position.origin[dim]));
    extents.push_back(b.toValue(position.extents[dim]));
  }
  unsigned first = op.getExtras().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getExtras().size(); ++i)
    extras.push_back(prepare(op->getOpOperand(first + i)));
  unsigned blocksOperand =
      op.getSymbols().getBeginOperandIndex() + op.getSymbols().size();
  if (op.getBlocks())
    blocks = prepare(op->getOpOperand(blocksOperand));
  first = op.getSymbols().getBeginOperandIndex();
  for (unsigned i = 0; i < op.getSymbols().size(); ++i) {
    Value symbol = prepare(op->getOpOperand(first + i)).scalar;
    if (!symbol.getType().isIndex())
      symbol = arith::IndexCastOp::create(b, b.getIndexType(), symbol);
    symbols.push_back(symbol);
  }
  if (laneDims.size() < 2 || !dependsOnPosition(op))
    return;
  // Several dims in the lanes: their indices are tabulated.
  auto type = MemRefType::get({paddedLanes}, b.getIndexType());
  for (unsigned dim : laneDims)
    laneIndices[dim] =
        lowering.scratch.get(op, type, "lane index " + Twine(dim));
  Value last = b.sub(tile.flatSize(laneDims), b.index(1));
  b.loop(b.index(0), b.index(paddedLanes), 1, [&](Value lane) {
    SmallVector<Value> dims = localIndices(Value(), b.min(lane, last));
    for (unsigned dim : laneDims)
      b.store(b.add(origin[dim], dims[dim]), laneIndices[dim], lane);
  });
}

void ScoreBlock::fill() {
  for (Source &extra : extras)
    if (extra.perBlock)
      fillSource(extra.perBlock, extra, /*withSteps=*/true);
  if (blocks && blocks->perBlock)
    fillSource(blocks->perBlock, *blocks, /*withSteps=*/true);
}

ScoreBlock::Point ScoreBlock::at(Value step, Value lane, Value raw) {
  auto vector = cast<VectorType>(raw.getType());
  ScoreEmitter emit(b, b.getLoc(), op, lanes);
  SmallVector<Value> local = localIndices(step, Value());
  emit.indexOf = [&](unsigned dim) {
    return llvm::is_contained(laneDims, dim) ? laneIndex(dim, lane)
                                             : b.add(origin[dim], local[dim]);
  };
  emit.extentOf = [&](unsigned dim) { return extents[dim]; };
  if (op.getScaleValue() != 1.0)
    raw = arith::MulFOp::create(b, raw, b.constant(vector, op.getScaleValue()));
  SmallVector<Value> inputs;
  for (const Source &extra : extras)
    inputs.push_back(element(extra, step, lane));
  Point point;
  ScoreEmitter::Scores result = emit.score(raw, inputs, point.values);
  point.score = emit.toVector(result.score);
  if (result.weight)
    point.weight = emit.toVector(result.weight);
  point.seen = emit.visible(symbols);
  if (point.seen)
    point.seen = emit.toVector(point.seen);
  if (blocks) {
    Value open = emit.toVector(element(*blocks, step, lane));
    point.seen = point.seen
                     ? arith::AndIOp::create(b, point.seen, open).getResult()
                     : open;
  }
  return point;
}

//===----------------------------------------------------------------------===//
// What a block sees
//===----------------------------------------------------------------------===//

std::pair<Value, Value> ScoreBlock::stepRange(Value first, Value count) {
  unsigned step = stepDims.front();
  Value zero = b.index(0), steps = tile.ranges[step].size;
  Roles roles = inferRoles(op);
  SmallVector<unsigned> setDims = roles.setDims();
  SmallVector<Value> bounds, values; // first and last index per dim; symbols
  for (unsigned dim : setDims) {
    Value from = b.add(origin[dim], tile.ranges[dim].offset);
    Value size = tile.ranges[dim].size;
    if (laneDims.size() == 1 && dim == laneDims.front()) {
      from = b.add(from, first);
      size = count;
    }
    bounds.push_back(from);
    bounds.push_back(b.add(from, b.sub(size, b.index(1))));
    values.push_back(extents[dim]);
  }
  llvm::append_range(values, symbols);
  ScoreEmitter scalar(b, b.getLoc(), op);
  auto evaluate = [&](const ::attn::Expr &expr) {
    return scalar.affine(toAffineExpr(expr, b.getContext()), bounds, values);
  };
  Value start = b.add(origin[step], tile.ranges[step].offset), lo, hi;
  ::attn::Visible visible = getVisible(op);
  for (const ::attn::AffineSet &set : visible.sets()) {
    ::attn::tile::KeyBounds keys = ::attn::tile::keyBounds(
        set, unsigned(llvm::find(setDims, step) - setDims.begin()));
    Value from = zero, to = steps;
    for (const ::attn::Expr &expr : keys.anyLo)
      from = b.max(from, b.sub(evaluate(expr), start));
    for (const ::attn::Expr &expr : keys.anyHi)
      to = b.min(to, b.sub(evaluate(expr), start));
    for (const ::attn::Expr &expr : keys.anyIf) {
      Value holds = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                          evaluate(expr), zero);
      to = arith::SelectOp::create(b, holds, to, zero);
    }
    lo = lo ? b.min(lo, from) : from;
    hi = hi ? b.max(hi, to) : to;
  }
  return lo ? std::pair(lo, hi) : std::pair(zero, zero);
}

//===----------------------------------------------------------------------===//
// The pass over a block
//===----------------------------------------------------------------------===//

void ScorePass::emit(Value scores, Value weights, Value maxima,
                     const Part &part) {
  FloatType type = accumulateType(op);
  auto vector = VectorType::get(lanes, type);
  constexpr double inf = std::numeric_limits<double>::infinity();
  HiddenAttr hidden = op.getHidden();
  double fill = hidden.isSkip() ? -inf : hidden.getValue().getValueAsDouble();
  b.loop(b.index(0), part.rows, lanes, [&](Value lane) {
    Value none = b.constant(vector, -inf);
    Value row = b.add(part.firstRow, lane);
    auto pointwise = [&](Value key, ValueRange carried) {
      Value raw = b.load(vector, scores, {key, lane});
      ScoreBlock::Point point = block.at(b.add(part.firstKey, key), row, raw);
      Value x = point.score;
      if (point.seen)
        x = arith::SelectOp::create(b, point.seen, x, b.constant(vector, fill));
      b.store(x, scores, {key, lane});
      if (weights)
        b.store(point.weight, weights, {key, lane});
      return SmallVector<Value>{b.maximum(x, carried[0])};
    };
    Value max = b.loop(b.index(0), part.keys, 1, none, pointwise)[0];
    b.store(max, maxima, lane);
  });
  expandMath(&*std::prev(b.getInsertionPoint()));
}
