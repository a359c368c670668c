//===- Tile.cpp - the part of an attention that code is being emitted for -===//
#include "Tile.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::attn;

bool mlir::attn::hasContiguousRows(Value view) {
  auto type = cast<MemRefType>(view.getType());
  return type.getStridesAndOffset().first.back() == 1;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

LogicalResult Tile::setRanges(IndexedOpInterface op) {
  for (Value operand : op->getOperands())
    if (auto memref = dyn_cast<MemRefType>(operand.getType()))
      if (!memref.isStrided())
        return op->emitOpError("expected memrefs with strided layouts, got ")
               << memref;
  SmallVector<OpFoldResult> sizes = iterationSizes(b, op);
  for (OpFoldResult size : sizes) {
    int64_t bound = ShapedType::kDynamic;
    if (std::optional<int64_t> known = getConstantIntValue(size)) {
      bound = *known;
    } else {
      FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, {cast<Value>(size)},
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (succeeded(upper))
        bound = std::max<int64_t>(*upper, 0);
    }
    ranges.push_back({b.index(0), b.toValue(size), bound});
  }

  return success();
}

SmallVector<unsigned> Tile::present(ArrayRef<unsigned> dims) const {
  SmallVector<unsigned> result;
  for (unsigned dim : dims)
    if (ranges[dim].bound != 1)
      result.push_back(dim);
  return result;
}

Cut Tile::cut(ArrayRef<unsigned> dims, ArrayRef<int64_t> blocks, int64_t limit,
              int64_t fallback) const {
  int64_t fits = 1;
  for (int64_t block : blocks)
    fits *= block;
  // A tiling says what fits; without one a tile grows up to the limit.
  fits = blocks.empty() ? limit : std::max<int64_t>(fits, 1);
  Cut result;
  int64_t total = 1;
  bool open = true;
  for (unsigned dim : llvm::reverse(dims)) {
    int64_t bound = ranges[dim].bound;
    if (bound == 1)
      continue;
    int64_t room = fits / total;
    if (open && !ShapedType::isDynamic(bound) && bound <= room) {
      result.group.push_back(dim);
      total *= std::max<int64_t>(bound, 1);
      continue;
    }
    int64_t step = 1;
    if (open)
      step = total == 1 ? std::min(fits, blocks.empty() ? fallback : fits) : 1;
    open = false;
    result.loopDims.push_back(dim);
    result.steps.push_back(step);
    if (step > 1)
      result.group.push_back(dim);
  }
  std::reverse(result.loopDims.begin(), result.loopDims.end());
  std::reverse(result.steps.begin(), result.steps.end());
  std::reverse(result.group.begin(), result.group.end());
  return result;
}

int64_t Tile::bound(const Cut &cut) const {
  int64_t total = 1;
  for (unsigned dim : cut.group) {
    auto loop = llvm::find(cut.loopDims, dim);
    total *= loop == cut.loopDims.end()
                 ? ranges[dim].bound
                 : cut.steps[loop - cut.loopDims.begin()];
  }
  return std::max<int64_t>(total, 1);
}

Value Tile::hasPoints(ArrayRef<unsigned> dims) {
  Value all;
  for (unsigned dim : dims) {
    Value size = ranges[dim].size;
    if (getConstantIntValue(size).value_or(0) > 0)
      continue;
    Value holds =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, size, b.index(0));
    all = all ? arith::AndIOp::create(b, all, holds).getResult() : holds;
  }
  return all;
}

void Tile::nest(ArrayRef<unsigned> dims, ArrayRef<int64_t> steps,
                function_ref<void()> body) {
  if (dims.empty())
    return body();
  unsigned dim = dims.front();
  int64_t step = steps.front();
  DimRange whole = ranges[dim];
  b.loop(b.index(0), whole.size, step, [&](Value iv) {
    Value size = b.index(step);
    if (step != 1)
      size = b.min(size, b.sub(whole.size, iv));
    ranges[dim] = {b.add(whole.offset, iv), size, step};
    nest(dims.drop_front(), steps.drop_front(), body);
  });
  ranges[dim] = whole;
}

Value Tile::flatSize(ArrayRef<unsigned> dims) {
  Value size = b.index(1);
  for (unsigned dim : dims)
    size = b.mul(size, ranges[dim].size);
  return size;
}

