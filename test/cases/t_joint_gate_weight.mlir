#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map6 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<20x20xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<20x20xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 3.000000e-01 : f64
    %cst_3 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %4 = tensor.empty() : tensor<1x2x20x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_21: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_21 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.subf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.divf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = tensor.empty() : tensor<20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<20x20xf32>) outs(%17 : tensor<20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.negf %in : f32
      %44 = math.exp %43 : f32
      %45 = arith.addf %44, %cst_1 : f32
      %46 = arith.divf %cst_1, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<20x20xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<1x2x20x20xf32>, tensor<20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %20 = tensor.empty() : tensor<2x20x8xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %22 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %23 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %24 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%24 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %25 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %18 : tensor<1x2x20x20xf32>, tensor<20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = tensor.empty() : tensor<1x1x20x20xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x1x20x20xf32>) -> tensor<1x1x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["reduction", "reduction", "parallel", "parallel"]} ins(%26 : tensor<1x2x20x20xf32>) outs(%29 : tensor<1x1x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x1x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %30 [[0, 1, 2], [3]] : tensor<1x1x20x20xf32> into tensor<20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_3, %18 : tensor<i64>, tensor<20x20xf32>) outs(%17 : tensor<20x20xf32>) {
    ^bb0(%in: i64, %in_21: f32, %out: f32):
      %43 = arith.sitofp %in : i64 to f32
      %44 = arith.subf %43, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%18, %31 : tensor<20x20xf32>, tensor<20x20xf32>) outs(%17 : tensor<20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_14, %32 : tensor<20x20xf32>, tensor<20x20xf32>) outs(%17 : tensor<20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %35 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.mulf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %43 = arith.subf %in, %in_21 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_15 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%24 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %39 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %40 = linalg.batch_matmul ins(%transposed_16, %collapsed_15 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%39 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%20 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %41 = linalg.batch_matmul ins(%collapsed_15, %transposed_17 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_18 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_19 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %42 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_18 : tensor<1x2x8x20xf32>) outs(%42 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_8, %expanded_19, %transposed_20, %expanded_12, %33 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<20x20xf32>
  }
}
