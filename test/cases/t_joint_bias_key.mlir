#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x1x1x20xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x1x1x20xf32>) {
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
      %36 = arith.truncf %cst_1 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %arg3 : tensor<1x2x20x20xf32>, tensor<1x1x1x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.addf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %7 = tensor.empty() : tensor<1x2x20xi64>
    %8 = linalg.fill ins(%c0_i64 : i64) outs(%7 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %9 = tensor.empty() : tensor<1x2x20xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %11:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x2x20x20xf32>) outs(%10, %8 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %36 = linalg.index 3 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.maximumf %in, %out : f32
      %39 = arith.cmpf ogt, %in, %out : f32
      %40 = arith.select %39, %37, %out_18 : i64
      linalg.yield %38, %40 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_3 = tensor.expand_shape %11#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_3 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.subf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = tensor.empty() : tensor<1x2x20x1xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.divf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_4 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %18 = tensor.empty() : tensor<2x20x8xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %20 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%19 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_6 = tensor.expand_shape %20 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_7 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_8 = linalg.transpose ins(%collapsed_4 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %21 = linalg.batch_matmul ins(%transposed_8, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%19 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %22 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<2x20x8xf32>) outs(%22 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %23 = linalg.batch_matmul ins(%collapsed_7, %transposed_9 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_10 = tensor.expand_shape %21 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_11 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %17 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.mulf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.mulf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %36 = arith.subf %in, %in_18 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = tensor.empty() : tensor<1x1x1x20xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x1x1x20xf32>) -> tensor<1x1x1x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%29 : tensor<1x1x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x1x1x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.truncf %cst_1 : f64 to f32
      %37 = arith.mulf %in, %36 : f32
      linalg.yield %37 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_12 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_13 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%22 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %32 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %33 = linalg.batch_matmul ins(%transposed_13, %collapsed_12 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%32 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_2 : tensor<2x8x20xf32>) outs(%18 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %34 = linalg.batch_matmul ins(%collapsed_12, %transposed_14 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%19 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_15 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_16 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %35 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_17 = linalg.transpose ins(%expanded_15 : tensor<1x2x8x20xf32>) outs(%35 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_6, %expanded_16, %transposed_17, %expanded_10, %30 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x1x1x20xf32>
  }
}
