//===- Decompose.cpp - attn-decompose -------------------------------------===//
//
// The executable meaning of the ops: each becomes the linalg ops that its page
// defines it by. Written for the reader, not for speed: scores and
// probabilities are tensors.
//
//===----------------------------------------------------------------------===//
#include "attn/IR/Passes.h"
#include "attn/IR/Roles.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDECOMPOSE
#include "attn/IR/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using utils::IteratorType;

static Value floatConstant(OpBuilder &b, Location loc, Type type, double v) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, v));
}
static Value minusInfinity(OpBuilder &b, Location loc, Type type) {
  return floatConstant(b, loc, type, -std::numeric_limits<double>::infinity());
}

/// exp(x - (r == -inf ? 0 : r)): the r' rule of attn/Support/Algebra.h.
static Value expShifted(OpBuilder &b, Location loc, Value x, Value r) {
  Type type = r.getType();
  Value empty = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, r,
                                      minusInfinity(b, loc, type));
  Value shift = arith::SelectOp::create(b, loc, empty,
                                        floatConstant(b, loc, type, 0.0), r);
  return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x, shift));
}

namespace {

/// linalg.generics over a part of an op's iteration dims.
class Builder {
public:
  Builder(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes)
      : b(b), loc(loc), sizes(sizes) {}

  using Body = function_ref<SmallVector<Value>(OpBuilder &, Location,
                                               ValueRange, ArrayRef<unsigned>)>;

  /// An uninitialised tensor of this element type, indexed by `map`.
  Value empty(AffineMap map, Type type) {
    SmallVector<OpFoldResult> shape;
    for (AffineExpr expr : map.getResults())
      shape.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
    return tensor::EmptyOp::create(b, loc, shape, type);
  }

  /// A generic over `dims` (ascending); dims that index no output are summed
  /// over. The body gets the elements and `dims`, for linalg.index.
  SmallVector<Value> generic(ArrayRef<unsigned> dims, ValueRange ins,
                             ArrayRef<AffineMap> inMaps, ValueRange outs,
                             ArrayRef<AffineMap> outMaps, Body body) {
    llvm::SmallBitVector unused(sizes.size(), true);
    for (unsigned dim : dims)
      unused.reset(dim);
    SmallVector<AffineMap> maps;
    for (AffineMap map : llvm::concat<const AffineMap>(inMaps, outMaps))
      maps.push_back(projectDims(map, unused, /*compressDimsFlag=*/true));
    SmallVector<IteratorType> types;
    for (unsigned dim : dims)
      types.push_back(outMaps[0].isFunctionOfDim(dim)
                          ? IteratorType::parallel
                          : IteratorType::reduction);
    auto op = linalg::GenericOp::create(
        b, loc, TypeRange(outs), ins, outs, maps, types,
        [&](OpBuilder &nested, Location at, ValueRange args) {
          linalg::YieldOp::create(nested, at, body(nested, at, args, dims));
        });
    return SmallVector<Value>(op.getResults());
  }

private:
  OpBuilder &b;
  Location loc;
  ArrayRef<OpFoldResult> sizes;
};

//===----------------------------------------------------------------------===//
// online_attention
//===----------------------------------------------------------------------===//

class DecomposeOnline : public OpRewritePattern<OnlineAttentionOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OnlineAttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    State state{op,
                inferRoles(op),
                accumulateType(op),
                Builder(rewriter, op.getLoc(), sizes),
                {},
                {},
                {},
                {}};
    SmallVector<AffineMap> maps = op.getMapArray();
    state.accMap = maps[maps.size() - 2];
    state.rowMap = maps.back();
    state.pointDims = state.roles.setDims();
    SmallVector<AffineExpr> points;
    for (unsigned dim : state.pointDims)
      points.push_back(rewriter.getAffineDimExpr(dim));
    state.pointMap =
        AffineMap::get(op.getNumLoops(), 0, points, op.getContext());

