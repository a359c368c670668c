// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// Unknown lengths, keys read through an exporter's test for dims of size 1, heads
// merged by tensor.reshape with sizes computed anew: the sizes are traced back.

// CHECK-LABEL: func @exported
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<2x?x4xf32>, %[[K:[^:]+]]: tensor<2x?x4xf32>, %[[V:[^:]+]]: tensor<2x?x6xf32>
// CHECK:         %[[M:.+]] = tensor.dim %[[Q]],
// CHECK:         tensor.empty(%[[M]]) : tensor<2x?x6xf32>
// CHECK:         attn.attention maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
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
