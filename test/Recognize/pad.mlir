// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// Keys are padded to a whole number of vectors and cut off again: K is the argument.

// CHECK-LABEL: func @cut_off
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<8x4xf32>, %[[K:[^:]+]]: tensor<13x4xf32>, %[[V:[^:]+]]: tensor<13x6xf32>
// CHECK-NOT:     linalg.
// CHECK:         attn.attention
// CHECK-SAME:      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
func.func @cut_off(%q: tensor<8x4xf32>, %k: tensor<13x4xf32>, %v: tensor<13x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %k low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<13x4xf32> to tensor<16x4xf32>
  %cut = tensor.extract_slice %padded[1, 0] [13, 4] [1, 1] : tensor<16x4xf32> to tensor<13x4xf32>
  %kt0 = tensor.empty() : tensor<4x13xf32>
  %kt = linalg.transpose ins(%cut : tensor<13x4xf32>) outs(%kt0 : tensor<4x13xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x13xf32>) outs(%f : tensor<8x13xf32>) -> tensor<8x13xf32>
  %wide = tensor.pad %s low[0, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x13xf32> to tensor<8x16xf32>
  %narrow = tensor.extract_slice %wide[0, 0] [8, 13] [1, 1] : tensor<8x16xf32> to tensor<8x13xf32>
  %p = linalg.softmax dimension(1) ins(%narrow : tensor<8x13xf32>) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x13xf32>, tensor<13x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A near miss: the padded keys are keys, with a score of 0. The padded tensor stays
// what it is, and is K.

// CHECK-LABEL: func @left_on
// CHECK:         %[[K:.+]] = tensor.pad
// CHECK:         attn.attention
// CHECK-SAME:      ins(%{{[^,]+}}, %[[K]], %
func.func @left_on(%q: tensor<8x4xf32>, %k: tensor<13x4xf32>, %v: tensor<16x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %k low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<13x4xf32> to tensor<16x4xf32>
  %kt0 = tensor.empty() : tensor<4x16xf32>
  %kt = linalg.transpose ins(%padded : tensor<16x4xf32>) outs(%kt0 : tensor<4x16xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
