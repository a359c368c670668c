//===- ToOnline.cpp - attn-to-online --------------------------------------===//
#include "attn/IR/Transforms.h"
#include "attn/Tile/CostQuery.h"
#include "attn/Tile/Passes.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTOONLINE
#include "attn/Tile/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct ToOnlinePass : mlir::attn::impl::AttnToOnlineBase<ToOnlinePass> {
  void runOnOperation() override {
    SmallVector<AttentionOp> attentions;
    getOperation()->walk([&](AttentionOp op) { attentions.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : attentions) {
      if (op->getNumResults() == 0) {
        op.emitOpError("expected tensors, got memrefs: run attn-to-online "
                       "before bufferization");
        return signalPassFailure();
      }
      FailureOr<::attn::Target> target = getTarget(op);
      if (failed(target))
        return signalPassFailure();
      bool rowsLast = usesMatrixTiles(op, *target);
      if (failed(rewriteAsOnline(rewriter, op, rowsLast)))
        return signalPassFailure();
      ++numRewritten;
    }
  }
};
} // namespace
