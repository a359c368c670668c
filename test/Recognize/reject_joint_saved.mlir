// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize 2>&1 | FileCheck %s

// Backwards alone that are given a tensor of rows x keys, and near misses of those
// that are given none. Each is left as it was.
// CHECK-NOT: {{^ *%.*}}attn.attention

// The probabilities themselves, as PyTorch's partitioners save them.
// CHECK: [Missed] attention-backward {{.*}}Function=probabilities | Reason="G1 joint-probabilities: its probabilities are given, as tensor<8x16xf32>: give it Q, K, V, the output and the log-sum-exp instead
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @probabilities(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %p: tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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

// -----

// The scores.
// CHECK: [Missed] attention-backward {{.*}}Function=scores | Reason="G1 joint-probabilities: its scores are given, as tensor<8x16xf32>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @scores(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %s: tensor<8x16xf32>, %max: tensor<8xf32>, %sum: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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
  %mb = linalg.broadcast ins(%max : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %x = arith.subf %s, %mb : tensor<8x16xf32>
  %e = math.exp %x : tensor<8x16xf32>
  %tb = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %p = arith.divf %e, %tb : tensor<8x16xf32>
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

// -----

// The sum is one of each key.
// CHECK: [Analysis] attention-backward {{.*}}Function=key_sum | Reason="G1 joint-probabilities
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @key_sum(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %max: tensor<8xf32>, %sum: tensor<16xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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
  %tb = linalg.broadcast ins(%sum : tensor<16xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [0]
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

// -----

// D of dO O O.
// CHECK: [Missed] attention-backward {{.*}}Function=squared | Reason="G3 joint-gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @squared(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>) {
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
  %oa = arith.mulf %do, %o : tensor<8x6xf32>
  %oo = arith.mulf %oa, %o : tensor<8x6xf32>
  %d = linalg.reduce { arith.addf } ins(%oo : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// The sum of dP over the keys, without P.
// CHECK: [Missed] attention-backward {{.*}}Function=plain_row_sum | Reason="G3 joint-gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @plain_row_sum(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>) {
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
  %d = linalg.reduce { arith.addf } ins(%dp : tensor<8x16xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<8xf32>) outs(%mn : tensor<8x16xf32>) dimensions = [1]
  %c = arith.subf %dp, %db : tensor<8x16xf32>
  %dx = arith.mulf %p, %c : tensor<8x16xf32>
  %ds = arith.mulf %dx, %half : tensor<8x16xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x16xf32>, tensor<16x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}
