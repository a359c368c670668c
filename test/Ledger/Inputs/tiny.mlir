func.func @main(%q: tensor<16x8xf32>, %k: tensor<16x8xf32>, %v: tensor<16x8xf32>)
    -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %r = attn.attention {scale = 0.5}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      outs(%e : tensor<16x8xf32>)
  return %r : tensor<16x8xf32>
}
