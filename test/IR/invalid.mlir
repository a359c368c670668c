// One case per numbered constraint of the ops' pages, and what the assembly and
// the attributes refuse.
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

func.func @c14_symbols(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @+1 {{got 2 dims and 0 symbols}}
  %0 = attn.attention {visible = [affine_set<(m, n) : (m - n >= 0)>]}
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

func.func @yield_alone(%x: f32) {
  // expected-error @+1 {{'attn.yield' op expects parent op to be one of 'attn.attention, attn.online_attention, attn.attention_backward, attn.online_backward'}}
  attn.yield %x : f32
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

func.func @one_state(%q: tensor<4x8xf32>) {
  // expected-error @+3 {{expected acc, max and sum in outs, got 1 operands}}
  %0 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%q : tensor<4x8xf32>)
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
