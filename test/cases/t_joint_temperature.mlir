#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x1x1xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x1x1xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 4.6051701859880918 : f64
    %cst_3 = arith.constant 9.9999999999999998E-13 : f64
    %cst_4 = arith.constant 5.000000e-01 : f32
    %cst_5 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x20x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.absf %in : f32
      %78 = math.powf %77, %cst_5 : f32
      %79 = arith.addf %78, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x20x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.powf %in, %cst_4 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_3 : f64 to f32
      %78 = arith.cmpf ult, %in, %77 : f32
      %79 = arith.select %78, %77, %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x20x1xf32>
    %5 = tensor.empty() : tensor<1x2x20x8xf32>
    %collapsed = tensor.collapse_shape %4 [[0], [1], [2, 3]] : tensor<1x2x20x1xf32> into tensor<1x2x20xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x2x20xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg1 : tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.absf %in : f32
      %78 = math.powf %77, %cst_5 : f32
      %79 = arith.addf %78, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x20x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.powf %in, %cst_4 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_3 : f64 to f32
      %78 = arith.cmpf ult, %in, %77 : f32
      %79 = arith.select %78, %77, %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x20x1xf32>
    %collapsed_6 = tensor.collapse_shape %10 [[0], [1], [2, 3]] : tensor<1x2x20x1xf32> into tensor<1x2x20xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_6 : tensor<1x2x20xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %13 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%12 : tensor<1x2x20x8xf32>) outs(%13 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_7 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_8 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %14 = tensor.empty() : tensor<2x20x20xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %16 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%15 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %17 = tensor.empty() : tensor<1x2x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x2x1x1xf32>) outs(%17 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.truncf %cst_2 : f64 to f32
      %78 = arith.cmpf ugt, %in, %77 : f32
      %79 = arith.select %78, %77, %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x1x1xf32>) outs(%17 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.exp %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1x1xf32>
    %20 = tensor.empty() : tensor<1x2x20x20xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %19 : tensor<1x2x20x20xf32>, tensor<1x2x1x1xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %22 = tensor.empty() : tensor<1x2x20xi64>
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %24 = tensor.empty() : tensor<1x2x20xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %26:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x20x20xf32>) outs(%25, %23 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_24: i64):
      %77 = linalg.index 3 : index
      %78 = arith.index_cast %77 : index to i64
      %79 = arith.maximumf %in, %out : f32
      %80 = arith.cmpf ogt, %in, %out : f32
      %81 = arith.select %80, %78, %out_24 : i64
      linalg.yield %79, %81 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_9 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_9 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.subf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.exp %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x2x20x20xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %29 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_10 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_11 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %31 = tensor.empty() : tensor<2x20x8xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %33 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%32 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_12 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_13 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_10 : tensor<2x20x20xf32>) outs(%14 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %34 = linalg.batch_matmul ins(%transposed_14, %collapsed_13 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%32 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %35 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed_11 : tensor<2x20x8xf32>) outs(%35 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %36 = linalg.batch_matmul ins(%collapsed_13, %transposed_15 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%15 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_16 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_17 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %30 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x20x20xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %38 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.subf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %expanded : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %19 : tensor<1x2x20x20xf32>, tensor<1x2x1x1xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x20xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%41 : tensor<1x2x20x20xf32>) outs(%43 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1x1xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %19 : tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) outs(%17 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1x1xf32>
    %46 = tensor.empty() : tensor<1x2x1x1xi1>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x2x1x1xf32>) outs(%46 : tensor<1x2x1x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %77 = arith.extf %in : f32 to f64
      %78 = arith.cmpf olt, %77, %cst_2 : f64
      linalg.yield %78 : i1
    } -> tensor<1x2x1x1xi1>
    %48 = linalg.generic {indexing_maps = [#map, #map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %45, %cst_1 : tensor<1x2x1x1xi1>, tensor<1x2x1x1xf32>, tensor<f32>) outs(%17 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %77 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x1x1xf32>
    %collapsed_18 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_19 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%35 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %49 = linalg.fill ins(%cst : f32) outs(%35 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %50 = linalg.batch_matmul ins(%transposed_19, %collapsed_18 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%49 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_20 = linalg.transpose ins(%collapsed_8 : tensor<2x8x20xf32>) outs(%31 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %51 = linalg.batch_matmul ins(%collapsed_18, %transposed_20 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%32 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_21 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_22 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_21 : tensor<1x2x8x20xf32>) outs(%5 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %11 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_23 : tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.negf %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %52 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_23, %11 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %57 = tensor.empty() : tensor<1x2x20x1xi1>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20x1xf32>) outs(%57 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %77 = arith.extf %in : f32 to f64
      %78 = arith.cmpf ogt, %77, %cst_3 : f64
      linalg.yield %78 : i1
    } -> tensor<1x2x20x1xi1>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %56, %cst_1 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<f32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %77 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %9 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20x1xf32>) outs(%57 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %77 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %77 : i1
    } -> tensor<1x2x20x1xi1>
    %62 = linalg.generic {indexing_maps = [#map1, #map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %cst_1, %60 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %77 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x2x20x1xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %63 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.addf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %6 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.negf %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %65 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %6 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x20x1xf32>) outs(%57 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %77 = arith.extf %in : f32 to f64
      %78 = arith.cmpf ogt, %77, %cst_3 : f64
      linalg.yield %78 : i1
    } -> tensor<1x2x20x1xi1>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %69, %cst_1 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<f32>) outs(%0 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %77 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.divf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x20x1xf32>) outs(%57 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %77 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %77 : i1
    } -> tensor<1x2x20x1xi1>
    %74 = linalg.generic {indexing_maps = [#map1, #map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %cst_1, %72 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %77 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x2x20x1xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.mulf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %75 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%5 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %77 = arith.addf %in, %in_24 : f32
      linalg.yield %77 : f32
    } -> tensor<1x2x20x8xf32>
    return %expanded_12, %76, %64, %expanded_16, %48 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x1x1xf32>
  }
}
