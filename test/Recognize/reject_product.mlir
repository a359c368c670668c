// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// O1: the product is no plain sum from zero, or the result has a further term.

// CHECK-LABEL: func @accumulates
// CHECK-NOT:     attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @accumulates(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %acc: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  // expected-remark @below {{O1 product}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%acc : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A start of zero that is rescaled by exp(c - max(c, m)), as an online state is, but m
// is the maximum of other numbers: where one of these is NaN, so is the result.

// CHECK-LABEL: func @rescaled_by_other_scores
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @rescaled_by_other_scores(%q: tensor<5x4xf32>, %k: tensor<7x4xf32>, %v: tensor<7x6xf32>, %others: tensor<5x7xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %r = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rleast = linalg.fill ins(%least : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<5x4xf32>, tensor<7x4xf32>) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x7xf32>) outs(%rleast : tensor<5xf32>) dimensions = [1]
  %other = linalg.reduce { arith.maximumf } ins(%others : tensor<5x7xf32>) outs(%rleast : tensor<5xf32>) dimensions = [1]
  %fall = arith.subf %rleast, %other : tensor<5xf32>
  %correction = math.exp %fall : tensor<5xf32>
  %start = arith.mulf %r0, %correction : tensor<5xf32>
  %mb = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e : tensor<5x7xf32>) dimensions = [1]
  %x = arith.subf %s, %mb : tensor<5x7xf32>
  %p = math.exp %x : tensor<5x7xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x7xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %oe = tensor.empty() : tensor<5x6xf32>
  %of = linalg.broadcast ins(%start : tensor<5xf32>) outs(%oe : tensor<5x6xf32>) dimensions = [1]
  // expected-remark @below {{O1 product: the result has a factor that is no sum over keys}}
  %o = linalg.matmul ins(%p, %v : tensor<5x7xf32>, tensor<7x6xf32>) outs(%of : tensor<5x6xf32>) -> tensor<5x6xf32>
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%oe : tensor<5x6xf32>) dimensions = [1]
  %w = arith.divf %o, %lb : tensor<5x6xf32>
  return %w : tensor<5x6xf32>
}
