//===- Passes.td - recognition of attention -----------------*- tablegen -*-===//
#ifndef ATTN_RECOGNIZE_PASSES_TD
#define ATTN_RECOGNIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttnRecognize : Pass<"attn-recognize"> {
  let summary = "Replace attention spelled out in linalg by attn.attention";
  let description = [{
    Looks at every sum of products fed by an exponential and decides by numbered
    obligations (docs/Recognition.md) whether it is an attention, whatever ops it
    is spelled with. Where all hold, the ops from Q K^T to the result become one
    `attn.attention`, and transposes, repeated heads and reshapes around it become
    indexing maps. Where one fails, nothing is changed, and a missed remark
    (category `attn-recognize`) names it.

    ```mlir
    %s = linalg.batch_matmul ins(%q, %kt) ...     // tensor<8x64x64xf32>
    %x = linalg.generic ins(%s) { mulf 0.125 }
    %p = linalg.softmax dimension(2) ins(%x)
    %o = linalg.batch_matmul ins(%p, %v)
    // becomes
    %o = attn.attention {scale = 0.125}
        maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
        ins(%q, %k, %v : ...) outs(%init : tensor<8x64x32xf32>)
    ```

    Numerics: scores are shifted by their running maximum; roundings narrower than
    the accumulate type may be dropped (the remark lists them; strict-rounding
    declines instead). Memory: no tensor of rows x keys is left.

    Forward and backward in one function become `attn.attention`, with its
    log-sum-exp, and `attn.attention_backward`, under obligations G1, G2, ...

    The pass reads linalg on tensors: calls are inlined and TOSA is lowered before
    it.
  }];
  let options = [
    Option<"mustFuse", "must-fuse", "bool", "false",
           "A candidate that is not fused is an error">,
    Option<"strictRounding", "strict-rounding", "bool", "false",
           "Decline where fusing would drop a rounding">];
  let statistics = [
    Statistic<"numFused", "num-fused", "Attentions recognised">,
    Statistic<"numMissed", "num-missed", "Candidates declined">];
  let dependentDialects = ["::mlir::attn::AttnDialect", "::mlir::scf::SCFDialect"];
}

#endif // ATTN_RECOGNIZE_PASSES_TD
