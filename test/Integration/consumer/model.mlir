func.func @main(%q: tensor<2x16x8xf32>, %k: tensor<2x24x8xf32>, %v: tensor<2x24x4xf32>) -> tensor<2x16x4xf32> {
  %e = tensor.empty() : tensor<2x16x4xf32>
  %0 = attn.attention {scale = 0.5} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
    ins(%q, %k, %v : tensor<2x16x8xf32>, tensor<2x24x8xf32>, tensor<2x24x4xf32>) outs(%e : tensor<2x16x4xf32>)
  return %0 : tensor<2x16x4xf32>
}
