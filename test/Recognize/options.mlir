// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s --check-prefix=DEFAULT
// RUN: attn-opt %s -attn-recognize=strict-rounding --remarks-filter=attn-recognize 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not attn-opt %s "-attn-recognize=strict-rounding must-fuse" 2>&1 | FileCheck %s --check-prefix=MUST

// The sum of Q K in f16: fusing keeps it in f32. strict-rounding declines (O15),
// and leaves the text as it was; must-fuse turns that into an error.

// DEFAULT-LABEL: func @half_scores
// DEFAULT:         attn.attention
// STRICT: remark: [Missed] attention {{.*}}O15 roundings: fusing would drop a rounding (exponentials to f16, sum of Q K to f16, sum of P V to f16)
// STRICT-LABEL: func @half_scores
// STRICT-NOT:     attn.attention
// MUST: error: must-fuse: this product of a softmax is not fused: O15 roundings
func.func @half_scores(%q: tensor<8x4xf16>, %k: tensor<8x4xf16>, %v: tensor<8x6xf16>) -> tensor<8x6xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<8x8xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf16>, tensor<8x4xf16>) outs(%f : tensor<8x8xf16>) -> tensor<8x8xf16>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) -> tensor<8x8xf16>
  %oe = tensor.empty() : tensor<8x6xf16>
  %of = linalg.fill ins(%zero : f16) outs(%oe : tensor<8x6xf16>) -> tensor<8x6xf16>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf16>, tensor<8x6xf16>) outs(%of : tensor<8x6xf16>) -> tensor<8x6xf16>
  return %o : tensor<8x6xf16>
}
