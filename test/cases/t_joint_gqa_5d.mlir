#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
module {
  func.func @main(%arg0: tensor<1x4x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x4x20x8xf32>) -> (tensor<1x4x20x8xf32>, tensor<1x4x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327373 : f64
    %expanded = tensor.expand_shape %arg1 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 20, 8] : tensor<1x2x20x8xf32> into tensor<1x2x1x20x8xf32>
    %0 = tensor.empty() : tensor<1x2x1x8x20xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x2x1x20x8xf32>) outs(%0 : tensor<1x2x1x8x20xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x4x20x8xf32> into tensor<4x20x8xf32>
    %1 = tensor.empty() : tensor<1x2x2x8x20xf32>
    %collapsed_2 = tensor.collapse_shape %transposed [[0], [1, 2], [3], [4]] : tensor<1x2x1x8x20xf32> into tensor<1x2x8x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<1x2x8x20xf32>) outs(%1 : tensor<1x2x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x8x20xf32>
    %collapsed_3 = tensor.collapse_shape %2 [[0, 1, 2], [3], [4]] : tensor<1x2x2x8x20xf32> into tensor<4x8x20xf32>
    %3 = tensor.empty() : tensor<4x20x20xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %5 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<4x20x8xf32>, tensor<4x8x20xf32>) outs(%4 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded_4 = tensor.expand_shape %5 [[0, 1, 2], [3], [4]] output_shape [1, 2, 2, 20, 20] : tensor<4x20x20xf32> into tensor<1x2x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x2x20x20xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x2x20x20xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_1 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x2x20x20xf32>
    %8 = tensor.empty() : tensor<1x2x2x20xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<1x2x2x20xi64>) -> tensor<1x2x2x20xi64>
    %10 = tensor.empty() : tensor<1x2x2x20xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x2x2x20xf32>) -> tensor<1x2x2x20xf32>
    %12:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<1x2x2x20x20xf32>) outs(%11, %9 : tensor<1x2x2x20xf32>, tensor<1x2x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_22: i64):
      %40 = linalg.index 4 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : f32
      %43 = arith.cmpf ogt, %in, %out : f32
      %44 = arith.select %43, %41, %out_22 : i64
      linalg.yield %42, %44 : f32, i64
    } -> (tensor<1x2x2x20xf32>, tensor<1x2x2x20xi64>)
    %expanded_5 = tensor.expand_shape %12#0 [[0], [1], [2], [3, 4]] output_shape [1, 2, 2, 20, 1] : tensor<1x2x2x20xf32> into tensor<1x2x2x20x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_5 : tensor<1x2x2x20x20xf32>, tensor<1x2x2x20x1xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %40 = arith.subf %in, %in_22 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x2x20x20xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %15 = tensor.empty() : tensor<1x2x2x20x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x2x2x20x1xf32>) -> tensor<1x2x2x20x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x2x20x20xf32>) outs(%16 : tensor<1x2x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<1x2x2x20x20xf32>, tensor<1x2x2x20x1xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %40 = arith.divf %in, %in_22 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %18 [[0, 1, 2], [3], [4]] : tensor<1x2x2x20x20xf32> into tensor<4x20x20xf32>
    %19 = tensor.empty() : tensor<1x2x2x20x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x20x8xf32>) outs(%19 : tensor<1x2x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x20x8xf32>
    %collapsed_7 = tensor.collapse_shape %20 [[0, 1, 2], [3], [4]] : tensor<1x2x2x20x8xf32> into tensor<4x20x8xf32>
    %21 = tensor.empty() : tensor<4x20x8xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %23 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%22 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %expanded_8 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 4, 20, 8] : tensor<4x20x8xf32> into tensor<1x4x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x4x20x8xf32> into tensor<4x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<4x20x20xf32>) outs(%3 : tensor<4x20x20xf32>) permutation = [0, 2, 1] 
    %24 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%22 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %25 = tensor.empty() : tensor<4x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<4x20x8xf32>) outs(%25 : tensor<4x8x20xf32>) permutation = [0, 2, 1] 
    %26 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<4x20x8xf32>, tensor<4x8x20xf32>) outs(%4 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded_12 = tensor.expand_shape %24 [[0, 1, 2], [3], [4]] output_shape [1, 2, 2, 20, 8] : tensor<4x20x8xf32> into tensor<1x2x2x20x8xf32>
    %27 = tensor.empty() : tensor<1x2x1x20x8xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<1x2x1x20x8xf32>) -> tensor<1x2x1x20x8xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x2x2x20x8xf32>) outs(%28 : tensor<1x2x1x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x1x20x8xf32>
    %expanded_13 = tensor.expand_shape %26 [[0, 1, 2], [3], [4]] output_shape [1, 2, 2, 20, 20] : tensor<4x20x20xf32> into tensor<1x2x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %18 : tensor<1x2x2x20x20xf32>, tensor<1x2x2x20x20xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %40 = arith.mulf %in, %in_22 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x2x2x20x20xf32>) outs(%16 : tensor<1x2x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %31 : tensor<1x2x2x20x20xf32>, tensor<1x2x2x20x1xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %40 = arith.mulf %in, %in_22 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30, %32 : tensor<1x2x2x20x20xf32>, tensor<1x2x2x20x20xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %40 = arith.subf %in, %in_22 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x2x20x20xf32>) outs(%6 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_1 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %34 [[0, 1, 2], [3], [4]] : tensor<1x2x2x20x20xf32> into tensor<4x20x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<4x20x8xf32>) outs(%25 : tensor<4x8x20xf32>) permutation = [0, 2, 1] 
    %35 = linalg.fill ins(%cst : f32) outs(%25 : tensor<4x8x20xf32>) -> tensor<4x8x20xf32>
    %36 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<4x8x20xf32>, tensor<4x20x20xf32>) outs(%35 : tensor<4x8x20xf32>) -> tensor<4x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_3 : tensor<4x8x20xf32>) outs(%21 : tensor<4x20x8xf32>) permutation = [0, 2, 1] 
    %37 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%22 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %expanded_17 = tensor.expand_shape %36 [[0, 1, 2], [3], [4]] output_shape [1, 2, 2, 8, 20] : tensor<4x8x20xf32> into tensor<1x2x2x8x20xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x1x8x20xf32>) -> tensor<1x2x1x8x20xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x2x8x20xf32>) outs(%38 : tensor<1x2x1x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x1x8x20xf32>
    %transposed_18 = linalg.transpose ins(%39 : tensor<1x2x1x8x20xf32>) outs(%27 : tensor<1x2x1x20x8xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_19 = tensor.collapse_shape %29 [[0], [1, 2], [3], [4]] : tensor<1x2x1x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0], [1, 2], [3], [4]] : tensor<1x2x1x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_21 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 4, 20, 8] : tensor<4x20x8xf32> into tensor<1x4x20x8xf32>
    return %expanded_8, %expanded_21, %collapsed_20, %collapsed_19 : tensor<1x4x20x8xf32>, tensor<1x4x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
