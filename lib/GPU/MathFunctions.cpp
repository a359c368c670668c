//===- MathFunctions.cpp - math ops of score regions ----------------------===//
//
// Libdevice is on few machines, so nothing is left to it: exponentials and
// logarithms are the hardware's (2 ulp in base 2; a logarithm near 0 to 2^-22
// of 1), other functions upstream's polynomials, and what LLVM has instructions
// for goes there.
//
//===----------------------------------------------------------------------===//
#include "Distribute.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
/// y = after * f(before * x), f an instruction.
template <typename OpTy> struct HardwareFunction : OpRewritePattern<OpTy> {
  HardwareFunction(MLIRContext *context, StringRef intrinsic, double before,
                   double after)
      : OpRewritePattern<OpTy>(context, /*benefit=*/10), intrinsic(intrinsic),
        before(before), after(after) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    Location loc = op.getLoc();
    auto times = [&](Value x, double factor) -> Value {
      if (factor == 1)
        return x;
      Value f = arith::ConstantOp::create(
          rewriter, loc, rewriter.getF32FloatAttr(float(factor)));
      return arith::MulFOp::create(rewriter, loc, x, f);
    };
    Value y =
        LLVM::CallIntrinsicOp::create(
            rewriter, loc, op.getType(), rewriter.getStringAttr(intrinsic),
            ValueRange{times(op.getOperand(), before)})
            .getResult(0);
    rewriter.replaceOp(op, times(y, after));
    return success();
  }
  StringRef intrinsic;
  double before, after;
};

/// copysign by its bits.
struct CopySign : OpRewritePattern<math::CopySignOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CopySignOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type)
      return failure();
    Location loc = op.getLoc();
    unsigned width = type.getWidth();
    Type bits = rewriter.getIntegerType(width);
    auto masked = [&](Value x, const APInt &mask) -> Value {
      Value m = arith::ConstantOp::create(rewriter, loc,
                                          IntegerAttr::get(bits, mask));
      Value b = arith::BitcastOp::create(rewriter, loc, bits, x);
      return arith::AndIOp::create(rewriter, loc, b, m);
    };
    Value magnitude = masked(op.getLhs(), APInt::getSignedMaxValue(width));
    Value sign = masked(op.getRhs(), APInt::getSignMask(width));
    Value both = arith::OrIOp::create(rewriter, loc, magnitude, sign);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, both);
    return success();
  }
};
} // namespace

LogicalResult attn_gpu::expandMathFunctions(Operation *root) {
  using namespace llvm::numbers;
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  constexpr StringLiteral ex2 = "llvm.nvvm.ex2.approx.ftz.f";
  constexpr StringLiteral lg2 = "llvm.nvvm.lg2.approx.ftz.f";
  patterns.add<HardwareFunction<math::ExpOp>>(context, ex2, log2e, 1.0);
  patterns.add<HardwareFunction<math::Exp2Op>>(context, ex2, 1.0, 1.0);
  patterns.add<HardwareFunction<math::LogOp>>(context, lg2, 1.0, ln2);
  patterns.add<HardwareFunction<math::Log2Op>>(context, lg2, 1.0, 1.0);
  patterns.add<HardwareFunction<math::Log10Op>>(context, lg2, 1.0, ln2 / ln10);
  patterns.add<CopySign>(context);
  // convert-gpu-to-nvvm would call libdevice for these.
  patterns.add<HardwareFunction<math::AbsFOp>>(context, "llvm.fabs.f32", 1, 1);
  patterns.add<HardwareFunction<math::SqrtOp>>(context, "llvm.sqrt.f32", 1, 1);
  patterns.add<HardwareFunction<math::FloorOp>>(context, "llvm.floor.f32", 1,
                                                1);
  patterns.add<HardwareFunction<math::CeilOp>>(context, "llvm.ceil.f32", 1, 1);
  patterns.add<HardwareFunction<math::TruncOp>>(context, "llvm.trunc.f32", 1,
                                                1);
  patterns.add<HardwareFunction<math::RoundOp>>(context, "llvm.round.f32", 1,
                                                1);
  patterns.add<HardwareFunction<math::RoundEvenOp>>(context,
                                                    "llvm.roundeven.f32", 1, 1);
  populateMathPolynomialApproximationPatterns(
      patterns, [](StringRef name) { return true; });
  math::populateExpansionPatterns(patterns, {"sinh", "cosh", "tan", "asinh",
                                             "acosh", "atanh", "powf", "fpowi",
                                             "rsqrt", "clampf"});
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  WalkResult walked = root->walk([](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isa<math::FmaOp, math::AbsIOp>(op))
      return WalkResult::advance();
    op->emitOpError("expected a function that GPU kernels have code for on ")
        << op->getResult(0).getType();
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}
