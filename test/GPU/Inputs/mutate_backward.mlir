// Rows and keys that fill no block, a mask that leaves whole, partial and hidden ones.
func.func @main(%q: tensor<2x70x32xf16>, %k: tensor<2x109x32xf16>, %v: tensor<2x109x32xf16>, %o: tensor<2x70x32xf16>, %lse: tensor<2x70xf32>, %do: tensor<2x70x32xf16>)
    -> (tensor<2x70x32xf16>, tensor<2x109x32xf16>, tensor<2x109x32xf16>) {
  %rows = tensor.empty() : tensor<2x70x32xf16>
  %keys = tensor.empty() : tensor<2x109x32xf16>
  %dq, %dk, %dv = attn.attention_backward {scale = 0.17, visible = [affine_set<(b, m, n)[B, M, N] : (m - n + 40 >= 0)>], empty_rows = zero}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
    ins(%q, %k, %v : tensor<2x70x32xf16>, tensor<2x109x32xf16>, tensor<2x109x32xf16>)
    forward(%o, %lse : tensor<2x70x32xf16>, tensor<2x70xf32>) grad(%do : tensor<2x70x32xf16>)
    outs(%rows, %keys, %keys : tensor<2x70x32xf16>, tensor<2x109x32xf16>, tensor<2x109x32xf16>)
  return %dq, %dk, %dv : tensor<2x70x32xf16>, tensor<2x109x32xf16>, tensor<2x109x32xf16>
}
