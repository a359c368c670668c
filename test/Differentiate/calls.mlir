// RUN: split-file %s %t
// RUN: attn-opt %t/twice.mlir --attn-differentiate | FileCheck %s
// RUN: attn-run %t/twice.mlir --grad --check | FileCheck %s --check-prefix=VALUES

// What a function calls is a part of it: the forward returns O and the log-sum-exp
// of each attention that it reaches, here one that is called twice, once through
// another function, once although it asks not to be inlined.

// VALUES-COUNT-2: backward
// VALUES-NOT:     attention
// VALUES:         agrees

// CHECK-LABEL: func.func private @attend
// CHECK-LABEL: func.func @main(
// CHECK:         call @twice
// CHECK-LABEL: func.func @main_forward(
// CHECK-SAME:    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8xf32>)
// CHECK-NOT:     call
// CHECK:         %[[F:.*]]:2 = attn.attention
// CHECK:         attn.attention {{.*}} ins(%[[F]]#0,
// CHECK-LABEL: func.func @main_vjp(
// CHECK-NOT:     call
// CHECK:         attn.attention_backward
// CHECK:         attn.attention_backward
// CHECK-NOT:     call
// CHECK:         return

// An attention that a call parts, and what is differentiated is not: both are told.
// RUN: attn-run %t/parted.mlir --check | FileCheck %s --check-prefix=PARTED
// RUN: not attn-run %t/library.mlir --grad 2>&1 | FileCheck %s --check-prefix=BODY
// PARTED: declined {{.*}}parted.mlir:[[#]]:[[#]]  a call is not read, which is not to be inlined
// PARTED: agrees
// BODY: error: attn-differentiate: expected an op with a derivative {{.*}}: @library has no body
// BODY: note: {{.*}}library.mlir:[[#]]:[[#]]: an attention was not fused: a call is not read, which cannot be inlined: @library has no body

//--- parted.mlir
func.func private @softmax(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @main(%s: tensor<8x8xf32>, %v: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = func.call @softmax(%s) {no_inline} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}
//--- library.mlir
func.func private @library(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @main(%s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %p = func.call @library(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}

//--- twice.mlir
func.func private @attend(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {no_inline} {
  %e = tensor.empty() : tensor<8x4xf32>
  %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
  return %o : tensor<8x4xf32>
}
func.func private @twice(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = func.call @attend(%q, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %z = func.call @attend(%y, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %z : tensor<8x4xf32>
}
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %y = func.call @twice(%q, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
