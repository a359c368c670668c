// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --check | FileCheck %s --check-prefix=VALUES

// Two attentions read one K; their outputs and their gradients of K are added.

// CHECK-NOT:     8x12xf32
// CHECK-COUNT-2: attn.attention_backward
// CHECK-NOT:     8x12xf32
// VALUES-COUNT-2: backward
// VALUES:        agrees
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
module {
  func.func @main(%arg0: tensor<2x8x4xf32>, %arg1: tensor<2x8x4xf32>, %arg2: tensor<2x12x4xf32>, %arg3: tensor<2x12x6xf32>, %arg4: tensor<2x12x6xf32>, %arg5: tensor<2x8x6xf32>, %arg6: tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x12x4xf32>, tensor<2x12x6xf32>, tensor<2x12x6xf32>) {
    %cst = arith.constant 2.500000e-01 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x8x12xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x8x4xf32>, tensor<2x12x4xf32>) outs(%1 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x12xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.mulf %in, %cst_1 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %4 = tensor.empty() : tensor<2x8xf32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x8x12xf32>) outs(%5 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.maximumf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %6 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.subf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.exp %in : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %9 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x8x12xf32>) outs(%9 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.divf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %12 = tensor.empty() : tensor<2x8x6xf32>
    %13 = linalg.fill ins(%cst_2 : f32) outs(%12 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11, %arg3 : tensor<2x8x12xf32>, tensor<2x12x6xf32>) outs(%13 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg5, %arg3 : tensor<2x8x6xf32>, tensor<2x12x6xf32>) outs(%1 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x12xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %11 : tensor<2x8x12xf32>, tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<2x8x12xf32>) outs(%9 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %17 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<2x8x12xf32>, tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.subf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.mulf %in, %cst_1 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %21 = tensor.empty() : tensor<2x8x4xf32>
    %22 = linalg.fill ins(%cst_2 : f32) outs(%21 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20, %arg2 : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%22 : tensor<2x8x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x4xf32>
    %24 = tensor.empty() : tensor<2x12x4xf32>
    %25 = linalg.fill ins(%cst_2 : f32) outs(%24 : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20, %arg0 : tensor<2x8x12xf32>, tensor<2x8x4xf32>) outs(%25 : tensor<2x12x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x12x4xf32>
    %27 = tensor.empty() : tensor<2x12x6xf32>
    %28 = linalg.fill ins(%cst_2 : f32) outs(%27 : tensor<2x12x6xf32>) -> tensor<2x12x6xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11, %arg5 : tensor<2x8x12xf32>, tensor<2x8x6xf32>) outs(%28 : tensor<2x12x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x12x6xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg2 : tensor<2x8x4xf32>, tensor<2x12x4xf32>) outs(%1 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x12xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.mulf %in, %cst : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%31 : tensor<2x8x12xf32>) outs(%5 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.maximumf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %32 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.subf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.exp %in : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<2x8x12xf32>) outs(%9 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %35 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.divf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36, %arg4 : tensor<2x8x12xf32>, tensor<2x12x6xf32>) outs(%13 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x6xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg6, %arg4 : tensor<2x8x6xf32>, tensor<2x12x6xf32>) outs(%1 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x12xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38, %36 : tensor<2x8x12xf32>, tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<2x8x12xf32>) outs(%9 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<2x8xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<2x8x12xf32>, tensor<2x8xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<2x8x12xf32>, tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.subf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x8x12xf32>) outs(%0 : tensor<2x8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.mulf %in, %cst : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x12xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43, %arg2 : tensor<2x8x12xf32>, tensor<2x12x4xf32>) outs(%22 : tensor<2x8x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x8x4xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43, %arg1 : tensor<2x8x12xf32>, tensor<2x8x4xf32>) outs(%25 : tensor<2x12x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x12x4xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36, %arg6 : tensor<2x8x12xf32>, tensor<2x8x6xf32>) outs(%28 : tensor<2x12x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.mulf %in, %in_3 : f32
      %50 = arith.addf %out, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<2x12x6xf32>
    %47 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %37 : tensor<2x8x6xf32>, tensor<2x8x6xf32>) outs(%12 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.addf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x6xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %45 : tensor<2x12x4xf32>, tensor<2x12x4xf32>) outs(%24 : tensor<2x12x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %49 = arith.addf %in, %in_3 : f32
      linalg.yield %49 : f32
    } -> tensor<2x12x4xf32>
    return %47, %23, %44, %48, %29, %46 : tensor<2x8x6xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x12x4xf32>, tensor<2x12x6xf32>, tensor<2x12x6xf32>
  }
}

