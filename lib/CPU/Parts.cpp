//===- Parts.cpp - numbers as sums of bf16 --------------------------------===//
//
// A part is x with half a unit of its last place added, cut to the upper half
// of its bits: two instructions, with no conversion back to f32 for what is
// left of x. Where the sum leaves the finite numbers, the part is cut only.
//
//===----------------------------------------------------------------------===//
#include "Parts.h"

using namespace mlir;
using namespace mlir::attn;

/// The type of v with another element.
static Type like(Value v, Type element) {
  if (auto vector = dyn_cast<VectorType>(v.getType()))
    return vector.clone(element);
  return element;
}

namespace {

class Splitter {
public:
  Splitter(Emit &b, Value x)
      : b(b), type(x.getType()), bitsType(like(x, b.getI32Type())) {}

  Value integer(int64_t v) { return b.integer(bitsType, v); }
  Value toBits(Value v) { return arith::BitcastOp::create(b, bitsType, v); }
  Value toFloat(Value v) { return arith::BitcastOp::create(b, type, v); }
  Value bitsAnd(Value v, int64_t mask) {
    return arith::AndIOp::create(b, v, integer(mask));
  }

  /// x rounded to bf16.
  Value rounded(Value x) {
    Value up = arith::AddIOp::create(b, toBits(x), integer(0x8000));
    return toFloat(bitsAnd(up, kUpper));
  }

  /// The same of any finite x: the largest ones are cut.
  Value roundedOrCut(Value x) {
    Value bits = toBits(x);
    Value up = arith::AddIOp::create(b, bits, integer(0x8000));
    Value largest =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                              bitsAnd(bits, kMagnitude), integer(0x7f7f8000));
    up = arith::SelectOp::create(b, largest, bits, up);
    return toFloat(bitsAnd(up, kUpper));
  }

  Value isFinite(Value x) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                 bitsAnd(toBits(x), kMagnitude),
                                 integer(0x7f800000));
  }
  /// 1 with x's sign.
  Value signedOne(Value x) {
    Value sign = bitsAnd(toBits(x), int32_t(0x80000000));
    return toFloat(arith::OrIOp::create(b, sign, integer(0x3f800000)));
  }
  Value select(Value c, Value l, Value r) {
    return arith::SelectOp::create(b, c, l, r);
  }
  Value rest(Value x, Value part) { return arith::SubFOp::create(b, x, part); }
  Value zero() { return b.constant(type, 0.0); }

private:
  static constexpr int64_t kUpper = int32_t(0xffff0000),
                           kMagnitude = 0x7fffffff;

  Emit &b;
  Type type, bitsType;
};

} // namespace

SmallVector<Value, 3> mlir::attn::emitParts(Emit &b, Value x, Parts parts) {
  Splitter s(b, x);
  bool isHalf = parts.type == ::attn::ElementType::F16;
  if (parts.bounded) {
    Value high = s.rounded(x), middle = s.rest(x, high);
    if (isHalf)
      return {high, middle};
    Value cut = s.rounded(middle);
    return {high, cut, s.rest(middle, cut)};
  }
  Value finite = s.isFinite(x);
  if (isHalf) {
    Value inner = s.select(finite, x, s.zero());
    Value high = s.rounded(inner);
    return {s.select(finite, high, x), s.rest(inner, high), high};
  }
  Value inner = s.select(finite, x, s.signedOne(x));
  Value high = s.roundedOrCut(inner);
  // inf, or NaN, where x is not finite.
  Value rest = s.rest(x, high);
  Value middle = s.select(finite, s.rounded(rest), s.zero());
  return {high, middle, s.rest(rest, middle)};
}

/// The upper half of an f32, in the lower one of an i32.
static Value shiftedDown(Emit &b, Value part) {
  Type bits = like(part, b.getI32Type());
  return arith::ShRUIOp::create(b, arith::BitcastOp::create(b, bits, part),
                                b.integer(bits, 16));
}

Value mlir::attn::emitUpperHalf(Emit &b, Value part) {
  Value upper = arith::TruncIOp::create(b, like(part, b.getI16Type()),
                                        shiftedDown(b, part));
  return arith::BitcastOp::create(b, like(part, b.getBF16Type()), upper);
}

Value mlir::attn::emitUpperHalfOfBoth(Emit &b, Value first, Value second) {
  // One shuffle, where each vector by itself takes a shift and two more.
  int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
  auto halves = VectorType::get(2 * lanes, b.getBF16Type());
  SmallVector<int64_t> upper;
  for (int64_t lane = 0; lane < 2 * lanes; ++lane)
    upper.push_back(2 * lane + 1);
  return vector::ShuffleOp::create(
      b, vector::BitCastOp::create(b, halves, first),
      vector::BitCastOp::create(b, halves, second), upper);
}

Value mlir::attn::emitUpperHalves(Emit &b, Value first, Value second) {
  Type bits = like(first, b.getI32Type());
  Value high =
      arith::AndIOp::create(b, arith::BitcastOp::create(b, bits, second),
                            b.integer(bits, int32_t(0xffff0000)));
  return arith::OrIOp::create(b, shiftedDown(b, first), high);
}
