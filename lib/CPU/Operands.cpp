//===- Operands.cpp - operands of a tile as matrices for the products -----===//
#include "Operands.h"

using namespace mlir;
using namespace mlir::attn;

Value TileBuffers::get(int64_t rows, Value rowCount, int64_t columns,
                       Value columnCount, Type element, const Twine &purpose) {
  auto type = MemRefType::get({rows, columns}, element);
  if (type.hasStaticShape())
    return pool.get(op, type, purpose);
  SmallVector<Value> sizes;
  if (ShapedType::isDynamic(rows))
    sizes.push_back(rowCount);
  if (ShapedType::isDynamic(columns))
    sizes.push_back(columnCount);
  Value made = memref::AllocOp::create(b, type, sizes, b.getI64IntegerAttr(64));
  dynamic.push_back(made);
  return made;
}

void TileBuffers::freeTo(size_t mark) {
  while (dynamic.size() > mark)
    memref::DeallocOp::create(b, dynamic.pop_back_val());
}

/// A stretch of so many steps hides what its end costs.
static constexpr int64_t kLeastStretch = 48;

/// Rows behind each other, or so few that a block of columns has all its lines
/// in the first-level cache although its rows lie apart, or read only once.
static bool isReadInPlace(const CPUTarget &target, const RightOperand &right,
                          Value view) {
  SmallVector<int64_t> strides =
      cast<MemRefType>(view.getType()).getStridesAndOffset().first;
  int64_t pitch = strides.front();
  if (strides.back() != 1)
    return false;
  if (right.readOnce)
    return true;
  // What is narrower is widened once for all that read it.
  if (ShapedType::isDynamic(pitch) ||
      getElementTypeOrSelf(view.getType()) != right.type)
    return false;
  if (pitch == right.width)
    return true;
  if (right.rows.empty() || ShapedType::isDynamic(right.rowBound) || pitch <= 0)
    return false;
  int64_t stretch = stretchOf(target, pitchBytes(view));
  return right.rowBound <= stretch ||
         (right.inStretches && stretch >= kLeastStretch);
}

Value mlir::attn::rightMatrix(Emit &b, Tile &tile, TileBuffers &buffers,
                              const RightOperand &right, const Twine &purpose,
                              int64_t &panelRows) {
  panelRows = 0;
  Value zero = b.index(0);
  Type element = getElementTypeOrSelf(right.operand.getType());
  int64_t width = right.width;
  int64_t size = tile.flatBound(right.columns);
  bool known = !ShapedType::isDynamic(size);
  bool single = right.rows.size() <= 1 && right.columns.size() <= 1;
  bool whole = known && size > 0 && size % width == 0;
  if (single && whole && !right.bf16Pairs && isa<FloatType>(element)) {
    Value view = tile.view(right.operand, right.map, only(right.rows),
                           only(right.columns));
    if (isReadInPlace(tile.target(), right, view))
      return view;
  }
  Copy copy;
  copy.padding = Copy::Padding::Zero;
  int64_t rows = right.rowBound, columns = size;
  Type packedType = right.type;
  if (right.bf16Pairs) {
    copy.pairs = Copy::Pairs::Rows;
    rows = llvm::divideCeil(rows, 2);
    packedType = b.getI32Type();
  }
  if (single && known && size > 0) {
    panelRows = rows;
    int64_t panels = llvm::divideCeil(size, width);
    Value packed = buffers.get(panels * rows, Value(), width, Value(),
                               packedType, purpose);
    if (size % width)
      copy.paddedColumns = b.index(width);
    SmallVector<unsigned> loops(right.columns);
    SmallVector<int64_t> steps(loops.size(), width);
    unsigned along = loops.empty() ? 0 : loops.front();
    Value start = loops.empty() ? zero : tile.ranges[along].offset;
    tile.nest(loops, steps, [&] {
      Value first = zero;
      if (!loops.empty())
        first = b.mul(
            b.div(b.sub(tile.ranges[along].offset, start), b.index(width)),
            rows);
      tile.copyIn(right.operand, right.map, right.rows, right.columns, packed,
                  copy, first);
    });
    return tile.scratchView(packed, zero, zero);
  }
  Value count = b.roundUp(tile.flatSize(right.columns), width);
  if (known)
    columns = llvm::alignTo(columns, width);
  copy.paddedColumns = count;
  Value packed =
      buffers.get(rows, Value(), columns, count, packedType, purpose);
  tile.copyIn(right.operand, right.map, right.rows, right.columns, packed,
              copy);
  return tile.scratchView(packed, zero, zero);
}
