// One case per numbered constraint of the pages of the other ops and of the
// attributes, and what the assembly refuses.
// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @c22_acc_type(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>, %a: tensor<4x8xf16>, %m: tensor<4xf32>) {
  // expected-error @+1 {{C22: expected acc, max and sum to have elements of type 'f32', the accumulate type, got 'f16'}}
  %0:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>) outs(%a, %m, %m : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @c22_sum_type(%q: tensor<4x8xf64>, %k: tensor<6x8xf64>, %a: tensor<4x8xf64>, %m: tensor<4xf64>, %s: tensor<4xf32>) {
  // expected-error @+1 {{C22: expected acc, max and sum to have elements of type 'f64', the accumulate type, got 'f32'}}
  %0:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf64>, tensor<6x8xf64>, tensor<6x8xf64>) outs(%a, %m, %s : tensor<4x8xf64>, tensor<4xf64>, tensor<4xf32>)
  return
}

// -----

func.func @c23_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %a: tensor<4x8xf32>) {
  // expected-error @+1 {{C23: expected the map of max and sum to be a permutation of the batch and row dims (d0), got affine_map<(d0, d1, d2, d3) -> (d0, d3)>}}
  %0:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%a, %a, %a : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @m1_count(%a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{M1: expected 2 maps, one per shaped operand in operand order, got 3}}
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @m1_permutation(%a: tensor<4x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{M1: expected projected permutations, got affine_map<(d0, d1) -> (d0 mod 2, d1)>}}
  %0:3 = attn.merge maps = [(m, d) -> (m mod 2, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @m1_dim_beside_acc(%a: tensor<4x8xf32>, %m: tensor<4x2xf32>) {
  // expected-error @+1 {{M1: expected dim d2 to index acc}}
  %0:3 = attn.merge maps = [(m, d, x) -> (m, d), -> (m, x)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
      outs(%a, %m, %m : tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
  return
}

// -----

func.func @m1_sizes(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>, %m: tensor<4xf32>) {
  // expected-error @+1 {{M1: expected dim d0 to have size 4 as in operand 0, got 5 in operand 3}}
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%b, %m, %m : tensor<5x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @m2_within(%a: tensor<4x8xf32>, %m: tensor<4xf64>) {
  // expected-error @+1 {{M2: expected max and sum to have elements of type 'f32' as acc, got 'f64'}}
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf64>, tensor<4xf64>)
      outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf64>, tensor<4xf64>)
  return
}

// -----

func.func @m2_between(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %b: tensor<4x8xf64>) {
  // expected-error @+1 {{M2: expected both states to have elements of one type, got 'f32' and 'f64'}}
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%b, %m, %m : tensor<4x8xf64>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @m3_mixed(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %b: memref<4xf32>) {
  // expected-error @+1 {{M3: expected tensors or memrefs, got 5 tensors and 1 memrefs}}
  %0:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%a, %m, %b : tensor<4x8xf32>, tensor<4xf32>, memref<4xf32>)
      outs(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f1_count(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x8xf16>) {
  // expected-error @+1 {{F1: expected 3 maps, one per shaped operand in operand order, got 4}}
  %0 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o : tensor<4x8xf16>)
  return
}

// -----

func.func @f2_acc_type(%a: tensor<4x8xf16>, %m: tensor<4xf16>, %o: tensor<4x8xf16>) {
  // expected-error @+1 {{F2: expected acc to have elements of type f32 or f64, got 'f16'}}
  %0 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%a, %m, %m : tensor<4x8xf16>, tensor<4xf16>, tensor<4xf16>)
      outs(%o : tensor<4x8xf16>)
  return
}

// -----

func.func @f2_output_type(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x8xi32>) {
  // expected-error @+1 {{F2: expected the output to have elements of type f16, bf16, f32 or f64, got 'i32'}}
  %0 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o : tensor<4x8xi32>)
  return
}

// -----

func.func @f2_lse_type(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x8xf16>, %l: tensor<4xf16>) {
  // expected-error @+1 {{F2: expected lse to have elements of type 'f32' as acc, got 'f16'}}
  %0:2 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o, %l : tensor<4x8xf16>, tensor<4xf16>)
  return
}

// -----

func.func @f3_output(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4xf16>) {
  // expected-error @+1 {{F3: expected the map of the output to use the dims of acc's, got affine_map<(d0, d1) -> (d0)>}}
  %0 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o : tensor<4xf16>)
  return
}

// -----

func.func @f3_lse(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x8xf16>, %l: tensor<8xf32>) {
  // expected-error @+1 {{F3: expected the map of lse to use the dims of max's, got affine_map<(d0, d1) -> (d1)>}}
  %0:2 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d), -> (d)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o, %l : tensor<4x8xf16>, tensor<8xf32>)
  return
}

