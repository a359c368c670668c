//===- DecomposePoints.cpp - what score ops compute at each point ---------===//
#include "DecomposeImpl.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::decompose;
using utils::IteratorType;

Value decompose::floatConstant(OpBuilder &b, Location loc, Type type,
                               double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}
Value decompose::minusInfinity(OpBuilder &b, Location loc, Type type) {
  return floatConstant(b, loc, type, -std::numeric_limits<double>::infinity());
}

Value decompose::expShifted(OpBuilder &b, Location loc, Value x, Value r) {
  Type type = r.getType();
  Value empty = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, r,
                                      minusInfinity(b, loc, type));
  Value shift = arith::SelectOp::create(b, loc, empty,
                                        floatConstant(b, loc, type, 0.0), r);
  return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x, shift));
}

SmallVector<unsigned> decompose::dimsOf(AffineMap map) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (map.isFunctionOfDim(dim))
      dims.push_back(dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

Value GenericBuilder::empty(AffineMap map, Type type) {
  SmallVector<OpFoldResult> shape;
  for (AffineExpr expr : map.getResults())
    shape.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
  return tensor::EmptyOp::create(b, loc, shape, type);
}

Value GenericBuilder::filled(AffineMap map, Type type, double value) {
  return linalg::FillOp::create(b, loc, floatConstant(b, loc, type, value),
                                empty(map, type))
      .getResult(0);
}

SmallVector<Value>
GenericBuilder::generic(ArrayRef<unsigned> dims, ValueRange ins,
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
    types.push_back(
        llvm::is_contained(outMaps[0].getResults(), b.getAffineDimExpr(dim))
            ? IteratorType::parallel
            : IteratorType::reduction);
  auto op = linalg::GenericOp::create(
      b, loc, TypeRange(outs), ins, outs, maps, types,
      [&](OpBuilder &nested, Location at, ValueRange args) {
        linalg::YieldOp::create(nested, at, body(nested, at, args, dims));
      });
  return SmallVector<Value>(op.getResults());
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

ScorePoints::ScorePoints(OpBuilder &b, ScoreOpInterface op,
                         ArrayRef<OpFoldResult> sizes)
    : op(op), indexed(cast<IndexedOpInterface>(op.getOperation())),
      roles(inferRoles(op)), type(accumulateType(op)),
      build(b, op.getLoc(), sizes), dims(roles.setDims()) {
  SmallVector<AffineExpr> results;
  for (unsigned dim : dims)
    results.push_back(b.getAffineDimExpr(dim));
  map = AffineMap::get(indexed.getNumLoops(), 0, results, op.getContext());
}

Value ScorePoints::products(OpBuilder &b, Value lhs, AffineMap lhsMap,
                            Value rhs, AffineMap rhsMap,
                            ArrayRef<unsigned> summed) {
  SmallVector<unsigned> all(dims);
  llvm::append_range(all, summed);
  llvm::sort(all);
  return build.generic(
      all, {lhs, rhs}, {lhsMap, rhsMap}, build.filled(map, type, 0.0), map,
      [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
        Value product =
            arith::MulFOp::create(n, at, convertFloat(n, at, args[0], type),
                                  convertFloat(n, at, args[1], type));
        return SmallVector<Value>{
            arith::AddFOp::create(n, at, args[2], product)};
      })[0];
}

Value ScorePoints::scores(OpBuilder &b) {
  SmallVector<AffineMap> maps = op.getMapArray();
  Value sums =
      products(b, op.getQuery(), maps[0], op.getKey(), maps[1], roles.depth);
  double scale = op.getScaleValue();
  if (scale == 1.0)
    return sums;
  return build.generic(
      dims, sums, map, build.empty(map, type), map,
      [&](OpBuilder &n, Location at, ValueRange args, ArrayRef<unsigned>) {
        return SmallVector<Value>{arith::MulFOp::create(
            n, at, args[0], floatConstant(n, at, type, scale))};
      })[0];
}

SmallVector<Value> ScorePoints::atPoints(OpBuilder &b, Value raw,
                                         ValueRange more,
                                         ArrayRef<AffineMap> moreMaps,
                                         unsigned numOuts, PointBody body) {
  Location loc = op.getLoc();
  Position position = getPosition(b, op);
  SmallVector<Value> origin, extents;
  for (unsigned dim = 0; dim < indexed.getNumLoops(); ++dim) {
    origin.push_back(
        getValueOrCreateConstantIndexOp(b, loc, position.origin[dim]));
    extents.push_back(
        getValueOrCreateConstantIndexOp(b, loc, position.extents[dim]));
  }
  // Inputs that vary come as operands, scalars are captured.
  SmallVector<Value> ins{raw};
  SmallVector<AffineMap> inMaps{map};
  auto input = [&](OpOperand &operand) -> std::optional<unsigned> {
    if (!isa<ShapedType>(operand.get().getType()))
      return std::nullopt;
    ins.push_back(operand.get());
    inMaps.push_back(indexed.getMapOf(operand));
    return ins.size() - 1;
  };
  auto inputs = [&](OperandRange range) {
    SmallVector<std::optional<unsigned>> indices;
    for (unsigned i = 0; i < range.size(); ++i)
      indices.push_back(
          input(op->getOpOperand(range.getBeginOperandIndex() + i)));
    return indices;
  };
  SmallVector<std::optional<unsigned>> extras = inputs(op.getExtras());
  SmallVector<std::optional<unsigned>> symbols = inputs(op.getSymbols());
  std::optional<unsigned> blocks;
  for (OpOperand &operand : op->getOpOperands())
    if (op.getBlocks() && operand.get() == op.getBlocks() && !blocks)
      blocks = input(operand);
  unsigned firstMore = ins.size();
  llvm::append_range(ins, more);
  llvm::append_range(inMaps, moreMaps);

  SmallVector<Value> outs(numOuts, build.empty(map, type));
  SmallVector<AffineMap> outMaps(numOuts, map);
  auto emitPoint = [&](OpBuilder &n, Location at, ValueRange args,
                       ArrayRef<unsigned> loops) {
    ScoreEmitter emit(n, at, op);
    emit.indexOf = [&](unsigned dim) -> Value {
      unsigned number = llvm::find(loops, dim) - loops.begin();
      Value local = linalg::IndexOp::create(n, at, number);
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
    Point point;
    auto [x, z] = emit.score(args[0], extraValues, point.values);
    point.score = x;
    point.weight = z;
    HiddenAttr hidden = op.getHiddenAttr();
    point.fill =
        hidden.isSkip()
            ? minusInfinity(n, at, type)
            : floatConstant(n, at, type, hidden.getValue().getValueAsDouble());
    point.seen = emit.visible(symbolValues);
    if (blocks)
      point.seen = point.seen
                       ? arith::AndIOp::create(n, at, point.seen, args[*blocks])
                             .getResult()
                       : args[*blocks];
    point.more = args.drop_front(firstMore);
    return body(n, at, point);
  };
  return build.generic(dims, ins, inMaps, outs, outMaps, emitPoint);
}
