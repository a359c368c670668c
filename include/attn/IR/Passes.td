//===- Passes.td - passes on the attn dialect alone ---------*- tablegen -*-===//
#ifndef ATTN_IR_PASSES_TD
#define ATTN_IR_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnDecompose : Pass<"attn-decompose"> {
  let summary = "Lower attn ops on tensors to plain linalg, their executable meaning";
  let description = [{
    Each op becomes the linalg ops that its page defines it by: the scores and
    probabilities of an attention are materialised. It is the reference that every
    other lowering answers to, not a fast path.

    ```mlir
    %o = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)]
        ins(%acc, %max, %sum : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
        outs(%init : tensor<4x8xf32>)
    // becomes
    %o = linalg.generic ... ins(%acc, %sum) outs(%init) { arith.divf ... }
    ```

    Numerics: exactly the op's definition, rounded in the accumulate type. Memory:
    a tensor of rows x keys per attention.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"backwardOnly", "backward-only", "bool", /*default=*/"false",
           "Lower attn.attention_backward and nothing else">];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "Number of attn ops decomposed">];
}

#endif // ATTN_IR_PASSES_TD
