// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=computed_twice --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=penalty --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=gate --check | FileCheck %s --check-prefix=NUMBERS

// Joint graphs whose forward returns its log-sum-exp, or makes something of it: it is the
// attention's second result, and what its gradient adds to dS is the backward's dLSE.

// NUMBERS: result agrees

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// One maximum and one sum make O and the log-sum-exp.
// CHECK-LABEL: func @returned
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @returned(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %log0 = math.log %l0 : tensor<8xf32>
  %lse = arith.addf %most0, %log0 : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// torch: the softmax and logsumexp have a maximum each, one of them guarded, and the
// latter's gradient is that times exp(x - logsumexp).
// CHECK-LABEL: func @computed_twice
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @computed_twice(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %most1 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %size1 = math.absf %most1 : tensor<8xf32>
  %infs = arith.constant dense<0x7F800000> : tensor<8xf32>
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %is1 = arith.cmpf oeq, %size1, %infs : tensor<8xf32>
  %g1 = arith.select %is1, %none, %most1 : tensor<8xi1>, tensor<8xf32>
  %mb1 = linalg.broadcast ins(%g1 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y1 = arith.subf %s, %mb1 : tensor<8x8xf32>
  %e1 = math.exp %y1 : tensor<8x8xf32>
  %l1 = linalg.reduce { arith.addf } ins(%e1 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %log1 = math.log %l1 : tensor<8xf32>
  %lse = arith.addf %g1, %log1 : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %lseb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %z = arith.subf %s, %lseb : tensor<8x8xf32>
  %pl = math.exp %z : tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %pl, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// P itself is exp(x - logsumexp).
// CHECK-LABEL: func @only_lse_form
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @only_lse_form(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most1 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %size1 = math.absf %most1 : tensor<8xf32>
  %infs = arith.constant dense<0x7F800000> : tensor<8xf32>
  %none = arith.constant dense<0.0> : tensor<8xf32>
  %is1 = arith.cmpf oeq, %size1, %infs : tensor<8xf32>
  %g1 = arith.select %is1, %none, %most1 : tensor<8xi1>, tensor<8xf32>
  %mb1 = linalg.broadcast ins(%g1 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y1 = arith.subf %s, %mb1 : tensor<8x8xf32>
  %e1 = math.exp %y1 : tensor<8x8xf32>
  %l1 = linalg.reduce { arith.addf } ins(%e1 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %log1 = math.log %l1 : tensor<8xf32>
  %lse = arith.addf %g1, %log1 : tensor<8xf32>
  %lseb = linalg.broadcast ins(%lse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %z = arith.subf %s, %lseb : tensor<8x8xf32>
  %p = math.exp %z : tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// A logarithm of base two, in natural units.
// CHECK-LABEL: func @base_two
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @base_two(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %ln2 = arith.constant dense<0.693147182> : tensor<8xf32>
  %log2 = math.log2 %l0 : tensor<8xf32>
  %logn = arith.mulf %log2, %ln2 : tensor<8xf32>
  %lse = arith.addf %most0, %logn : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// The gradient of a penalty dlse lse^2 is computed from the log-sum-exp.
// CHECK-LABEL: func @penalty
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       linalg.generic {{.*}} ins(%[[F]]#1, %arg4
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %{{.*}} : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @penalty(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %log0 = math.log %l0 : tensor<8xf32>
  %lse = arith.addf %most0, %log0 : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %twice = arith.mulf %lse, %two : tensor<8xf32>
  %pen = arith.mulf %twice, %dlse : tensor<8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%pen : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// The output is gated by the logistic function of the log-sum-exp: dO and dLSE are
// computed from the attention's own results.
// CHECK-LABEL: func @gate
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%{{[0-9a-z]+}}, %{{[0-9a-z]+}} : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @gate(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %log0 = math.log %l0 : tensor<8xf32>
  %lse = arith.addf %most0, %log0 : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %ones = arith.constant dense<1.0> : tensor<8xf32>
  %minus = arith.negf %lse : tensor<8xf32>
  %eg = math.exp %minus : tensor<8xf32>
  %den = arith.addf %eg, %ones : tensor<8xf32>
  %gate = arith.divf %ones, %den : tensor<8xf32>
  %gateb = linalg.broadcast ins(%gate : tensor<8xf32>) outs(%md : tensor<8x6xf32>) dimensions = [1]
  %og = arith.mulf %o, %gateb : tensor<8x6xf32>
  %dog = arith.mulf %do, %gateb : tensor<8x6xf32>
  %oo = arith.mulf %do, %o : tensor<8x6xf32>
  %dgate = linalg.reduce { arith.addf } ins(%oo : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %less = arith.subf %ones, %gate : tensor<8xf32>
  %slope = arith.mulf %gate, %less : tensor<8xf32>
  %dl = arith.mulf %dgate, %slope : tensor<8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %dog : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%dog, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dl : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %og, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// JAX: the logarithm is of the sum's size, and where the sum is negative, another
// gradient flows. It is not negative.
// CHECK-LABEL: func @size_and_sign
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @size_and_sign(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %size = math.absf %l0 : tensor<8xf32>
  %log0 = math.log %size : tensor<8xf32>
  %lse = arith.addf %log0, %most0 : tensor<8xf32>
  %nothing = arith.constant dense<0.0> : tensor<8xf32>
  %ratio = arith.divf %dlse, %size : tensor<8xf32>
  %over = arith.cmpf oge, %l0, %nothing : tensor<8xf32>
  %yes = arith.select %over, %nothing, %ratio : tensor<8xi1>, tensor<8xf32>
  %no = arith.select %over, %ratio, %nothing : tensor<8xi1>, tensor<8xf32>
  %minus = arith.negf %yes : tensor<8xf32>
  %dlsum = arith.addf %no, %minus : tensor<8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlsum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %e0, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// O need not be there.
// CHECK-LABEL: func @no_output
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %arg4 : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @no_output(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %log0 = math.log %l0 : tensor<8xf32>
  %lse = arith.addf %most0, %log0 : tensor<8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %lse, %dq, %dk, %dv : tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// One number for all rows.
// CHECK-LABEL: func @one_gradient
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01
// CHECK-NOT:   8x8xf32
// CHECK:       %[[ALL:.*]] = linalg.generic {{.*}} ins(%arg4 : tensor<f32>)
// CHECK:       attn.attention_backward {{.*}} forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg3, %[[ALL]] : tensor<8x6xf32>, tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return
func.func @one_gradient(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %one: tensor<f32>) -> (tensor<8xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %s, %mb0 : tensor<8x8xf32>
  %e0 = math.exp %y0 : tensor<8x8xf32>
  %l0 = linalg.reduce { arith.addf } ins(%e0 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lb0 = linalg.broadcast ins(%l0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e0, %lb0 : tensor<8x8xf32>
  %log0 = math.log %l0 : tensor<8xf32>
  %lse = arith.addf %most0, %log0 : tensor<8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dall = linalg.broadcast ins(%one : tensor<f32>) outs(%r : tensor<8xf32>) dimensions = [0]
  %t = arith.mulf %p, %dp : tensor<8x8xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<8x8xf32>
  %dx0 = arith.subf %t, %u : tensor<8x8xf32>
  %dlseb = linalg.broadcast ins(%dall : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %lse, %dq : tensor<8xf32>, tensor<8x4xf32>
}
