//===- OperandWriter.cpp - tensors over the loops of an attention ---------===//
#include "OperandWriter.h"
#include "Layout.h"
#include "Operand.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

AffineMap OperandWriter::mapOf(ArrayRef<Atom> atoms) {
  SmallVector<AffineExpr> exprs;
  for (Atom atom : atoms)
    exprs.push_back(
        builder.getAffineDimExpr(llvm::find(loops, atom) - loops.begin()));
  return AffineMap::get(loops.size(), 0, exprs, builder.getContext());
}

OperandWriter::Groups OperandWriter::groupsOf(const Reading &reading,
                                              ArrayRef<Atom> units,
                                              SmallVector<Atom> &appended) {
  SmallVector<int64_t> offsets;
  Groups groups = *dimsOfResult(view.getSpace(), reading, &offsets);
  appended.assign(units.begin(), units.end());
  for (SmallVector<Atom> &group : groups)
    if (group.empty() && !appended.empty()) {
      group.push_back(appended.front());
      appended.erase(appended.begin());
    }
  return groups;
}

/// Merges dims without a loop into their neighbours.
static SmallVector<ReassociationIndices>
mergeEmpty(ArrayRef<SmallVector<Atom>> groups) {
  SmallVector<ReassociationIndices> result;
  ReassociationIndices leading;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    if (!group.empty()) {
      result.push_back(leading);
      result.back().push_back(dim);
      leading.clear();
    } else if (result.empty()) {
      leading.push_back(dim);
    } else {
      result.back().push_back(dim);
    }
  }
  return result;
}

/// Numbers the atoms of the groups; `appended` go to the last group.
static SmallVector<ReassociationIndices>
splitGroups(ArrayRef<SmallVector<Atom>> groups, size_t appended) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  for (const SmallVector<Atom> &group : groups) {
    result.emplace_back();
    for (size_t i = 0; i < group.size(); ++i)
      result.back().push_back(next++);
  }
  for (size_t i = 0; i < appended && !result.empty(); ++i)
    result.back().push_back(next++);
  return result;
}

/// The slice of the tensor that is read; the tensor itself if that is all of
/// it.
Value OperandWriter::sliced(const Reading &reading) {
  auto type = cast<RankedTensorType>(reading.tensor.getType());
  SmallVector<int64_t> offsets;
  Groups groups = *dimsOfReading(view.getSpace(), reading, &offsets);
  // A dim of unknown size is read whole.
  SmallVector<int64_t> lengths;
  for (auto [dim, group] : llvm::enumerate(groups)) {
    lengths.push_back(1);
    for (Atom atom : group)
      lengths.back() *= size(atom);
    if (type.isDynamicDim(dim))
      lengths.back() = ShapedType::kDynamic;
  }
  if (ArrayRef<int64_t>(lengths) == type.getShape())
    return reading.tensor;
  SmallVector<OpFoldResult> starts, sizes;
  for (auto [dim, length] : llvm::enumerate(lengths)) {
    starts.push_back(builder.getIndexAttr(offsets[dim]));
    sizes.push_back(
        type.isDynamicDim(dim)
            ? tensor::getMixedSize(builder, loc, reading.tensor, dim)
            : OpFoldResult(builder.getIndexAttr(length)));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, reading.tensor, starts,
                                        sizes, strides);
}

TensorOverLoops OperandWriter::read(const Reading &reading,
                                    ArrayRef<Atom> units) {
  SmallVector<Atom> appended;
  Groups groups = groupsOf(reading, units, appended);
  Value value = sliced(reading);
  auto type = cast<RankedTensorType>(value.getType());
  Groups full;
  SmallVector<int64_t> kept;
  for (auto [group, dim] : llvm::zip_equal(groups, type.getShape()))
    if (!group.empty()) {
      full.push_back(group);
      kept.push_back(dim);
    }
  if (full.size() != groups.size())
    value = tensor::CollapseShapeOp::create(
        builder, loc, RankedTensorType::get(kept, type.getElementType()), value,
        mergeEmpty(groups));
  SmallVector<Atom> flat;
  SmallVector<int64_t> shape;
  for (auto [group, dim] : llvm::zip_equal(full, kept))
    for (Atom atom : group) {
      flat.push_back(atom);
      // A dim that is one loop keeps the tensor's own type.
      shape.push_back(group.size() == 1 ? dim : size(atom));
    }
  for (Atom atom : appended) {
    flat.push_back(atom);
    shape.push_back(1);
  }
  if (flat.size() != full.size())
    value = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, splitGroups(full, appended.size()));
  return {value, flat};
}

