// One case per numbered constraint of attn.attention's page.
// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @c1_missing_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C1: expected 4 maps, one per shaped operand in operand order, got 3}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c1_scalar_extra_needs_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: f32, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C1: expected 5 maps, one per shaped operand in operand order, got 4}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : f32) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c2_dims_differ(%q: tensor<4xf32>, %k: tensor<6xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{C2: expected all maps to have 2 dims, got 3 in map 2}}
  %0 = "attn.attention"(%q, %k, %k, %o) <{maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n) -> (m)>],
      scale = 1.0, hidden = #attn.hidden<skip>, empty_rows = #attn.empty_rows<nan>, static_origin = array<i64>, static_extents = array<i64>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
    ^bb0(%s: f32):
      attn.yield %s : f32
  }) : (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c2_symbols(%q: tensor<4xf32>, %k: tensor<6xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{C2: expected maps without symbols, got 1 in map 0}}
  %0 = "attn.attention"(%q, %k, %k, %o) <{maps = [affine_map<(m, n)[s] -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>],
      scale = 1.0, hidden = #attn.hidden<skip>, empty_rows = #attn.empty_rows<nan>, static_origin = array<i64>, static_extents = array<i64>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
    ^bb0(%s: f32):
      attn.yield %s : f32
  }) : (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c3_query_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<8x8xf32>) {
  // expected-error @+1 {{C3: expected the map of query to be a projected permutation, got affine_map<(d0, d1, d2, d3) -> (d0 floordiv 2, d2)>}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m floordiv 2, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<8x8xf32>)
  return
}

// -----

func.func @c3_output_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8x1xf32>) {
  // expected-error @+1 {{C3: expected the map of output to be a projected permutation}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d, 0)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8x1xf32>)
  return
}

// -----

func.func @c4_rank(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C4: expected the map of operand 1 to have 2 results, its operand's rank, got 1}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c4_scalar_extra(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: f32, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C4: expected the map of operand 3 to have 0 results, its operand's rank, got 1}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : f32) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c4_unranked(%q: tensor<*xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C4: expected operand 0 to be a ranked tensor or memref, got 'tensor<*xf32>'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<*xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c4_vector(%q: vector<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C4: expected operand 0 to be a ranked tensor or memref, got 'vector<4x8xf32>'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : vector<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c5_no_role(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>, %o: tensor<4x8x3xf32>) {
  // expected-error @+1 {{C5: dim d4 has no role: it indexes {output}; expected row {query, output}, key {key, value}, depth {query, key}, value {value, output} or a batch dim}}
  %0 = attn.attention maps = [(m, n, k, d, x) -> (m, k), -> (n, k), -> (n, d), -> (m, d, x)]
      ins(%q, %k, %v : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8x3xf32>)
  return
}

// -----

func.func @c5_query_and_value(%q: tensor<4x8x3xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8x3xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C5: dim d4 has no role: it indexes {query, value}}}
  %0 = attn.attention maps = [(m, n, k, d, x) -> (m, k, x), -> (n, k), -> (n, d, x), -> (m, d)]
      ins(%q, %k, %v : tensor<4x8x3xf32>, tensor<6x8xf32>, tensor<6x8x3xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c5_unused(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C5: dim d4 has no role: it indexes {}}}
  %0 = attn.attention maps = [(m, n, k, d, x) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c6_no_key(%q: tensor<4x8xf32>, %k: tensor<8xf32>, %v: tensor<8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C6: expected a key dim, one that indexes key and value and neither query nor output}}
  %0 = attn.attention maps = [(m, k, d) -> (m, k), -> (k), -> (d), -> (m, d)]
      ins(%q, %k, %v : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c7_sizes(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<7x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C7: expected dim d1 to have size 6 as in operand 1, got 7 in operand 2}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<4x8xf32>, tensor<6x8xf32>, tensor<7x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c7_floordiv(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<1xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C7: expected operand 3 to have at least 2 elements in dim 0 for the indices of affine_map<(d0, d1, d2, d3) -> (d1 floordiv 4)>, got 1}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n floordiv 4), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<1xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c7_mod(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<3xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C7: expected operand 3 to have at least 4 elements in dim 0}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m mod 5), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<3xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c7_zero(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<4x0xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C7: expected operand 3 to have at least 1 elements in dim 1}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, 0), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<4x0xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c8_value(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xi8>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C8: expected value to have elements of type f16, bf16, f32 or f64, got 'i8'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xi8>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c8_output(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf8E4M3FN>) {
  // expected-error @+1 {{C8: expected the output to have elements of type f16, bf16, f32 or f64, got 'f8E4M3FN'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf8E4M3FN>)
  return
}

// -----

func.func @c9_map(%q: tensor<2x4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<2x4x8xf32>, %l: tensor<4xf32>) {
  // expected-error @+1 {{C9: expected the map of the log-sum-exp to be a permutation of the batch and row dims (d0, d1), got affine_map<(d0, d1, d2, d3, d4) -> (d1)>}}
  %0:2 = attn.attention maps = [(h, m, n, k, d) -> (h, m, k), -> (n, k), -> (n, d), -> (h, m, d), -> (m)]
      ins(%q, %k, %k : tensor<2x4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o, %l : tensor<2x4x8xf32>, tensor<4xf32>)
  return
}

// -----

func.func @c9_type(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>, %o: tensor<4x8xf16>, %l: tensor<4xf16>) {
  // expected-error @+1 {{C9: expected the log-sum-exp to have elements of type 'f32', the accumulate type, got 'f16'}}
  %0:2 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>) outs(%o, %l : tensor<4x8xf16>, tensor<4xf16>)
  return
}

