// Rows and keys that fill no block, a mask that leaves whole, partial and hidden ones.
func.func @main(%q: tensor<2x70x32xf16>, %k: tensor<2x109x32xf16>, %v: tensor<2x109x32xf16>) -> tensor<2x70x32xf16> {
  %init = tensor.empty() : tensor<2x70x32xf16>
  %o = attn.attention {scale = 0.17, visible = [affine_set<(b, m, n)[B, M, N] : (m - n + 40 >= 0)>]}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
    ins(%q, %k, %v : tensor<2x70x32xf16>, tensor<2x109x32xf16>, tensor<2x109x32xf16>) outs(%init : tensor<2x70x32xf16>)
  return %o : tensor<2x70x32xf16>
}