// -----

func.func @f4_mixed(%a: tensor<4x8xf32>, %m: tensor<4xf32>, %o: memref<4x8xf16>) {
  // expected-error @+1 {{F4: expected tensors or memrefs, got 3 tensors and 1 memrefs}}
  attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%a, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o : memref<4x8xf16>)
  return
}

// -----

func.func @index_alone() {
  // expected-error @+1 {{expected to be in the score region of an attention}}
  %i = attn.index 0 : index
  return
}

// -----

func.func @keep_alone(%seed: i64) {
  // expected-error @+1 {{expected to be in the score region of an attention}}
  %z = attn.keep %seed, %seed {p = 0.5} : f32
  return
}

// -----

func.func @yield_alone(%x: f32) {
  // expected-error @+1 {{'attn.yield' op expects parent op to be one of 'attn.attention, attn.online_attention, attn.attention_backward, attn.online_backward'}}
  attn.yield %x : f32
}

// -----

func.func @one_state(%q: tensor<4x8xf32>) {
  // expected-error @+3 {{expected acc, max and sum in outs, got 1 operands}}
  %0 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%q : tensor<4x8xf32>)
  return
}

// -----

// Attributes.

// expected-error @+1 {{expected a positive query_block, got 0}}
func.func private @a() attributes {t = #attn.tiling<query_block = [4, 0], key_block = 4>}

// -----

// expected-error @+1 {{expected a positive key_block, got -4}}
func.func private @a() attributes {t = #attn.tiling<query_block = 4, key_block = [-4]>}

// -----

// expected-error @+1 {{expected a positive number of key_splits, got 0}}
func.func private @a() attributes {t = #attn.tiling<query_block = 4, key_block = 4, key_splits = 0>}

// -----

// expected-error @+1 {{expected both query_block and key_block}}
func.func private @a() attributes {t = #attn.tiling<query_block = 4>}

// -----

// expected-error @+1 {{expected order q_outer or kv_outer, got outer}}
func.func private @a() attributes {t = #attn.tiling<query_block = 4, key_block = 4, order = outer>}

// -----

// expected-error @+1 {{expected query_block, key_block, order, key_splits or kernel, got block}}
func.func private @a() attributes {t = #attn.tiling<block = 4>}

// -----

// expected-error @+1 {{key_block is given twice}}
func.func private @a() attributes {t = #attn.tiling<key_block = 4, key_block = 4>}

// -----

// expected-error @+1 {{expected kernel to be #attn.cpu or #attn.gpu, got "fast"}}
func.func private @a() attributes {t = #attn.tiling<query_block = 4, key_block = 4, kernel = "fast">}

// -----

// expected-error @+1 {{expected query_block to hold warps * rows_per_warp = 128 rows, got 64}}
func.func private @a() attributes {t = #attn.tiling<query_block = [1, 64], key_block = 64, kernel = #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>>}

// -----

// expected-error @+1 {{expected a positive mr, got 0}}
func.func private @a() attributes {t = #attn.cpu<mr = 0, nr = 16>}

// -----

// expected-error @+1 {{expected a positive number of warps, got -1}}
func.func private @a() attributes {t = #attn.gpu<warps = -1, rows_per_warp = 16, stages = 1>}

// -----

// expected-error @+1 {{expected 'replace' or 'skip'}}
func.func private @a() attributes {t = #attn.hidden<keep>}

// -----

// expected-error @+1 {{expected attn.target to be a #attn.target, got "avx512"}}
module attributes {attn.target = "avx512"} {}

// -----

// expected-error @+1 {{expected attn.target on a module, got it on func.func}}
func.func private @a() attributes {attn.target = #attn.target<"avx512">}

// -----

func.func @c14_symbols(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{got 2 dims and 0 symbols}}
  %0 = attn.attention {visible = [affine_set<(m, n) : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @no_captures(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>, %x: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        // expected-error @+1 {{using value defined outside the region}}
        %t = arith.addf %s, %x : f32
        attn.yield %t : f32
      }
  return
}

// -----

func.func @c21_result_missing(%q: tensor<4xf32>, %k: tensor<6xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{'attn.attention' op}}
  "attn.attention"(%q, %k, %k, %o) <{maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>],
      scale = 1.0, hidden = #attn.hidden<skip>, empty_rows = #attn.empty_rows<nan>, static_origin = array<i64>, static_extents = array<i64>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
    ^bb0(%s: f32):
      attn.yield %s : f32
  }) : (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @index_dim(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        // expected-error @+1 {{expected a dim below 4, got 4}}
        %i = attn.index 4 : index
        attn.yield %s : f32
      }
  return
}

// -----

func.func @index_role(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        // expected-error @+1 {{expected a batch, row or key dim, got dim 2, a depth dim}}
        %i = attn.index 2 : index
        attn.yield %s : f32
      }
  return
}

// -----

func.func @keep_probability(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %x: i64, %o: tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%x : i64) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %seed : i64) {
        // expected-error @+1 {{expected p in [0, 1], got}}
        %z = attn.keep %seed, %seed {p = 1.5} : f32
        attn.yield %s, %z : f32, f32
      }
  return
}

// -----

func.func @keep_seed_computed(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %x: i64, %o: tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%x : i64) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %seed : i64) {
        %other = arith.addi %seed, %seed : i64
        // expected-error @+1 {{expected seed and offset to be arguments of the score region that stand for scalar extras}}
        %z = attn.keep %seed, %other {p = 0.5} : f32
        attn.yield %s, %z : f32, f32
      }
  return
}

// -----

func.func @keep_seed_per_key(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %x: tensor<6xi64>, %o: tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%x : tensor<6xi64>) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %seed : i64) {
        // expected-error @+1 {{that stand for scalar extras}}
        %z = attn.keep %seed, %seed {p = 0.5} : f32
        attn.yield %s, %z : f32, f32
      }
  return
}

// -----

// Assembly.

func.func @two_inputs(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+2 {{expected query, key and value in ins, got 2 operands}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q : tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @three_outputs(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+3 {{expected the output and optionally the log-sum-exp in outs, got 3 operands}}
  %0:3 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%o, %o, %o : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @two_sinks(%q: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error @+2 {{expected one operand in sink, got 2}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) sink(%s, %s : tensor<4xf32>, tensor<4xf32>) outs(%q : tensor<4x8xf32>)
  return
}

// -----

func.func @empty_rows(%q: tensor<4x8xf32>) {
  // expected-error @+1 {{expected empty_rows nan, zero or nan_select, got none}}
  %0 = attn.attention {empty_rows = none} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
  return
}

// -----

func.func @hidden(%q: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 'replace' or 'skip'}}
  %0 = attn.attention {hidden = drop} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
  return
}

// -----

func.func @twice(%q: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'scale' is given twice}}
  %0 = attn.attention {scale = 1.0, scale = 2.0} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
  return
}

// -----

func.func @visible_type(%q: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'visible' failed to satisfy constraint: array of affine sets}}
  %0 = attn.attention {visible = [affine_map<(m) -> (m)>]} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%q : tensor<4x8xf32>)
  return
}

// -----

// The counter of attn.keep has 33 bits for a row.
func.func @keep_range(%q: tensor<8589934593x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %o: tensor<8589934593x4xf32>, %s: i64) -> tensor<8589934593x4xf32> {
  %r = attn.attention {scale = 1.0} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (), -> (m, d)]
      ins(%q, %k, %v : tensor<8589934593x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) extras(%s : i64) outs(%o : tensor<8589934593x4xf32>)
      score (%x: f32, %seed: i64) {
        // expected-error @below {{dropout: expected a last row dim of at most 2^33}}
        %z = attn.keep %seed, %seed {p = 0.5} : f32
        attn.yield %x, %z : f32, f32
      }
  return %r : tensor<8589934593x4xf32>
}
