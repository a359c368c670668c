//===- BackwardPoints.cpp - P, the weight and dS of a tile's scores -------===//
#include "BackwardLowering.h"
#include "attn/IR/ScoreDerivative.h"

using namespace mlir;
using namespace mlir::attn;

/// What is subtracted from a row's scores.
Value BackwardLowering::rowReference(Emit &b, Value lse) {
  if (op.getEmptyRows() != EmptyRows::Zero)
    return lse;
  // exp(x - inf) is exactly 0.
  constexpr double inf = std::numeric_limits<double>::infinity();
  Value empty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, lse,
                                      b.constant(lse.getType(), -inf));
  return arith::SelectOp::create(b, empty, b.constant(lse.getType(), inf), lse);
}

/// P, or P z, as the product with dO takes it: rounded once to V's type, as in
/// the forward. What becomes pairs is rounded there.
Value BackwardLowering::roundedToValue(Emit &b, Value p) {
  if (usePairs)
    return p;
  Type narrow = getElementTypeOrSelf(op.getValue().getType());
  return convertFloat(b, b.getLoc(), convertFloat(b, b.getLoc(), p, narrow),
                      type);
}

/// Are all points x = scale s with nothing hidden, weighted or asked for?
bool BackwardLowering::isPlain() {
  return hasIdentityScore(op) && op.getDifferentiate().empty() &&
         !op.getVisibleAttr() && !op.getBlocks();
}

/// An operand with one element per row as a matrix of one column.
Value BackwardLowering::perRow(Value operand, const Twine &purpose) {
  AffineMap map = mapOf(op.getLseMutable());
  if (rowDims.size() <= 1)
    return tile.view(operand, map, only(rowDims), std::nullopt);
  Value packed = buffers.get(rowBound, Value(), 1, Value(), type, purpose);
  tile.copyIn(operand, map, rowDims, {}, packed, Copy());
  return scratchMatrix(packed);
}

/// P and dS from a vector of S in registers; dP is in `grads`.
Product::Epilogue BackwardLowering::plainPoints() {
  auto vector = VectorType::get(lanes, type);
  double scale = op.getScaleValue();
  Product::Epilogue epilogue;
  Type narrow = getElementTypeOrSelf(op.getValue().getType());
  llvm::raw_string_ostream(epilogue.name)
      << "points " << llvm::bit_cast<uint64_t>(scale) << ' '
      << int(op.getEmptyRows()) << ' ' << narrow;
  epilogue.arguments = {perRow(op.getLse(), "lse of rows"),
                        perRow(op.getDelta(), "delta of rows"),
                        scratchMatrix(grads)};
  epilogue.row = [=](Emit &b, Value i, ValueRange arguments) {
    Value zero = b.index(0);
    Value lse = rowReference(b, b.load(arguments[0], {i, zero}));
    Value delta = b.load(arguments[1], {i, zero});
    delta = arith::MulFOp::create(b, delta, b.constant(type, scale));
    return SmallVector<Value>{
        arith::NegFOp::create(b, b.broadcast(vector, lse)),
        arith::NegFOp::create(b, b.broadcast(vector, delta))};
  };
  epilogue.point = [=](Emit &b, Value sum, Value i, Value j, ValueRange row,
                       ValueRange arguments) -> Value {
    Value factor = b.constant(vector, scale);
    Value p = emitExpNegative(b, vector::FMAOp::create(b, sum, factor, row[0]),
                              target);
    Value dP = b.load(vector, arguments[2], {i, j});
    // scale (dP - D)
    Value dS = vector::FMAOp::create(b, dP, factor, row[1]);
    b.store(arith::MulFOp::create(b, p, dS), arguments[2], {i, j});
    return roundedToValue(b, p);
  };
  return epilogue;
}

/// x where the point is visible, else what a hidden key's score is.
Value BackwardLowering::hidden(Value x, const ScoreBlock::Point &point) {
  if (!point.seen)
    return x;
  HiddenAttr hidden = op.getHidden();
  double fill = hidden.isSkip() ? -std::numeric_limits<double>::infinity()
                                : hidden.getValue().getValueAsDouble();
  return arith::SelectOp::create(b, point.seen, x,
                                 b.constant(x.getType(), fill));
}

