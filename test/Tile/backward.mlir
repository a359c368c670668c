// RUN: attn-opt %s -split-input-file -attn-tile -canonicalize -cse -o %t
// RUN: FileCheck %s --input-file=%t
// Nothing of rows x keys, on the way to the tiles or in them.
// RUN: FileCheck %s --input-file=%t --check-prefix=LARGE
// LARGE-NOT: 256x320x

// Key blocks outside: D once, before all loops. dK and dV of a key block start at
// 0 and pass through the loop over query blocks; dQ is summed in memory.
// CHECK-LABEL: func @kv_outer(
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<4x256x64xf32>, %[[K:[^:]+]]: tensor<4x320x64xf32>, %[[V:[^:]+]]: tensor<4x320x32xf32>, %[[O:[^:]+]]: tensor<4x256x32xf32>, %[[LSE:[^:]+]]: tensor<4x256xf32>, %[[DO:[^:]+]]: tensor<4x256x32xf32>,
// CHECK:         %[[D:.+]] = linalg.generic {{.*}}"reduction"]} ins(%[[DO]], %[[O]] :
// CHECK:         scf.forall (%{{.*}}) in (4) {{.*}} -> (tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
// CHECK:           %[[DROWS:.+]] = tensor.extract_slice %[[D]]
// CHECK:           %[[DQ0:.+]] = linalg.fill
// CHECK:           scf.for %[[N:.+]] = %c0 to %c320 step %c64 iter_args(%[[DQN:.+]] = %[[DQ0]],
// CHECK:             %[[DK0:.+]] = linalg.fill {{.*}} -> tensor<1x64x64xf32>
// CHECK:             %[[DV0:.+]] = linalg.fill {{.*}} -> tensor<1x64x32xf32>
// CHECK:             scf.for %{{.*}} = %c0 to %c256 step %c32 iter_args(%[[DQ:.+]] = %[[DQN]], %[[DK:.+]] = %[[DK0]], %[[DV:.+]] = %[[DV0]])
// CHECK:               %[[DM:.+]] = tensor.extract_slice %[[DROWS]]{{.*}} to tensor<1x32xf32>
// CHECK:               %[[DQM:.+]] = tensor.extract_slice %[[DQ]]
// CHECK:               attn.online_backward
// CHECK-SAME:            rows(%{{.*}}, %[[DM]] :
// CHECK-SAME:            outs(%[[DQM]], %[[DK]], %[[DV]] : tensor<1x32x64xf32>, tensor<1x64x64xf32>, tensor<1x64x32xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @kv_outer(%q: tensor<4x256x64xf32>, %k: tensor<4x320x64xf32>, %v: tensor<4x320x32xf32>, %o: tensor<4x256x32xf32>, %l: tensor<4x256xf32>, %do: tensor<4x256x32xf32>, %dq: tensor<4x256x64xf32>, %dk: tensor<4x320x64xf32>, %dv: tensor<4x320x32xf32>) -> (tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>) {
  %r:3 = attn.attention_backward {scale = 0.125, tiling = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 1>}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
      forward(%o, %l : tensor<4x256x32xf32>, tensor<4x256xf32>) grad(%do : tensor<4x256x32xf32>)
      outs(%dq, %dk, %dv : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
  return %r#0, %r#1, %r#2 : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>
}

// -----

// Query blocks outside: dQ of a block is its own. A causal mask ends the keys
// at the diagonal and is left in the tiles on it only. bf16 gradients: what is
// summed over the outer blocks is summed in f32 and rounded once.
// CHECK-LABEL: func @q_outer(
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:           scf.for %{{.*}} = %c0 to %c256 step %c32 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<1x256x64xbf16>, tensor<1x320x64xf32>, tensor<1x320x32xf32>)
// CHECK:             linalg.fill {{.*}} -> tensor<1x32x64xf32>
// CHECK:             %[[EDGE:.+]] = affine.max
// CHECK:             scf.for %{{.*}} = %c0 to %[[EDGE]] step %c64
// CHECK:               attn.online_backward
// CHECK-NOT:           visible
// CHECK:               scf.yield
// CHECK:             scf.for %{{.*}} = %[[EDGE]] to %{{.*}} step %c64
// CHECK:               attn.online_backward {{.*}}visible =
// CHECK:             arith.truncf
// CHECK:           arith.truncf
func.func @q_outer(%q: tensor<4x256x64xbf16>, %k: tensor<4x320x64xbf16>, %v: tensor<4x320x32xbf16>, %o: tensor<4x256x32xbf16>, %l: tensor<4x256xf32>, %do: tensor<4x256x32xbf16>, %dq: tensor<4x256x64xbf16>, %dk: tensor<4x320x64xbf16>, %dv: tensor<4x320x32xbf16>) -> (tensor<4x256x64xbf16>, tensor<4x320x64xbf16>, tensor<4x320x32xbf16>) {
  %r:3 = attn.attention_backward {scale = 0.125, visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>], empty_rows = zero,
      tiling = #attn.tiling<query_block = [32], key_block = [64], order = q_outer, key_splits = 1>}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : tensor<4x256x64xbf16>, tensor<4x320x64xbf16>, tensor<4x320x32xbf16>)
      forward(%o, %l : tensor<4x256x32xbf16>, tensor<4x256xf32>) grad(%do : tensor<4x256x32xbf16>)
      outs(%dq, %dk, %dv : tensor<4x256x64xbf16>, tensor<4x320x64xbf16>, tensor<4x320x32xbf16>)
  return %r#0, %r#1, %r#2 : tensor<4x256x64xbf16>, tensor<4x320x64xbf16>, tensor<4x320x32xbf16>
}

// -----

// Parts of the keys: each has a dQ of its own; they are summed in their order.
// CHECK-LABEL: func @splits(
// CHECK:         %[[R:.+]]:3 = scf.forall (%{{.*}}, %[[PART:.+]]) in (4, 2) shared_outs({{.*}}) -> (tensor<2x4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
// CHECK:           attn.online_backward
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%[[R]]#0 :
func.func @splits(%q: tensor<4x256x64xf32>, %k: tensor<4x320x64xf32>, %v: tensor<4x320x32xf32>, %o: tensor<4x256x32xf32>, %l: tensor<4x256xf32>, %do: tensor<4x256x32xf32>, %dq: tensor<4x256x64xf32>, %dk: tensor<4x320x64xf32>, %dv: tensor<4x320x32xf32>) -> (tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>) {
  %r:3 = attn.attention_backward {tiling = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 2>}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
      forward(%o, %l : tensor<4x256x32xf32>, tensor<4x256xf32>) grad(%do : tensor<4x256x32xf32>)
      outs(%dq, %dk, %dv : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>)
  return %r#0, %r#1, %r#2 : tensor<4x256x64xf32>, tensor<4x320x64xf32>, tensor<4x320x32xf32>
}
