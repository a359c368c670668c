#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf16>, %arg1: tensor<1x2x20x8xf16>, %arg2: tensor<1x2x20x8xf16>, %arg3: tensor<1x2x20x8xf16>) -> (tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327373 : f64
    %0 = tensor.empty() : tensor<1x2x8x20xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf16>) outs(%0 : tensor<1x2x8x20xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf16> into tensor<2x8x20xf16>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<2x20x8xf16>, tensor<2x8x20xf16>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %4 = tensor.empty() : tensor<2x20x20xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x20x20xf32>) outs(%4 : tensor<2x20x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x20x20xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf16> into tensor<1x2x20x20xf16>
    %6 = tensor.empty() : tensor<1x2x20x20xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf16>) outs(%6 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %47 = arith.truncf %cst_1 : f64 to f16
      %48 = arith.mulf %in, %47 : f16
      linalg.yield %48 : f16
    } -> tensor<1x2x20x20xf16>
    %8 = tensor.empty() : tensor<1x2x20x20xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x20x20xf16>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f16, %out: f32):
      %47 = arith.extf %in : f16 to f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %10 = tensor.empty() : tensor<1x2x20xi64>
    %11 = linalg.fill ins(%c0_i64 : i64) outs(%10 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %12 = tensor.empty() : tensor<1x2x20xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %14:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x2x20x20xf32>) outs(%13, %11 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %47 = linalg.index 3 : index
      %48 = arith.index_cast %47 : index to i64
      %49 = arith.maximumf %in, %out : f32
      %50 = arith.cmpf ogt, %in, %out : f32
      %51 = arith.select %50, %48, %out_18 : i64
      linalg.yield %49, %51 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_3 = tensor.expand_shape %14#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_3 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %47 = arith.subf %in, %in_18 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.exp %in : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = tensor.empty() : tensor<1x2x20x1xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x2x20x20xf32>) outs(%18 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %19 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %47 = arith.divf %in, %in_18 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<1x2x20x20xf16>
    %collapsed_4 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<1x2x20x20xf16> into tensor<2x20x20xf16>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %22 = tensor.empty() : tensor<2x20x8xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %24 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%23 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %25 = tensor.empty() : tensor<2x20x8xf16>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<2x20x8xf32>) outs(%25 : tensor<2x20x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x20x8xf16>
    %expanded_6 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    %collapsed_7 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %transposed_8 = linalg.transpose ins(%collapsed_4 : tensor<2x20x20xf16>) outs(%4 : tensor<2x20x20xf16>) permutation = [0, 2, 1] 
    %27 = linalg.batch_matmul ins(%transposed_8, %collapsed_7 : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%23 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x20x8xf32>) outs(%25 : tensor<2x20x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x20x8xf16>
    %29 = tensor.empty() : tensor<2x8x20xf16>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<2x20x8xf16>) outs(%29 : tensor<2x8x20xf16>) permutation = [0, 2, 1] 
    %30 = linalg.batch_matmul ins(%collapsed_7, %transposed_9 : tensor<2x20x8xf16>, tensor<2x8x20xf16>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x20x20xf32>) outs(%4 : tensor<2x20x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x20x20xf16>
    %expanded_10 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    %expanded_11 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf16> into tensor<1x2x20x20xf16>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x20x20xf16>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f16, %out: f32):
      %47 = arith.extf %in : f16 to f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x20x20xf16>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f16, %out: f32):
      %47 = arith.extf %in : f16 to f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %47 = arith.mulf %in, %in_18 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%18 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %47 = arith.mulf %in, %in_18 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%8 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %47 = arith.subf %in, %in_18 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<1x2x20x20xf16>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x20x20xf16>) outs(%6 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %47 = arith.truncf %cst_1 : f64 to f16
      %48 = arith.mulf %in, %47 : f16
      linalg.yield %48 : f16
    } -> tensor<1x2x20x20xf16>
    %collapsed_12 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x2x20x20xf16> into tensor<2x20x20xf16>
    %transposed_13 = linalg.transpose ins(%collapsed : tensor<2x20x8xf16>) outs(%29 : tensor<2x8x20xf16>) permutation = [0, 2, 1] 
    %40 = tensor.empty() : tensor<2x8x20xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %42 = linalg.batch_matmul ins(%transposed_13, %collapsed_12 : tensor<2x8x20xf16>, tensor<2x20x20xf16>) outs(%41 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x8x20xf32>) outs(%29 : tensor<2x8x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x8x20xf16>
    %transposed_14 = linalg.transpose ins(%collapsed_2 : tensor<2x8x20xf16>) outs(%25 : tensor<2x20x8xf16>) permutation = [0, 2, 1] 
    %44 = linalg.batch_matmul ins(%collapsed_12, %transposed_14 : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%23 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<2x20x8xf32>) outs(%25 : tensor<2x20x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %47 = arith.truncf %in : f32 to f16
      linalg.yield %47 : f16
    } -> tensor<2x20x8xf16>
    %expanded_15 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf16> into tensor<1x2x8x20xf16>
    %expanded_16 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    %46 = tensor.empty() : tensor<1x2x20x8xf16>
    %transposed_17 = linalg.transpose ins(%expanded_15 : tensor<1x2x8x20xf16>) outs(%46 : tensor<1x2x20x8xf16>) permutation = [0, 1, 3, 2] 
    return %expanded_6, %expanded_16, %transposed_17, %expanded_10 : tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>
  }
}
