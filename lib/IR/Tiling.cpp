//===- Tiling.cpp - TilingInterface of the ops ----------------------------===//
//
// A tile of an op is the op on slices of its operands, one slice per map. What
// the generic tiling driver cannot know is done here: origin and extents follow
// the tile, so that `visible`, attn.index and attn.keep keep seeing the whole
// problem; and extras behind floordiv and mod are cut where their divisor
// allows.
//
//===----------------------------------------------------------------------===//
#include "attn/IR/AttnDialect.h"
#include "attn/IR/Roles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include "TilingImpl.h"

using namespace mlir;
using namespace mlir::attn;
using utils::IteratorType;

using Offsets = ArrayRef<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// How a tile lies in the groups of `divisor` that a floordiv or mod map makes
/// of a dim. Tiles start at multiples of their size.
enum class Alignment { Straddles, WholeGroups, InOneGroup };

static Alignment alignment(OpFoldResult offset, OpFoldResult size,
                           int64_t divisor, int64_t whole) {
  // From the start of the dim on, any size covers groups from their start.
  if (isZeroInteger(offset))
    return Alignment::WholeGroups;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, ValueBoundsConstraintSet::Variable(size),
      /*stopCondition=*/nullptr, /*closedUB=*/true);
  if (failed(bound))
    return Alignment::Straddles;
  if (*bound % divisor == 0 || *bound == whole)
    return Alignment::WholeGroups;
  return *bound > 0 && divisor % *bound == 0 ? Alignment::InOneGroup
                                             : Alignment::Straddles;
}

LogicalResult
mlir::attn::tiling::slicePosition(OpBuilder &b, Location loc, AffineMap map,
                                  ArrayRef<int64_t> wholeSizes, Offsets offsets,
                                  Offsets sizes,
                                  SmallVectorImpl<OpFoldResult> &resultOffsets,
                                  SmallVectorImpl<OpFoldResult> &resultSizes) {
  MLIRContext *context = b.getContext();
  AffineExpr d0 = getAffineDimExpr(0, context);
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      resultOffsets.push_back(offsets[dim.getPosition()]);
      resultSizes.push_back(sizes[dim.getPosition()]);
      continue;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary) { // the constant 0: a broadcast dim of size 1
      resultOffsets.push_back(b.getIndexAttr(0));
      resultSizes.push_back(b.getIndexAttr(1));
      continue;
    }
    unsigned dim = cast<AffineDimExpr>(binary.getLHS()).getPosition();
    int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    Alignment aligned =
        alignment(offsets[dim], sizes[dim], divisor, wholeSizes[dim]);
    if (aligned == Alignment::Straddles)
      return failure();
    if (binary.getKind() == AffineExprKind::Mod) {
      // Within a group the pattern is cut; whole groups repeat all of it.
      bool cut = aligned == Alignment::InOneGroup;
      resultOffsets.push_back(cut ? affine::makeComposedFoldedAffineApply(
                                        b, loc, d0 % divisor, {offsets[dim]})
                                  : OpFoldResult(b.getIndexAttr(0)));
      AffineMap smaller = AffineMap::get(
          1, 0, {d0, getAffineConstantExpr(divisor, context)}, context);
      resultSizes.push_back(
          affine::makeComposedFoldedAffineMin(b, loc, smaller, {sizes[dim]}));
      continue;
    }
    resultOffsets.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, d0.floorDiv(divisor), {offsets[dim]}));
    resultSizes.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, d0.ceilDiv(divisor), {sizes[dim]}));
  }
  return success();
}

/// The operands of the tile; slices are created where a map cuts.
static FailureOr<SmallVector<Value>>
sliceOperands(OpBuilder &b, IndexedOpInterface op, Offsets offsets,
              Offsets sizes, SmallVectorImpl<Operation *> &slices) {
  SmallVector<Value> operands;
  SmallVector<int64_t> wholeSizes = staticSizes(op);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMapOf(operand);
    Value value = operand.get();
    if (!map || map.getNumResults() == 0 ||
        !isa<RankedTensorType, MemRefType>(value.getType())) {
      operands.push_back(value);
      continue;
    }
    SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
    if (failed(tiling::slicePosition(b, op.getLoc(), map, wholeSizes, offsets,
                                     sizes, sliceOffsets, sliceSizes)))
      return failure();
    SmallVector<OpFoldResult> strides(sliceSizes.size(), b.getIndexAttr(1));
    Operation *slice;
    if (isa<RankedTensorType>(value.getType()))
      slice = tensor::ExtractSliceOp::create(b, op.getLoc(), value,
                                             sliceOffsets, sliceSizes, strides);
    else
      slice = memref::SubViewOp::create(b, op.getLoc(), value, sliceOffsets,
                                        sliceSizes, strides);
    slices.push_back(slice);
    operands.push_back(slice->getResult(0));
  }
  return operands;
}

