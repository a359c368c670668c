// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize 2>&1 | FileCheck %s

// Near misses of the gradients of grouped heads: K of each head is read by a group of
// query heads, over which dK is summed. Each is left as it was, with a remark.
// CHECK-NOT: {{^ *%.*}}attn.attention

// Summed over the heads of K in place of the group, which is as large.
// CHECK: attention-backward {{.*}}Function=over_heads | Reason="G3 joint-gradient: a product of the scores' gradient is neither dQ nor dK
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
module {
  func.func @over_heads(%arg0: tensor<2x2x8x4xf32>, %arg1: tensor<2x8x4xf32>, %arg2: tensor<2x8x4xf32>, %arg3: tensor<2x2x8x4xf32>) -> tensor<2x8x4xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x2x8x8xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x2x8x4xf32>, tensor<2x8x4xf32>) outs(%1 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.mulf %in, %in_2 : f32
      %22 = arith.addf %out, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<2x2x8x8xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.mulf %in, %cst_0 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %4 = tensor.empty() : tensor<2x2x8xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3 : tensor<2x2x8x8xf32>) outs(%5 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.maximumf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %6 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.subf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.exp %in : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %9 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x2x8x8xf32>) outs(%9 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.divf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg3, %arg2 : tensor<2x2x8x4xf32>, tensor<2x8x4xf32>) outs(%1 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.mulf %in, %in_2 : f32
      %22 = arith.addf %out, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<2x2x8x8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %11 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.mulf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<2x2x8x8xf32>) outs(%9 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %14 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.mulf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %15 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.subf %in, %in_2 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.mulf %in, %cst_0 : f32
      linalg.yield %21 : f32
    } -> tensor<2x2x8x8xf32>
    %18 = tensor.empty() : tensor<2x8x4xf32>
    %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%17, %arg0 : tensor<2x2x8x8xf32>, tensor<2x2x8x4xf32>) outs(%19 : tensor<2x8x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %21 = arith.mulf %in, %in_2 : f32
      %22 = arith.addf %out, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<2x8x4xf32>
    return %20 : tensor<2x8x4xf32>
  }
}


// -----

// dS = t - P' rowsum(t), with the probabilities of scores half as large again.
// CHECK: attention-backward {{.*}}Function=other_probabilities | Reason="G3 joint-gradient: a product of the scores' gradient is neither dQ nor dK
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
module {
  func.func @other_probabilities(%arg0: tensor<2x2x8x4xf32>, %arg1: tensor<2x8x4xf32>, %arg2: tensor<2x8x4xf32>, %arg3: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
    %cst = arith.constant 1.500000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x2x8x8xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x2x8x4xf32>, tensor<2x8x4xf32>) outs(%1 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.mulf %in, %in_3 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x2x8x8xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.mulf %in, %cst_1 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %4 = tensor.empty() : tensor<2x2x8xf32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3 : tensor<2x2x8x8xf32>) outs(%5 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.maximumf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %6 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.subf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %9 = linalg.fill ins(%cst_2 : f32) outs(%4 : tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x2x8x8xf32>) outs(%9 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.divf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.mulf %in, %cst : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x2x8x8xf32>) outs(%5 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.maximumf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %13 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.subf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x2x8x8xf32>) outs(%9 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %16 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.divf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg3, %arg2 : tensor<2x2x8x4xf32>, tensor<2x8x4xf32>) outs(%1 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.mulf %in, %in_3 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x2x8x8xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %11 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.mulf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x2x8x8xf32>) outs(%9 : tensor<2x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x2x8x8xf32>, tensor<2x2x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.mulf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.subf %in, %in_3 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x2x8x8xf32>) outs(%0 : tensor<2x2x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.mulf %in, %cst_1 : f32
      linalg.yield %27 : f32
    } -> tensor<2x2x8x8xf32>
    %24 = tensor.empty() : tensor<2x2x8x4xf32>
    %25 = linalg.fill ins(%cst_2 : f32) outs(%24 : tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%23, %arg1 : tensor<2x2x8x8xf32>, tensor<2x8x4xf32>) outs(%25 : tensor<2x2x8x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %27 = arith.mulf %in, %in_3 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x2x8x4xf32>
    return %26 : tensor<2x2x8x4xf32>
  }
}

