#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x20x16xf32>, %arg1: tensor<48x16xf32>, %arg2: tensor<48xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<48x16xf32>, %arg6: tensor<48xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<1x20x16xf32>) -> (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<20x20xi1>
    %cst_5 = arith.constant 0.35355339059327373 : f64
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 1.600000e+01 : f64
    %cst_8 = arith.constant 1.600000e+01 : f32
    %0 = tensor.empty() : tensor<1x20x16xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x20x16xf32>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %173 = arith.extf %in : f32 to f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %2 = tensor.empty() : tensor<1x20x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x20x1xf64>) -> tensor<1x20x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x20x16xf64>) outs(%3 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.addf %in, %out : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x20x1xf64>) outs(%2 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.divf %in, %cst_7 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x20x16xf64>, tensor<1x20x1xf64>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f64, %in_104: f64, %out: f64):
      %173 = arith.subf %in, %in_104 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x20x16xf64>, tensor<1x20x16xf64>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f64, %in_104: f64, %out: f64):
      %173 = arith.mulf %in, %in_104 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x20x16xf64>) outs(%3 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.addf %in, %out : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x20x1xf64>) outs(%2 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.divf %in, %cst_7 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %10 = tensor.empty() : tensor<1x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x20x1xf64>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %173 = arith.truncf %in : f64 to f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x20x1xf32>) -> tensor<1x20x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.divf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_6 : f64 to f32
      %174 = arith.addf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = math.rsqrt %in : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %17 = tensor.empty() : tensor<1x20x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg9 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg10 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %22 = tensor.empty() : tensor<16x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<48x16xf32>) outs(%22 : tensor<16x48xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<20x48xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<20x48xf32>) -> tensor<20x48xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<20x16xf32>, tensor<16x48xf32>) outs(%24 : tensor<20x48xf32>) -> tensor<20x48xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<48xf32>) outs(%23 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x48xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%25, %26 : tensor<20x48xf32>, tensor<20x48xf32>) outs(%23 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<20x48xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2]] output_shape [1, 20, 48] : tensor<20x48xf32> into tensor<1x20x48xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_9 = tensor.extract_slice %expanded[0, 0, 16] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_10 = tensor.extract_slice %expanded[0, 0, 32] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %expanded_11 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %28 = tensor.empty() : tensor<1x2x20x8xf32>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_13 = tensor.expand_shape %extracted_slice_9 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %expanded_14 = tensor.expand_shape %extracted_slice_10 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %29 = tensor.empty() : tensor<1x2x8x20xf32>
    %transposed_16 = linalg.transpose ins(%expanded_13 : tensor<1x20x2x8xf32>) outs(%29 : tensor<1x2x8x20xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %30 = tensor.empty() : tensor<2x20x20xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %32 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%31 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_19 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %33 = tensor.empty() : tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_5 : f64 to f32
      %174 = arith.mulf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = tensor.empty() : tensor<20xi64>
    %36 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%35 : tensor<20xi64>) {
    ^bb0(%out: i64):
      %173 = linalg.index 0 : index
      %174 = arith.index_cast %173 : index to i64
      linalg.yield %174 : i64
    } -> tensor<20xi64>
    %expanded_20 = tensor.expand_shape %36 [[0, 1]] output_shape [1, 20] : tensor<20xi64> into tensor<1x20xi64>
    %expanded_21 = tensor.expand_shape %36 [[0, 1]] output_shape [20, 1] : tensor<20xi64> into tensor<20x1xi64>
    %37 = tensor.empty() : tensor<20x20xi64>
    %38 = linalg.generic {indexing_maps = [#map7, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x20xi64>, tensor<20x1xi64>) outs(%37 : tensor<20x20xi64>) {
    ^bb0(%in: i64, %in_104: i64, %out: i64):
      %173 = arith.subi %in, %in_104 : i64
      linalg.yield %173 : i64
    } -> tensor<20x20xi64>
    %39 = tensor.empty() : tensor<20x20xi1>
    %40 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<20x20xi64>) outs(%39 : tensor<20x20xi1>) {
    ^bb0(%in: i64, %out: i1):
      %173 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %173 : i1
    } -> tensor<20x20xi1>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%40, %cst_4 : tensor<20x20xi1>, tensor<20x20xi1>) outs(%39 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_104: i1, %out: i1):
      %173 = arith.andi %in, %in_104 : i1
      linalg.yield %173 : i1
    } -> tensor<20x20xi1>
    %42 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<20x20xi1>) outs(%39 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      %173 = arith.xori %in, %true : i1
      linalg.yield %173 : i1
    } -> tensor<20x20xi1>
    %43 = linalg.generic {indexing_maps = [#map9, #map10, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %cst_3, %34 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_104: f32, %in_105: f32, %out: f32):
      %173 = arith.select %in, %in_104, %in_105 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %44 = tensor.empty() : tensor<1x2x20xi64>
    %45 = linalg.fill ins(%c0_i64 : i64) outs(%44 : tensor<1x2x20xi64>) -> tensor<1x2x20xi64>
    %46 = tensor.empty() : tensor<1x2x20xf32>
    %47 = linalg.fill ins(%cst_1 : f32) outs(%46 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %48:2 = linalg.generic {indexing_maps = [#map5, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x2x20x20xf32>) outs(%47, %45 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_104: i64):
      %173 = linalg.index 3 : index
      %174 = arith.index_cast %173 : index to i64
      %175 = arith.maximumf %in, %out : f32
      %176 = arith.cmpf ogt, %in, %out : f32
      %177 = arith.select %176, %174, %out_104 : i64
      linalg.yield %175, %177 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_22 = tensor.expand_shape %48#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %expanded_22 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = math.exp %in : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %51 = tensor.empty() : tensor<1x2x20x1xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<1x2x20x1xf32>) -> tensor<1x2x20x1xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<1x2x20x20xf32>) outs(%52 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x1xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %53 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.divf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_23 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_24 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %55 = tensor.empty() : tensor<2x20x8xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %57 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_25 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %58 = tensor.empty() : tensor<1x20x2x8xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<20x16xf32>
    %59 = tensor.empty() : tensor<16x16xf32>
    %transposed_28 = linalg.transpose ins(%arg3 : tensor<16x16xf32>) outs(%59 : tensor<16x16xf32>) permutation = [1, 0] 
    %60 = tensor.empty() : tensor<20x16xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %62 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16xf32>) outs(%60 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x16xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%62, %63 : tensor<20x16xf32>, tensor<20x16xf32>) outs(%60 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<20x16xf32>
    %expanded_29 = tensor.expand_shape %64 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_29 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x20x16xf32>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %173 = arith.extf %in : f32 to f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<1x20x16xf64>) outs(%3 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.addf %in, %out : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x20x1xf64>) outs(%2 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.divf %in, %cst_7 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %69 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66, %68 : tensor<1x20x16xf64>, tensor<1x20x1xf64>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f64, %in_104: f64, %out: f64):
      %173 = arith.subf %in, %in_104 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %69 : tensor<1x20x16xf64>, tensor<1x20x16xf64>) outs(%0 : tensor<1x20x16xf64>) {
    ^bb0(%in: f64, %in_104: f64, %out: f64):
      %173 = arith.mulf %in, %in_104 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x16xf64>
    %71 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%70 : tensor<1x20x16xf64>) outs(%3 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.addf %in, %out : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x20x1xf64>) outs(%2 : tensor<1x20x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %173 = arith.divf %in, %cst_7 : f64
      linalg.yield %173 : f64
    } -> tensor<1x20x1xf64>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x20x1xf64>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %173 = arith.truncf %in : f64 to f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.divf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_6 : f64 to f32
      %174 = arith.addf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x20x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = math.rsqrt %in : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %75 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %77 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %arg9 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %arg10 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %collapsed_30 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %transposed_31 = linalg.transpose ins(%arg5 : tensor<48x16xf32>) outs(%22 : tensor<16x48xf32>) permutation = [1, 0] 
    %82 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<20x16xf32>, tensor<16x48xf32>) outs(%24 : tensor<20x48xf32>) -> tensor<20x48xf32>
    %83 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<48xf32>) outs(%23 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x48xf32>
    %84 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%82, %83 : tensor<20x48xf32>, tensor<20x48xf32>) outs(%23 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<20x48xf32>
    %expanded_32 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [1, 20, 48] : tensor<20x48xf32> into tensor<1x20x48xf32>
    %extracted_slice_33 = tensor.extract_slice %expanded_32[0, 0, 0] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_34 = tensor.extract_slice %expanded_32[0, 0, 16] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %extracted_slice_35 = tensor.extract_slice %expanded_32[0, 0, 32] [1, 20, 16] [1, 1, 1] : tensor<1x20x48xf32> to tensor<1x20x16xf32>
    %expanded_36 = tensor.expand_shape %extracted_slice_33 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_38 = tensor.expand_shape %extracted_slice_34 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %expanded_39 = tensor.expand_shape %extracted_slice_35 [[0], [1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<1x20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_41 = linalg.transpose ins(%expanded_38 : tensor<1x20x2x8xf32>) outs(%29 : tensor<1x2x8x20xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_42 = tensor.collapse_shape %transposed_37 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_43 = tensor.collapse_shape %transposed_41 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %85 = linalg.batch_matmul ins(%collapsed_42, %collapsed_43 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%31 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_44 = tensor.expand_shape %85 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_5 : f64 to f32
      %174 = arith.mulf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x2x20x20xf32>
    %87 = linalg.generic {indexing_maps = [#map9, #map10, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %cst_3, %86 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_104: f32, %in_105: f32, %out: f32):
      %173 = arith.select %in, %in_104, %in_105 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %88:2 = linalg.generic {indexing_maps = [#map5, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%87 : tensor<1x2x20x20xf32>) outs(%47, %45 : tensor<1x2x20xf32>, tensor<1x2x20xi64>) {
    ^bb0(%in: f32, %out: f32, %out_104: i64):
      %173 = linalg.index 3 : index
      %174 = arith.index_cast %173 : index to i64
      %175 = arith.maximumf %in, %out : f32
      %176 = arith.cmpf ogt, %in, %out : f32
      %177 = arith.select %176, %174, %out_104 : i64
      linalg.yield %175, %177 : f32, i64
    } -> (tensor<1x2x20xf32>, tensor<1x2x20xi64>)
    %expanded_45 = tensor.expand_shape %88#0 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %expanded_45 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %90 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = math.exp %in : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %91 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%90 : tensor<1x2x20x20xf32>) outs(%52 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x1xf32>
    %92 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %91 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.divf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_46 = tensor.collapse_shape %92 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_47 = tensor.collapse_shape %transposed_40 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %93 = linalg.batch_matmul ins(%collapsed_46, %collapsed_47 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_48 = tensor.expand_shape %93 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_49 = linalg.transpose ins(%expanded_48 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_50 = tensor.collapse_shape %transposed_49 [[0, 1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<20x16xf32>
    %transposed_51 = linalg.transpose ins(%arg7 : tensor<16x16xf32>) outs(%59 : tensor<16x16xf32>) permutation = [1, 0] 
    %94 = linalg.matmul ins(%collapsed_50, %transposed_51 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %95 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<16xf32>) outs(%60 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x16xf32>
    %96 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%94, %95 : tensor<20x16xf32>, tensor<20x16xf32>) outs(%60 : tensor<20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<20x16xf32>
    %expanded_52 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %expanded_52 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %collapsed_53 = tensor.collapse_shape %arg11 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %98 = linalg.matmul ins(%collapsed_53, %arg7 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %99 = tensor.empty() : tensor<16x20xf32>
    %transposed_54 = linalg.transpose ins(%collapsed_53 : tensor<20x16xf32>) outs(%99 : tensor<16x20xf32>) permutation = [1, 0] 
    %100 = linalg.fill ins(%cst_0 : f32) outs(%59 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %101 = linalg.matmul ins(%transposed_54, %collapsed_50 : tensor<16x20xf32>, tensor<20x16xf32>) outs(%100 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %102 = tensor.empty() : tensor<1x16xf32>
    %103 = linalg.fill ins(%cst_0 : f32) outs(%102 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %104 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["reduction", "parallel"]} ins(%collapsed_53 : tensor<20x16xf32>) outs(%103 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x16xf32>
    %collapsed_55 = tensor.collapse_shape %104 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
    %expanded_56 = tensor.expand_shape %98 [[0, 1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_57 = linalg.transpose ins(%expanded_56 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_58 = tensor.collapse_shape %transposed_57 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_59 = linalg.transpose ins(%collapsed_46 : tensor<2x20x20xf32>) outs(%30 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %105 = linalg.batch_matmul ins(%transposed_59, %collapsed_58 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %106 = tensor.empty() : tensor<2x8x20xf32>
    %transposed_60 = linalg.transpose ins(%collapsed_47 : tensor<2x20x8xf32>) outs(%106 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %107 = linalg.batch_matmul ins(%collapsed_58, %transposed_60 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%31 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_61 = tensor.expand_shape %105 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_62 = tensor.expand_shape %107 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_62, %92 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %109 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%108 : tensor<1x2x20x20xf32>) outs(%52 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x1xf32>
    %110 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %109 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %111 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %110 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %112 = linalg.generic {indexing_maps = [#map9, #map10, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %cst_2, %111 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_104: f32, %in_105: f32, %out: f32):
      %173 = arith.select %in, %in_104, %in_105 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_5 : f64 to f32
      %174 = arith.mulf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_63 = tensor.collapse_shape %113 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_64 = linalg.transpose ins(%collapsed_42 : tensor<2x20x8xf32>) outs(%106 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %114 = linalg.fill ins(%cst_0 : f32) outs(%106 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %115 = linalg.batch_matmul ins(%transposed_64, %collapsed_63 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%114 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_65 = linalg.transpose ins(%collapsed_43 : tensor<2x8x20xf32>) outs(%55 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %116 = linalg.batch_matmul ins(%collapsed_63, %transposed_65 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_66 = tensor.expand_shape %115 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_67 = tensor.expand_shape %116 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_68 = linalg.transpose ins(%expanded_61 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_69 = tensor.collapse_shape %transposed_68 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_70 = linalg.transpose ins(%expanded_66 : tensor<1x2x8x20xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_71 = tensor.collapse_shape %transposed_70 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_72 = linalg.transpose ins(%expanded_67 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_73 = tensor.collapse_shape %transposed_72 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %concat = tensor.concat dim(2) %collapsed_73, %collapsed_71, %collapsed_69 : (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<1x20x16xf32>) -> tensor<1x20x48xf32>
    %collapsed_74 = tensor.collapse_shape %concat [[0, 1], [2]] : tensor<1x20x48xf32> into tensor<20x48xf32>
    %117 = linalg.matmul ins(%collapsed_74, %arg5 : tensor<20x48xf32>, tensor<48x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %118 = tensor.empty() : tensor<48x20xf32>
    %transposed_75 = linalg.transpose ins(%collapsed_74 : tensor<20x48xf32>) outs(%118 : tensor<48x20xf32>) permutation = [1, 0] 
    %119 = tensor.empty() : tensor<48x16xf32>
    %120 = linalg.fill ins(%cst_0 : f32) outs(%119 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %121 = linalg.matmul ins(%transposed_75, %collapsed_30 : tensor<48x20xf32>, tensor<20x16xf32>) outs(%120 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %122 = tensor.empty() : tensor<1x48xf32>
    %123 = linalg.fill ins(%cst_0 : f32) outs(%122 : tensor<1x48xf32>) -> tensor<1x48xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["reduction", "parallel"]} ins(%collapsed_74 : tensor<20x48xf32>) outs(%123 : tensor<1x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x48xf32>
    %collapsed_76 = tensor.collapse_shape %124 [[0, 1]] : tensor<1x48xf32> into tensor<48xf32>
    %expanded_77 = tensor.expand_shape %117 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    %125 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_77, %arg9 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.mulf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %79 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%128 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %130 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %129 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %127 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %130 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.divf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %132 : tensor<1x20x1xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_77, %79 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %136 = tensor.empty() : tensor<16xf32>
    %137 = linalg.fill ins(%cst_0 : f32) outs(%136 : tensor<16xf32>) -> tensor<16xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "parallel"]} ins(%135 : tensor<1x20x16xf32>) outs(%137 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "parallel"]} ins(%expanded_77 : tensor<1x20x16xf32>) outs(%137 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %134 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %collapsed_78 = tensor.collapse_shape %140 [[0, 1], [2]] : tensor<1x20x16xf32> into tensor<20x16xf32>
    %141 = linalg.matmul ins(%collapsed_78, %arg3 : tensor<20x16xf32>, tensor<16x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %transposed_79 = linalg.transpose ins(%collapsed_78 : tensor<20x16xf32>) outs(%99 : tensor<16x20xf32>) permutation = [1, 0] 
    %142 = linalg.matmul ins(%transposed_79, %collapsed_27 : tensor<16x20xf32>, tensor<20x16xf32>) outs(%100 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["reduction", "parallel"]} ins(%collapsed_78 : tensor<20x16xf32>) outs(%103 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x16xf32>
    %collapsed_80 = tensor.collapse_shape %143 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
    %expanded_81 = tensor.expand_shape %141 [[0, 1], [2, 3]] output_shape [1, 20, 2, 8] : tensor<20x16xf32> into tensor<1x20x2x8xf32>
    %transposed_82 = linalg.transpose ins(%expanded_81 : tensor<1x20x2x8xf32>) outs(%28 : tensor<1x2x20x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_83 = tensor.collapse_shape %transposed_82 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %transposed_84 = linalg.transpose ins(%collapsed_23 : tensor<2x20x20xf32>) outs(%30 : tensor<2x20x20xf32>) permutation = [0, 2, 1] 
    %144 = linalg.batch_matmul ins(%transposed_84, %collapsed_83 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %transposed_85 = linalg.transpose ins(%collapsed_24 : tensor<2x20x8xf32>) outs(%106 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %145 = linalg.batch_matmul ins(%collapsed_83, %transposed_85 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%31 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_86 = tensor.expand_shape %144 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %expanded_87 = tensor.expand_shape %145 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %146 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_87, %54 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %147 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%146 : tensor<1x2x20x20xf32>) outs(%52 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x1xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %147 : tensor<1x2x20x20xf32>, tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %149 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %148 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %150 = linalg.generic {indexing_maps = [#map9, #map10, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %cst_2, %149 : tensor<20x20xi1>, tensor<f32>, tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_104: f32, %in_105: f32, %out: f32):
      %173 = arith.select %in, %in_104, %in_105 : f32
      linalg.yield %173 : f32
    } -> tensor<1x2x20x20xf32>
    %151 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<1x2x20x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.truncf %cst_5 : f64 to f32
      %174 = arith.mulf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_88 = tensor.collapse_shape %151 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %transposed_89 = linalg.transpose ins(%collapsed_17 : tensor<2x20x8xf32>) outs(%106 : tensor<2x8x20xf32>) permutation = [0, 2, 1] 
    %152 = linalg.batch_matmul ins(%transposed_89, %collapsed_88 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%114 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %transposed_90 = linalg.transpose ins(%collapsed_18 : tensor<2x8x20xf32>) outs(%55 : tensor<2x20x8xf32>) permutation = [0, 2, 1] 
    %153 = linalg.batch_matmul ins(%collapsed_88, %transposed_90 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%56 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_91 = tensor.expand_shape %152 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %expanded_92 = tensor.expand_shape %153 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %transposed_93 = linalg.transpose ins(%expanded_86 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_94 = tensor.collapse_shape %transposed_93 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_95 = linalg.transpose ins(%expanded_91 : tensor<1x2x8x20xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_96 = tensor.collapse_shape %transposed_95 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %transposed_97 = linalg.transpose ins(%expanded_92 : tensor<1x2x20x8xf32>) outs(%58 : tensor<1x20x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_98 = tensor.collapse_shape %transposed_97 [[0], [1], [2, 3]] : tensor<1x20x2x8xf32> into tensor<1x20x16xf32>
    %concat_99 = tensor.concat dim(2) %collapsed_98, %collapsed_96, %collapsed_94 : (tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<1x20x16xf32>) -> tensor<1x20x48xf32>
    %collapsed_100 = tensor.collapse_shape %concat_99 [[0, 1], [2]] : tensor<1x20x48xf32> into tensor<20x48xf32>
    %154 = linalg.matmul ins(%collapsed_100, %arg1 : tensor<20x48xf32>, tensor<48x16xf32>) outs(%61 : tensor<20x16xf32>) -> tensor<20x16xf32>
    %transposed_101 = linalg.transpose ins(%collapsed_100 : tensor<20x48xf32>) outs(%118 : tensor<48x20xf32>) permutation = [1, 0] 
    %155 = linalg.matmul ins(%transposed_101, %collapsed : tensor<48x20xf32>, tensor<20x16xf32>) outs(%120 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %156 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["reduction", "parallel"]} ins(%collapsed_100 : tensor<20x48xf32>) outs(%123 : tensor<1x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x48xf32>
    %collapsed_102 = tensor.collapse_shape %156 [[0, 1]] : tensor<1x48xf32> into tensor<48xf32>
    %expanded_103 = tensor.expand_shape %154 [[0, 1], [2]] output_shape [1, 20, 16] : tensor<20x16xf32> into tensor<1x20x16xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_103, %arg9 : tensor<1x20x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.mulf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%157 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %19 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %161 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%160 : tensor<1x20x16xf32>) outs(%12 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %161 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %159 : tensor<1x20x16xf32>, tensor<1x20x1xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %164 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163, %162 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.subf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %165 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x20x1xf32>) outs(%10 : tensor<1x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.divf %in, %cst_8 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x1xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %164 : tensor<1x20x1xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %167 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_103, %19 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.mulf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %168 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "parallel"]} ins(%167 : tensor<1x20x16xf32>) outs(%137 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction", "parallel"]} ins(%expanded_103 : tensor<1x20x16xf32>) outs(%137 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %173 = arith.addf %in, %out : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    %170 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %166 : tensor<1x20x16xf32>, tensor<1x20x16xf32>) outs(%17 : tensor<1x20x16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<1x20x16xf32>
    %171 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%138, %168 : tensor<16xf32>, tensor<16xf32>) outs(%136 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    %172 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%139, %169 : tensor<16xf32>, tensor<16xf32>) outs(%136 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_104: f32, %out: f32):
      %173 = arith.addf %in, %in_104 : f32
      linalg.yield %173 : f32
    } -> tensor<16xf32>
    return %97, %170, %155, %collapsed_102, %142, %collapsed_80, %121, %collapsed_76, %101, %collapsed_55, %171, %172 : tensor<1x20x16xf32>, tensor<1x20x16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<48xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}
