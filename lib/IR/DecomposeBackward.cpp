//===- DecomposeBackward.cpp - attention_backward as linalg ---------------===//
//
// The executable meaning of attn.attention_backward: the formulas of its page,
// with scores, probabilities and their gradients as tensors.
//
//===----------------------------------------------------------------------===//
#include "DecomposeImpl.h"
#include "attn/IR/ScoreDerivative.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::decompose;

namespace {

class DecomposeBackward : public OpRewritePattern<AttentionBackwardOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionBackwardOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
    SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
    State s{op,
            ScorePoints(rewriter, op, sizes),
            op.getMapArray()[0],
            op.getMapArray()[1],
            op.getMapArray()[2],
            op.getMapOf(op.getOutputMutable()),
            op.getMapOf(op.getLseMutable())};
    Value rowTerm = rowTerms(rewriter, s); // D
    SmallVector<Value> points = pointGradients(rewriter, s, rowTerm);
    Value dS = points[0], weighted = points[1];
    double scale = op.getScaleValue();

    SmallVector<Value> grads;
    ValueRange outs = op.getGrads();
    grads.push_back(contract(s, dS, op.getKey(), s.keyMap, s.points.roles.depth,
                             s.queryMap, outs[0], scale));
    grads.push_back(contract(s, dS, op.getQuery(), s.queryMap,
                             s.points.roles.depth, s.keyMap, outs[1], scale));
    grads.push_back(contract(s, weighted, op.getOutputGrad(), s.outputMap,
                             s.points.roles.value, s.valueMap, outs[2], 1.0));
    if (op.getSink())
      grads.push_back(sinkGradient(s, rowTerm, outs[3]));
    for (auto [i, extra] : llvm::enumerate(op.getDifferentiate())) {
      AffineMap map = op.getMapOf(
          op->getOpOperand(op.getExtras().getBeginOperandIndex() + extra));
      grads.push_back(reduce(s, s.points.dims, points[2 + i], s.points.map, map,
                             op.getExtraGrads()[i]));
    }
    rewriter.replaceOp(op, grads);
    return success();
  }

