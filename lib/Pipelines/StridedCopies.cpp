//===- StridedCopies.cpp - copies of strided buffers become loops ---------===//
#include "attn/Pipelines/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSTRIDEDCOPIES
#include "attn/Pipelines/Passes.h.inc"

namespace {
/// Whether upstream lowers a copy of this buffer to memcpy.
bool isContiguous(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getLayout().isIdentity();
}

struct StridedCopies : impl::AttnStridedCopiesBase<StridedCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp op) {
      bool ranked = isa<MemRefType>(op.getSource().getType()) &&
                    isa<MemRefType>(op.getTarget().getType());
      if (ranked &&
          !(isContiguous(op.getSource()) && isContiguous(op.getTarget())))
        copies.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (memref::CopyOp op : copies) {
      rewriter.setInsertionPoint(op);
      linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                               op.getTarget());
      rewriter.eraseOp(op);
      ++numCopies;
    }
  }
};
} // namespace
} // namespace mlir::attn
