//===- ViewMovement.cpp - ops that only move elements ---------------------===//
//
// Adapters: each says at which indices of its operand an element of its result
// is found. Where a size is unknown they follow only if the whole dim is read,
// so that an index that runs over a dim of unknown size runs over all of it.
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "attn/Recognize/View.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

using Indices = SmallVector<Linear>;

static std::optional<Reading> followCollapse(IndexSpace &space,
                                             tensor::CollapseShapeOp op,
                                             ArrayRef<Linear> indices) {
  RankedTensorType type = op.getSrcType();
  Indices result(type.getRank());
  for (auto [index, group] :
       llvm::zip_equal(indices, op.getReassociationIndices()))
    if (!space.split(
            index, sizesOf(op.getSrc(), group.front(), group.size()),
            MutableArrayRef<Linear>(result).slice(group.front(), group.size())))
      return std::nullopt;
  return Reading{op.getSrc(), result};
}

static std::optional<Reading> followExpand(IndexSpace &space,
                                           tensor::ExpandShapeOp op,
                                           ArrayRef<Linear> indices) {
  Indices result;
  for (const ReassociationIndices &group : op.getReassociationIndices())
    result.push_back(
        space.merged(indices.slice(group.front(), group.size()),
                     sizesOf(op.getResult(), group.front(), group.size())));
  return Reading{op.getSrc(), result};
}

/// True if `size` is the size of that dim of the tensor.
static bool isSizeOf(OpFoldResult size, Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto constant = getConstantIntValue(size))
    return *constant == type.getDimSize(dim);
  return sizeOf(cast<Value>(size)) == sizeOf(tensor, dim);
}

static std::optional<Reading> followSlice(tensor::ExtractSliceOp op,
                                          ArrayRef<Linear> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Indices result;
  size_t next = 0;
  for (unsigned dim = 0, e = op.getSourceType().getRank(); dim < e; ++dim) {
    auto offset = getConstantIntValue(op.getMixedOffsets()[dim]);
    auto stride = getConstantIntValue(op.getMixedStrides()[dim]);
    if (!offset || !stride)
      return std::nullopt;
    bool known = !op.getSourceType().isDynamicDim(dim) &&
                 getConstantIntValue(op.getMixedSizes()[dim]);
    bool whole = *offset == 0 && *stride == 1 &&
                 isSizeOf(op.getMixedSizes()[dim], op.getSource(), dim);
    if (!known && !whole)
      return std::nullopt;
    Linear index(*offset);
    if (!dropped.test(dim))
      index.add(indices[next++], *stride);
    result.push_back(index);
  }
  return Reading{op.getSource(), result};
}

/// Read from what was inserted, or from what it was inserted into, if the
/// indices stay on one side.
static std::optional<Reading> followInsert(IndexSpace &space,
                                           tensor::InsertSliceOp op,
                                           ArrayRef<Linear> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  bool inside = true, outside = false;
  Indices result;
  for (unsigned dim = 0, e = op.getDestType().getRank(); dim < e; ++dim) {
    auto offset = getConstantIntValue(op.getMixedOffsets()[dim]);
    auto size = getConstantIntValue(op.getMixedSizes()[dim]);
    auto stride = getConstantIntValue(op.getMixedStrides()[dim]);
    auto bounds = space.range(indices[dim]);
    if (!offset || !size || !stride || *stride != 1 || !bounds)
      return std::nullopt;
    int64_t end = *offset + *size;
    outside |= bounds->second < *offset || bounds->first >= end;
    inside &= bounds->first >= *offset && bounds->second < end;
    Linear index = indices[dim];
    index.constant -= *offset;
    if (!dropped.test(dim))
      result.push_back(index);
  }
  if (outside)
    return Reading{op.getDest(), Indices(indices)};
  if (inside)
    return Reading{op.getSource(), result};
  return std::nullopt;
}

static std::optional<Reading>
followConcat(IndexSpace &space, tensor::ConcatOp op, ArrayRef<Linear> indices) {
  unsigned dim = op.getDim();
  auto bounds = space.range(indices[dim]);
  if (!bounds)
    return std::nullopt;
  int64_t begin = 0;
  for (Value input : op.getInputs()) {
    int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    if (bounds->first >= begin && bounds->second < begin + size) {
      Indices result(indices);
      result[dim].add(Linear(begin), -1);
      return Reading{input, result};
    }
    begin += size;
  }
  return std::nullopt;
}

/// What lies inside of the padding is the source's.
static std::optional<Reading> followPad(IndexSpace &space, tensor::PadOp op,
                                        ArrayRef<Linear> indices) {
  Indices result(indices);
  for (auto [dim, size] : llvm::enumerate(op.getSourceType().getShape())) {
    auto low = getConstantIntValue(op.getMixedLowPad()[dim]);
    auto high = getConstantIntValue(op.getMixedHighPad()[dim]);
    if (low == 0 && high == 0)
      continue;
    auto bounds = space.range(indices[dim]);
    if (!low || !bounds || ShapedType::isDynamic(size) ||
        bounds->first < *low || bounds->second >= *low + size)
      return std::nullopt;
    result[dim].constant -= *low;
  }
  return Reading{op.getSource(), result};
}

