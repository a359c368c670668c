//===- Tile.cpp - attn-tile -----------------------------------------------===//
#include "KeyLoop.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTILE
#include "attn/Tile/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// The block sizes of one attention, per row and per key dim.
struct BlockSizes {
  SmallVector<int64_t> query, key;
};

/// Shrinks or rounds `block` so that tiles and groups of `divisor` elements
/// nest.
int64_t alignTo(int64_t block, int64_t divisor) {
  if (block >= divisor)
    return block - block % divisor;
  return std::gcd(block, divisor);
}

/// Makes block sizes fit what maps with floordiv and mod allow.
void alignBlocks(OnlineAttentionOp op, const Roles &roles, BlockSizes &sizes) {
  for (AffineMap map : op.getMapArray())
    for (AffineExpr expr : map.getResults()) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!binary)
        continue;
      unsigned dim = cast<AffineDimExpr>(binary.getLHS()).getPosition();
      int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      for (auto [row, block] : llvm::zip_equal(roles.row, sizes.query))
        block = row == dim ? alignTo(block, divisor) : block;
      for (auto [key, block] : llvm::zip_equal(roles.key, sizes.key))
        block = key == dim ? alignTo(block, divisor) : block;
    }
}

/// `min(block, size - offset)`, folded where the block divides the size.
OpFoldResult tileSize(OpBuilder &b, Location loc, int64_t block,
                      OpFoldResult size, OpFoldResult offset) {
  std::optional<int64_t> whole = getConstantIntValue(size);
  if (block == 1 || (whole && *whole % block == 0))
    return b.getIndexAttr(block);
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  AffineMap map = AffineMap::get(
      2, 0, {b.getAffineConstantExpr(block), d0 - d1}, b.getContext());
  return affine::makeComposedFoldedAffineMin(b, loc, map, {size, offset});
}

/// A slice of a tensor.empty becomes a tensor.empty of the slice's size: nobody
/// needs the whole one.
void shrinkEmptyDestinations(RewriterBase &rewriter,
                             ArrayRef<Operation *> tiledOps) {
  for (Operation *op : tiledOps)
    for (OpOperand &operand : op->getOpOperands()) {
      auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      if (!slice || !slice.getSource().getDefiningOp<tensor::EmptyOp>())
        continue;
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(slice);
      Value empty = tensor::EmptyOp::create(rewriter, slice.getLoc(),
                                            slice.getMixedSizes(),
                                            slice.getType().getElementType());
      operand.set(empty);
      if (slice->use_empty())
        rewriter.eraseOp(slice);
    }
}

/// The initial state's tile: computed in place where its producer can be tiled,
/// so that no state of the whole problem is made.
FailureOr<Value> tileOfInit(RewriterBase &rewriter, Location loc, Value init,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) {
  auto result = dyn_cast<OpResult>(init);
  if (result) {
    if (auto producer = dyn_cast<TilingInterface>(result.getOwner())) {
      FailureOr<TilingResult> tile = producer.generateResultTileValue(
          rewriter, result.getResultNumber(), offsets, sizes);
      if (succeeded(tile)) {
        shrinkEmptyDestinations(rewriter, tile->tiledOps);
        return tile->tiledValues.front();
      }
    }
  }
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, init, offsets, sizes,
                                        ones)
      .getResult();
}

class QueryTiler {
public:
  QueryTiler(RewriterBase &rewriter, FinishOp finish, OnlineAttentionOp online,
             BlockSizes sizes)
      : rewriter(rewriter), loc(finish.getLoc()), finish(finish),
        online(online), roles(inferRoles(online)), blocks(std::move(sizes)) {}

  LogicalResult run();

private:
  LogicalResult buildBody(scf::ForallOp forall);
  FailureOr<OnlineAttentionOp> onlineTile(ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes);

  /// The dim of the online attention that a dim of the finish is.
  SmallVector<unsigned> onlineDims() {
    SmallVector<unsigned> dims(finish.getNumLoops());
    AffineMap from = finish.getMapArray()[0];
    AffineMap to = online.getMapOf(*online.getDpsInitOperand(0));
    for (auto [f, o] : llvm::zip_equal(from.getResults(), to.getResults()))
      dims[cast<AffineDimExpr>(f).getPosition()] =
          cast<AffineDimExpr>(o).getPosition();
    return dims;
  }

  RewriterBase &rewriter;
  Location loc;
  FinishOp finish;
  OnlineAttentionOp online;
  Roles roles;
  BlockSizes blocks;

  SmallVector<unsigned> loopDims;  ///< dims of `online` with a loop
  SmallVector<int64_t> loopBlocks; ///< tile size of each
  SmallVector<OpFoldResult> domain;
};

} // namespace

FailureOr<OnlineAttentionOp>
QueryTiler::onlineTile(ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
  FailureOr<TilingResult> tile =
      online.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tile))
    return failure();
  auto tiled = cast<OnlineAttentionOp>(tile->tiledOps.front());
  rewriter.setInsertionPoint(tiled);
  for (auto [i, init] : llvm::enumerate(tiled.getDpsInitsMutable())) {
    SmallVector<OpFoldResult> initOffsets, initSizes;
    if (failed(online.getResultTilePosition(rewriter, i, offsets, sizes,
                                            initOffsets, initSizes)))
      return failure();
    FailureOr<Value> value = tileOfInit(rewriter, loc, online.getDpsInits()[i],
                                        initOffsets, initSizes);
    if (failed(value))
      return failure();
    Operation *slice = init.get().getDefiningOp();
    init.set(*value);
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  }
  rewriter.setInsertionPointAfter(tiled);
  return tiled;
}