void mlir::attn::tiling::movePosition(OpBuilder &b, ScoreOpInterface from,
                                      ScoreOpInterface tile, Offsets offsets) {
  if (!dependsOnPosition(from))
    return;
  Position position = getPosition(b, from);
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  for (auto [origin, offset] : llvm::zip_equal(position.origin, offsets))
    origin = affine::makeComposedFoldedAffineApply(b, from.getLoc(), d0 + d1,
                                                   {origin, offset});
  // The operands of origin and extents precede the destinations, so they cannot
  // be taken over by the clone: they are set on it.
  tile.setPosition(position.origin, position.extents);
}

static FailureOr<TilingResult> tileOp(OpBuilder &b, IndexedOpInterface op,
                                      Offsets offsets, Offsets sizes) {
  SmallVector<Operation *> slices;
  FailureOr<SmallVector<Value>> operands =
      sliceOperands(b, op, offsets, sizes, slices);
  if (failed(operands))
    return op->emitOpError(
        "cannot be tiled here: an operand behind floordiv or "
        "mod would be cut inside its divisor; choose tile "
        "sizes that are multiples of it");
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands())
    if (cast<DestinationStyleOpInterface>(op.getOperation())
            .isDpsInit(&operand)) {
      Type type = (*operands)[operand.getOperandNumber()].getType();
      if (isa<RankedTensorType>(type))
        types.push_back(type);
    }
  // `clone` takes the operands in order; the position is replaced afterwards.
  Operation *tile = mlir::clone(b, op, types, *operands);
  if (auto score = dyn_cast<ScoreOpInterface>(op.getOperation())) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(tile);
    tiling::movePosition(b, score, cast<ScoreOpInterface>(tile), offsets);
  }
  return TilingResult{{tile}, SmallVector<Value>(tile->getResults()), slices};
}

//===----------------------------------------------------------------------===//
// Iteration space and results
//===----------------------------------------------------------------------===//

static SmallVector<Range> iterationDomain(OpBuilder &b, IndexedOpInterface op) {
  SmallVector<Range> domain;
  for (OpFoldResult size : iterationSizes(b, op))
    domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
  return domain;
}

static AffineMap resultMap(IndexedOpInterface op, unsigned result) {
  return op.getMapOf(*cast<DestinationStyleOpInterface>(op.getOperation())
                          .getDpsInitOperand(result));
}

static LogicalResult resultPosition(OpBuilder &b, IndexedOpInterface op,
                                    unsigned result, Offsets offsets,
                                    Offsets sizes,
                                    SmallVector<OpFoldResult> &resultOffsets,
                                    SmallVector<OpFoldResult> &resultSizes) {
  return tiling::slicePosition(b, op.getLoc(), resultMap(op, result),
                               staticSizes(op), offsets, sizes, resultOffsets,
                               resultSizes);
}

