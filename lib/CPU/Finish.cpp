//===- Finish.cpp - lowering of attn.finish and attn.merge ----------------===//
//
// Both are a loop over rows with a loop along the row in it: a scalar part per
// row, then vectors where acc and the destination have contiguous rows. An acc
// whose neighbours are rows is transposed on the way to a destination, a few
// rows at a time.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Online.h"
#include "attn/IR/ScoreRegion.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// The iteration space of a finish or merge, taken apart into rows (the dims of
/// max and sum) and what a row consists of.
class RowLoops {
public:
  RowLoops(Emit &b, Lowering &lowering, IndexedOpInterface op, AffineMap rowMap,
           AffineMap lastMap)
      : tile(b, lowering.library), b(b),
        lanes(lowering.library.target.lanes(
            getElementTypeOrSelf(op->getOperand(0).getType()))) {
    for (OpFoldResult size : iterationSizes(b, op))
      tile.ranges.push_back(
          {b.index(0), b.toValue(size),
           getConstantIntValue(size).value_or(ShapedType::kDynamic)});
    // The destination's last dim is the one to run along.
    if (lastMap.getNumResults()) {
      auto last =
          cast<AffineDimExpr>(lastMap.getResult(lastMap.getNumResults() - 1));
      if (!rowMap.isFunctionOfDim(last.getPosition()))
        along = last.getPosition();
    }
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
      if (rowMap.isFunctionOfDim(dim))
        rowDims.push_back(dim);
      else if (dim != along)
        otherDims.push_back(dim);
    }
  }

  void rows(function_ref<void()> body) {
    if (!staged)
      return nest(rowDims, body);
    SmallVector<unsigned> outer(rowDims);
    llvm::erase(outer, *staged);
    nest(outer, [&] {
      tile.nest(*staged, kStagedRows, [&] {
        stageStart = tile.ranges[*staged].offset;
        Copy copy;
        copy.transposed = true;
        tile.copyIn(stagedOperand, stagedMap, *staged, *along, stage, copy);
        nest(*staged, body);
      });
    });
  }

  /// Brings an operand that is only read, if its neighbours are rows, to a
  /// scratch matrix whose rows are contiguous.
  void stageRows(Lowering &lowering, Operation *op, Value operand,
                 AffineMap map) {
    if (!along || !otherDims.empty() ||
        ShapedType::isDynamic(tile.ranges[*along].bound))
      return;
    for (unsigned dim : rowDims)
      if (tile.isContiguousAlong(operand, map, dim) &&
          tile.ranges[dim].bound != 1)
        staged = dim;
    if (!staged)
      return;
    Type element = getElementTypeOrSelf(operand.getType());
    stage = lowering.scratch.get(
        op, MemRefType::get({kStagedRows, tile.ranges[*along].bound}, element),
        "rows of acc");
    stagedOperand = operand;
    stagedMap = map;
  }

  /// Runs along the row: `body` gets the position and the number of lanes, 0
  /// for a scalar.
  void
  elements(ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
           function_ref<void(ArrayRef<Value> views, Value at, int64_t)> body) {
    nest(otherDims, [&] {
      SmallVector<Value> views;
      for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
        if (staged && operand == stagedOperand)
          views.push_back(tile.scratchView(
              stage, b.sub(tile.ranges[*staged].offset, stageStart),
              b.index(0)));
        else
          views.push_back(tile.view(operand, map, std::nullopt, along));
      }
      Value size = along ? tile.ranges[*along].size : b.index(1);
      Value whole = b.index(0);
      if (llvm::all_of(views, hasContiguousRows)) {
        whole = b.roundDown(size, lanes);
        b.loop(b.index(0), whole, lanes,
               [&](Value at) { body(views, at, lanes); });
      }
      b.loop(whole, size, 1, [&](Value at) { body(views, at, 0); });
    });
  }

  /// The one element of max, sum or lse that belongs to the row.
  Value scalarView(Value operand, AffineMap map) {
    return tile.view(operand, map, std::nullopt, std::nullopt);
  }
  Value loadScalar(Value view) {
    return b.load(view, {b.index(0), b.index(0)});
  }
  void storeScalar(Value value, Value view) {
    b.store(value, view, {b.index(0), b.index(0)});
  }

  /// f(x) of a scalar by an expansion for vectors.
  Value apply(function_ref<Value(Emit &, Value)> f, Value x) {
    auto type = VectorType::get(1, x.getType());
    return vector::ExtractOp::create(b, f(b, b.broadcast(type, x)), 0);
  }

private:
  void nest(ArrayRef<unsigned> dims, function_ref<void()> body) {
    tile.nest(dims, SmallVector<int64_t>(dims.size(), 1), body);
  }

  Tile tile;
  Emit &b;
  int64_t lanes;
  std::optional<unsigned> along;
  SmallVector<unsigned> rowDims, otherDims;

  static constexpr int64_t kStagedRows = 64;
  std::optional<unsigned> staged; ///< the row dim
  Value stagedOperand, stage, stageStart;
  AffineMap stagedMap;
};