private:
  struct State {
    AttentionBackwardOp op;
    ScorePoints points;
    AffineMap queryMap, keyMap, valueMap, outputMap, lseMap;
  };

  /// A gradient's tensor filled with 0, in the accumulate type, shaped as
  /// `like`.
  static Value zeros(OpBuilder &b, State &s, Value like) {
    Location loc = s.op.getLoc();
    Value empty = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, like), s.points.type);
    return linalg::FillOp::create(
               b, loc, floatConstant(b, loc, s.points.type, 0.0), empty)
        .getResult(0);
  }

  /// `value` rounded once to the destination's type.
  static Value rounded(OpBuilder &b, State &s, Value value, Value destination) {
    Type type = getElementTypeOrSelf(destination);
    Location loc = s.op.getLoc();
    unsigned rank = cast<ShapedType>(value.getType()).getRank();
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, TypeRange{destination.getType()}, value, destination,
               ArrayRef<AffineMap>{identity, identity}, types,
               [&](OpBuilder &n, Location at, ValueRange args) {
                 Value out = convertFloat(n, at, args[0], type);
                 linalg::YieldOp::create(n, at, out);
               })
        .getResult(0);
  }

  /// Sums `value`, indexed by `from`, over the dims that `to` lacks.
  static Value reduce(State &s, ArrayRef<unsigned> dims, Value value,
                      AffineMap from, AffineMap to, Value destination) {
    OpBuilder b(s.op);
    Value sums = s.points.build.generic(
        dims, value, from, zeros(b, s, destination), to,
        [](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args[1], args[0])};
        })[0];
    return rounded(b, s, sums, destination);
  }

  /// factor * sum of points * other, over all dims that `to` lacks.
  static Value contract(State &s, Value points, Value other, AffineMap otherMap,
                        ArrayRef<unsigned> more, AffineMap to,
                        Value destination, double factor) {
    OpBuilder b(s.op);
    SmallVector<unsigned> dims(s.points.dims);
    llvm::append_range(dims, more);
    llvm::sort(dims);
    Type type = s.points.type;
    Value sums = s.points.build.generic(
        dims, {points, other}, {s.points.map, otherMap},
        zeros(b, s, destination), to,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value product = arith::MulFOp::create(
              n, at, args[0], convertFloat(n, at, args[1], type));
          if (factor != 1.0)
            product = arith::MulFOp::create(n, at, product,
                                            floatConstant(n, at, type, factor));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args[2], product)};
        })[0];
    return rounded(b, s, sums, destination);
  }

  /// D = sum_d dO O - dlse, for each row.
  static Value rowTerms(OpBuilder &b, State &s) {
    AttentionBackwardOp op = s.op;
    Type type = s.points.type;
    SmallVector<unsigned> dims = stateDims(s.points.roles);
    llvm::append_range(dims, s.points.roles.value);
    llvm::sort(dims);
    // -dlse is where the sum starts.
    Value start = s.points.build.filled(s.lseMap, type, 0.0);
    if (op.getLseGrad())
      start = s.points.build.generic(
          dimsOf(s.lseMap), op.getLseGrad(), s.lseMap,
          s.points.build.empty(s.lseMap, type), s.lseMap,
          [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
            Value grad = convertFloat(n, at, args[0], type);
            return SmallVector<Value>{arith::NegFOp::create(n, at, grad)};
          })[0];
    return s.points.build.generic(
        dims, {op.getOutputGrad(), op.getOutput()}, {s.outputMap, s.outputMap},
        start, s.lseMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value product =
              arith::MulFOp::create(n, at, convertFloat(n, at, args[0], type),
                                    convertFloat(n, at, args[1], type));
          return SmallVector<Value>{
              arith::AddFOp::create(n, at, args[2], product)};
        })[0];
  }

  /// ds, p z and the gradients of the chosen extras at every point.
  static SmallVector<Value> pointGradients(OpBuilder &b, State &s,
                                           Value rowTerm) {
    AttentionBackwardOp op = s.op;
    Type type = s.points.type;
    Value raw = s.points.scores(b);
    Value dOV =
        s.points.products(b, op.getOutputGrad(), s.outputMap, op.getValue(),
                          s.valueMap, s.points.roles.value);
    EmptyRows emptyRows = op.getEmptyRows();
    return s.points.atPoints(
        b, raw, {op.getLse(), rowTerm, dOV}, {s.lseMap, s.lseMap, s.points.map},
        2 + op.getDifferentiate().size(),
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
            Value flows = point.seen;
            if (emptyRows == EmptyRows::NaN && op.getHidden().isSkip())
              flows = arith::OrIOp::create(n, at, flows, empty);
            dX = arith::SelectOp::create(n, at, flows, dX, zero());
            if (op.getHidden().isSkip())
              dZ = arith::SelectOp::create(n, at, flows, dZ, zero());
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

  /// -exp(sink - lse) D, summed over the dims that the sink's map lacks; a sink
  /// of -inf is absent.
  static Value sinkGradient(State &s, Value rowTerm, Value destination) {
    AttentionBackwardOp op = s.op;
    OpBuilder b(op);
    Type type = s.points.type;
    AffineMap sinkMap = op.getMapOf(op.getSinkMutable()[0]);
    Value terms = s.points.build.generic(
        dimsOf(s.lseMap), {op.getSink(), op.getLse(), rowTerm},
        {sinkMap, s.lseMap, s.lseMap}, s.points.build.empty(s.lseMap, type),
        s.lseMap,
        [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
          Value sink = convertFloat(n, at, args[0], type);
          Value share = math::ExpOp::create(
              n, at, arith::SubFOp::create(n, at, sink, args[1]));
          Value term = arith::NegFOp::create(
              n, at, arith::MulFOp::create(n, at, share, args[2]));
          Value absent =
              arith::CmpFOp::create(n, at, arith::CmpFPredicate::OEQ, sink,
                                    minusInfinity(n, at, type));
          return SmallVector<Value>{arith::SelectOp::create(
              n, at, absent, floatConstant(n, at, type, 0.0), term)};
        })[0];
    return reduce(s, dimsOf(s.lseMap), terms, s.lseMap, sinkMap, destination);
  }
};

} // namespace

void mlir::attn::populateDecomposeBackwardPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DecomposeBackward>(patterns.getContext());
}
