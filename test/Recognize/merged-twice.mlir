// RUN: attn-opt %s -attn-recognize | FileCheck %s

// Heads merged through a dim of one step that joins the batch of unknown size and
// leaves it again.
// CHECK-LABEL: func.func @heads
// CHECK: attn.attention
module {
  func.func @heads(%arg0: tensor<?x2x6x4xf32>, %arg1: tensor<?x2x2x5x4xf32>, %arg2: tensor<?x2x6x3xf32>) -> (tensor<?x10x3xf32>) attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.00000000000000000e+00 : f32
    %2 = arith.constant 0 : index
    %3 = tensor.dim %arg0, %2 : tensor<?x2x6x4xf32>
    %4 = tensor.empty(%3) : tensor<?x2x2x5x6xf32>
    %5 = linalg.fill ins(%1 : f32) outs(%4 : tensor<?x2x2x5x6xf32>) -> tensor<?x2x2x5x6xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x2x6x4xf32>, tensor<?x2x2x5x4xf32>) outs(%5 : tensor<?x2x2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.mulf %i1, %i0 : f32
      %r = arith.addf %o, %x0 : f32
      linalg.yield %r : f32
    } -> tensor<?x2x2x5x6xf32>
    %7 = arith.constant 0xFF800000 : f32
    %8 = tensor.empty(%3) : tensor<?x2x2x5xf32>
    %9 = linalg.fill ins(%7 : f32) outs(%8 : tensor<?x2x2x5xf32>) -> tensor<?x2x2x5xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<?x2x2x5x6xf32>) outs(%9 : tensor<?x2x2x5xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.maximumf %o, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<?x2x2x5xf32>
    %11 = tensor.empty(%3) : tensor<?x2x2x5x6xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%10, %6 : tensor<?x2x2x5xf32>, tensor<?x2x2x5x6xf32>) outs(%11 : tensor<?x2x2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.subf %i1, %i0 : f32
      linalg.yield %x0 : f32
    } -> tensor<?x2x2x5x6xf32>
    %13 = tensor.empty(%3) : tensor<?x2x2x5x6xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<?x2x2x5x6xf32>) outs(%13 : tensor<?x2x2x5x6xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %x0 = math.exp %i0 : f32
      linalg.yield %x0 : f32
    } -> tensor<?x2x2x5x6xf32>
    %15 = arith.constant 0.00000000000000000e+00 : f32
    %16 = tensor.empty(%3) : tensor<?x2x2x5xf32>
    %17 = linalg.fill ins(%15 : f32) outs(%16 : tensor<?x2x2x5xf32>) -> tensor<?x2x2x5xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<?x2x2x5x6xf32>) outs(%17 : tensor<?x2x2x5xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %o, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<?x2x2x5xf32>
    %19 = tensor.empty(%3) : tensor<?x2x2x5x6xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<?x2x2x5x6xf32>, tensor<?x2x2x5xf32>) outs(%19 : tensor<?x2x2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.divf %i0, %i1 : f32
      linalg.yield %x0 : f32
    } -> tensor<?x2x2x5x6xf32>
    %21 = tensor.expand_shape %20 [[0, 1], [2], [3], [4], [5]] output_shape [1, %3, 2, 2, 5, 6] : tensor<?x2x2x5x6xf32> into tensor<1x?x2x2x5x6xf32>
    %22 = tensor.collapse_shape %21 [[0, 1], [2], [3], [4], [5]] : tensor<1x?x2x2x5x6xf32> into tensor<?x2x2x5x6xf32>
    %23 = tensor.collapse_shape %22 [[0, 1], [2, 3], [4]] : tensor<?x2x2x5x6xf32> into tensor<?x10x6xf32>
    %24 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<?x2x6x3xf32> into tensor<?x6x3xf32>
    %25 = arith.constant 0.00000000000000000e+00 : f32
    %26 = arith.constant 2 : index
    %27 = arith.muli %3, %26 : index
    %28 = tensor.empty(%27) : tensor<?x10x3xf32>
    %29 = linalg.fill ins(%25 : f32) outs(%28 : tensor<?x10x3xf32>) -> tensor<?x10x3xf32>
    %30 = linalg.batch_matmul ins(%23, %24 : tensor<?x10x6xf32>, tensor<?x6x3xf32>) outs(%29 : tensor<?x10x3xf32>) -> tensor<?x10x3xf32>
    return %30 : tensor<?x10x3xf32>
  }
}
