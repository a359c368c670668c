//===- ScoreRegion.cpp - emitting scores, masks and dropout ---------------===//
#include "attn/IR/ScoreRegion.h"
#include "attn/Support/Philox.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

Value mlir::attn::convertFloat(OpBuilder &b, Location loc, Value value,
                               Type type) {
  Type from = getElementTypeOrSelf(value);
  if (from == type)
    return value;
  auto shaped = [&](Type element) -> Type {
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      return VectorType::get(vector.getShape(), element);
    return element;
  };
  // f16 and bf16 have no direct conversion, and f64 to bf16 is a call into a
  // library that few systems have: their way leads through f32.
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = type.getIntOrFloatBitWidth();
  if (fromWidth == toWidth)
    value = arith::ExtFOp::create(b, loc, shaped(b.getF32Type()), value);
  if (from.isF64() && type.isBF16())
    value = arith::TruncFOp::create(b, loc, shaped(b.getF32Type()), value);
  if (fromWidth < toWidth)
    return arith::ExtFOp::create(b, loc, shaped(type), value);
  return arith::TruncFOp::create(b, loc, shaped(type), value);
}

//===----------------------------------------------------------------------===//
// Scalars and vectors
//===----------------------------------------------------------------------===//

Value ScoreEmitter::toVector(Value value) {
  if (!lanes || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      b, loc, VectorType::get({lanes}, value.getType()), value);
}

void ScoreEmitter::unify(Value &lhs, Value &rhs) {
  if (isa<VectorType>(lhs.getType()) != isa<VectorType>(rhs.getType())) {
    lhs = toVector(lhs);
    rhs = toVector(rhs);
  }
}

template <typename OpTy> Value ScoreEmitter::binary(Value lhs, Value rhs) {
  unify(lhs, rhs);
  return OpTy::create(b, loc, lhs, rhs).getResult();
}

Value ScoreEmitter::compare(arith::CmpIPredicate predicate, Value lhs,
                            Value rhs) {
  unify(lhs, rhs);
  return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
}

Value ScoreEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  unify(ifTrue, ifFalse);
  if (isa<VectorType>(condition.getType())) {
    ifTrue = toVector(ifTrue);
    ifFalse = toVector(ifFalse);
  }
  return arith::SelectOp::create(b, loc, condition, ifTrue, ifFalse);
}

Value ScoreEmitter::constant(Attribute scalar) {
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(scalar));
}
Value ScoreEmitter::indexConstant(int64_t value) {
  return constant(b.getIndexAttr(value));
}
Value ScoreEmitter::wordConstant(uint32_t value) {
  return constant(b.getI32IntegerAttr(int32_t(value)));
}

/// `value` (an integer or index) as an integer of `width` bits.
Value ScoreEmitter::castTo(Value value, unsigned width) {
  Type element = getElementTypeOrSelf(value);
  Type target = b.getIntegerType(width);
  if (element == target)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    target = VectorType::get(vector.getShape(), target);
  if (element.isIndex())
    return arith::IndexCastOp::create(b, loc, target, value);
  if (element.getIntOrFloatBitWidth() > width)
    return arith::TruncIOp::create(b, loc, target, value);
  return arith::ExtUIOp::create(b, loc, target, value);
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

Value ScoreEmitter::affine(AffineExpr expr, ArrayRef<Value> dims,
                           ArrayRef<Value> symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto value = dyn_cast<AffineConstantExpr>(expr))
    return indexConstant(value.getValue());
  auto node = cast<AffineBinaryOpExpr>(expr);
  Value lhs = affine(node.getLHS(), dims, symbols);
  Value rhs = affine(node.getRHS(), dims, symbols);
  if (node.getKind() == AffineExprKind::Add)
    return binary<arith::AddIOp>(lhs, rhs);
  if (node.getKind() == AffineExprKind::Mul)
    return binary<arith::MulIOp>(lhs, rhs);
  // floordiv, ceildiv and mod have a positive constant divisor.
  int64_t divisor = cast<AffineConstantExpr>(node.getRHS()).getValue();
  if (node.getKind() == AffineExprKind::CeilDiv)
    lhs = binary<arith::AddIOp>(lhs, indexConstant(divisor - 1));
  bool isMod = node.getKind() == AffineExprKind::Mod;
  if (llvm::isPowerOf2_64(divisor)) {
    if (isMod)
      return binary<arith::AndIOp>(lhs, indexConstant(divisor - 1));
    return binary<arith::ShRSIOp>(lhs, indexConstant(llvm::Log2_64(divisor)));
  }
  // C division truncates: a negative remainder is one step too high.
  Value remainder = binary<arith::RemSIOp>(lhs, rhs);
  Value negative =
      compare(arith::CmpIPredicate::slt, remainder, indexConstant(0));
  if (isMod)
    return select(negative, binary<arith::AddIOp>(remainder, rhs), remainder);
  Value quotient = binary<arith::DivSIOp>(lhs, rhs);
  return select(negative, binary<arith::SubIOp>(quotient, indexConstant(1)),
                quotient);
}

