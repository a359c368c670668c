//===- AttnDialect.td - the attn dialect --------------------*- tablegen -*-===//
#ifndef ATTN_IR_ATTNDIALECT_TD
#define ATTN_IR_ATTNDIALECT_TD

include "mlir/IR/OpBase.td"

def Attn_Dialect : Dialect {
  let name = "attn";
  let cppNamespace = "::mlir::attn";
  let summary = "Attention as one operation, and the algebra it is tiled by";
  let description = [{
    `attn.attention` says *what* is computed: tensors, their layouts as indexing
    maps, a score function as a region, a mask as affine sets. The other ops
    carry the online-softmax algebra into which it is taken apart:
    `attn.online_attention` folds keys into a running state, `attn.merge` joins
    two states, `attn.finish` turns a state into the output and the log-sum-exp.
    The mathematics is told once, in `attn/Support/Algebra.h`.

    Every op is in destination style, works on tensors and, after
    bufferization, on memrefs, and has its executable meaning in
    `attn-decompose`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

#endif // ATTN_IR_ATTNDIALECT_TD
