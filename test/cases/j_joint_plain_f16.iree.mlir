#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
module @jit_g {
  func.func public @main(%arg0: tensor<1x2x20x8xf16>, %arg1: tensor<1x2x20x8xf16>, %arg2: tensor<1x2x20x8xf16>, %arg3: tensor<1x2x20x8xf16>) -> (tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>) {
    %cst = arith.constant 1.000000e+00 : f16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFC00 : f16
    %cst_2 = arith.constant 3.535160e-01 : f16
    %cst_3 = arith.constant 0.000000e+00 : f16
    %0 = tensor.empty() : tensor<1x2x8x20xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x20x8xf16>) outs(%0 : tensor<1x2x8x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x8x20xf16>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %collapsed_4 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x8x20xf16> into tensor<2x8x20xf16>
    %2 = tensor.empty() : tensor<2x20x20xf16>
    %3 = linalg.fill ins(%cst_3 : f16) outs(%2 : tensor<2x20x20xf16>) -> tensor<2x20x20xf16>
    %4 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x20x8xf16>, tensor<2x8x20xf16>) outs(%3 : tensor<2x20x20xf16>) -> tensor<2x20x20xf16>
    %expanded = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf16> into tensor<1x2x20x20xf16>
    %5 = tensor.empty() : tensor<1x2x20x20xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x20xf16>) outs(%5 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.mulf %in, %cst_2 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %7 = tensor.empty() : tensor<1x2x20xf16>
    %8 = linalg.fill ins(%cst_1 : f16) outs(%7 : tensor<1x2x20xf16>) -> tensor<1x2x20xf16>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x2x20x20xf16>) outs(%8 : tensor<1x2x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.maximumf %out, %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20xf16>
    %10 = tensor.empty() : tensor<1x2x20x20xf16>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20xf16>) outs(%10 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x20xf16>
    %12 = tensor.empty() : tensor<1x2x20x20xf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %11 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%12 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.subf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %14 = tensor.empty() : tensor<1x2x20x20xf16>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x20x20xf16>) outs(%14 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = math.exp %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %16 = tensor.empty() : tensor<1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x20x20xf16>) outs(%16 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f16, %out: f32):
      %82 = arith.extf %in : f16 to f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x20xf32>
    %18 = tensor.empty() : tensor<1x2x20xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<1x2x20x20xf32>) outs(%19 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %out, %in : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20xf32>
    %21 = tensor.empty() : tensor<1x2x20xf16>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20xf32>) outs(%21 : tensor<1x2x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %82 = arith.truncf %in : f32 to f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20xf16>
    %expanded_5 = tensor.expand_shape %22 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf16> into tensor<1x2x20x1xf16>
    %23 = tensor.empty() : tensor<1x2x20x20xf16>
    %24 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x20x1xf16>) outs(%23 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x20xf16>
    %25 = tensor.empty() : tensor<1x2x20x20xf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %24 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%25 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.divf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %27 = tensor.empty() : tensor<1x2x20x1xf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x20x1xf16>) outs(%27 : tensor<1x2x20x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.mulf %in, %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x1xf16>
    %29 = tensor.empty() : tensor<1x2x20x1xf16>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x20x1xf16>) outs(%29 : tensor<1x2x20x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.divf %cst, %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x1xf16>
    %collapsed_6 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x2x20x20xf16> into tensor<2x20x20xf16>
    %collapsed_7 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %31 = tensor.empty() : tensor<2x20x8xf16>
    %32 = linalg.fill ins(%cst_3 : f16) outs(%31 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %33 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%32 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %expanded_8 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    %34 = tensor.empty() : tensor<1x2x8x20xf16>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x2x20x8xf16>) outs(%34 : tensor<1x2x8x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x8x20xf16>
    %collapsed_9 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x2x8x20xf16> into tensor<2x8x20xf16>
    %36 = tensor.empty() : tensor<2x8x20xf16>
    %37 = linalg.fill ins(%cst_3 : f16) outs(%36 : tensor<2x8x20xf16>) -> tensor<2x8x20xf16>
    %38 = linalg.batch_matmul ins(%collapsed_9, %collapsed_6 : tensor<2x8x20xf16>, tensor<2x20x20xf16>) outs(%37 : tensor<2x8x20xf16>) -> tensor<2x8x20xf16>
    %expanded_10 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [1, 2, 8, 20] : tensor<2x8x20xf16> into tensor<1x2x8x20xf16>
    %39 = tensor.empty() : tensor<1x2x20x8xf16>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x2x8x20xf16>) outs(%39 : tensor<1x2x20x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x8xf16>
    %41 = tensor.empty() : tensor<1x2x8x20xf16>
    %42 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x20x8xf16>) outs(%41 : tensor<1x2x8x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x8x20xf16>
    %collapsed_11 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %collapsed_12 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x8x20xf16> into tensor<2x8x20xf16>
    %43 = tensor.empty() : tensor<2x20x20xf16>
    %44 = linalg.fill ins(%cst_3 : f16) outs(%43 : tensor<2x20x20xf16>) -> tensor<2x20x20xf16>
    %45 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<2x20x8xf16>, tensor<2x8x20xf16>) outs(%44 : tensor<2x20x20xf16>) -> tensor<2x20x20xf16>
    %expanded_13 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 2, 20, 20] : tensor<2x20x20xf16> into tensor<1x2x20x20xf16>
    %46 = tensor.empty() : tensor<1x2x20x20xf16>
    %47 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x20x1xf16>) outs(%46 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x20xf16>
    %48 = tensor.empty() : tensor<1x2x20x20xf16>
    %49 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %47 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%48 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.mulf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %50 = tensor.empty() : tensor<1x2x20x20xf16>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %15 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%50 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.mulf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %52 = tensor.empty() : tensor<1x2x20xf16>
    %53 = linalg.fill ins(%cst_3 : f16) outs(%52 : tensor<1x2x20xf16>) -> tensor<1x2x20xf16>
    %54 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x2x20x20xf16>) outs(%53 : tensor<1x2x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.addf %out, %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20xf16>
    %55 = tensor.empty() : tensor<1x2x20xf16>
    %56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<1x2x20xf16>) outs(%55 : tensor<1x2x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.negf %in : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20xf16>
    %57 = tensor.empty() : tensor<1x2x20xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<1x2x20xf16>) outs(%57 : tensor<1x2x20xf32>) {
    ^bb0(%in: f16, %out: f32):
      %82 = arith.extf %in : f16 to f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20xf32>
    %expanded_14 = tensor.expand_shape %58 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %59 = tensor.empty() : tensor<1x2x20x20xf16>
    %60 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %24 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%59 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.divf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %61 = tensor.empty() : tensor<2x20xf32>
    %62 = linalg.fill ins(%cst_0 : f32) outs(%61 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded_14 : tensor<1x2x20x1xf32>) outs(%62 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %82 = arith.addf %out, %in : f32
      linalg.yield %82 : f32
    } -> tensor<2x20xf32>
    %64 = tensor.empty() : tensor<2x20xf16>
    %65 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<2x20xf32>) outs(%64 : tensor<2x20xf16>) {
    ^bb0(%in: f32, %out: f16):
      %82 = arith.truncf %in : f32 to f16
      linalg.yield %82 : f16
    } -> tensor<2x20xf16>
    %66 = tensor.empty() : tensor<1x2x20x20xf16>
    %67 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<2x20xf16>) outs(%66 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x20xf16>
    %68 = tensor.empty() : tensor<1x2x20x20xf16>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %67 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%68 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.addf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %70 = tensor.empty() : tensor<1x2x20x20xf16>
    %71 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %15 : tensor<1x2x20x20xf16>, tensor<1x2x20x20xf16>) outs(%70 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %in_20: f16, %out: f16):
      %82 = arith.mulf %in, %in_20 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %72 = tensor.empty() : tensor<1x2x20x20xf16>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x2x20x20xf16>) outs(%72 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      %82 = arith.mulf %in, %cst_2 : f16
      linalg.yield %82 : f16
    } -> tensor<1x2x20x20xf16>
    %74 = tensor.empty() : tensor<1x2x20x20xf16>
    %75 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x2x20x20xf16>) outs(%74 : tensor<1x2x20x20xf16>) {
    ^bb0(%in: f16, %out: f16):
      linalg.yield %in : f16
    } -> tensor<1x2x20x20xf16>
    %collapsed_15 = tensor.collapse_shape %75 [[0, 1], [2], [3]] : tensor<1x2x20x20xf16> into tensor<2x20x20xf16>
    %76 = tensor.empty() : tensor<2x20x8xf16>
    %77 = linalg.fill ins(%cst_3 : f16) outs(%76 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %78 = linalg.batch_matmul ins(%collapsed_15, %collapsed : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%77 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %expanded_16 = tensor.expand_shape %78 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    %collapsed_17 = tensor.collapse_shape %73 [[0, 1], [2], [3]] : tensor<1x2x20x20xf16> into tensor<2x20x20xf16>
    %collapsed_18 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x20x8xf16> into tensor<2x20x8xf16>
    %79 = tensor.empty() : tensor<2x20x8xf16>
    %80 = linalg.fill ins(%cst_3 : f16) outs(%79 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %81 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<2x20x20xf16>, tensor<2x20x8xf16>) outs(%80 : tensor<2x20x8xf16>) -> tensor<2x20x8xf16>
    %expanded_19 = tensor.expand_shape %81 [[0, 1], [2], [3]] output_shape [1, 2, 20, 8] : tensor<2x20x8xf16> into tensor<1x2x20x8xf16>
    return %expanded_8, %expanded_19, %expanded_16, %40 : tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>, tensor<1x2x20x8xf16>
  }
}

