#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>, %arg4: tensor<1x2x20xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0x7FF0000000000000 : f64
    %cst_3 = arith.constant 3.000000e-01 : f64
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
      %46 = arith.truncf %cst_3 : f64 to f32
      %47 = arith.mulf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_23: i64):
      %46 = linalg.index 3 : index
      %47 = arith.index_cast %46 : index to i64
      %48 = arith.maximumf %in, %out : f32
      %49 = arith.cmpf ogt, %in, %out : f32
      %50 = arith.select %49, %47, %out_23 : i64
      linalg.yield %48, %50 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.subf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.divf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %17 = tensor.empty() : tensor<2x20x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %19 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.absf %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = tensor.empty() : tensor<1x2x20x1xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %46 = arith.extf %in : f32 to f64
      %47 = arith.cmpf oeq, %46, %cst_2 : f64
      linalg.yield %47 : i1
    } -> tensor<1x2x20x1xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %cst_1, %expanded_5 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_23: f32, %in_24: f32, %out: f32):
      %46 = arith.select %in, %in_23, %in_24 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x1xf32>
    %collapsed_9 = tensor.collapse_shape %23 [[0], [1], [2, 3]] : tensor<1x2x20x1xf32> into tensor<1x2x20xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.subf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%26 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20xf32>) outs(%8 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.log %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %collapsed_9 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%8 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.addf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20xf32>
    %expanded_10 = tensor.expand_shape %arg4 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %expanded_11 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_11 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.subf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %31 : tensor<1x2x20x1xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.mulf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_12 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_13 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %33 = linalg.batch_matmul ins(%transposed_13, %collapsed_12 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %34 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%34 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %35 = linalg.batch_matmul ins(%collapsed_12, %transposed_14 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_15 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_16 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.mulf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %37 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.mulf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %38 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.subf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %39 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %46 = arith.addf %in, %in_23 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x20x20xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_3 : f64 to f32
      %47 = arith.mulf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_17 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_18 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%34 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %42 = linalg.fill ins(%cst : f32) outs(%34 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %43 = linalg.batch_matmul ins(%transposed_18, %collapsed_17 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%42 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_19 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%17 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %44 = linalg.batch_matmul ins(%collapsed_17, %transposed_19 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_20 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_21 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %45 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_20 : tensor<1x2x8x20xf32>) outs(%45 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_8, %29, %expanded_21, %transposed_22, %expanded_15 : tensor<1x2x20x8xf32>, tensor<1x2x20xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
