// RUN: attn-opt %s -canonicalize -split-input-file | FileCheck %s

// A region that computes nothing is the identity, which is not printed.
// CHECK-LABEL: @identity_region
// CHECK: attn.attention maps = {{.*}} outs(%{{.*}} : tensor<4x8xf32>){{$}}
func.func @identity_region(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        %one = arith.constant 1.0 : f32
        %i = attn.index 1 : index
        %t = arith.mulf %s, %one : f32
        attn.yield %t : f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @unused_extras
// CHECK-SAME: %[[Q:.*]]: tensor<4x8xf32>, %[[K:.*]]: tensor<6x8xf32>, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<6xf32>,
// CHECK: attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d)]
// CHECK-SAME: extras(%[[B]] : tensor<6xf32>)
func.func @unused_extras(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %a: tensor<4xf32>, %b: tensor<6xf32>, %c: f32, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m), -> (n), -> (), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%a, %b, %c : tensor<4xf32>, tensor<6xf32>, f32) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %x : f32, %y : f32, %z : f32) {
        %unused = arith.mulf %x, %z : f32
        %t = arith.mulf %s, %y : f32
        attn.yield %t : f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// A bias that is one constant everywhere shifts each row and nothing else.
// CHECK-LABEL: @splat_bias
// CHECK: attn.attention maps = {{.*}} outs(%{{.*}} : tensor<4x8xf32>){{$}}
func.func @splat_bias(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %bias = arith.constant dense<0.25> : tensor<4x6xf16>
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%bias : tensor<4x6xf16>) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %b : f16) {
        %e = arith.extf %b : f16 to f32
        %t = arith.addf %s, %e : f32
        attn.yield %t : f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// It is part of the log-sum-exp, and stays.
// CHECK-LABEL: @splat_bias_with_lse
// CHECK: score (%[[S:.*]]: f32) {
// CHECK: arith.addf %[[S]], %{{.*}} : f32
func.func @splat_bias_with_lse(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>, %l: tensor<4xf32>) -> tensor<4xf32> {
  %bias = arith.constant dense<0.25> : tensor<4x6xf32>
  %0:2 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%bias : tensor<4x6xf32>) outs(%o, %l : tensor<4x8xf32>, tensor<4xf32>)
      score (%s : f32, %b : f32) {
        %t = arith.addf %s, %b : f32
        attn.yield %t : f32
      }
  return %0#1 : tensor<4xf32>
}

// -----

// 0 is dropped wherever it is added.
// CHECK-LABEL: @zero_bias_with_lse
// CHECK: attn.attention maps = {{.*}} outs(%{{.*}} : tensor<4x8xf32>, tensor<4xf32>){{$}}
func.func @zero_bias_with_lse(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>, %l: tensor<4xf32>) -> tensor<4xf32> {
  %bias = arith.constant dense<0.0> : tensor<4x6xf32>
  %0:2 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%bias : tensor<4x6xf32>) outs(%o, %l : tensor<4x8xf32>, tensor<4xf32>)
      score (%s : f32, %b : f32) {
        %t = arith.addf %b, %s : f32
        attn.yield %t : f32
      }
  return %0#1 : tensor<4xf32>
}

// -----

// Adding this rounds every score away: it is no shift.
// CHECK-LABEL: @absorbing_constant
// CHECK: arith.addf
func.func @absorbing_constant(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        %c = arith.constant -1.0e30 : f32
        %t = arith.addf %s, %c : f32
        attn.yield %t : f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// attn.keep needs its seed and offset as scalar extras.
// CHECK-LABEL: @constant_seed
// CHECK: extras(%{{.*}} : i64)
// CHECK: score (%{{.*}}: f32, %[[SEED:.*]]: i64) {
// CHECK-NEXT: attn.keep %[[SEED]], %[[SEED]]
func.func @constant_seed(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = arith.constant 7 : i64
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%c : i64) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %seed : i64) {
        %z = attn.keep %seed, %seed {p = 0.5} : f32
        attn.yield %s, %z : f32, f32
      }
  return %0 : tensor<4x8xf32>
}

