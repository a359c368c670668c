// RUN: attn-opt %s -attn-recognize --remarks-filter=attn-recognize -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=Missed

// Two layers with a gate, x sigmoid(x): exponentials in their products, and products
// of them further up, but no softmax. They are no candidates, so that must-fuse has
// nothing against them.

// CHECK: [Analysis] attention-backward {{.*}}G1 joint-probabilities
// CHECK: [Analysis] attention {{.*}}O2 exponential
// CHECK: [Analysis] attention {{.*}}O2 exponential

#mn = affine_map<(m, n) -> (m, n)>
func.func @gated(%x: tensor<8x4xf32>, %wg: tensor<4x16xf32>, %wu: tensor<4x16xf32>, %wd: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e16 = tensor.empty() : tensor<8x16xf32>
  %e4 = tensor.empty() : tensor<8x4xf32>
  %f16 = linalg.fill ins(%zero : f32) outs(%e16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %g1 = linalg.matmul ins(%x, %wg : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %u1 = linalg.matmul ins(%x, %wu : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %h1 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%g1, %u1 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e16 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %minus = arith.negf %a : f32
    %xp = math.exp %minus : f32
    %d = arith.addf %xp, %one : f32
    %s = arith.divf %a, %d : f32
    %y = arith.mulf %s, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x16xf32>
  %d1 = linalg.matmul ins(%h1, %wd : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f4 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r1 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%x, %d1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e4 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.addf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x4xf32>
  %g2 = linalg.matmul ins(%r1, %wg : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %u2 = linalg.matmul ins(%r1, %wu : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %h2 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%g2, %u2 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e16 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %minus = arith.negf %a : f32
    %xp = math.exp %minus : f32
    %d = arith.addf %xp, %one : f32
    %s = arith.divf %a, %d : f32
    %y = arith.mulf %s, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x16xf32>
  %d2 = linalg.matmul ins(%h2, %wd : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f4 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r2 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%r1, %d2 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e4 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.addf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x4xf32>
  return %r2 : tensor<8x4xf32>
}
