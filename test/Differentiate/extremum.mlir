// REQUIRES: numpy
// RUN: attn-opt %s --attn-recognize --attn-differentiate='functions=pooled' | FileCheck %s
// RUN: attn-run %s --entry=pooled --grad --check | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=loss --grad --check | FileCheck %s --check-prefix=NUMBERS
// RUN: %python -c "import numpy as n; n.savez('%t.npz', arg0=n.float32([3, -1, -1, 2]), dout0=n.float32(4), grad0=n.float32([0, 2, 2, 0]))"
// RUN: attn-run %s --entry=ties --grad --args=%t.npz | FileCheck %s --check-prefix=NUMBERS
// RUN: attn-run %s --entry=returned --grad --check --remarks=attn-recognize 2>&1 | FileCheck %s --check-prefix=RETURNED

// Maxima and minima around attentions: a gradient goes to the elements that are
// equal to the extremum, in equal parts.

// NUMBERS: result agrees

// CHECK-LABEL: func.func @pooled_vjp
// CHECK:         linalg.generic
// CHECK:           arith.cmpf oeq
// CHECK:         attn.attention_backward
func.func @pooled(%q: tensor<8x4xf32>, %k: tensor<12x4xf32>, %v: tensor<12x6xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x12xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %d = tensor.empty() : tensor<6xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x12xf32>) -> tensor<8x12xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %di = linalg.fill ins(%lowest : f32) outs(%d : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : tensor<8x4xf32>, tensor<12x4xf32>) outs(%mn0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x12xf32>) outs(%mn : tensor<8x12xf32>) -> tensor<8x12xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x12xf32>, tensor<12x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %most = linalg.reduce { arith.maximumf } ins(%o : tensor<8x6xf32>) outs(%di : tensor<6xf32>) dimensions = [0]
  return %most : tensor<6xf32>
}

// A softmax that is no attention's: a loss.
func.func @loss(%x: tensor<5x7xf64>, %y: tensor<5x7xf64>) -> tensor<f64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<5x7xf64>
  %s = tensor.empty() : tensor<f64>
  %s0 = linalg.fill ins(%zero : f64) outs(%s : tensor<f64>) -> tensor<f64>
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x7xf64>) outs(%e : tensor<5x7xf64>) -> tensor<5x7xf64>
  %l = math.log %p : tensor<5x7xf64>
  %t = arith.mulf %l, %y : tensor<5x7xf64>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<5x7xf64>) outs(%s0 : tensor<f64>) dimensions = [0, 1]
  return %sum : tensor<f64>
}

// Two of four elements are the smallest: each has half of the gradient. The index of
// the smallest, which exporters keep beside it, has none.
func.func @ties(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i64>) {
  %high = arith.constant 0x7F800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<f32>
  %i = tensor.empty() : tensor<i64>
  %e0 = linalg.fill ins(%high : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %i0 = linalg.fill ins(%none : i64) outs(%i : tensor<i64>) -> tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>, affine_map<(d) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%e0, %i0 : tensor<f32>, tensor<i64>) {
  ^bb0(%in: f32, %least: f32, %at: i64):
    %j = linalg.index 0 : index
    %n = arith.index_cast %j : index to i64
    %m = arith.minimumf %in, %least : f32
    %c = arith.cmpf olt, %in, %least : f32
    %w = arith.select %c, %n, %at : i64
    linalg.yield %m, %w : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %r#0, %r#1 : tensor<f32>, tensor<i64>
}

// An attention that is not fused, since its probabilities are returned, has its
// gradients, too; the remark says why.
// RETURNED: O14 no-other-use
// RETURNED: result agrees
func.func @returned(%q: tensor<8x4xf32>, %k: tensor<12x4xf32>, %v: tensor<12x6xf32>) -> (tensor<8x6xf32>, tensor<8x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x12xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x12xf32>) -> tensor<8x12xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%q, %k : tensor<8x4xf32>, tensor<12x4xf32>) outs(%mn0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x12xf32>) outs(%mn : tensor<8x12xf32>) -> tensor<8x12xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x12xf32>, tensor<12x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o, %p : tensor<8x6xf32>, tensor<8x12xf32>
}
