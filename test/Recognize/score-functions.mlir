// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// A bias of any shape is an extra; the factor of the score is the scale.

// CHECK-LABEL: func @bias
// CHECK-SAME:    %[[B:[^:]+]]: tensor<1x8xf32>
// CHECK:         attn.attention {scale = 2.500000e-01}
// CHECK-SAME:      -> (0, n)
// CHECK-SAME:      extras(%[[B]] : tensor<1x8xf32>)
// CHECK-SAME:      score (%[[S:.+]]: f32, %[[X:.+]]: f32)
// CHECK-NEXT:      %[[R:.+]] = arith.addf %[[S]], %[[X]]
// CHECK-NEXT:      attn.yield %[[R]]
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @bias(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %bias: tensor<1x8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %four = arith.constant 4.0 : f32
  %x = linalg.generic {indexing_maps = [#mn, affine_map<(m, n) -> (0, n)>, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %bias : tensor<8x8xf32>, tensor<1x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %four : f32
    %r = arith.addf %d, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Soft cap: the inner factor is the scale, the rest is the region.

// CHECK-LABEL: func @softcap
// CHECK:         attn.attention {scale = 5.000000e-01}
// CHECK-SAME:      score (%[[S:.+]]: f32)
// CHECK-NEXT:      %[[T:.+]] = math.tanh %[[S]]
// CHECK:           %[[R:.+]] = arith.mulf %[[T]],
// CHECK-NEXT:      attn.yield %[[R]]
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @softcap(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %half = arith.constant 0.5 : f32
  %cap = arith.constant 20.0 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %h = arith.mulf %a, %half : f32
    %t = math.tanh %h : f32
    %r = arith.mulf %t, %cap : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A product of two uses of the score has no one factor: the scale stays 1.

// CHECK-LABEL: func @two_factors
// CHECK:         attn.attention maps
// CHECK:           arith.mulf
// CHECK:           arith.maximumf
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @two_factors(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %half = arith.constant 0.5 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %h = arith.mulf %a, %half : f32
    %r = arith.maximumf %h, %a : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Slopes times distance (ALiBi): a table per row and the index of the key.

// CHECK-LABEL: func @alibi
// CHECK:         attn.attention
// CHECK-SAME:      extras(%{{.+}} : tensor<8xf32>)
// CHECK:           attn.index 1
// CHECK:           arith.sitofp
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @alibi(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %slopes: tensor<8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %slopes : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %n = linalg.index 1 : index
    %i = arith.index_cast %n : index to i64
    %g = arith.sitofp %i : i64 to f32
    %h = arith.mulf %b, %g : f32
    %r = arith.addf %a, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// An initial value of the contraction is a bias.

// CHECK-LABEL: func @initial_value
// CHECK-SAME:    %[[B:[^:]+]]: tensor<8x8xf32>)
// CHECK:         attn.attention
// CHECK-SAME:      extras(%[[B]] : tensor<8x8xf32>)
// CHECK:           arith.addf
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @initial_value(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %bias: tensor<8x8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%bias : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A bias per row cancels unless it is -inf: it stays in the score function.

// CHECK-LABEL: func @row_bias
// CHECK:         attn.attention
// CHECK-SAME:      -> (m)
// CHECK-SAME:      extras(%{{.+}} : tensor<8xf32>)
// CHECK:           arith.addf
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @row_bias(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %rows: tensor<8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %rows : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
