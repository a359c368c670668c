// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --check | FileCheck %s --check-prefix=EXEC

// An attention as IREE takes its own op apart: an online state that starts without
// keys and is rescaled to the first and only block, 0 * exp2(c - max(c, m)).

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<2x5x4xf32>, %[[K:[^:]+]]: tensor<2x7x4xf32>, %[[V:[^:]+]]: tensor<2x7x6xf32>, %[[BIAS:[^:]+]]: tensor<2x5x7xf32>
// CHECK:         attn.attention
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-SAME:      extras(%[[BIAS]] :
// CHECK-NOT:     linalg
// EXEC: {{^}}result     agrees

#map = affine_map<(d0, d1, d2) -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<2x5x4xf32>, %arg1: tensor<2x7x4xf32>, %arg2: tensor<2x7x6xf32>, %arg3: tensor<2x5x7xf32>) -> tensor<2x5x6xf32> {
    %cst = arith.constant 0.72134751 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 1.44269502 : f32
    %cst_2 = arith.constant -3.40282347E+38 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x5x6xf32>
    %1 = tensor.empty() : tensor<2x5xf32>
    %2 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %3 = linalg.fill ins(%cst_2 : f32) outs(%1 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %4 = linalg.fill ins(%cst_3 : f32) outs(%1 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : f32) outs(%arg0 : tensor<2x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.mulf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<2x5x4xf32>
    %6 = tensor.empty() : tensor<2x5x7xf32>
    %7 = linalg.fill ins(%cst_3 : f32) outs(%6 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %arg1 : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%7 : tensor<2x5x7xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %18 = arith.mulf %in, %in_4 : f32
      %19 = arith.addf %18, %out : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x7xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x5x7xf32>) outs(%8 : tensor<2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.mulf %in, %cst_1 : f32
      %19 = arith.addf %out, %18 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x7xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x5x7xf32>) outs(%3 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.maximumf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<2x5xf32>
    %11 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<2x5xf32>) outs(%3 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.subf %out, %in : f32
      %19 = math.exp2 %18 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5xf32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x5xf32>) outs(%4 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.mulf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<2x5xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x5xf32>) outs(%9 : tensor<2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.subf %out, %in : f32
      %19 = math.exp2 %18 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x7xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<2x5x7xf32>) outs(%12 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.addf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<2x5xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x5xf32>) outs(%2 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.mulf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<2x5x6xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map3, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%13, %arg2 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%15 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %18 = arith.mulf %in, %in_4 : f32
      %19 = arith.addf %18, %out : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x6xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %16 : tensor<2x5xf32>, tensor<2x5x6xf32>) outs(%0 : tensor<2x5x6xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %18 = arith.divf %cst_0, %in : f32
      %19 = arith.mulf %18, %in_4 : f32
      linalg.yield %19 : f32
    } -> tensor<2x5x6xf32>
    return %17 : tensor<2x5x6xf32>
  }
}

