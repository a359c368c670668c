//===- ToOnline.cpp - attention as a fold over its keys -------------------===//
#include "attn/IR/Roles.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/IR/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static Value filled(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> shape,
                    Type type, double value) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  Value constant =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return linalg::FillOp::create(b, loc, constant, empty).getResult(0);
}

/// max = sink, sum = (sink == -inf ? 0 : 1), broadcast to the state's dims.
static std::pair<Value, Value> sinkState(OpBuilder &b, AttentionOp op,
                                         AffineMap sinkMap, AffineMap stateMap,
                                         ArrayRef<OpFoldResult> shape,
                                         Type type) {
  Location loc = op.getLoc();
  // The sink's map over the dims of the state tensor.
  SmallVector<AffineExpr> results;
  for (AffineExpr result : sinkMap.getResults())
    for (auto [position, expr] : llvm::enumerate(stateMap.getResults()))
      if (expr == result)
        results.push_back(b.getAffineDimExpr(position));
  unsigned rank = stateMap.getNumResults();
  AffineMap map = AffineMap::get(rank, 0, results, b.getContext());
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  SmallVector<Value> outs{empty, empty};
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{empty.getType(), empty.getType()}, op.getSink(), outs,
      {map, identity, identity}, parallel,
      [&](OpBuilder &nested, Location at, ValueRange args) {
        Value sink = convertFloat(nested, at, args[0], type);
        auto number = [&](double v) -> Value {
          return arith::ConstantOp::create(nested, at,
                                           nested.getFloatAttr(type, v));
        };
        Value absent = arith::CmpFOp::create(
            nested, at, arith::CmpFPredicate::OEQ, sink,
            number(-std::numeric_limits<double>::infinity()));
        Value sum = arith::SelectOp::create(nested, at, absent, number(0.0),
                                            number(1.0));
        linalg::YieldOp::create(nested, at, ValueRange{sink, sum});
      });
  return {generic.getResult(0), generic.getResult(1)};
}

/// The same results, those that are among `dims` last.
static AffineMap withLast(AffineMap map, ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> results, last;
  for (AffineExpr result : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(result).getPosition();
    (llvm::is_contained(dims, dim) ? last : results).push_back(result);
  }
  results.append(last);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

FailureOr<FinishOp> mlir::attn::rewriteAsOnline(RewriterBase &rewriter,
                                                AttentionOp op, bool rowsLast) {
  if (op->getNumResults() == 0)
    return rewriter.notifyMatchFailure(op, "expected tensors, got memrefs");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Roles roles = inferRoles(op);
  Type type = accumulateType(op);
  SmallVector<OpFoldResult> sizes = iterationSizes(rewriter, op);
  auto shapeOf = [&](AffineMap map) {
    SmallVector<OpFoldResult> shape;
    for (AffineExpr expr : map.getResults())
      shape.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
    return shape;
  };

  // The state has the layout of the destinations.
  unsigned loops = op.getNumLoops();
  AffineMap outMap = op.getMapOf(*op.getDpsInitOperand(0));
  AffineMap accMap = rowsLast ? withLast(outMap, roles.row) : outMap;
  SmallVector<AffineExpr> rows;
  for (unsigned dim : stateDims(roles))
    rows.push_back(rewriter.getAffineDimExpr(dim));
  AffineMap stateMap = op.getLse()
                           ? op.getMapOf(*op.getDpsInitOperand(1))
                           : AffineMap::get(loops, 0, rows, op.getContext());

  Value acc = filled(rewriter, loc, shapeOf(accMap), type, 0.0);
  Value max, sum;
  if (op.getSink()) {
    std::tie(max, sum) =
        sinkState(rewriter, op, op.getMapOf(op.getSinkMutable()[0]), stateMap,
                  shapeOf(stateMap), type);
  } else {
    max = filled(rewriter, loc, shapeOf(stateMap), type,
                 -std::numeric_limits<double>::infinity());
    sum = filled(rewriter, loc, shapeOf(stateMap), type, 0.0);
  }

  SmallVector<AffineMap> maps;
  OpOperand *sink = op.getSink() ? &op.getSinkMutable()[0] : nullptr;
  for (OpOperand &operand : op->getOpOperands())
    if (AffineMap map = op.getMapOf(operand);
        map && &operand != sink && !op.isDpsInit(&operand))
      maps.push_back(map);
  maps.append({accMap, stateMap});
  auto online = OnlineAttentionOp::create(
      rewriter, loc, ValueRange{op.getQuery(), op.getKey(), op.getValue()},
      op.getExtras(), op.getSymbols(), op.getBlocks(),
      ValueRange{acc, max, sum}, maps, op.getScaleValue(), op.getVisibleAttr(),
      op.getHidden());
  rewriter.eraseBlock(&online.getScore().front());
  rewriter.inlineRegionBefore(op.getScore(), online.getScore(),
                              online.getScore().end());
  cast<ScoreOpInterface>(online.getOperation())
      .setPosition(op.getMixedOrigin(), op.getMixedExtents());
  online.setTilingAttr(op.getTilingAttr());

  // The finish iterates over what the state has: no key and no depth dims.
  llvm::SmallBitVector unused(loops);
  for (unsigned dim : llvm::concat<unsigned>(roles.key, roles.depth))
    unused.set(dim);
  SmallVector<AffineMap> finishMaps = {accMap, stateMap, outMap};
  if (op.getLse())
    finishMaps.push_back(stateMap);
  for (AffineMap &map : finishMaps)
    map = projectDims(map, unused, /*compressDimsFlag=*/true);
  auto finish = FinishOp::create(
      rewriter, loc, op->getResultTypes(), online->getResult(0),
      online->getResult(1), online->getResult(2), op.getOutput(), op.getLse(),
      rewriter.getAffineMapArrayAttr(finishMaps), op.getEmptyRowsAttr(),
      op.getTilingAttr());
  rewriter.replaceOp(op, finish->getResults());
  return finish;
}
