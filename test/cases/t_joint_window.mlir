#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant 0.35355339059327373 : f64
    %0 = tensor.empty() : tensor<20xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %43 = linalg.index 0 : index
      %44 = arith.index_cast %43 : index to i64
      linalg.yield %44 : i64
    } -> tensor<20xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [20, 1] : tensor<20xi64> into tensor<20x1xi64>
    %expanded_4 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 20] : tensor<20xi64> into tensor<1x20xi64>
    %2 = tensor.empty() : tensor<20x20xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_4 : tensor<20x1xi64>, tensor<1x20xi64>) outs(%2 : tensor<20x20xi64>) {
    ^bb0(%in: i64, %in_22: i64, %out: i64):
      %43 = arith.subi %in, %in_22 : i64
      linalg.yield %43 : i64
    } -> tensor<20x20xi64>
    %4 = tensor.empty() : tensor<20x20xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<20x20xi64>) outs(%4 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<20x20xi1>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<20x20xi64>) outs(%4 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi slt, %in, %c8_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<20x20xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<20x20xi1>, tensor<20x20xi1>) outs(%4 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_22: i1, %out: i1):
      %43 = arith.andi %in, %in_22 : i1
      linalg.yield %43 : i1
    } -> tensor<20x20xi1>
    %8 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%8 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %9 = tensor.empty() : tensor<2x20x20xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %11 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%10 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_6 = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %12 = tensor.empty() : tensor<1x2x20x20xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_3 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<20x20xi1>) outs(%4 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      %43 = arith.xori %in, %true : i1
      linalg.yield %43 : i1
    } -> tensor<20x20xi1>
    %15 = linalg.generic {indexing_maps = [#map5, #map6, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_2, %13 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %43 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %16 = tensor.empty() : tensor<1x2x20xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %18 = tensor.empty() : tensor<1x2x20xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %20:2 = linalg.generic {indexing_maps = [#map4, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%19, %17 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_22: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_22 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_7 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_7 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %23 = tensor.empty() : tensor<1x2x20x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x20x20xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.divf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %27 = tensor.empty() : tensor<2x20x8xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %29 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%28 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_10 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_11 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_12 = linalg.transpose ins(%collapsed_8 : tensor<2x20x20xf32>) outs(%9 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %30 = linalg.batch_matmul ins(%transposed_12, %collapsed_11 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%28 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %31 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_13 = linalg.transpose ins(%collapsed_9 : tensor<2x20x8xf32>) outs(%31 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %32 = linalg.batch_matmul ins(%collapsed_11, %transposed_13 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%10 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_14 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_15 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %26 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x20x20xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x1xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map6, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_1, %36 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %43 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20x20xf32>) outs(%12 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_3 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%31 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %39 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %40 = linalg.batch_matmul ins(%transposed_17, %collapsed_16 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%39 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_18 = linalg.transpose ins(%collapsed_5 : tensor<2x8x20xf32>) outs(%27 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %41 = linalg.batch_matmul ins(%collapsed_16, %transposed_18 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%28 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_19 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_20 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %42 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_19 : tensor<1x2x8x20xf32>) outs(%42 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_10, %expanded_20, %transposed_21, %expanded_14 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
