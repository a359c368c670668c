// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// Divided after the product.

// CHECK-LABEL: func @after_product
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    attn.attention
// CHECK-NEXT:    return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @after_product(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %u = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%u, %l : tensor<8x6xf32>, tensor<8xf32>) outs(%oe : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Times a reciprocal.

// CHECK-LABEL: func @reciprocal
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    attn.attention
// CHECK-NEXT:    return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @reciprocal(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %one = arith.constant 1.0 : f32
  %i = linalg.map ins(%l : tensor<8xf32>) outs(%r : tensor<8xf32>) (%a: f32, %init: f32) {
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  }
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %i : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.mulf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Powers of two: the scale takes the logarithm of 2.

// CHECK-LABEL: func @powers_of_two
// CHECK:         attn.attention {scale = 0.69314{{.*}}}
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @powers_of_two(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
    %x1 = math.exp2 %d : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// No maximum: fused under an assumption.

// CHECK-LABEL: func @no_maximum
// CHECK:         attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @no_maximum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %x1 = math.exp %a : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{[Passed]{{.*}}A3 shift-safe}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// exp(x - (max + log sum)): normalised in the exponent.

// CHECK-LABEL: func @log_softmax
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    attn.attention
// CHECK-NEXT:    return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @log_softmax(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %e1 = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%e1 : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %lse = linalg.map ins(%l, %m : tensor<8xf32>, tensor<8xf32>) outs(%r : tensor<8xf32>) (%a: f32, %b: f32, %init: f32) {
    %g = math.log %a : f32
    %d = arith.addf %g, %b : f32
    linalg.yield %d : f32
  }
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %lse : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// 1 beside the sum of unshifted exponentials is a sink of score 0.

// CHECK-LABEL: func @quiet_softmax
// CHECK:         %[[SINK:.+]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK:         attn.attention
// CHECK-SAME:      sink(%[[SINK]] : tensor<f32>)
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @quiet_softmax(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %x1 = math.exp %a : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %one = arith.constant 1.0 : f32
  %r1 = linalg.fill ins(%one : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<8x8xf32>) outs(%r1 : tensor<8xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{[Passed]{{.*}}sink}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A guard of rows without keys: they are zero.

// CHECK-LABEL: func @guarded
// CHECK:         attn.attention {empty_rows = zero}
// CHECK-SAME:      extras(
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @guarded(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %bias: tensor<8x8xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %bias : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %x1 = arith.addf %a, %b : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %ie = tensor.empty() : tensor<8x8xi1>
  %h = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%ie : tensor<8x8xi1>) {
  ^bb0(%a: f32, %out: i1):
    %c = arith.cmpf oeq, %a, %inf : f32
    linalg.yield %c : i1
  } -> tensor<8x8xi1>
  %true = arith.constant true
  %ae = tensor.empty() : tensor<8xi1>
  %at = linalg.fill ins(%true : i1) outs(%ae : tensor<8xi1>) -> tensor<8xi1>
  %all = linalg.reduce { arith.andi } ins(%h : tensor<8x8xi1>) outs(%at : tensor<8xi1>) dimensions = [1]
  %pg = linalg.generic {indexing_maps = [#m, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%all, %p : tensor<8xi1>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %x1 = arith.select %a, %zero, %b : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{[Passed]{{.*}}empty rows zero}}
  %o = linalg.matmul ins(%pg, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Arithmetic on whole tensors, before and after the product.

// CHECK-LABEL: func @tensor_arithmetic
// CHECK:         %[[O:.+]] = attn.attention
// CHECK:         return %[[O]]
func.func @tensor_arithmetic(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %mb = linalg.broadcast ins(%m : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [1]
  %d = arith.subf %s, %mb : tensor<8x8xf32>
  %x = math.exp %d : tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed]}}
  %o = linalg.matmul ins(%x, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  %lb = linalg.broadcast ins(%l : tensor<8xf32>) outs(%oe : tensor<8x6xf32>) dimensions = [1]
  %n = arith.divf %o, %lb : tensor<8x6xf32>
  return %n : tensor<8x6xf32>
}

// -----

// log2(e) multiplied in after the maximum is subtracted: the shift is the maximum
// all the same, and A3 is not assumed.

// CHECK-LABEL: func @log2e_after_maximum
// CHECK:         attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @log2e_after_maximum(%q: tensor<8x4xf32>, %kt: tensor<4x8xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %log2e = arith.constant 1.44269502 : f32
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %x = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %t = arith.mulf %d, %log2e : f32
    %p = math.exp2 %t : f32
    linalg.yield %p : f32
  } -> tensor<8x8xf32>
  %l = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%x, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{[Passed] attention | Category:attn-recognize | Function=log2e_after_maximum | Remark=}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
