#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<() -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
module @jit_g {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x20xi1>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 8.000000e-01 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant -3.40282347E+38 : f32
    %cst_3 = arith.constant 0.353553385 : f32
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_5 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %2 = tensor.empty() : tensor<2x20x20xf32>
    %3 = linalg.fill ins(%cst_4 : f32) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%3 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<1x2x20x20xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%5 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.mulf %in, %cst_3 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %7 = tensor.empty() : tensor<20x20xi32>
    %8 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %98 = linalg.index 0 : index
      %99 = arith.index_cast %98 : index to i32
      linalg.yield %99 : i32
    } -> tensor<20x20xi32>
    %9 = tensor.empty() : tensor<20x20xi32>
    %10 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %98 = linalg.index 1 : index
      %99 = arith.index_cast %98 : index to i32
      linalg.yield %99 : i32
    } -> tensor<20x20xi32>
    %11 = tensor.empty() : tensor<20x20xi1>
    %12 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%8, %10 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%11 : tensor<20x20xi1>) {
    ^bb0(%in: i32, %in_21: i32, %out: i1):
      %98 = arith.cmpi sge, %in, %in_21 : i32
      linalg.yield %98 : i1
    } -> tensor<20x20xi1>
    %13 = tensor.empty() : tensor<1x2x20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<20x20xi1>) outs(%13 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %15 = tensor.empty() : tensor<1x2x20x20xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %6 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_21: f32, %out: f32):
      %98 = arith.select %in, %in_21, %cst_2 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = tensor.empty() : tensor<1x2x20xf32>
    %18 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x2x20x20xf32>) outs(%18 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.maximumf %out, %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20xf32>
    %20 = tensor.empty() : tensor<1x2x20x20xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x20xf32>) outs(%20 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %22 = tensor.empty() : tensor<1x2x20x20xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %21 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%22 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.subf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %24 = tensor.empty() : tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x20x20xf32>) outs(%24 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = math.exp %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %26 = tensor.empty() : tensor<1x2x20xf32>
    %27 = linalg.fill ins(%cst_4 : f32) outs(%26 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x20x20xf32>) outs(%27 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.addf %out, %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20xf32>
    %expanded_6 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %29 = tensor.empty() : tensor<1x2x20x20xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x20xf32>) outs(%29 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %31 = tensor.empty() : tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %30 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%31 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.divf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = tensor.empty() : tensor<1x2x20x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x20x1xf32>) outs(%33 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.mulf %in, %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x1xf32>
    %35 = tensor.empty() : tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20x1xf32>) outs(%35 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.divf %cst_0, %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x1xf32>
    %37 = tensor.empty() : tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20x20xf32>) outs(%37 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.divf %in, %cst : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %39 = tensor.empty() : tensor<f32>
    %40 = linalg.generic {indexing_maps = [#map5], iterator_types = []} outs(%39 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_4 : f32
    } -> tensor<f32>
    %41 = tensor.empty() : tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<f32>) outs(%41 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %43 = tensor.empty() : tensor<1x2x20x20xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %38, %42 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%43 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_21: f32, %in_22: f32, %out: f32):
      %98 = arith.select %in, %in_21, %in_22 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_7 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %45 = tensor.empty() : tensor<2x20x8xf32>
    %46 = linalg.fill ins(%cst_4 : f32) outs(%45 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %47 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%46 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_9 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %48 = tensor.empty() : tensor<1x2x8x20xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x2x20x8xf32>) outs(%48 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed_10 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %50 = tensor.empty() : tensor<2x8x20xf32>
    %51 = linalg.fill ins(%cst_4 : f32) outs(%50 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %52 = linalg.batch_matmul ins(%collapsed_10, %collapsed_7 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%51 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %expanded_11 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %53 = tensor.empty() : tensor<1x2x20x8xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x8x20xf32>) outs(%53 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %55 = tensor.empty() : tensor<1x2x8x20xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x20x8xf32>) outs(%55 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed_12 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_13 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %57 = tensor.empty() : tensor<2x20x20xf32>
    %58 = linalg.fill ins(%cst_4 : f32) outs(%57 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %59 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%58 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_14 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %60 = tensor.empty() : tensor<1x2x20x20xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %expanded_14 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>) outs(%60 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_21: f32, %out: f32):
      %98 = arith.select %in, %in_21, %cst_4 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %62 = tensor.empty() : tensor<1x2x20x20xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x2x20x20xf32>) outs(%62 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.divf %in, %cst : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %64 = tensor.empty() : tensor<1x2x20x20xf32>
    %65 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x20x1xf32>) outs(%64 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %66 = tensor.empty() : tensor<1x2x20x20xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %65 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%66 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.mulf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %68 = tensor.empty() : tensor<1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%68 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.mulf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %70 = tensor.empty() : tensor<1x2x20xf32>
    %71 = linalg.fill ins(%cst_4 : f32) outs(%70 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%69 : tensor<1x2x20x20xf32>) outs(%71 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.addf %out, %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20xf32>
    %73 = tensor.empty() : tensor<1x2x20xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x2x20xf32>) outs(%73 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.negf %in : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20xf32>
    %expanded_15 = tensor.expand_shape %74 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %75 = tensor.empty() : tensor<1x2x20x20xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %30 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%75 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.divf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %77 = tensor.empty() : tensor<2x20xf32>
    %78 = linalg.fill ins(%cst_4 : f32) outs(%77 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %79 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_15 : tensor<1x2x20x1xf32>) outs(%78 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.addf %out, %in : f32
      linalg.yield %98 : f32
    } -> tensor<2x20xf32>
    %80 = tensor.empty() : tensor<1x2x20x20xf32>
    %81 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<2x20xf32>) outs(%80 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %82 = tensor.empty() : tensor<1x2x20x20xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %81 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%82 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.addf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %84 = tensor.empty() : tensor<1x2x20x20xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%84 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %98 = arith.mulf %in, %in_21 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %86 = tensor.empty() : tensor<1x2x20x20xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %85 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>) outs(%86 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_21: f32, %out: f32):
      %98 = arith.select %in, %in_21, %cst_4 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %88 = tensor.empty() : tensor<1x2x20x20xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<1x2x20x20xf32>) outs(%88 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %98 = arith.mulf %in, %cst_3 : f32
      linalg.yield %98 : f32
    } -> tensor<1x2x20x20xf32>
    %90 = tensor.empty() : tensor<1x2x20x20xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<1x2x20x20xf32>) outs(%90 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %91 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %92 = tensor.empty() : tensor<2x20x8xf32>
    %93 = linalg.fill ins(%cst_4 : f32) outs(%92 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %94 = linalg.batch_matmul ins(%collapsed_16, %collapsed : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%93 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %94 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_18 = tensor.collapse_shape %89 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_19 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %95 = tensor.empty() : tensor<2x20x8xf32>
    %96 = linalg.fill ins(%cst_4 : f32) outs(%95 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %97 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%96 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_20 = tensor.expand_shape %97 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    return %expanded_9, %expanded_20, %expanded_17, %54 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}

