// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// O9: the summand of the contraction holds a third tensor, of rows and keys.

// CHECK-LABEL: func @three_tensors
// CHECK-NOT:     attn.attention
#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#w = affine_map<(m, n, k) -> (m, n)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @three_tensors(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %w: tensor<8x8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #w, #s], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k, %w : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.mulf %m, %c : f32
    %r = arith.addf %out, %n : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{O9 plain-contraction: the contraction's summand has a factor of more loops than Q or K has}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// The near miss: a constant factor is part of the scale.

// CHECK-LABEL: func @constant_factor
// CHECK:         attn.attention {scale = 2.500000e-01}
#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @constant_factor(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.mulf %m, %quarter : f32
    %r = arith.addf %out, %n : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
