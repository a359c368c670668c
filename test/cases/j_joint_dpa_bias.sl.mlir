#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d4, d5)>
#map18 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d0, d1, d5, d3)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d1, d4)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1, d3, d4)>
#map25 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5, d2)>
#map26 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5, d3)>
#map27 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map28 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
#map29 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d4)>
#map30 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
module {
  func.func public @main(%arg0: tensor<1x20x2x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x2x20x20xf32>, %arg4: tensor<1x20x2x8xf32>) -> (tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x2x20x20xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %expanded_4 = tensor.expand_shape %arg3 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 20, 20] : tensor<1x2x20x20xf32> into tensor<1x2x1x20x20xf32>
    %0 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x1x20xf32>) -> tensor<1x2x20x1x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x20x2x1x8xf32>, tensor<1x20x2x8xf32>) outs(%1 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x1x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x2x20x1x20xf32>
    %5 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %6 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x20x1x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x1x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.addf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %9 = tensor.empty() : tensor<1x1x2x20xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<1x1x2x20x20xf32>) outs(%10 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.maximumf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%9 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %13 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %11 : tensor<1x1x2x20xf32>, tensor<1x1x2x20xf32>) outs(%9 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.maximumf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20xf32>
    %14 = tensor.empty() : tensor<1x1x2x20x1xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x2x20xf32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %16 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x2x20x1xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8, %16 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.subf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = math.exp %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x1x2x20x20xf32>) outs(%19 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20xf32>
    %21 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x2x20xf32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %22 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x1x2x20x1xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%18, %22 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.divf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21, %21 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %24 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.divf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x1xf32>
    %27 = tensor.empty() : tensor<1x2x8x1x20xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x8x1x20xf32>) -> tensor<1x2x8x1x20xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %23 : tensor<1x20x2x8xf32>, tensor<1x1x2x20x20xf32>) outs(%28 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x8x1x20xf32>
    %30 = tensor.empty() : tensor<1x1x20x2x8xf32>
    %31 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x8x1x20xf32>) outs(%30 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %32 = tensor.empty() : tensor<1x20x2x1x8xf32>
    %33 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x20x2x8xf32>) outs(%32 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed = tensor.collapse_shape %33 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    %expanded_5 = tensor.expand_shape %arg4 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x20x2x1x8xf32>) outs(%30 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %35 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x1x20x2x8xf32>) outs(%27 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x1x20xf32>
    %36 = tensor.empty() : tensor<1x2x1x20x20xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<1x2x1x20x20xf32>) -> tensor<1x2x1x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map16, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%35, %arg2 : tensor<1x2x8x1x20xf32>, tensor<1x20x2x8xf32>) outs(%37 : tensor<1x2x1x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x1x20x20xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x1x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %40 = tensor.empty() : tensor<1x2x8x20xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %42 = linalg.generic {indexing_maps = [#map17, #map18, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%35, %23 : tensor<1x2x8x1x20xf32>, tensor<1x1x2x20x20xf32>) outs(%41 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x8x20xf32>
    %43 = tensor.empty() : tensor<1x20x2x8xf32>
    %44 = linalg.generic {indexing_maps = [#map20, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x2x8x20xf32>) outs(%43 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x2x20x1xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %45 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46, %18 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x1x2x20x20xf32>) outs(%19 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20xf32>
    %expanded_6 = tensor.expand_shape %48 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 20, 1] : tensor<1x1x2x20xf32> into tensor<1x1x2x20x1xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x1x2x20x1xf32>) outs(%14 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.negf %in : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x1xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%39, %22 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.divf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %51 = tensor.empty() : tensor<2x20xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %53 = linalg.generic {indexing_maps = [#map21, #map22], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%49 : tensor<1x1x2x20x1xf32>) outs(%52 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = arith.addf %out, %in : f32
      linalg.yield %69 : f32
    } -> tensor<2x20xf32>
    %54 = linalg.generic {indexing_maps = [#map23, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x20xf32>) outs(%9 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %55 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x1x2x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %55 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.addf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56, %18 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%5 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x1x2x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map24, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x1x2x20x20xf32>) outs(%36 : tensor<1x2x1x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x20x20xf32>
    %59 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x1x2x20x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %60 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59, %3 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      linalg.yield %69 : f32
    } -> tensor<1x2x20x1x20xf32>
    %61 = tensor.empty() : tensor<1x2x20x8xf32>
    %62 = linalg.fill ins(%cst_0 : f32) outs(%61 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %63 = linalg.generic {indexing_maps = [#map25, #map26, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%60, %expanded : tensor<1x2x20x1x20xf32>, tensor<1x20x2x1x8xf32>) outs(%62 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x8xf32>
    %64 = linalg.generic {indexing_maps = [#map27, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x20x8xf32>) outs(%43 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %65 = tensor.empty() : tensor<1x2x20x1x8xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<1x2x20x1x8xf32>) -> tensor<1x2x20x1x8xf32>
    %67 = linalg.generic {indexing_maps = [#map28, #map29, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%60, %arg1 : tensor<1x2x20x1x20xf32>, tensor<1x20x2x8xf32>) outs(%66 : tensor<1x2x20x1x8xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %69 = arith.mulf %in, %in_9 : f32
      %70 = arith.addf %out, %69 : f32
      linalg.yield %70 : f32
    } -> tensor<1x2x20x1x8xf32>
    %68 = linalg.generic {indexing_maps = [#map30, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<1x2x20x1x8xf32>) outs(%32 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed_7 = tensor.collapse_shape %58 [[0], [1], [2, 3], [4]] : tensor<1x2x1x20x20xf32> into tensor<1x2x20x20xf32>
    %collapsed_8 = tensor.collapse_shape %68 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    return %collapsed, %collapsed_8, %64, %44, %collapsed_7 : tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x2x20x20xf32>
  }
}

