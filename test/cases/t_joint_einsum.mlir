#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x20x2x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x20x2x8xf32>) -> (tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327373 : f64
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 8, 1] : tensor<1x20x2x8xf32> into tensor<1x20x2x8x1xf32>
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 8, 1] : tensor<1x20x2x8xf32> into tensor<1x20x2x8x1xf32>
    %0 = tensor.empty() : tensor<2x20x8x1x1xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x20x2x8x1xf32>) outs(%0 : tensor<2x20x8x1x1xf32>) permutation = [2, 1, 3, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1], [2, 3, 4]] : tensor<2x20x8x1x1xf32> into tensor<2x20x8xf32>
    %1 = tensor.empty() : tensor<2x8x1x20x1xf32>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<1x20x2x8x1xf32>) outs(%1 : tensor<2x8x1x20x1xf32>) permutation = [2, 3, 0, 1, 4] 
    %collapsed_4 = tensor.collapse_shape %transposed_3 [[0], [1], [2, 3, 4]] : tensor<2x8x1x20x1xf32> into tensor<2x8x20xf32>
    %2 = tensor.empty() : tensor<2x20x20xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%3 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_5 = tensor.expand_shape %4 [[0], [1], [2, 3, 4]] output_shape [2, 20, 1, 1, 20] : tensor<2x20x20xf32> into tensor<2x20x1x1x20xf32>
    %5 = tensor.empty() : tensor<1x2x20x20x1xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<2x20x1x1x20xf32>) outs(%5 : tensor<1x2x20x20x1xf32>) permutation = [3, 0, 1, 4, 2] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0], [1], [2], [3, 4]] : tensor<1x2x20x20x1xf32> into tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20x20xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_7 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_1 : f64 to f32
      %39 = arith.mulf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %8 = tensor.empty() : tensor<1x2x20xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %10 = tensor.empty() : tensor<1x2x20xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %12:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<1x2x20x20xf32>) outs(%11, %9 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_40: i64):
      %38 = linalg.index 3 : index
      %39 = arith.index_cast %38 : index to i64
      %40 = arith.maximumf %in, %out : f32
      %41 = arith.cmpf ogt, %in, %out : f32
      %42 = arith.select %41, %39, %out_40 : i64
      linalg.yield %40, %42 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_8 = tensor.expand_shape %12#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_8 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %38 = arith.subf %in, %in_40 : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = math.exp %in : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = tensor.empty() : tensor<1x2x20x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x20x20xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %38 = arith.divf %in, %in_40 : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %expanded_9 = tensor.expand_shape %18 [[0], [1], [2], [3, 4]] output_shape [1, 2, 20, 20, 1] : tensor<1x2x20x20xf32> into tensor<1x2x20x20x1xf32>
    %expanded_10 = tensor.expand_shape %arg2 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 8, 1] : tensor<1x20x2x8xf32> into tensor<1x20x2x8x1xf32>
    %19 = tensor.empty() : tensor<2x20x20x1x1xf32>
    %transposed_11 = linalg.transpose ins(%expanded_9 : tensor<1x2x20x20x1xf32>) outs(%19 : tensor<2x20x20x1x1xf32>) permutation = [1, 2, 3, 0, 4] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3, 4]] : tensor<2x20x20x1x1xf32> into tensor<2x20x20xf32>
    %20 = tensor.empty() : tensor<2x20x1x8x1xf32>
    %transposed_13 = linalg.transpose ins(%expanded_10 : tensor<1x20x2x8x1xf32>) outs(%20 : tensor<2x20x1x8x1xf32>) permutation = [2, 1, 0, 3, 4] 
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3, 4]] : tensor<2x20x1x8x1xf32> into tensor<2x20x8xf32>
    %21 = tensor.empty() : tensor<2x20x8xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %23 = linalg.batch_matmul ins(%collapsed_12, %collapsed_14 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_15 = tensor.expand_shape %23 [[0], [1], [2, 3, 4]] output_shape [2, 20, 1, 1, 8] : tensor<2x20x8xf32> into tensor<2x20x1x1x8xf32>
    %24 = tensor.empty() : tensor<1x20x2x8x1xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x20x1x1x8xf32>) outs(%24 : tensor<1x20x2x8x1xf32>) permutation = [3, 1, 0, 4, 2] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2], [3, 4]] : tensor<1x20x2x8x1xf32> into tensor<1x20x2x8xf32>
    %expanded_18 = tensor.expand_shape %arg3 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 8, 1] : tensor<1x20x2x8xf32> into tensor<1x20x2x8x1xf32>
    %25 = tensor.empty() : tensor<2x20x1x1x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x20x2x8x1xf32>) outs(%25 : tensor<2x20x1x1x8xf32>) permutation = [2, 1, 4, 0, 3] 
    %collapsed_20 = tensor.collapse_shape %transposed_19 [[0], [1], [2, 3, 4]] : tensor<2x20x1x1x8xf32> into tensor<2x20x8xf32>
    %transposed_21 = linalg.transpose ins(%collapsed_12 : tensor<2x20x20xf32>) outs(%2 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %26 = linalg.batch_matmul ins(%transposed_21, %collapsed_20 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %27 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_22 = linalg.transpose ins(%collapsed_14 : tensor<2x20x8xf32>) outs(%27 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %28 = linalg.batch_matmul ins(%collapsed_20, %transposed_22 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%3 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_23 = tensor.expand_shape %26 [[0], [1], [2, 3, 4]] output_shape [2, 20, 1, 8, 1] : tensor<2x20x8xf32> into tensor<2x20x1x8x1xf32>
    %expanded_24 = tensor.expand_shape %28 [[0], [1], [2, 3, 4]] output_shape [2, 20, 20, 1, 1] : tensor<2x20x20xf32> into tensor<2x20x20x1x1xf32>
    %transposed_25 = linalg.transpose ins(%expanded_23 : tensor<2x20x1x8x1xf32>) outs(%24 : tensor<1x20x2x8x1xf32>) permutation = [2, 1, 0, 3, 4] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0], [1], [2], [3, 4]] : tensor<1x20x2x8x1xf32> into tensor<1x20x2x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_24 : tensor<2x20x20x1x1xf32>) outs(%5 : tensor<1x2x20x20x1xf32>) permutation = [3, 0, 1, 2, 4] 
    %collapsed_28 = tensor.collapse_shape %transposed_27 [[0], [1], [2], [3, 4]] : tensor<1x2x20x20x1xf32> into tensor<1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_28, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %38 = arith.mulf %in, %in_40 : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x20x20xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.addf %in, %out : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x1xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %30 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %38 = arith.mulf %in, %in_40 : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %38 = arith.subf %in, %in_40 : f32
      linalg.yield %38 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %38 = arith.truncf %cst_1 : f64 to f32
      %39 = arith.mulf %in, %38 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x20x20xf32>
    %expanded_29 = tensor.expand_shape %33 [[0], [1], [2], [3, 4]] output_shape [1, 2, 20, 20, 1] : tensor<1x2x20x20xf32> into tensor<1x2x20x20x1xf32>
    %34 = tensor.empty() : tensor<2x20x1x1x20xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x2x20x20x1xf32>) outs(%34 : tensor<2x20x1x1x20xf32>) permutation = [1, 2, 4, 0, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3, 4]] : tensor<2x20x1x1x20xf32> into tensor<2x20x20xf32>
    %transposed_32 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%27 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %35 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %36 = linalg.batch_matmul ins(%transposed_32, %collapsed_31 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%35 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_33 = linalg.transpose ins(%collapsed_4 : tensor<2x8x20xf32>) outs(%21 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %37 = linalg.batch_matmul ins(%collapsed_31, %transposed_33 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_34 = tensor.expand_shape %36 [[0], [1], [2, 3, 4]] output_shape [2, 8, 1, 20, 1] : tensor<2x8x20xf32> into tensor<2x8x1x20x1xf32>
    %expanded_35 = tensor.expand_shape %37 [[0], [1], [2, 3, 4]] output_shape [2, 20, 8, 1, 1] : tensor<2x20x8xf32> into tensor<2x20x8x1x1xf32>
    %transposed_36 = linalg.transpose ins(%expanded_34 : tensor<2x8x1x20x1xf32>) outs(%24 : tensor<1x20x2x8x1xf32>) permutation = [2, 3, 0, 1, 4] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1], [2], [3, 4]] : tensor<1x20x2x8x1xf32> into tensor<1x20x2x8xf32>
    %transposed_38 = linalg.transpose ins(%expanded_35 : tensor<2x20x8x1x1xf32>) outs(%24 : tensor<1x20x2x8x1xf32>) permutation = [3, 1, 0, 2, 4] 
    %collapsed_39 = tensor.collapse_shape %transposed_38 [[0], [1], [2], [3, 4]] : tensor<1x20x2x8x1xf32> into tensor<1x20x2x8xf32>
    return %collapsed_17, %collapsed_39, %collapsed_37, %collapsed_26 : tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>
  }
}