Value ScoreEmitter::visible(ValueRange symbolOperands) {
  if (!op.getVisibleAttr())
    return {};
  SmallVector<Value> dims, symbols;
  for (unsigned dim : roles.setDims()) {
    dims.push_back(indexOf(dim));
    symbols.push_back(extentOf(dim));
  }
  llvm::append_range(symbols, symbolOperands);
  Value any;
  Value zero = indexConstant(0);
  for (IntegerSet set : op.getVisibleAttr().getAsValueRange<IntegerSetAttr>()) {
    Value all;
    for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
      Value value = affine(set.getConstraint(i), dims, symbols);
      Value holds = compare(set.isEq(i) ? arith::CmpIPredicate::eq
                                        : arith::CmpIPredicate::sge,
                            value, zero);
      all = all ? binary<arith::AndIOp>(all, holds) : holds;
    }
    if (!all)
      all = constant(b.getBoolAttr(true));
    any = any ? binary<arith::OrIOp>(any, all) : all;
  }
  return any ? any : constant(b.getBoolAttr(false));
}

//===----------------------------------------------------------------------===//
// The region
//===----------------------------------------------------------------------===//

ScoreEmitter::Scores ScoreEmitter::score(Value s, ValueRange extras,
                                         IRMapping &mapping) {
  Block &block = op.getScoreRegion().front();
  mapping.map(block.getArgument(0), s);
  for (auto [argument, extra] :
       llvm::zip_equal(block.getArguments().drop_front(), extras))
    mapping.map(argument, extra);
  for (Operation &inner : block.without_terminator()) {
    if (auto index = dyn_cast<IndexOp>(inner)) {
      mapping.map(index.getResult(), indexOf(index.getDim()));
      continue;
    }
    if (auto drop = dyn_cast<KeepOp>(inner)) {
      mapping.map(drop.getResult(),
                  keep(mapping.lookup(drop.getSeed()),
                       mapping.lookup(drop.getOffset()),
                       drop.getP().convertToDouble(), drop.getType()));
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(mapping.lookup(operand));
    bool isVector = llvm::any_of(
        operands, [](Value v) { return isa<VectorType>(v.getType()); });
    SmallVector<Type> types(inner.getResultTypes());
    if (isVector) {
      for (Value &operand : operands)
        operand = toVector(operand);
      for (Type &type : types)
        type = VectorType::get({lanes}, type);
    }
    // Everything in the region is elementwise, so the op takes either shape.
    Operation *copy = mlir::clone(b, &inner, types, operands);
    mapping.map(inner.getResults(), copy->getResults());
  }
  auto yield = cast<YieldOp>(block.getTerminator());
  Scores scores{mapping.lookup(yield.getScore()), Value()};
  if (yield.getWeight())
    scores.weight = mapping.lookup(yield.getWeight());
  return scores;
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Row-major index over `dims` by their whole extents; 0 without dims.
Value ScoreEmitter::linearIndex(ArrayRef<unsigned> dims) {
  Value linear = indexConstant(0);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (i)
      linear = binary<arith::MulIOp>(linear, extentOf(dim));
    linear = binary<arith::AddIOp>(linear, indexOf(dim));
  }
  return linear;
}

// The counter's layout and the constants are those of attn/Support/Philox.h.
Value ScoreEmitter::keep(Value seed, Value offset, double p, Type resultType) {
  Value m = roles.row.empty() ? indexConstant(0) : indexOf(roles.row.back());
  Value n = linearIndex(roles.key);
  SmallVector<unsigned> outer(roles.batch);
  if (!roles.row.empty())
    llvm::append_range(outer, ArrayRef(roles.row).drop_back());
  Value w = linearIndex(outer);

  auto shift = [&](Value v, int64_t by) {
    return binary<arith::ShRUIOp>(v, indexConstant(by));
  };
  auto mask = [&](Value v, int64_t bits) {
    return binary<arith::AndIOp>(v, indexConstant(bits));
  };
  auto low = [&](Value v) { return castTo(castTo(v, 64), 32); };
  auto high = [&](Value v) {
    return castTo(binary<arith::ShRUIOp>(v, constant(b.getI64IntegerAttr(32))),
                  32);
  };
  Value row = binary<arith::OrIOp>(
      binary<arith::ShLIOp>(shift(m, 4), indexConstant(3)), mask(m, 7));
  Value counter[4] = {low(shift(n, 1)), low(row), low(w), low(offset)};
  Value key[2] = {low(seed), binary<arith::XOrIOp>(high(seed), high(offset))};

  auto multiply = [&](uint32_t factor, Value v) {
    Value constant = wordConstant(factor);
    unify(constant, v);
    auto product = arith::MulUIExtendedOp::create(b, loc, constant, v);
    return std::pair<Value, Value>(product.getLow(), product.getHigh());
  };
  for (unsigned round = 0; round < 10; ++round) {
    if (round) {
      key[0] = binary<arith::AddIOp>(key[0], wordConstant(0x9E3779B9u));
      key[1] = binary<arith::AddIOp>(key[1], wordConstant(0xBB67AE85u));
    }
    auto [low0, high0] = multiply(0xD2511F53u, counter[0]);
    auto [low1, high1] = multiply(0xCD9E8D57u, counter[2]);
    Value next0 =
        binary<arith::XOrIOp>(binary<arith::XOrIOp>(high1, counter[1]), key[0]);
    Value next2 =
        binary<arith::XOrIOp>(binary<arith::XOrIOp>(high0, counter[3]), key[1]);
    counter[0] = next0;
    counter[1] = low1;
    counter[2] = next2;
    counter[3] = low0;
  }

  // Word (n & 1) | ((m >> 3 & 1) << 1).
  Value zero = indexConstant(0);
  Value odd = compare(arith::CmpIPredicate::ne, mask(n, 1), zero);
  Value upper = compare(arith::CmpIPredicate::ne, mask(shift(m, 3), 1), zero);
  Value word = select(upper, select(odd, counter[3], counter[2]),
                      select(odd, counter[1], counter[0]));
  uint64_t threshold = ::attn::keepThreshold(p);
  Value kept = compare(arith::CmpIPredicate::uge, castTo(word, 64),
                       constant(b.getI64IntegerAttr(threshold)));
  double factor = p < 1.0 ? 1.0 / (1.0 - p) : 0.0;
  Value keepValue = constant(b.getFloatAttr(resultType, factor));
  Value dropValue = constant(b.getFloatAttr(resultType, 0.0));
  return select(kept, keepValue, dropValue);
}