/// Q, K or V: read, or computed again from the tensors it is an expression of.
TensorOverLoops OperandWriter::operand(Node *node, ArrayRef<Atom> units) {
  IndexSpace &space = view.getSpace();
  if (const Reading *reading = bestReading(space, node, true))
    return read(*reading, units);
  SetVector<Node *> leaves;
  collectLeaves(view, node, leaves);
  SmallVector<TensorOverLoops> inputs;
  for (Node *leaf : leaves)
    inputs.push_back(read(*readingOfLeaf(space, leaf, node), {}));
  // In the order of the iteration space: an elementwise op over its own loops.
  SmallVector<Atom> used = atomsOf(node), order;
  for (Atom atom : loops)
    if (llvm::is_contained(used, atom))
      order.push_back(atom);
  auto mapOver = [&](ArrayRef<Atom> atoms) {
    SmallVector<AffineExpr> exprs;
    for (Atom atom : atoms)
      exprs.push_back(
          builder.getAffineDimExpr(llvm::find(order, atom) - order.begin()));
    return AffineMap::get(order.size(), 0, exprs, builder.getContext());
  };
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const TensorOverLoops &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(mapOver(input.loops));
  }
  maps.push_back(mapOver(order));
  Value init = destination(order, inputs, node->type);
  SmallVector<utils::IteratorType> parallel(order.size(),
                                            utils::IteratorType::parallel);
  auto computed = linalg::GenericOp::create(
      builder, loc, TypeRange{init.getType()}, tensors, ValueRange{init}, maps,
      parallel, [&](OpBuilder &b, Location l, ValueRange arguments) {
        DenseMap<Node *, Value> known;
        for (auto [leaf, argument] : llvm::zip(leaves, arguments.drop_back()))
          known[leaf] = argument;
        Value result =
            writeExpression(b, l, node, known, [&](Atom atom) -> Value {
              return linalg::IndexOp::create(
                  b, l, llvm::find(order, atom) - order.begin());
            });
        linalg::YieldOp::create(b, l, result);
      });
  Value value = computed.getResult(0);
  if (!units.empty()) {
    SmallVector<SmallVector<Atom>> groups;
    SmallVector<int64_t> shape;
    for (Atom atom : order) {
      groups.push_back({atom});
      shape.push_back(size(atom));
    }
    shape.append(units.size(), 1);
    value = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, node->type), value,
        splitGroups(groups, units.size()));
    llvm::append_range(order, units);
  }
  return {value, order};
}

/// Extras may keep their unit dims: a map may say 0.
TensorOverLoops OperandWriter::readExtra(const Reading &reading,
                                         AffineMap &map) {
  Groups groups = *dimsOfReading(view.getSpace(), reading);
  bool split = llvm::any_of(groups, [](auto &g) { return g.size() > 1; });
  if (split) {
    TensorOverLoops operand = read(reading, {});
    map = mapOf(operand.loops);
    return operand;
  }
  SmallVector<AffineExpr> exprs;
  for (const SmallVector<Atom> &group : groups)
    exprs.push_back(group.empty() ? builder.getAffineConstantExpr(0)
                                  : mapOf(group).getResult(0));
  map = AffineMap::get(loops.size(), 0, exprs, builder.getContext());
  return {reading.tensor, {}};
}

Value OperandWriter::destination(ArrayRef<Atom> atoms,
                                 ArrayRef<TensorOverLoops> operands,
                                 Type element) {
  SmallVector<OpFoldResult> sizes;
  for (Atom atom : atoms) {
    if (!ShapedType::isDynamic(size(atom))) {
      sizes.push_back(builder.getIndexAttr(size(atom)));
      continue;
    }
    OpFoldResult found;
    for (const TensorOverLoops &operand : operands) {
      auto it = llvm::find(operand.loops, atom);
      if (it != operand.loops.end()) {
        found = tensor::getMixedSize(builder, loc, operand.tensor,
                                     it - operand.loops.begin());
        break;
      }
    }
    sizes.push_back(found);
  }
  return tensor::EmptyOp::create(builder, loc, sizes, element);
}

Value OperandWriter::write(Value result, RankedTensorType rootType,
                           const Groups &groups, ArrayRef<Atom> appended) {
  Groups full;
  SmallVector<int64_t> kept;
  for (auto [group, dim] : llvm::zip_equal(groups, rootType.getShape()))
    if (!group.empty()) {
      full.push_back(group);
      kept.push_back(dim);
    }
  auto type = cast<RankedTensorType>(result.getType());
  if (static_cast<size_t>(type.getRank()) != full.size())
    result = tensor::CollapseShapeOp::create(
        builder, loc, result, splitGroups(full, appended.size()));
  type = cast<RankedTensorType>(result.getType());
  if (type.getRank() != rootType.getRank()) {
    SmallVector<int64_t> shape;
    size_t next = 0;
    for (const SmallVector<Atom> &group : groups)
      shape.push_back(group.empty() ? 1 : type.getDimSize(next++));
    result = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        result, mergeEmpty(groups));
  }
  if (result.getType() != rootType)
    result = tensor::CastOp::create(builder, loc, rootType, result);
  return result;
}

Value OperandWriter::transpose(const TensorOverLoops &from, ArrayRef<Atom> to) {
  if (ArrayRef<Atom>(from.loops) == to)
    return from.tensor;
  SmallVector<int64_t> permutation;
  for (Atom atom : to)
    permutation.push_back(llvm::find(from.loops, atom) - from.loops.begin());
  Type element = cast<RankedTensorType>(from.tensor.getType()).getElementType();
  return linalg::TransposeOp::create(builder, loc, from.tensor,
                                     destination(to, from, element),
                                     permutation)
      ->getResult(0);
}
