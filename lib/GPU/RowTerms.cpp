//===- RowTerms.cpp - what the backward needs of a row --------------------===//
//
// One warp per row: its lanes take the columns of dO and O in turn and add up
// across the warp, always in the same order.
//
//===----------------------------------------------------------------------===//
#include "RowTerms.h"
#include "Scores.h"
#include "attn/GPU/KernelABI.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static constexpr int64_t rowTermWarps = 4;

void RowTerms::addPointer(Kernel &kernel, attn_gpu::Access access) {
  pointer = kernel.pointer(access, buffer);
  kernel.nameLast("row terms");
}

namespace {
class RowTermsKernel {
public:
  RowTermsKernel(AttentionBackwardOp op, const ::attn::Target &target,
                 StringRef name, bool raw)
      : op(op), kernel(op, name, target), b(kernel.device),
        roles(inferRoles(op)), raw(raw) {}

  RowTerms build(int64_t block);

private:
  Value count(KernelEmit &at, ArrayRef<unsigned> dims, ArrayRef<Value> sizes);
  void setDigits(Point &point, ArrayRef<unsigned> dims, Value flat);
  DeviceBuffer add(OpOperand &operand, StringRef name);
  Value dot(Point point, Value lane);
  Value shiftOf(Value lse);

  mutable AttentionBackwardOp op;
  Kernel kernel;
  KernelEmit &b;
  Roles roles;
  bool raw;
  SmallVector<Value> sizes;
  DeviceBuffer output, outputGrad, lse;
  std::optional<DeviceBuffer> lseGrad, copy; ///< copy of dO
};
} // namespace

Value RowTermsKernel::count(KernelEmit &at, ArrayRef<unsigned> dims,
                            ArrayRef<Value> of) {
  Value product = at.index(1);
  for (unsigned dim : dims)
    product = at.mul(product, of[dim]);
  return product;
}

void RowTermsKernel::setDigits(Point &point, ArrayRef<unsigned> dims,
                               Value flat) {
  SmallVector<Value> radix;
  for (unsigned dim : dims)
    radix.push_back(sizes[dim]);
  for (auto [dim, digit] : llvm::zip_equal(dims, b.digits(flat, radix)))
    point[dim] = digit;
}

DeviceBuffer RowTermsKernel::add(OpOperand &operand, StringRef name) {
  DeviceBuffer buffer = addBuffer(kernel, attn_gpu::Access::Read, operand.get(),
                                  op.getMapOf(operand));
  kernel.nameLast(name);
  return buffer;
}

/// sum of dO O over the columns of the row at `point`, in every lane.
Value RowTermsKernel::dot(Point point, Value lane) {
  Value columns = count(b, roles.value, sizes);
  Value zero = b.f32(0);
  auto loop =
      scf::ForOp::create(b, lane, columns, b.index(attn_gpu::kWarpSize), zero);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    setDigits(point, roles.value, loop.getInductionVar());
    auto read = [&](const DeviceBuffer &buffer) {
      Value x = b.load(buffer.pointer, buffer.offset(b, point), buffer.element);
      return convertFloat(b, b.getLoc(), x, b.getF32Type());
    };
    Value grad = read(outputGrad);
    if (copy)
      b.store(convertFloat(b, b.getLoc(), grad, copy->element), copy->pointer,
              copy->offset(b, point));
    Value sum =
        math::FmaOp::create(b, read(output), grad, loop.getRegionIterArg(0));
    scf::YieldOp::create(b, sum);
  }
  return b.addAcrossWarp(loop.getResult(0));
}

Value RowTermsKernel::shiftOf(Value value) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Value shift = value;
  if (raw)
    shift = arith::MulFOp::create(b, value, b.f32(-llvm::numbers::log2e));
  double empty = std::numeric_limits<double>::quiet_NaN();
  if (op.getEmptyRows() == EmptyRows::Zero)
    empty = raw ? -inf : inf;
  Value isEmpty =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, b.f32(-inf));
  return b.select(isEmpty, b.f32(empty), shift);
}

