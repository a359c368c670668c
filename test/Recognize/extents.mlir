// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// A depth of one: the sum of one product is a contraction all the same.

// CHECK-LABEL: func @depth_one
// CHECK:         attn.attention maps = [(b, m, n, k, d) -> (b, m, k), -> (b, k, n), -> (b, n, d), -> (b, m, d)]
// CHECK-NOT:     linalg.softmax
func.func @depth_one(%q: tensor<2x8x1xf32>, %kt: tensor<2x1x8xf32>, %v: tensor<2x8x6xf32>) -> tensor<2x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x8x1xf32>, tensor<2x1x8xf32>) outs(%f : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %oe = tensor.empty() : tensor<2x8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  // expected-remark @below {{fused: scale 1}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x6xf32>) outs(%of : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  return %o : tensor<2x8x6xf32>
}

// -----

// An outer product beside Q K^T is a bias (ALiBi's slopes times positions), not
// a second contraction.

// CHECK-LABEL: func @outer_product_bias
// CHECK:         attn.attention {{.*}}extras(
// CHECK-NOT:     linalg.softmax
func.func @outer_product_bias(%q: tensor<2x8x4xf32>, %kt: tensor<2x4x8xf32>, %v: tensor<2x8x6xf32>, %slope: tensor<2x8x1xf32>, %position: tensor<2x1x8xf32>) -> tensor<2x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %bias = linalg.batch_matmul ins(%slope, %position : tensor<2x8x1xf32>, tensor<2x1x8xf32>) outs(%f : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x8x4xf32>, tensor<2x4x8xf32>) outs(%f : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %x = linalg.add ins(%s, %bias : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %oe = tensor.empty() : tensor<2x8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  // expected-remark @below {{fused: scale 1}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x6xf32>) outs(%of : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  return %o : tensor<2x8x6xf32>
}

// -----

// One query row, one head: dims of one step.

// CHECK-LABEL: func @one_row
// CHECK:         attn.attention
// CHECK-NOT:     linalg.softmax
func.func @one_row(%q: tensor<1x1x4xf32>, %kt: tensor<1x4x8xf32>, %v: tensor<1x8x6xf32>) -> tensor<1x1x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x1x4xf32>, tensor<1x4x8xf32>) outs(%f : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x1x8xf32>) outs(%e : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %oe = tensor.empty() : tensor<1x1x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x6xf32>) -> tensor<1x1x6xf32>
  // expected-remark @below {{fused: scale 1}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<1x1x8xf32>, tensor<1x8x6xf32>) outs(%of : tensor<1x1x6xf32>) -> tensor<1x1x6xf32>
  return %o : tensor<1x1x6xf32>
}

// -----

// One key: its weight is 1 whatever the score, there is no softmax to fuse.

// CHECK-LABEL: func @one_key
// CHECK-NOT:     attn.attention
func.func @one_key(%q: tensor<8x4xf32>, %kt: tensor<4x1xf32>, %v: tensor<1x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x1xf32>) -> tensor<8x1xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x1xf32>) outs(%f : tensor<8x1xf32>) -> tensor<8x1xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x1xf32>) outs(%e : tensor<8x1xf32>) -> tensor<8x1xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x1xf32>, tensor<1x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
