#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map14 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d4, d5)>
#map21 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d0, d1, d5, d3)>
#map22 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d1, d4)>
#map25 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map26 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map27 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5, d2)>
#map28 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5, d3)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map30 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
#map31 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d4)>
#map32 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
module {
  func.func public @main(%arg0: tensor<1x20x2x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x1x20x20xi1>, %arg4: tensor<1x20x2x8xf32>) -> (tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<i1>
    %cst_6 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %0 = tensor.empty() : tensor<1x1x1x20x20xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<1x1x20x20xi1>) outs(%0 : tensor<1x1x1x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x1x20x20xi1>
    %2 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<1x2x20x1x20xf32>) -> tensor<1x2x20x1x20xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x20x2x1x8xf32>, tensor<1x20x2x8xf32>) outs(%3 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x1x20xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%2 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%2 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1x20xf32>
    %7 = tensor.empty() : tensor<1x2x20x20xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<i1>) outs(%7 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %9 = tensor.empty() : tensor<1x1x2x20x20xi1>
    %10 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x2x20x20xi1>) outs(%9 : tensor<1x1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x20x20xi1>
    %11 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x1x1x20x20xi1>) outs(%0 : tensor<1x1x1x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x1x20x20xi1>
    %12 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x1x20x20xi1>) outs(%9 : tensor<1x1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x20x20xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %12 : tensor<1x1x2x20x20xi1>, tensor<1x1x2x20x20xi1>) outs(%9 : tensor<1x1x2x20x20xi1>) {
    ^bb0(%in: i1, %in_10: i1, %out: i1):
      %81 = arith.andi %in, %in_10 : i1
      linalg.yield %81 : i1
    } -> tensor<1x1x2x20x20xi1>
    %14 = tensor.empty() : tensor<1x2x20x20xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%14 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %16 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %17 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x20x1x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %18, %17 : tensor<1x1x2x20x20xi1>, tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %81 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %20 = tensor.empty() : tensor<1x1x2x20xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x1x2x20x20xf32>) outs(%21 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.maximumf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%20 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %22 : tensor<1x1x2x20xf32>, tensor<1x1x2x20xf32>) outs(%20 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.maximumf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20xf32>
    %25 = tensor.empty() : tensor<1x1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x1x2x20xf32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x1x2x20x1xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19, %27 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.subf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = math.exp %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x1x2x20x20xf32>) outs(%30 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x2x20xf32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %33 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x1x2x20x1xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29, %33 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.divf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32, %32 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36, %35 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.divf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x1xf32>
    %38 = tensor.empty() : tensor<1x2x8x1x20xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%38 : tensor<1x2x8x1x20xf32>) -> tensor<1x2x8x1x20xf32>
    %40 = linalg.generic {indexing_maps = [#map14, #map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %34 : tensor<1x20x2x8xf32>, tensor<1x1x2x20x20xf32>) outs(%39 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x8x1x20xf32>
    %41 = tensor.empty() : tensor<1x1x20x2x8xf32>
    %42 = linalg.generic {indexing_maps = [#map16, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x8x1x20xf32>) outs(%41 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %43 = tensor.empty() : tensor<1x20x2x1x8xf32>
    %44 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x1x20x2x8xf32>) outs(%43 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed = tensor.collapse_shape %44 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    %expanded_7 = tensor.expand_shape %arg4 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x20x2x1x8xf32>) outs(%41 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %46 = linalg.generic {indexing_maps = [#map18, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1x20x2x8xf32>) outs(%38 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x1x20xf32>
    %47 = tensor.empty() : tensor<1x2x1x20x20xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<1x2x1x20x20xf32>) -> tensor<1x2x1x20x20xf32>
    %49 = linalg.generic {indexing_maps = [#map19, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%46, %arg2 : tensor<1x2x8x1x20xf32>, tensor<1x20x2x8xf32>) outs(%48 : tensor<1x2x1x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x1x20x20xf32>
    %50 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x1x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %51 = tensor.empty() : tensor<1x2x8x20xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %53 = linalg.generic {indexing_maps = [#map20, #map21, #map22], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%46, %34 : tensor<1x2x8x1x20xf32>, tensor<1x1x2x20x20xf32>) outs(%52 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x8x20xf32>
    %54 = tensor.empty() : tensor<1x20x2x8xf32>
    %55 = linalg.generic {indexing_maps = [#map23, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x2x8x20xf32>) outs(%54 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %56 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x1x2x20x1xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %56 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57, %29 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<1x1x2x20x20xf32>) outs(%30 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20xf32>
    %expanded_8 = tensor.expand_shape %59 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 20, 1] : tensor<1x1x2x20xf32> into tensor<1x1x2x20x1xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.negf %in : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x1xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %33 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.divf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %62 = tensor.empty() : tensor<2x20xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %64 = linalg.generic {indexing_maps = [#map24, #map25], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%60 : tensor<1x1x2x20x1xf32>) outs(%63 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %81 = arith.addf %out, %in : f32
      linalg.yield %81 : f32
    } -> tensor<2x20xf32>
    %65 = linalg.generic {indexing_maps = [#map26, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<2x20xf32>) outs(%20 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %66 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x1x2x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%61, %66 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.addf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%67, %29 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %68, %69 : tensor<1x1x2x20x20xi1>, tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%16 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %81 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %81 : f32
    } -> tensor<1x1x2x20x20xf32>
    %71 = linalg.generic {indexing_maps = [#map17, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x1x2x20x20xf32>) outs(%2 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%71, %5 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%2 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      linalg.yield %81 : f32
    } -> tensor<1x2x20x1x20xf32>
    %73 = tensor.empty() : tensor<1x2x20x8xf32>
    %74 = linalg.fill ins(%cst_0 : f32) outs(%73 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %75 = linalg.generic {indexing_maps = [#map27, #map28, #map22], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%72, %expanded : tensor<1x2x20x1x20xf32>, tensor<1x20x2x1x8xf32>) outs(%74 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x8xf32>
    %76 = linalg.generic {indexing_maps = [#map29, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x20x8xf32>) outs(%54 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %77 = tensor.empty() : tensor<1x2x20x1x8xf32>
    %78 = linalg.fill ins(%cst_0 : f32) outs(%77 : tensor<1x2x20x1x8xf32>) -> tensor<1x2x20x1x8xf32>
    %79 = linalg.generic {indexing_maps = [#map30, #map31, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%72, %arg1 : tensor<1x2x20x1x20xf32>, tensor<1x20x2x8xf32>) outs(%78 : tensor<1x2x20x1x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %81 = arith.mulf %in, %in_10 : f32
      %82 = arith.addf %out, %81 : f32
      linalg.yield %82 : f32
    } -> tensor<1x2x20x1x8xf32>
    %80 = linalg.generic {indexing_maps = [#map32, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x20x1x8xf32>) outs(%43 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed_9 = tensor.collapse_shape %80 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    return %collapsed, %collapsed_9, %76, %55 : tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>
  }
}

