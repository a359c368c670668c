// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize 2>&1 | FileCheck %s

// Near misses of gradients beside dQ, dK and dV. Each is left as it was, with a
// remark that names the obligation.
// CHECK-NOT: {{^ *%.*}}attn.attention

// The bias is of keys, its gradient summed over them.
// CHECK: attention-backward {{.*}}Function=reject_other_axis | Reason="G3 joint-gradient: a value computed from dP
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_other_axis(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %b: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %bb = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %s = arith.addf %scaled, %bb : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %db = linalg.reduce { arith.addf } ins(%dx : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  return %dq, %db : tensor<8x4xf32>, tensor<8xf32>
}

// -----

// The bias is added after the scale; its gradient is scaled.
// CHECK: attention-backward {{.*}}Function=reject_scaled | Reason="G3 joint-gradient: a value computed from dP
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_scaled(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %b: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %bb = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %s = arith.addf %scaled, %bb : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %db = linalg.reduce { arith.addf } ins(%ds : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [0]
  return %dq, %db : tensor<8x4xf32>, tensor<8xf32>
}

// -----

// P dP is no dX.
// CHECK: attention-backward {{.*}}Function=reject_no_row_sum | Reason="G3 joint-gradient: a value computed from dP
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_no_row_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %b: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %bb = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %s = arith.addf %scaled, %bb : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %db = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [0]
  return %dq, %db : tensor<8x4xf32>, tensor<8xf32>
}

// -----

// The slope is multiplied by the key, its gradient is not.
// CHECK: attention-backward {{.*}}Function=reject_slope | Reason="G3 joint-gradient: a value computed from dP
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_slope(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %b: tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (m)>, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled, %b : tensor<8x8xf32>, tensor<8xf32>) outs(%mn : tensor<8x8xf32>) {
  ^bb0(%x: f32, %slope: f32, %out: f32):
    %n = linalg.index 1 : index
    %i = arith.index_cast %n : index to i32
    %f = arith.sitofp %i : i32 to f32
    %y = arith.mulf %slope, %f : f32
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = arith.mulf %dp, %p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %db = linalg.reduce { arith.addf } ins(%dx : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  return %dq, %db : tensor<8x4xf32>, tensor<8xf32>
}

// -----

// rowsum(dO V) for rowsum(dO O).
// CHECK: attention-backward {{.*}}Function=reject_row_sum | Reason="G3 joint-gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_row_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %s = arith.addf %scaled, %mn0 : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %prod = arith.mulf %do, %v : tensor<8x6xf32>
  %sum = linalg.reduce { arith.addf } ins(%prod : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.subf %dp, %row : tensor<8x8xf32>
  %dx = arith.mulf %p, %c : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %o : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// rowsum(O O) for rowsum(dO O).
// CHECK: attention-backward {{.*}}Function=reject_row_sum_of_squares | Reason="G3 joint-gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_row_sum_of_squares(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %s = arith.addf %scaled, %mn0 : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %prod = arith.mulf %o, %o : tensor<8x6xf32>
  %sum = linalg.reduce { arith.addf } ins(%prod : tensor<8x6xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.subf %dp, %row : tensor<8x8xf32>
  %dx = arith.mulf %p, %c : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %o : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// The output is guarded; the gradients are of the unguarded P: NaN.
// CHECK: attention-backward {{.*}}Function=reject_unguarded | Reason="G3 joint-gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_unguarded(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %mask: tensor<8x8xi1>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %i1 = tensor.empty() : tensor<8x8xi1>
  %inf = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %s = arith.select %mask, %scaled, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %inf0 = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %raw_p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %gone = arith.cmpf oeq, %s, %inf0 : tensor<8x8xf32>
  %true = arith.constant true
  %ri = tensor.empty() : tensor<8xi1>
  %r1 = linalg.fill ins(%true : i1) outs(%ri : tensor<8xi1>) -> tensor<8xi1>
  %none = linalg.reduce { arith.andi } ins(%gone : tensor<8x8xi1>) outs(%r1 : tensor<8xi1>) dimensions = [1]
  %noneb = linalg.broadcast ins(%none : tensor<8xi1>) outs(%i1 : tensor<8x8xi1>) dimensions = [1]
  %pg = arith.select %noneb, %mn0, %raw_p : tensor<8x8xi1>, tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%pg, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %t = arith.mulf %dp, %raw_p : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %raw_p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %dxm = arith.select %mask, %dx, %mn0 : tensor<8x8xi1>, tensor<8x8xf32>
  %ds = arith.mulf %dxm, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %o : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// Rows without keys are multiplied by 0: NaN stays NaN.
// CHECK: attention-backward {{.*}}Function=reject_factor | Reason="G4 joint-rows
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @reject_factor(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %do: tensor<8x6xf32>, %mask: tensor<8x8xi1>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %scaled = arith.mulf %raw, %half : tensor<8x8xf32>
  %i1 = tensor.empty() : tensor<8x8xi1>
  %inf = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %s = arith.select %mask, %scaled, %inf : tensor<8x8xi1>, tensor<8x8xf32>
  %inf0 = arith.constant dense<0xFF800000> : tensor<8x8xf32>
  %raw_p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %gone = arith.cmpf oeq, %s, %inf0 : tensor<8x8xf32>
  %true = arith.constant true
  %ri = tensor.empty() : tensor<8xi1>
  %r1 = linalg.fill ins(%true : i1) outs(%ri : tensor<8xi1>) -> tensor<8xi1>
  %none = linalg.reduce { arith.andi } ins(%gone : tensor<8x8xi1>) outs(%r1 : tensor<8xi1>) dimensions = [1]
  %noneb = linalg.broadcast ins(%none : tensor<8xi1>) outs(%i1 : tensor<8x8xi1>) dimensions = [1]
  %one = arith.constant dense<1.0> : tensor<8x8xf32>
  %keep = arith.select %noneb, %mn0, %one : tensor<8x8xi1>, tensor<8x8xf32>
  %p = arith.select %noneb, %mn0, %raw_p : tensor<8x8xi1>, tensor<8x8xf32>
  %pk = arith.mulf %keep, %raw_p : tensor<8x8xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn3] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %t = arith.mulf %dp, %pk : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %u = arith.mulf %p, %row : tensor<8x8xf32>
  %dx = arith.subf %t, %u : tensor<8x8xf32>
  %dxm = arith.select %mask, %dx, %mn0 : tensor<8x8xi1>, tensor<8x8xf32>
  %ds = arith.mulf %dxm, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %o : tensor<8x4xf32>, tensor<8x6xf32>
}
