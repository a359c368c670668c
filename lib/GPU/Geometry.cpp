//===- Geometry.cpp - where a thread array and its elements are -----------===//
#include "Geometry.h"
#include "attn/CostModel/Sweeps.h"
#include "attn/Tile/CostQuery.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

void Geometry::setBlocks(Owner owner, TilingAttr attr) {
  ArrayRef<int64_t> queries = attr.getQueryBlock(), keys = attr.getKeyBlock();
  if (owner == Owner::Keys) {
    queryBlock.assign(keys.begin(), keys.end());
    walked.assign(queries.begin(), queries.end());
    keyBlock = llvm::alignTo(product(queries), 16);
    boxes = queries.size() > 1;
    return;
  }
  ::attn::Tiling tiling = fromAttribute(attr);
  if (isa<AttentionBackwardOp>(op))
    tiling = ::attn::rowSweep(tiling);
  queryBlock.assign(tiling.queryBlock.begin(), tiling.queryBlock.end());
  keyBlock = tiling.keyBlockSize();
  if (keys.size() == 1)
    walked = {keyBlock};
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

void Geometry::importSizes() {
  for (OpFoldResult size : hostSizes)
    sizes.push_back(kernel.import(size));
  Position position = getPosition(kernel.host, op);
  for (auto [first, extent] :
       llvm::zip_equal(position.origin, position.extents)) {
    origin.push_back(kernel.import(first));
    extents.push_back(kernel.import(extent));
  }
  keys = b.index(boxes ? keyBlock : 1);
  for (auto [i, dim] : llvm::enumerate(roles.key))
    keys = b.mul(keys, boxes ? b.ceilDiv(sizes[dim], walked[i]) : sizes[dim]);
  batch.resize(op.getNumLoops());
}

void Geometry::locate() {
  importSizes();
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
  SmallVector<Value> radix, within;
  for (auto [i, dim] : llvm::enumerate(roles.key)) {
    radix.push_back(boxes ? b.ceilDiv(sizes[dim], walked[i]) : sizes[dim]);
    if (boxes)
      within.push_back(b.index(walked[i]));
  }
  Value number = boxes ? b.div(key, b.index(keyBlock)) : key;
  for (auto [dim, digit] : llvm::zip_equal(roles.key, b.digits(number, radix)))
    point[dim] = digit;
  if (!boxes)
    return;
  SmallVector<Value> digits = b.digits(b.rem(key, b.index(keyBlock)), within);
  for (auto [i, dim] : llvm::enumerate(roles.key))
    point[dim] = b.add(b.mul(point[dim], walked[i]), digits[i]);
}

Value Geometry::keyExists(const Point &point, Value key) const {
  if (!boxes)
    return b.less(key, keys);
  Value all;
  for (auto [dim, block] : llvm::zip_equal(roles.key, walked)) {
    int64_t size = staticSizes[dim];
    if (ShapedType::isDynamic(size) || size % block != 0)
      all = b.both(all, b.less(point[dim], sizes[dim]));
  }
  return all ? all : b.boolean(true);
}

Value Geometry::blockExists(Value first) const {
  if (!boxes)
    return b.atMost(b.add(first, keyBlock), keys);
  Point corner = batch;
  Value last = b.add(first, keyBlock - 1);
  setKey(corner, last);
  return keyExists(corner, last);
}

void Geometry::clampKey(Point &point, Value key) const {
  if (!boxes)
    return setKey(point, b.min(key, b.sub(keys, b.index(1))));
  setKey(point, key);
  for (unsigned dim : roles.key)
    point[dim] = b.min(point[dim], b.sub(sizes[dim], b.index(1)));
}

std::pair<Value, Value> Geometry::keyRange(unsigned dim, Value first) const {
  size_t i = llvm::find(roles.key, dim) - roles.key.begin();
  Value from = first;
  if (boxes) {
    Point corner = batch;
    setKey(corner, first);
    from = corner[dim];
  }
  Value end = b.min(b.add(from, walked[i]), sizes[dim]);
  return {from, b.sub(end, b.index(1))};
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

Value Geometry::allRowsExist() const {
  Point last = batch;
  setRow(last, b.index(product(queryBlock) - 1));
  return rowExists(last);
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

std::pair<Value, Value> Geometry::rowPlace(const DeviceBuffer &buffer,
                                           ArrayRef<unsigned> columns,
                                           Value row, Value column) const {
  Point point = batch;
  setRow(point, row);
  setColumn(point, columns, column);
  Value exists = b.both(rowExists(point), columnExists(columns, column));
  return {buffer.offset(b, point), exists};
}

std::pair<Value, Value> Geometry::keyPlace(const DeviceBuffer &buffer,
                                           ArrayRef<unsigned> columns,
                                           Value key, Value column) const {
  Point point = batch;
  setKey(point, key);
  setColumn(point, columns, column);
  Value exists = b.both(keyExists(point, key), columnExists(columns, column));
  return {buffer.offset(b, point), exists};
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
