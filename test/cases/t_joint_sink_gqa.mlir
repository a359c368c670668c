#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
module {
  func.func @main(%arg0: tensor<1x4x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<4xf32>, %arg4: tensor<1x4x20x8xf32>) -> (tensor<1x4x20x8xf32>, tensor<1x4x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<4xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x4x20x21xf32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<20x20xi1>
    %cst_5 = arith.constant 3.000000e-01 : f64
    %0 = tensor.empty() : tensor<1x2x2x20x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x20x8xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x2x2x20x8xf32> into tensor<1x4x20x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x20x8xf32>
    %3 = tensor.empty() : tensor<1x4x8x20xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x4x20x8xf32>) outs(%3 : tensor<1x4x8x20xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_6 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x4x20x8xf32> into tensor<4x20x8xf32>
    %collapsed_7 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x4x8x20xf32> into tensor<4x8x20xf32>
    %4 = tensor.empty() : tensor<4x20x20xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %6 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<4x20x8xf32>, tensor<4x8x20xf32>) outs(%5 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 4, 20, 20] : tensor<4x20x20xf32> into tensor<1x4x20x20xf32>
    %7 = tensor.empty() : tensor<1x4x20x20xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x20x20xf32>) outs(%7 : tensor<1x4x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.truncf %cst_5 : f64 to f32
      %55 = arith.mulf %in, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<1x4x20x20xf32>
    %9 = tensor.empty() : tensor<20xi64>
    %10 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%9 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %54 = linalg.index 0 : index
      %55 = arith.index_cast %54 : index to i64
      linalg.yield %55 : i64
    } -> tensor<20xi64>
    %expanded_8 = tensor.expand_shape %10 [[0, 1]] output_shape [1, 20] : tensor<20xi64> into tensor<1x20xi64>
    %expanded_9 = tensor.expand_shape %10 [[0, 1]] output_shape [20, 1] : tensor<20xi64> into tensor<20x1xi64>
    %11 = tensor.empty() : tensor<20x20xi64>
    %12 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_8, %expanded_9 : tensor<1x20xi64>, tensor<20x1xi64>) outs(%11 : tensor<20x20xi64>) {
    ^bb0(%in: i64, %in_32: i64, %out: i64):
      %54 = arith.subi %in, %in_32 : i64
      linalg.yield %54 : i64
    } -> tensor<20x20xi64>
    %13 = tensor.empty() : tensor<20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<20x20xi64>) outs(%13 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %54 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %54 : i1
    } -> tensor<20x20xi1>
    %15 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%14, %cst_4 : tensor<20x20xi1>, tensor<20x20xi1>) outs(%13 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_32: i1, %out: i1):
      %54 = arith.andi %in, %in_32 : i1
      linalg.yield %54 : i1
    } -> tensor<20x20xi1>
    %16 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<20x20xi1>) outs(%13 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      %54 = arith.xori %in, %true : i1
      linalg.yield %54 : i1
    } -> tensor<20x20xi1>
    %17 = linalg.generic {indexing_maps = [#map7, #map8, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %cst_3, %8 : tensor<20x20xi1>, tensor<f32>, tensor<1x4x20x20xf32>) outs(%7 : tensor<1x4x20x20xf32>) {
    ^bb0(%in: i1, %in_32: f32, %in_33: f32, %out: f32):
      %54 = arith.select %in, %in_32, %in_33 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x20xf32>
    %18 = tensor.empty() : tensor<1x4x20x1xf32>
    %expanded_10 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [1, 4, 1] : tensor<4xf32> into tensor<1x4x1xf32>
    %19 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x4x1xf32>) outs(%18 : tensor<1x4x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x20x1xf32>
    %concat = tensor.concat dim(3) %17, %19 : (tensor<1x4x20x20xf32>, tensor<1x4x20x1xf32>) -> tensor<1x4x20x21xf32>
    %20 = tensor.empty() : tensor<1x4x20xi64>
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<1x4x20xi64>) -> tensor<1x4x20xi64>
    %22 = tensor.empty() : tensor<1x4x20xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x4x20xf32>) -> tensor<1x4x20xf32>
    %24:2 = linalg.generic {indexing_maps = [#map2, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<1x4x20x21xf32>) outs(%23, %21 : tensor<1x4x20xf32>, tensor<1x4x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_32: i64):
      %54 = linalg.index 3 : index
      %55 = arith.index_cast %54 : index to i64
      %56 = arith.maximumf %in, %out : f32
      %57 = arith.cmpf ogt, %in, %out : f32
      %58 = arith.select %57, %55, %out_32 : i64
      linalg.yield %56, %58 : f32, i64
    } -> (tensor<1x4x20xf32>, tensor<1x4x20xi64>)
    %expanded_11 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [1, 4, 20, 1] : tensor<1x4x20xf32> into tensor<1x4x20x1xf32>
    %25 = tensor.empty() : tensor<1x4x20x21xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_11 : tensor<1x4x20x21xf32>, tensor<1x4x20x1xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %54 = arith.subf %in, %in_32 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x4x20x21xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x4x20x1xf32>) -> tensor<1x4x20x1xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x4x20x21xf32>) outs(%28 : tensor<1x4x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %29 : tensor<1x4x20x21xf32>, tensor<1x4x20x1xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %54 = arith.divf %in, %in_32 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %extracted_slice = tensor.extract_slice %30[0, 0, 0, 0] [1, 4, 20, 20] [1, 1, 1, 1] : tensor<1x4x20x21xf32> to tensor<1x4x20x20xf32>
    %collapsed_12 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x4x20x20xf32> into tensor<4x20x20xf32>
    %collapsed_13 = tensor.collapse_shape %2 [[0, 1, 2], [3], [4]] : tensor<1x2x2x20x8xf32> into tensor<4x20x8xf32>
    %31 = tensor.empty() : tensor<4x20x8xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %33 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%32 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %expanded_14 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 4, 20, 8] : tensor<4x20x8xf32> into tensor<1x4x20x8xf32>
    %collapsed_15 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x4x20x8xf32> into tensor<4x20x8xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_12 : tensor<4x20x20xf32>) outs(%4 : tensor<4x20x20xf32>) permutation = [0, 2, 1] 
    %34 = linalg.batch_matmul ins(%transposed_16, %collapsed_15 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%32 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %35 = tensor.empty() : tensor<4x8x20xf32>
    %transposed_17 = linalg.transpose ins(%collapsed_13 : tensor<4x20x8xf32>) outs(%35 : tensor<4x8x20xf32>) permutation = [0, 2, 1] 
    %36 = linalg.batch_matmul ins(%collapsed_15, %transposed_17 : tensor<4x20x8xf32>, tensor<4x8x20xf32>) outs(%5 : tensor<4x20x20xf32>) -> tensor<4x20x20xf32>
    %expanded_18 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 4, 20, 20] : tensor<4x20x20xf32> into tensor<1x4x20x20xf32>
    %inserted_slice = tensor.insert_slice %expanded_18 into %cst_2[0, 0, 0, 0] [1, 4, 20, 20] [1, 1, 1, 1] : tensor<1x4x20x20xf32> into tensor<1x4x20x21xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice, %30 : tensor<1x4x20x21xf32>, tensor<1x4x20x21xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %54 = arith.mulf %in, %in_32 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %38 = linalg.generic {indexing_maps = [#map2, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x4x20x21xf32>) outs(%28 : tensor<1x4x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %38 : tensor<1x4x20x21xf32>, tensor<1x4x20x1xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %54 = arith.mulf %in, %in_32 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %40 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %39 : tensor<1x4x20x21xf32>, tensor<1x4x20x21xf32>) outs(%25 : tensor<1x4x20x21xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %54 = arith.subf %in, %in_32 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x21xf32>
    %extracted_slice_19 = tensor.extract_slice %40[0, 0, 0, 0] [1, 4, 20, 20] [1, 1, 1, 1] : tensor<1x4x20x21xf32> to tensor<1x4x20x20xf32>
    %extracted_slice_20 = tensor.extract_slice %40[0, 0, 0, 20] [1, 4, 20, 1] [1, 1, 1, 1] : tensor<1x4x20x21xf32> to tensor<1x4x20x1xf32>
    %41 = tensor.empty() : tensor<1x4x1x1xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %43 = linalg.generic {indexing_maps = [#map2, #map12], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%extracted_slice_20 : tensor<1x4x20x1xf32>) outs(%42 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x1x1xf32>
    %collapsed_21 = tensor.collapse_shape %43 [[0, 1, 2, 3]] : tensor<1x4x1x1xf32> into tensor<4xf32>
    %44 = linalg.generic {indexing_maps = [#map7, #map8, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %cst_1, %extracted_slice_19 : tensor<20x20xi1>, tensor<f32>, tensor<1x4x20x20xf32>) outs(%7 : tensor<1x4x20x20xf32>) {
    ^bb0(%in: i1, %in_32: f32, %in_33: f32, %out: f32):
      %54 = arith.select %in, %in_32, %in_33 : f32
      linalg.yield %54 : f32
    } -> tensor<1x4x20x20xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x4x20x20xf32>) outs(%7 : tensor<1x4x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.truncf %cst_5 : f64 to f32
      %55 = arith.mulf %in, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<1x4x20x20xf32>
    %collapsed_22 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x4x20x20xf32> into tensor<4x20x20xf32>
    %transposed_23 = linalg.transpose ins(%collapsed_6 : tensor<4x20x8xf32>) outs(%35 : tensor<4x8x20xf32>) permutation = [0, 2, 1] 
    %46 = linalg.fill ins(%cst : f32) outs(%35 : tensor<4x8x20xf32>) -> tensor<4x8x20xf32>
    %47 = linalg.batch_matmul ins(%transposed_23, %collapsed_22 : tensor<4x8x20xf32>, tensor<4x20x20xf32>) outs(%46 : tensor<4x8x20xf32>) -> tensor<4x8x20xf32>
    %transposed_24 = linalg.transpose ins(%collapsed_7 : tensor<4x8x20xf32>) outs(%31 : tensor<4x20x8xf32>) permutation = [0, 2, 1] 
    %48 = linalg.batch_matmul ins(%collapsed_22, %transposed_24 : tensor<4x20x20xf32>, tensor<4x20x8xf32>) outs(%32 : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
    %expanded_25 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 4, 8, 20] : tensor<4x8x20xf32> into tensor<1x4x8x20xf32>
    %expanded_26 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 4, 20, 8] : tensor<4x20x8xf32> into tensor<1x4x20x8xf32>
    %49 = tensor.empty() : tensor<1x4x20x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_25 : tensor<1x4x8x20xf32>) outs(%49 : tensor<1x4x20x8xf32>) permutation = [0, 1, 3, 2] 
    %expanded_28 = tensor.expand_shape %34 [[0, 1, 2], [3], [4]] output_shape [1, 2, 2, 20, 8] : tensor<4x20x8xf32> into tensor<1x2x2x20x8xf32>
    %50 = tensor.empty() : tensor<1x2x1x20x8xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<1x2x1x20x8xf32>) -> tensor<1x2x1x20x8xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map13], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x2x2x20x8xf32>) outs(%51 : tensor<1x2x1x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x1x20x8xf32>
    %collapsed_29 = tensor.collapse_shape %52 [[0], [1, 2], [3], [4]] : tensor<1x2x1x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_30 = tensor.expand_shape %transposed_27 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 20, 8] : tensor<1x4x20x8xf32> into tensor<1x2x2x20x8xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map13], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x2x2x20x8xf32>) outs(%51 : tensor<1x2x1x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x1x20x8xf32>
    %collapsed_31 = tensor.collapse_shape %53 [[0], [1, 2], [3], [4]] : tensor<1x2x1x20x8xf32> into tensor<1x2x20x8xf32>
    return %expanded_14, %expanded_26, %collapsed_31, %collapsed_29, %collapsed_21 : tensor<1x4x20x8xf32>, tensor<1x4x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<4xf32>
  }
}