/// P z, dS and the extras' gradients at a vector of points.
BackwardLowering::PointGradients
BackwardLowering::pointGradients(const ScoreBlock::Point &point, Value dOV,
                                 Value lse, Value delta) {
  auto vector = VectorType::get(lanes, type);
  Value zero = b.constant(vector, 0.0);
  Value x = hidden(point.score, point);
  Value p = emitExpNegative(b, arith::SubFOp::create(b, x, lse), target);
  Value dP = dOV;
  if (point.weight)
    dP = arith::MulFOp::create(b, point.weight, dP);
  Value dX = arith::MulFOp::create(b, p, arith::SubFOp::create(b, dP, delta));
  Value weighted = p, dZ;
  if (point.weight) {
    weighted = arith::MulFOp::create(b, p, point.weight);
    dZ = arith::MulFOp::create(b, p, dOV);
  }
  if (point.seen) {
    bool skips = op.getHidden().isSkip();
    Value flows = point.seen, counts = point.seen;
    if (skips && op.getEmptyRows() != EmptyRows::Zero) {
      Value none = b.constant(vector, -std::numeric_limits<double>::infinity());
      Value empty =
          arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, lse, none);
      counts = arith::OrIOp::create(b, counts, empty);
      if (op.getEmptyRows() == EmptyRows::NaN)
        flows = counts;
    }
    dX = arith::SelectOp::create(b, flows, dX, zero);
    if (dZ && skips) {
      dZ = arith::SelectOp::create(b, counts, dZ, zero);
      // A weight that does not exist may be anything.
      weighted = arith::SelectOp::create(b, counts, weighted, zero);
    }
  }
  PointGradients result;
  result.weighted = weighted;

  Block &region = op.getScore().front();
  // The derivatives' operands are vectors throughout.
  ScoreEmitter spread(b, b.getLoc(), op, lanes);
  IRMapping values;
  auto asVector = [&](Value value) {
    if (Value emitted = point.values.lookupOrNull(value))
      values.map(value, isa<FloatType>(value.getType())
                            ? spread.toVector(emitted)
                            : emitted);
  };
  llvm::for_each(region.getArguments(), asVector);
  for (Operation &inner : region.without_terminator())
    llvm::for_each(inner.getResults(), asVector);
  SmallVector<Value> gradients =
      emitScoreGradient(b, b.getLoc(), region, values, dX, dZ);
  result.score = gradients[0] ? gradients[0] : zero;
  if (op.getScaleValue() != 1.0)
    result.score = arith::MulFOp::create(
        b, result.score, b.constant(vector, op.getScaleValue()));
  for (int64_t extra : op.getDifferentiate()) {
    Value gradient = gradients[1 + extra];
    result.extras.push_back(
        gradient ? convertFloat(b, b.getLoc(), gradient, type) : zero);
  }
  return result;
}

/// Turns a vector of S and dP into P z and dS.
void BackwardLowering::emitPoint(ScoreBlock &block, Value row, Value lane,
                                 Value lse, Value delta) {
  auto vector = VectorType::get(lanes, type);
  ScoreBlock::Point point =
      block.at(row, lane, b.load(vector, scores, {row, lane}));
  PointGradients gradients =
      pointGradients(point, b.load(vector, grads, {row, lane}), lse, delta);
  b.store(roundedToValue(b, gradients.weighted), scores, {row, lane});
  b.store(gradients.score, grads, {row, lane});
  for (auto [gradient, points] : llvm::zip_equal(gradients.extras, extraPoints))
    b.store(gradient, points, {row, lane});
}

/// S and dP of the tile become P z and dS.
void BackwardLowering::emitPoints() {
  extraPoints.clear();
  for (unsigned i = 0; i < op.getDifferentiate().size(); ++i)
    extraPoints.push_back(buffers.get(rowBound, Value(), pitch, Value(), type,
                                      "extra gradient " + Twine(i)));
  ScoreBlock block(b, lowering, tile, op, keyDims, rowDims, rowDims);
  block.prepare(paddedKeys);
  block.fill();
  AffineMap rowMap = mapOf(op.getLseMutable());
  auto vector = VectorType::get(lanes, type);
  Value rowCount = tile.flatSize(rowDims), zero = b.index(0);
  b.loop(zero, rowCount, 1, [&](Value row) {
    SmallVector<Value> at =
        block.evaluate(rowMap, block.localIndices(row, Value()));
    Value lse = b.load(op.getLse(), at), delta = b.load(op.getDelta(), at);
    lse = b.broadcast(vector, rowReference(b, lse));
    delta = b.broadcast(vector, delta);
    b.loop(zero, b.index(paddedKeys), lanes,
           [&](Value lane) { emitPoint(block, row, lane, lse, delta); });
  });
  expandMath(&*std::prev(b.getInsertionPoint()));
  for (auto [i, points] : llvm::enumerate(extraPoints))
    accumulateExtra(block, 3 + i, points);
}
