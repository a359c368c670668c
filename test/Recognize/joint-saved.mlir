// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-opt %s -attn-recognize --remarks-filter=attn-recognize 2>&1 | FileCheck %s --check-prefix=ASSUMES
// RUN: attn-run %s --entry=output_and_lse --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=lse_alone --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=recomputed_output --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=with_lse_gradient --check | FileCheck %s --check-prefix=NUMBERS

// Backwards alone, which are given what their forward saved. Their numbers are those of any
// log-sum-exp: it is drawn at random here.
// NUMBERS: result agrees

// ASSUMES-COUNT-5: [Passed] attention-backward {{.*}}Assumes="A8 saved-rows"

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// O and the log-sum-exp are given: there is nothing to prove, attention_backward reads
// the same two.
// CHECK-LABEL: func @output_and_lse
// CHECK-NOT:   8x16xf32
// CHECK-NOT:   attn.attention {
// CHECK:       %[[G:.*]]:3 = attn.attention_backward {scale = 5.000000e-01{{.*}} forward(%arg4, %arg5 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3 : tensor<8x6xf32>)
// CHECK-NOT:   8x16xf32
// CHECK:       return %[[G]]#0, %[[G]]#1, %[[G]]#2
func.func @output_and_lse(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x16xf32>
  %nd = tensor.empty() : tensor<16x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %nk = tensor.empty() : tensor<16x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x16xf32>) -> tensor<8x16xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<16x6xf32>) -> tensor<16x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<16x4xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = arith.mulf %raw, %half : tensor<8x16xf32>
  %lb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %lb : tensor<8x16xf32>
  %p = math.exp %x : tensor<8x16xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x16xf32>, tensor<8x6xf32>) outs(%nd0 : tensor<16x6xf32>) -> tensor<16x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<16x6xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oo = arith.mulf %do, %o : tensor<8x6xf32>
  %d = linalg.reduce { arith.addf } ins(%oo : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x16xf32>, tensor<8x4xf32>) outs(%nk0 : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>
}

// A maximum and a sum are log-sum-exp's parts.
// CHECK-LABEL: func @maximum_and_sum
// CHECK-NOT:   8x16xf32
// CHECK:       %[[LSE:.*]] = linalg.generic
// CHECK:         math.log
// CHECK:         arith.addf
// CHECK-NOT:   attn.attention {
// CHECK:       attn.attention_backward {{.*}} forward(%arg4, %[[LSE]] : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x16xf32
// CHECK:       return
func.func @maximum_and_sum(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %max: tensor<8xf32>, %sum: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x16xf32>
  %nd = tensor.empty() : tensor<16x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %nk = tensor.empty() : tensor<16x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x16xf32>) -> tensor<8x16xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<16x6xf32>) -> tensor<16x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<16x4xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = arith.mulf %raw, %half : tensor<8x16xf32>
  %mb = linalg.broadcast ins(%max : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %mb : tensor<8x16xf32>
  %e = math.exp %x : tensor<8x16xf32>
  %tb = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %p = arith.divf %e, %tb : tensor<8x16xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x16xf32>, tensor<8x6xf32>) outs(%nd0 : tensor<16x6xf32>) -> tensor<16x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<16x6xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oo = arith.mulf %do, %o : tensor<8x6xf32>
  %d = linalg.reduce { arith.addf } ins(%oo : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x16xf32>, tensor<8x4xf32>) outs(%nk0 : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>
}

// Without O, it is computed again, and rescaled to what was given: P V, whatever it is.
// CHECK-LABEL: func @lse_alone
// CHECK-NOT:   8x16xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {empty_rows = zero, scale = 5.000000e-01}
// CHECK:       %[[O:.*]] = linalg.generic {{.*}} ins(%[[F]]#0, %[[F]]#1, %arg4 :
// CHECK:         %[[X:.*]] = arith.subf
// CHECK:         math.exp %[[X]]
// CHECK:       attn.attention_backward {scale = 5.000000e-01{{.*}} forward(%[[O]], %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x16xf32
// CHECK:       return
func.func @lse_alone(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x16xf32>
  %nd = tensor.empty() : tensor<16x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %nk = tensor.empty() : tensor<16x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x16xf32>) -> tensor<8x16xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<16x6xf32>) -> tensor<16x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<16x4xf32>) -> tensor<16x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<16x4xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = arith.mulf %raw, %half : tensor<8x16xf32>
  %lb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %lb : tensor<8x16xf32>
  %p = math.exp %x : tensor<8x16xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x16xf32>, tensor<8x6xf32>) outs(%nd0 : tensor<16x6xf32>) -> tensor<16x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<16x6xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %pp = arith.mulf %p, %dp : tensor<8x16xf32>
  %d = linalg.reduce { arith.addf } ins(%pp : tensor<8x16xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x16xf32>, tensor<8x4xf32>) outs(%nk0 : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>
}

// The output of the given log-sum-exp is a result.
// CHECK-LABEL: func @recomputed_output
// CHECK-NOT:   8x16xf32
// CHECK:       %[[F:.*]]:2 = attn.attention
// CHECK:       %[[O:.*]] = linalg.generic
// CHECK:       %[[G:.*]]:3 = attn.attention_backward {{.*}} forward(%[[O]], %arg4 :
// CHECK-NOT:   8x16xf32
// CHECK:       return %[[O]], %[[G]]#0
func.func @recomputed_output(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x16xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x16xf32>) -> tensor<8x16xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<16x4xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = arith.mulf %raw, %half : tensor<8x16xf32>
  %lb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %lb : tensor<8x16xf32>
  %p = math.exp %x : tensor<8x16xf32>
  %out = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<16x6xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %pp = arith.mulf %p, %dp : tensor<8x16xf32>
  %d = linalg.reduce { arith.addf } ins(%pp : tensor<8x16xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %out, %dq : tensor<8x6xf32>, tensor<8x4xf32>
}

// So may a gradient of the log-sum-exp be.
// CHECK-LABEL: func @with_lse_gradient
// CHECK-NOT:   8x16xf32
// CHECK:       attn.attention_backward {{.*}} forward(%arg4, %arg5 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg6 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x16xf32
// CHECK:       return
func.func @with_lse_gradient(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>, %dlse: tensor<8xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x16xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x16xf32>) -> tensor<8x16xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x16xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<16x4xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = arith.mulf %raw, %half : tensor<8x16xf32>
  %lb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %lb : tensor<8x16xf32>
  %p = math.exp %x : tensor<8x16xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<16x6xf32>) outs(%mn0 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oo = arith.mulf %do, %o : tensor<8x6xf32>
  %d = linalg.reduce { arith.addf } ins(%oo : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %dlb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %d1 = arith.subf %db, %dlb : tensor<8x16xf32>
  %c = arith.subf %dp, %d1 : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}
