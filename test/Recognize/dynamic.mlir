// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// Unknown lengths, keys read through an exporter's test for dims of size 1, heads
// merged by tensor.reshape with sizes computed anew: the sizes are traced back.

// CHECK-LABEL: func @exported
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<2x?x4xf32>, %[[K:[^:]+]]: tensor<2x?x4xf32>, %[[V:[^:]+]]: tensor<2x?x6xf32>
// CHECK:         %[[M:.+]] = tensor.dim %[[Q]],
// CHECK:         tensor.empty(%[[M]]) : tensor<2x?x6xf32>
// CHECK:         attn.attention {empty_rows = zero} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-NOT:     linalg.generic
#id = affine_map<(b, n, k) -> (b, n, k)>
func.func @exported(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i64
  %z64 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<2x?x4xf32>
  %n = tensor.dim %k, %c1 : tensor<2x?x4xf32>
  %ke = tensor.empty(%n) : tensor<2x?x4xf32>
  %kr = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ke : tensor<2x?x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = linalg.index 2 : index
    %one = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %one, %c0, %j : index
    %x = tensor.extract %k[%i, %at, %l] : tensor<2x?x4xf32>
    linalg.yield %x : f32
  } -> tensor<2x?x4xf32>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %kr : tensor<2x?x4xf32>, tensor<2x?x4xf32>) outs(%f : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  // Sizes as an exporter computes them: guarded against being negative.
  %m64 = arith.index_cast %m : index to i64
  %negative = arith.cmpi slt, %m64, %z64 : i64
  %product = arith.muli %m64, %c2 : i64
  %msafe = arith.select %negative, %product, %m64 : i64
  %n64 = arith.index_cast %n : index to i64
  %shape = tensor.from_elements %c2, %msafe, %n64 : tensor<3xi64>
  %r = tensor.reshape %s(%shape) : (tensor<2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%r : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %oe = tensor.empty(%m) : tensor<2x?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x6xf32>) outs(%of : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  return %o : tensor<2x?x6xf32>
}

// -----

// A slice of unknown size may be a part of the keys: declined.

// CHECK-LABEL: func @unknown_slice
// CHECK-NOT:     attn.attention
func.func @unknown_slice(%q: tensor<8x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x6xf32>, %some: index) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %k, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<?x4xf32>) outs(%f : tensor<8x?xf32>) -> tensor<8x?xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x?xf32>) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %ps = tensor.extract_slice %p[0, 0] [8, %some] [1, 1] : tensor<8x?xf32> to tensor<8x?xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%ps, %v : tensor<8x?xf32>, tensor<?x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Rows of two groups and an unknown length, merged for the products and split for
// the softmax: the merge is undone wherever the dim is split the same way.

// CHECK-LABEL: func @merged_unknown_rows
// CHECK:         attn.attention
// CHECK-NOT:     linalg.softmax
func.func @merged_unknown_rows(%q: tensor<3x?x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<3x?x6xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<3x?x4xf32>
  %rows = arith.muli %m, %c3 : index
  %qm = tensor.collapse_shape %q [[0, 1], [2]] : tensor<3x?x4xf32> into tensor<?x4xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = linalg.matmul ins(%qm, %kt : tensor<?x4xf32>, tensor<4x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %sx = tensor.expand_shape %s [[0, 1], [2]] output_shape [3, %m, 8] : tensor<?x8xf32> into tensor<3x?x8xf32>
  %pe = tensor.empty(%m) : tensor<3x?x8xf32>
  %p = linalg.softmax dimension(2) ins(%sx : tensor<3x?x8xf32>) outs(%pe : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  %pm = tensor.collapse_shape %p [[0, 1], [2]] : tensor<3x?x8xf32> into tensor<?x8xf32>
  %oe = tensor.empty(%rows) : tensor<?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x6xf32>) -> tensor<?x6xf32>
  // expected-remark @below {{fused: scale 1}}
  %o = linalg.matmul ins(%pm, %v : tensor<?x8xf32>, tensor<8x6xf32>) outs(%of : tensor<?x6xf32>) -> tensor<?x6xf32>
  %ox = tensor.expand_shape %o [[0, 1], [2]] output_shape [3, %m, 6] : tensor<?x6xf32> into tensor<3x?x6xf32>
  return %ox : tensor<3x?x6xf32>
}

// -----

// Merged as 3 x m, split as m x 3: other rows meet. The scores are read as they are.

// CHECK-LABEL: func @split_otherwise
// CHECK-NOT:     attn.attention
func.func @split_otherwise(%q: tensor<3x?x4xf32>, %k: tensor<3x?x8x4xf32>, %v: tensor<8x6xf32>) -> tensor<?x3x6xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<3x?x4xf32>
  %e = tensor.empty(%m) : tensor<3x?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  %s = linalg.contract indexing_maps = [affine_map<(g, m, n, k) -> (g, m, k)>, affine_map<(g, m, n, k) -> (g, m, n, k)>, affine_map<(g, m, n, k) -> (g, m, n)>]
       ins(%q, %k : tensor<3x?x4xf32>, tensor<3x?x8x4xf32>) outs(%f : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  %sm = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x?x8xf32> into tensor<?x8xf32>
  %sx = tensor.expand_shape %sm [[0, 1], [2]] output_shape [%m, 3, 8] : tensor<?x8xf32> into tensor<?x3x8xf32>
  %pe = tensor.empty(%m) : tensor<?x3x8xf32>
  %p = linalg.softmax dimension(2) ins(%sx : tensor<?x3x8xf32>) outs(%pe : tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  %oe = tensor.empty(%m) : tensor<?x3x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x3x6xf32>) -> tensor<?x3x6xf32>
  // expected-remark @below {{Missed}}
  %o = linalg.contract indexing_maps = [affine_map<(m, g, n, d) -> (m, g, n)>, affine_map<(m, g, n, d) -> (n, d)>, affine_map<(m, g, n, d) -> (m, g, d)>]
       ins(%p, %v : tensor<?x3x8xf32>, tensor<8x6xf32>) outs(%of : tensor<?x3x6xf32>) -> tensor<?x3x6xf32>
  return %o : tensor<?x3x6xf32>
}

// -----

// The same rows, returned merged: the result's dim is made of both loops.

// CHECK-LABEL: func @merged_unknown_result
// CHECK:         attn.attention
// CHECK-NOT:     linalg.softmax
func.func @merged_unknown_result(%q: tensor<3x?x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<?x6xf32> {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<3x?x4xf32>
  %rows = arith.muli %m, %c3 : index
  %qm = tensor.collapse_shape %q [[0, 1], [2]] : tensor<3x?x4xf32> into tensor<?x4xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = linalg.matmul ins(%qm, %kt : tensor<?x4xf32>, tensor<4x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %sx = tensor.expand_shape %s [[0, 1], [2]] output_shape [3, %m, 8] : tensor<?x8xf32> into tensor<3x?x8xf32>
  %pe = tensor.empty(%m) : tensor<3x?x8xf32>
  %p = linalg.softmax dimension(2) ins(%sx : tensor<3x?x8xf32>) outs(%pe : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  %pm = tensor.collapse_shape %p [[0, 1], [2]] : tensor<3x?x8xf32> into tensor<?x8xf32>
  %oe = tensor.empty(%rows) : tensor<?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x6xf32>) -> tensor<?x6xf32>
  // expected-remark @below {{fused: scale 1}}
  %o = linalg.matmul ins(%pm, %v : tensor<?x8xf32>, tensor<8x6xf32>) outs(%of : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %o : tensor<?x6xf32>
}
