// RUN: attn-opt %s -attn-decompose -split-input-file | FileCheck %s

// One value as the sink and as an extra: each keeps its own map.
// CHECK-DAG: #[[KEY:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @sink_is_extra
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<4x8xf32>, %[[S:[a-z0-9]+]]: tensor<4xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[KEY]], #{{.*}}], {{.*}}} ins(%{{.*}}, %[[S]] : tensor<4x4xf32>, tensor<4xf32>)
// CHECK-NOT: attn.
func.func @sink_is_extra(%q: tensor<4x8xf32>, %s: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) extras(%s : tensor<4xf32>) sink(%s : tensor<4xf32>) outs(%o : tensor<4x8xf32>)
      score (%x : f32, %e : f32) {
        %t = arith.addf %x, %e : f32
        attn.yield %t : f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// There is no library call for f64 to bf16 on every system.
// CHECK-LABEL: @narrow
// CHECK-NOT: arith.truncf {{.*}} : f64 to bf16
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to bf16
func.func @narrow(%q: tensor<4x8xf64>, %v: tensor<4x8xbf16>, %o: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %v : tensor<4x8xf64>, tensor<4x8xf64>, tensor<4x8xbf16>) outs(%o : tensor<4x8xbf16>)
  return %0 : tensor<4x8xbf16>
}
