// RUN: attn-opt %s --attn-differentiate -split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-differentiate='arguments=1 lse-gradients=true' -split-input-file | FileCheck %s --check-prefix=ONE

// The forward also returns O and the log-sum-exp; the product reads them back.
// Nothing of rows x keys (8x16) is passed or made.

// CHECK-NOT:   8x16xf32
// CHECK-LABEL: func.func @main(
// CHECK:       func.func @main_forward(%[[Q:.*]]: tensor<8x4xf32>, %{{.*}}: tensor<16x4xf32>, %{{.*}}: tensor<16x6xf32>)
// CHECK-SAME:    -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8xf32>)
// CHECK:         %[[F:.*]]:2 = attn.attention {{.*}} -> (m, d), -> (m)]
// CHECK:         return %[[F]]#0, %[[F]]#0, %[[F]]#1
// CHECK:       func.func @main_vjp(%[[Q:.*]]: tensor<8x4xf32>, %[[K:.*]]: tensor<16x4xf32>, %[[V:.*]]: tensor<16x6xf32>,
// CHECK-SAME:    %[[O:.*]]: tensor<8x6xf32>, %[[LSE:.*]]: tensor<8xf32>, %[[DO:.*]]: tensor<8x6xf32>)
// CHECK-SAME:    -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>)
// CHECK-NOT:     attn.attention{{ }}
// CHECK:         %[[G:.*]]:3 = attn.attention_backward
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-SAME:      forward(%[[O]], %[[LSE]] :
// CHECK-SAME:      grad(%[[DO]] :
// CHECK:         return %[[G]]#0, %[[G]]#1, %[[G]]#2
// CHECK-NOT:   8x16xf32

// ONE-LABEL: func.func @main_vjp(
// ONE-SAME:    %[[DO:[a-z0-9]*]]: tensor<8x6xf32>, %[[DLSE:[a-z0-9]*]]: tensor<8xf32>) -> tensor<16x4xf32>
// ONE:         %[[G:.*]]:3 = attn.attention_backward {{.*}} grad(%[[DO]], %[[DLSE]] :
// ONE:         return %[[G]]#1
func.func @main(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>) -> tensor<8x6xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) outs(%e : tensor<8x6xf32>)
  return %o : tensor<8x6xf32>
}

// -----

// A gradient is summed over what its operand was broadcast along, in f32 where
// the operand is narrower.

// CHECK-LABEL: func.func @bias_vjp
// CHECK:       %[[DB:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]}
// CHECK:       } -> tensor<3xf32>
// CHECK:       arith.truncf
// CHECK:       return %{{.*}}, %{{.*}} : tensor<5x3xf16>, tensor<3xf16>
// ONE-LABEL: func.func @bias_vjp
// ONE:       return %{{.*}} : tensor<3xf16>
func.func @bias(%x: tensor<5x3xf16>, %b: tensor<3xf16>) -> tensor<5x3xf16> {
  %e = tensor.empty() : tensor<5x3xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<5x3xf16>, tensor<3xf16>) outs(%e : tensor<5x3xf16>) {
  ^bb0(%a: f16, %c: f16, %o: f16):
    %s = arith.addf %a, %c : f16
    linalg.yield %s : f16
  } -> tensor<5x3xf16>
  return %y : tensor<5x3xf16>
}
