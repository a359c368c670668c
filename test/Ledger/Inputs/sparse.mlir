// Two block-sparse attentions: of a pattern that is known, and of one that is not.
func.func @main(%q: tensor<32x8xf32>, %s: tensor<4x4xi1>) -> (tensor<32x8xf32>, tensor<32x8xf32>) {
  %p = arith.constant dense<[[true, false, false, false], [true, true, false, false],
                             [false, true, true, false], [false, false, true, true]]> : tensor<4x4xi1>
  %e = tensor.empty() : tensor<32x8xf32>
  %known = attn.attention {tiling = #attn.tiling<query_block = 8, key_block = 8>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m floordiv 8, n floordiv 8), -> (m, d)]
      ins(%q, %q, %q : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) blocks(%p : tensor<4x4xi1>) outs(%e : tensor<32x8xf32>)
  %unknown = attn.attention {tiling = #attn.tiling<query_block = 8, key_block = 8>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m floordiv 8, n floordiv 8), -> (m, d)]
      ins(%q, %q, %q : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) blocks(%s : tensor<4x4xi1>) outs(%e : tensor<32x8xf32>)
  return %known, %unknown : tensor<32x8xf32>, tensor<32x8xf32>
}
