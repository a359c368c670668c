#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map14 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0)>
module {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<3.000000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x20x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<1x2x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2xf32>) outs(%5 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x1xf32>
    %7 = tensor.empty() : tensor<1x2x20xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<1x2x20x20xf32>) outs(%8 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.maximumf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %expanded = tensor.expand_shape %9 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %11 = tensor.empty() : tensor<1x2x20x20xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %10 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%11 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: f32, %in_9: f32, %out: i1):
      %89 = arith.cmpf oeq, %in, %in_9 : f32
      linalg.yield %89 : i1
    } -> tensor<1x2x20x20xi1>
    %13 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x2x20x20xi1>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %out: f32):
      %89 = arith.uitofp %in : i1 to f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %16 = tensor.empty() : tensor<1x2x20x1xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x1x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %18 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.maximumf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %20 = tensor.empty() : tensor<1x2x20x1xi1>
    %21 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %19 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%20 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %in_9: f32, %out: i1):
      %89 = arith.cmpf oeq, %in, %in_9 : f32
      linalg.yield %89 : i1
    } -> tensor<1x2x20x1xi1>
    %22 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %22, %23 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %89 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %19 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%20 : tensor<1x2x20x1xi1>) {
    ^bb0(%in: f32, %in_9: f32, %out: i1):
      %89 = arith.cmpf oeq, %in, %in_9 : f32
      linalg.yield %89 : i1
    } -> tensor<1x2x20x1xi1>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %26, %22 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %89 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %22, %23 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %89 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %26, %22 : tensor<1x2x20x1xi1>, tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %89 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %30 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.subf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.exp %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x20xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %19 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.subf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.exp %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %38 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.addf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %40 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %39 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %42 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %44 = tensor.empty() : tensor<1x2x20x8xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x8xf32>
    %47 = tensor.empty() : tensor<1x2x8x20xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %49 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %41 : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%48 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x8x20xf32>
    %50 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x8x20xf32>) outs(%44 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x20xf32>
    %52 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %52 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %expanded_5 = tensor.expand_shape %55 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %40 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %38 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %59 = tensor.empty() : tensor<1x2x1xf32>
    %60 = linalg.fill ins(%cst_0 : f32) outs(%59 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %61 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<1x2x20x1xf32>) outs(%60 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x1xf32>
    %expanded_6 = tensor.expand_shape %61 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %63 = tensor.empty() : tensor<2x20xf32>
    %64 = linalg.fill ins(%cst_0 : f32) outs(%63 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %65 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%56 : tensor<1x2x20x1xf32>) outs(%64 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<2x20xf32>
    %66 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x20xf32>) outs(%7 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %67 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.addf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %34 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.negf %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x2x20x20xf32>) outs(%14 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %expanded_7 = tensor.expand_shape %71 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %expanded_7 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.addf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %31 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %74 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x2x20x1xf32>) outs(%60 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x1xf32>
    %expanded_8 = tensor.expand_shape %74 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %expanded_8 : tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) outs(%5 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.addf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x1x1xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %28 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%16 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x1xf32>
    %77 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%76 : tensor<1x2x20x1xf32>) outs(%64 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<2x20xf32>
    %78 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x20xf32>) outs(%7 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %79 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %15 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%7 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.divf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20xf32>
    %80 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %13 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %82 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %81 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.addf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %83 = tensor.empty() : tensor<2xf32>
    %84 = linalg.fill ins(%cst_0 : f32) outs(%83 : tensor<2xf32>) -> tensor<2xf32>
    %85 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%75 : tensor<1x2x1x1xf32>) outs(%84 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %out, %in : f32
      linalg.yield %89 : f32
    } -> tensor<2xf32>
    %86 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      linalg.yield %89 : f32
    } -> tensor<1x2x20x20xf32>
    %87 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%86, %arg0 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x8xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%86, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %89 = arith.mulf %in, %in_9 : f32
      %90 = arith.addf %out, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x8xf32>
    return %46, %88, %87, %50, %85 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}

