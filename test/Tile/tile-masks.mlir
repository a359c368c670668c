// RUN: attn-opt %s -attn-to-online -attn-tile -canonicalize -cse | FileCheck %s

// Which blocks are visited, and which of them carry the mask.

// Causal, 50 queries by 70 keys: a loop of full blocks without a mask, then one of
// partial blocks; neither goes past the diagonal, and no tensor is 50 x 70.

// CHECK-DAG: #[[FULL:.+]] = affine_map<(d0) -> ((d0 floordiv 8) * 8, 0)>
// CHECK-DAG: #[[END:.+]] = affine_map<(d0, d1) -> (70, d0 + d1)>
// CHECK-DAG: #[[ROWS:.+]] = affine_map<(d0) -> (-d0 + 50, 16)>
// CHECK-DAG: #[[CAUSAL:.+]] = affine_set<(d0, d1, d2)[s0, s1, s2] : (d1 - d2 >= 0)>

// CHECK-LABEL: func @causal
// CHECK-NOT:     50x70
func.func @causal(%q: tensor<2x50x32xf32>, %k: tensor<2x70x32xf32>, %v: tensor<2x70x16xf32>, %o: tensor<2x50x16xf32>) -> tensor<2x50x16xf32> {
  // CHECK:       scf.forall (%[[B:.+]], %[[M:.+]]) = (0, 0) to (2, 50) step (1, 16)
  // CHECK:         %[[ROW:.+]] = affine.min #[[ROWS]](%[[M]])
  // CHECK:         %[[LAST:.+]] = affine.min #[[END]](%[[M]], %[[ROW]])
  // CHECK:         %[[MID:.+]] = affine.max #[[FULL]]
  // CHECK:         %[[S:.+]]:3 = scf.for %[[N:.+]] = %{{.*}} to %[[MID]] step
  // CHECK-NOT:       visible
  // CHECK:           attn.online_attention
  // CHECK-SAME:        tensor<1x8x32xf32>
  // CHECK:         scf.for %[[P:.+]] = %[[MID]] to %[[LAST]] step %{{.*}} iter_args(%{{.*}} = %[[S]]#0
  // CHECK:           attn.online_attention
  // CHECK-SAME:        visible = [#[[CAUSAL]]]
  // CHECK-SAME:        origin = [%[[B]], %[[M]], %[[P]], 0, 0] extents = [2, 50, 70, 32, 16]
  // CHECK-NOT:     scf.for
  // CHECK:         attn.finish
  // CHECK:         tensor.parallel_insert_slice
  %r = attn.attention {visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>], tiling = #attn.tiling<query_block = 16, key_block = 8>}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
      ins(%q, %k, %v : tensor<2x50x32xf32>, tensor<2x70x32xf32>, tensor<2x70x16xf32>) outs(%o : tensor<2x50x16xf32>)
  return %r : tensor<2x50x16xf32>
}

// A window narrower than a query block never covers a block: one partial loop per
// side of an empty full loop at most, starting after what is out of the window.

// CHECK-LABEL: func @window
func.func @window(%q: tensor<64x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>, %o: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // CHECK:       scf.forall (%[[M:.+]]) = (0) to (64) step (16)
  // CHECK:         %[[LO:.+]] = affine.max {{.*}}(%[[M]])
  // CHECK:         %[[BEGIN:.+]] = affine.apply {{.*}}(%[[LO]])
  // CHECK:         scf.for %{{.*}} = %[[BEGIN]] to
  // CHECK:           visible
  %r = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0, n - m + 3 >= 0)>], tiling = #attn.tiling<query_block = 16, key_block = 8>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x16xf32>) outs(%o : tensor<64x16xf32>)
  return %r : tensor<64x16xf32>
}

// A union of sets has no single range: each block is asked.

// CHECK-LABEL: func @prefix
func.func @prefix(%q: tensor<?x32xf32>, %k: tensor<?x32xf32>, %v: tensor<?x16xf32>, %len: index, %o: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // CHECK:       scf.for
  // CHECK:         %[[ALL:.+]] = arith.ori
  // CHECK:         %[[SOME:.+]] = arith.ori
  // CHECK:         scf.if %[[SOME]]
  // CHECK:           scf.if %[[ALL]]
  // CHECK-NOT:         visible
  // CHECK:             attn.online_attention
  // CHECK:           } else {
  // CHECK:             attn.online_attention
  // CHECK-SAME:          visible = [#set{{[0-9]*}}, #set{{[0-9]*}}]
  // CHECK-SAME:          symbols(%{{.*}} : index)
  %r = attn.attention {visible = [affine_set<(m, n)[M, N, L] : (m - n >= 0)>, affine_set<(m, n)[M, N, L] : (L - n - 1 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x16xf32>) symbols(%len : index) outs(%o : tensor<?x16xf32>)
  return %r : tensor<?x16xf32>
}

// Nothing visible: no loop over keys at all.

// CHECK-LABEL: func @nothing
func.func @nothing(%q: tensor<64x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>, %o: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // CHECK:       scf.forall
  // CHECK-NOT:     scf.for %
  // CHECK-NOT:     attn.online_attention
  // CHECK:         attn.finish
  %r = attn.attention {visible = [], tiling = #attn.tiling<query_block = 16, key_block = 8>} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x16xf32>) outs(%o : tensor<64x16xf32>)
  return %r : tensor<64x16xf32>
}

// A replaced hidden key counts where exp(c - max) does not underflow: tested after
// the visible ones, then folded with c for a score.

// CHECK-LABEL: func @replaced
func.func @replaced(%q: tensor<64x32xf32>, %k: tensor<64x32xf32>, %v: tensor<64x16xf32>, %o: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // CHECK-DAG:   %[[C:.+]] = arith.constant -1.000000e+04 : f32
  // CHECK-DAG:   %[[T:.+]] = arith.constant 1.050000e+02 : f32
  // CHECK-NOT:     hidden
  // CHECK:         attn.online_attention
  // CHECK:       %[[S:.+]]:3 = scf.for
  // CHECK:         attn.online_attention
  // CHECK:       linalg.generic {{.*}} ins(%[[S]]#1 :
  // CHECK:         %[[GAP:.+]] = arith.subf %{{.*}}, %[[C]]
  // CHECK:         arith.cmpf olt, %[[GAP]], %[[T]]
  // CHECK:       scf.if
  // CHECK:         attn.online_attention
  // CHECK-SAME:      visible = [#{{.*}}]
  // CHECK:           %[[FILL:.+]] = arith.constant -1.000000e+04
  // CHECK:           attn.yield %[[FILL]]
  %r = attn.attention {hidden = replace(-1.0e4), visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>], tiling = #attn.tiling<query_block = 16, key_block = 16>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x16xf32>) outs(%o : tensor<64x16xf32>)
  return %r : tensor<64x16xf32>
}
