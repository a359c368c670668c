//===- PartialReduction.cpp - splitting the keys of an online attention ---===//
//
// The key dims of an online attention are split into parts of which each folds
// into a state of its own (PartialReductionOuterParallel: one slot per part,
// appended to the state's dims); the slots are then joined by attn.merge, part
// by part, so that the order of summation is fixed. Outer-reduction would give
// one state per key and is refused.
//
//===----------------------------------------------------------------------===//
#include "TilingImpl.h"
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

static AffineMap stateMap(OnlineAttentionOp op, unsigned result) {
  SmallVector<AffineMap> maps = op.getMapArray();
  return result == 0 ? maps[maps.size() - 2] : maps.back();
}

FailureOr<SmallVector<Value>>
OnlineAttentionOp::generateInitialTensorForPartialReduction(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> tileSizes,
    const SetVector<unsigned> &dims) {
  SmallVector<OpFoldResult> domain = iterationSizes(b, *this);
  Type type = accumulateType(*this);
  double infinity = std::numeric_limits<double>::infinity();
  double identity[] = {0.0, -infinity, 0.0};
  SmallVector<Value> inits;
  for (unsigned result = 0; result < 3; ++result) {
    SmallVector<OpFoldResult> shape;
    for (AffineExpr expr : stateMap(*this, result).getResults())
      shape.push_back(domain[cast<AffineDimExpr>(expr).getPosition()]);
    for (unsigned dim : dims) {
      AffineExpr d0 = b.getAffineDimExpr(0), s0 = b.getAffineSymbolExpr(0);
      shape.push_back(affine::makeComposedFoldedAffineApply(
          b, loc, d0.ceilDiv(s0), {domain[dim], tileSizes[dim]}));
    }
    Value empty = tensor::EmptyOp::create(b, loc, shape, type);
    Value value = arith::ConstantOp::create(
        b, loc, b.getFloatAttr(type, identity[result]));
    inits.push_back(linalg::FillOp::create(b, loc, value, empty).getResult(0));
  }
  return inits;
}

LogicalResult OnlineAttentionOp::getPartialResultTilePosition(
    OpBuilder &b, unsigned result, ReductionTilingStrategy strategy,
    ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    const SetVector<unsigned> &dims, ArrayRef<OpFoldResult> splitIvs,
    SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  if (strategy != ReductionTilingStrategy::PartialReductionOuterParallel)
    return emitOpError("keys split into independent parts only by "
                       "PartialReductionOuterParallel");
  for (AffineExpr expr : stateMap(*this, result).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    resultOffsets.push_back(offsets[dim]);
    resultSizes.push_back(sizes[dim]);
  }
  for (unsigned i = 0; i < dims.size(); ++i) {
    resultOffsets.push_back(splitIvs[i]);
    resultSizes.push_back(b.getIndexAttr(1));
  }
  return success();
}

