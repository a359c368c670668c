//===- RowReference.cpp - scores measured from a reference of each row ----===//
#include "attn/IR/RowReference.h"
#include "attn/IR/Roles.h"
#include "attn/IR/ScoreRegion.h"
#include "attn/IR/VisibleRows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::losesLogSum(double score) {
  return std::isfinite(score) && std::fabs(score) > kLargeScore;
}

bool mlir::attn::mayLoseLogSum(AttentionOp attention) {
  if (attention.getSink())
    return false;
  Block &block = attention.getScore().front();
  Value score = cast<YieldOp>(block.getTerminator()).getScore();
  SmallVector<Value> work{score};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    FloatAttr constant;
    if (matchPattern(value, m_Constant(&constant)) &&
        losesLogSum(constant.getValueAsDouble()))
      return true;
    // Data of any size; the score itself is argument 0.
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (argument.getArgNumber() != 0 && isa<FloatType>(value.getType()))
        return true;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// An operand with its map.
using Mapped = std::pair<Value, AffineMap>;

/// The same attention with further extras; their block arguments are the
/// region's last. Without its mask, if so asked.
static AttentionOp rebuilt(OpBuilder &b, AttentionOp from,
                           ArrayRef<Mapped> added, ValueRange outs,
                           bool masked) {
  SmallVector<Value> extras(from.getExtras());
  auto indexed = cast<IndexedOpInterface>(from.getOperation());
  SmallVector<AffineMap> maps;
  SmallVector<AffineMap> all = indexed.getMapArray();
  size_t front = 3 + extras.size(), symbols = 0;
  for (Value symbol : from.getSymbols())
    symbols += isa<ShapedType>(symbol.getType());
  size_t sink = from.getSink() ? 1 : 0;
  maps.assign(all.begin(), all.begin() + front);
  for (auto [value, map] : added) {
    extras.push_back(value);
    maps.push_back(map);
  }
  maps.append(all.begin() + front, all.begin() + front + sink);
  maps.append(all.begin() + front + sink + (masked ? 0 : symbols), all.end());
  auto to = AttentionOp::create(
      b, from.getLoc(), outs.getTypes(), from.getQuery(), from.getKey(),
      from.getValue(), extras, from.getSink(),
      masked ? ValueRange(from.getSymbols()) : ValueRange(), from.getBlocks(),
      from.getOrigin(), from.getExtents(), outs[0], outs[1],
      b.getAffineMapArrayAttr(maps), from.getScaleAttr(),
      masked ? from.getVisibleAttr() : ArrayAttr(),
      masked ? from.getHiddenAttr() : HiddenAttr::getSkip(b.getContext()),
      from.getEmptyRowsAttr(), from.getStaticOriginAttr(),
      from.getStaticExtentsAttr(), from.getTilingAttr());
  to.getScore().getBlocks().clear();
  IRMapping mapping;
  from.getScore().cloneInto(&to.getScore(), mapping);
  for (auto [value, map] : added)
    to.getScore().front().addArgument(getElementTypeOrSelf(value),
                                      from.getLoc());
  return to;
}

namespace {
struct References {
  Value perRow, any;
};
} // namespace

/// LSE where it is large, else 0, and whether some row's is.
static References emitReferences(OpBuilder &b, Location loc, Value lse) {
  auto type = cast<RankedTensorType>(lse.getType());
  unsigned rank = type.getRank();
  Type element = type.getElementType(), i1 = b.getI1Type();
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  Value init = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, lse), element);
  Value none =
      linalg::FillOp::create(
          b, loc, no,
          tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{}, i1).getResult())
          .getResult(0);
  auto large = [&](OpBuilder &n, Location at, Value value) -> Value {
    auto constant = [&](double c) -> Value {
      return arith::ConstantOp::create(n, at, n.getFloatAttr(element, c));
    };
    Value size = math::AbsFOp::create(n, at, value);
    Value above = arith::CmpFOp::create(n, at, arith::CmpFPredicate::OGT, size,
                                        constant(kLargeScore));
    Value finite = arith::CmpFOp::create(
        n, at, arith::CmpFPredicate::OLT, size,
        constant(std::numeric_limits<double>::infinity()));
    return arith::AndIOp::create(n, at, above, finite);
  };
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  References result;
  result.perRow =
      linalg::GenericOp::create(
          b, loc, TypeRange{init.getType()}, lse, init,
          ArrayRef<AffineMap>{identity, identity},
          SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
          [&](OpBuilder &n, Location at, ValueRange args) {
            Value zero =
                arith::ConstantOp::create(n, at, n.getFloatAttr(element, 0.0));
            linalg::YieldOp::create(
                n, at,
                arith::SelectOp::create(n, at, large(n, at, args[0]), args[0],
                                        zero)
                    .getResult());
          })
          .getResult(0);
  Value any =
      linalg::GenericOp::create(
          b, loc, TypeRange{none.getType()}, lse, none,
          ArrayRef<AffineMap>{identity,
                              AffineMap::get(rank, 0, {}, b.getContext())},
          SmallVector<utils::IteratorType>(rank,
                                           utils::IteratorType::reduction),
          [&](OpBuilder &n, Location at, ValueRange args) {
            linalg::YieldOp::create(
                n, at,
                arith::OrIOp::create(n, at, args[1], large(n, at, args[0]))
                    .getResult());
          })
          .getResult(0);
  result.any = tensor::ExtractOp::create(b, loc, any, ValueRange{});
  return result;
}

