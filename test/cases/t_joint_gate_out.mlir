#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
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
      %39 = arith.truncf %cst_2 : f64 to f32
      %40 = arith.mulf %in, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %39 = linalg.index 3 : index
      %40 = arith.index_cast %39 : index to i64
      %41 = arith.maximumf %in, %out : f32
      %42 = arith.cmpf ogt, %in, %out : f32
      %43 = arith.select %42, %40, %out_20 : i64
      linalg.yield %41, %43 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.subf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %in, %out : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.divf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %17 = tensor.empty() : tensor<2x20x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %19 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %20 = tensor.empty() : tensor<1x2x20x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.negf %in : f32
      %40 = math.exp %39 : f32
      %41 = arith.addf %40, %cst_1 : f32
      %42 = arith.divf %cst_1, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x2x20x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %21 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %expanded_8 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x8xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4, %21 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x8xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %21 : tensor<i64>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: i64, %in_20: f32, %out: f32):
      %39 = arith.sitofp %in : i64 to f32
      %40 = arith.subf %39, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %28 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %29 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%29 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %30 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %in, %out : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.mulf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %39 = arith.subf %in, %in_20 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.truncf %cst_2 : f64 to f32
      %40 = arith.mulf %in, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%29 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %36 = linalg.fill ins(%cst : f32) outs(%29 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %37 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%36 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%17 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %38 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_18 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_17 : tensor<1x2x8x20xf32>) outs(%20 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %22, %expanded_18, %transposed_19, %expanded_12, %27 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
