//===- DecomposeBackward.cpp - backward ops as linalg ---------------------===//
//
// The executable meaning of attn.attention_backward and attn.online_backward:
// the formulas of their pages, with scores, probabilities and their gradients
// as tensors.
//
//===----------------------------------------------------------------------===//
#include "DecomposeImpl.h"
#include "attn/IR/ScoreDerivative.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::decompose;

namespace {

/// attention_backward = online_backward on zeros, rounded; and the sink.
struct DecomposeBackward : OpRewritePattern<AttentionBackwardOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionBackwardOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    Location loc = op.getLoc();
    Type type = accumulateType(op);
    Value delta = emitDelta(rewriter, op);
    SmallVector<Value> outs(op.getGrads()), zeros;
    if (op.getSink())
      outs.erase(outs.begin() + 3);
    for (Value out : outs) {
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, out), type);
      Value zero = floatConstant(rewriter, loc, type, 0.0);
      zeros.push_back(
          linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0));
    }
    auto sums = OnlineBackwardOp::create(rewriter, loc, op, delta, zeros);
    SmallVector<Value> results;
    for (auto [sum, out] : llvm::zip_equal(sums->getResults(), outs))
      results.push_back(emitRounded(rewriter, loc, sum, out));
    if (op.getSink())
      results.insert(results.begin() + 3,
                     emitSinkGradient(rewriter, op, delta));
    rewriter.replaceOp(op, results);
    return success();
  }
};

class DecomposeOnlineBackward : public OpRewritePattern<OnlineBackwardOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OnlineBackwardOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    State s{op,
            ScorePoints(rewriter, op, sizes),
            op.getMapArray()[0],
            op.getMapArray()[1],
            op.getMapArray()[2],
            op.getMapOf(op.getOutputGradMutable()),
            op.getMapOf(op.getLseMutable())};
    SmallVector<Value> points = pointGradients(rewriter, s);
    Value dS = points[0], weighted = points[1];
    double scale = op.getScaleValue();
    const Roles &roles = s.points.roles;
    ValueRange outs = op.getGrads();
    SmallVector<Value> grads = {
        contract(s, dS, op.getKey(), s.keyMap, roles.depth, s.queryMap, outs[0],
                 scale),
        contract(s, dS, op.getQuery(), s.queryMap, roles.depth, s.keyMap,
                 outs[1], scale),
        contract(s, weighted, op.getOutputGrad(), s.outputMap, roles.value,
                 s.valueMap, outs[2], 1.0)};
    for (auto [i, extra] : llvm::enumerate(op.getDifferentiate())) {
      AffineMap map = op.getMapOf(
          op->getOpOperand(op.getExtras().getBeginOperandIndex() + extra));
      grads.push_back(emitSum(s.points.build, s.points.dims, points[2 + i],
                              s.points.map, map, op.getExtraGrads()[i]));
    }
    rewriter.replaceOp(op, grads);
    return success();
  }

private:
  struct State {
    OnlineBackwardOp op;
    ScorePoints points;
    AffineMap queryMap, keyMap, valueMap, outputMap, lseMap;
  };

  /// start + factor * sum of points * other, over all dims that `to` lacks.
  static Value contract(State &s, Value points, Value other, AffineMap otherMap,
                        ArrayRef<unsigned> more, AffineMap to, Value start,
                        double factor) {
    SmallVector<unsigned> dims(s.points.dims);
    llvm::append_range(dims, more);
    llvm::sort(dims);
    Type type = s.points.type;
    return s.points.build.generic(
        dims, {points, other}, {s.points.map, otherMap}, start, to,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value product = arith::MulFOp::create(
              n, at, args[0], convertFloat(n, at, args[1], type));
          if (factor != 1.0)
            product = arith::MulFOp::create(n, at, product,
                                            floatConstant(n, at, type, factor));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args[2], product)};
        })[0];
  }

  /// ds, p z and the gradients of the chosen extras at every point.
  static SmallVector<Value> pointGradients(OpBuilder &b, State &s) {
    OnlineBackwardOp op = s.op;
    Type type = s.points.type;
    Value raw = s.points.scores(b);
    Value dOV =
        s.points.products(b, op.getOutputGrad(), s.outputMap, op.getValue(),
                          s.valueMap, s.points.roles.value);
    EmptyRows emptyRows = op.getEmptyRows();
    return s.points.atPoints(
        b, raw, {op.getLse(), op.getDelta(), dOV},
        {s.lseMap, s.lseMap, s.points.map}, 2 + op.getDifferentiate().size(),
        [&](OpBuilder &n, Location at, ScorePoints::Point &point) {
          Value lse = point.more[0], d = point.more[1],
                dOVElement = point.more[2];
          auto zero = [&] { return floatConstant(n, at, type, 0.0); };
          Value x = point.score;
          if (point.seen)
            x = arith::SelectOp::create(n, at, point.seen, x, point.fill);
          Value p =
              math::ExpOp::create(n, at, arith::SubFOp::create(n, at, x, lse));
          Value empty = arith::CmpFOp::create(n, at, arith::CmpFPredicate::OEQ,
                                              lse, minusInfinity(n, at, type));
          if (emptyRows == EmptyRows::Zero)
            p = arith::SelectOp::create(n, at, empty, zero(), p);
          Value dP = dOVElement;
          if (point.weight)
            dP = arith::MulFOp::create(n, at, point.weight, dP);
          Value dX = arith::MulFOp::create(n, at, p,
                                           arith::SubFOp::create(n, at, dP, d));
          Value dZ = arith::MulFOp::create(n, at, p, dOVElement);
          if (point.seen) {
            // Nothing flows through a hidden key's score, except the NaN of a
            // row whose mask was added.
            bool skips = op.getHidden().isSkip();
            Value flows = point.seen, counts = point.seen;
            if (skips)
              counts = arith::OrIOp::create(n, at, counts, empty);
            if (skips && emptyRows == EmptyRows::NaN)
              flows = counts;
            dX = arith::SelectOp::create(n, at, flows, dX, zero());
            if (skips) // a replaced key has its weight
              dZ = arith::SelectOp::create(n, at, counts, dZ, zero());
          }
          SmallVector<Value> region =
              emitScoreGradient(n, at, op.getScore().front(), point.values, dX,
                                point.weight ? dZ : Value());
          Value weighted = p;
          if (point.weight)
            weighted = arith::MulFOp::create(n, at, p, point.weight);
          // Rounded once to V's type, as in the forward.
          weighted = convertFloat(n, at, weighted,
                                  getElementTypeOrSelf(op.getValue()));
          weighted = convertFloat(n, at, weighted, type);
          SmallVector<Value> results = {region[0] ? region[0] : zero(),
                                        weighted};
          for (int64_t extra : op.getDifferentiate()) {
            Value grad = region[extra + 1];
            results.push_back(grad ? convertFloat(n, at, grad, type) : zero());
          }
          return results;
        });
  }
};

} // namespace

void mlir::attn::populateDecomposeBackwardPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeBackward, DecomposeOnlineBackward>(
      patterns.getContext());
}
