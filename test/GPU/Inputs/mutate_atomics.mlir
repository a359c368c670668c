// Sums of dQ that fill no thread array of the kernels that clear and scale them.
func.func @main(%q: tensor<70x16xf16>, %k: tensor<109x16xf16>, %v: tensor<109x16xf16>, %o: tensor<70x16xf16>, %lse: tensor<70xf32>, %do: tensor<70x16xf16>)
    -> (tensor<70x16xf16>, tensor<109x16xf16>, tensor<109x16xf16>) {
  %rows = tensor.empty() : tensor<70x16xf16>
  %keys = tensor.empty() : tensor<109x16xf16>
  %dq, %dk, %dv = attn.attention_backward {scale = 0.17, visible = [affine_set<(m, n)[M, N] : (m - n + 30 >= 0)>], empty_rows = zero}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%q, %k, %v : tensor<70x16xf16>, tensor<109x16xf16>, tensor<109x16xf16>)
    forward(%o, %lse : tensor<70x16xf16>, tensor<70xf32>) grad(%do : tensor<70x16xf16>)
    outs(%rows, %keys, %keys : tensor<70x16xf16>, tensor<109x16xf16>, tensor<109x16xf16>)
  return %dq, %dk, %dv : tensor<70x16xf16>, tensor<109x16xf16>, tensor<109x16xf16>
}
