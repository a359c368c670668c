//===- Tiles.cpp - a thread array's tiles in shared memory ----------------===//
#include "Tiles.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using attn_gpu::SharedType;

Value Tiles::make(int64_t rows, ArrayRef<unsigned> columns, Type element) {
  return place(rows, geometry.paddedColumns(columns), element);
}

Value Tiles::makeAcross(ArrayRef<unsigned> rows, Type element) {
  return place(geometry.stages * geometry.paddedColumns(rows),
               geometry.keyBlock, element);
}

Value Tiles::place(int64_t rows, int64_t columns, Type element) {
  auto type = SharedType::get(b.getContext(), {rows, columns}, element);
  Value tile =
      attn_gpu::SharedTileOp::create(b, type, b.getI64IntegerAttr(used));
  used += llvm::alignTo(type.getBytes(), 128);
  return tile;
}

/// attn_gpu.copy; `place` gives an element's offset and existence.
void Tiles::copy(const DeviceBuffer &buffer, Value tile, Value whole,
                 int64_t vector, Place place) {
  auto op = attn_gpu::CopyOp::create(b, buffer.pointer, tile, whole,
                                     b.getI64IntegerAttr(vector));
  emitPlace(b, op.getBody(), place);
}

void Tiles::copyRows(const DeviceBuffer &buffer, ArrayRef<unsigned> columns,
                     Value tile) {
  auto piece = cast<SharedType>(tile.getType()).getPiece();
  bool columnsExist =
      geometry.columns(columns) == geometry.paddedColumns(columns);
  // The first row in no tile that is cut: everything exists.
  Point corner = geometry.batchPoint();
  geometry.setRow(corner, b.index(geometry.rowsPerBlock() - 1));
  Value whole = b.both(geometry.rowExists(corner), b.boolean(columnsExist));
  copy(buffer, tile, whole, vectorWidth(buffer, columns, piece),
       [&](Value row, Value column) {
         return geometry.rowPlace(buffer, columns, row, column);
       });
}

void Tiles::copyKeys(const DeviceBuffer &buffer, ArrayRef<unsigned> columns,
                     Value tile, Value first) {
  tile = stage(tile, first);
  auto type = cast<SharedType>(tile.getType());
  bool columnsExist =
      geometry.columns(columns) == geometry.paddedColumns(columns);
  Value whole = b.both(geometry.blockExists(first), b.boolean(columnsExist));
  copy(buffer, tile, whole, vectorWidth(buffer, columns, type.getPiece()),
       [&](Value row, Value column) {
         return geometry.keyPlace(buffer, columns, b.add(first, row), column);
       });
}

/// Only 16-bit elements can be transposed on their way out of shared memory.
bool Tiles::keysLieAcross(const DeviceBuffer &buffer,
                          ArrayRef<unsigned> rows) const {
  return buffer.element.getIntOrFloatBitWidth() == 16 && rows.size() == 1 &&
         geometry.roles.key.size() == 1 && vectorWidth(buffer, rows, 2) == 1 &&
         vectorWidth(buffer, geometry.roles.key, 2) == 2;
}

void Tiles::copyKeysAcross(const DeviceBuffer &buffer, ArrayRef<unsigned> rows,
                           Value tile, Value first) {
  tile = stage(tile, first);
  auto type = cast<SharedType>(tile.getType());
  bool rowsExist = geometry.columns(rows) == geometry.paddedColumns(rows);
  Value whole = b.both(b.atMost(b.add(first, geometry.keyBlock), geometry.keys),
                       b.boolean(rowsExist));
  copy(buffer, tile, whole,
       vectorWidth(buffer, geometry.roles.key, type.getPiece()),
       [&](Value row, Value column) -> std::pair<Value, Value> {
         Point point = geometry.batchPoint();
         Value keyIndex = b.add(first, column);
         geometry.setKey(point, keyIndex);
         geometry.setColumn(point, rows, row);
         Value exists = b.both(b.less(keyIndex, geometry.keys),
                               geometry.columnExists(rows, row));
         return {buffer.offset(b, point), exists};
       });
}

Value Tiles::stage(Value tile, Value first) {
  if (geometry.stages == 1)
    return tile;
  auto type = cast<SharedType>(tile.getType());
  int64_t rows = type.getRows() / geometry.stages;
  auto one = SharedType::get(b.getContext(), {rows, type.getColumns()},
                             type.getElementType());
  Value number =
      b.rem(b.div(first, b.index(geometry.keyBlock)), b.index(geometry.stages));
  return attn_gpu::RowsOp::create(b, one, tile, b.mul(number, rows));
}

Value Tiles::warpRows(Value tile) {
  auto type = cast<SharedType>(tile.getType());
  auto mine =
      SharedType::get(b.getContext(), {geometry.rowsPerWarp, type.getColumns()},
                      type.getElementType());
  return attn_gpu::RowsOp::create(b, mine, tile, geometry.warpRow);
}

void Tiles::arrive() {
  NVVM::CpAsyncWaitGroupOp::create(b, 0);
  gpu::BarrierOp::create(b);
}
