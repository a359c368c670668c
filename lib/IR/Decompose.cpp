//===- Decompose.cpp - attn-decompose -------------------------------------===//
//
// The executable meaning of the ops: each becomes the linalg ops that its page
// defines it by. Written for the reader, not for speed: scores and
// probabilities are tensors.
//
//===----------------------------------------------------------------------===//
#include "DecomposeImpl.h"
#include "attn/IR/Passes.h"
#include "attn/IR/Roles.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDECOMPOSE
#include "attn/IR/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::decompose;

namespace {

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
    SmallVector<AffineMap> maps = op.getMapArray();
    State state{op, ScorePoints(rewriter, op, sizes), maps[maps.size() - 2],
                maps.back()};
    Value raw = state.points.scores(rewriter);
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
    ScorePoints points;
    AffineMap accMap, rowMap;
  };

  /// x = region(s, ...), masked; z, if the region yields it.
  static std::pair<Value, Value> applyRegion(OpBuilder &b, State &s,
                                             Value raw) {
    bool weighted = bool(
        cast<YieldOp>(s.op.getScore().front().getTerminator()).getWeight());
    SmallVector<Value> results = s.points.atPoints(
        b, raw, {}, {}, 1 + weighted,
        [&](OpBuilder &n, Location at, ScorePoints::Point &point) {
          Value x = point.score;
          if (point.seen)
            x = arith::SelectOp::create(n, at, point.seen, x, point.fill);
          SmallVector<Value> yielded{x};
          if (weighted)
            yielded.push_back(point.weight);
          return yielded;
        });
    return {results[0], weighted ? results[1] : Value()};
  }

  static Value newMaximum(State &s, Value scores) {
    return s.points.build.generic(
        s.points.dims, scores, s.points.map, s.op.getMax(), s.rowMap,
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
    return s.points.build.generic(
        dims, {old, s.op.getMax(), max}, {map, s.rowMap, s.rowMap},
        s.points.build.empty(map, s.points.type), map,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value factor = expShifted(n, at, args[1], args[2]);
          return SmallVector<Value>{
              arith::MulFOp::create(n, at, args[0], factor)};
        })[0];
  }

  static Value newSum(State &s, Value scores, Value max) {
    return s.points.build.generic(
        s.points.dims, {scores, max}, {s.points.map, s.rowMap},
        rescaled(s, s.op.getSum(), s.rowMap, max), s.rowMap,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value p = expShifted(n, at, args[0], args[1]);
          return SmallVector<Value>{arith::AddFOp::create(n, at, args[2], p)};
        })[0];
  }

  static Value newAccumulator(State &s, Value scores, Value weights,
                              Value max) {
    SmallVector<unsigned> dims(s.points.dims);
    llvm::append_range(dims, s.points.roles.value);
    llvm::sort(dims);
    SmallVector<Value> ins{scores, max, s.op.getValue()};
    SmallVector<AffineMap> maps{s.points.map, s.rowMap, s.op.getMapArray()[2]};
    if (weights) {
      ins.push_back(weights);
      maps.push_back(s.points.map);
    }
    return s.points.build.generic(
        dims, ins, maps, rescaled(s, s.op.getAcc(), s.accMap, max), s.accMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value p = expShifted(n, at, args[0], args[1]);
          if (weights)
            p = arith::MulFOp::create(n, at, p, args[3]);
          // Rounded once to V's type, then multiplied in the accumulate type.
          p = convertFloat(n, at, p, args[2].getType());
          Value product = arith::MulFOp::create(
              n, at, convertFloat(n, at, p, s.points.type),
              convertFloat(n, at, args[2], s.points.type));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args.back(), product)};
        })[0];
  }
};

//===----------------------------------------------------------------------===//
// merge, finish, attention
//===----------------------------------------------------------------------===//

struct DecomposeMerge : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    Type type = getElementTypeOrSelf(op.getAcc());
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    GenericBuilder build(rewriter, op.getLoc(), sizes);
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
    GenericBuilder build(rewriter, op.getLoc(), sizes);
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
  using AttnDecomposeBase::AttnDecomposeBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    if (backwardOnly)
      populateDecomposeBackwardPatterns(patterns);
    else
      populateDecomposePatterns(patterns);
    // Of the backward alone: the op, and what it becomes on the way, but not
    // what was tiled before.
    SmallVector<Operation *> backwards;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionBackwardOp>(op))
        backwards.push_back(op);
      if (backwardOnly && !isa<AttentionBackwardOp>(op))
        return;
      numDecomposed += isa<AttentionOp, OnlineAttentionOp, AttentionBackwardOp,
                           OnlineBackwardOp, MergeOp, FinishOp>(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    LogicalResult result =
        backwardOnly
            ? applyOpPatternsGreedily(backwards, std::move(patterns), config)
            : applyPatternsGreedily(getOperation(), std::move(patterns));
    if (failed(result))
      signalPassFailure();
  }
};

} // namespace

void mlir::attn::populateDecomposePatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeAttention, DecomposeOnline, DecomposeMerge,
               DecomposeFinish>(patterns.getContext());
  populateDecomposeBackwardPatterns(patterns);
}
