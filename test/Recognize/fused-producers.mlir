// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// The bias of Q and a factor per key of V, fused into the contractions: Q and V
// are computed over their own loops, nothing over rows and keys.

// CHECK-LABEL: func @bias_and_weights
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<8x4xf32>, %[[B:[^:]+]]: tensor<4xf32>, %[[K:[^:]+]]: tensor<16x4xf32>, %[[V:[^:]+]]: tensor<16x6xf32>, %[[W:[^:]+]]: tensor<16xf32>
// CHECK-NOT:     8x16xf32
// CHECK:         %[[QB:.+]] = linalg.generic {{.*}} ins(%[[Q]], %[[B]] :
// CHECK:           arith.addf
// CHECK:         %[[VW:.+]] = linalg.generic {{.*}} ins(%[[V]], %[[W]] :
// CHECK:           arith.mulf
// CHECK:         attn.attention {{.*}} ins(%[[QB]], %[[K]], %[[VW]] :
// CHECK-NOT:     8x16xf32
#mk = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(m, d, n) -> (n)>
#nd = affine_map<(m, d, n) -> (n, d)>
#p = affine_map<(m, d, n) -> (m, n)>
#md = affine_map<(m, d, n) -> (m, d)>
func.func @bias_and_weights(%q: tensor<8x4xf32>, %b: tensor<4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %w: tensor<16xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#mk, #k, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %b, %k : tensor<8x4xf32>, tensor<4xf32>, tensor<16x4xf32>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %a = arith.addf %x, %y : f32
    %m = arith.mulf %a, %z : f32
    %r = arith.addf %out, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %pr = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#p, #nd, #n, #md], iterator_types = ["parallel", "parallel", "reduction"]} ins(%pr, %v, %w : tensor<8x16xf32>, tensor<16x6xf32>, tensor<16xf32>) outs(%of : tensor<8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %a = arith.mulf %y, %z : f32
    %m = arith.mulf %x, %a : f32
    %r = arith.addf %out, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
