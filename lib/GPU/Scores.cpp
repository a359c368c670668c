//===- Scores.cpp - the score region on fragments -------------------------===//
#include "Scores.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::FragmentType;

static Value intrinsic(KernelEmit &b, StringRef name, Value x) {
  return LLVM::CallIntrinsicOp::create(b, b.getF32Type(), b.getStringAttr(name),
                                       ValueRange{x})
      .getResult(0);
}

Value mlir::attn::exp2(KernelEmit &b, Value x) {
  return intrinsic(b, "llvm.nvvm.ex2.approx.ftz.f", x);
}
Value mlir::attn::log2(KernelEmit &b, Value x) {
  return intrinsic(b, "llvm.nvvm.lg2.approx.ftz.f", x);
}

Value mlir::attn::reciprocal(KernelEmit &b, Value x) {
  return intrinsic(b, "llvm.nvvm.rcp.approx.ftz.f", x);
}

/// Scales whose product with any score of 16-bit operands neither overflows nor
/// underflows.
static bool isModerate(double scale) { return scale > 1e-10 && scale < 1e10; }

Scores::Scores(KernelEmit &b, const Geometry &geometry, ScoreOpInterface op,
               ArrayRef<Extra> extras, double fill,
               std::optional<double> constant)
    : b(b), geometry(geometry), op(op), extras(extras), fill(fill),
      constant(constant) {
  auto yield = cast<YieldOp>(op.getScoreRegion().front().getTerminator());
  weighted = static_cast<bool>(yield.getWeight());
  raw = keepsRaw(op, !std::isinf(fill)) && !constant;
}

bool Scores::keepsRaw(ScoreOpInterface op, bool finiteFill) {
  Block &region = op.getScoreRegion().front();
  auto yield = cast<YieldOp>(region.getTerminator());
  // A raw score has no place for a finite fill, which scale may take out of
  // range.
  return yield.getScore() == region.getArgument(0) && !finiteFill &&
         isModerate(op.getScaleValue());
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

Point Scores::pointOf(Value row, Value column, Value key,
                      Value &keyIndex) const {
  Point point = geometry.batchPoint();
  geometry.setRow(point, b.add(geometry.warpRow, row));
  keyIndex = b.add(key, column);
  geometry.setKey(point, keyIndex);
  return point;
}

ScoreEmitter Scores::emitter(const Point &point) const {
  ScoreEmitter emit(b, b.getLoc(), op);
  emit.indexOf = [&](unsigned dim) {
    return b.add(geometry.origin[dim], point[dim]);
  };
  emit.extentOf = [&](unsigned dim) { return geometry.extents[dim]; };
  return emit;
}

Value Scores::element(const Extra &extra, const Point &point) const {
  if (extra.scalar)
    return extra.scalar;
  return b.load(extra.buffer.pointer, extra.buffer.offset(b, point),
                extra.buffer.element);
}

ScoreEmitter::Scores Scores::apply(Value product, Point point, Value key,
                                   bool clampKey, IRMapping &region) {
  ScoreEmitter emit = emitter(point);
  Point inside = point;
  geometry.clampRow(inside);
  if (clampKey)
    geometry.clampKey(inside, key);
  SmallVector<Value> values;
  for (const Extra &extra : extras)
    values.push_back(element(extra, inside));
  Value s = product;
  if (op.getScaleValue() != 1.0)
    s = arith::MulFOp::create(b, s, b.f32(op.getScaleValue()));
  return emit.score(s, values, region);
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Value Scores::keep(Mask &mask, Value product, Value key) {
  Type type = product.getType();
  constexpr double inf = std::numeric_limits<double>::infinity();
  auto scoreAt = [&](Value s, const Point &point, Value keyIndex,
                     bool clampKey) -> Value {
    if (constant)
      return b.f32(*constant);
    return raw ? s : apply(s, point, keyIndex, clampKey).score;
  };
  auto full = [&]() -> SmallVector<Value> {
    if (raw)
      return {product};
    return b.map(product, type, [&](ValueRange s, Value row, Value column) {
      Value keyIndex;
      Point point = pointOf(row, column, key, keyIndex);
      return SmallVector<Value>{
          scoreAt(s[0], point, keyIndex, /*clampKey=*/false)};
    });
  };
  auto partial = [&] {
    return b.map(product, type, [&](ValueRange s, Value row, Value column) {
      Value keyIndex;
      Point point = pointOf(row, column, key, keyIndex);
      Value x = scoreAt(s[0], point, keyIndex, /*clampKey=*/true);
      ScoreEmitter emit = emitter(point);
      Value seen = mask.visibleAt(emit, point, keyIndex);
      if (seen)
        x = b.select(seen, x, b.f32(fill));
      // Keys that do not exist are skipped whatever a hidden one means.
      x = b.select(geometry.keyExists(point, keyIndex), x, b.f32(-inf));
      return SmallVector<Value>{x};
    });
  };
  return b.branch(mask.sees(key), type, full, partial)[0];
}

Scores::Probabilities Scores::probabilities(Value kept, Value product,
                                            Value level, Value key) {
  Type type = kept.getType();
  Probabilities result;
  if (raw) {
    result.sum = b.map({kept, level}, type, [&](ValueRange v, Value, Value) {
      Value x = math::FmaOp::create(b, v[0],
                                    b.f32(llvm::numbers::log2e * unit()), v[1]);
      return SmallVector<Value>{exp2(b, x)};
    })[0];
  } else {
    result.sum = b.map({kept, level}, type, [&](ValueRange v, Value, Value) {
      Value x = arith::SubFOp::create(b, v[0], v[1]);
      x = arith::MulFOp::create(b, x, b.f32(llvm::numbers::log2e));
      return SmallVector<Value>{exp2(b, x)};
    })[0];
  }
  result.product = result.sum;
  if (weighted)
    result.product =
        b.map({result.sum, product}, type,
              [&](ValueRange v, Value row, Value column) {
                Value keyIndex;
                Point point = pointOf(row, column, key, keyIndex);
                Value z =
                    apply(v[1], point, keyIndex, /*clampKey=*/true).weight;
                Value weighted = arith::MulFOp::create(b, v[0], z);
                return SmallVector<Value>{weighted};
              })[0];
  return result;
}
