//===- NearZero.cpp - functions that exist to be exact near zero ----------===//
//
// Upstream writes e^x - 1 and log(1 + x) out, as exactly that: of an x below
// half a unit in the last place of 1 nothing is left. libm's do not.
//
//===----------------------------------------------------------------------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNNEARZERO
#include "attn/Pipelines/Passes.h.inc"

namespace {
struct NearZero : impl::AttnNearZeroBase<NearZero> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<math::ExpM1Op, math::Log1pOp>(
        [&](Operation *op) {
          Type type = getElementTypeOrSelf(op->getResult(0));
          bool called =
              type.isF16() || type.isBF16() || type.isF32() || type.isF64();
          return !called;
        });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
} // namespace mlir::attn