/// The iteration tile that produces a tile of a result: whole in dims that do
/// not index it.
static void domainOfResult(OpBuilder &b, IndexedOpInterface op, unsigned result,
                           Offsets resultOffsets, Offsets resultSizes,
                           SmallVectorImpl<OpFoldResult> &offsets,
                           SmallVectorImpl<OpFoldResult> &sizes) {
  for (Range range : iterationDomain(b, op)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  for (auto [i, expr] : llvm::enumerate(resultMap(op, result).getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    offsets[dim] = resultOffsets[i];
    sizes[dim] = resultSizes[i];
  }
}

static FailureOr<TilingResult> resultTile(OpBuilder &b, IndexedOpInterface op,
                                          unsigned result,
                                          Offsets resultOffsets,
                                          Offsets resultSizes) {
  SmallVector<OpFoldResult> offsets, sizes;
  domainOfResult(b, op, result, resultOffsets, resultSizes, offsets, sizes);
  FailureOr<TilingResult> tile = tileOp(b, op, offsets, sizes);
  if (failed(tile))
    return failure();
  return TilingResult{
      tile->tiledOps, {tile->tiledValues[result]}, tile->generatedSlices};
}

//===----------------------------------------------------------------------===//
// Which dims may be tiled
//===----------------------------------------------------------------------===//

/// What a dim may do: `parallel` tiles freely, `reduction` folds sequentially.
/// A dim that must stay whole is a reduction for the driver; cutting it is
/// refused by `checkWhole`.
static SmallVector<IteratorType> iteratorTypes(Operation *op) {
  auto indexed = cast<IndexedOpInterface>(op);
  SmallVector<IteratorType> types(indexed.getNumLoops(),
                                  IteratorType::parallel);
  if (auto score = dyn_cast<ScoreOpInterface>(op)) {
    Roles roles = inferRoles(score);
    if (isa<OnlineBackwardOp>(op)) {
      // Parallel: what indexes every gradient.
      for (auto [dim, type] : llvm::enumerate(types))
        for (OpOperand &grad :
             cast<DestinationStyleOpInterface>(op).getDpsInitsMutable())
          if (!llvm::is_contained(indexed.getMapOf(grad).getResults(),
                                  getAffineDimExpr(dim, op->getContext())))
            type = IteratorType::reduction;
      return types;
    }
    for (unsigned dim : llvm::concat<unsigned>(roles.key, roles.depth))
      types[dim] = IteratorType::reduction;
    bool sharesState = isa<OnlineAttentionOp>(op) ||
                       (isa<AttentionOp>(op) && cast<AttentionOp>(op).getLse());
    if (sharesState)
      for (unsigned dim : roles.value)
        types[dim] = IteratorType::reduction;
    return types;
  }
  // merge and finish: max and sum (lse) are shared along the value dims.
  bool sharesState = isa<MergeOp>(op) || cast<FinishOp>(op).getLse();
  AffineMap state = indexed.getMapArray()[1];
  for (unsigned dim = 0; dim < types.size(); ++dim)
    if (sharesState && !state.isFunctionOfDim(dim))
      types[dim] = IteratorType::reduction;
  return types;
}

/// Refuses a tile that cuts a dim which must stay whole.
static LogicalResult checkWhole(Operation *op, Offsets sizes) {
  auto indexed = cast<IndexedOpInterface>(op);
  SmallVector<int64_t> whole = staticSizes(indexed);
  auto score = dyn_cast<ScoreOpInterface>(op);
  Roles roles = score ? inferRoles(score) : Roles();
  for (auto [dim, type] : llvm::enumerate(iteratorTypes(op))) {
    Role role = score ? roles.ofDim[dim] : Role::None;
    bool mayFold = (isa<OnlineAttentionOp>(op) && role == Role::Key) ||
                   (isa<OnlineBackwardOp>(op) && role != Role::Depth &&
                    role != Role::Value);
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (type == IteratorType::parallel || mayFold || !size ||
        ShapedType::isDynamic(whole[dim]) || *size == whole[dim])
      continue;
    return op->emitOpError("dim d")
           << dim << " must stay whole when tiled: expected size " << whole[dim]
           << ", got " << *size;
  }
  return success();
}

#define ATTN_TILING(OpTy)                                                      \
  SmallVector<IteratorType> OpTy::getLoopIteratorTypes() {                     \
    return iteratorTypes(*this);                                               \
  }                                                                            \
  SmallVector<Range> OpTy::getIterationDomain(OpBuilder &b) {                  \
    return iterationDomain(b, *this);                                          \
  }                                                                            \
  FailureOr<TilingResult> OpTy::getTiledImplementation(                        \
      OpBuilder &b, Offsets offsets, Offsets sizes) {                          \
    if (failed(checkWhole(*this, sizes)))                                      \
      return failure();                                                        \
    return tileOp(b, *this, offsets, sizes);                                   \
  }                                                                            \
  LogicalResult OpTy::getResultTilePosition(                                   \
      OpBuilder &b, unsigned result, Offsets offsets, Offsets sizes,           \
      SmallVector<OpFoldResult> &resultOffsets,                                \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    return resultPosition(b, *this, result, offsets, sizes, resultOffsets,     \
                          resultSizes);                                        \
  }                                                                            \
  FailureOr<TilingResult> OpTy::generateResultTileValue(                       \
      OpBuilder &b, unsigned result, Offsets offsets, Offsets sizes) {         \
    return resultTile(b, *this, result, offsets, sizes);                       \
  }                                                                            \
  LogicalResult OpTy::getIterationDomainTileFromResultTile(                    \
      OpBuilder &b, unsigned result, Offsets resultOffsets,                    \
      Offsets resultSizes, SmallVectorImpl<OpFoldResult> &offsets,             \
      SmallVectorImpl<OpFoldResult> &sizes) {                                  \
    domainOfResult(b, *this, result, resultOffsets, resultSizes, offsets,      \
                   sizes);                                                     \
    return success();                                                          \
  }

ATTN_TILING(AttentionOp)
ATTN_TILING(OnlineAttentionOp)
ATTN_TILING(OnlineBackwardOp)
ATTN_TILING(MergeOp)
ATTN_TILING(FinishOp)
#undef ATTN_TILING
