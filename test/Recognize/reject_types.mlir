// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// O10: scores kept in a wider type than the attention would keep them in.

// CHECK-LABEL: func @scores_in_f64
// CHECK-NOT:     attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @scores_in_f64(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<8x8xf64>
  %f = linalg.fill ins(%zero64 : f64) outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
  %s = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf64>) {
  ^bb0(%a: f32, %b: f32, %out: f64):
    %aw = arith.extf %a : f32 to f64
    %bw = arith.extf %b : f32 to f64
    %m = arith.mulf %aw, %bw : f64
    %r = arith.addf %out, %m : f64
    linalg.yield %r : f64
  } -> tensor<8x8xf64>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf64>) outs(%e : tensor<8x8xf64>) -> tensor<8x8xf64>
  %pe = tensor.empty() : tensor<8x8xf32>
  %pt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x8xf64>) outs(%pe : tensor<8x8xf32>) {
  ^bb0(%a: f64, %out: f32):
    %t = arith.truncf %a : f64 to f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{O10 types: sums are accumulated in a wider type}}
  %o = linalg.matmul ins(%pt, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