    Value raw = products(rewriter, state);
    auto [scores, weights] = applyRegion(rewriter, state, raw);
    Value max = newMaximum(state, scores);
    Value sum = newSum(state, scores, max);
    Value acc = newAccumulator(state, scores, weights, max);
    rewriter.replaceOp(op, {acc, max, sum});
    return success();
  }

private:
  struct State {
    OnlineAttentionOp op;
    Roles roles;
    Type type; ///< accumulate type
    Builder build;
    SmallVector<unsigned> pointDims; ///< batch, row and key dims
    AffineMap pointMap, accMap, rowMap;
  };

  /// s = scale * sum_k q k.
  static Value products(OpBuilder &b, State &s) {
    Location loc = s.op.getLoc();
    Value zero = floatConstant(b, loc, s.type, 0.0);
    Value init =
        linalg::FillOp::create(b, loc, zero, s.build.empty(s.pointMap, s.type))
            .getResult(0);
    SmallVector<unsigned> dims(s.pointDims);
    llvm::append_range(dims, s.roles.depth);
    llvm::sort(dims);
    SmallVector<AffineMap> maps = s.op.getMapArray();
    Value sums = s.build.generic(
        dims, {s.op.getQuery(), s.op.getKey()}, {maps[0], maps[1]}, init,
        s.pointMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value product =
              arith::MulFOp::create(n, at, convertFloat(n, at, args[0], s.type),
                                    convertFloat(n, at, args[1], s.type));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args[2], product)};
        })[0];
    double scale = s.op.getScaleValue();
    if (scale == 1.0)
      return sums;
    return s.build.generic(
        s.pointDims, sums, s.pointMap, s.build.empty(s.pointMap, s.type),
        s.pointMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          return SmallVector<Value>{arith::MulFOp::create(
              n, at, args[0], floatConstant(n, at, s.type, scale))};
        })[0];
  }

  /// x = region(s, ...), masked; z, if the region yields it.
  static std::pair<Value, Value> applyRegion(OpBuilder &b, State &s,
                                             Value raw) {
    OnlineAttentionOp op = s.op;
    Location loc = op.getLoc();
    Position position = getPosition(b, op);
    SmallVector<Value> origin, extents;
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
      origin.push_back(
          getValueOrCreateConstantIndexOp(b, loc, position.origin[dim]));
      extents.push_back(
          getValueOrCreateConstantIndexOp(b, loc, position.extents[dim]));
    }
    // Inputs that vary come as operands, scalars are captured.
    SmallVector<Value> ins{raw};
    SmallVector<AffineMap> inMaps{s.pointMap};
    auto input = [&](OpOperand &operand) -> std::optional<unsigned> {
      if (!isa<ShapedType>(operand.get().getType()))
        return std::nullopt;
      ins.push_back(operand.get());
      inMaps.push_back(op.getMapOf(operand));
      return ins.size() - 1;
    };
    SmallVector<std::optional<unsigned>> extras, symbols;
    for (unsigned i = 0; i < op.getExtras().size(); ++i)
      extras.push_back(
          input(op->getOpOperand(op.getExtras().getBeginOperandIndex() + i)));
    for (unsigned i = 0; i < op.getSymbols().size(); ++i)
      symbols.push_back(
          input(op->getOpOperand(op.getSymbols().getBeginOperandIndex() + i)));
    std::optional<unsigned> blocks;
    if (op.getBlocks())
      blocks = input(op.getBlocksMutable()[0]);

    bool weighted =
        bool(cast<YieldOp>(op.getScore().front().getTerminator()).getWeight());
    SmallVector<Value> outs(1 + weighted, s.build.empty(s.pointMap, s.type));
    SmallVector<AffineMap> outMaps(1 + weighted, s.pointMap);
    auto body = [&](OpBuilder &n, Location at, ValueRange args,
                    ArrayRef<unsigned> dims) {
      ScoreEmitter emit(n, at, op);
      emit.indexOf = [&](unsigned dim) -> Value {
        unsigned position = llvm::find(dims, dim) - dims.begin();
        Value local = linalg::IndexOp::create(n, at, position);
        return arith::AddIOp::create(n, at, origin[dim], local);
      };
      emit.extentOf = [&](unsigned dim) { return extents[dim]; };
      auto pick = [&](std::optional<unsigned> in, Value scalar) {
        return in ? args[*in] : scalar;
      };
      SmallVector<Value> extraValues, symbolValues;
      for (auto [in, value] : llvm::zip_equal(extras, op.getExtras()))
        extraValues.push_back(pick(in, value));
      for (auto [in, value] : llvm::zip_equal(symbols, op.getSymbols())) {
        Value symbol = pick(in, value);
        if (!symbol.getType().isIndex())
          symbol = arith::IndexCastOp::create(n, at, n.getIndexType(), symbol);
        symbolValues.push_back(symbol);
      }
      auto [x, z] = emit.score(args[0], extraValues);
      HiddenAttr hidden = op.getHidden();
      Value fill = hidden.isSkip()
                       ? minusInfinity(n, at, s.type)
                       : floatConstant(n, at, s.type,
                                       hidden.getValue().getValueAsDouble());
      if (Value seen = emit.visible(symbolValues))
        x = arith::SelectOp::create(n, at, seen, x, fill);
      if (blocks)
        x = arith::SelectOp::create(n, at, args[*blocks], x, fill);
      SmallVector<Value> results{x};
      if (z)
        results.push_back(z);
      return results;
    };
    SmallVector<Value> results =
        s.build.generic(s.pointDims, ins, inMaps, outs, outMaps, body);
    return {results[0], weighted ? results[1] : Value()};
  }

  static Value newMaximum(State &s, Value scores) {
    return s.build.generic(
        s.pointDims, scores, s.pointMap, s.op.getMax(), s.rowMap,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          return SmallVector<Value>{
              arith::MaximumFOp::create(n, at, args[1], args[0])};
        })[0];
  }

  /// `old` times exp(max_old - max_new), over `map`.
  static Value rescaled(State &s, Value old, AffineMap map, Value max) {
    SmallVector<unsigned> dims;
    for (unsigned dim = 0; dim < s.op.getNumLoops(); ++dim)
      if (map.isFunctionOfDim(dim))
        dims.push_back(dim);
    return s.build.generic(
        dims, {old, s.op.getMax(), max}, {map, s.rowMap, s.rowMap},
        s.build.empty(map, s.type), map,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value factor = expShifted(n, at, args[1], args[2]);
          return SmallVector<Value>{
              arith::MulFOp::create(n, at, args[0], factor)};
        })[0];
  }

  static Value newSum(State &s, Value scores, Value max) {
    return s.build.generic(
        s.pointDims, {scores, max}, {s.pointMap, s.rowMap},
        rescaled(s, s.op.getSum(), s.rowMap, max), s.rowMap,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value p = expShifted(n, at, args[0], args[1]);
          return SmallVector<Value>{arith::AddFOp::create(n, at, args[2], p)};
        })[0];
  }

  static Value newAccumulator(State &s, Value scores, Value weights,
                              Value max) {
    SmallVector<unsigned> dims(s.pointDims);
    llvm::append_range(dims, s.roles.value);
    llvm::sort(dims);
    SmallVector<Value> ins{scores, max, s.op.getValue()};
    SmallVector<AffineMap> maps{s.pointMap, s.rowMap, s.op.getMapArray()[2]};
    if (weights) {
      ins.push_back(weights);
      maps.push_back(s.pointMap);
    }
    return s.build.generic(
        dims, ins, maps, rescaled(s, s.op.getAcc(), s.accMap, max), s.accMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value p = expShifted(n, at, args[0], args[1]);
          if (weights)
            p = arith::MulFOp::create(n, at, p, args[3]);
          // Rounded once to V's type, then multiplied in the accumulate type.
          p = convertFloat(n, at, p, args[2].getType());
          Value product =
              arith::MulFOp::create(n, at, convertFloat(n, at, p, s.type),
                                    convertFloat(n, at, args[2], s.type));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args.back(), product)};
        })[0];
  }
};

