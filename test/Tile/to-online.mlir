// RUN: attn-opt %s -attn-to-online | FileCheck %s

// An attention becomes: identity state, one fold over all keys, finish.

// CHECK-LABEL: func @plain
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<8x32xf16>, %[[K:[^:]+]]: tensor<9x32xf16>, %[[V:[^:]+]]: tensor<9x16xf16>, %[[O:[^:]+]]: tensor<8x16xf16>
func.func @plain(%q: tensor<8x32xf16>, %k: tensor<9x32xf16>, %v: tensor<9x16xf16>, %o: tensor<8x16xf16>) -> tensor<8x16xf16> {
  // CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[INF:.+]] = arith.constant 0xFF800000 : f32
  // CHECK-DAG: %[[ACC:.+]] = linalg.fill ins(%[[ZERO]] : f32) outs({{.*}} : tensor<8x16xf32>)
  // CHECK-DAG: %[[MAX:.+]] = linalg.fill ins(%[[INF]] : f32) outs({{.*}} : tensor<8xf32>)
  // CHECK:     %[[S:.+]]:3 = attn.online_attention {scale = 1.250000e-01, tiling = #attn.tiling<query_block = [4]
  // CHECK-SAME:  ins(%[[Q]], %[[K]], %[[V]] :
  // CHECK-SAME:  outs(%[[ACC]], %[[MAX]],
  // CHECK:     %[[R:.+]] = attn.finish {empty_rows = zero, tiling
  // CHECK-SAME:  ins(%[[S]]#0, %[[S]]#1, %[[S]]#2 :
  // CHECK-SAME:  outs(%[[O]] : tensor<8x16xf16>)
  // CHECK:     return %[[R]]
  %r = attn.attention {scale = 0.125, empty_rows = zero, tiling = #attn.tiling<query_block = 4, key_block = 3>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<8x32xf16>, tensor<9x32xf16>, tensor<9x16xf16>) outs(%o : tensor<8x16xf16>)
  return %r : tensor<8x16xf16>
}

// A sink is the initial state: max = sink, sum = 1, or the identity where it is -inf.

// CHECK-LABEL: func @sink
func.func @sink(%q: tensor<3x8x32xf32>, %k: tensor<9x32xf32>, %v: tensor<9x16xf32>, %s: tensor<3xf16>, %o: tensor<3x8x16xf32>, %l: tensor<8x3xf32>) -> (tensor<3x8x16xf32>, tensor<8x3xf32>) {
  // CHECK:     %[[STATE:.+]]:2 = linalg.generic {{.*}} ins({{.*}} : tensor<3xf16>) outs({{.*}} : tensor<8x3xf32>, tensor<8x3xf32>)
  // CHECK:       %[[E:.+]] = arith.extf
  // CHECK:       %[[ABSENT:.+]] = arith.cmpf oeq, %[[E]]
  // CHECK:       %[[SUM:.+]] = arith.select %[[ABSENT]]
  // CHECK:       linalg.yield %[[E]], %[[SUM]]
  // CHECK:     attn.online_attention
  // CHECK-SAME:  outs(%{{.*}}, %[[STATE]]#0, %[[STATE]]#1 :
  // CHECK-NOT: sink(
  %r:2 = attn.attention maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g), -> (g, m, d), -> (m, g)]
      ins(%q, %k, %v : tensor<3x8x32xf32>, tensor<9x32xf32>, tensor<9x16xf32>) sink(%s : tensor<3xf16>)
      outs(%o, %l : tensor<3x8x16xf32>, tensor<8x3xf32>)
  return %r#0, %r#1 : tensor<3x8x16xf32>, tensor<8x3xf32>
}