FailureOr<ReferredAttention>
mlir::attn::referToRows(OpBuilder &b, AttentionOp attention, Value lse) {
  Location loc = attention.getLoc();
  // What replaces a hidden key's score has to be measured from the reference as
  // well, and the score function does not see it.
  AttentionOp whole = attention;
  if (!attention.getHiddenAttr().isSkip() && attention.getVisibleAttr()) {
    FailureOr<AttentionOp> masked = maskInScore(b, attention);
    if (failed(masked))
      return failure();
    attention = *masked;
  }
  References references = emitReferences(b, loc, lse);
  SmallVector<Value> outs;
  for (Value result : attention->getResults())
    outs.push_back(tensor::EmptyOp::create(
        b, loc,
        tensor::getMixedSizes(
            b, loc,
            attention.getDpsInits()[cast<OpResult>(result).getResultNumber()]),
        getElementTypeOrSelf(result)));
  auto branch = scf::IfOp::create(b, loc, TypeRange{lse.getType()},
                                  references.any, /*withElseRegion=*/true);
  OpBuilder then = branch.getThenBodyBuilder();
  AffineMap rows =
      cast<IndexedOpInterface>(attention.getOperation()).getMapArray().back();
  AttentionOp referred =
      rebuilt(then, attention, Mapped(references.perRow, rows), outs,
              /*masked=*/true);
  Block &block = referred.getScore().front();
  Value reference = block.getArguments().back();
  auto yield = cast<YieldOp>(block.getTerminator());
  OpBuilder inner(yield);
  yield.getScoreMutable().assign(
      arith::SubFOp::create(inner, loc, yield.getScore(), reference)
          .getResult());
  Value shifted = referred->getResult(1);
  if (shifted.getType() != lse.getType())
    shifted = tensor::CastOp::create(then, loc, lse.getType(), shifted);
  scf::YieldOp::create(then, loc, shifted);
  OpBuilder otherwise = branch.getElseBodyBuilder();
  scf::YieldOp::create(otherwise, loc, lse);
  if (attention != whole)
    attention.erase();
  return ReferredAttention{referred, branch.getResult(0)};
}

bool mlir::attn::mayReplaceWholeRows(AttentionOp attention) {
  HiddenAttr hidden = attention.getHiddenAttr();
  if (hidden.isSkip() || attention.getSink() ||
      !losesLogSum(hidden.getValue().getValueAsDouble()))
    return false;
  return !everyRowSeesKey(cast<ScoreOpInterface>(attention.getOperation()));
}

FailureOr<AttentionOp> mlir::attn::maskInScore(OpBuilder &b,
                                               AttentionOp attention) {
  if (attention.getBlocks() || !attention.getStaticOrigin().empty() ||
      !attention.getStaticExtents().empty())
    return failure();
  Location loc = attention.getLoc();
  auto indexed = cast<IndexedOpInterface>(attention.getOperation());
  // The region sees nothing but its arguments: symbols and sizes that are not
  // known become extras.
  SmallVector<Mapped> added;
  AffineMap scalar = AffineMap::get(indexed.getNumLoops(), 0, b.getContext());
  auto addScalar = [&](Value value) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
    added.push_back({value, scalar});
    return added.size() - 1;
  };
  SmallVector<size_t> symbols;
  unsigned first = attention.getSymbols().getBeginOperandIndex();
  for (auto [i, symbol] : llvm::enumerate(attention.getSymbols())) {
    if (!isa<ShapedType>(symbol.getType())) {
      symbols.push_back(addScalar(symbol));
      continue;
    }
    symbols.push_back(added.size());
    added.push_back(
        {symbol, indexed.getMapOf(attention->getOpOperand(first + i))});
  }
  SmallVector<OpFoldResult> sizes = iterationSizes(b, indexed);
  DenseMap<unsigned, size_t> unknown;
  for (unsigned dim : inferRoles(attention).setDims())
    if (auto size = dyn_cast<Value>(sizes[dim]))
      unknown[dim] = addScalar(size);
  AttentionOp masked =
      rebuilt(b, attention, added, attention.getDpsInits(), /*masked=*/false);
  Block &block = masked.getScore().front();
  auto yield = cast<YieldOp>(block.getTerminator());
  OpBuilder inner(yield);
  auto argument = [&](size_t number) -> Value {
    Value value =
        block.getArgument(block.getNumArguments() - added.size() + number);
    return arith::IndexCastOp::create(inner, loc, inner.getIndexType(), value);
  };
  ScoreEmitter emit(inner, loc, attention);
  emit.indexOf = [&](unsigned dim) -> Value {
    return IndexOp::create(inner, loc, inner.getIndexType(), dim);
  };
  emit.extentOf = [&](unsigned dim) -> Value {
    if (auto it = unknown.find(dim); it != unknown.end())
      return argument(it->second);
    return arith::ConstantIndexOp::create(inner, loc,
                                          *getConstantIntValue(sizes[dim]));
  };
  SmallVector<Value> symbolValues;
  for (size_t number : symbols)
    symbolValues.push_back(argument(number));
  if (Value seen = emit.visible(symbolValues)) {
    Value score = yield.getScore();
    double fill = attention.getHiddenAttr().getValue().getValueAsDouble();
    Value replaced = arith::ConstantOp::create(
        inner, loc, inner.getFloatAttr(score.getType(), fill));
    yield.getScoreMutable().assign(
        arith::SelectOp::create(inner, loc, seen, score, replaced).getResult());
  }
  return masked;
}
