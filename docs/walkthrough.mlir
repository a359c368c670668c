#kv = affine_map<(h, g, n, d) -> (h, n, d)>
#id4 = affine_map<(h, g, n, d) -> (h, g, n, d)>
#id3 = affine_map<(h, m, n) -> (h, m, n)>

module attributes {attn.target = #attn.target<"avx512">} {
// Two key heads, each shared by two query heads; 64 queries and keys of depth 32.
func.func @main(%q: tensor<4x64x32xf32>, %k: tensor<2x64x32xf32>,
                %v: tensor<2x64x32xf32>) -> tensor<4x64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.1767767 : f32
  %minus_inf = arith.constant 0xFF800000 : f32

  // K and V repeated for the query heads.
  %e4 = tensor.empty() : tensor<2x2x64x32xf32>
  %k4 = linalg.generic {indexing_maps = [#kv, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<2x64x32xf32>) outs(%e4 : tensor<2x2x64x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x64x32xf32>
  %v4 = linalg.generic {indexing_maps = [#kv, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<2x64x32xf32>) outs(%e4 : tensor<2x2x64x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x64x32xf32>
  %kr = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<2x2x64x32xf32> into tensor<4x64x32xf32>
  %vr = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<2x2x64x32xf32> into tensor<4x64x32xf32>

  // S = Q K^T.
  %et = tensor.empty() : tensor<4x32x64xf32>
  %kt = linalg.transpose ins(%kr : tensor<4x64x32xf32>) outs(%et : tensor<4x32x64xf32>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<4x64x64xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x64x32xf32>, tensor<4x32x64xf32>)
      outs(%s0 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>

  // Scaled; keys after the query are hidden.
  %x = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x64x64xf32>) outs(%es : tensor<4x64x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %scaled = arith.mulf %in, %scale : f32
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %hidden = arith.cmpi sgt, %n, %m : index
    %masked = arith.select %hidden, %minus_inf, %scaled : f32
    linalg.yield %masked : f32
  } -> tensor<4x64x64xf32>

  // O = softmax(X) V.
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x64x64xf32>) outs(%es : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %eo = tensor.empty() : tensor<4x64x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %o = linalg.batch_matmul ins(%p, %vr : tensor<4x64x64xf32>, tensor<4x64x32xf32>)
      outs(%o0 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  return %o : tensor<4x64x32xf32>
}
}
