//===- Tile.cpp - attn-tile -----------------------------------------------===//
#include "BackwardLoop.h"
#include "attn/IR/Roles.h"
#include "attn/Tile/Passes.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTILE
#include "attn/Tile/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct TilePass : mlir::attn::impl::AttnTileBase<TilePass> {
  using AttnTileBase::AttnTileBase;

  /// What the op's tiling, or the options, ask for.
  FailureOr<Blocking> blockingOf(ScoreOpInterface op) {
    Roles roles = inferRoles(op);
    Blocking blocking;
    // With key blocks outside dK and dV stay in cache.
    if (isa<AttentionBackwardOp>(op.getOperation()))
      blocking.order = Order::KVOuter;
    if (TilingAttr tiling = op.getTilingAttr()) {
      blocking.order = tiling.getOrder();
      blocking.keySplits = tiling.getKeySplits();
      blocking.query.assign(tiling.getQueryBlock().begin(),
                            tiling.getQueryBlock().end());
      blocking.key.assign(tiling.getKeyBlock().begin(),
                          tiling.getKeyBlock().end());
    } else {
      if (queryBlock <= 0 || keyBlock <= 0)
        return op->emitOpError("expected positive query-block and key-block, "
                               "got ")
               << queryBlock << " and " << keyBlock;
      // The last row and key dim is blocked, outer ones go one by one.
      blocking.query.assign(roles.row.size(), 1);
      blocking.key.assign(roles.key.size(), 1);
      if (!blocking.query.empty())
        blocking.query.back() = queryBlock;
      blocking.key.back() = keyBlock;
    }
    // What is larger than an extent is the extent.
    SmallVector<int64_t> whole = staticSizes(op);
    auto clamp = [&](ArrayRef<unsigned> dims, MutableArrayRef<int64_t> blocks) {
      for (auto [dim, block] : llvm::zip_equal(dims, blocks))
        if (!ShapedType::isDynamic(whole[dim]))
          block = std::max<int64_t>(1, std::min(block, whole[dim]));
    };
    clamp(roles.row, blocking.query);
    clamp(roles.key, blocking.key);
    return blocking;
  }

  void runOnOperation() override {
    if (failed(tileForwards()) || failed(tileBackwards()))
      signalPassFailure();
  }

  LogicalResult tileForwards() {
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
      // A tensor dim of size 0 has no slice that verifies, and nothing to gain.
      SmallVector<int64_t> sizes = staticSizes(online);
      if (llvm::is_contained(sizes, 0)) {
        // Without keys or rows the fold is its initial state.
        if (llvm::any_of(inferRoles(online).setDims(),
                         [&](unsigned dim) { return sizes[dim] == 0; }))
          rewriter.replaceOp(online, online.getDpsInits());
        continue;
      }
      FailureOr<Blocking> blocking = blockingOf(online);
      if (failed(blocking) ||
          failed(tileAttention(rewriter, finish, online, *blocking)))
        return failure();
      ++numTiled;
    }
    return success();
  }

  LogicalResult tileBackwards() {
    SmallVector<AttentionBackwardOp> ops;
    getOperation()->walk([&](AttentionBackwardOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionBackwardOp op : ops) {
      // On memrefs, or with a tensor dim of size 0 (see above): left as it is.
      if (op->getNumResults() == 0 || llvm::is_contained(staticSizes(op), 0))
        continue;
      FailureOr<Blocking> blocking = blockingOf(op);
      if (failed(blocking) || failed(tileBackward(rewriter, op, *blocking)))
        return failure();
      ++numTiled;
    }
    return success();
  }
};
} // namespace
