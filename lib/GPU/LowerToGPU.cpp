//===- LowerToGPU.cpp - attn-lower-to-gpu ---------------------------------===//
#include "Forward.h"
#include "attn/Tile/CostQuery.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNLOWERTOGPU
#include "attn/GPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct LowerToGPUPass : mlir::attn::impl::AttnLowerToGPUBase<LowerToGPUPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, AttentionBackwardOp, OnlineAttentionOp, MergeOp,
              FinishOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      FailureOr<::attn::Target> target = getTarget(op);
      if (failed(target))
        return signalPassFailure();
      auto forward = dyn_cast<AttentionOp>(op);
      if (!forward) {
        op->emitOpError("expected attn.attention: the GPU lowering takes whole "
                        "attentions, before attn-to-online and attn-tile");
        return signalPassFailure();
      }
      if (failed(lowerForward(forward, *target)))
        return signalPassFailure();
      ++numKernels;
    }
  }
};
} // namespace