// -----

func.func @c10_value_dim(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C10: expected the map of extra 0 to use batch, row and key dims, 0, or one of these dims floordiv or mod a positive constant, got affine_map<(d0, d1, d2, d3) -> (d3)>}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c10_sum(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<16xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C10: expected the map of extra 0 to use}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m + n), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<16xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c10_constant(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: tensor<4x2xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C10: expected the map of extra 0 to use}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, 1), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : tensor<4x2xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c10_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %e: complex<f32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C10: expected extra 0 to be a number or an array of numbers, got 'complex<f32>'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%e : complex<f32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c11_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %s: tensor<4xi32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C11: expected sink to have elements of type f16, bf16, f32 or f64, got 'i32'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) sink(%s : tensor<4xi32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c11_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %s: tensor<6xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C11: expected the map of sink to be a projected permutation of batch and row dims, got affine_map<(d0, d1, d2, d3) -> (d1)>}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) sink(%s : tensor<6xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c12_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %len: f32, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C12: expected symbol 0 to be an index or integer, or a tensor of them, got 'f32'}}
  %0 = attn.attention {visible = [affine_set<(m, n)[M, N, len] : (len - n - 1 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) symbols(%len : f32) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c12_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %len: tensor<4xi32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C12: expected the map of symbol 0 to be a projected permutation of batch dims, got affine_map<(d0, d1, d2, d3) -> (d0)>}}
  %0 = attn.attention {visible = [affine_set<(m, n)[M, N, len] : (len - n - 1 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) symbols(%len : tensor<4xi32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c13_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %b: tensor<2x3xi8>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C13: expected blocks to have elements of type i1, got 'i8'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m floordiv 2, n floordiv 2), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) blocks(%b : tensor<2x3xi8>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c13_replace(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %b: tensor<2x3xi1>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C13: expected hidden = skip with blocks, got replace}}
  %0 = attn.attention {hidden = replace(-1.0e9)}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m floordiv 2, n floordiv 2), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) blocks(%b : tensor<2x3xi1>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

// The same value as an extra: it is the map of blocks that is looked at.
func.func @c13_map(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %b: tensor<4x6xi1>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C13: expected the map of blocks to use batch dims, the last row dim floordiv a constant and the key dim floordiv a constant, got affine_map<(d0, d1, d2, d3) -> (d0, d1 mod 8)>}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (m, n mod 8), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) extras(%b : tensor<4x6xi1>) blocks(%b : tensor<4x6xi1>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c13_first_row_dim(%q: tensor<2x4x8xf32>, %k: tensor<6x8xf32>, %b: tensor<2x3xi1>, %o: tensor<2x4x8xf32>) {
  // expected-error @+1 {{C13: expected the map of blocks}}
  %0 = attn.attention maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g floordiv 1, n floordiv 2), -> (g, m, d)]
      ins(%q, %k, %k : tensor<2x4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) blocks(%b : tensor<2x3xi1>) outs(%o : tensor<2x4x8xf32>)
  return
}