int64_t Tile::flatBound(ArrayRef<unsigned> dims) const {
  int64_t bound = 1;
  for (unsigned dim : dims)
    bound =
        ShapedType::isDynamic(bound) || ShapedType::isDynamic(ranges[dim].bound)
            ? ShapedType::kDynamic
            : bound * ranges[dim].bound;
  return bound;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A matrix view of `base` with these strides, as the kernels take it.
static Value matrix(Emit &b, Value base, Value offset, Value rows,
                    Value columns, ArrayRef<OpFoldResult> strides) {
  SmallVector<int64_t> staticStrides;
  for (OpFoldResult stride : strides)
    staticStrides.push_back(
        getConstantIntValue(stride).value_or(ShapedType::kDynamic));
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       staticStrides);
  auto baseType = cast<MemRefType>(base.getType());
  auto type = MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                              baseType.getElementType(), layout,
                              baseType.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      b, type, base, OpFoldResult(offset),
      ArrayRef<OpFoldResult>{rows, columns}, strides);
}

Value Tile::view(Value operand, AffineMap map, std::optional<unsigned> row,
                 std::optional<unsigned> column) {
  auto type = cast<MemRefType>(operand.getType());
  auto [staticStrides, staticOffset] = type.getStridesAndOffset();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, operand);
  Value offset = metadata.getOffset();
  OpFoldResult strides[2] = {b.getIndexAttr(0), b.getIndexAttr(0)};
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dimExpr = dyn_cast<AffineDimExpr>(expr);
    if (!dimExpr) // the constant 0
      continue;
    unsigned dim = dimExpr.getPosition();
    OpFoldResult stride = metadata.getStrides()[i];
    if (!ShapedType::isDynamic(staticStrides[i]))
      stride = b.getIndexAttr(staticStrides[i]);
    offset = b.add(offset, b.mul(ranges[dim].offset, b.toValue(stride)));
    if (dim == row)
      strides[0] = stride;
    if (dim == column)
      strides[1] = stride;
  }
  // One column: any stride will do, and 1 is what vectors need.
  if (!column)
    strides[1] = b.getIndexAttr(1);
  Value one = b.index(1);
  return matrix(b, metadata.getBaseBuffer(), offset,
                row ? ranges[*row].size : one,
                column ? ranges[*column].size : one, strides);
}

bool Tile::isContiguousAlong(Value operand, AffineMap map, unsigned dim) const {
  SmallVector<int64_t> strides =
      cast<MemRefType>(operand.getType()).getStridesAndOffset().first;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    if (auto result = dyn_cast<AffineDimExpr>(expr);
        result && result.getPosition() == dim)
      return stride == 1;
  return false;
}

Value Tile::scratchView(Value scratch, Value row, Value column,
                        bool transposed) {
  auto type = cast<MemRefType>(scratch.getType());
  int64_t last = type.getRank() - 1; // a vector is a matrix of one row
  Value width = memref::DimOp::create(b, scratch, b.index(last));
  OpFoldResult stride = width;
  if (!type.isDynamicDim(last))
    stride = b.getIndexAttr(type.getDimSize(last));
  Value offset = b.add(b.mul(row, b.toValue(stride)), column);
  Value rows = b.index(1);
  if (last)
    rows = memref::DimOp::create(b, scratch, b.index(0));
  SmallVector<OpFoldResult> strides{stride, b.getIndexAttr(1)};
  if (transposed) {
    std::swap(strides[0], strides[1]);
    std::swap(rows, width);
  }
  return matrix(b, scratch, offset, rows, width, strides);
}

