// f16 operands whose products are summed in f32 and returned in f32; an f64
// result of them.
func.func @main(%q: tensor<5x8xf16>, %k: tensor<7x8xf16>, %v: tensor<7x4xf16>) -> (tensor<5x4xf32>, tensor<5x4xf64>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<5x7xf32>
  %md = tensor.empty() : tensor<5x4xf32>
  %half = tensor.empty() : tensor<5x7xf16>
  %wide = tensor.empty() : tensor<5x4xf64>
  %s0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<5x7xf32>) -> tensor<5x7xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%md : tensor<5x4xf32>) -> tensor<5x4xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%q, %k : tensor<5x8xf16>, tensor<7x8xf16>) outs(%s0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<5x7xf32>) outs(%mn : tensor<5x7xf32>) -> tensor<5x7xf32>
  %h = arith.truncf %p : tensor<5x7xf32> to tensor<5x7xf16>
  %o = linalg.matmul ins(%h, %v : tensor<5x7xf16>, tensor<7x4xf16>) outs(%o0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %w = arith.extf %o : tensor<5x4xf32> to tensor<5x4xf64>
  return %o, %w : tensor<5x4xf32>, tensor<5x4xf64>
}
