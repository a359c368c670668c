#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map14 = affine_map<(d0, d1, d2) -> (d1)>
#map15 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map18 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<3.000000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x20x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x20x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
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
      %59 = arith.maximumf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20xf32>
    %10 = tensor.empty() : tensor<1x2x20x1xf32>
    %11 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %12 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x1x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.maximumf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %14 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %14 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.subf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = math.exp %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x20xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.subf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = math.exp %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.addf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %23 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.divf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %22 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %25 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.divf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %28 = tensor.empty() : tensor<1x2x20x8xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%24, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%29 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x20x8xf32>
    %31 = tensor.empty() : tensor<1x2x8x20xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %33 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %24 : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%32 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x8x20xf32>
    %34 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x8x20xf32>) outs(%28 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x20x20xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %36 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x2x20x20xf32>) outs(%17 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20xf32>
    %expanded = tensor.expand_shape %39 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.negf %in : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %23 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.divf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %21 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%10 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x1xf32>
    %43 = tensor.empty() : tensor<2xf32>
    %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<2xf32>) -> tensor<2xf32>
    %45 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%42 : tensor<1x2x20x1xf32>) outs(%44 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<2xf32>
    %46 = tensor.empty() : tensor<1x2x1xf32>
    %47 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<2xf32>) outs(%46 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1xf32>
    %expanded_3 = tensor.expand_shape %47 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %48 = tensor.empty() : tensor<2x20xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %50 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%40 : tensor<1x2x20x1xf32>) outs(%49 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<2x20xf32>
    %51 = linalg.generic {indexing_maps = [#map18, #map15], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x20xf32>) outs(%7 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %52 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %52 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.addf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %16 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %55 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%expanded_3 : tensor<1x2x1x1xf32>) outs(%44 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %out, %in : f32
      linalg.yield %59 : f32
    } -> tensor<2xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map10, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%56, %arg0 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%29 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x20x8xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%56, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%29 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %59 = arith.mulf %in, %in_4 : f32
      %60 = arith.addf %out, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<1x2x20x8xf32>
    return %30, %58, %57, %34, %55 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}