LogicalResult QueryTiler::buildBody(scf::ForallOp forall) {
  SmallVector<OpFoldResult> offsets(domain.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes(domain);
  for (auto [dim, block, iv] :
       llvm::zip_equal(loopDims, loopBlocks, forall.getInductionVars())) {
    offsets[dim] = iv;
    sizes[dim] = tileSize(rewriter, loc, block, domain[dim], iv);
  }
  FailureOr<OnlineAttentionOp> tile = onlineTile(offsets, sizes);
  if (failed(tile))
    return failure();

  SmallVector<OpFoldResult> finishOffsets, finishSizes;
  for (unsigned dim : onlineDims()) {
    finishOffsets.push_back(offsets[dim]);
    finishSizes.push_back(sizes[dim]);
  }
  FailureOr<TilingResult> finished =
      finish.getTiledImplementation(rewriter, finishOffsets, finishSizes);
  if (failed(finished))
    return failure();
  auto tiledFinish = cast<FinishOp>(finished->tiledOps.front());
  for (unsigned i = 0; i < 3; ++i) {
    Operation *slice = tiledFinish->getOperand(i).getDefiningOp();
    tiledFinish->setOperand(i, (*tile)->getResult(i));
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  }
  // Destinations are the loop's shared outputs.
  for (auto [init, output] : llvm::zip_equal(tiledFinish.getDpsInitsMutable(),
                                             forall.getRegionIterArgs())) {
    auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    slice.getSourceMutable().assign(output);
  }
  rewriter.setInsertionPointToStart(forall.getTerminator().getBody());
  for (unsigned i = 0; i < tiledFinish->getNumResults(); ++i) {
    auto slice =
        tiledFinish.getDpsInits()[i].getDefiningOp<tensor::ExtractSliceOp>();
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, tiledFinish->getResult(i), forall.getRegionIterArgs()[i],
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
  }
  return tileKeys(rewriter, *tile, blocks.key);
}

LogicalResult QueryTiler::run() {
  alignBlocks(online, roles, blocks);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(finish);
  domain = iterationSizes(rewriter, online);
  for (unsigned dim : stateDims(roles)) {
    auto row = llvm::find(roles.row, dim);
    loopDims.push_back(dim);
    loopBlocks.push_back(
        row == roles.row.end() ? 1 : blocks.query[row - roles.row.begin()]);
  }
  SmallVector<OpFoldResult> lower, upper, step;
  for (auto [dim, block] : llvm::zip_equal(loopDims, loopBlocks)) {
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(domain[dim]);
    step.push_back(rewriter.getIndexAttr(block));
  }
  auto forall =
      scf::ForallOp::create(rewriter, loc, lower, upper, step,
                            finish.getDpsInits(), /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  if (failed(buildBody(forall)))
    return failure();
  rewriter.replaceOp(finish, forall.getResults());
  if (online->use_empty())
    rewriter.eraseOp(online);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TilePass : mlir::attn::impl::AttnTileBase<TilePass> {
  using AttnTileBase::AttnTileBase;

  /// The block sizes that the op's tiling, or the options, ask for.
  FailureOr<BlockSizes> blockSizes(OnlineAttentionOp op) {
    Roles roles = inferRoles(op);
    BlockSizes sizes;
    if (TilingAttr tiling = op.getTilingAttr()) {
      if (tiling.getOrder() != Order::QOuter)
        return op.emitOpError("expected order = q_outer, got ")
               << stringifyOrder(tiling.getOrder());
      if (tiling.getKeySplits() != 1)
        return op.emitOpError("expected key_splits = 1, got ")
               << tiling.getKeySplits();
      sizes.query.assign(tiling.getQueryBlock().begin(),
                         tiling.getQueryBlock().end());
      sizes.key.assign(tiling.getKeyBlock().begin(),
                       tiling.getKeyBlock().end());
    } else {
      if (queryBlock <= 0 || keyBlock <= 0)
        return op.emitOpError(
                   "expected positive query-block and key-block, got ")
               << queryBlock << " and " << keyBlock;
      // The last row and key dim is blocked, outer ones go one by one.
      sizes.query.assign(roles.row.size(), 1);
      sizes.key.assign(roles.key.size(), 1);
      if (!sizes.query.empty())
        sizes.query.back() = queryBlock;
      sizes.key.back() = keyBlock;
    }
    // What is larger than an extent is the extent.
    SmallVector<int64_t> whole = staticSizes(op);
    auto clamp = [&](ArrayRef<unsigned> dims, MutableArrayRef<int64_t> blocks) {
      for (auto [dim, block] : llvm::zip_equal(dims, blocks))
        if (!ShapedType::isDynamic(whole[dim]))
          block = std::max<int64_t>(1, std::min(block, whole[dim]));
    };
    clamp(roles.row, sizes.query);
    clamp(roles.key, sizes.key);
    return sizes;
  }

  void runOnOperation() override {
    SmallVector<FinishOp> finishes;
    getOperation()->walk([&](FinishOp op) { finishes.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (FinishOp finish : finishes) {
      auto online = finish.getAcc().getDefiningOp<OnlineAttentionOp>();
      bool fed = online && online->getNumResults() == 3 &&
                 finish.getAcc() == online->getResult(0) &&
                 finish.getMax() == online->getResult(1) &&
                 finish.getSum() == online->getResult(2);
      if (!fed) // already tiled, or not fed by an attention
        continue;
      FailureOr<BlockSizes> sizes = blockSizes(online);
      if (failed(sizes) ||
          failed(QueryTiler(rewriter, finish, online, *sizes).run()))
        return signalPassFailure();
      ++numTiled;
    }
  }
};
} // namespace
