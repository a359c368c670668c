#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x1x20x20xi1>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x20x20xf32>
    %cst_2 = arith.constant 0.59460355750136051 : f64
    %cst_3 = arith.constant 0xFFF0000000000000 : f64
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<1x1x20x20xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %cst_5, %cst_4 : tensor<1x1x20x20xi1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<1x1x20x20xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %43 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<1x1x20x20xf32>
    %2 = tensor.empty() : tensor<1x2x20x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x20x8xf32>) outs(%2 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x8xf32>
    %4 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%4 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x20xf32>) outs(%4 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_6 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %6 = tensor.empty() : tensor<2x20x20xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %8 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%7 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %9 = tensor.empty() : tensor<1x2x20x20xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %1 : tensor<1x2x20x20xf32>, tensor<1x1x20x20xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.addf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %11 = tensor.empty() : tensor<1x2x20xi64>
    %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %13 = tensor.empty() : tensor<1x2x20xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %15:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x2x20x20xf32>) outs(%14, %12 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_22: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_22 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_7 = tensor.expand_shape %15#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %expanded_7 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x20x20xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %18 = tensor.empty() : tensor<1x2x20x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<1x2x20x20xf32>) outs(%19 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.divf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %22 = tensor.empty() : tensor<1x2x20x20xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x2x20x20xf32>) outs(%22 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: f32, %out: i1):
      %43 = arith.extf %in : f32 to f64
      %44 = arith.cmpf oeq, %43, %cst_3 : f64
      linalg.yield %44 : i1
    } -> tensor<1x2x20x20xi1>
    %24 = tensor.empty() : tensor<1x2x20x1xi1>
    %25 = linalg.fill ins(%true : i1) outs(%24 : tensor<1x2x20x1xi1>) -> tensor<1x2x20x1xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x2x20x20xi1>) outs(%25 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %43 = arith.andi %in, %out : i1
      linalg.yield %43 : i1
    } -> tensor<1x2x20x1xi1>
    %27 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %cst_1, %21 : tensor<1x2x20x1xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %43 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %28 = tensor.empty() : tensor<2x20x8xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %30 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_10 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_11 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_12 = linalg.transpose ins(%collapsed_8 : tensor<2x20x20xf32>) outs(%6 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %31 = linalg.batch_matmul ins(%transposed_12, %collapsed_11 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %32 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_13 = linalg.transpose ins(%collapsed_9 : tensor<2x20x8xf32>) outs(%32 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %33 = linalg.batch_matmul ins(%collapsed_11, %transposed_13 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%7 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_14 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_15 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %27 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%19 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %35 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%9 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%32 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %38 = linalg.fill ins(%cst : f32) outs(%32 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %39 = linalg.batch_matmul ins(%transposed_17, %collapsed_16 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%38 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_18 = linalg.transpose ins(%collapsed_6 : tensor<2x8x20xf32>) outs(%28 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %40 = linalg.batch_matmul ins(%collapsed_16, %transposed_18 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_19 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_20 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x8x20xf32>) outs(%4 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x8x20xf32>
    %transposed_21 = linalg.transpose ins(%41 : tensor<1x2x8x20xf32>) outs(%2 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x2x20x8xf32>) outs(%2 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x8xf32>
    return %expanded_10, %42, %transposed_21, %expanded_14 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
