#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x20xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x20x20xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.59460355750136051 : f64
    %0 = tensor.empty() : tensor<1x2x20x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_3 : f64 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x2x20x8xf32>
    %2 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%2 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x20xf32>) outs(%2 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_3 : f64 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_4 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %4 = tensor.empty() : tensor<2x20x20xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%5 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %7 = tensor.empty() : tensor<1x2x20x20xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %arg3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.addf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %9 = tensor.empty() : tensor<1x2x20xi64>
    %10 = linalg.fill ins(%c0_i64 : i64) outs(%9 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %11 = tensor.empty() : tensor<1x2x20xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %13:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x2x20x20xf32>) outs(%12, %10 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %41 = linalg.index 3 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_20 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %13#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.subf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x20x20xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %16 = tensor.empty() : tensor<1x2x20x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.divf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %20 = tensor.empty() : tensor<1x2x20x20xi1>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: f32, %out: i1):
      %41 = arith.extf %in : f32 to f64
      %42 = arith.cmpf oeq, %41, %cst_2 : f64
      linalg.yield %42 : i1
    } -> tensor<1x2x20x20xi1>
    %22 = tensor.empty() : tensor<1x2x20x1xi1>
    %23 = linalg.fill ins(%true : i1) outs(%22 : tensor<1x2x20x1xi1>) -> tensor<1x2x20x1xi1>
    %24 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x20x20xi1>) outs(%23 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %41 = arith.andi %in, %out : i1
      linalg.yield %41 : i1
    } -> tensor<1x2x20x1xi1>
    %25 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %cst_1, %19 : tensor<1x2x20x1xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_20: f32, %in_21: f32, %out: f32):
      %41 = arith.select %in, %in_20, %in_21 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %26 = tensor.empty() : tensor<2x20x8xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %28 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%27 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%4 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %29 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%27 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %30 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%30 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %31 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%5 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.mulf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.mulf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%7 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %41 = arith.subf %in, %in_20 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_15 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%30 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %36 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %37 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%36 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%26 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %38 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%27 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_18 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x8x20xf32>) outs(%2 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_3 : f64 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x2x8x20xf32>
    %transposed_19 = linalg.transpose ins(%39 : tensor<1x2x8x20xf32>) outs(%0 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_3 : f64 to f32
      %42 = arith.mulf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<1x2x20x8xf32>
    return %expanded_8, %40, %transposed_19, %expanded_12, %35 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>
  }
}
