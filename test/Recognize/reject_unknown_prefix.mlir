// A sum and a product over the first 3 of 6 keys, with a bias whose size is unknown
// where it is read: a read of its beginning is not a read of the whole.
// RUN: attn-opt %s -attn-recognize -remarks-filter=attn-recognize 2>&1 | FileCheck %s
// CHECK:     [Missed] attention {{.*}}Reason="O12
// CHECK-NOT: attn.attention
module {
  func.func @f69(%arg0: tensor<2x6x4xf32>, %arg1: tensor<2x5x4xf32>, %arg2: tensor<2x6x3xf32>, %arg3: tensor<6xf32>) -> (tensor<2x5x3xf32>) attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.00000000000000000e+00 : f32
    %2 = tensor.empty() : tensor<2x5x6xf32>
    %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4xf32>, tensor<2x5x4xf32>) outs(%3 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.mulf %i1, %i0 : f32
      %r = arith.addf %o, %x0 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x6xf32>
    %5 = tensor.cast %arg3 : tensor<6xf32> to tensor<?xf32>
    %6 = tensor.cast %5 : tensor<?xf32> to tensor<6xf32>
    %7 = tensor.empty() : tensor<2x5x6xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<2x5x6xf32>, tensor<6xf32>) outs(%7 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.addf %i0, %i1 : f32
      linalg.yield %x0 : f32
    } -> tensor<2x5x6xf32>
    %9 = arith.constant 0xFF800000 : f32
    %10 = tensor.empty() : tensor<2x5xf32>
    %11 = linalg.fill ins(%9 : f32) outs(%10 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x5x6xf32>) outs(%11 : tensor<2x5xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.maximumf %o, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<2x5xf32>
    %13 = tensor.empty() : tensor<2x5x6xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %8 : tensor<2x5xf32>, tensor<2x5x6xf32>) outs(%13 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.subf %i1, %i0 : f32
      linalg.yield %x0 : f32
    } -> tensor<2x5x6xf32>
    %15 = tensor.empty() : tensor<2x5x6xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x5x6xf32>) outs(%15 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %x0 = math.exp %i0 : f32
      linalg.yield %x0 : f32
    } -> tensor<2x5x6xf32>
    %17 = tensor.extract_slice %16[0, 0, 0] [2, 5, 3] [1, 1, 1] : tensor<2x5x6xf32> to tensor<2x5x3xf32>
    %18 = arith.constant 0.00000000000000000e+00 : f32
    %19 = tensor.empty() : tensor<2x5xf32>
    %20 = linalg.fill ins(%18 : f32) outs(%19 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<2x5x3xf32>) outs(%20 : tensor<2x5xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %o, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<2x5xf32>
    %22 = tensor.empty() : tensor<2x5x6xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %21 : tensor<2x5x6xf32>, tensor<2x5xf32>) outs(%22 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.divf %i0, %i1 : f32
      linalg.yield %x0 : f32
    } -> tensor<2x5x6xf32>
    %24 = tensor.extract_slice %23[0, 0, 0] [2, 5, 3] [1, 1, 1] : tensor<2x5x6xf32> to tensor<2x5x3xf32>
    %25 = tensor.extract_slice %arg2[0, 0, 0] [2, 3, 3] [1, 1, 1] : tensor<2x6x3xf32> to tensor<2x3x3xf32>
    %26 = arith.constant 0.00000000000000000e+00 : f32
    %27 = tensor.empty() : tensor<2x5x3xf32>
    %28 = linalg.fill ins(%26 : f32) outs(%27 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%24, %25 : tensor<2x5x3xf32>, tensor<2x3x3xf32>) outs(%28 : tensor<2x5x3xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %x0 = arith.mulf %i0, %i1 : f32
      %r = arith.addf %o, %x0 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x3xf32>
    return %29 : tensor<2x5x3xf32>
  }
}