//===----------------------------------------------------------------------===//
// merge, finish, attention
//===----------------------------------------------------------------------===//

static SmallVector<unsigned> dimsOf(AffineMap map) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim))
      dims.push_back(dim);
  return dims;
}

struct DecomposeMerge : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    Type type = getElementTypeOrSelf(op.getAcc());
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    Builder build(rewriter, op.getLoc(), sizes);
    AffineMap accMap = op.getMapArray()[0], rowMap = op.getMapArray()[1];
    Value max = build.generic(
        dimsOf(rowMap), {op.getMax(), op.getMaxInit()}, {rowMap, rowMap},
        build.empty(rowMap, type), rowMap,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          return SmallVector<Value>{
              arith::MaximumFOp::create(n, at, args[0], args[1])};
        })[0];
    auto joined = [&](Value first, Value second, AffineMap map) {
      return build.generic(
          dimsOf(map), {first, second, op.getMax(), op.getMaxInit(), max},
          {map, map, rowMap, rowMap, rowMap}, build.empty(map, type), map,
          [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
            Value left = arith::MulFOp::create(
                n, at, args[0], expShifted(n, at, args[2], args[4]));
            Value right = arith::MulFOp::create(
                n, at, args[1], expShifted(n, at, args[3], args[4]));
            return SmallVector<Value>{
                arith::AddFOp::create(n, at, left, right)};
          })[0];
    };
    Value acc = joined(op.getAcc(), op.getAccInit(), accMap);
    Value sum = joined(op.getSum(), op.getSumInit(), rowMap);
    rewriter.replaceOp(op, {acc, max, sum});
    return success();
  }
};

