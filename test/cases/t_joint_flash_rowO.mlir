#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327373 : f64
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %4 = tensor.empty() : tensor<1x2x20x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_1 : f64 to f32
      %31 = arith.mulf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %30 = linalg.index 3 : index
      %31 = arith.index_cast %30 : index to i64
      %32 = arith.maximumf %in, %out : f32
      %33 = arith.cmpf ogt, %in, %out : f32
      %34 = arith.select %33, %31, %out_20 : i64
      linalg.yield %32, %34 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_3 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_3 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %30 = arith.subf %in, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %30 = arith.divf %in, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_4 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %17 = tensor.empty() : tensor<2x20x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %19 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_6 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %20 = tensor.empty() : tensor<1x2x20x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %expanded_6 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%20 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %30 = arith.mulf %in, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x20x8xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x1xf32>
    %transposed_7 = linalg.transpose ins(%arg2 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_8 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %23 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_10 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %22 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %30 = arith.subf %in, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %24 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %30 = arith.mulf %in, %in_20 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_1 : f64 to f32
      %31 = arith.mulf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_11 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_12 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %27 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_13 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_14 = linalg.transpose ins(%26 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_15 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %28 = linalg.batch_matmul ins(%collapsed_15, %collapsed : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_16 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_17 = linalg.transpose ins(%16 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %29 = linalg.batch_matmul ins(%collapsed_18, %collapsed_8 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_19 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    return %expanded_6, %expanded_13, %expanded_16, %expanded_19 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
