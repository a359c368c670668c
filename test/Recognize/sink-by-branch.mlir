// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --check | FileCheck %s --check-prefix=EXEC

// A sink as one key more, put beside the scores by a branch on the index, as the
// lowering of StableHLO's concatenate writes it.

// CHECK-LABEL: func.func public @main
// CHECK-SAME:    %[[SINK:[^:]+]]: tensor<4xf32>
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<4xf32>)
// CHECK-NOT:     linalg.generic
// EXEC: {{^}}result     agrees

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
module {
  func.func public @main(%arg0: tensor<2x4x10x8xf32>, %arg1: tensor<2x4x10x8xf32>, %arg2: tensor<2x4x10x8xf32>, %arg3: tensor<4xf32>) -> (tensor<2x4x10x8xf32>) {
    %c10 = arith.constant 10 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<3.500000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x10x10xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x4x10x10xf32>) -> tensor<2x4x10x10xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x4x10x8xf32>, tensor<2x4x10x8xf32>) outs(%1 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.mulf %in, %in_3 : f32
      %29 = arith.addf %out, %28 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x10x10xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x10xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x10x10xf32>, tensor<2x4x10x10xf32>) outs(%0 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.mulf %in, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10x10xf32>
    %5 = tensor.empty() : tensor<1x4x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<4xf32>) outs(%5 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x1x1xf32>
    %7 = tensor.empty() : tensor<2x4x10x1xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x4x1x1xf32>) outs(%7 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x1xf32>
    %9 = tensor.empty() : tensor<2x4x10x11xf32>
    %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%out: f32):
      %28 = linalg.index 0 : index
      %29 = linalg.index 1 : index
      %30 = linalg.index 2 : index
      %31 = linalg.index 3 : index
      %32 = arith.cmpi ult, %31, %c10 : index
      %33 = scf.if %32 -> (f32) {
        %extracted = tensor.extract %4[%28, %29, %30, %31] : tensor<2x4x10x10xf32>
        scf.yield %extracted : f32
      } else {
        %34 = arith.subi %31, %c10 : index
        %extracted = tensor.extract %8[%28, %29, %30, %34] : tensor<2x4x10x1xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %33 : f32
    } -> tensor<2x4x10x11xf32>
    %11 = tensor.empty() : tensor<2x4x10xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x10x11xf32>) outs(%12 : tensor<2x4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.maximumf %out, %in : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10xf32>
    %14 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%11 : tensor<2x4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10xf32>
    %15 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %13 : tensor<2x4x10xf32>, tensor<2x4x10xf32>) outs(%11 : tensor<2x4x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.maximumf %in, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10xf32>
    %16 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x4x10xf32>) outs(%7 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x1xf32>
    %17 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x10x1xf32>) outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x11xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %17 : tensor<2x4x10x11xf32>, tensor<2x4x10x11xf32>) outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.subf %in, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10x11xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x4x10x11xf32>) outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = math.exp %in : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10x11xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x4x10x11xf32>) outs(%20 : tensor<2x4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %28 = arith.addf %out, %in : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10xf32>
    %22 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x4x10xf32>) outs(%7 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x1xf32>
    %23 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x4x10x1xf32>) outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x10x11xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %23 : tensor<2x4x10x11xf32>, tensor<2x4x10x11xf32>) outs(%9 : tensor<2x4x10x11xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.divf %in, %in_3 : f32
      linalg.yield %28 : f32
    } -> tensor<2x4x10x11xf32>
    %extracted_slice = tensor.extract_slice %24[0, 0, 0, 0] [2, 4, 10, 10] [1, 1, 1, 1] : tensor<2x4x10x11xf32> to tensor<2x4x10x10xf32>
    %25 = tensor.empty() : tensor<2x4x10x8xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<2x4x10x8xf32>) -> tensor<2x4x10x8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg2 : tensor<2x4x10x10xf32>, tensor<2x4x10x8xf32>) outs(%26 : tensor<2x4x10x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %28 = arith.mulf %in, %in_3 : f32
      %29 = arith.addf %out, %28 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4x10x8xf32>
    return %27 : tensor<2x4x10x8xf32>
  }
}

