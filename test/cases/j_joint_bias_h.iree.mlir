#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3, d1)>
#map13 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @jit_g {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.353553385 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x2x8x20xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x20x8xf32>) outs(%0 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %2 = tensor.empty() : tensor<2x20x20xf32>
    %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%3 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<1x2x20x20xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf32>) outs(%5 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.mulf %in, %cst_1 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %7 = tensor.empty() : tensor<20xi32>
    %8 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%7 : tensor<20xi32>) {
    ^bb0(%out: i32):
      %104 = linalg.index 0 : index
      %105 = arith.index_cast %104 : index to i32
      linalg.yield %105 : i32
    } -> tensor<20xi32>
    %9 = tensor.empty() : tensor<20xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%8 : tensor<20xi32>) outs(%9 : tensor<20xf32>) {
    ^bb0(%in: i32, %out: f32):
      %104 = arith.sitofp %in : i32 to f32
      linalg.yield %104 : f32
    } -> tensor<20xf32>
    %11 = tensor.empty() : tensor<2x1x20xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2xf32>) outs(%11 : tensor<2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x20xf32>
    %13 = tensor.empty() : tensor<2x1x20xf32>
    %14 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<20xf32>) outs(%13 : tensor<2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x20xf32>
    %15 = tensor.empty() : tensor<2x1x20xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %14 : tensor<2x1x20xf32>, tensor<2x1x20xf32>) outs(%15 : tensor<2x1x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.mulf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<2x1x20xf32>
    %17 = tensor.empty() : tensor<1x2x20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x1x20xf32>) outs(%17 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %19 = tensor.empty() : tensor<1x2x20x20xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%19 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.addf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %21 = tensor.empty() : tensor<1x2x20xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x2x20x20xf32>) outs(%22 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.maximumf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20xf32>
    %24 = tensor.empty() : tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x20xf32>) outs(%24 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %26 = tensor.empty() : tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%26 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.subf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = tensor.empty() : tensor<1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%28 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.exp %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %30 = tensor.empty() : tensor<1x2x20xf32>
    %31 = linalg.fill ins(%cst_2 : f32) outs(%30 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x20x20xf32>) outs(%31 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20xf32>
    %expanded_4 = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %33 = tensor.empty() : tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20xf32>) outs(%33 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %35 = tensor.empty() : tensor<1x2x20x20xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%35 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.divf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %37 = tensor.empty() : tensor<1x2x20x1xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x20x1xf32>) outs(%37 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.mulf %in, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x1xf32>
    %39 = tensor.empty() : tensor<1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x20x1xf32>) outs(%39 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.divf %cst, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x1xf32>
    %collapsed_5 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_6 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %41 = tensor.empty() : tensor<2x20x8xf32>
    %42 = linalg.fill ins(%cst_2 : f32) outs(%41 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %43 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%42 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_7 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %44 = tensor.empty() : tensor<1x2x8x20xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x2x20x8xf32>) outs(%44 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed_8 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %46 = tensor.empty() : tensor<2x8x20xf32>
    %47 = linalg.fill ins(%cst_2 : f32) outs(%46 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %48 = linalg.batch_matmul ins(%collapsed_8, %collapsed_5 : tensor<2x8x20xf32>, tensor<2x20x20xf32>) outs(%47 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %expanded_9 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %49 = tensor.empty() : tensor<1x2x20x8xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x2x8x20xf32>) outs(%49 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %51 = tensor.empty() : tensor<1x2x8x20xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x20x8xf32>) outs(%51 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed_10 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %collapsed_11 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %53 = tensor.empty() : tensor<2x20x20xf32>
    %54 = linalg.fill ins(%cst_2 : f32) outs(%53 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %55 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%54 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %expanded_12 = tensor.expand_shape %55 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf32> into tensor<1x2x20x20xf32>
    %56 = tensor.empty() : tensor<1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x20x1xf32>) outs(%56 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %58 = tensor.empty() : tensor<1x2x20x20xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %57 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%58 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.mulf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %60 = tensor.empty() : tensor<1x2x20x20xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %29 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%60 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.mulf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %62 = tensor.empty() : tensor<1x2x20xf32>
    %63 = linalg.fill ins(%cst_2 : f32) outs(%62 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<1x2x20x20xf32>) outs(%63 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20xf32>
    %65 = tensor.empty() : tensor<1x2x20xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x2x20xf32>) outs(%65 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.negf %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20xf32>
    %expanded_13 = tensor.expand_shape %66 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %67 = tensor.empty() : tensor<1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%67 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.divf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %69 = tensor.empty() : tensor<2x20xf32>
    %70 = linalg.fill ins(%cst_2 : f32) outs(%69 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %71 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_13 : tensor<1x2x20x1xf32>) outs(%70 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<2x20xf32>
    %72 = tensor.empty() : tensor<1x2x20x20xf32>
    %73 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x20xf32>) outs(%72 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %74 = tensor.empty() : tensor<1x2x20x20xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %73 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%74 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.addf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %76 = tensor.empty() : tensor<1x2x20x20xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %29 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%76 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.mulf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %78 = tensor.empty() : tensor<1x2x20xf32>
    %79 = linalg.fill ins(%cst_2 : f32) outs(%78 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<1x2x20x20xf32>) outs(%79 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20xf32>
    %expanded_14 = tensor.expand_shape %80 [[0], [1], [2, 3]] output_shape [1, 2, 1, 20] : tensor<1x2x20xf32> into tensor<1x2x1x20xf32>
    %81 = tensor.empty() : tensor<2x20xf32>
    %82 = linalg.fill ins(%cst_2 : f32) outs(%81 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %83 = linalg.generic {indexing_maps = [#map12, #map10], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_14 : tensor<1x2x1x20xf32>) outs(%82 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<2x20xf32>
    %84 = tensor.empty() : tensor<2x1x20xf32>
    %85 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x20xf32>) outs(%84 : tensor<2x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x20xf32>
    %86 = tensor.empty() : tensor<2x1x20xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %14 : tensor<2x1x20xf32>, tensor<2x1x20xf32>) outs(%86 : tensor<2x1x20xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %104 = arith.mulf %in, %in_21 : f32
      linalg.yield %104 : f32
    } -> tensor<2x1x20xf32>
    %88 = tensor.empty() : tensor<2x1xf32>
    %89 = linalg.fill ins(%cst_2 : f32) outs(%88 : tensor<2x1xf32>) -> tensor<2x1xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<2x1x20xf32>) outs(%89 : tensor<2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<2x1xf32>
    %expanded_15 = tensor.expand_shape %90 [[0], [1, 2]] output_shape [2, 1, 1] : tensor<2x1xf32> into tensor<2x1x1xf32>
    %91 = tensor.empty() : tensor<2xf32>
    %92 = linalg.fill ins(%cst_2 : f32) outs(%91 : tensor<2xf32>) -> tensor<2xf32>
    %93 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_15 : tensor<2x1x1xf32>) outs(%92 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %out, %in : f32
      linalg.yield %104 : f32
    } -> tensor<2xf32>
    %94 = tensor.empty() : tensor<1x2x20x20xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<1x2x20x20xf32>) outs(%94 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.mulf %in, %cst_1 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x20x20xf32>
    %96 = tensor.empty() : tensor<1x2x20x20xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<1x2x20x20xf32>) outs(%96 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %collapsed_16 = tensor.collapse_shape %97 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %98 = tensor.empty() : tensor<2x20x8xf32>
    %99 = linalg.fill ins(%cst_2 : f32) outs(%98 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %100 = linalg.batch_matmul ins(%collapsed_16, %collapsed : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%99 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_17 = tensor.expand_shape %100 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %collapsed_18 = tensor.collapse_shape %95 [[0, 1], [2], [3]] : tensor<1x2x20x20xf32> into tensor<2x20x20xf32>
    %collapsed_19 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %101 = tensor.empty() : tensor<2x20x8xf32>
    %102 = linalg.fill ins(%cst_2 : f32) outs(%101 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %103 = linalg.batch_matmul ins(%collapsed_18, %collapsed_19 : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%102 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_20 = tensor.expand_shape %103 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    return %expanded_7, %expanded_20, %expanded_17, %50, %93 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}

