// Degenerate and awkward spaces: no row dim, a size of 0, keys of unknown number
// under floordiv.
// RUN: attn-opt %s -attn-to-online -attn-tile -canonicalize -split-input-file | FileCheck %s

// One row, so the log-sum-exp is a scalar, which has no slice.
// CHECK-LABEL: @one_row
// CHECK: scf.for
// CHECK: attn.online_attention {{.*}} : tensor<8xf32>, tensor<4x8xf32>, tensor<4x5xf32>)
// CHECK: attn.finish {{.*}} outs(%{{.*}}, %{{.*}} : tensor<5xf32>, tensor<f32>)
func.func @one_row(%q: tensor<8xf32>, %k: tensor<12x8xf32>, %v: tensor<12x5xf32>, %o: tensor<5xf32>, %l: tensor<f32>) -> (tensor<5xf32>, tensor<f32>) {
  %0:2 = attn.attention {tiling = #attn.tiling<query_block = [], key_block = [4]>}
      maps = [(n, k, d) -> (k), -> (n, k), -> (n, d), -> (d), -> ()]
      ins(%q, %k, %v : tensor<8xf32>, tensor<12x8xf32>, tensor<12x5xf32>) outs(%o, %l : tensor<5xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<f32>
}

// -----

// Nothing to tile: the fold stays whole.
// CHECK-LABEL: @no_depth
// CHECK-NOT: scf.for
// CHECK: attn.online_attention {{.*}} : tensor<13x0xf32>, tensor<24x0xf32>, tensor<24x4xf32>)
func.func @no_depth(%q: tensor<13x0xf32>, %k: tensor<24x0xf32>, %v: tensor<24x4xf32>, %o: tensor<13x4xf32>) -> tensor<13x4xf32> {
  %0 = attn.attention {tiling = #attn.tiling<query_block = 4, key_block = 4>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<13x0xf32>, tensor<24x0xf32>, tensor<24x4xf32>) outs(%o : tensor<13x4xf32>)
  return %0 : tensor<13x4xf32>
}

// -----

// The query tile takes all keys, so their groups of 4 are whole whatever N is;
// a key block of 2 lies in one group.
// CHECK-LABEL: @dynamic_groups
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}] [1] [1] : tensor<?xf32> to tensor<1xf32>
func.func @dynamic_groups(%q: tensor<16x8xf32>, %k: tensor<?x8xf32>, %e: tensor<?xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = attn.attention {tiling = #attn.tiling<query_block = 4, key_block = 2>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n floordiv 4), -> (m, d)]
      ins(%q, %k, %k : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) extras(%e : tensor<?xf32>) outs(%o : tensor<16x8xf32>)
      score (%s : f32, %b : f32) {
        %t = arith.addf %s, %b : f32
        attn.yield %t : f32
      }
  return %0 : tensor<16x8xf32>
}

// -----

// Parts of the keys are made of whole groups.
// CHECK: affine_map<(d0) -> (-d0 + 24, 12)>
// CHECK-LABEL: @split_groups
// CHECK: attn.merge
func.func @split_groups(%q: tensor<16x8xf32>, %k: tensor<24x8xf32>, %e: tensor<8xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = attn.attention {tiling = #attn.tiling<query_block = 4, key_block = 4, key_splits = 2>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n floordiv 3), -> (m, d)]
      ins(%q, %k, %k : tensor<16x8xf32>, tensor<24x8xf32>, tensor<24x8xf32>) extras(%e : tensor<8xf32>) outs(%o : tensor<16x8xf32>)
      score (%s : f32, %b : f32) {
        %t = arith.addf %s, %b : f32
        attn.yield %t : f32
      }
  return %0 : tensor<16x8xf32>
}

// -----

// Without keys the fold is its initial state.
// CHECK-LABEL: @no_keys
// CHECK-NOT: attn.online_attention
// CHECK: attn.finish
func.func @no_keys(%q: tensor<13x8xf32>, %k: tensor<0x8xf32>, %v: tensor<0x4xf32>, %o: tensor<13x4xf32>) -> tensor<13x4xf32> {
  %0 = attn.attention {tiling = #attn.tiling<query_block = 4, key_block = 4>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<13x8xf32>, tensor<0x8xf32>, tensor<0x4xf32>) outs(%o : tensor<13x4xf32>)
  return %0 : tensor<13x4xf32>
}
