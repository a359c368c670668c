// RUN: attn-opt %s -attn-recognize | FileCheck %s

// Nothing is left in f16 of a score from which the largest number was taken, so
// the first row, all of whose keys are hidden, is uniform. The rounding stays.
// CHECK-LABEL: func.func @fill
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-NEXT: %[[SCORE:.*]] = arith.extf %[[NARROW]] : f16 to f32
// CHECK-NEXT: attn.yield %[[SCORE]]
module {
  func.func @fill(%arg0: tensor<2x6x4xf16>, %arg1: tensor<2x5x4xf16>, %arg2: tensor<2x6x3xf16>) -> (tensor<2x5x3xf16>) attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0.00000000000000000e+00 : f32
    %2 = tensor.empty() : tensor<2x5x6xf32>
    %3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4xf16>, tensor<2x5x4xf16>) outs(%3 : tensor<2x5x6xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i1 : f16 to f32
      %x1 = arith.extf %i0 : f16 to f32
      %x2 = arith.mulf %x0, %x1 : f32
      %r = arith.addf %o, %x2 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x6xf32>
    %5 = tensor.empty() : tensor<2x5x6xf16>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x5x6xf32>) outs(%5 : tensor<2x5x6xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %x0 = arith.truncf %i0 : f32 to f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x6xf16>
    %7 = tensor.empty() : tensor<5x6xi1>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<5x6xi1>) {
    ^bb0(%o: i1):
      %x0 = linalg.index 1 : index
      %x1 = arith.index_cast %x0 : index to i64
      %x2 = linalg.index 0 : index
      %x3 = arith.index_cast %x2 : index to i64
      %x4 = arith.constant -1 : i64
      %x5 = arith.addi %x3, %x4 : i64
      %x6 = arith.cmpi sle, %x1, %x5 : i64
      linalg.yield %x6 : i1
    } -> tensor<5x6xi1>
    %9 = tensor.empty() : tensor<5x6xf16>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<5x6xi1>) outs(%9 : tensor<5x6xf16>) {
    ^bb0(%i0: i1, %o: f16):
      %x0 = arith.constant 0.00000000000000000e+00 : f16
      %x1 = arith.constant -6.55040000000000000e+04 : f16
      %x2 = arith.select %i0, %x0, %x1 : f16
      linalg.yield %x2 : f16
    } -> tensor<5x6xf16>
    %11 = tensor.empty() : tensor<2x5x6xf16>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %6 : tensor<5x6xf16>, tensor<2x5x6xf16>) outs(%11 : tensor<2x5x6xf16>) {
    ^bb0(%i0: f16, %i1: f16, %o: f16):
      %x0 = arith.addf %i1, %i0 : f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x6xf16>
    %13 = arith.constant 0xFC00 : f16
    %14 = tensor.empty() : tensor<2x5xf16>
    %15 = linalg.fill ins(%13 : f16) outs(%14 : tensor<2x5xf16>) -> tensor<2x5xf16>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x5x6xf16>) outs(%15 : tensor<2x5xf16>) {
    ^bb0(%i0: f16, %o: f16):
      %r = arith.maximumf %o, %i0 : f16
      linalg.yield %r : f16
    } -> tensor<2x5xf16>
    %17 = tensor.empty() : tensor<2x5x6xf16>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %16 : tensor<2x5x6xf16>, tensor<2x5xf16>) outs(%17 : tensor<2x5x6xf16>) {
    ^bb0(%i0: f16, %i1: f16, %o: f16):
      %x0 = arith.subf %i0, %i1 : f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x6xf16>
    %19 = tensor.empty() : tensor<2x5x6xf16>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x5x6xf16>) outs(%19 : tensor<2x5x6xf16>) {
    ^bb0(%i0: f16, %o: f16):
      %x0 = math.exp %i0 : f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x6xf16>
    %21 = arith.constant 0.00000000000000000e+00 : f16
    %22 = tensor.empty() : tensor<2x5xf16>
    %23 = linalg.fill ins(%21 : f16) outs(%22 : tensor<2x5xf16>) -> tensor<2x5xf16>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x5x6xf16>) outs(%23 : tensor<2x5xf16>) {
    ^bb0(%i0: f16, %o: f16):
      %r = arith.addf %o, %i0 : f16
      linalg.yield %r : f16
    } -> tensor<2x5xf16>
    %25 = tensor.empty() : tensor<2x5x6xf16>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %24 : tensor<2x5x6xf16>, tensor<2x5xf16>) outs(%25 : tensor<2x5x6xf16>) {
    ^bb0(%i0: f16, %i1: f16, %o: f16):
      %x0 = arith.divf %i0, %i1 : f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x6xf16>
    %27 = arith.constant 0.00000000000000000e+00 : f32
    %28 = tensor.empty() : tensor<2x5x3xf32>
    %29 = linalg.fill ins(%27 : f32) outs(%28 : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%26, %arg2 : tensor<2x5x6xf16>, tensor<2x6x3xf16>) outs(%29 : tensor<2x5x3xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %x2 = arith.mulf %x0, %x1 : f32
      %r = arith.addf %o, %x2 : f32
      linalg.yield %r : f32
    } -> tensor<2x5x3xf32>
    %31 = tensor.empty() : tensor<2x5x3xf16>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x5x3xf32>) outs(%31 : tensor<2x5x3xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %x0 = arith.truncf %i0 : f32 to f16
      linalg.yield %x0 : f16
    } -> tensor<2x5x3xf16>
    return %32 : tensor<2x5x3xf16>
  }
}
