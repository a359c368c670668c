//===- InlineAllocaScopes.cpp - stack scopes as save and restore ----------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNINLINEALLOCASCOPES
#include "attn/Pipelines/Passes.h.inc"

namespace {
struct InlineAllocaScopes
    : impl::AttnInlineAllocaScopesBase<InlineAllocaScopes> {
  void runOnOperation() override {
    SmallVector<memref::AllocaScopeOp> scopes;
    getOperation()->walk(
        [&](memref::AllocaScopeOp op) { scopes.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (memref::AllocaScopeOp scope : scopes)
      inlineScope(rewriter, scope);
  }

  static bool allocatesOnStack(memref::AllocaScopeOp scope) {
    return scope->walk([](memref::AllocaOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  static void inlineScope(RewriterBase &rewriter, memref::AllocaScopeOp scope) {
    Location loc = scope.getLoc();
    Block &body = scope.getBodyRegion().front();
    rewriter.setInsertionPoint(scope);
    Value stack;
    if (allocatesOnStack(scope))
      stack = LLVM::StackSaveOp::create(
          rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()));
    auto terminator = cast<memref::AllocaScopeReturnOp>(body.getTerminator());
    SmallVector<Value> results(terminator.getResults());
    rewriter.eraseOp(terminator);
    rewriter.inlineBlockBefore(&body, scope);
    if (stack)
      LLVM::StackRestoreOp::create(rewriter, loc, stack);
    rewriter.replaceOp(scope, results);
  }
};
} // namespace
} // namespace mlir::attn
