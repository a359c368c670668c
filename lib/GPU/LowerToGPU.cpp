//===- LowerToGPU.cpp - attn-lower-to-gpu ---------------------------------===//
#include "Backward.h"
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
      if (auto backward = dyn_cast<AttentionBackwardOp>(op)) {
        FailureOr<unsigned> kernels = lowerBackward(backward, *target);
        if (failed(kernels))
          return signalPassFailure();
        numKernels += *kernels;
        continue;
      }
      auto forward = dyn_cast<AttentionOp>(op);
      if (!forward) {
        op->emitOpError(
            "expected attn.attention or attn.attention_backward: the "
            "GPU lowering takes whole ones, before attn-to-online "
            "and attn-tile");
        return signalPassFailure();
      }
      if (failed(lowerForward(forward, *target)))
        return signalPassFailure();
      ++numKernels;
    }
  }
};
} // namespace
