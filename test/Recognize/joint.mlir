// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// Forward and backward in one function become attn.attention and
// attn.attention_backward; no tensor of rows x keys is left.

// CHECK-LABEL: func @torch
// torch: dS = t - P rowsum(t), t = dP P; the output is returned, too.
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01}
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {scale = 5.000000e-01
// CHECK-SAME:  forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3 : tensor<8x6xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @torch(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @jax
// JAX: the division is differentiated, through 1 / (l l). No output is returned.
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01}
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {scale = 5.000000e-01
// CHECK-SAME:  forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3 : tensor<8x6xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @jax(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %maxb = linalg.broadcast ins(%max : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %shifted = arith.subf %s, %maxb : tensor<8x8xf32>
  %e = math.exp %shifted : tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<8x8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %l2 = arith.mulf %l, %l : tensor<8xf32>
  %il2 = arith.divf %one, %l2 : tensor<8xf32>
  %il2b = linalg.broadcast ins(%il2 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %a = arith.mulf %dp, %il2b : tensor<8x8xf32>
  %b = arith.mulf %a, %e : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%b : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %neg = arith.negf %sum : tensor<8xf32>
  %negb = linalg.broadcast ins(%neg : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.divf %dp, %lb : tensor<8x8xf32>
  %de = arith.addf %c, %negb : tensor<8x8xf32>
  %dx = arith.mulf %de, %e : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @by_hand
// By hand: P (dP - rowsum); scaled last; only dQ is asked for.
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01}
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {scale = 5.000000e-01
// CHECK-SAME:  forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3 : tensor<8x6xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @by_hand(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %centred = arith.subf %dp, %row : tensor<8x8xf32>
  %ds = arith.mulf %p, %centred : tensor<8x8xf32>
  %dq1 = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %halfk = arith.constant dense<0.5> : tensor<8x4xf32>
  %dq = arith.mulf %dq1, %halfk : tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// CHECK:       #[[SET:.*]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @causal_select
// dS is masked, too: a row without keys would have dQ = 0.
// CHECK:       attn.attention {empty_rows = nan_select, scale
// CHECK-SAME:  visible = [#[[SET]]]
// CHECK:       attn.attention_backward {empty_rows = nan_select, scale
// CHECK-SAME:  visible = [#[[SET]]]
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @causal_select(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %i1 = tensor.empty() : tensor<8x8xi1>
  %causal = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%i1 : tensor<8x8xi1>) {
  ^bb0(%out: i1):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    linalg.yield %c : i1
  } -> tensor<8x8xi1>
  %inf = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = arith.select %causal, %s, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %dxm = arith.select %causal, %dx, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
  %ds = arith.mulf %dxm, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dv : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// CHECK:       #[[SET:.*]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @causal_open
// dS is not masked: P is 0 there, and a row without keys would be NaN.
// CHECK:       attn.attention {scale
// CHECK-SAME:  visible = [#[[SET]]]
// CHECK:       attn.attention_backward {scale
// CHECK-SAME:  visible = [#[[SET]]]
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @causal_open(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %i1 = tensor.empty() : tensor<8x8xi1>
  %causal = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} outs(%i1 : tensor<8x8xi1>) {
  ^bb0(%out: i1):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sge, %m, %n : index
    linalg.yield %c : i1
  } -> tensor<8x8xi1>
  %inf = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = arith.select %causal, %s, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dv : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @dropout
// A dropout mask from outside is the weight that the region yields.
// CHECK:       attn.attention_backward
// CHECK-SAME:  extras(%arg4 : tensor<8x8xf32>)
// CHECK-SAME:  score (%[[S:.*]]: f32, %[[DROP:.*]]: f32)
// CHECK:       %[[Z:.*]] = arith.mulf %[[DROP]]
// CHECK:       attn.yield %[[S]], %[[Z]] : f32, f32
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @dropout(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %drop: tensor<8x8xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p2 = arith.constant dense<2.0> : tensor<8x8xf32>
  %z = arith.mulf %drop, %p2 : tensor<8x8xf32>
  %pz = arith.mulf %p, %z : tensor<8x8xf32>
  %o = linalg.matmul ins(%pz, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%pz, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dpz = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = arith.mulf %dpz, %z : tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @soft_cap
// The derivative of the score function is part of dS.
// CHECK:       attn.attention_backward {scale = 5.000000e-01}
// CHECK:       math.tanh
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @soft_cap(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
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
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %y = math.tanh %s : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%y : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %yy = arith.mulf %y, %y : tensor<8x8xf32>
  %ones = arith.constant dense<1.0> : tensor<8x8xf32>
  %slope = arith.subf %ones, %yy : tensor<8x8xf32>
  %ds1 = arith.mulf %dx, %slope : tensor<8x8xf32>
  %ds = arith.mulf %ds1, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk : tensor<8x4xf32>, tensor<8x4xf32>
}
