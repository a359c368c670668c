#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 3.000000e-01 : f64
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
      %44 = arith.truncf %cst_1 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x20x20xf32>
    %expanded_3 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 2, 1, 1] : tensor<2xf32> into tensor<1x2x1x1xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_21: i64):
      %44 = linalg.index 3 : index
      %45 = arith.index_cast %44 : index to i64
      %46 = arith.maximumf %in, %out : f32
      %47 = arith.cmpf ogt, %in, %out : f32
      %48 = arith.select %47, %45, %out_21 : i64
      linalg.yield %46, %48 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_4 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = tensor.empty() : tensor<1x2x20x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4, %expanded_3 : tensor<1x2x20x1xf32>, tensor<1x2x1x1xf32>) outs(%11 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.cmpf ogt, %in, %in_21 : f32
      %45 = arith.select %44, %in, %in_21 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x20x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %12 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.subf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.exp %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%11 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3, %12 : tensor<1x2x1x1xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.subf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.exp %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %19 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.divf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_5 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %21 = tensor.empty() : tensor<2x20x8xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %23 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_7 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_8 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %24 = linalg.batch_matmul ins(%transposed_9, %collapsed_8 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %25 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x8xf32>) outs(%25 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %26 = linalg.batch_matmul ins(%collapsed_8, %transposed_10 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_11 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_12 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %19 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.divf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.negf %in : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %27 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %19 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.divf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %18 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x1xf32>
    %33 = tensor.empty() : tensor<1x2x1x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%32 : tensor<1x2x20x1xf32>) outs(%34 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x1x1xf32>
    %collapsed_13 = tensor.collapse_shape %31 [[0], [1], [2, 3]] : tensor<1x2x20x1xf32> into tensor<1x2x20xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_13 : tensor<1x2x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.addf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %14 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %44 = arith.mulf %in, %in_21 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1, 2, 3]] : tensor<1x2x1x1xf32> into tensor<2xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_1 : f64 to f32
      %45 = arith.mulf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_15 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%25 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %40 = linalg.fill ins(%cst : f32) outs(%25 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %41 = linalg.batch_matmul ins(%transposed_16, %collapsed_15 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%40 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed_2 : tensor<2x8x20xf32>) outs(%21 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %42 = linalg.batch_matmul ins(%collapsed_15, %transposed_17 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_18 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_19 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %43 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_18 : tensor<1x2x8x20xf32>) outs(%43 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_7, %expanded_19, %transposed_20, %expanded_11, %collapsed_14 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}
