#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d1, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
module @jit_g {
  func.func public @main(%arg0: tensor<1x20x2x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x2x20x20xf32>, %arg4: tensor<1x20x2x8xf32>) -> (tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x2x20x20xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.353553385 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %0 = tensor.empty() : tensor<1x2x20x1x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x20x2x1x8xf32>) outs(%0 : tensor<1x2x20x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x8xf32>
    %2 = tensor.empty() : tensor<1x2x8x20xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x20x2x8xf32>) outs(%2 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2], [3, 4]] : tensor<1x2x20x1x8xf32> into tensor<2x20x8xf32>
    %collapsed_3 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %4 = tensor.empty() : tensor<2x20x20xf32>
    %5 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%5 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_4 = tensor.expand_shape %6 [[0, 1], [2], [3, 4]] output_shape [1, 2, 20, 1, 20] : tensor<2x20x20xf32> into tensor<1x2x20x1x20xf32>
    %7 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x20x1x20xf32>) outs(%7 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.mulf %in, %cst_1 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x1x20xf32>
    %collapsed_5 = tensor.collapse_shape %8 [[0, 1, 2, 3, 4]] : tensor<1x2x20x1x20xf32> into tensor<800xf32>
    %expanded_6 = tensor.expand_shape %collapsed_5 [[0, 1, 2, 3, 4]] output_shape [1, 1, 2, 20, 20] : tensor<800xf32> into tensor<1x1x2x20x20xf32>
    %expanded_7 = tensor.expand_shape %arg3 [[0], [1, 2], [3], [4]] output_shape [1, 1, 2, 20, 20] : tensor<1x2x20x20xf32> into tensor<1x1x2x20x20xf32>
    %9 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %expanded_7 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%9 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.addf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %11 = tensor.empty() : tensor<1x1x2x20xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<1x1x2x20x20xf32>) outs(%12 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.maximumf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %14 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x2x20xf32>) outs(%14 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %16 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %15 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.subf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %18 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x1x2x20x20xf32>) outs(%18 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.exp %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %20 = tensor.empty() : tensor<1x1x2x20xf32>
    %21 = linalg.fill ins(%cst_2 : f32) outs(%20 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x1x2x20x20xf32>) outs(%21 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %expanded_8 = tensor.expand_shape %22 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 20, 1] : tensor<1x1x2x20xf32> into tensor<1x1x2x20x1xf32>
    %23 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x2x20xf32>) outs(%23 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %25 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19, %24 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.divf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %27 = tensor.empty() : tensor<1x1x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x2x20x1xf32>) outs(%27 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.mulf %in, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x1xf32>
    %29 = tensor.empty() : tensor<1x1x2x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x2x20x1xf32>) outs(%29 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.divf %cst, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x1xf32>
    %31 = tensor.empty() : tensor<1x2x8x20xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x20x2x8xf32>) outs(%31 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %33 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x2x20x20xf32>) outs(%33 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %collapsed_9 = tensor.collapse_shape %32 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %collapsed_10 = tensor.collapse_shape %34 [[0, 1], [2], [3, 4]] : tensor<1x2x20x1x20xf32> into tensor<2x20x20xf32>
    %35 = tensor.empty() : tensor<2x8x20xf32>
    %36 = linalg.fill ins(%cst_2 : f32) outs(%35 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %37 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%36 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %expanded_11 = tensor.expand_shape %37 [[0, 1], [2], [3, 4]] output_shape [1, 2, 8, 1, 20] : tensor<2x8x20xf32> into tensor<1x2x8x1x20xf32>
    %38 = tensor.empty() : tensor<1x1x20x2x8xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x2x8x1x20xf32>) outs(%38 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %collapsed_12 = tensor.collapse_shape %39 [[0], [1, 2], [3], [4]] : tensor<1x1x20x2x8xf32> into tensor<1x20x2x8xf32>
    %expanded_13 = tensor.expand_shape %arg4 [[0], [1, 2], [3], [4]] output_shape [1, 1, 20, 2, 8] : tensor<1x20x2x8xf32> into tensor<1x1x20x2x8xf32>
    %40 = tensor.empty() : tensor<1x2x8x1x20xf32>
    %41 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x1x20x2x8xf32>) outs(%40 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x1x20xf32>
    %42 = tensor.empty() : tensor<1x2x1x20x8xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x2x8x1x20xf32>) outs(%42 : tensor<1x2x1x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x20x8xf32>
    %collapsed_14 = tensor.collapse_shape %43 [[0, 1], [2, 3], [4]] : tensor<1x2x1x20x8xf32> into tensor<2x20x8xf32>
    %44 = tensor.empty() : tensor<2x20x20xf32>
    %45 = linalg.fill ins(%cst_2 : f32) outs(%44 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %46 = linalg.batch_matmul ins(%collapsed_14, %collapsed_9 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%45 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_15 = tensor.expand_shape %46 [[0, 1, 2], [3], [4]] output_shape [1, 1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x1x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %41 [[0, 1], [2], [3, 4]] : tensor<1x2x8x1x20xf32> into tensor<2x8x20xf32>
    %collapsed_17 = tensor.collapse_shape %26 [[0, 1, 2], [3], [4]] : tensor<1x1x2x20x20xf32> into tensor<2x20x20xf32>
    %47 = tensor.empty() : tensor<2x8x20xf32>
    %48 = linalg.fill ins(%cst_2 : f32) outs(%47 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %49 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%48 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %expanded_18 = tensor.expand_shape %49 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %50 = tensor.empty() : tensor<1x20x2x8xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<1x2x8x20xf32>) outs(%50 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %52 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x1x2x20x1xf32>) outs(%52 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %54 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %53 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%54 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.mulf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %56 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55, %19 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%56 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.mulf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %58 = tensor.empty() : tensor<1x1x2x20xf32>
    %59 = linalg.fill ins(%cst_2 : f32) outs(%58 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<1x1x2x20x20xf32>) outs(%59 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %61 = tensor.empty() : tensor<1x1x2x20xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x1x2x20xf32>) outs(%61 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.negf %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %expanded_19 = tensor.expand_shape %62 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 20, 1] : tensor<1x1x2x20xf32> into tensor<1x1x2x20x1xf32>
    %63 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %24 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%63 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.divf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %65 = tensor.empty() : tensor<2x20xf32>
    %66 = linalg.fill ins(%cst_2 : f32) outs(%65 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %67 = linalg.generic {indexing_maps = [#map11, #map12], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%expanded_19 : tensor<1x1x2x20x1xf32>) outs(%66 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<2x20xf32>
    %68 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<2x20xf32>) outs(%68 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %70 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64, %69 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%70 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.addf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %72 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71, %19 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%72 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %90 = arith.mulf %in, %in_29 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %collapsed_20 = tensor.collapse_shape %73 [[0, 1, 2, 3, 4]] : tensor<1x1x2x20x20xf32> into tensor<800xf32>
    %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1, 2, 3, 4]] output_shape [1, 2, 20, 1, 20] : tensor<800xf32> into tensor<1x2x20x1x20xf32>
    %74 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x2x20x1x20xf32>) outs(%74 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.mulf %in, %cst_1 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x1x20xf32>
    %76 = tensor.empty() : tensor<1x2x20x20x1xf32>
    %77 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x20x1x20xf32>) outs(%76 : tensor<1x2x20x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20x1xf32>
    %collapsed_22 = tensor.collapse_shape %77 [[0, 1], [2], [3, 4]] : tensor<1x2x20x20x1xf32> into tensor<2x20x20xf32>
    %78 = tensor.empty() : tensor<2x20x8xf32>
    %79 = linalg.fill ins(%cst_2 : f32) outs(%78 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %80 = linalg.batch_matmul ins(%collapsed_22, %collapsed : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%79 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_23 = tensor.expand_shape %80 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %81 = tensor.empty() : tensor<1x20x2x8xf32>
    %82 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x2x20x8xf32>) outs(%81 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %83 = tensor.empty() : tensor<1x2x20x8xf32>
    %84 = linalg.generic {indexing_maps = [#map15, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x20x2x8xf32>) outs(%83 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %collapsed_24 = tensor.collapse_shape %75 [[0, 1], [2], [3, 4]] : tensor<1x2x20x1x20xf32> into tensor<2x20x20xf32>
    %collapsed_25 = tensor.collapse_shape %84 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %85 = tensor.empty() : tensor<2x20x8xf32>
    %86 = linalg.fill ins(%cst_2 : f32) outs(%85 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %87 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%86 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_26 = tensor.expand_shape %87 [[0, 1], [2], [3, 4]] output_shape [1, 2, 20, 1, 8] : tensor<2x20x8xf32> into tensor<1x2x20x1x8xf32>
    %88 = tensor.empty() : tensor<1x20x2x1x8xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x2x20x1x8xf32>) outs(%88 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed_27 = tensor.collapse_shape %73 [[0], [1, 2], [3], [4]] : tensor<1x1x2x20x20xf32> into tensor<1x2x20x20xf32>
    %collapsed_28 = tensor.collapse_shape %89 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    return %collapsed_12, %collapsed_28, %82, %51, %collapsed_27 : tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x2x20x20xf32>
  }
}

