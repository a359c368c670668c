#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x20xi1>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 8.000000e-01 : f64
    %cst_3 = arith.constant 0.35355339059327373 : f64
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
      %36 = arith.truncf %cst_3 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %36 = linalg.index 3 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.maximumf %in, %out : f32
      %39 = arith.cmpf ogt, %in, %out : f32
      %40 = arith.select %39, %37, %out_20 : i64
      linalg.yield %38, %40 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %36 = arith.subf %in, %in_20 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %36 = arith.divf %in, %in_20 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_2 : f64 to f32
      %37 = arith.divf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %17, %cst_1 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<f32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_20: f32, %in_21: f32, %out: f32):
      %36 = arith.select %in, %in_20, %in_21 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %18 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %19 = tensor.empty() : tensor<2x20x8xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %21 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%20 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %21 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %22 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%20 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %23 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%23 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %24 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %expanded_13, %cst_1 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<f32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_20: f32, %in_21: f32, %out: f32):
      %36 = arith.select %in, %in_20, %in_21 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_2 : f64 to f32
      %37 = arith.divf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %36 = arith.mulf %in, %in_20 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x1xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %36 = arith.mulf %in, %in_20 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %36 = arith.subf %in, %in_20 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_3 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%23 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %32 = linalg.fill ins(%cst : f32) outs(%23 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %33 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%32 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%19 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %34 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%20 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_18 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %35 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_17 : tensor<1x2x8x20xf32>) outs(%35 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_8, %expanded_18, %transposed_19, %expanded_12 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
