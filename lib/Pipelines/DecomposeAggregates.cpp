//===- DecomposeAggregates.cpp - linalg.softmax into plain linalg ---------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDECOMPOSEAGGREGATES
#include "attn/Pipelines/Passes.h.inc"

namespace {
struct DecomposeAggregates
    : impl::AttnDecomposeAggregatesBase<DecomposeAggregates> {
  void runOnOperation() override {
    SmallVector<linalg::AggregatedOpInterface> aggregates;
    getOperation()->walk(
        [&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::AggregatedOpInterface op : aggregates) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
      if (failed(results)) {
        op.emitError("expected an op that upstream can decompose into linalg; "
                     "rewrite it as linalg.generic ops");
        return signalPassFailure();
      }
      rewriter.replaceOp(op, *results);
      ++numDecomposed;
    }
  }
};
} // namespace
} // namespace mlir::attn
