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

/// The indices of the dims of one group from the index of the merged dim.
static bool splitIndex(IndexSpace &space, Linear index, ArrayRef<int64_t> sizes,
                       MutableArrayRef<Linear> result) {
  // The outermost dim that is not 1 takes what is left over, whatever its size.
  size_t outer = 0;
  while (outer + 1 < sizes.size() && sizes[outer] == 1)
    ++outer;
  for (size_t i = sizes.size(); i-- > outer + 1;) {
    if (ShapedType::isDynamic(sizes[i]))
      return false;
    auto parts = space.divide(index, sizes[i]);
    if (!parts)
      return false;
    result[i] = parts->second;
    index = parts->first;
  }
  if (!sizes.empty())
    result[outer] = index;
  return true;
}

static std::optional<Reading> followCollapse(IndexSpace &space,
                                             tensor::CollapseShapeOp op,
                                             ArrayRef<Linear> indices) {
  RankedTensorType type = op.getSrcType();
  Indices result(type.getRank());
  for (auto [index, group] :
       llvm::zip_equal(indices, op.getReassociationIndices())) {
    ArrayRef<int64_t> sizes =
        type.getShape().slice(group.front(), group.size());
    if (!splitIndex(
            space, index, sizes,
            MutableArrayRef<Linear>(result).slice(group.front(), group.size())))
      return std::nullopt;
  }
  return Reading{op.getSrc(), result};
}

static std::optional<Reading> followExpand(tensor::ExpandShapeOp op,
                                           ArrayRef<Linear> indices) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  Indices result;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    Linear merged;
    int64_t stride = 1;
    for (int64_t dim : llvm::reverse(group)) {
      if (ShapedType::isDynamic(stride)) {
        if (shape[dim] != 1)
          return std::nullopt;
        continue;
      }
      merged.add(indices[dim], stride);
      stride = ShapedType::isDynamic(shape[dim]) ? ShapedType::kDynamic
                                                 : stride * shape[dim];
    }
    result.push_back(merged);
  }
  return Reading{op.getSrc(), result};
}

/// True if `size` is the size of that dim of the tensor.
static bool isSizeOf(OpFoldResult size, Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto constant = getConstantIntValue(size))
    return *constant == type.getDimSize(dim);
  auto value = dyn_cast<Value>(size);
  auto op = value ? value.getDefiningOp<tensor::DimOp>() : nullptr;
  return op && op.getSource() == tensor && op.getConstantIndex() &&
         *op.getConstantIndex() == dim;
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

/// A reshape whose dims of unknown size are the same ones in the same order;
/// what lies between them is merged and split.
static std::optional<Reading> followReshape(IndexSpace &space,
                                            tensor::ReshapeOp op,
                                            ArrayRef<Linear> indices) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!from || !to)
    return std::nullopt;
  Indices result(from.getRank());
  int64_t source = 0, target = 0;
  while (source < from.getRank() || target < to.getRank()) {
    // The run of known sizes, up to the next unknown one on either side.
    Linear merged;
    int64_t total = 1;
    for (; target < to.getRank() && !to.isDynamicDim(target); ++target) {
      Linear next;
      next.add(merged, to.getDimSize(target));
      next.add(indices[target]);
      merged = next;
      total *= to.getDimSize(target);
    }
    SmallVector<int64_t> sizes;
    int64_t first = source;
    for (; source < from.getRank() && !from.isDynamicDim(source); ++source)
      sizes.push_back(from.getDimSize(source));
    int64_t product = 1;
    for (int64_t size : sizes)
      product *= size;
    if (product != total ||
        !splitIndex(space, merged, sizes,
                    MutableArrayRef<Linear>(result).slice(first, sizes.size())))
      return std::nullopt;
    if (source == from.getRank() && target == to.getRank())
      break;
    if (source == from.getRank() || target == to.getRank() ||
        !(sizeOf(op.getSource(), source) == sizeOf(op.getResult(), target)))
      return std::nullopt;
    result[source++] = indices[target++];
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
    return followExpand(op, indices);
  if (auto op = dyn_cast<tensor::ExtractSliceOp>(def))
    return followSlice(op, indices);
  if (auto op = dyn_cast<tensor::InsertSliceOp>(def))
    return followInsert(space, op, indices);
  if (auto op = dyn_cast<tensor::ReshapeOp>(def))
    return followReshape(space, op, indices);
  if (auto op = dyn_cast<tensor::ConcatOp>(def))
    return followConcat(space, op, indices);
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
