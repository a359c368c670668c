// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=powers_of_two --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=half --check | FileCheck %s --check-prefix=NUMBERS

// What a backward is given may be changed beside the keys: it is computed again by rows alone.
// NUMBERS: result agrees

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @powers_of_two
// CHECK:       attn.attention_backward
// CHECK-NOT:   8x16xf32
// CHECK:       return
func.func @powers_of_two(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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
  %cl = arith.constant dense<1.442695040888963> : tensor<8x16xf32>
  %s2 = arith.mulf %s, %cl : tensor<8x16xf32>
  %lb2 = arith.mulf %lb, %cl : tensor<8x16xf32>
  %x = arith.subf %s2, %lb2 : tensor<8x16xf32>
  %p = math.exp2 %x : tensor<8x16xf32>
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

// CHECK-LABEL: func @squared
// CHECK:       attn.attention_backward
// CHECK-NOT:   8x16xf32
// CHECK:       return
func.func @squared(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %max: tensor<8xf32>, %sum: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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
  %tb1 = arith.mulf %tb, %tb : tensor<8x16xf32>
  %p = arith.divf %e, %tb1 : tensor<8x16xf32>
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

// A tensor of rows and keys is not taken for one of rows.
// CHECK-LABEL: func @half
// CHECK-NOT:   attn.
// CHECK:       return
func.func @half(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>, %do: tensor<8x6xf32>, %o: tensor<8x6xf32>, %lse: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x6xf32>) {
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
  %lb1 = arith.mulf %lb, %half : tensor<8x16xf32>
  %x = arith.subf %s, %lb1 : tensor<8x16xf32>
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
