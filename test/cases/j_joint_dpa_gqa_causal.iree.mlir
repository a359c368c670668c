#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d2, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map20 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4, d2)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
module @jit_g {
  func.func public @main(%arg0: tensor<1x20x4x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x20x4x8xf32>) -> (tensor<1x20x4x8xf32>, tensor<1x20x4x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant -2.38197633E+38 : f32
    %cst_2 = arith.constant 0.353553385 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 20, 2, 2, 8] : tensor<1x20x4x8xf32> into tensor<1x20x2x2x8xf32>
    %0 = tensor.empty() : tensor<1x2x20x2x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x20x2x2x8xf32>) outs(%0 : tensor<1x2x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x2x8xf32>
    %2 = tensor.empty() : tensor<1x2x8x20xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x20x2x8xf32>) outs(%2 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %collapsed = tensor.collapse_shape %1 [[0, 1], [2, 3], [4]] : tensor<1x2x20x2x8xf32> into tensor<2x40x8xf32>
    %collapsed_4 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %4 = tensor.empty() : tensor<2x40x20xf32>
    %5 = linalg.fill ins(%cst_3 : f32) outs(%4 : tensor<2x40x20xf32>) -> tensor<2x40x20xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x40x8xf32>, tensor<2x8x20xf32>) outs(%5 : tensor<2x40x20xf32>) -> tensor<2x40x20xf32>
    %expanded_5 = tensor.expand_shape %6 [[0, 1], [2, 3], [4]] output_shape [1, 2, 20, 2, 20] : tensor<2x40x20xf32> into tensor<1x2x20x2x20xf32>
    %7 = tensor.empty() : tensor<1x2x20x2x20xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x20x2x20xf32>) outs(%7 : tensor<1x2x20x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.mulf %in, %cst_2 : f32
      linalg.yield %114 : f32
    } -> tensor<1x2x20x2x20xf32>
    %9 = tensor.empty() : tensor<20x20xi32>
    %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %114 = linalg.index 0 : index
      %115 = arith.index_cast %114 : index to i32
      linalg.yield %115 : i32
    } -> tensor<20x20xi32>
    %11 = tensor.empty() : tensor<20x20xi32>
    %12 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%11 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %114 = linalg.index 1 : index
      %115 = arith.index_cast %114 : index to i32
      linalg.yield %115 : i32
    } -> tensor<20x20xi32>
    %13 = tensor.empty() : tensor<20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%13 : tensor<20x20xi1>) {
    ^bb0(%in: i32, %in_24: i32, %out: i1):
      %114 = arith.cmpi sge, %in, %in_24 : i32
      linalg.yield %114 : i1
    } -> tensor<20x20xi1>
    %15 = tensor.empty() : tensor<1x2x20x20xi1>
    %16 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<20x20xi1>) outs(%15 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %17 = tensor.empty() : tensor<2x1x2x20x20xi1>
    %18 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x20x20xi1>) outs(%17 : tensor<2x1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x1x2x20x20xi1>
    %19 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %20 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x20x2x20xf32>) outs(%19 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %21 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<2x1x2x20x20xi1>, tensor<2x1x2x20x20xf32>) outs(%21 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_24: f32, %out: f32):
      %114 = arith.select %in, %in_24, %cst_1 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %23 = tensor.empty() : tensor<2x1x2x20xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x1x2x20xf32>) -> tensor<2x1x2x20xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<2x1x2x20x20xf32>) outs(%24 : tensor<2x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.maximumf %out, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20xf32>
    %26 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x1x2x20xf32>) outs(%26 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %28 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %27 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%28 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.subf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %30 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x1x2x20x20xf32>) outs(%30 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = math.exp %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %32 = tensor.empty() : tensor<2x1x2x20xf32>
    %33 = linalg.fill ins(%cst_3 : f32) outs(%32 : tensor<2x1x2x20xf32>) -> tensor<2x1x2x20xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x1x2x20x20xf32>) outs(%33 : tensor<2x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.addf %out, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20xf32>
    %expanded_6 = tensor.expand_shape %34 [[0], [1], [2], [3, 4]] output_shape [2, 1, 2, 20, 1] : tensor<2x1x2x20xf32> into tensor<2x1x2x20x1xf32>
    %35 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x1x2x20xf32>) outs(%35 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %37 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31, %36 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%37 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.divf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %39 = tensor.empty() : tensor<2x1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x1x2x20x1xf32>) outs(%39 : tensor<2x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.mulf %in, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x1xf32>
    %41 = tensor.empty() : tensor<2x1x2x20x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x1x2x20x1xf32>) outs(%41 : tensor<2x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.divf %cst, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x1xf32>
    %43 = tensor.empty() : tensor<1x2x8x20xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x20x2x8xf32>) outs(%43 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x20xf32>
    %45 = tensor.empty() : tensor<1x2x20x2x20xf32>
    %46 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x1x2x20x20xf32>) outs(%45 : tensor<1x2x20x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x2x20xf32>
    %collapsed_7 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<1x2x8x20xf32> into tensor<2x8x20xf32>
    %collapsed_8 = tensor.collapse_shape %46 [[0, 1], [2], [3, 4]] : tensor<1x2x20x2x20xf32> into tensor<2x20x40xf32>
    %47 = tensor.empty() : tensor<2x8x40xf32>
    %48 = linalg.fill ins(%cst_3 : f32) outs(%47 : tensor<2x8x40xf32>) -> tensor<2x8x40xf32>
    %49 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x8x20xf32>, tensor<2x20x40xf32>) outs(%48 : tensor<2x8x40xf32>) -> tensor<2x8x40xf32>
    %expanded_9 = tensor.expand_shape %49 [[0, 1], [2], [3, 4]] output_shape [1, 2, 8, 2, 20] : tensor<2x8x40xf32> into tensor<1x2x8x2x20xf32>
    %50 = tensor.empty() : tensor<2x1x20x2x8xf32>
    %51 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x2x8x2x20xf32>) outs(%50 : tensor<2x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x20x2x8xf32>
    %52 = tensor.empty() : tensor<1x20x2x2x8xf32>
    %53 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<2x1x20x2x8xf32>) outs(%52 : tensor<1x20x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x2x8xf32>
    %collapsed_10 = tensor.collapse_shape %53 [[0], [1], [2, 3], [4]] : tensor<1x20x2x2x8xf32> into tensor<1x20x4x8xf32>
    %expanded_11 = tensor.expand_shape %arg3 [[0], [1], [2, 3], [4]] output_shape [1, 20, 2, 2, 8] : tensor<1x20x4x8xf32> into tensor<1x20x2x2x8xf32>
    %54 = tensor.empty() : tensor<2x1x20x2x8xf32>
    %55 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x20x2x2x8xf32>) outs(%54 : tensor<2x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x20x2x8xf32>
    %56 = tensor.empty() : tensor<1x2x8x2x20xf32>
    %57 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<2x1x20x2x8xf32>) outs(%56 : tensor<1x2x8x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x2x20xf32>
    %58 = tensor.empty() : tensor<1x2x2x20x8xf32>
    %59 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x2x8x2x20xf32>) outs(%58 : tensor<1x2x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x20x8xf32>
    %collapsed_12 = tensor.collapse_shape %59 [[0, 1], [2, 3], [4]] : tensor<1x2x2x20x8xf32> into tensor<2x40x8xf32>
    %60 = tensor.empty() : tensor<2x40x20xf32>
    %61 = linalg.fill ins(%cst_3 : f32) outs(%60 : tensor<2x40x20xf32>) -> tensor<2x40x20xf32>
    %62 = linalg.batch_matmul ins(%collapsed_12, %collapsed_7 : tensor<2x40x8xf32>, tensor<2x8x20xf32>) outs(%61 : tensor<2x40x20xf32>) -> tensor<2x40x20xf32>
    %expanded_13 = tensor.expand_shape %62 [[0, 1], [2, 3], [4]] output_shape [1, 2, 2, 20, 20] : tensor<2x40x20xf32> into tensor<1x2x2x20x20xf32>
    %63 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %64 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<1x2x2x20x20xf32>) outs(%63 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %65 = tensor.empty() : tensor<1x2x2x20x20xf32>
    %66 = linalg.generic {indexing_maps = [#map15, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x1x2x20x20xf32>) outs(%65 : tensor<1x2x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x20x20xf32>
    %collapsed_14 = tensor.collapse_shape %57 [[0, 1], [2], [3, 4]] : tensor<1x2x8x2x20xf32> into tensor<2x8x40xf32>
    %collapsed_15 = tensor.collapse_shape %66 [[0, 1], [2, 3], [4]] : tensor<1x2x2x20x20xf32> into tensor<2x40x20xf32>
    %67 = tensor.empty() : tensor<2x8x20xf32>
    %68 = linalg.fill ins(%cst_3 : f32) outs(%67 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %69 = linalg.batch_matmul ins(%collapsed_14, %collapsed_15 : tensor<2x8x40xf32>, tensor<2x40x20xf32>) outs(%68 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
    %expanded_16 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf32> into tensor<1x2x8x20xf32>
    %70 = tensor.empty() : tensor<1x20x2x8xf32>
    %71 = linalg.generic {indexing_maps = [#map16, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x2x8x20xf32>) outs(%70 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %72 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %73 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<2x1x2x20x1xf32>) outs(%72 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %74 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64, %73 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%74 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.mulf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %76 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%75, %31 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%76 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.mulf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %78 = tensor.empty() : tensor<2x1x2x20xf32>
    %79 = linalg.fill ins(%cst_3 : f32) outs(%78 : tensor<2x1x2x20xf32>) -> tensor<2x1x2x20xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<2x1x2x20x20xf32>) outs(%79 : tensor<2x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.addf %out, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20xf32>
    %81 = tensor.empty() : tensor<2x1x2x20xf32>
    %82 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<2x1x2x20xf32>) outs(%81 : tensor<2x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.negf %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20xf32>
    %expanded_17 = tensor.expand_shape %82 [[0], [1], [2], [3, 4]] output_shape [2, 1, 2, 20, 1] : tensor<2x1x2x20xf32> into tensor<2x1x2x20x1xf32>
    %83 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64, %36 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%83 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.divf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %85 = tensor.empty() : tensor<2x2x20xf32>
    %86 = linalg.fill ins(%cst_3 : f32) outs(%85 : tensor<2x2x20xf32>) -> tensor<2x2x20xf32>
    %87 = linalg.generic {indexing_maps = [#map18, #map19], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%expanded_17 : tensor<2x1x2x20x1xf32>) outs(%86 : tensor<2x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.addf %out, %in : f32
      linalg.yield %114 : f32
    } -> tensor<2x2x20xf32>
    %88 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %89 = linalg.generic {indexing_maps = [#map20, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<2x2x20xf32>) outs(%88 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x2x20x20xf32>
    %90 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%84, %89 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%90 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.addf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %92 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%91, %31 : tensor<2x1x2x20x20xf32>, tensor<2x1x2x20x20xf32>) outs(%92 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %114 = arith.mulf %in, %in_24 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %94 = tensor.empty() : tensor<2x1x2x20x20xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %93 : tensor<2x1x2x20x20xi1>, tensor<2x1x2x20x20xf32>) outs(%94 : tensor<2x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_24: f32, %out: f32):
      %114 = arith.select %in, %in_24, %cst_3 : f32
      linalg.yield %114 : f32
    } -> tensor<2x1x2x20x20xf32>
    %96 = tensor.empty() : tensor<1x2x20x2x20xf32>
    %97 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<2x1x2x20x20xf32>) outs(%96 : tensor<1x2x20x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x2x20xf32>
    %98 = tensor.empty() : tensor<1x2x20x2x20xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x2x20x2x20xf32>) outs(%98 : tensor<1x2x20x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %114 = arith.mulf %in, %cst_2 : f32
      linalg.yield %114 : f32
    } -> tensor<1x2x20x2x20xf32>
    %100 = tensor.empty() : tensor<1x2x20x20x2xf32>
    %101 = linalg.generic {indexing_maps = [#map21, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%99 : tensor<1x2x20x2x20xf32>) outs(%100 : tensor<1x2x20x20x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20x2xf32>
    %collapsed_18 = tensor.collapse_shape %101 [[0, 1], [2], [3, 4]] : tensor<1x2x20x20x2xf32> into tensor<2x20x40xf32>
    %102 = tensor.empty() : tensor<2x20x8xf32>
    %103 = linalg.fill ins(%cst_3 : f32) outs(%102 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %104 = linalg.batch_matmul ins(%collapsed_18, %collapsed : tensor<2x20x40xf32>, tensor<2x40x8xf32>) outs(%103 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %expanded_19 = tensor.expand_shape %104 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf32> into tensor<1x2x20x8xf32>
    %105 = tensor.empty() : tensor<1x20x2x8xf32>
    %106 = linalg.generic {indexing_maps = [#map22, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x20x8xf32>) outs(%105 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %107 = tensor.empty() : tensor<1x2x20x8xf32>
    %108 = linalg.generic {indexing_maps = [#map22, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x20x2x8xf32>) outs(%107 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %collapsed_20 = tensor.collapse_shape %99 [[0, 1], [2, 3], [4]] : tensor<1x2x20x2x20xf32> into tensor<2x40x20xf32>
    %collapsed_21 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<1x2x20x8xf32> into tensor<2x20x8xf32>
    %109 = tensor.empty() : tensor<2x40x8xf32>
    %110 = linalg.fill ins(%cst_3 : f32) outs(%109 : tensor<2x40x8xf32>) -> tensor<2x40x8xf32>
    %111 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<2x40x20xf32>, tensor<2x20x8xf32>) outs(%110 : tensor<2x40x8xf32>) -> tensor<2x40x8xf32>
    %expanded_22 = tensor.expand_shape %111 [[0, 1], [2, 3], [4]] output_shape [1, 2, 20, 2, 8] : tensor<2x40x8xf32> into tensor<1x2x20x2x8xf32>
    %112 = tensor.empty() : tensor<1x20x2x2x8xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x2x20x2x8xf32>) outs(%112 : tensor<1x20x2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x2x8xf32>
    %collapsed_23 = tensor.collapse_shape %113 [[0], [1], [2, 3], [4]] : tensor<1x20x2x2x8xf32> into tensor<1x20x4x8xf32>
    return %collapsed_10, %collapsed_23, %106, %71 : tensor<1x20x4x8xf32>, tensor<1x20x4x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>
  }
}