RowTerms RowTermsKernel::build(int64_t block) {
  KernelEmit &host = kernel.host;
  SmallVector<OpFoldResult> hostSizes = iterationSizes(host, op);
  SmallVector<Value> known;
  for (OpFoldResult size : hostSizes)
    known.push_back(onHost(host, size));
  RowTerms terms;
  terms.padded =
      host.mul(host.ceilDiv(count(host, roles.row, known), block), block);
  Value rows = host.mul(count(host, roles.batch, known), terms.padded);
  Value size = host.mul(rows, 2);
  std::optional<int64_t> constant = getConstantIntValue(size);
  auto type = MemRefType::get({constant.value_or(ShapedType::kDynamic)},
                              host.getF32Type());
  terms.buffer = memref::AllocOp::create(
      host, type, constant ? ValueRange() : ValueRange(size));

  output = add(op.getOutputMutable(), "O");
  lse = add(op.getLseMutable(), "LSE");
  outputGrad = add(op.getOutputGradMutable(), "dO");
  if (op.getLseGrad())
    lseGrad = add(op.getLseGradMutable()[0], "dLSE");
  terms.addPointer(kernel, attn_gpu::Access::Scratch);
  terms.outputGrad = op.getOutputGrad();
  Type wanted = getElementTypeOrSelf(op.getValue());
  if (outputGrad.element != wanted) {
    auto type = MemRefType::get(outputGrad.type.getShape(), wanted);
    SmallVector<Value> dynamic;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (type.isDynamicDim(i))
        dynamic.push_back(memref::DimOp::create(host, op.getOutputGrad(), i));
    terms.outputGrad = memref::AllocOp::create(host, type, dynamic);
    terms.copied = true;
    copy = addBuffer(kernel, attn_gpu::Access::Scratch, terms.outputGrad,
                     outputGrad.map);
    kernel.nameLast("dO rounded");
  }
  importStrides(kernel, output, op.getOutput());
  importStrides(kernel, lse, op.getLse());
  importStrides(kernel, outputGrad, op.getOutputGrad());
  if (lseGrad)
    importStrides(kernel, *lseGrad, op.getLseGrad());
  if (copy)
    importStrides(kernel, *copy, terms.outputGrad);
  for (OpFoldResult size : hostSizes)
    sizes.push_back(kernel.import(size));
  terms.importStride(kernel);
  Value allRows = kernel.import(rows);

  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value lane = b.rem(thread, b.index(attn_gpu::kWarpSize));
  Value warp = b.div(thread, b.index(attn_gpu::kWarpSize));
  Value mine = b.add(
      b.mul(gpu::BlockIdOp::create(b, gpu::Dimension::x), rowTermWarps), warp);
  b.when(b.less(mine, allRows), [&] {
    Value batch = b.div(mine, terms.stride), row = b.rem(mine, terms.stride);
    Value existing = count(b, roles.row, sizes);
    Point point(op.getNumLoops());
    setDigits(point, roles.batch, batch);
    setDigits(point, roles.row, row);
    Value exists = b.less(row, existing);
    auto zeros = [&](size_t count) {
      return SmallVector<Value>(count, b.f32(0));
    };
    Type f32 = b.getF32Type();
    Value sum = b.branch(
        exists, f32, [&] { return SmallVector<Value>{dot(point, lane)}; },
        [&] { return zeros(1); })[0];
    auto read = [&](const DeviceBuffer &buffer) {
      Value x = b.load(buffer.pointer, buffer.offset(b, point), buffer.element);
      return convertFloat(b, b.getLoc(), x, f32);
    };
    auto finish = [&]() -> SmallVector<Value> {
      Value delta = sum;
      if (lseGrad)
        delta = arith::SubFOp::create(b, delta, read(*lseGrad));
      return {shiftOf(read(lse)), delta};
    };
    b.when(b.compare(arith::CmpIPredicate::eq, lane, b.index(0)), [&] {
      SmallVector<Value> values =
          b.branch(exists, {f32, f32}, finish, [&] { return zeros(2); });
      b.store(values[0], terms.pointer,
              terms.offset(b, batch, RowTerms::Shift, row));
      b.store(values[1], terms.pointer,
              terms.offset(b, batch, RowTerms::Delta, row));
    });
  });
  kernel.launch(host.ceilDiv(rows, rowTermWarps),
                rowTermWarps * attn_gpu::kWarpSize, 0);
  return terms;
}

void mlir::attn::freeRowTerms(KernelEmit &host, const RowTerms &terms) {
  memref::DeallocOp::create(host, terms.buffer);
  if (terms.copied)
    memref::DeallocOp::create(host, terms.outputGrad);
}

RowTerms mlir::attn::computeRowTerms(AttentionBackwardOp op,
                                     const ::attn::Target &target,
                                     StringRef name, bool raw, int64_t block) {
  return RowTermsKernel(op, target, name, raw).build(block);
}
