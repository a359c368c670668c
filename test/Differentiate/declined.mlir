// RUN: not attn-run %s --grad 2>&1 | FileCheck %s

// What keeps an attention from being fused may be what has no derivative: both are
// said.
// CHECK: expected an op with a derivative between the arguments and the results, got 'math.tan'
// CHECK: note: {{.*}}an attention was not fused: O4: normalised: the product is divided by what is no sum
func.func @main(%q: tensor<8x4xf32>, %k: tensor<12x4xf32>, %v: tensor<12x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant dense<1.0e-6> : tensor<8xf32>
  %lo = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x12xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x12xf32>) -> tensor<8x12xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : tensor<8x4xf32>, tensor<12x4xf32>) outs(%mn0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %e = math.exp %s : tensor<8x12xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<8x12xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %le = arith.addf %l, %eps : tensor<8xf32>
  %lt = math.tan %le : tensor<8xf32>
  %lb = linalg.broadcast ins(%lt : tensor<8xf32>) outs(%mn : tensor<8x12xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<8x12xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x12xf32>, tensor<12x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
