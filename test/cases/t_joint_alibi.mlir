#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %c20_i64 = arith.constant 20 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e-01 : f64
    %cst_2 = arith.constant 0.35355339059327373 : f64
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_3 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %4 = tensor.empty() : tensor<1x2x20x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_2 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x20x20xf32>
    %expanded_4 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 2, 1, 1] : tensor<2xf32> into tensor<1x2x1x1xf32>
    %6 = tensor.empty() : tensor<20xi64>
    %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%6 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %47 = linalg.index 0 : index
      %48 = arith.index_cast %47 : index to i64
      linalg.yield %48 : i64
    } -> tensor<20xi64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%7 : tensor<20xi64>) outs(%6 : tensor<20xi64>) {
    ^bb0(%in: i64, %out: i64):
      %47 = arith.subi %in, %c20_i64 : i64
      linalg.yield %47 : i64
    } -> tensor<20xi64>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%8 : tensor<20xi64>) outs(%6 : tensor<20xi64>) {
    ^bb0(%in: i64, %out: i64):
      %47 = arith.addi %in, %c1_i64 : i64
      linalg.yield %47 : i64
    } -> tensor<20xi64>
    %10 = tensor.empty() : tensor<1x2x1x20xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4, %9 : tensor<1x2x1x1xf32>, tensor<20xi64>) outs(%10 : tensor<1x2x1x20xf32>) {
    ^bb0(%in: f32, %in_21: i64, %out: f32):
      %47 = arith.sitofp %in_21 : i64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x1x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x1x20xf32>) outs(%10 : tensor<1x2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_1 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x1x20xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %12 : tensor<1x2x20x20xf32>, tensor<1x2x1x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.addf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = tensor.empty() : tensor<1x2x20xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %16 = tensor.empty() : tensor<1x2x20xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%17, %15 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_21: i64):
      %47 = linalg.index 3 : index
      %48 = arith.index_cast %47 : index to i64
      %49 = arith.maximumf %in, %out : f32
      %50 = arith.cmpf ogt, %in, %out : f32
      %51 = arith.select %50, %48, %out_21 : i64
      linalg.yield %49, %51 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_5 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_5 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.subf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.exp %in : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %21 = tensor.empty() : tensor<1x2x20x1xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x2x20x20xf32>) outs(%22 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.divf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %25 = tensor.empty() : tensor<2x20x8xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %27 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%26 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_8 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %28 = linalg.batch_matmul ins(%transposed_10, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%26 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %29 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_7 : tensor<2x20x8xf32>) outs(%29 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %30 = linalg.batch_matmul ins(%collapsed_9, %transposed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_13 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %24 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.mulf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x20x20xf32>) outs(%22 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.mulf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %47 = arith.subf %in, %in_21 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x2x1x20xf32>) -> tensor<1x2x1x20xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%35 : tensor<1x2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x1x20xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x1x20xf32>) outs(%10 : tensor<1x2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_1 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x1x20xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %9 : tensor<1x2x1x20xf32>, tensor<20xi64>) outs(%10 : tensor<1x2x1x20xf32>) {
    ^bb0(%in: f32, %in_21: i64, %out: f32):
      %47 = arith.sitofp %in_21 : i64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x1x20xf32>
    %39 = tensor.empty() : tensor<1x2x1x1xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x2x1x20xf32>) outs(%40 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x1x1xf32>
    %collapsed_14 = tensor.collapse_shape %41 [[0, 1, 2, 3]] : tensor<1x2x1x1xf32> into tensor<2xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_2 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_15 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%29 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %43 = linalg.fill ins(%cst : f32) outs(%29 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %44 = linalg.batch_matmul ins(%transposed_16, %collapsed_15 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%43 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed_3 : tensor<2x8x20xf32>) outs(%25 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %45 = linalg.batch_matmul ins(%collapsed_15, %transposed_17 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%26 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_18 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_19 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %46 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded_18 : tensor<1x2x8x20xf32>) outs(%46 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_8, %expanded_19, %transposed_20, %expanded_12, %collapsed_14 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}
