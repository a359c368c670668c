#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 0x7FF0000000000000 : f64
    %cst_4 = arith.constant 3.000000e-01 : f64
    %cst_5 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_6 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %4 = tensor.empty() : tensor<1x2x20x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_4 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_24: i64):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.maximumf %in, %out : f32
      %61 = arith.cmpf ogt, %in, %out : f32
      %62 = arith.select %61, %59, %out_24 : i64
      linalg.yield %60, %62 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_7 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_7 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.subf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.divf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %17 = tensor.empty() : tensor<2x20x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %19 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_10 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.absf %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = tensor.empty() : tensor<1x2x20x1xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.extf %in : f32 to f64
      %59 = arith.cmpf oeq, %58, %cst_3 : f64
      linalg.yield %59 : i1
    } -> tensor<1x2x20x1xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %cst_2, %expanded_7 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_24: f32, %in_25: f32, %out: f32):
      %58 = arith.select %in, %in_24, %in_25 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.subf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.log %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %23 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.addf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %expanded_11 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 2, 1, 1] : tensor<2xf32> into tensor<1x2x1x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_11 : tensor<1x2x20x1xf32>, tensor<1x2x1x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.subf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.negf %in : f32
      %59 = math.exp %58 : f32
      %60 = arith.addf %59, %cst_1 : f32
      %61 = arith.divf %cst_1, %60 : f32
      linalg.yield %61 : f32
    } -> tensor<1x2x20x1xf32>
    %31 = tensor.empty() : tensor<1x2x20x8xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %30 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%31 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x8xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %expanded_10 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%31 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %30 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%31 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x8xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x20x8xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5, %30 : tensor<i64>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i64, %in_24: f32, %out: f32):
      %58 = arith.sitofp %in : i64 to f32
      %59 = arith.subf %58, %in_24 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %36 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %37 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.negf %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %40 = tensor.empty() : tensor<1x2x1x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%39 : tensor<1x2x20x1xf32>) outs(%41 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x1x1xf32>
    %collapsed_12 = tensor.collapse_shape %42 [[0, 1, 2, 3]] : tensor<1x2x1x1xf32> into tensor<2xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.subf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %44 : tensor<1x2x20x1xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_13 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_8 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %46 = linalg.batch_matmul ins(%transposed_14, %collapsed_13 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %47 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed_9 : tensor<2x20x8xf32>) outs(%47 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %48 = linalg.batch_matmul ins(%collapsed_13, %transposed_15 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_16 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_17 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x1xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %50 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.mulf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %51 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.subf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %52 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %58 = arith.addf %in, %in_24 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x20x20xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_4 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_18 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_19 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%47 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %55 = linalg.fill ins(%cst : f32) outs(%47 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %56 = linalg.batch_matmul ins(%transposed_19, %collapsed_18 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%55 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_20 = linalg.transpose ins(%collapsed_6 : tensor<2x8x20xf32>) outs(%17 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %57 = linalg.batch_matmul ins(%collapsed_18, %transposed_20 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_21 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_22 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_21 : tensor<1x2x8x20xf32>) outs(%31 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %32, %expanded_22, %transposed_23, %expanded_16, %collapsed_12 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}
