#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>, %arg4: tensor<1x2x20x8xf32>, %arg5: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<true> : tensor<1x2x20x1xi1>
    %cst_3 = arith.constant 0x7FF0000000000000 : f64
    %cst_4 = arith.constant 3.000000e-01 : f64
    %false = arith.constant false
    %cst_5 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_6 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %1 = tensor.empty() : tensor<2x20x20xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %4 = tensor.empty() : tensor<1x2x20x20xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.truncf %cst_4 : f64 to f32
      %118 = arith.mulf %in, %117 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<1x2x20xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %8 = tensor.empty() : tensor<1x2x20xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %117 = linalg.index 3 : index
      %118 = arith.index_cast %117 : index to i64
      %119 = arith.maximumf %in, %out : f32
      %120 = arith.cmpf ogt, %in, %out : f32
      %121 = arith.select %120, %118, %out_39 : i64
      linalg.yield %119, %121 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_7 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_7 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<1x2x20x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.divf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %17 = tensor.empty() : tensor<2x20x8xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %19 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_10 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.absf %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = tensor.empty() : tensor<1x2x20x1xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %117 = arith.extf %in : f32 to f64
      %118 = arith.cmpf oeq, %117, %cst_3 : f64
      linalg.yield %118 : i1
    } -> tensor<1x2x20x1xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %cst_1, %expanded_7 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %117 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.log %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %23 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %transposed_11 = linalg.transpose ins(%arg3 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %29 = linalg.batch_matmul ins(%collapsed, %collapsed_12 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_13 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.truncf %cst_4 : f64 to f32
      %118 = arith.mulf %in, %117 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x20x20xf32>
    %31:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x2x20x20xf32>) outs(%9, %7 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %117 = linalg.index 3 : index
      %118 = arith.index_cast %117 : index to i64
      %119 = arith.maximumf %in, %out : f32
      %120 = arith.cmpf ogt, %in, %out : f32
      %121 = arith.select %120, %118, %out_39 : i64
      linalg.yield %119, %121 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_14 = tensor.expand_shape %31#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_14 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.divf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_15 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %36 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.absf %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %117 = arith.extf %in : f32 to f64
      %118 = arith.cmpf oeq, %117, %cst_3 : f64
      linalg.yield %118 : i1
    } -> tensor<1x2x20x1xi1>
    %39 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %cst_1, %expanded_14 : tensor<1x2x20x1xi1>, tensor<f32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %117 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %39 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.log %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %39 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %44 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %in_39: f32, %out: i1):
      %117 = arith.cmpf oge, %in, %in_39 : f32
      linalg.yield %117 : i1
    } -> tensor<1x2x20x1xi1>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %28, %44 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %117 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %44, %28 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %117 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.absf %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %out: i1):
      %117 = arith.extf %in : f32 to f64
      %118 = arith.cmpf une, %117, %cst_3 : f64
      linalg.yield %118 : i1
    } -> tensor<1x2x20x1xi1>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2, %49 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xi1>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: i1, %in_39: i1, %out: i1):
      %117 = arith.muli %in, %in_39 : i1
      linalg.yield %117 : i1
    } -> tensor<1x2x20x1xi1>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x20x1xi1>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %117 = arith.cmpi eq, %in, %false : i1
      linalg.yield %117 : i1
    } -> tensor<1x2x20x1xi1>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %44 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %in_39: f32, %out: i1):
      %117 = arith.cmpf oeq, %in, %in_39 : f32
      linalg.yield %117 : i1
    } -> tensor<1x2x20x1xi1>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %52 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xi1>) outs(%21 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: i1, %in_39: i1, %out: i1):
      %117 = arith.andi %in, %in_39 : i1
      linalg.yield %117 : i1
    } -> tensor<1x2x20x1xi1>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %46 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.log1p %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %56 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %28, %57 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %117 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %58 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %61 = tensor.empty() : tensor<1x2x20x8xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %60 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %58 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %64 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5, %expanded_17 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5, %64 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x2x20x8xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %64 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.negf %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5, %expanded_10 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5, %60 : tensor<1x2x20x8xf32>, tensor<1x2x20x1xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<1x2x20x8xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %60 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.negf %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %76 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %44 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %cst_5 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %80 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.divf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %28 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %cst_5 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %84 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.divf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %85 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %81 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%13 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %44 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %90 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %89 : tensor<1x2x20x1xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_18 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_19 = linalg.transpose ins(%collapsed_15 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %91 = linalg.batch_matmul ins(%transposed_19, %collapsed_18 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %92 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_20 = linalg.transpose ins(%collapsed_16 : tensor<2x20x8xf32>) outs(%92 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %93 = linalg.batch_matmul ins(%collapsed_18, %transposed_20 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_21 = tensor.expand_shape %91 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_22 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %35 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%94 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %95 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %96 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %97 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.truncf %cst_4 : f64 to f32
      %118 = arith.mulf %in, %117 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_23 = tensor.collapse_shape %99 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_24 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%92 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %100 = linalg.fill ins(%cst : f32) outs(%92 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %101 = linalg.batch_matmul ins(%transposed_24, %collapsed_23 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%100 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_25 = linalg.transpose ins(%collapsed_12 : tensor<2x8x20xf32>) outs(%17 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %102 = linalg.batch_matmul ins(%collapsed_23, %transposed_25 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_26 = tensor.expand_shape %101 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_27 = tensor.expand_shape %102 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_28 = linalg.transpose ins(%expanded_26 : tensor<1x2x8x20xf32>) outs(%61 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    %103 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = math.exp %in : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %104 : tensor<1x2x20x1xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_29 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_30 = linalg.transpose ins(%collapsed_8 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %106 = linalg.batch_matmul ins(%transposed_30, %collapsed_29 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %transposed_31 = linalg.transpose ins(%collapsed_9 : tensor<2x20x8xf32>) outs(%92 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %107 = linalg.batch_matmul ins(%collapsed_29, %transposed_31 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_32 = tensor.expand_shape %106 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_33 = tensor.expand_shape %107 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%108 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.addf %in, %out : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x1xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %109 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.mulf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %110 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.subf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %111 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x20xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %117 = arith.truncf %cst_4 : f64 to f32
      %118 = arith.mulf %in, %117 : f32
      linalg.yield %118 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_34 = tensor.collapse_shape %113 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %114 = linalg.batch_matmul ins(%transposed_24, %collapsed_34 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%100 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_35 = linalg.transpose ins(%collapsed_6 : tensor<2x8x20xf32>) outs(%17 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %115 = linalg.batch_matmul ins(%collapsed_34, %transposed_35 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%18 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_36 = tensor.expand_shape %114 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_37 = tensor.expand_shape %115 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27, %expanded_37 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%61 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %117 = arith.addf %in, %in_39 : f32
      linalg.yield %117 : f32
    } -> tensor<1x2x20x8xf32>
    %transposed_38 = linalg.transpose ins(%expanded_36 : tensor<1x2x8x20xf32>) outs(%61 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %66, %116, %transposed_38, %expanded_32, %transposed_28, %expanded_21 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}
