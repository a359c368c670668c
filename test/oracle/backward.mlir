// The gradients of an attention with most of its options, against the oracle.
// REQUIRES: numpy
// RUN: mkdir -p %t && attn-opt %s -attn-decompose -canonicalize -o %t/decomposed.mlir
// RUN: %python %S/backward.py attn-run %t/decomposed.mlir %t | FileCheck %s
// CHECK-NOT: WRONG
// CHECK: o {{.*}} ok
// CHECK: lse {{.*}} ok
// CHECK: q {{.*}} ok
// CHECK: k {{.*}} ok
// CHECK: v {{.*}} ok
// CHECK: sink {{.*}} ok
// CHECK: bias {{.*}} ok

func.func @main(%q: tensor<3x7x5xf64>, %k: tensor<9x5xf64>, %v: tensor<9x4xf64>, %bias: tensor<3x9xf64>, %sink: tensor<3xf64>, %do: tensor<3x7x4xf64>, %dl: tensor<3x7xf64>) -> (tensor<3x7x4xf64>, tensor<3x7xf64>, tensor<3x7x5xf64>, tensor<9x5xf64>, tensor<9x4xf64>, tensor<3xf64>, tensor<3x9xf64>) {
  %o0 = tensor.empty() : tensor<3x7x4xf64>
  %l0 = tensor.empty() : tensor<3x7xf64>
  %o, %l = attn.attention {scale = 0.4, visible = [affine_set<(g, m, n)[G, M, N] : (m - n + 1 >= 0)>]}
      maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g, n), -> (g), -> (g, m, d), -> (g, m)]
      ins(%q, %k, %v : tensor<3x7x5xf64>, tensor<9x5xf64>, tensor<9x4xf64>) extras(%bias : tensor<3x9xf64>) sink(%sink : tensor<3xf64>)
      outs(%o0, %l0 : tensor<3x7x4xf64>, tensor<3x7xf64>)
      score (%s : f64, %e : f64) { %x = arith.addf %s, %e : f64  %c = arith.constant 2.0 : f64  %y = arith.divf %x, %c : f64  %t = math.tanh %y : f64  %z = arith.mulf %t, %c : f64  attn.yield %z, %e : f64, f64 }
  %dq0 = tensor.empty() : tensor<3x7x5xf64>
  %dk0 = tensor.empty() : tensor<9x5xf64>
  %dv0 = tensor.empty() : tensor<9x4xf64>
  %ds0 = tensor.empty() : tensor<3xf64>
  %db0 = tensor.empty() : tensor<3x9xf64>
  %r:5 = attn.attention_backward {scale = 0.4, differentiate = array<i64: 0>, visible = [affine_set<(g, m, n)[G, M, N] : (m - n + 1 >= 0)>]}
      maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g, n), -> (g), -> (g, m, d), -> (g, m)]
      ins(%q, %k, %v : tensor<3x7x5xf64>, tensor<9x5xf64>, tensor<9x4xf64>) extras(%bias : tensor<3x9xf64>) sink(%sink : tensor<3xf64>)
      forward(%o, %l : tensor<3x7x4xf64>, tensor<3x7xf64>) grad(%do, %dl : tensor<3x7x4xf64>, tensor<3x7xf64>)
      outs(%dq0, %dk0, %dv0, %ds0, %db0 : tensor<3x7x5xf64>, tensor<9x5xf64>, tensor<9x4xf64>, tensor<3xf64>, tensor<3x9xf64>)
      score (%s : f64, %e : f64) { %x = arith.addf %s, %e : f64  %c = arith.constant 2.0 : f64  %y = arith.divf %x, %c : f64  %t = math.tanh %y : f64  %z = arith.mulf %t, %c : f64  attn.yield %z, %e : f64, f64 }
  return %o, %l, %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<3x7x4xf64>, tensor<3x7xf64>, tensor<3x7x5xf64>, tensor<9x5xf64>, tensor<9x4xf64>, tensor<3xf64>, tensor<3x9xf64>
}
