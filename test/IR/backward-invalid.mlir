// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @output_gradient(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>, %do: tensor<7x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C4: expected the map of operand}}
  %r:3 = "attn.attention_backward"(%q, %k, %v, %o, %l, %l, %q, %k, %v) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 3>, scale = 1.0, hidden = #attn.hidden<skip>, empty_rows = #attn.empty_rows<nan>, differentiate = array<i64>, static_origin = array<i64>, static_extents = array<i64>,
      maps = [affine_map<(m, n, k, d) -> (m, k)>, affine_map<(m, n, k, d) -> (n, k)>, affine_map<(m, n, k, d) -> (n, d)>, affine_map<(m, n, k, d) -> (m, d)>, affine_map<(m, n, k, d) -> (m)>]}> ({
    ^bb0(%s: f32):
      attn.yield %s : f32
  }) : (tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>, tensor<7x4xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>) -> (tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @destinations(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{B2: expected 3 destinations, for query, key, value, the sink and the extras in differentiate, got 2}}
  %r:2 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%o : tensor<7x4xf32>)
      outs(%q, %k : tensor<7x5xf32>, tensor<9x5xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @integer_extra(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %e: tensor<9xi32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{B3: expected extra 0 to be an array of floats to be differentiated, got 'tensor<9xi32>'}}
  %r:4 = attn.attention_backward {differentiate = array<i64: 0>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>) extras(%e : tensor<9xi32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%o : tensor<7x4xf32>)
      outs(%q, %k, %v, %e : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>, tensor<9xi32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @no_derivative(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{B4: expected ops with a derivative in the score region, got arith.remf}}
  %r:3 = attn.attention_backward
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%o : tensor<7x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      score (%s : f32) { %x = arith.remf %s, %s : f32  attn.yield %x : f32 }
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @sums(%q: tensor<7x5xf16>, %k: tensor<9x5xf16>, %o: tensor<7x5xf16>, %l: tensor<7xf32>, %dq: tensor<7x5xf32>, %dk: tensor<9x5xf16>) -> tensor<7x5xf32> {
  // expected-error @below {{S1: expected gradients to have elements of type 'f32', the accumulate type, got 'f16'}}
  %r:3 = attn.online_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<7x5xf16>, tensor<9x5xf16>, tensor<9x5xf16>)
      grad(%o : tensor<7x5xf16>) rows(%l, %l : tensor<7xf32>, tensor<7xf32>)
      outs(%dq, %dk, %dk : tensor<7x5xf32>, tensor<9x5xf16>, tensor<9x5xf16>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @delta_indexed_by_keys(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %o: tensor<7x5xf32>, %l: tensor<7xf32>, %d: tensor<9xf32>, %dq: tensor<7x5xf32>, %dk: tensor<9x5xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C7: expected dim d0 to have size 7 as in operand 0, got 9 in operand 5}}
  %r:3 = attn.online_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>)
      grad(%o : tensor<7x5xf32>) rows(%l, %d : tensor<7xf32>, tensor<9xf32>)
      outs(%dq, %dk, %dk : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @rows(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %o: tensor<7x5xf32>, %l: tensor<7xf32>) {
  %r:3 = attn.online_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>)
      grad(%o : tensor<7x5xf32>)
      // expected-error @below {{expected the log-sum-exp and delta in rows, got 1 operands}}
      rows(%l : tensor<7xf32>)
      outs(%q, %k, %k : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x5xf32>)
  return
}

// -----

func.func @output_gradient_rows(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>, %do: tensor<6x4xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C7: expected dim d0 to have size 7 as in operand 0, got 6 in operand 5}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%do : tensor<6x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @output_gradient_rank(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>, %do: tensor<28xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C4: expected the map of operand 5 to have 1 results, its operand's rank, got 2}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%do : tensor<28xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @lse_rows(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<6xf32>, %do: tensor<7x4xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C7: expected dim d0 to have size 7 as in operand 0, got 6 in operand 4}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<6xf32>) grad(%do : tensor<7x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @lse_rank(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7x1xf32>, %do: tensor<7x4xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C4: expected the map of operand 4 to have 2 results, its operand's rank, got 1}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7x1xf32>) grad(%do : tensor<7x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @lse_of_keys(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<9xf32>, %do: tensor<7x4xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C9: expected the map of the log-sum-exp to be a permutation of the batch and row dims (d0), got}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (n)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<9xf32>) grad(%do : tensor<7x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @lse_type(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf16>, %do: tensor<7x4xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C9: expected the log-sum-exp to have elements of type 'f32', the accumulate type, got 'f16'}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf16>) grad(%do : tensor<7x4xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}

// -----

func.func @lse_gradient(%q: tensor<7x5xf32>, %k: tensor<9x5xf32>, %v: tensor<9x4xf32>, %o: tensor<7x4xf32>, %l: tensor<7xf32>, %do: tensor<7x4xf32>, %dl: tensor<9xf32>) -> tensor<7x5xf32> {
  // expected-error @below {{C7: expected dim d0 to have size 7 as in operand 0, got 9 in operand 6}}
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
      forward(%o, %l : tensor<7x4xf32>, tensor<7xf32>) grad(%do, %dl : tensor<7x4xf32>, tensor<9xf32>)
      outs(%q, %k, %v : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>)
  return %r#0 : tensor<7x5xf32>
}
