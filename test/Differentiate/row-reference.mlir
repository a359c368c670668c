// RUN: attn-opt %s --attn-differentiate='functions=causal,rows,lengths,data,plain arguments=0' -split-input-file | FileCheck %s

// Rows whose scores are all one large number are measured from a reference.

// Each row has a key, whatever the sizes: the fill is no row's log-sum-exp.
// CHECK-LABEL: func @causal_vjp
// CHECK-NOT:   scf.if
// CHECK:       attn.attention_backward {hidden = replace(-1.000000e+09)
func.func @causal(%q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x6xf32>, %o: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %y = attn.attention {hidden = replace(-1.0e9), visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
    ins(%q, %k, %v : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x6xf32>) outs(%o : tensor<?x6xf32>)
  return %y : tensor<?x6xf32>
}

// The first row has none: the mask moves into the score function.
// CHECK-LABEL: func @rows_vjp
// CHECK:       %[[LSE:.*]] = scf.if
// CHECK:       attn.attention_backward maps
// CHECK-SAME:  forward(%{{.*}}, %[[LSE]]
// CHECK:         attn.index 1
// CHECK:         arith.select
// CHECK:         arith.subf
func.func @rows(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %o: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %y = attn.attention {hidden = replace(-1.0e9), visible = [affine_set<(m, n)[M, N] : (m - n - 1 >= 0)>]}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
    ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) outs(%o : tensor<8x6xf32>)
  return %y : tensor<8x6xf32>
}

// Lengths of data and sizes that are not known become extras with it.
// CHECK-LABEL: func @lengths_vjp
// CHECK:       %[[LSE:.*]] = scf.if
// CHECK:       attn.attention_backward maps
// CHECK-SAME:  extras(%arg4, %{{.*}}, %{{.*}}, %{{.*}} : tensor<3xi32>, i64, i64, tensor<3x?xf32>) forward(%{{.*}}, %[[LSE]]
func.func @lengths(%q: tensor<3x?x4xf32>, %k: tensor<3x?x4xf32>, %v: tensor<3x?x6xf32>, %o: tensor<3x?x6xf32>, %l: tensor<3xi32>) -> tensor<3x?x6xf32> {
  %y = attn.attention {hidden = replace(-1.0e9), visible = [affine_set<(b, m, n)[B, M, N, length] : (length - n - 1 >= 0)>]}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b), -> (b, m, d)]
    ins(%q, %k, %v : tensor<3x?x4xf32>, tensor<3x?x4xf32>, tensor<3x?x6xf32>) symbols(%l : tensor<3xi32>) outs(%o : tensor<3x?x6xf32>)
  return %y : tensor<3x?x6xf32>
}

// Data may hide a row.
// CHECK-LABEL: func @data_vjp
// CHECK:       scf.if
// CHECK:       attn.attention_backward
func.func @data(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %o: tensor<8x6xf32>, %b: tensor<8xf32>) -> tensor<8x6xf32> {
  %y = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d)]
    ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) extras(%b : tensor<8xf32>) outs(%o : tensor<8x6xf32>)
    score (%s: f32, %e: f32) {
      %x = arith.addf %s, %e : f32
      attn.yield %x : f32
    }
  return %y : tensor<8x6xf32>
}

// Scores that are large themselves are as inexact as their log-sum-exp.
// CHECK-LABEL: func @plain_vjp
// CHECK-NOT:   scf.if
// CHECK:       attn.attention_backward
func.func @plain(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %o: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %y = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
    ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) outs(%o : tensor<8x6xf32>)
  return %y : tensor<8x6xf32>
}
