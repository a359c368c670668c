// A projection, slices, a rotation, an attention with a bias of the key under a soft cap, and a gate.
func.func @main(%x: tensor<2x8x6xf64>, %w: tensor<6x12xf64>, %k: tensor<8x3xf64>, %v: tensor<8x5xf64>, %bias: tensor<8xf64>, %n: tensor<4xi64>) -> tensor<2x8x5xf64> {
  %c = arith.constant dense<0.5> : tensor<2x8x3xf64>
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<2x8x12xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<2x8x12xf64>) -> tensor<2x8x12xf64>
  %p = linalg.generic {indexing_maps = [affine_map<(b,m,c,k)->(b,m,k)>, affine_map<(b,m,c,k)->(k,c)>, affine_map<(b,m,c,k)->(b,m,c)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%x, %w : tensor<2x8x6xf64>, tensor<6x12xf64>) outs(%f : tensor<2x8x12xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %m = arith.mulf %a, %b : f64
    %s = arith.addf %o, %m : f64
    linalg.yield %s : f64
  } -> tensor<2x8x12xf64>
  %q = tensor.extract_slice %p[0, 0, 3] [2, 8, 3] [1, 1, 1] : tensor<2x8x12xf64> to tensor<2x8x3xf64>
  %q2 = arith.mulf %q, %c : tensor<2x8x3xf64>
  %q3 = math.sin %q2 : tensor<2x8x3xf64>
  %oe = tensor.empty() : tensor<2x8x5xf64>
  %o = attn.attention {scale = 0.7, visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>]}
     maps = [(b, m, n, k, d) -> (b, m, k), -> (n, k), -> (n, d), -> (n), -> (b, m, d)]
     ins(%q3, %k, %v : tensor<2x8x3xf64>, tensor<8x3xf64>, tensor<8x5xf64>) extras(%bias : tensor<8xf64>) outs(%oe : tensor<2x8x5xf64>)
     score (%s: f64, %b: f64) {
       %y = arith.addf %s, %b : f64
       %t = math.tanh %y : f64
       attn.yield %t : f64
     }
  %r = tensor.extract_slice %p[0, 0, 0] [2, 8, 5] [1, 1, 1] : tensor<2x8x12xf64> to tensor<2x8x5xf64>
  %y = arith.mulf %o, %r : tensor<2x8x5xf64>
  return %y : tensor<2x8x5xf64>
}