FailureOr<TilingResult> OnlineAttentionOp::tileToPartialReduction(
    OpBuilder &b, Location loc, ReductionTilingStrategy strategy,
    ValueRange init, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &dims,
    ArrayRef<OpFoldResult> splitIvs) {
  SmallVector<Operation *> slices;
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<int64_t> whole = staticSizes(*this);
  auto cut = [&](Value from, RankedTensorType type,
                 ArrayRef<OpFoldResult> sliceOffsets,
                 ArrayRef<OpFoldResult> sliceSizes) {
    SmallVector<OpFoldResult> ones(sliceSizes.size(), b.getIndexAttr(1));
    auto slice = type ? tensor::ExtractSliceOp::create(
                            b, loc, type, from, sliceOffsets, sliceSizes, ones)
                      : tensor::ExtractSliceOp::create(
                            b, loc, from, sliceOffsets, sliceSizes, ones);
    slices.push_back(slice);
    operands.push_back(slice);
  };
  unsigned firstInit = getNumOperands() - 3;
  for (OpOperand &operand : (*this)->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
    if (index >= firstInit) {
      unsigned result = index - firstInit;
      if (failed(getPartialResultTilePosition(b, result, strategy, offsets,
                                              sizes, dims, splitIvs,
                                              sliceOffsets, sliceSizes)))
        return failure();
      // Inside the loop `this` may already have the partial-shaped init: the
      // rank comes from the map.
      SmallVector<int64_t> shape;
      for (OpFoldResult size : ArrayRef(sliceSizes).drop_back(dims.size()))
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
      auto type = RankedTensorType::get(shape, accumulateType(*this));
      cut(init[result], type, sliceOffsets, sliceSizes);
      types.push_back(type);
      continue;
    }
    AffineMap map = getMapOf(operand);
    if (!map || map.getNumResults() == 0 ||
        !isa<RankedTensorType>(operand.get().getType())) {
      operands.push_back(operand.get());
      continue;
    }
    if (failed(tiling::slicePosition(b, loc, map, whole, offsets, sizes,
                                     sliceOffsets, sliceSizes)))
      return emitOpError("cannot be split here: an operand behind floordiv or "
                         "mod would be cut inside its divisor");
    cut(operand.get(), {}, sliceOffsets, sliceSizes);
  }
  Operation *tile = mlir::clone(b, *this, types, operands);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(tile);
    tiling::movePosition(b, *this, cast<ScoreOpInterface>(tile), offsets);
  }
  return TilingResult{{tile}, SmallVector<Value>(tile->getResults()), slices};
}

FailureOr<MergeResult>
OnlineAttentionOp::mergeReductions(OpBuilder &b, Location loc,
                                   ValueRange partial,
                                   const SetVector<unsigned> &dims) {
  if (dims.size() != 1)
    return emitOpError("expected one key dim to be split, got ") << dims.size();
  SmallVector<OpFoldResult> rest = iterationSizes(b, *this);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  int64_t slotDim = cast<ShapedType>(partial[1].getType()).getRank() - 1;
  Value parts = tensor::DimOp::create(b, loc, partial[1], slotDim);
  // The maps of the merge: the state dims of this op, renumbered.
  AffineMap accMap = stateMap(*this, 0);
  AffineMap maxMap = stateMap(*this, 1);
  llvm::SmallBitVector unused(getNumLoops(), true);
  for (AffineExpr expr : accMap.getResults())
    unused.reset(cast<AffineDimExpr>(expr).getPosition());
  SmallVector<AffineMap> maps = {projectDims(accMap, unused, true),
                                 projectDims(maxMap, unused, true)};
  Operation *merge = nullptr;
  auto loop = scf::ForOp::create(
      b, loc, zero, parts, one, getDpsInits(),
      [&](OpBuilder &nested, Location at, Value part, ValueRange state) {
        SmallVector<Value> operands;
        for (unsigned result = 0; result < 3; ++result) {
          SmallVector<OpFoldResult> offsets, sizes;
          SmallVector<int64_t> shape;
          for (AffineExpr expr : stateMap(*this, result).getResults()) {
            OpFoldResult size = rest[cast<AffineDimExpr>(expr).getPosition()];
            offsets.push_back(nested.getIndexAttr(0));
            sizes.push_back(size);
            shape.push_back(
                getConstantIntValue(size).value_or(ShapedType::kDynamic));
          }
          offsets.push_back(part);
          sizes.push_back(nested.getIndexAttr(1));
          SmallVector<OpFoldResult> ones(sizes.size(), nested.getIndexAttr(1));
          operands.push_back(tensor::ExtractSliceOp::create(
              nested, at, RankedTensorType::get(shape, accumulateType(*this)),
              partial[result], offsets, sizes, ones));
        }
        llvm::append_range(operands, state);
        OperationState mergeState(at, MergeOp::getOperationName());
        mergeState.addOperands(operands);
        mergeState.addTypes(TypeRange(state));
        mergeState.addAttribute("maps", nested.getAffineMapArrayAttr(maps));
        merge = nested.create(mergeState);
        scf::YieldOp::create(nested, at, merge->getResults());
      });
  return MergeResult{{merge}, SmallVector<Value>(loop.getResults())};
}