// -----

func.func @c14_dims(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C14: expected visible sets with 2 dims (batch, row and key) and 2 symbols (their extents, then symbol operands), got 3 dims and 2 symbols}}
  %0 = attn.attention {visible = [affine_set<(b, m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c15_arguments(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C15: expected 1 region arguments, the score and one per extra, got 2}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32, %e : f32) { attn.yield %s : f32 }
  return
}

// -----

func.func @c15_argument_type(%q: tensor<4x8xf16>, %k: tensor<6x8xf16>, %o: tensor<4x8xf16>) {
  // expected-error @+1 {{C15: expected region argument 0 to have type 'f32', got 'f16'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>) outs(%o : tensor<4x8xf16>)
      score (%s : f16) { attn.yield %s : f16 }
  return
}

// -----

func.func @c15_yield_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C15: expected the region to yield 'f32', the accumulate type, got 'f64'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        %w = arith.extf %s : f32 to f64
        attn.yield %s, %w : f32, f64
      }
  return
}

// -----

func.func @c15_no_yield(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C15: expected the region to end with attn.yield}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) { %t = arith.negf %s : f32 }
  return
}

// -----

func.func @c16_dialect(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C16: expected arith, math, attn.index and attn.keep ops in the score region, got memref.alloca}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        %a = memref.alloca() : memref<f32>
        attn.yield %s : f32
      }
  return
}

// -----

func.func @c16_vector(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C16: expected scalars in the score region, got 'vector<4xf32>'}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
      score (%s : f32) {
        %a = arith.constant dense<1.0> : vector<4xf32>
        attn.yield %s : f32
      }
  return
}

// -----

func.func @c17_scale(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C17: expected a finite scale, got}}
  %0 = attn.attention {scale = 0x7FF0000000000000} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c18_replace(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C18: expected a finite value in replace, got}}
  %0 = attn.attention {hidden = replace(0xFFF0000000000000), visible = []} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c19_origin(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %i: index, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C19: expected origin to be empty or have 4 entries, one per dim, got 2}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) origin = [%i, 0] outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c19_dynamic_entries(%q: tensor<4xf32>, %k: tensor<6xf32>, %o: tensor<4xf32>) {
  // expected-error @+1 {{C19: expected 1 operands for the dynamic entries of extents, got 0}}
  %0 = "attn.attention"(%q, %k, %k, %o) <{maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m)>],
      scale = 1.0, hidden = #attn.hidden<skip>, empty_rows = #attn.empty_rows<nan>, static_origin = array<i64>, static_extents = array<i64: 4, -9223372036854775808>,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
    ^bb0(%s: f32):
      attn.yield %s : f32
  }) : (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @c20_query_block(%q: tensor<2x4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<2x4x8xf32>) {
  // expected-error @+1 {{C20: expected 2 query_block sizes, one per row dim, got 1}}
  %0 = attn.attention {tiling = #attn.tiling<query_block = 2, key_block = 2>}
      maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g, m, d)]
      ins(%q, %k, %k : tensor<2x4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<2x4x8xf32>)
  return
}

// -----

func.func @c20_key_block(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C20: expected 1 key_block sizes, one per key dim, got 2}}
  %0 = attn.attention {tiling = #attn.tiling<query_block = 2, key_block = [2, 2]>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @c21_mixed(%q: memref<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{C21: expected tensors or memrefs, got 3 tensors and 1 memrefs}}
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : memref<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%o : tensor<4x8xf32>)
  return
}
