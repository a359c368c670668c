//===- LowerToVector.cpp - attn-lower-to-vector ---------------------------===//
#include "Backward.h"
#include "attn/CPU/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNLOWERTOVECTOR
#include "attn/CPU/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// The outermost op before which K and V of the key block hold what `op` reads.
static Operation *hoistPoint(OnlineBackwardOp op) {
  Operation *key = hoistPoint(op, op.getKey());
  Operation *value = hoistPoint(op, op.getValue());
  return key->isAncestor(value) ? value : key;
}

namespace {
struct LowerToVectorPass
    : mlir::attn::impl::AttnLowerToVectorBase<LowerToVectorPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, AttentionBackwardOp, OnlineAttentionOp,
              OnlineBackwardOp, MergeOp, FinishOp>(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    FailureOr<CPUTarget> target = CPUTarget::get(getOperation());
    if (failed(target))
      return signalPassFailure();
    Lowering lowering(getOperation(), *target);
    // While the loops around the ops hold nothing else that writes memory.
    for (Operation *op : ops)
      if (auto online = dyn_cast<OnlineAttentionOp>(op))
        lowering.queryPoint[op] = hoistPoint(op, online.getQuery());
      else if (auto backward = dyn_cast<OnlineBackwardOp>(op))
        lowering.keyPoint[op] = hoistPoint(backward);
    for (Operation *op : ops) {
      LogicalResult lowered =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case(
                  [&](OnlineAttentionOp o) { return lowerOnline(o, lowering); })
              .Case([&](OnlineBackwardOp o) {
                return lowerBackward(o, lowering);
              })
              .Case([&](MergeOp o) { return lowerMerge(o, lowering); })
              .Case([&](FinishOp o) { return lowerFinish(o, lowering); })
              .Default([](Operation *o) {
                return o->emitOpError("expected the steps of an attention: run "
                                      "attn-to-online and attn-tile before "
                                      "bufferization");
              });
      if (failed(lowered))
        return signalPassFailure();
      ++numLowered;
    }
  }
};
} // namespace
