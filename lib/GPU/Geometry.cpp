//===- Geometry.cpp - where a thread array and its elements are -----------===//
#include "Geometry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static Value onHost(KernelEmit &host, OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return host.index(cast<IntegerAttr>(attribute).getInt());
  return cast<Value>(value);
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// The tiling of a backward says how many keys a thread array owns and how many
/// rows it walks at a time; one that owns rows owns and walks as many.
void Geometry::setBlocks(Owner owner, TilingAttr tiling) {
  ArrayRef<int64_t> queries = tiling.getQueryBlock(),
                    keys = tiling.getKeyBlock();
  if (!isa<AttentionBackwardOp>(op)) {
    keyBlock = product(keys);
    queryBlock.assign(queries.begin(), queries.end());
    return;
  }
  keyBlock = llvm::alignTo(product(queries), 16);
  ArrayRef<int64_t> own = owner == Owner::Keys ? keys : queries;
  queryBlock.assign(own.begin(), own.end());
  if (own.empty() || product(own) == rowsPerBlock())
    return;
  int64_t leading = product(own.drop_back());
  if (rowsPerBlock() % leading != 0) {
    queryBlock.assign(own.size(), 1);
    leading = 1;
  }
  queryBlock.back() = rowsPerBlock() / leading;
}

Geometry::Geometry(Kernel &kernel, ScoreOpInterface op, Owner owner,
                   ArrayRef<unsigned> summed)
    : roles(inferRoles(op)), b(kernel.device), kernel(kernel), op(op),
      summedDims(summed) {
  if (owner == Owner::Keys)
    std::swap(roles.row, roles.key);
  TilingAttr tiling = op.getTilingAttr();
  auto shape = cast<GPUKernelAttr>(tiling.getKernel());
  warps = shape.getWarps();
  rowsPerWarp = shape.getRowsPerWarp();
  stages = shape.getStages();
  setBlocks(owner, tiling);
  staticSizes = mlir::attn::staticSizes(op);
  KernelEmit &host = kernel.host;
  hostSizes = iterationSizes(host, op);
  grid = host.index(1);
  for (unsigned dim : roles.batch) {
    if (llvm::is_contained(summed, dim))
      continue;
    gridDims.push_back(dim);
    grid = host.mul(grid, onHost(host, hostSizes[dim]));
  }
  for (auto [dim, block] : llvm::zip_equal(roles.row, queryBlock)) {
    blockCounts.push_back(host.ceilDiv(onHost(host, hostSizes[dim]), block));
    grid = host.mul(grid, blockCounts.back());
  }
}

void Geometry::locate() {
  for (OpFoldResult size : hostSizes)
    sizes.push_back(kernel.import(size));
  Position position = getPosition(kernel.host, op);
  for (auto [first, extent] :
       llvm::zip_equal(position.origin, position.extents)) {
    origin.push_back(kernel.import(first));
    extents.push_back(kernel.import(extent));
  }
  keys = b.index(1);
  for (unsigned dim : roles.key)
    keys = b.mul(keys, sizes[dim]);

  SmallVector<Value> radix;
  for (unsigned dim : gridDims)
    radix.push_back(sizes[dim]);
  for (Value count : blockCounts)
    radix.push_back(kernel.import(count));
  block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  blocks = kernel.import(grid);
  part = b.index(0);
  if (parts > 1) {
    part = b.div(block, blocks);
    block = b.rem(block, blocks);
  }
  SmallVector<Value> digits = b.digits(block, radix);
  batch.resize(op.getNumLoops());
  for (auto [dim, digit] : llvm::zip(gridDims, digits))
    batch[dim] = digit;
  for (auto [digit, size] : llvm::zip_equal(
           ArrayRef(digits).drop_front(gridDims.size()), queryBlock))
    rowStart.push_back(b.mul(digit, size));
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value warp = b.div(thread, b.index(attn_gpu::kWarpSize));
  warpRow = b.mul(warp, rowsPerWarp);
}

Value Geometry::summedCount() const {
  Value count = b.index(1);
  for (unsigned dim : summedDims)
    count = b.mul(count, sizes[dim]);
  return count;
}

void Geometry::setSummed(Value number) {
  SmallVector<Value> radix;
  for (unsigned dim : summedDims)
    radix.push_back(sizes[dim]);
  for (auto [dim, digit] : llvm::zip_equal(summedDims, b.digits(number, radix)))
    batch[dim] = digit;
}

Value Geometry::flatten(const Point &point, ArrayRef<unsigned> dims) const {
  Value flat = b.index(0);
  for (unsigned dim : dims)
    flat = b.add(b.mul(flat, sizes[dim]), point[dim]);
  return flat;
}

void Geometry::setRow(Point &point, Value row) const {
  SmallVector<Value> radix;
  for (int64_t size : queryBlock)
    radix.push_back(b.index(size));
  for (auto [i, digit] : llvm::enumerate(b.digits(row, radix)))
    point[roles.row[i]] = b.add(rowStart[i], digit);
}

void Geometry::setKey(Point &point, Value key) const {
  SmallVector<Value> radix;
  for (unsigned dim : roles.key)
    radix.push_back(sizes[dim]);
  for (auto [dim, digit] : llvm::zip_equal(roles.key, b.digits(key, radix)))
    point[dim] = digit;
}

void Geometry::setColumn(Point &point, ArrayRef<unsigned> dims,
                         Value column) const {
  SmallVector<Value> radix;
  for (unsigned dim : dims)
    radix.push_back(sizes[dim]);
  for (auto [dim, digit] : llvm::zip_equal(dims, b.digits(column, radix)))
    point[dim] = digit;
}

Value Geometry::rowExists(const Point &point) const {
  Value all;
  for (auto [dim, block] : llvm::zip_equal(roles.row, queryBlock)) {
    int64_t size = staticSizes[dim];
    if (!ShapedType::isDynamic(size) && size % block == 0)
      continue;
    all = b.both(all, b.less(point[dim], sizes[dim]));
  }
  return all ? all : b.boolean(true);
}

void Geometry::clampRow(Point &point) const {
  for (auto [dim, block] : llvm::zip_equal(roles.row, queryBlock)) {
    int64_t size = staticSizes[dim];
    if (!ShapedType::isDynamic(size) && size % block == 0)
      continue;
    point[dim] = b.min(point[dim], b.sub(sizes[dim], b.index(1)));
  }
}

int64_t Geometry::columns(ArrayRef<unsigned> dims) const {
  int64_t product = 1;
  for (unsigned dim : dims)
    product *= staticSizes[dim];
  return product;
}

int64_t Geometry::paddedColumns(ArrayRef<unsigned> dims) const {
  return std::max<int64_t>(16, llvm::alignTo(columns(dims), 16));
}

Value Geometry::columnExists(ArrayRef<unsigned> dims, Value column) const {
  int64_t count = columns(dims);
  if (count == paddedColumns(dims))
    return b.boolean(true);
  return b.less(column, b.index(count));
}

std::pair<Value, Value> Geometry::rowRange(unsigned dim, bool ofWarp) const {
  size_t i = llvm::find(roles.row, dim) - roles.row.begin();
  Value first = rowStart[i];
  int64_t count = queryBlock[i];
  // A warp has part of the last dim if that is cut into whole warps' rows.
  bool last = i + 1 == queryBlock.size();
  if (ofWarp && last && count % rowsPerWarp == 0) {
    first = b.add(first, b.rem(warpRow, b.index(count)));
    count = rowsPerWarp;
  }
  Value end = b.min(b.add(first, count), sizes[dim]);
  return {first, b.sub(end, b.index(1))};
}
