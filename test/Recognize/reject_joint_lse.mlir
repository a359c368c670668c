// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize 2>&1 | FileCheck %s

// Near misses of joint graphs with a log-sum-exp and its gradient.

// What is added to dS has another number for each key.
// CHECK: attention-backward {{.*}}Function=of_keys | Reason="G3 joint-gradient: a product of the scores' gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @of_keys(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %dlseb = linalg.broadcast ins(%dlse : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [0]
  %w = arith.mulf %p, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// It is not multiplied by P.
// CHECK: attention-backward {{.*}}Function=not_times_p | Reason="G3 joint-gradient: a product of the scores' gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @not_times_p(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %w = arith.addf %dlseb, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// exp(x - maximum), without its sum, is not P times a number that stays.
// CHECK: attention-backward {{.*}}Function=of_another_shift | Reason="G3 joint-gradient: a product of the scores' gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @of_another_shift(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %w = arith.mulf %e0, %dlseb : tensor<8x8xf32>
  %dx = arith.addf %dx0, %w : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// dQ has it, dK has not.
// CHECK: attention-backward {{.*}}Function=key_only | Reason="G3 joint-gradient: a product of the scores' gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @key_only(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %ds0 = arith.mulf %dx0, %half : tensor<8x8xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds0, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// The logarithm of twice the sum is not the log-sum-exp; nothing else holds that.
// CHECK: attention-backward {{.*}}Function=half_the_sum | Reason="O14 no-other-use: the scores or probabilities are also used by func.return
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @half_the_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %twol = arith.addf %l0, %l0 : tensor<8xf32>
  %log0 = math.log %twol : tensor<8xf32>
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

// -----

// Data hides keys, perhaps all of a row: the log-sum-exp would be NaN there.
// CHECK: attention-backward {{.*}}Function=without_keys | Reason="G4 joint-rows: the log-sum-exp is used, and in a row without keys it would be NaN, not -inf
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @without_keys(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>, %mask: tensor<8x8xi1>) -> (tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %ninf = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %x = arith.select %mask, %s, %ninf : tensor<8x8xi1>, tensor<8x8xf32>
  %most0 = linalg.reduce { arith.maximumf } ins(%x : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %mb0 = linalg.broadcast ins(%most0 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %y0 = arith.subf %x, %mb0 : tensor<8x8xf32>
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
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %dxs = arith.select %mask, %dx, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
  %ds = arith.mulf %dxs, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// The sum without its maximum is no result of an attention.
// CHECK: attention-backward {{.*}}Function=sum_alone | Reason="O14 no-other-use: the scores or probabilities are also used by func.return
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @sum_alone(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %dlse: tensor<8xf32>) -> (tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  return %l0, %dq, %dk, %dv : tensor<8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}
