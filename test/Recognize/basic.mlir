// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// One head, the softmax as one op. The transpose of K ends in its map, and no
// tensor of rows x keys is left.

// CHECK-LABEL: func @transposed_keys
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<8x4xf32>, %[[K:[^:]+]]: tensor<16x4xf32>, %[[V:[^:]+]]: tensor<16x6xf32>
// CHECK-NOT:     8x16xf32
// CHECK:         %[[O:.+]] = attn.attention {scale = 5.000000e-01}
// CHECK-SAME:      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
// CHECK-NOT:     8x16xf32
// CHECK:         return %[[O]]
#id = affine_map<(i, j) -> (i, j)>
func.func @transposed_keys(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %kt0 = tensor.empty() : tensor<4x16xf32>
  %kt = linalg.transpose ins(%k : tensor<16x4xf32>) outs(%kt0 : tensor<4x16xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %half : f32
    linalg.yield %m : f32
  } -> tensor<8x16xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Batch and heads merged and split again: the loops are split instead, and the
// result is written in the order it is wanted in.

// CHECK-LABEL: func @merged_heads
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<2x3x8x4xf32>, %[[K:[^:]+]]: tensor<2x3x16x4xf32>, %[[V:[^:]+]]: tensor<2x3x16x6xf32>
// CHECK-NEXT:    %[[INIT:.+]] = tensor.empty() : tensor<2x8x3x6xf32>
// CHECK-NEXT:    %[[O:.+]] = attn.attention
// CHECK-SAME:      (b0, b1, m, n, k, d) -> (b0, b1, m, k), -> (b0, b1, n, k), -> (b0, b1, n, d), -> (b0, m, b1, d)
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : {{.*}} outs(%[[INIT]] :
// CHECK-NEXT:    return %[[O]]
func.func @merged_heads(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x16x4xf32>, %v: tensor<2x3x16x6xf32>) -> tensor<2x8x3x6xf32> {
  %zero = arith.constant 0.0 : f32
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
  %kc = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x3x16x4xf32> into tensor<6x16x4xf32>
  %vc = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x16x6xf32> into tensor<6x16x6xf32>
  %e = tensor.empty() : tensor<6x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%qc, %kc : tensor<6x8x4xf32>, tensor<6x16x4xf32>) outs(%f : tensor<6x8x16xf32>) -> tensor<6x8x16xf32>
  %x = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 3, 8, 16] : tensor<6x8x16xf32> into tensor<2x3x8x16xf32>
  %pe = tensor.empty() : tensor<2x3x8x16xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x3x8x16xf32>) outs(%pe : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %pc = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x8x16xf32> into tensor<6x8x16xf32>
  %oe = tensor.empty() : tensor<6x8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x8x6xf32>) -> tensor<6x8x6xf32>
  %oc = linalg.batch_matmul ins(%pc, %vc : tensor<6x8x16xf32>, tensor<6x16x6xf32>) outs(%of : tensor<6x8x6xf32>) -> tensor<6x8x6xf32>
  %o = tensor.expand_shape %oc [[0, 1], [2], [3]] output_shape [2, 3, 8, 6] : tensor<6x8x6xf32> into tensor<2x3x8x6xf32>
  %te = tensor.empty() : tensor<2x8x3x6xf32>
  %t = linalg.transpose ins(%o : tensor<2x3x8x6xf32>) outs(%te : tensor<2x8x3x6xf32>) permutation = [0, 2, 1, 3]
  return %t : tensor<2x8x3x6xf32>
}

// -----

// Repeated key and value heads: the group is a row loop, and nothing is repeated.

// CHECK-LABEL: func @repeated_heads
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<4x8x4xf32>, %[[K:[^:]+]]: tensor<2x16x4xf32>, %[[V:[^:]+]]: tensor<2x16x6xf32>
// CHECK:         %[[QE:.+]] = tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 2, 8, 4]
// CHECK:         attn.attention maps = [(b, m0, m1, n, k, d) -> (b, m0, m1, k), -> (b, n, k), -> (b, n, d), -> (b, m0, m1, d)]
// CHECK-SAME:      ins(%[[QE]], %[[K]], %[[V]] :
// CHECK-NOT:     linalg
#copy = affine_map<(h, g, n, k) -> (h, n, k)>
#full = affine_map<(h, g, n, k) -> (h, g, n, k)>
func.func @repeated_heads(%q: tensor<4x8x4xf32>, %k: tensor<2x16x4xf32>, %v: tensor<2x16x6xf32>) -> tensor<4x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ke = tensor.empty() : tensor<2x2x16x4xf32>
  %kr = linalg.generic {indexing_maps = [#copy, #full], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<2x16x4xf32>) outs(%ke : tensor<2x2x16x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x16x4xf32>
  %kc = tensor.collapse_shape %kr [[0, 1], [2], [3]] : tensor<2x2x16x4xf32> into tensor<4x16x4xf32>
  %ve = tensor.empty() : tensor<2x2x16x6xf32>
  %vr = linalg.broadcast ins(%v : tensor<2x16x6xf32>) outs(%ve : tensor<2x2x16x6xf32>) dimensions = [1]
  %vc = tensor.collapse_shape %vr [[0, 1], [2], [3]] : tensor<2x2x16x6xf32> into tensor<4x16x6xf32>
  %e = tensor.empty() : tensor<4x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %kc : tensor<4x8x4xf32>, tensor<4x16x4xf32>) outs(%f : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x16xf32>) outs(%e : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %oe = tensor.empty() : tensor<4x8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %o = linalg.batch_matmul ins(%p, %vc : tensor<4x8x16xf32>, tensor<4x16x6xf32>) outs(%of : tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  return %o : tensor<4x8x6xf32>
}

// -----

// Q, K and V cut out of one projection after a transpose: they are cut out of
// the projection itself.

// CHECK-LABEL: func @packed
// CHECK-SAME:    %[[P:[^:]+]]: tensor<8x12xf32>
// CHECK-NOT:     linalg.transpose
// CHECK-DAG:     %[[Q:.+]] = tensor.extract_slice %[[P]][0, 0] [8, 4] [1, 1]
// CHECK-DAG:     %[[K:.+]] = tensor.extract_slice %[[P]][0, 4] [8, 4] [1, 1]
// CHECK-DAG:     %[[V:.+]] = tensor.extract_slice %[[P]][0, 8] [8, 4] [1, 1]
// CHECK:         attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] :
func.func @packed(%p: tensor<8x12xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<12x8xf32>
  %t = linalg.transpose ins(%p : tensor<8x12xf32>) outs(%te : tensor<12x8xf32>) permutation = [1, 0]
  %q = tensor.extract_slice %t[0, 0] [4, 8] [1, 1] : tensor<12x8xf32> to tensor<4x8xf32>
  %k = tensor.extract_slice %t[4, 0] [4, 8] [1, 1] : tensor<12x8xf32> to tensor<4x8xf32>
  %v = tensor.extract_slice %t[8, 0] [4, 8] [1, 1] : tensor<12x8xf32> to tensor<4x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<4x8xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %pr = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul indexing_maps = [affine_map<(m, d, n) -> (m, n)>, affine_map<(m, d, n) -> (d, n)>, affine_map<(m, d, n) -> (m, d)>]
       ins(%pr, %v : tensor<8x8xf32>, tensor<4x8xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
