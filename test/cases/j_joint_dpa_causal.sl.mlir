#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1, d2)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d2, d3)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d3, d4)>
#map22 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d4, d5)>
#map23 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d0, d1, d5, d3)>
#map24 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map26 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d1, d4)>
#map27 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#map28 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5, d2)>
#map29 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5, d3)>
#map30 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map31 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
#map32 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d4)>
#map33 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>
module {
  func.func public @main(%arg0: tensor<1x20x2x8xf32>, %arg1: tensor<1x20x2x8xf32>, %arg2: tensor<1x20x2x8xf32>, %arg3: tensor<1x20x2x8xf32>) -> (tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<false> : tensor<i1>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_7 = arith.constant dense<true> : tensor<i1>
    %cst_8 = arith.constant dense<0.353553385> : tensor<f32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %0 = tensor.empty() : tensor<1x2x20x1x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x1x20xf32>) -> tensor<1x2x20x1x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x20x2x1x8xf32>, tensor<1x20x2x8xf32>) outs(%1 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x20x1x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x1x20xf32>
    %5 = tensor.empty() : tensor<1x2x20x20xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<i1>) outs(%5 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %7 = tensor.empty() : tensor<20x20xi1>
    %8 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i1>) outs(%7 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %9 = tensor.empty() : tensor<20x20xi32>
    %10 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %90 = linalg.index 0 : index
      %91 = arith.index_cast %90 : index to i32
      linalg.yield %91 : i32
    } -> tensor<20x20xi32>
    %11 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%9 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<20x20xi32>
    %12 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%9 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %in_12: i32, %out: i32):
      %90 = arith.addi %in, %in_12 : i32
      linalg.yield %90 : i32
    } -> tensor<20x20xi32>
    %13 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %90 = linalg.index 1 : index
      %91 = arith.index_cast %90 : index to i32
      linalg.yield %91 : i32
    } -> tensor<20x20xi32>
    %14 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%7 : tensor<20x20xi1>) {
    ^bb0(%in: i32, %in_12: i32, %out: i1):
      %90 = arith.cmpi sge, %in, %in_12 : i32
      linalg.yield %90 : i1
    } -> tensor<20x20xi1>
    %15 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i1>) outs(%7 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%14, %8, %15 : tensor<20x20xi1>, tensor<20x20xi1>, tensor<20x20xi1>) outs(%7 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_12: i1, %in_13: i1, %out: i1):
      %90 = arith.select %in, %in_12, %in_13 : i1
      linalg.yield %90 : i1
    } -> tensor<20x20xi1>
    %17 = tensor.empty() : tensor<1x1x20x20xi1>
    %18 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<20x20xi1>) outs(%17 : tensor<1x1x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x20x20xi1>
    %19 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x20x20xi1>) outs(%5 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %19 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xi1>) outs(%5 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %in_12: i1, %out: i1):
      %90 = arith.andi %in, %in_12 : i1
      linalg.yield %90 : i1
    } -> tensor<1x2x20x20xi1>
    %21 = tensor.empty() : tensor<1x2x20x20xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%21 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %23 = tensor.empty() : tensor<1x1x2x20x20xi1>
    %24 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x20x20xi1>) outs(%23 : tensor<1x1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x20x20xi1>
    %25 = tensor.empty() : tensor<1x1x2x20x20xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x20x1x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24, %27, %26 : tensor<1x1x2x20x20xi1>, tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %90 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %29 = tensor.empty() : tensor<1x1x2x20xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x1x2x20x20xf32>) outs(%30 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.maximumf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%29 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %31 : tensor<1x1x2x20xf32>, tensor<1x1x2x20xf32>) outs(%29 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.maximumf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %34 = tensor.empty() : tensor<1x1x2x20x1xf32>
    %35 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x1x2x20xf32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28, %36 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.subf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.exp %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<1x1x2x20xf32>) -> tensor<1x1x2x20xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<1x1x2x20x20xf32>) outs(%39 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %41 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x1x2x20xf32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %42 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38, %42 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.divf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%41, %41 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x1xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x1xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%45, %44 : tensor<1x1x2x20x1xf32>, tensor<1x1x2x20x1xf32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.divf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x1xf32>
    %47 = tensor.empty() : tensor<1x2x8x1x20xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<1x2x8x1x20xf32>) -> tensor<1x2x8x1x20xf32>
    %49 = linalg.generic {indexing_maps = [#map15, #map16, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %43 : tensor<1x20x2x8xf32>, tensor<1x1x2x20x20xf32>) outs(%48 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x8x1x20xf32>
    %50 = tensor.empty() : tensor<1x1x20x2x8xf32>
    %51 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x8x1x20xf32>) outs(%50 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %52 = tensor.empty() : tensor<1x20x2x1x8xf32>
    %53 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x1x20x2x8xf32>) outs(%52 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed = tensor.collapse_shape %53 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    %expanded_9 = tensor.expand_shape %arg3 [[0], [1], [2], [3, 4]] output_shape [1, 20, 2, 1, 8] : tensor<1x20x2x8xf32> into tensor<1x20x2x1x8xf32>
    %54 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x20x2x1x8xf32>) outs(%50 : tensor<1x1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x20x2x8xf32>
    %55 = linalg.generic {indexing_maps = [#map19, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x1x20x2x8xf32>) outs(%47 : tensor<1x2x8x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x1x20xf32>
    %56 = tensor.empty() : tensor<1x2x1x20x20xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<1x2x1x20x20xf32>) -> tensor<1x2x1x20x20xf32>
    %58 = linalg.generic {indexing_maps = [#map20, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%55, %arg2 : tensor<1x2x8x1x20xf32>, tensor<1x20x2x8xf32>) outs(%57 : tensor<1x2x1x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x1x20x20xf32>
    %59 = linalg.generic {indexing_maps = [#map21, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x1x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %60 = tensor.empty() : tensor<1x2x8x20xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %62 = linalg.generic {indexing_maps = [#map22, #map23, #map24], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%55, %43 : tensor<1x2x8x1x20xf32>, tensor<1x1x2x20x20xf32>) outs(%61 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x8x20xf32>
    %63 = tensor.empty() : tensor<1x20x2x8xf32>
    %64 = linalg.generic {indexing_maps = [#map25, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x8x20xf32>) outs(%63 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %65 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x1x2x20x1xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59, %65 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%66, %38 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x1x2x20x20xf32>) outs(%39 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20xf32>
    %expanded_10 = tensor.expand_shape %68 [[0], [1], [2], [3, 4]] output_shape [1, 1, 2, 20, 1] : tensor<1x1x2x20xf32> into tensor<1x1x2x20x1xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x1x2x20x1xf32>) outs(%34 : tensor<1x1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.negf %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x1xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%59, %42 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.divf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %71 = tensor.empty() : tensor<2x20xf32>
    %72 = linalg.fill ins(%cst_0 : f32) outs(%71 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %73 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%69 : tensor<1x1x2x20x1xf32>) outs(%72 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %out, %in : f32
      linalg.yield %90 : f32
    } -> tensor<2x20xf32>
    %74 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<2x20xf32>) outs(%29 : tensor<1x1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20xf32>
    %75 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x1x2x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %76 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%70, %75 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.addf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%76, %38 : tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x20x20xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24, %77, %78 : tensor<1x1x2x20x20xi1>, tensor<1x1x2x20x20xf32>, tensor<1x1x2x20x20xf32>) outs(%25 : tensor<1x1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %90 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %90 : f32
    } -> tensor<1x1x2x20x20xf32>
    %80 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x1x2x20x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1x20xf32>
    %81 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%80, %3 : tensor<1x2x20x1x20xf32>, tensor<1x2x20x1x20xf32>) outs(%0 : tensor<1x2x20x1x20xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x20x1x20xf32>
    %82 = tensor.empty() : tensor<1x2x20x8xf32>
    %83 = linalg.fill ins(%cst_0 : f32) outs(%82 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %84 = linalg.generic {indexing_maps = [#map28, #map29, #map24], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%81, %expanded : tensor<1x2x20x1x20xf32>, tensor<1x20x2x1x8xf32>) outs(%83 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x20x8xf32>
    %85 = linalg.generic {indexing_maps = [#map30, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84 : tensor<1x2x20x8xf32>) outs(%63 : tensor<1x20x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x8xf32>
    %86 = tensor.empty() : tensor<1x2x20x1x8xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%86 : tensor<1x2x20x1x8xf32>) -> tensor<1x2x20x1x8xf32>
    %88 = linalg.generic {indexing_maps = [#map31, #map32, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%81, %arg1 : tensor<1x2x20x1x20xf32>, tensor<1x20x2x8xf32>) outs(%87 : tensor<1x2x20x1x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %90 = arith.mulf %in, %in_12 : f32
      %91 = arith.addf %out, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x2x20x1x8xf32>
    %89 = linalg.generic {indexing_maps = [#map33, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x2x20x1x8xf32>) outs(%52 : tensor<1x20x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x20x2x1x8xf32>
    %collapsed_11 = tensor.collapse_shape %89 [[0], [1], [2], [3, 4]] : tensor<1x20x2x1x8xf32> into tensor<1x20x2x8xf32>
    return %collapsed, %collapsed_11, %85, %64 : tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>, tensor<1x20x2x8xf32>
  }
}

