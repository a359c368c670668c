#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x20x16xf32>, %arg1: tensor<48x16xf32>, %arg2: tensor<48xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<1x20x16xf32>) -> (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<20x20xi1>
    %cst_4 = arith.constant 0.35355339059327373 : f64
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %0 = tensor.empty() : tensor<16x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<48x16xf32>) outs(%0 : tensor<16x48xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<20x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<20x48xf32>) -> tensor<20x48xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<20x16xf32>, tensor<16x48xf32>) outs(%2 : tensor<20x48xf32>) -> tensor<20x48xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<48xf32>) outs(%1 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x48xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<20x48xf32>, tensor<20x48xf32>) outs(%1 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.addf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<20x48xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, 20, 48] : tensor<20x48xf32> into tensor<1x20x48xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_5 = tensor.extract_slice %expanded[0, 0, 16] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_6 = tensor.extract_slice %expanded[0, 0, 32] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %expanded_7 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %6 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<1x20x2x8xf32>) outs(%6 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_9 = tensor.expand_shape %extracted_slice_5 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %expanded_10 = tensor.expand_shape %extracted_slice_6 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x20x2x8xf32>) outs(%6 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed_12 = linalg.transpose ins(%expanded_9 : tensor<1x20x2x8xf32>) outs(%7 : tensor<1x2x8x20xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_13 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %8 = tensor.empty() : tensor<2x20x20xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %10 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%9 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_15 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %11 = tensor.empty() : tensor<1x2x20x20xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.truncf %cst_4 : f64 to f32
      %71 = arith.mulf %in, %70 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %13 = tensor.empty() : tensor<20xi64>
    %14 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%13 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %70 = linalg.index 0 : index
      %71 = arith.index_cast %70 : index to i64
      linalg.yield %71 : i64
    } -> tensor<20xi64>
    %expanded_16 = tensor.expand_shape %14 [[0, 1]] output_shape [1, 20] : tensor<20xi64> into tensor<1x20xi64>
    %expanded_17 = tensor.expand_shape %14 [[0, 1]] output_shape [20, 1] : tensor<20xi64> into tensor<20x1xi64>
    %15 = tensor.empty() : tensor<20x20xi64>
    %16 = linalg.generic {indexing_maps = [#map4, #map5, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_16, %expanded_17 : tensor<1x20xi64>, tensor<20x1xi64>) outs(%15 : tensor<20x20xi64>) {
    ^bb0(%in: i64, %in_51: i64, %out: i64):
      %70 = arith.subi %in, %in_51 : i64
      linalg.yield %70 : i64
    } -> tensor<20x20xi64>
    %17 = tensor.empty() : tensor<20x20xi1>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<20x20xi64>) outs(%17 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %70 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %70 : i1
    } -> tensor<20x20xi1>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %cst_3 : tensor<20x20xi1>, tensor<20x20xi1>) outs(%17 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_51: i1, %out: i1):
      %70 = arith.andi %in, %in_51 : i1
      linalg.yield %70 : i1
    } -> tensor<20x20xi1>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<20x20xi1>) outs(%17 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      %70 = arith.xori %in, %true : i1
      linalg.yield %70 : i1
    } -> tensor<20x20xi1>
    %21 = linalg.generic {indexing_maps = [#map6, #map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %cst_2, %12 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_51: f32, %in_52: f32, %out: f32):
      %70 = arith.select %in, %in_51, %in_52 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %22 = tensor.empty() : tensor<1x2x20xi64>
    %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %24 = tensor.empty() : tensor<1x2x20xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %26:2 = linalg.generic {indexing_maps = [#map2, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x2x20x20xf32>) outs(%25, %23 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_51: i64):
      %70 = linalg.index 3 : index
      %71 = arith.index_cast %70 : index to i64
      %72 = arith.maximumf %in, %out : f32
      %73 = arith.cmpf ogt, %in, %out : f32
      %74 = arith.select %73, %71, %out_51 : i64
      linalg.yield %72, %74 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_18 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_18 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.subf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.exp %in : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %29 = tensor.empty() : tensor<1x2x20x1xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x2x20x20xf32>) outs(%30 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %in, %out : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.divf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_19 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %33 = tensor.empty() : tensor<2x20x8xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %35 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%34 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_21 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %36 = tensor.empty() : tensor<1x20x2x8xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<1x2x20x8xf32>) outs(%36 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0, 1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<20x16xf32>
    %37 = tensor.empty() : tensor<16x16xf32>
    %transposed_24 = linalg.transpose ins(%arg3 : tensor<16x16xf32>) outs(%37 : tensor<16x16xf32>) permutation = [1, 0] 
    %38 = tensor.empty() : tensor<20x16xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %40 = linalg.matmul ins(%collapsed_23, %transposed_24 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%39 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16xf32>) outs(%38 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x16xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40, %41 : tensor<20x16xf32>, tensor<20x16xf32>) outs(%38 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.addf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<20x16xf32>
    %expanded_25 = tensor.expand_shape %42 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    %collapsed_26 = tensor.collapse_shape %arg5 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %43 = linalg.matmul ins(%collapsed_26, %arg3 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%39 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %44 = tensor.empty() : tensor<16x20xf32>
    %transposed_27 = linalg.transpose ins(%collapsed_26 : tensor<20x16xf32>) outs(%44 : tensor<16x20xf32>) permutation = [1, 0] 
    %45 = linalg.fill ins(%cst : f32) outs(%37 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %46 = linalg.matmul ins(%transposed_27, %collapsed_23 : tensor<16x20xf32>, tensor<20x16xf32>) outs(%45 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %47 = tensor.empty() : tensor<1x16xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "parallel"]} ins(%collapsed_26 : tensor<20x16xf32>) outs(%48 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %in, %out : f32
      linalg.yield %70 : f32
    } -> tensor<1x16xf32>
    %collapsed_28 = tensor.collapse_shape %49 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
    %expanded_29 = tensor.expand_shape %43 [[0, 1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x20x2x8xf32>) outs(%6 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_32 = linalg.transpose ins(%collapsed_19 : tensor<2x20x20xf32>) outs(%8 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %50 = linalg.batch_matmul ins(%transposed_32, %collapsed_31 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%34 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %51 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_33 = linalg.transpose ins(%collapsed_20 : tensor<2x20x8xf32>) outs(%51 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %52 = linalg.batch_matmul ins(%collapsed_31, %transposed_33 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%9 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_34 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_35 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.mulf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %54 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<1x2x20x20xf32>) outs(%30 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %in, %out : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x1xf32>
    %55 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %54 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.mulf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %56 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %55 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %70 = arith.subf %in, %in_51 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %cst_1, %56 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_51: f32, %in_52: f32, %out: f32):
      %70 = arith.select %in, %in_51, %in_52 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.truncf %cst_4 : f64 to f32
      %71 = arith.mulf %in, %70 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_36 = tensor.collapse_shape %58 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_37 = linalg.transpose ins(%collapsed_13 : tensor<2x20x8xf32>) outs(%51 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %59 = linalg.fill ins(%cst : f32) outs(%51 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %60 = linalg.batch_matmul ins(%transposed_37, %collapsed_36 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%59 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_38 = linalg.transpose ins(%collapsed_14 : tensor<2x8x20xf32>) outs(%33 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %61 = linalg.batch_matmul ins(%collapsed_36, %transposed_38 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%34 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_39 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_40 = tensor.expand_shape %61 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_34 : tensor<1x2x20x8xf32>) outs(%36 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_42 = tensor.collapse_shape %transposed_41 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_43 = linalg.transpose ins(%expanded_39 : tensor<1x2x8x20xf32>) outs(%36 : tensor<1x20x2x8xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_44 = tensor.collapse_shape %transposed_43 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_45 = linalg.transpose ins(%expanded_40 : tensor<1x2x20x8xf32>) outs(%36 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_46 = tensor.collapse_shape %transposed_45 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %concat = tensor.concat dim(2) %collapsed_46, %collapsed_44, %collapsed_42 : (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<1x20x16xf32>) -> tensor<1x20x48xf32>
    %collapsed_47 = tensor.collapse_shape %concat [[0, 1], [2]] : tensor<1x20x48xf32> into tensor<20x48xf32>
    %62 = linalg.matmul ins(%collapsed_47, %arg1 : tensor<20x48xf32>, tensor<48x16xf32>) outs(%39 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %63 = tensor.empty() : tensor<48x20xf32>
    %transposed_48 = linalg.transpose ins(%collapsed_47 : tensor<20x48xf32>) outs(%63 : tensor<48x20xf32>) permutation = [1, 0] 
    %64 = tensor.empty() : tensor<48x16xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %66 = linalg.matmul ins(%transposed_48, %collapsed : tensor<48x20xf32>, tensor<20x16xf32>) outs(%65 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %67 = tensor.empty() : tensor<1x48xf32>
    %68 = linalg.fill ins(%cst : f32) outs(%67 : tensor<1x48xf32>) -> tensor<1x48xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "parallel"]} ins(%collapsed_47 : tensor<20x48xf32>) outs(%68 : tensor<1x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = arith.addf %in, %out : f32
      linalg.yield %70 : f32
    } -> tensor<1x48xf32>
    %collapsed_49 = tensor.collapse_shape %69 [[0, 1]] : tensor<1x48xf32> into tensor<48xf32>
    %expanded_50 = tensor.expand_shape %62 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    return %expanded_25, %expanded_50, %66, %collapsed_49, %46, %collapsed_28 : tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>
  }
}