Value View::paddingAt(Value tensor, ArrayRef<Linear> indices) {
  auto op = tensor.getDefiningOp<tensor::PadOp>();
  Value padding = op ? op.getConstantPaddingValue() : Value();
  if (!padding)
    return nullptr;
  for (auto [dim, size] : llvm::enumerate(op.getSourceType().getShape())) {
    auto low = getConstantIntValue(op.getMixedLowPad()[dim]);
    auto bounds = space.range(indices[dim]);
    if (low && bounds && !ShapedType::isDynamic(size) &&
        (bounds->second < *low || bounds->first >= *low + size))
      return padding;
  }
  return nullptr;
}

/// A reshape keeps the number of elements: where all but one unknown size on
/// either side are the same, these two are, too.
static void unifyLast(ArrayRef<Size> sources, MutableArrayRef<Size> targets) {
  auto product = [](ArrayRef<Size> sizes) {
    std::optional<Size> result(Size(1));
    for (const Size &size : sizes)
      if (result)
        result = multiply(*result, size);
    return result;
  };
  auto left = product(sources), right = product(targets);
  if (!left || !right || left->factor != right->factor || left->factor == 0)
    return;
  auto beyond = [](const Size &a, Size b) {
    SmallVector<SizeOrigin> rest;
    for (const SizeOrigin &origin : a.unknowns) {
      auto *it = llvm::find(b.unknowns, origin);
      if (it == b.unknowns.end())
        rest.push_back(origin);
      else
        b.unknowns.erase(it);
    }
    return rest;
  };
  SmallVector<SizeOrigin> own = beyond(*left, *right),
                          other = beyond(*right, *left);
  if (own.size() == 1 && other.size() == 1)
    for (Size &size : targets)
      for (SizeOrigin &origin : size.unknowns)
        if (origin == other.front()) {
          origin = own.front();
          size = *multiply(size, Size(1)); // in order again
          break;
        }
}

/// A reshape, as groups of dims that are merged and split: those whose products
/// are the same size.
static std::optional<Reading> followReshape(IndexSpace &space,
                                            tensor::ReshapeOp op,
                                            ArrayRef<Linear> indices) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!from || !to)
    return std::nullopt;
  SmallVector<Size> sources = sizesOf(op.getSource(), 0, from.getRank());
  SmallVector<Size> targets = sizesOf(op.getResult(), 0, to.getRank());
  unifyLast(sources, targets);
  Indices result(from.getRank());
  size_t source = 0, target = 0;
  while (source < sources.size() || target < targets.size()) {
    size_t firstSource = source, firstTarget = target;
    Size left(1), right(1);
    // The smaller product takes another dim until they are the same.
    do {
      bool takeSource = source < sources.size() &&
                        (target == targets.size() || left == right ||
                         divideExactly(right, left));
      if (!takeSource && target == targets.size())
        return std::nullopt;
      Size &product = takeSource ? left : right;
      auto next =
          multiply(product, takeSource ? sources[source++] : targets[target++]);
      if (!next)
        return std::nullopt;
      product = *next;
    } while (!(left == right));
    ArrayRef<Size> merged =
        ArrayRef(targets).slice(firstTarget, target - firstTarget);
    Linear index =
        space.merged(indices.slice(firstTarget, target - firstTarget), merged);
    if (!space.split(index,
                     ArrayRef(sources).slice(firstSource, source - firstSource),
                     MutableArrayRef<Linear>(result).slice(
                         firstSource, source - firstSource)))
      return std::nullopt;
  }
  return Reading{op.getSource(), result};
}

/// A structured op whose body yields one of its inputs.
std::optional<Reading> View::followCopy(linalg::LinalgOp op, unsigned result,
                                        ArrayRef<Linear> indices) {
  if (op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics() ||
      !isMemoryEffectFree(op))
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(
      op.getBlock()->getTerminator()->getOperand(result));
  if (!argument || argument.getOwner() != op.getBlock())
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!isa<RankedTensorType>(operand->get().getType()))
    return std::nullopt;
  auto loops = loopsOfResult(op, result, indices);
  if (!loops)
    return std::nullopt;
  auto source = evaluate(op.getMatchingIndexingMap(operand), *loops);
  if (!source)
    return std::nullopt;
  return Reading{operand->get(), *source};
}

std::optional<Reading> View::follow(Value tensor, ArrayRef<Linear> indices) {
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto op = dyn_cast<tensor::CollapseShapeOp>(def))
    return followCollapse(space, op, indices);
  if (auto op = dyn_cast<tensor::ExpandShapeOp>(def))
    return followExpand(space, op, indices);
  if (auto op = dyn_cast<tensor::ExtractSliceOp>(def))
    return followSlice(op, indices);
  if (auto op = dyn_cast<tensor::InsertSliceOp>(def))
    return followInsert(space, op, indices);
  if (auto op = dyn_cast<tensor::ReshapeOp>(def))
    return followReshape(space, op, indices);
  if (auto op = dyn_cast<tensor::ConcatOp>(def))
    return followConcat(space, op, indices);
  if (auto op = dyn_cast<tensor::PadOp>(def))
    return followPad(space, op, indices);
  if (auto op = dyn_cast<tensor::CastOp>(def)) {
    if (isa<RankedTensorType>(op.getSource().getType()))
      return Reading{op.getSource(), Indices(indices)};
    return std::nullopt;
  }
  if (isa<linalg::FillOp>(def))
    return std::nullopt;
  if (auto op = dyn_cast<linalg::LinalgOp>(def))
    return followCopy(op, cast<OpResult>(tensor).getResultNumber(), indices);
  return std::nullopt;
}