Value load(Emit &b, Value view, Value at, int64_t lanes) {
  SmallVector<Value> indices{b.index(0), at};
  if (!lanes)
    return b.load(view, indices);
  Type element = cast<MemRefType>(view.getType()).getElementType();
  return b.load(VectorType::get(lanes, element), view, indices);
}

Value spread(Emit &b, Value scalar, int64_t lanes) {
  return lanes ? b.broadcast(VectorType::get(lanes, scalar.getType()), scalar)
               : scalar;
}

LogicalResult requireMemrefs(Operation *op) {
  if (op->getNumResults())
    return op->emitOpError("expected memrefs, got tensors: run "
                           "one-shot-bufferize before attn-lower-to-vector");
  for (Value operand : op->getOperands())
    if (auto memref = dyn_cast<MemRefType>(operand.getType()))
      if (!memref.isStrided())
        return op->emitOpError("expected memrefs with strided layouts, got ")
               << memref;
  return success();
}

} // namespace

LogicalResult mlir::attn::lowerFinish(FinishOp op, Lowering &lowering) {
  if (failed(requireMemrefs(op)))
    return failure();
  Emit b(op.getLoc(), op.getContext());
  b.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getMapArray();
  AffineMap accMap = maps[0], rowMap = maps[1], outMap = maps[2];
  RowLoops loops(b, lowering, op, rowMap, outMap);
  loops.stageRows(lowering, op, op.getAcc(), accMap);
  Type outType = getElementTypeOrSelf(op.getOutput().getType());
  loops.rows([&] {
    Value sum = loops.loadScalar(loops.scalarView(op.getSum(), rowMap));
    Type type = sum.getType();
    Value zero = b.constant(type, 0.0);
    if (op.getLse()) {
      Value max = loops.loadScalar(loops.scalarView(op.getMax(), rowMap));
      Value lse = arith::AddFOp::create(b, max, loops.apply(emitLog, sum));
      loops.storeScalar(lse, loops.scalarView(op.getLse(), maps[3]));
    }
    Value inverse = arith::DivFOp::create(b, b.constant(type, 1.0), sum);
    Value empty =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, zero);
    loops.elements(
        {op.getAcc(), op.getOutput()}, {accMap, outMap},
        [&](ArrayRef<Value> views, Value at, int64_t lanes) {
          Value o = arith::MulFOp::create(b, load(b, views[0], at, lanes),
                                          spread(b, inverse, lanes));
          if (op.getEmptyRows() == EmptyRows::Zero)
            o = arith::SelectOp::create(b, empty, spread(b, zero, lanes), o);
          b.store(convertFloat(b, b.getLoc(), o, outType), views[1],
                  {b.index(0), at});
        });
  });
  op.erase();
  return success();
}

LogicalResult mlir::attn::lowerMerge(MergeOp op, Lowering &lowering) {
  if (failed(requireMemrefs(op)))
    return failure();
  Emit b(op.getLoc(), op.getContext());
  b.setInsertionPoint(op);
  AffineMap accMap = op.getMapArray()[0], rowMap = op.getMapArray()[1];
  RowLoops loops(b, lowering, op, rowMap, accMap);
  loops.rows([&] {
    auto scalar = [&](Value operand) {
      return loops.scalarView(operand, rowMap);
    };
    Value maxView = scalar(op.getMaxInit()), sumView = scalar(op.getSumInit());
    Value max1 = loops.loadScalar(scalar(op.getMax()));
    Value max2 = loops.loadScalar(maxView);
    Value max = arith::MaximumFOp::create(b, max1, max2);
    Value empty = arith::CmpFOp::create(
        b, arith::CmpFPredicate::OEQ, max,
        b.constant(max.getType(), -std::numeric_limits<double>::infinity()));
    Value shift =
        arith::SelectOp::create(b, empty, b.constant(max.getType(), 0.0), max);
    auto factor = [&](Value old) {
      return loops.apply(emitExp, arith::SubFOp::create(b, old, shift));
    };
    Value factor1 = factor(max1), factor2 = factor(max2);
    auto join = [&](Value left, Value right, int64_t lanes) -> Value {
      Value scaled = arith::MulFOp::create(b, left, spread(b, factor1, lanes));
      return arith::AddFOp::create(
          b, scaled,
          arith::MulFOp::create(b, right, spread(b, factor2, lanes)));
    };
    Value sum = join(loops.loadScalar(scalar(op.getSum())),
                     loops.loadScalar(sumView), 0);
    loops.elements({op.getAcc(), op.getAccInit()}, {accMap, accMap},
                   [&](ArrayRef<Value> views, Value at, int64_t lanes) {
                     b.store(join(load(b, views[0], at, lanes),
                                  load(b, views[1], at, lanes), lanes),
                             views[1], {b.index(0), at});
                   });
    loops.storeScalar(max, maxView);
    loops.storeScalar(sum, sumView);
  });
  op.erase();
  return success();
}
