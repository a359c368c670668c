#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
module {
  func.func public @main(%arg0: tensor<2x16x8xf32>, %arg1: tensor<2x16x8xf32>, %arg2: tensor<2x16x8xf32>) -> (tensor<f32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<3.000000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<2x16x16xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x16x8xf32>, tensor<2x16x8xf32>) outs(%1 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      %49 = arith.addf %out, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x16x16xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %5 = tensor.empty() : tensor<2x16xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x16x16xf32>) outs(%6 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.maximumf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%5 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16xf32>
    %9 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%8, %7 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%5 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.maximumf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16xf32>
    %10 = tensor.empty() : tensor<2x16x1xf32>
    %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x1xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.subf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.exp %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x16x16xf32>) outs(%15 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16xf32>
    %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x16xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x1xf32>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %17 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x1xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %20 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x1xf32>
    %23 = tensor.empty() : tensor<2x16x8xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    %25 = linalg.batch_matmul ins(%19, %arg2 : tensor<2x16x16xf32>, tensor<2x16x8xf32>) outs(%24 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    %26 = tensor.empty() : tensor<f32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<f32>) -> tensor<f32>
    %28 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["reduction", "reduction", "reduction"]} ins(%25 : tensor<2x16x8xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<f32>
    %29 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%23 : tensor<2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x8xf32>
    %30 = tensor.empty() : tensor<2x8x16xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %32 = linalg.generic {indexing_maps = [#map9, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29, %19 : tensor<2x16x8xf32>, tensor<2x16x16xf32>) outs(%31 : tensor<2x8x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      %49 = arith.addf %out, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x8x16xf32>
    %33 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<2x8x16xf32>) outs(%23 : tensor<2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29, %arg2 : tensor<2x16x8xf32>, tensor<2x16x8xf32>) outs(%1 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      %49 = arith.addf %out, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x16x16xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %35 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %14 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37 : tensor<2x16x16xf32>) outs(%15 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16xf32>
    %expanded = tensor.expand_shape %38 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x16x1xf32>) outs(%10 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.negf %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x1xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %18 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.divf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<2x16x1xf32>) outs(%15 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %out, %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x16xf32>
    %42 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x16xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.addf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %14 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %3 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%0 : tensor<2x16x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      linalg.yield %48 : f32
    } -> tensor<2x16x16xf32>
    %46 = linalg.generic {indexing_maps = [#map9, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45, %arg0 : tensor<2x16x16xf32>, tensor<2x16x8xf32>) outs(%24 : tensor<2x16x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %48 = arith.mulf %in, %in_4 : f32
      %49 = arith.addf %out, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x16x8xf32>
    %47 = linalg.batch_matmul ins(%45, %arg1 : tensor<2x16x16xf32>, tensor<2x16x8xf32>) outs(%24 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    return %28, %47, %46, %33 : tensor<f32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>
  }
}

