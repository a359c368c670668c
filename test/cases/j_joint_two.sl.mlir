#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> ()>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map14 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x20x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<1x2x20xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.maximumf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %9 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %7 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%5 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.maximumf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %10 = tensor.empty() : tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.subf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.exp %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %17 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %20 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %23 = tensor.empty() : tensor<1x2x20x8xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%25, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%6 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.maximumf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %29 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %28 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%5 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.maximumf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %31 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.subf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.exp %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %35 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %38 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%37, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %41 = tensor.empty() : tensor<1x2x8x20xf32>
    %42 = linalg.fill ins(%cst_0 : f32) outs(%41 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg3, %37 : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%42 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x8x20xf32>
    %44 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x8x20xf32>) outs(%23 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg3, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x20xf32>
    %46 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %expanded = tensor.expand_shape %49 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.negf %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %52 = tensor.empty() : tensor<2x20xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %54 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%50 : tensor<1x2x20x1xf32>) outs(%53 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<2x20xf32>
    %55 = linalg.generic {indexing_maps = [#map14, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x20xf32>) outs(%5 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %56 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.addf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %33 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %60 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%59, %25 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%59, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %62 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%61, %19 : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%42 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x8x20xf32>
    %63 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x8x20xf32>) outs(%23 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %63 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%23 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.addf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x8xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%61, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x20xf32>
    %66 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %66 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %14 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<1x2x20x20xf32>) outs(%15 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20xf32>
    %expanded_4 = tensor.expand_shape %69 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.negf %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %18 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.divf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %72 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%70 : tensor<1x2x20x1xf32>) outs(%53 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<2x20xf32>
    %73 = linalg.generic {indexing_maps = [#map14, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<2x20xf32>) outs(%5 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.addf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %14 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x20xf32>
    %78 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%77, %arg0 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %78 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%23 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.addf %in, %in_5 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x8xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%77, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%24 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %81 = arith.mulf %in, %in_5 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    return %40, %80, %79, %64 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}

