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

bool mlir::attn::hasScoreFunction(OnlineAttentionOp op) {
  return !hasIdentityScore(op) || !(op.getScaleValue() > 0.0);
}

bool mlir::attn::needsScorePass(OnlineAttentionOp op) {
  return hasScoreFunction(op) || op.getVisibleAttr() || op.getBlocks();
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

/// Are all results dims or constants?
static bool isPlain(AffineMap map) {
  return llvm::all_of(map.getResults(), [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  });
}

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
    fillSource(source.perLane, source, /*withSteps=*/false, paddedLanes);
    return source;
  }
  if (partVectors && laneDims.size() == 1 && stepDims.size() == 1 &&
      isPlain(source.map)) {
    source.perPart = lowering.scratch.get(
        op, MemRefType::get({kPartSteps, partVectors * lanes}, element),
        purpose);
    return source;
  }
  int64_t steps = tile.flatBound(stepDims);
  source.perBlock = lowering.scratch.get(
      op, MemRefType::get({steps, paddedLanes}, element), purpose);
  return source;
}

/// Brings an operand that varies with the lanes into its scratch buffer.
void ScoreBlock::fillSource(Value scratch, const Source &source, bool withSteps,
                            int64_t padded) {
  ArrayRef<unsigned> steps = withSteps ? stepDims : ArrayRef<unsigned>();
  Value count = tile.flatSize(laneDims);
  if (isPlain(source.map)) {
    Copy copy;
    // Elements that are neighbours become neighbours, or a square is
    // transposed.
    copy.transposed =
        !tile.isContiguousAlong(source.operand, source.map, laneDims.back());
    copy.padding = Copy::Padding::Repeat;
    copy.paddedColumns = b.index(padded);
    copy.fetchNext = copy.transposed && withSteps;
    tile.copyIn(source.operand, source.map, steps, laneDims, scratch, copy);
    return;
  }
  // Divided dims: element by element.
  b.loop(b.index(0), tile.flatSize(steps), 1, [&](Value step) {
    b.loop(b.index(0), b.index(padded), 1, [&](Value lane) {
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
  Value scratch = source.perLane;
  SmallVector<Value> at{lane};
  if (source.perPart) {
    scratch = source.perPart;
    at = {b.sub(step, partStep), b.sub(lane, partLane)};
  } else if (source.perBlock) {
    scratch = source.perBlock;
    at.insert(at.begin(), step);
  }
  if (!scratch)
    return b.load(source.operand,
                  evaluate(source.map, localIndices(step, Value())));
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
  auto fillWhole = [&](const Source &source) {
    if (source.perBlock)
      fillSource(source.perBlock, source, /*withSteps=*/true, paddedLanes);
  };
  llvm::for_each(extras, fillWhole);
  if (blocks)
    fillWhole(*blocks);
}

bool ScoreBlock::hasParts() const {
  return llvm::any_of(extras,
                      [](const Source &extra) { return extra.perPart; }) ||
         (blocks && blocks->perPart);
}

void ScoreBlock::fillPart(Value firstStep, Value steps, Value lane) {
  partStep = firstStep;
  partLane = lane;
  int64_t width = partVectors * lanes;
  DimRange &laneRange = tile.ranges[laneDims.front()];
  DimRange &stepRange = tile.ranges[stepDims.front()];
  DimRange allLanes = laneRange, allSteps = stepRange;
  // A vector beyond the last row repeats it too.
  Value first = b.min(lane, b.sub(allLanes.size, b.index(1)));
  laneRange = {b.add(allLanes.offset, first),
               b.min(b.index(width), b.sub(allLanes.size, first)), width};
  stepRange = {b.add(allSteps.offset, firstStep), steps, kPartSteps};
  auto fillFrom = [&](const Source &source) {
    if (source.perPart)
      fillSource(source.perPart, source, /*withSteps=*/true, width);
  };
  llvm::for_each(extras, fillFrom);
  if (blocks)
    fillFrom(*blocks);
  laneRange = allLanes;
  stepRange = allSteps;
}

SmallVector<Product::Ahead, 1> ScoreBlock::ahead(Value step, Value lane,
                                                 int64_t count) {
  SmallVector<Product::Ahead, 1> result;
  for (const Source &extra : extras) {
    if (!extra.perPart)
      continue;
    bool alongLanes =
        tile.isContiguousAlong(extra.operand, extra.map, laneDims.front());
    if (!alongLanes &&
        !tile.isContiguousAlong(extra.operand, extra.map, stepDims.front()))
      continue;
    DimRange &laneRange = tile.ranges[laneDims.front()];
    DimRange &stepRange = tile.ranges[stepDims.front()];
    DimRange allLanes = laneRange, allSteps = stepRange;
    laneRange.offset = b.add(laneRange.offset, lane);
    stepRange.offset = b.add(stepRange.offset, step);
    Value matrix =
        tile.view(extra.operand, extra.map, stepDims.front(), laneDims.front());
    laneRange = allLanes;
    stepRange = allSteps;
    int64_t bits = std::max(8u, extra.element.getIntOrFloatBitWidth());
    result.push_back({matrix, count, 512 / bits, alongLanes});
  }
  return result;
}

Value ScoreBlock::endsWithin(int64_t count) {
  unsigned step = stepDims.front();
  Value next = b.add(b.add(origin[step], tile.ranges[step].offset), count);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sge, next,
                               extents[step]);
}

ScoreEmitter ScoreBlock::emitterAt(Value step, Value lane) {
  ScoreEmitter emit(b, b.getLoc(), op, lanes);
  emit.indexOf = [this, lane, local = localIndices(step, Value())](unsigned d) {
    return llvm::is_contained(laneDims, d) ? laneIndex(d, lane)
                                           : b.add(origin[d], local[d]);
  };
  emit.extentOf = [this](unsigned dim) { return extents[dim]; };
  return emit;
}

ScoreBlock::Point ScoreBlock::at(Value step, Value lane, Value raw,
                                 bool masked) {
  auto vector = cast<VectorType>(raw.getType());
  ScoreEmitter emit = emitterAt(step, lane);
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
  if (masked)
    point.seen = seen(step, lane);
  return point;
}

Value ScoreBlock::seen(Value step, Value lane) {
  ScoreEmitter emit = emitterAt(step, lane);
  Value seen = emit.visible(symbols);
  if (seen)
    seen = emit.toVector(seen);
  if (blocks) {
    Value open = emit.toVector(element(*blocks, step, lane));
    seen = seen ? arith::AndIOp::create(b, seen, open).getResult() : open;
  }
  return seen;
}

//===----------------------------------------------------------------------===//
// What a block sees
//===----------------------------------------------------------------------===//

ScoreBlock::StepRange ScoreBlock::stepRange(Value first, Value count) {
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
  Value start = b.add(origin[step], tile.ranges[step].offset);
  using List = ArrayRef<::attn::Expr>;
  auto evaluate = [&](const ::attn::Expr &expr) {
    return scalar.affine(toAffineExpr(expr, b.getContext()), bounds, values);
  };
  /// The steps that bounds and conditions leave.
  auto within = [&](List los, List his, List conditions) {
    Value from = zero, to = steps;
    for (const ::attn::Expr &expr : los)
      from = b.max(from, b.sub(evaluate(expr), start));
    for (const ::attn::Expr &expr : his)
      to = b.min(to, b.sub(evaluate(expr), start));
    for (const ::attn::Expr &expr : conditions) {
      Value holds = arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                          evaluate(expr), zero);
      to = arith::SelectOp::create(b, holds, to, zero);
    }
    return std::pair(from, to);
  };
  StepRange range;
  ::attn::Visible visible = getVisible(op);
  for (const ::attn::AffineSet &set : visible.sets()) {
    ::attn::tile::KeyBounds keys = ::attn::tile::keyBounds(
        set, unsigned(llvm::find(setDims, step) - setDims.begin()));
    auto [from, to] = within(keys.anyLo, keys.anyHi, keys.anyIf);
    range.from = range.from ? b.min(range.from, from) : from;
    range.to = range.to ? b.max(range.to, to) : to;
    bool never = llvm::any_of(keys.fullIf, [](const ::attn::Expr &expr) {
      return expr.isConstant() && expr.constant() < 0;
    });
    if (never || blocks)
      continue;
    auto [open, openTo] = within(keys.fullLo, keys.fullHi, keys.fullIf);
    if (range.open) { // of a union the longest
      Value longer = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                           b.sub(openTo, open),
                                           b.sub(range.openTo, range.open));
      open = arith::SelectOp::create(b, longer, open, range.open);
      openTo = arith::SelectOp::create(b, longer, openTo, range.openTo);
    }
    range.open = open;
    range.openTo = openTo;
  }
  if (!range.from)
    range.from = range.to = zero;
  return range;
}

//===----------------------------------------------------------------------===//
// The pass over a block
//===----------------------------------------------------------------------===//

SmallVector<Product::Ahead, 1> ScorePass::ahead(Value firstRow, int64_t count,
                                                int64_t blockKeys) {
  if (!block.hasParts())
    return {};
  Value zero = b.index(0), next = b.add(firstRow, count);
  Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, next,
                                     tile.flatSize(rows));
  Value row = arith::SelectOp::create(b, here, next, zero);
  Value stays = arith::OrIOp::create(b, here, block.endsWithin(blockKeys));
  Value key = arith::SelectOp::create(b, stays, zero, b.index(blockKeys));
  return block.ahead(key, row, count);
}

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
      Value step = b.add(part.firstKey, key);
      ScoreBlock::Point point;
      if (scales())
        point = block.at(step, row, raw, part.masked);
      else
        point = {raw, Value(), block.seen(step, row), {}};
      Value x = point.score;
      if (point.seen)
        x = arith::SelectOp::create(b, point.seen, x, b.constant(vector, fill));
      b.store(x, scores, {key, lane});
      if (weights) {
        Value weight = point.weight;
        // One that does not exist may be anything.
        if (point.seen && hidden.isSkip())
          weight = arith::SelectOp::create(b, point.seen, weight,
                                           b.constant(vector, 0.0));
        b.store(weight, weights, {key, lane});
      }
      return SmallVector<Value>{b.maximum(x, carried[0])};
    };
    Value max, zero = b.index(0);
    if (block.hasParts())
      max = b.loop(
          zero, part.keys, ScoreBlock::kPartSteps, none,
          [&](Value key, ValueRange carried) {
            Value end = b.min(b.add(key, ScoreBlock::kPartSteps), part.keys);
            block.fillPart(b.add(part.firstKey, key), b.sub(end, key), row);
            return b.loop(key, end, 1, carried, pointwise);
          })[0];
    else
      max = b.loop(zero, part.keys, 1, none, pointwise)[0];
    b.store(max, maxima, lane);
  });
  expandMath(&*std::prev(b.getInsertionPoint()));
}
