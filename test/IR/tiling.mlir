// TilingInterface: a tile is the op on slices, and its origin and extents place
// it in the whole problem.
// RUN: attn-opt %s -transform-interpreter -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// The query tile keeps the mask: its origin moves, its set does not.
// CHECK: #[[CAUSAL:.*]] = affine_set<(d0, d1, d2)[s0, s1, s2] : (d1 - d2 >= 0)>
// CHECK-LABEL: @query_blocks
// CHECK: scf.forall (%[[B:.*]], %[[I:.*]]) in (2, 4) shared_outs(%[[O:.*]] = %{{.*}})
// CHECK: %[[M:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-DAG: %[[Q:.*]] = tensor.extract_slice %{{.*}}[%[[B]], %[[M]], 0] [1, 16, 8] [1, 1, 1]
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %{{.*}}[%[[B]], 0, 0] [1, 64, 8] [1, 1, 1]
// CHECK-DAG: %[[OUT:.*]] = tensor.extract_slice %[[O]][%[[M]], %[[B]], 0] [16, 1, 8] [1, 1, 1]
// CHECK: attn.attention {visible = [#[[CAUSAL]]]} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (m, b, d)] ins(%[[Q]], %[[K]], %[[K]] :
// CHECK-SAME: origin = [%[[B]], %[[M]], 0, 0, 0] extents = [2, 64, 64, 8, 8] outs(%[[OUT]] :
func.func @query_blocks(%q: tensor<2x64x8xf32>, %k: tensor<2x64x8xf32>, %o: tensor<64x2x8xf32>) -> tensor<64x2x8xf32> {
  %0 = attn.attention {visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>]}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (m, b, d)]
      ins(%q, %k, %k : tensor<2x64x8xf32>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) outs(%o : tensor<64x2x8xf32>)
  return %0 : tensor<64x2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 16, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Keys of an online attention fold in a sequential loop, here with a ragged
// tail. Extras follow: a per-key one is cut, a broadcast one and a scalar not,
// one behind floordiv where the block is a multiple of its divisor.
// CHECK-LABEL: @key_blocks
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[M:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
// CHECK: %[[SIZE:.*]] = affine.min #{{.*}}(%[[N]])
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %{{.*}}[%[[N]], 0] [%[[SIZE]], 8] [1, 1]
// CHECK-DAG: %[[E:.*]] = tensor.extract_slice %{{.*}}[0, %[[N]]] [1, %[[SIZE]]] [1, 1]
// CHECK-DAG: %[[FIRST:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK-DAG: %[[F:.*]] = tensor.extract_slice %{{.*}}[%[[FIRST]]] [%{{.*}}] [1]
// CHECK: %[[R:.*]]:3 = attn.online_attention maps = {{.*}} ins(%{{.*}}, %[[K]], %[[K]] : {{.*}}) extras(%[[E]], %[[F]], %{{.*}} : {{.*}}) origin = [0, %[[N]], 0, 0] extents = [16, 50, 8, 8] outs(%[[A]], %[[M]], %[[S]] :
// CHECK: scf.yield %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @key_blocks(%q: tensor<16x8xf32>, %k: tensor<50x8xf32>, %e: tensor<1x50xf32>, %f: tensor<13xf32>, %c: f32, %a: tensor<16x8xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>) -> tensor<16x8xf32> {
  %0:3 = attn.online_attention
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (0, n), -> (n floordiv 4), -> (), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<16x8xf32>, tensor<50x8xf32>, tensor<50x8xf32>) extras(%e, %f, %c : tensor<1x50xf32>, tensor<13xf32>, f32)
      outs(%a, %m, %s : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>)
      score (%x : f32, %p : f32, %r : f32, %t : f32) {
        %i = attn.index 1 : index
        %j = arith.index_cast %i : index to i32
        %g = arith.sitofp %j : i32 to f32
        %0 = arith.mulf %p, %g : f32
        %1 = arith.addf %x, %0 : f32
        %2 = arith.mulf %1, %r : f32
        %3 = arith.mulf %2, %t : f32
        attn.yield %3 : f32
      }
  return %0#0 : tensor<16x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 16, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// merge and finish tile along rows; without a log-sum-exp finish along values.
// CHECK-LABEL: @state
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: attn.merge maps = [(m, d) -> (m, d), -> (m)] ins({{.*}} : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 4)
// CHECK: attn.finish {empty_rows = zero} maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins({{.*}} : tensor<4x2xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @state(%a: tensor<16x8xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>, %b: tensor<16x8xf32>, %o: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%a, %m, %s : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%b, %m, %s : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>)
  %1 = attn.finish {empty_rows = zero} maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%0#0, %0#1, %0#2 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%o : tensor<16x8xf16>)
  return %1 : tensor<16x8xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %merge = transform.structured.match ops{["attn.merge"]} in %root : (!transform.any_op) -> !transform.any_op
    %finish = transform.structured.match ops{["attn.finish"]} in %root : (!transform.any_op) -> !transform.any_op
    %0, %1 = transform.structured.tile_using_forall %merge tile_sizes [4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %3 = transform.structured.tile_using_forall %finish tile_sizes [4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An attention normalises over all keys: they stay whole.
func.func @reject_keys(%q: tensor<64x8xf32>, %o: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // expected-error @+3 {{dim d1 must stay whole when tiled: expected size 64, got 16}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-error @+1 {{to tile operation}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) outs(%o : tensor<64x8xf32>)
  return %0 : tensor<64x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 16, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The log-sum-exp of a row would be computed once per value tile.
func.func @reject_values_with_lse(%q: tensor<64x8xf32>, %o: tensor<64x8xf32>, %l: tensor<64xf32>) -> tensor<64x8xf32> {
  // expected-error @+3 {{dim d3 must stay whole when tiled: expected size 8, got 4}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-error @+1 {{to tile operation}}
  %0:2 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %q, %q : tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) outs(%o, %l : tensor<64x8xf32>, tensor<64xf32>)
  return %0#0 : tensor<64x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A block of 6 keys would cut a group of 4 that shares one element.
func.func @reject_inside_divisor(%q: tensor<64x8xf32>, %e: tensor<16xf32>, %a: tensor<64x8xf32>, %m: tensor<64xf32>) -> tensor<64x8xf32> {
  // expected-error @+3 {{cut inside its divisor}}
  // expected-error @+2 {{failed to generate tiling loops}}
  // expected-error @+1 {{to tile operation}}
  %0:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n floordiv 4), -> (m, d), -> (m)]
      ins(%q, %q, %q : tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) extras(%e : tensor<16xf32>) outs(%a, %m, %m : tensor<64x8xf32>, tensor<64xf32>, tensor<64xf32>)
  return %0#0 : tensor<64x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.online_attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 6, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
