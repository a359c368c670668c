// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// O13: Q is a diagonal of a tensor, which no projected permutation reads.

// CHECK-LABEL: func @diagonal_query
// CHECK-NOT:     attn.attention
#q = affine_map<(m, n, k) -> (m, m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @diagonal_query(%q: tensor<8x8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<8x8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %out, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{O13 layout: Q is not read through a projected permutation}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// The near miss: a slice of K is a tensor of its own, and is read.

// CHECK-LABEL: func @sliced_keys
// CHECK:         %[[K:.+]] = tensor.extract_slice
// CHECK:         attn.attention {{.*}} ins(%{{.+}}, %[[K]], %{{.+}} :
func.func @sliced_keys(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ks = tensor.extract_slice %k[3, 0] [8, 4] [1, 1] : tensor<16x4xf32> to tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %ks : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A dim of rows and batch elements, both of unknown size, cannot be split into them.
func.func @two_unknown_sizes(%arg0: tensor<?x2x?x?x4xf32>, %arg1: tensor<?x2x?x4xf32>, %arg2: tensor<?x2x?x3xf32>) -> (tensor<?x2x?x3xf32>) {
  %1 = tensor.collapse_shape %arg1 [[0, 1, 2], [3]] : tensor<?x2x?x4xf32> into tensor<?x4xf32>
  %2 = arith.constant 0 : index
  %3 = tensor.dim %arg0, %2 : tensor<?x2x?x?x4xf32>
  %4 = arith.constant 2 : index
  %5 = arith.muli %3, %4 : index
  %6 = arith.constant 2 : index
  %7 = tensor.dim %arg0, %6 : tensor<?x2x?x?x4xf32>
  %8 = arith.muli %5, %7 : index
  %9 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [%8, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
  %10 = arith.constant 3 : index
  %11 = tensor.dim %arg0, %10 : tensor<?x2x?x?x4xf32>
  %12 = tensor.empty(%3, %7, %11) : tensor<?x2x?x4x?xf32>
  %13 = linalg.transpose ins(%arg0 : tensor<?x2x?x?x4xf32>) outs(%12 : tensor<?x2x?x4x?xf32>) permutation = [0, 1, 2, 4, 3]
  %14 = tensor.collapse_shape %13 [[0, 1, 2], [3], [4]] : tensor<?x2x?x4x?xf32> into tensor<?x4x?xf32>
  %15 = arith.constant 0.00000000000000000e+00 : f32
  %16 = tensor.empty(%8, %11) : tensor<?x1x?xf32>
  %17 = linalg.fill ins(%15 : f32) outs(%16 : tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %18 = linalg.batch_matmul ins(%9, %14 : tensor<?x1x4xf32>, tensor<?x4x?xf32>) outs(%17 : tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %19 = tensor.collapse_shape %18 [[0], [1, 2]] : tensor<?x1x?xf32> into tensor<?x?xf32>
  %20 = arith.constant 0xFF800000 : f32
  %21 = tensor.empty(%8) : tensor<?xf32>
  %22 = linalg.fill ins(%20 : f32) outs(%21 : tensor<?xf32>) -> tensor<?xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<?x?xf32>) outs(%22 : tensor<?xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.maximumf %o, %i0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %24 = tensor.empty(%8, %11) : tensor<?x?xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%19, %23 : tensor<?x?xf32>, tensor<?xf32>) outs(%24 : tensor<?x?xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %x0 = arith.subf %i0, %i1 : f32
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  %26 = tensor.empty(%8, %11) : tensor<?x?xf32>
  %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x?xf32>) outs(%26 : tensor<?x?xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %x0 = math.exp %i0 : f32
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  %28 = arith.constant 0.00000000000000000e+00 : f32
  %29 = tensor.empty(%8) : tensor<?xf32>
  %30 = linalg.fill ins(%28 : f32) outs(%29 : tensor<?xf32>) -> tensor<?xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%27 : tensor<?x?xf32>) outs(%30 : tensor<?xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.addf %o, %i0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %32 = tensor.empty(%8, %11) : tensor<?x?xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%27, %31 : tensor<?x?xf32>, tensor<?xf32>) outs(%32 : tensor<?x?xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %x0 = arith.divf %i0, %i1 : f32
    linalg.yield %x0 : f32
  } -> tensor<?x?xf32>
  %34 = tensor.expand_shape %33 [[0, 1, 2], [3]] output_shape [%3, 2, %7, %11] : tensor<?x?xf32> into tensor<?x2x?x?xf32>
  %35 = arith.constant 0.00000000000000000e+00 : f32
  %36 = tensor.empty(%3, %7) : tensor<?x2x?x3xf32>
  %37 = linalg.fill ins(%35 : f32) outs(%36 : tensor<?x2x?x3xf32>) -> tensor<?x2x?x3xf32>
  // expected-remark @below {{O13 layout: Q is not read through a projected permutation of whole dims}}
  %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%34, %arg2 : tensor<?x2x?x?xf32>, tensor<?x2x?x3xf32>) outs(%37 : tensor<?x2x?x3xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %x0 = arith.mulf %i0, %i1 : f32
    %r = arith.addf %o, %x0 : f32
    linalg.yield %r : f32
  } -> tensor<?x2x?x3xf32>
  return %38 : tensor<?x2x?x3xf32>
}
