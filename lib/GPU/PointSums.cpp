//===- PointSums.cpp - gradients that are sums over points ----------------===//
//
// One warp per element of the gradient. Its lanes take the points in turn at
// which the operand's map gives that element, and add up across the warp at the
// end: any map, one order, no atomics. A point of an extra's gradient is made
// anew from Q, K, dO and V by plain multiplications: correct everywhere, and
// slow for an extra that few points share, for which the matrix units would do
// better.
//
//===----------------------------------------------------------------------===//
#include "PointSums.h"
#include "Operands.h"
#include "PointGradient.h"
#include "attn/IR/ScoreDerivative.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t pointSumWarps = 4;

namespace {
class PointSums {
public:
  PointSums(AttentionBackwardOp op, const ::attn::Target &target,
            StringRef name, RowTerms terms)
      : op(op), kernel(op, name, target), b(kernel.device),
        geometry(kernel, op), roles(geometry.roles), terms(terms) {}

  void sink(bool raw);
  void extra(unsigned index);

private:
  DeviceBuffer add(attn_gpu::Access access, OpOperand &operand,
                   StringRef name) {
    DeviceBuffer made =
        addBuffer(kernel, access, operand.get(), op.getMapOf(operand));
    kernel.nameLast(name);
    return made;
  }
  using Term = function_ref<Value(const Point &point)>;
  void build(const DeviceBuffer &to, Value destination, ArrayRef<unsigned> dims,
             Term term);
  Value sumOf(const DeviceBuffer &to, ArrayRef<Value> element,
              ArrayRef<unsigned> dims, Value lane, Term term);
  Value row(const Point &point, RowTerms::Term term) {
    return terms.load(b, geometry.flatten(point, roles.batch), term,
                      geometry.flatten(point, roles.row));
  }
  Value dot(const Point &point, const DeviceBuffer &x, const DeviceBuffer &y,
            ArrayRef<unsigned> columns);
  Value read(const DeviceBuffer &buffer, const Point &point) {
    Value x = b.load(buffer.pointer, buffer.offset(b, point), buffer.element);
    return convertFloat(b, b.getLoc(), x, b.getF32Type());
  }

  mutable AttentionBackwardOp op;
  Kernel kernel;
  KernelEmit &b;
  Geometry geometry;
  const Roles &roles;
  RowTerms terms;
};
} // namespace

/// Sum over columns at a point.
Value PointSums::dot(const Point &at, const DeviceBuffer &x,
                     const DeviceBuffer &y, ArrayRef<unsigned> columns) {
  auto loop =
      scf::ForOp::create(b, b.index(0), b.index(geometry.columns(columns)),
                         b.index(1), ValueRange{b.f32(0)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Point point = at;
  geometry.setColumn(point, columns, loop.getInductionVar());
  Value sum = math::FmaOp::create(b, read(x, point), read(y, point),
                                  loop.getRegionIterArg(0));
  scf::YieldOp::create(b, sum);
  return loop.getResult(0);
}

/// The sum of the terms at all points that the map takes to `element`, in every
/// lane.
Value PointSums::sumOf(const DeviceBuffer &to, ArrayRef<Value> element,
                       ArrayRef<unsigned> dims, Value lane, Term term) {
  // Dims that are an index of the element are known; the others are walked.
  Point start(op.getNumLoops());
  for (auto [expr, index] : llvm::zip_equal(to.map.getResults(), element))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      start[dim.getPosition()] = index;
  SmallVector<unsigned> walked;
  SmallVector<Value> radix;
  Value count = b.index(1);
  for (unsigned dim : dims)
    if (!start[dim]) {
      walked.push_back(dim);
      radix.push_back(geometry.sizes[dim]);
      count = b.mul(count, radix.back());
    }
  auto loop = scf::ForOp::create(b, lane, count, b.index(attn_gpu::kWarpSize),
                                 ValueRange{b.f32(0)});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Point point = start;
    for (auto [dim, digit] :
         llvm::zip_equal(walked, b.digits(loop.getInductionVar(), radix)))
      point[dim] = digit;
    Value here;
    for (auto [expr, index] : llvm::zip_equal(to.map.getResults(), element))
      if (!isa<AffineDimExpr>(expr))
        here = b.both(here, b.compare(arith::CmpIPredicate::eq,
                                      evaluate(b, expr, point), index));
    Value old = loop.getRegionIterArg(0);
    auto more = [&] {
      Value sum = arith::AddFOp::create(b, old, term(point));
      return SmallVector<Value>{sum};
    };
    Value sum = here ? b.branch(here, old.getType(), more,
                                [&] { return SmallVector<Value>{old}; })[0]
                     : more()[0];
    scf::YieldOp::create(b, sum);
  }
  return b.addAcrossWarp(loop.getResult(0));
}

void PointSums::build(const DeviceBuffer &to, Value destination,
                      ArrayRef<unsigned> dims, Term term) {
  KernelEmit &host = kernel.host;
  Value elements = host.index(1);
  SmallVector<Value> radix;
  for (int64_t i = 0; i < to.type.getRank(); ++i) {
    Value size = to.type.isDynamicDim(i)
                     ? memref::DimOp::create(host, destination, i).getResult()
                     : host.index(to.type.getDimSize(i));
    elements = host.mul(elements, size);
    radix.push_back(kernel.import(size));
  }
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value lane = b.rem(thread, b.index(attn_gpu::kWarpSize));
  Value warp = b.div(thread, b.index(attn_gpu::kWarpSize));
  Value mine = b.add(
      b.mul(gpu::BlockIdOp::create(b, gpu::Dimension::x), pointSumWarps), warp);
  b.when(b.less(mine, kernel.import(elements)), [&] {
    SmallVector<Value> element = b.digits(mine, radix);
    Value sum = sumOf(to, element, dims, lane, term);
    b.when(b.compare(arith::CmpIPredicate::eq, lane, b.index(0)), [&] {
      Value offset = b.index(0);
      for (auto [index, stride] : llvm::zip_equal(element, to.strides))
        offset = b.add(offset, b.mul(index, stride));
      b.store(convertFloat(b, b.getLoc(), sum, to.element), to.pointer, offset);
    });
  });
  kernel.launch(host.ceilDiv(elements, pointSumWarps),
                pointSumWarps * attn_gpu::kWarpSize, 0);
}

void PointSums::sink(bool raw) {
  DeviceBuffer sink =
      add(attn_gpu::Access::Read, op.getSinkMutable()[0], "sink");
  terms.addPointer(kernel, attn_gpu::Access::Scratch);
  DeviceBuffer to =
      add(attn_gpu::Access::Write, op.getGradsMutable()[3], "dsink");
  importStrides(kernel, sink, op.getSink());
  importStrides(kernel, to, op.getSinkGrad());
  terms.importStride(kernel);
  geometry.locate();
  SmallVector<unsigned> dims(roles.batch);
  llvm::append_range(dims, roles.row);
  constexpr double inf = std::numeric_limits<double>::infinity();
  build(to, op.getSinkGrad(), dims, [&](const Point &point) -> Value {
    Value x = read(sink, point);
    Value log2e = b.f32(llvm::numbers::log2e);
    Value shift = row(point, RowTerms::Shift);
    Value exponent = raw ? math::FmaOp::create(b, x, log2e, shift).getResult()
                         : arith::MulFOp::create(
                               b, arith::SubFOp::create(b, x, shift), log2e)
                               .getResult();
    Value term = arith::MulFOp::create(b, exp2(b, exponent),
                                       row(point, RowTerms::Delta));
    term = arith::NegFOp::create(b, term);
    Value absent =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, b.f32(-inf));
    return b.select(absent, b.f32(0), term);
  });
}

