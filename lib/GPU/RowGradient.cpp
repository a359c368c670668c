//===- RowGradient.cpp - dQ by atomic additions ---------------------------===//
#include "RowGradient.h"
#include "AttentionKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::FragmentType;

/// Of the two kernels here, which are for memory only.
static constexpr int64_t memoryWarps = 4;
static constexpr int64_t blockRows = 16;

void RowGradient::addPointer(Kernel &kernel) {
  pointer = kernel.pointer(attn_gpu::Access::Scratch, buffer);
  kernel.nameLast("dQ sums");
}

Value RowGradient::offset(KernelEmit &b, const Geometry &geometry,
                          const Point &point, Value row, Value block) const {
  constexpr int64_t blockSums = blockRows * 8;
  Value rows = b.mul(geometry.flatten(point, batch), stride);
  return b.add(b.mul(b.add(rows, row), columns), b.mul(block, blockSums));
}

/// Batch dims that dQ has.
static SmallVector<unsigned> batchDims(AttentionBackwardOp op) {
  AffineMap map = op.getMapOf(op.getGradsMutable()[0]);
  SmallVector<unsigned> dims;
  for (unsigned dim : inferRoles(op).batch)
    if (llvm::is_contained(map.getResults(),
                           getAffineDimExpr(dim, op.getContext())))
      dims.push_back(dim);
  return dims;
}

static Value product(KernelEmit &b, ArrayRef<unsigned> dims,
                     ArrayRef<Value> sizes) {
  Value result = b.index(1);
  for (unsigned dim : dims)
    result = b.mul(result, sizes[dim]);
  return result;
}

/// Is `mine` less than `all`? Null where thread arrays of `each` sums come out
/// even, so that it always is.
static Value inside(KernelEmit &b, const RowGradient &sums, Value mine,
                    Value all, int64_t each) {
  std::optional<int64_t> known = getConstantIntValue(sums.total);
  return known && *known % each == 0 ? Value() : b.less(mine, all);
}

/// A thread for every four sums.
static void emitZeros(AttentionBackwardOp op, const ::attn::Target &target,
                      StringRef name, RowGradient sums) {
  Kernel kernel(op, name, target);
  KernelEmit &b = kernel.device;
  sums.addPointer(kernel);
  constexpr int64_t vector = 4, threads = memoryWarps * attn_gpu::kWarpSize;
  Value count = kernel.host.div(sums.total, kernel.host.index(vector));
  Value all = kernel.import(count);
  Value mine =
      b.add(b.mul(gpu::BlockIdOp::create(b, gpu::Dimension::x), threads),
            gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  b.when(inside(b, sums, mine, all, vector * threads), [&] {
    auto four = VectorType::get(vector, b.getF32Type());
    Value zeros = arith::ConstantOp::create(b, four, b.getZeroAttr(four));
    b.store(zeros, sums.pointer, mine);
  });
  kernel.launch(kernel.host.ceilDiv(count, threads), threads, 0);
}

RowGradient mlir::attn::zeroRowGradient(AttentionBackwardOp op,
                                        const ::attn::Target &target,
                                        StringRef name) {
  KernelEmit host(op.getLoc(), op);
  Roles roles = inferRoles(op);
  SmallVector<Value> sizes;
  for (OpFoldResult size : iterationSizes(host, op))
    sizes.push_back(onHost(host, size));
  ArrayRef<int64_t> block = op.getTiling()->getQueryBlock();
  RowGradient sums;
  sums.batch = batchDims(op);
  int64_t step = 1, columns = 1;
  sums.padded = host.index(1);
  for (auto [dim, size] : llvm::zip_equal(roles.row, block)) {
    step *= size;
    sums.padded = host.mul(sums.padded, host.ceilDiv(sizes[dim], size));
  }
  sums.padded = host.mul(sums.padded, llvm::alignTo(step, blockRows));
  for (unsigned dim : roles.depth)
    columns *= staticSizes(op)[dim];
  sums.columns = std::max<int64_t>(16, llvm::alignTo(columns, 16));
  sums.total = host.mul(host.mul(product(host, sums.batch, sizes), sums.padded),
                        sums.columns);
  std::optional<int64_t> known = getConstantIntValue(sums.total);
  auto type = MemRefType::get({known.value_or(ShapedType::kDynamic)},
                              host.getF32Type());
  sums.buffer = memref::AllocOp::create(
      host, type, known ? ValueRange() : ValueRange(sums.total));
  emitZeros(op, target, name, sums);
  return sums;
}

/// A warp for every 16 rows.
void mlir::attn::finishRowGradient(AttentionBackwardOp op,
                                   const ::attn::Target &target, StringRef name,
                                   RowGradient sums) {
  Kernel kernel(op, name, target);
  KernelEmit &b = kernel.device;
  // Rows are what the key sweep walks; the batch element is told below.
  Geometry geometry(kernel, op, Owner::Keys, sums.batch);
  sums.addPointer(kernel);
  OpOperand &operand = op.getGradsMutable()[0];
  DeviceBuffer gradient = addBuffer(kernel, attn_gpu::Access::Write,
                                    operand.get(), op.getMapOf(operand));
  kernel.nameLast("dQ");
  importStrides(kernel, gradient, operand.get());
  geometry.importSizes();
  sums.importStride(kernel);
  KernelEmit &host = kernel.host;
  Value blocks = host.div(sums.total, host.index(sums.columns * blockRows));
  Value all = kernel.import(blocks);

  Value warp = b.div(gpu::ThreadIdOp::create(b, gpu::Dimension::x),
                     b.index(attn_gpu::kWarpSize));
  Value mine = b.add(
      b.mul(gpu::BlockIdOp::create(b, gpu::Dimension::x), memoryWarps), warp);
  Value exists =
      inside(b, sums, mine, all, memoryWarps * blockRows * sums.columns);
  b.when(exists, [&] {
    Value row = b.mul(mine, blockRows);
    geometry.setSummed(b.div(row, sums.stride));
    Value first = b.rem(row, sums.stride);
    auto type = FragmentType::getAcc(blockRows, sums.columns, b.getF32Type());
    Value at =
        sums.offset(b, geometry, geometry.batchPoint(), first, b.index(0));
    Value sum = attn_gpu::LoadSumsOp::create(b, type, sums.pointer, at,
                                             sums.columns / 8);
    Value scaled = b.map(sum, type, [&](ValueRange v, Value, Value) {
      Value x = arith::MulFOp::create(b, v[0], b.f32(op.getScaleValue()));
      return SmallVector<Value>{x};
    })[0];
    ArrayRef<unsigned> depth = geometry.roles.depth;
    emitStore(b, scaled, gradient.pointer, gradient.element,
              vectorWidth(gradient, depth, 2), [&](Value within, Value column) {
                return geometry.keyPlace(gradient, depth, b.add(first, within),
                                         column);
              });
  });
  kernel.launch(host.ceilDiv(blocks, memoryWarps),
                memoryWarps * attn_gpu::kWarpSize, 0);
  memref::DeallocOp::create(kernel.host, sums.buffer);
}
