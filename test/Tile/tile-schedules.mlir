// RUN: attn-opt %s -attn-to-online -attn-tile -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func @kv_outer
// The state of all rows is in memory; each key block updates it.
func.func @kv_outer(%q: tensor<50x32xf32>, %k: tensor<70x32xf32>, %v: tensor<70x16xf32>, %o: tensor<50x16xf32>) -> tensor<50x16xf32> {
  // CHECK:       %[[S:.+]]:3 = scf.for %{{.*}} = %{{.*}} to %c70 step %c8 {{.*}} -> (tensor<50x16xf32>, tensor<50xf32>, tensor<50xf32>)
  // CHECK:         scf.forall (%{{.*}}) = (0) to (50) step (16)
  // CHECK:           attn.online_attention
  // CHECK:           tensor.parallel_insert_slice {{.*}} into tensor<50x16xf32>
  // CHECK:       scf.forall
  // CHECK:         attn.finish
  %r = attn.attention {tiling = #attn.tiling<query_block = 16, key_block = 8, order = kv_outer>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<50x32xf32>, tensor<70x32xf32>, tensor<70x16xf32>) outs(%o : tensor<50x16xf32>)
  return %r : tensor<50x16xf32>
}

// CHECK-LABEL: func @splits
// Parts of the keys in parallel, each into a state of its own, then merged in order.
func.func @splits(%q: tensor<1x32xf32>, %k: tensor<70x32xf32>, %v: tensor<70x16xf32>, %o: tensor<1x16xf32>) -> tensor<1x16xf32> {
  // CHECK:       %[[P:.+]]:3 = scf.forall (%{{.*}}) in (3)
  // CHECK-SAME:    -> (tensor<3x1x16xf32>, tensor<3x1xf32>, tensor<3x1xf32>)
  // CHECK:         attn.online_attention
  // CHECK:       scf.for %{{.*}} = %c0 to %c3
  // CHECK:           attn.merge
  // CHECK:         attn.finish
  %r = attn.attention {tiling = #attn.tiling<query_block = 16, key_block = 8, key_splits = 3>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<1x32xf32>, tensor<70x32xf32>, tensor<70x16xf32>) outs(%o : tensor<1x16xf32>)
  return %r : tensor<1x16xf32>
}

// CHECK-LABEL: func @layouts
// Grouped heads are a second row dim; the bias behind floordiv is cut by groups.
func.func @layouts(%q: tensor<4x3x64x32xf16>, %k: tensor<32x4x64xf16>, %v: tensor<4x64x16xf16>, %bias: tensor<16x64xf32>, %o: tensor<64x4x3x16xf16>) -> tensor<64x4x3x16xf16> {
  // CHECK:       scf.forall {{.*}} = (0, 0, 0) to (4, 3, 64) step (1, 1, 16)
  // CHECK:         tensor.extract_slice %{{.*}}[%{{.*}}, 0] [4, 64] [1, 1] : tensor<16x64xf32> to tensor<4x64xf32>
  // CHECK:         scf.for
  // CHECK:           attn.online_attention
  // CHECK-SAME:        -> (m1 floordiv 4, n)
  // CHECK-SAME:        extras(%{{.*}} : tensor<4x8xf32>)
  // CHECK:         tensor.parallel_insert_slice {{.*}} : tensor<16x1x1x16xf16> into tensor<64x4x3x16xf16>
  %r = attn.attention {tiling = #attn.tiling<query_block = [1, 16], key_block = 8>}
      maps = [(h, g, m, n, k, d) -> (h, g, m, k), -> (k, h, n), -> (h, n, d), -> (m floordiv 4, n), -> (m, h, g, d)]
      ins(%q, %k, %v : tensor<4x3x64x32xf16>, tensor<32x4x64xf16>, tensor<4x64x16xf16>) extras(%bias : tensor<16x64xf32>)
      outs(%o : tensor<64x4x3x16xf16>)
      score (%s : f32, %e : f32) { %x = arith.addf %s, %e : f32  attn.yield %x : f32 }
  return %r : tensor<64x4x3x16xf16>
}
