#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> ()>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<() -> ()>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map18 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<1x2x20x20xi1>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<false> : tensor<i1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %cst_3 = arith.constant dense<8.000000e-01> : tensor<f32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_8 = arith.constant dense<true> : tensor<i1>
    %cst_9 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x20x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x20x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<20x20xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<i1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %7 = tensor.empty() : tensor<20x20xi32>
    %8 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %71 = linalg.index 0 : index
      %72 = arith.index_cast %71 : index to i32
      linalg.yield %72 : i32
    } -> tensor<20x20xi32>
    %9 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%7 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<20x20xi32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%7 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %in_10: i32, %out: i32):
      %71 = arith.addi %in, %in_10 : i32
      linalg.yield %71 : i32
    } -> tensor<20x20xi32>
    %11 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %71 = linalg.index 1 : index
      %72 = arith.index_cast %71 : index to i32
      linalg.yield %72 : i32
    } -> tensor<20x20xi32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i32, %in_10: i32, %out: i1):
      %71 = arith.cmpi sge, %in, %in_10 : i32
      linalg.yield %71 : i1
    } -> tensor<20x20xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%12, %6, %13 : tensor<20x20xi1>, tensor<20x20xi1>, tensor<20x20xi1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_10: i1, %in_11: i1, %out: i1):
      %71 = arith.select %in, %in_10, %in_11 : i1
      linalg.yield %71 : i1
    } -> tensor<20x20xi1>
    %15 = tensor.empty() : tensor<1x2x20x20xi1>
    %16 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<20x20xi1>) outs(%15 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %17 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %4, %17 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %71 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %19 = tensor.empty() : tensor<1x2x20xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x20x20xf32>) outs(%20 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.maximumf %out, %in : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%19 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %23 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %21 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%19 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.maximumf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20xf32>
    %24 = tensor.empty() : tensor<1x2x20x1xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x20xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %26 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %26 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.subf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = math.exp %in : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x2x20x20xf32>) outs(%29 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %out, %in : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20xf32>
    %31 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x20xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %32 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.divf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %31 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x1xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %34 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.divf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x1xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.divf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %39 = tensor.empty() : tensor<f32>
    %40 = linalg.generic {indexing_maps = [#map12], iterator_types = []} outs(%39 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_0 : f32
    } -> tensor<f32>
    %41 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %38, %41 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %71 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %43 = tensor.empty() : tensor<1x2x20x8xf32>
    %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%42, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%44 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x20x8xf32>
    %46 = tensor.empty() : tensor<1x2x8x20xf32>
    %47 = linalg.fill ins(%cst_0 : f32) outs(%46 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %48 = linalg.generic {indexing_maps = [#map14, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %42 : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%47 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x8x20xf32>
    %49 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x2x8x20xf32>) outs(%43 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x20x20xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %50, %51 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %71 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %37 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.divf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %54 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x20x1xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %54 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x2x20x20xf32>) outs(%29 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %out, %in : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20xf32>
    %expanded = tensor.expand_shape %57 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x1xf32>) outs(%24 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x1xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %32 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.divf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %60 = tensor.empty() : tensor<2x20xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %62 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%58 : tensor<1x2x20x1xf32>) outs(%61 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %out, %in : f32
      linalg.yield %71 : f32
    } -> tensor<2x20xf32>
    %63 = linalg.generic {indexing_maps = [#map18, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x20xf32>) outs(%19 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %64 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %65 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %64 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.addf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %28 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %66, %51 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %71 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %68 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      linalg.yield %71 : f32
    } -> tensor<1x2x20x20xf32>
    %69 = linalg.generic {indexing_maps = [#map14, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%68, %arg0 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%44 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x20x8xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%68, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%44 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %71 = arith.mulf %in, %in_10 : f32
      %72 = arith.addf %out, %71 : f32
      linalg.yield %72 : f32
    } -> tensor<1x2x20x8xf32>
    return %45, %70, %69, %49 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>
  }
}