struct DecomposeFinish : OpRewritePattern<FinishOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FinishOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    SmallVector<AffineMap> maps = op.getMapArray();
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    Builder build(rewriter, op.getLoc(), sizes);
    Type type = getElementTypeOrSelf(op.getAcc());
    Type outputType = getElementTypeOrSelf(op.getOutput());
    bool zero = op.getEmptyRows() == EmptyRows::Zero;
    SmallVector<Value> results = build.generic(
        dimsOf(maps[2]), {op.getAcc(), op.getSum()}, {maps[0], maps[1]},
        op.getOutput(), maps[2],
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value o = arith::DivFOp::create(n, at, args[0], args[1]);
          if (zero) {
            Value none = floatConstant(n, at, type, 0.0);
            Value empty = arith::CmpFOp::create(
                n, at, arith::CmpFPredicate::OEQ, args[1], none);
            o = arith::SelectOp::create(n, at, empty, none, o);
          }
          return SmallVector<Value>{convertFloat(n, at, o, outputType)};
        });
    if (op.getLse())
      llvm::append_range(
          results,
          build.generic(dimsOf(maps[3]), {op.getMax(), op.getSum()},
                        {maps[1], maps[1]}, op.getLse(), maps[3],
                        [](OpBuilder &n, Location at, ValueRange args,
                           ArrayRef<unsigned>) {
                          Value log = math::LogOp::create(n, at, args[1]);
                          return SmallVector<Value>{
                              arith::AddFOp::create(n, at, args[0], log)};
                        }));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct DecomposeAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    return rewriteAsOnline(rewriter, op);
  }
};

struct DecomposePass : mlir::attn::impl::AttnDecomposeBase<DecomposePass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      numDecomposed +=
          isa<AttentionOp, OnlineAttentionOp, MergeOp, FinishOp>(op);
    });
    RewritePatternSet patterns(&getContext());
    populateDecomposePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void mlir::attn::populateDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeAttention, DecomposeOnline, DecomposeMerge,
               DecomposeFinish>(patterns.getContext());
}
