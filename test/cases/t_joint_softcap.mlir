#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327373 : f64
    %cst_2 = arith.constant 3.000000e+01 : f32
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
      %40 = arith.truncf %cst_1 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_2 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.tanh %in : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.mulf %in, %cst_2 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %9 = tensor.empty() : tensor<1x2x20xi64>
    %10 = linalg.fill ins(%c0_i64 : i64) outs(%9 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %11 = tensor.empty() : tensor<1x2x20xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %13:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x20x20xf32>) outs(%12, %10 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %40 = linalg.index 3 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : f32
      %43 = arith.cmpf ogt, %in, %out : f32
      %44 = arith.select %43, %41, %out_20 : i64
      linalg.yield %42, %44 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %13#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.subf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %16 = tensor.empty() : tensor<1x2x20x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.divf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %20 = tensor.empty() : tensor<2x20x8xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %22 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %23 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %24 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%24 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %25 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %19 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.mulf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.mulf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.subf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.mulf %in, %cst_2 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.mulf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3, %31 : tensor<i64>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i64, %in_20: f32, %out: f32):
      %40 = arith.sitofp %in : i64 to f32
      %41 = arith.subf %40, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %40 = arith.mulf %in, %in_20 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_2 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_1 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%24 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %36 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %37 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%36 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%20 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %38 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_18 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %39 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_17 : tensor<1x2x8x20xf32>) outs(%39 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_8, %expanded_18, %transposed_19, %expanded_12 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
