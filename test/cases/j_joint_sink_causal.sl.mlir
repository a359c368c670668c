#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map20 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0)>
module {
  func.func public @main(%arg0: tensor<1x2x20x8xf32>, %arg1: tensor<1x2x20x8xf32>, %arg2: tensor<1x2x20x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<1x2x20x8xf32>) -> (tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>) {
    %c20 = arith.constant 20 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<false> : tensor<i1>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant dense<true> : tensor<i1>
    %cst_7 = arith.constant dense<3.000000e-01> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x20x20xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x20x20xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x20xf32>
    %5 = tensor.empty() : tensor<20x20xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %7 = tensor.empty() : tensor<20x20xi32>
    %8 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %75 = linalg.index 0 : index
      %76 = arith.index_cast %75 : index to i32
      linalg.yield %76 : i32
    } -> tensor<20x20xi32>
    %9 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%7 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<20x20xi32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%7 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %in_10: i32, %out: i32):
      %75 = arith.addi %in, %in_10 : i32
      linalg.yield %75 : i32
    } -> tensor<20x20xi32>
    %11 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<20x20xi32>) {
    ^bb0(%out: i32):
      %75 = linalg.index 1 : index
      %76 = arith.index_cast %75 : index to i32
      linalg.yield %76 : i32
    } -> tensor<20x20xi32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i32, %in_10: i32, %out: i1):
      %75 = arith.cmpi sge, %in, %in_10 : i32
      linalg.yield %75 : i1
    } -> tensor<20x20xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<20x20xi1>
    %14 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%12, %6, %13 : tensor<20x20xi1>, tensor<20x20xi1>, tensor<20x20xi1>) outs(%5 : tensor<20x20xi1>) {
    ^bb0(%in: i1, %in_10: i1, %in_11: i1, %out: i1):
      %75 = arith.select %in, %in_10, %in_11 : i1
      linalg.yield %75 : i1
    } -> tensor<20x20xi1>
    %15 = tensor.empty() : tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%15 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %17 = tensor.empty() : tensor<1x2x20x20xi1>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<20x20xi1>) outs(%17 : tensor<1x2x20x20xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x20x20xi1>
    %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %4, %19 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %75 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x20xf32>
    %21 = tensor.empty() : tensor<1x2x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2xf32>) outs(%21 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x1xf32>
    %23 = tensor.empty() : tensor<1x2x20x1xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x1x1xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %25 = tensor.empty() : tensor<1x2x20x21xf32>
    %26 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%out: f32):
      %75 = linalg.index 1 : index
      %76 = linalg.index 2 : index
      %77 = linalg.index 3 : index
      %78 = arith.cmpi ult, %77, %c20 : index
      %79 = scf.if %78 -> (f32) {
        %extracted = tensor.extract %20[%c0, %75, %76, %77] : tensor<1x2x20x20xf32>
        scf.yield %extracted : f32
      } else {
        %80 = arith.subi %77, %c20 : index
        %extracted = tensor.extract %24[%c0, %75, %76, %80] : tensor<1x2x20x1xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %79 : f32
    } -> tensor<1x2x20x21xf32>
    %27 = tensor.empty() : tensor<1x2x20xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x20x21xf32>) outs(%28 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.maximumf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20xf32>
    %30 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%27 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %31 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %29 : tensor<1x2x20xf32>, tensor<1x2x20xf32>) outs(%27 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.maximumf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20xf32>
    %32 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x20xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %33 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x20x1xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x21xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %33 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.subf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = math.exp %in : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x20xf32>) -> tensor<1x2x20xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x2x20x21xf32>) outs(%36 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20xf32>
    %38 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x20xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %39 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x20x1xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x21xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.divf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %38 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x1xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %41 : tensor<1x2x20x1xf32>, tensor<1x2x20x1xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.divf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x1xf32>
    %extracted_slice = tensor.extract_slice %40[0, 0, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x20xf32>
    %44 = tensor.empty() : tensor<1x2x20x8xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<1x2x20x8xf32>) -> tensor<1x2x20x8xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg2 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x20x8xf32>
    %47 = tensor.empty() : tensor<1x2x8x20xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<1x2x8x20xf32>) -> tensor<1x2x8x20xf32>
    %49 = linalg.generic {indexing_maps = [#map16, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %extracted_slice : tensor<1x2x20x8xf32>, tensor<1x2x20x20xf32>) outs(%48 : tensor<1x2x8x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x8x20xf32>
    %50 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x2x8x20xf32>) outs(%44 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x8xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg2 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>) outs(%1 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x20x20xf32>
    %padded = tensor.pad %51 low[0, 0, 0, 0] high[0, 0, 0, 1] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x2x20x20xf32> to tensor<1x2x20x21xf32>
    %52 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x20x1xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x21xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded, %52 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %35 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<1x2x20x21xf32>) outs(%36 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20xf32>
    %expanded = tensor.expand_shape %55 [[0], [1], [2, 3]] output_shape [1, 2, 20, 1] : tensor<1x2x20xf32> into tensor<1x2x20x1xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x20x1xf32>) outs(%23 : tensor<1x2x20x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.negf %in : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x1xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded, %39 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.divf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %58 = tensor.empty() : tensor<2x20xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<2x20xf32>) -> tensor<2x20xf32>
    %60 = linalg.generic {indexing_maps = [#map18, #map19], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%56 : tensor<1x2x20x1xf32>) outs(%59 : tensor<2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2x20xf32>
    %61 = linalg.generic {indexing_maps = [#map20, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x20xf32>) outs(%27 : tensor<1x2x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20xf32>
    %62 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x2x20xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x21xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %62 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.addf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %35 : tensor<1x2x20x21xf32>, tensor<1x2x20x21xf32>) outs(%25 : tensor<1x2x20x21xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x21xf32>
    %extracted_slice_8 = tensor.extract_slice %64[0, 0, 0, 0] [1, 2, 20, 20] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x20xf32>
    %extracted_slice_9 = tensor.extract_slice %64[0, 0, 0, 20] [1, 2, 20, 1] [1, 1, 1, 1] : tensor<1x2x20x21xf32> to tensor<1x2x20x1xf32>
    %65 = tensor.empty() : tensor<2xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%65 : tensor<2xf32>) -> tensor<2xf32>
    %67 = linalg.generic {indexing_maps = [#map21, #map22], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%extracted_slice_9 : tensor<1x2x20x1xf32>) outs(%66 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2xf32>
    %68 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<2xf32>) outs(%21 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x1xf32>
    %69 = linalg.generic {indexing_maps = [#map21, #map22], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%68 : tensor<1x2x1x1xf32>) outs(%66 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %75 = arith.addf %out, %in : f32
      linalg.yield %75 : f32
    } -> tensor<2xf32>
    %70 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x20x20xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %extracted_slice_8, %70 : tensor<1x2x20x20xi1>, tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %75 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x20xf32>
    %72 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %3 : tensor<1x2x20x20xf32>, tensor<1x2x20x20xf32>) outs(%0 : tensor<1x2x20x20xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      linalg.yield %75 : f32
    } -> tensor<1x2x20x20xf32>
    %73 = linalg.generic {indexing_maps = [#map16, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%72, %arg0 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x20x8xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map15, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%72, %arg1 : tensor<1x2x20x20xf32>, tensor<1x2x20x8xf32>) outs(%45 : tensor<1x2x20x8xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %75 = arith.mulf %in, %in_10 : f32
      %76 = arith.addf %out, %75 : f32
      linalg.yield %76 : f32
    } -> tensor<1x2x20x8xf32>
    return %46, %74, %73, %50, %69 : tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<1x2x20x8xf32>, tensor<2xf32>
  }
}

