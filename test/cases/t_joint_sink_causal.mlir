#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
module {
  func.func @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x20x21xf32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<20x20xi1>
    %cst_5 = arith.constant 3.000000e-01 : f64
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
      %47 = arith.truncf %cst_5 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x20x20xf32>
    %6 = tensor.empty() : tensor<20xi64>
    %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%6 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %47 = linalg.index 0 : index
      %48 = arith.index_cast %47 : index to i64
      linalg.yield %48 : i64
    } -> tensor<20xi64>
    %expanded_7 = tensor.expand_shape %7 [[0, 1]] output_shape [1, 20] : tensor<20xi64> into tensor<1x20xi64>
    %expanded_8 = tensor.expand_shape %7 [[0, 1]] output_shape [20, 1] : tensor<20xi64> into tensor<20x1xi64>
    %8 = tensor.empty() : tensor<20x20xi64>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_7, %expanded_8 : tensor<1x20xi64>, tensor<20x1xi64>) outs(%8 : tensor<20x20xi64>) {
    ^bb0(%in: i64, %in_28: i64, %out: i64):
      %47 = arith.subi %in, %in_28 : i64
      linalg.yield %47 : i64
    } -> tensor<20x20xi64>
    %10 = tensor.empty() : tensor<20x20xi1>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<20x20xi64>) outs(%10 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %47 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %47 : i1
    } -> tensor<20x20xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_4 : tensor<20x20xi1>, tensor<20x20xi1>) outs(%10 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_28: i1, %out: i1):
      %47 = arith.andi %in, %in_28 : i1
      linalg.yield %47 : i1
    } -> tensor<20x20xi1>
    %13 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<20x20xi1>) outs(%10 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      %47 = arith.xori %in, %true : i1
      linalg.yield %47 : i1
    } -> tensor<20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %cst_3, %5 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_28: f32, %in_29: f32, %out: f32):
      %47 = arith.select %in, %in_28, %in_29 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = tensor.empty() : tensor<1x2x20x1xf32>
    %expanded_9 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [1, 2, 1] : tensor<2xf32> into tensor<1x2x1xf32>
    %16 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x2x1xf32>) outs(%15 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %concat = tensor.concat dim(3) %14, %16 : (tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) -> tensor<1x2x20x21xf32>
    %17 = tensor.empty() : tensor<1x2x20xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %19 = tensor.empty() : tensor<1x2x20xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<1x2x20x21xf32>) outs(%20, %18 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_28: i64):
      %47 = linalg.index 3 : index
      %48 = arith.index_cast %47 : index to i64
      %49 = arith.maximumf %in, %out : f32
      %50 = arith.cmpf ogt, %in, %out : f32
      %51 = arith.select %50, %48, %out_28 : i64
      linalg.yield %49, %51 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_10 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %22 = tensor.empty() : tensor<1x2x20x21xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_10 : tensor<1x2x20x21xf32>, tensor<1x2x20x1xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %47 = arith.subf %in, %in_28 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x20x21xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.exp %in : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x2x20x21xf32>, tensor<1x2x20x1xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %47 = arith.divf %in, %in_28 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %extracted_slice = tensor.extract_slice %27[0, 0, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x20xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_12 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %28 = tensor.empty() : tensor<2x20x8xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %30 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_13 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_14 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_15 = linalg.transpose ins(%collapsed_11 : tensor<2x20x20xf32>) outs(%1 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %31 = linalg.batch_matmul ins(%transposed_15, %collapsed_14 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %32 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_12 : tensor<2x20x8xf32>) outs(%32 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %33 = linalg.batch_matmul ins(%collapsed_14, %transposed_16 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_17 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_18 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %inserted_slice = tensor.insert_slice %expanded_18 into %cst_2[0, 0, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1] : tensor<1x2x20x20xf32> into tensor<1x2x20x21xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice, %27 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %47 = arith.mulf %in, %in_28 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %35 : tensor<1x2x20x21xf32>, tensor<1x2x20x1xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %47 = arith.mulf %in, %in_28 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%22 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %47 = arith.subf %in, %in_28 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x21xf32>
    %extracted_slice_19 = tensor.extract_slice %37[0, 0, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x20xf32>
    %extracted_slice_20 = tensor.extract_slice %37[0, 0, 0, 20] [1, 2, 20, 1] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x1xf32>
    %38 = tensor.empty() : tensor<1x2x1x1xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%extracted_slice_20 : tensor<1x2x20x1xf32>) outs(%39 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x1x1xf32>
    %collapsed_21 = tensor.collapse_shape %40 [[0, 1, 2, 3]] : tensor<1x2x1x1xf32> into tensor<2xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %cst_1, %extracted_slice_19 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_28: f32, %in_29: f32, %out: f32):
      %47 = arith.select %in, %in_28, %in_29 : f32
      linalg.yield %47 : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x2x20x20xf32>) outs(%4 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.truncf %cst_5 : f64 to f32
      %48 = arith.mulf %in, %47 : f32
      linalg.yield %48 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_22 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_23 = linalg.transpose ins(%collapsed : tensor<2x20x8xf32>) outs(%32 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %43 = linalg.fill ins(%cst : f32) outs(%32 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %44 = linalg.batch_matmul ins(%transposed_23, %collapsed_22 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%43 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_24 = linalg.transpose ins(%collapsed_6 : tensor<2x8x20xf32>) outs(%28 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %45 = linalg.batch_matmul ins(%collapsed_22, %transposed_24 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%29 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_25 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_26 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %46 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_25 : tensor<1x2x8x20xf32>) outs(%46 : tensor<1x2x20x8xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_13, %expanded_26, %transposed_27, %expanded_17, %collapsed_21 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}