// -----

// A set that the bounds imply makes the mask void, and with it what hidden keys
// mean and the symbols.
// CHECK-LABEL: @visible_implied
// CHECK: attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)] ins(
// CHECK-NOT: symbols
// CHECK: return
func.func @visible_implied(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %w: index, %o: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = attn.attention {hidden = replace(-1.0e9), visible = [affine_set<(m, n)[M, N, w] : (m - n >= 0)>, affine_set<(m, n)[M, N, w] : (N - n - 1 >= 0, m + n + 3 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) symbols(%w : index) outs(%o : tensor<?x8xf32>)
  return %0 : tensor<?x8xf32>
}

// -----

// The sizes are known: a window of 9 holds every key of a row of 4 by 6.
// CHECK-LABEL: @window_of_all
// CHECK: attn.attention maps
func.func @window_of_all(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n + 5 >= 0, n - m + 3 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return %0 : tensor<4x8xf32>
}

// -----

// One less hides a key: it stays. So does what only a known size would decide.
// CHECK-LABEL: @window_of_less
// CHECK: visible = [#{{.*}}]
// CHECK: visible = [#{{.*}}]
func.func @window_of_less(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>, %qd: tensor<?x8xf32>, %od: tensor<?x8xf32>) -> (tensor<4x8xf32>, tensor<?x8xf32>) {
  %0 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n + 4 >= 0, n - m + 3 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  %1 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n + 5 >= 0, n - m + 3 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%qd, %k, %k : tensor<?x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%od : tensor<?x8xf32>)
  return %0, %1 : tensor<4x8xf32>, tensor<?x8xf32>
}

// -----

// A set without a point is dropped from the union; [] stays: it hides all.
// CHECK-DAG: #[[CAUSAL:.*]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: @empty_set
// CHECK: visible = [#[[CAUSAL]]]
// CHECK: visible = []
func.func @empty_set(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n - 4 >= 0)>, affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  %1 = attn.attention {visible = [affine_set<(m, n)[M, N] : (n - N >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A tile below the diagonal sees every key of its block; one above it, none.
// CHECK-LABEL: @visible_in_tile
// CHECK: attn.online_attention maps
// CHECK: attn.online_attention {visible = []}
// CHECK: attn.online_attention {visible = [#{{.*}}]} maps = {{.*}} origin = [8, 8, 0, 0] extents = [16, 16, 8, 8]
func.func @visible_in_tile(%q: tensor<4x8xf32>, %k: tensor<4x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c8 = arith.constant 8 : index
  %0:3 = attn.online_attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) origin = [%c8, 4, 0, 0] extents = [16, 16, 8, 8]
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = attn.online_attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) origin = [4, %c8, 0, 0] extents = [16, 16, 8, 8]
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %2:3 = attn.online_attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) origin = [%c8, %c8, 0, 0] extents = [16, 16, 8, 8]
      outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %1#0, %2#0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A position that nothing looks at, an origin of 0, extents that are the sizes.
// CHECK-LABEL: @position
// CHECK: attn.attention maps = {{.*}} outs(%{{.*}} : tensor<4x8xf32>){{$}}
// CHECK: attn.attention {visible = [#{{.*}}]} maps = {{.*}} ins({{.*}}) extents = [4, 12, 8, 8] outs
// CHECK: attn.attention {visible = [#{{.*}}]} maps = {{.*}} ins({{.*}}) origin = [0, %{{.*}}, 0, 0] outs
func.func @position(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %i: index, %o: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) origin = [%i, 3, 0, 0] extents = [%i, %i, 8, 8] outs(%o : tensor<4x8xf32>)
  %1 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) origin = [%c0, 0, 0, 0] extents = [4, 12, 8, 8] outs(%o : tensor<4x8xf32>)
  %2 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) origin = [0, %i, 0, 0] extents = [4, %c6, 8, 8] outs(%o : tensor<4x8xf32>)
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
