// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s
// RUN: attn-opt %s -split-input-file > %t.before
// RUN: attn-opt %s -attn-recognize -split-input-file > %t.after
// RUN: diff %t.before %t.after

// Near misses of joint graphs. What is declined stays as it was.

// G3: the Jacobian of a softmax over the rows: t - P colsum(t).
// CHECK-LABEL: func @column_sum
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @column_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G3 joint-gradient: {{.*}}neither dQ nor dK}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [0]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [0]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G3: dS^T K.
// CHECK-LABEL: func @transposed
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G3 joint-gradient}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul indexing_maps = [affine_map<(m, k, n) -> (n, m)>, affine_map<(m, k, n) -> (n, k)>, affine_map<(m, k, n) -> (m, k)>] ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G3: the derivative of the scale is missing.
// CHECK-LABEL: func @no_scale
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @no_scale(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G3 joint-gradient}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%dx, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G3: half of the row sum is subtracted.
// CHECK-LABEL: func @half_row_sum
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @half_row_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G3 joint-gradient}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %h = arith.mulf %row, %half : tensor<8x8xf32>
  %u = arith.mulf %p, %h : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G3: the backward drops other elements than the forward.
// CHECK-LABEL: func @other_mask
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @other_mask(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %drop: tensor<8x8xf32>, %other: tensor<8x8xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G3 joint-gradient}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p2 = arith.constant dense<2.0> : tensor<8x8xf32>
  %z = arith.mulf %drop, %p2 : tensor<8x8xf32>
  %pz = arith.mulf %p, %z : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %o = linalg.matmul ins(%pz, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dpz = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = arith.mulf %dpz, %other : tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq : tensor<8x6xf32>, tensor<8x4xf32>
}

// -----

// O14: dS is returned, too.
// CHECK-LABEL: func @returns_ds
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @returns_ds(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{O14 no-other-use: {{.*}}func.return}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %ds : tensor<8x4xf32>, tensor<8x8xf32>
}

// -----

// O14: P is returned, too.
// CHECK-LABEL: func @returns_p
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @returns_p(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{O14 no-other-use: {{.*}}func.return}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %p : tensor<8x4xf32>, tensor<8x8xf32>
}

// -----

// G1: an exponential that nothing normalises.
// CHECK-LABEL: func @no_softmax
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @no_softmax(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G1 joint-probabilities: {{.*}}no sum}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = math.exp %s : tensor<8x8xf32>
  %t = arith.mulf %dp, %e : tensor<8x8xf32>
  %ds = arith.mulf %t, %half : tensor<8x8xf32>
  // expected-remark @below {{Analysis}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G2: dP is a sum of two products.
// CHECK-LABEL: func @two_outputs
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @two_outputs(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G2 joint-output-gradient: {{.*}}two contractions}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp1 = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp2 = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%v, %do : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = arith.addf %dp1, %dp2 : tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G4: row 0 has no key; its fills are probabilities of 1/8, through which dS would flow.
// CHECK-LABEL: func @fill_not_masked
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @fill_not_masked(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G4 joint-rows}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %i1 = tensor.empty() : tensor<8x8xi1>
  %causal = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%i1 : tensor<8x8xi1>) {
  ^bb0(%out: i1):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sgt, %m, %n : index
    linalg.yield %c : i1
  } -> tensor<8x8xi1>
  %inf = arith.constant dense<-1.0e9> : tensor<8x8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = arith.select %causal, %s, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// G5: V is computed from dV.
// CHECK-LABEL: func @late
// CHECK-NOT:   attn.attention
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @late(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  // expected-remark-re @below {{G5 joint-place}}
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %use = arith.negf %dv : tensor<8x6xf32>
  %v2 = arith.addf %use, %do : tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v2 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  // expected-remark @below {{Missed}}
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}
