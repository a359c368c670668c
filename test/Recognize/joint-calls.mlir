// RUN: attn-opt %s --pass-pipeline='builtin.module(inline,symbol-dce,attn-recognize)' | FileCheck %s --check-prefix=JOINT
// RUN: attn-run %s --check | FileCheck %s --check-prefix=VALUES

// VALUES: attention {{.*}} backward
// VALUES: agrees

// The forward in one function, the backward in another, the probabilities
// between them, and a part of each in a third that both call: after inlining
// they are one joint graph.

// JOINT-LABEL: func.func @main(
// JOINT-NOT:   8x8xf32
// JOINT:       attn.attention {scale = 5.000000e-01}
// JOINT-NOT:   8x8xf32
// JOINT:       attn.attention_backward
// JOINT-NOT:   8x8xf32
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func private @product(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
func.func private @combine(%p: tensor<8x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
func.func private @forward(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>) {
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = func.call @product(%q, %k) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = func.call @combine(%p, %v) : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %p : tensor<8x4xf32>, tensor<8x8xf32>
}
func.func private @backward(%p: tensor<8x8xf32>, %q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %do: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %mn = tensor.empty() : tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %dp = func.call @product(%do, %v) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = func.call @combine(%ds, %k) : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %back = linalg.transpose ins(%ds : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) permutation = [1, 0]
  %dk = func.call @combine(%back, %q) : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk : tensor<8x4xf32>, tensor<8x4xf32>
}
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %do: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %o, %p = func.call @forward(%q, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>)
  %dq, %dk = func.call @backward(%p, %q, %k, %v, %do) : (tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  return %o, %dq, %dk : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
