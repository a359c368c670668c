// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s -attn-decompose | FileCheck %s --check-prefix=LINALG

// CHECK-LABEL: func @gradients
// LINALG-LABEL: func @gradients
func.func @gradients(%q: tensor<3x7x5xf16>, %k: tensor<?x5xf16>, %v: tensor<?x4xf16>, %bias: tensor<3x?xf16>, %seed: i64, %sink: tensor<3xf32>, %len: index,
    %o: tensor<3x7x4xf16>, %l: tensor<3x7xf32>, %do: tensor<3x7x4xf16>, %dl: tensor<3x7xf32>,
    %dq: tensor<3x7x5xf32>, %dk: tensor<?x5xf32>, %dv: tensor<?x4xf16>, %ds: tensor<3xf32>, %db: tensor<3x?xf32>)
    -> (tensor<3x7x5xf32>, tensor<?x5xf32>, tensor<?x4xf16>, tensor<3xf32>, tensor<3x?xf32>) {
  // CHECK:      attn.attention_backward {differentiate = array<i64: 0>, empty_rows = zero, scale = 5.000000e-01, visible = [#{{.*}}]}
  // CHECK-SAME:   maps = [(m0, m1, n, k, d) -> (m0, m1, k), -> (n, k), -> (n, d), -> (m0, n), -> (), -> (m0), -> (m0, m1, d), -> (m0, m1)]
  // CHECK-SAME:   extras(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<3x?xf16>, i64) sink(%{{[a-z0-9]+}} : tensor<3xf32>) symbols(%{{[a-z0-9]+}} : index)
  // CHECK-SAME:   forward(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<3x7x4xf16>, tensor<3x7xf32>)
  // CHECK-SAME:   grad(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<3x7x4xf16>, tensor<3x7xf32>)
  // CHECK-SAME:   outs(
  // LINALG-NOT: attn.
  // LINALG:     return
  %r:5 = attn.attention_backward {scale = 0.5, empty_rows = zero, differentiate = array<i64: 0>,
                                  visible = [affine_set<(g, m, n)[G, M, N, L] : (L - 1 - n >= 0)>]}
      maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g, n), -> (), -> (g), -> (g, m, d), -> (g, m)]
      ins(%q, %k, %v : tensor<3x7x5xf16>, tensor<?x5xf16>, tensor<?x4xf16>) extras(%bias, %seed : tensor<3x?xf16>, i64)
      sink(%sink : tensor<3xf32>) symbols(%len : index)
      forward(%o, %l : tensor<3x7x4xf16>, tensor<3x7xf32>) grad(%do, %dl : tensor<3x7x4xf16>, tensor<3x7xf32>)
      outs(%dq, %dk, %dv, %ds, %db : tensor<3x7x5xf32>, tensor<?x5xf32>, tensor<?x4xf16>, tensor<3xf32>, tensor<3x?xf32>)
      score (%s : f32, %e : f16, %i : i64) {
        %w = arith.extf %e : f16 to f32
        %x = arith.addf %s, %w : f32
        %z = attn.keep %i, %i {p = 0.25} : f32
        attn.yield %x, %z : f32, f32
      }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<3x7x5xf32>, tensor<?x5xf32>, tensor<?x4xf16>, tensor<3xf32>, tensor<3x?xf32>
}

// CHECK-LABEL: func @buffers
// LINALG-LABEL: func @buffers
func.func @buffers(%q: memref<7x5xf32>, %k: memref<9x5xf32>, %v: memref<9x4xf32>, %o: memref<7x4xf32>, %l: memref<7xf32>) {
  // CHECK:  attn.attention_backward maps =
  // CHECK-SAME: outs(%{{.*}} : memref<7x5xf32>, memref<9x5xf32>, memref<9x4xf32>)
  attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<7x5xf32>, memref<9x5xf32>, memref<9x4xf32>)
      forward(%o, %l : memref<7x4xf32>, memref<7xf32>) grad(%o : memref<7x4xf32>)
      outs(%q, %k, %v : memref<7x5xf32>, memref<9x5xf32>, memref<9x4xf32>)
  return
}

// A block's contribution, added to running sums.
// CHECK-LABEL: func @block
// LINALG-LABEL: func @block
func.func @block(%q: tensor<7x5xbf16>, %k: tensor<9x5xbf16>, %v: tensor<9x4xbf16>, %bias: tensor<9xf16>, %i: index, %do: tensor<7x4xbf16>, %l: tensor<7xf32>, %delta: tensor<7xf32>,
    %dq: tensor<7x5xf32>, %dk: tensor<9x5xf32>, %dv: tensor<9x4xf32>, %db: tensor<9xf32>) -> (tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>, tensor<9xf32>) {
  // CHECK:      attn.online_backward {differentiate = array<i64: 0>, empty_rows = zero, scale = 5.000000e-01, visible = [#{{.*}}]}
  // CHECK-SAME:   maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d), -> (m)]
  // CHECK-SAME:   extras(%{{[a-z0-9]+}} : tensor<9xf16>) origin = [%{{[a-z0-9]+}}, 0, 0, 0] extents = [100, 9, 5, 4]
  // CHECK-SAME:   grad(%{{[a-z0-9]+}} : tensor<7x4xbf16>) rows(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<7xf32>, tensor<7xf32>)
  // CHECK-SAME:   outs(
  // LINALG-NOT: attn.
  // LINALG:     return
  %r:4 = attn.online_backward {scale = 0.5, empty_rows = zero, differentiate = array<i64: 0>, visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<7x5xbf16>, tensor<9x5xbf16>, tensor<9x4xbf16>) extras(%bias : tensor<9xf16>)
      origin = [%i, 0, 0, 0] extents = [100, 9, 5, 4]
      grad(%do : tensor<7x4xbf16>) rows(%l, %delta : tensor<7xf32>, tensor<7xf32>)
      outs(%dq, %dk, %dv, %db : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>, tensor<9xf32>)
      score (%s : f32, %e : f16) {
        %w = arith.extf %e : f16 to f32
        %x = arith.addf %s, %w : f32
        attn.yield %x : f32
      }
  return %r#0, %r#1, %r#2, %r#3 : tensor<7x5xf32>, tensor<9x5xf32>, tensor<9x4xf32>, tensor<9xf32>
}