Value Tile::rowsOf(Value scratch, Value first, int64_t count) {
  if (cast<MemRefType>(scratch.getType()).getDimSize(0) == count)
    return scratch;
  return memref::SubViewOp::create(
      b, scratch, ArrayRef<OpFoldResult>{first},
      ArrayRef<OpFoldResult>{b.getIndexAttr(count)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

// A subview may not begin at the end of a dim of size 0, as at column 0 of a
// matrix without columns.
Value Tile::rowsFrom(Value whole, Value first) {
  if (getConstantIntValue(first) == 0)
    return whole;
  auto [staticStrides, staticOffset] =
      cast<MemRefType>(whole.getType()).getStridesAndOffset();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, whole);
  SmallVector<OpFoldResult> strides;
  for (auto [i, stride] : llvm::enumerate(staticStrides))
    strides.push_back(ShapedType::isDynamic(stride)
                          ? OpFoldResult(metadata.getStrides()[i])
                          : OpFoldResult(b.getIndexAttr(stride)));
  Value offset =
      b.add(metadata.getOffset(), b.mul(first, b.toValue(strides[0])));
  return matrix(b, metadata.getBaseBuffer(), offset,
                b.sub(metadata.getSizes()[0], first), metadata.getSizes()[1],
                strides);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Tile::pieces(ArrayRef<unsigned> rows, ArrayRef<unsigned> columns,
                  function_ref<void(Value row, Value column)> body) {
  SmallVector<DimRange> whole(ranges);
  SmallVector<unsigned> outer;
  for (ArrayRef<unsigned> group : {rows, columns})
    if (!group.empty())
      llvm::append_range(outer, group.drop_back());
  SmallVector<int64_t> ones(outer.size(), 1);
  nest(outer, ones, [&] {
    auto flat = [&](ArrayRef<unsigned> group) {
      Value position = b.index(0);
      for (unsigned dim : group) {
        Value local = b.sub(ranges[dim].offset, whole[dim].offset);
        position = b.add(b.mul(position, whole[dim].size), local);
      }
      return position;
    };
    body(flat(rows), flat(columns));
  });
}

static std::optional<unsigned> last(ArrayRef<unsigned> group) {
  return group.empty() ? std::nullopt : std::optional<unsigned>(group.back());
}

void Tile::copyIn(Value operand, AffineMap map, ArrayRef<unsigned> rows,
                  ArrayRef<unsigned> columns, Value scratch, Copy copy,
                  Value firstRow) {
  if (!firstRow)
    firstRow = b.index(0);
  bool inPieces = rows.size() > 1 || columns.size() > 1;
  Value padded = copy.paddedColumns;
  pieces(rows, columns, [&](Value row, Value column) {
    Copy piece = copy;
    piece.from = copy.transposed
                     ? view(operand, map, last(columns), last(rows))
                     : view(operand, map, last(rows), last(columns));
    piece.to = scratchView(scratch, b.add(firstRow, row), column);
    piece.rows = rows.empty() ? b.index(1) : ranges[rows.back()].size;
    piece.columns = columns.empty() ? b.index(1) : ranges[columns.back()].size;
    if (inPieces)
      piece.paddedColumns = Value();
    emitCopy(b, library, piece);
  });
  if (!inPieces || !padded)
    return;
  // The end of the scratch's rows, once the pieces are there.
  Value width = flatSize(columns), zero = b.index(0);
  Copy end;
  end.to = scratchView(scratch, firstRow, width);
  end.rows = flatSize(rows);
  if (copy.pairs == Copy::Pairs::Rows)
    end.rows = b.ceilDiv(end.rows, 2);
  if (copy.padding == Copy::Padding::Zero) {
    end.from = end.to;
    end.columns = zero;
    end.paddedColumns = b.sub(padded, width);
    return emitCopy(b, library, end);
  }
  auto type = cast<MemRefType>(scratch.getType());
  int64_t lastDim = type.getRank() - 1;
  OpFoldResult stride = b.getIndexAttr(type.getDimSize(lastDim));
  if (type.isDynamicDim(lastDim))
    stride = memref::DimOp::create(b, scratch, b.index(lastDim)).getResult();
  Value last =
      b.add(b.mul(firstRow, b.toValue(stride)), b.sub(width, b.index(1)));
  end.from = matrix(b, scratch, last, end.rows, b.index(1),
                    {stride, b.getIndexAttr(0)});
  end.columns = b.sub(padded, width);
  emitCopy(b, library, end);
}

void Tile::copyOut(Value scratch, Value operand, AffineMap map,
                   ArrayRef<unsigned> rows, ArrayRef<unsigned> columns) {
  pieces(rows, columns, [&](Value row, Value column) {
    Copy piece;
    piece.from = scratchView(scratch, row, column);
    piece.to = view(operand, map, last(rows), last(columns));
    piece.rows = rows.empty() ? b.index(1) : ranges[rows.back()].size;
    piece.columns = columns.empty() ? b.index(1) : ranges[columns.back()].size;
    emitCopy(b, library, piece);
  });
}

std::string mlir::attn::listed(ArrayRef<unsigned> dims) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << " [";
  llvm::interleaveComma(dims, stream);
  stream << ']';
  return text;
}
