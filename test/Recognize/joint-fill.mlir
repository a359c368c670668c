// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --check | FileCheck %s --check-prefix=NUMBERS

// Every score of the first row is the fill, -1e9: its log-sum-exp is the fill in
// f32. The mask stays in the score function, and the backward measures the row's
// scores from it: 0, and a log-sum-exp of log 8, computed again if there is such
// a row.
// CHECK:       %[[F:.*]]:2 = attn.attention {scale = 5.000000e-01} maps
// CHECK:       arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:       %[[R:.*]] = linalg.generic {{.*}} ins(%[[F]]#1 : tensor<8xf32>)
// CHECK:       %[[ANY:.*]] = tensor.extract
// CHECK:       %[[LSE:.*]] = scf.if %[[ANY]] -> (tensor<8xf32>)
// CHECK:         %[[G:.*]]:2 = attn.attention
// CHECK-SAME:      extras(%[[R]] : tensor<8xf32>)
// CHECK:           arith.subf
// CHECK:         scf.yield %[[G]]#1
// CHECK:         scf.yield %[[F]]#1
// CHECK:       attn.attention_backward {scale = 5.000000e-01}
// CHECK-SAME:    extras(%[[R]] : tensor<8xf32>) forward(%[[F]]#0, %[[LSE]] : tensor<8x6xf32>, tensor<8xf32>)
// NUMBERS: agrees
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
    %c = arith.cmpi sgt, %m, %n : index
    linalg.yield %c : i1
  } -> tensor<8x8xi1>
  %inf = arith.constant dense<-1.0e9> : tensor<8x8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = arith.select %causal, %s, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %dsm = arith.select %causal, %dx, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
  %ds = arith.mulf %dsm, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq, %dk, %dv : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

