//===- Passes.td - gradients of functions with attention ----*- tablegen -*-===//
#ifndef ATTN_DIFFERENTIATE_PASSES_TD
#define ATTN_DIFFERENTIATE_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnDifferentiate : Pass<"attn-differentiate", "::mlir::ModuleOp"> {
  let summary = "Write a function's forward for training and its vector-Jacobian product";
  let description = [{
    For each chosen function F two functions are added:

    - `F_forward`: F's results, then O and the log-sum-exp of each attention in
      it, the residuals;
    - `F_vjp`: from F's arguments, the residuals and a gradient for each of F's
      results, the gradients of the chosen arguments.

    ```mlir
    func.func @f(%q, %k, %v) -> tensor<64x32xf32> { ... attn.attention ... }
    // adds
    func.func @f_forward(%q, %k, %v) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64xf32>)
    func.func @f_vjp(%q, %k, %v, %o, %lse, %do) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
      ... %dq, %dk, %dv = attn.attention_backward ... forward(%o, %lse) grad(%do)
    ```

    What F calls is a part of it: both functions hold it inline, whether it is
    private or not and called once or more often, and its attentions are among the
    residuals. A call of a function that has no body, calls itself or has several
    blocks is an op without a derivative.

    What else the backward needs is computed again from the arguments. Around the
    attentions there may be structured ops that are elementwise or keep a sum, a
    maximum or a minimum (matmuls, contractions, elementwise generics, broadcasts,
    transposes, poolings of whole dims) over projected permutations, softmaxes, and
    tensor's reshapes, slices, insertions, concatenations and
    casts. A gradient is summed over what its operand was broadcast along; that of an
    extremum is shared by the elements that are equal to it. An op
    without a derivative on the way is an error that names it; so is a chosen
    argument that is no array of floats.

    Numerics: gradients have the types of what they are gradients of; sums of
    types below 32 bits are kept in f32 and rounded once. Memory: nothing of rows
    x keys is a residual or is written here, but for a softmax that was not fused.
  }];
  let options = [
    ListOption<"functions", "functions", "std::string",
               "Functions to differentiate (default: main, else the only public one)">,
    ListOption<"arguments", "arguments", "int64_t",
               "Numbers of the arguments whose gradients are asked for (default: all arrays of floats)">,
    Option<"lseGradients", "lse-gradients", "bool", "false",
           "Let F_vjp take a gradient of each attention's log-sum-exp, after those of the results">];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Functions differentiated">,
    Statistic<"numAttentions", "num-attentions", "Attentions differentiated">];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // ATTN_DIFFERENTIATE_PASSES_TD