void PointSums::extra(unsigned index) {
  ScoreOperands operands(kernel, op);
  operands.addInputs();
  operands.addMask();
  DeviceBuffer outputGrad =
      add(attn_gpu::Access::Read, op.getOutputGradMutable(), "dO");
  terms.addPointer(kernel, attn_gpu::Access::Scratch);
  unsigned position = (op.getSink() ? 4 : 3) + index;
  int64_t number = op.getDifferentiate()[index];
  DeviceBuffer to = add(attn_gpu::Access::Write, op.getGradsMutable()[position],
                        ("dextra" + Twine(number)).str());
  operands.importScalars();
  importStrides(kernel, outputGrad, op.getOutputGrad());
  importStrides(kernel, to, op.getGrads()[position]);
  terms.importStride(kernel);
  geometry.locate();
  bool skips = op.getHidden().isSkip();
  Scores scores(b, geometry, op, operands.extras,
                skips ? -std::numeric_limits<double>::infinity()
                      : op.getHidden().getValue().getValueAsDouble(),
                std::nullopt);
  SmallVector<unsigned> dims = roles.setDims();
  build(to, op.getGrads()[position], dims, [&](const Point &point) -> Value {
    PointInput input;
    Value s = dot(point, operands.query, operands.key, roles.depth);
    IRMapping values;
    input.x =
        scores.apply(s, point, /*key=*/Value(), /*clampKey=*/false, values);
    if (scores.isRaw())
      input.x.score = s;
    ScoreEmitter emit = scores.emitter(point);
    input.seen = emit.visible(operands.symbolValues(point));
    if (operands.blocks)
      input.seen = b.both(input.seen, b.load(operands.blocks->pointer,
                                             operands.blocks->offset(b, point),
                                             operands.blocks->element));
    input.shift = row(point, RowTerms::Shift);
    input.delta = row(point, RowTerms::Delta);
    input.gradient = dot(point, outputGrad, operands.value, roles.value);
    PointGradient gradient = computePoint(b, op, scores, input);
    Value term = emitScoreGradient(b, b.getLoc(), op.getScore().front(), values,
                                   gradient.score, gradient.weight)[1 + number];
    if (!term)
      return b.f32(0);
    return convertFloat(b, b.getLoc(), term, b.getF32Type());
  });
}

void mlir::attn::sumSinkGradient(AttentionBackwardOp op,
                                 const ::attn::Target &target, StringRef name,
                                 RowTerms terms, bool raw) {
  PointSums(op, target, name, terms).sink(raw);
}

void mlir::attn::sumExtraGradient(AttentionBackwardOp op,
                                  const ::attn::Target &target, StringRef name,
                                  RowTerms terms, unsigned index) {
  PointSums(op, target, name, terms).extra(index);
}
