// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// What stands beside the sum, or in the maximum, and is no sink.

// The maximum is of the keys alone, and the first row has none: it is NaN, where the
// fused form would let the sink make it zero.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// CHECK-LABEL: func @masked_row
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @masked_row(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi slt, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m0 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @below {{O4 normalised: a row without keys is NaN although there is a sink}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// What is subtracted from the sum is no sink.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// CHECK-LABEL: func @subtracted
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @subtracted(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %sb : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.subf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @below {{O4 normalised: the normaliser has a further term that is no sink}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// 1 beside a shifted sum is exp(m - m): as large as the largest score, no sink.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// CHECK-LABEL: func @one_beside_shifted
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @one_beside_shifted(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %one = arith.constant dense<1.0> : tensor<2x5xf32>
  %l = arith.addf %l0, %one : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @below {{O4 normalised: the normaliser has a further term that is no sink}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// Where the other number is infinite, a row that is zero or NaN would become finite.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// CHECK-LABEL: func @maximum_with_another
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @maximum_with_another(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>, %other: tensor<2x5xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %m1 = arith.maximumf %m0, %other : tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @below {{O3 constant-shift: the maximum takes in what is neither a score nor a sink}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}

// -----

// The smaller of the maximum and a number of a tensor's is no shift: it may be -inf,
// which does not cancel.

#q = affine_map<(h, m, n, k) -> (h, m, k)>
#k = affine_map<(h, m, n, k) -> (h, n, k)>
#s = affine_map<(h, m, n, k) -> (h, m, n)>
#e = affine_map<(h, m, n) -> (h, m, n)>

// CHECK-LABEL: func @smaller
// CHECK-NOT:     attn.attention
// CHECK:         return
func.func @smaller(%q: tensor<2x5x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x5x7xf32>
  %r = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %x = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %c = arith.cmpi sle, %n, %m : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x5x7xf32>
  %sb = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%r : tensor<2x5xf32>) dimensions = [1]
  %m0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x7xf32>) outs(%rinf : tensor<2x5xf32>) dimensions = [2]
  %less = arith.cmpf ult, %m0, %sb : tensor<2x5xf32>
  %m1 = arith.select %less, %m0, %sb : tensor<2x5xi1>, tensor<2x5xf32>
  %mb = linalg.broadcast ins(%m1 : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %d = arith.subf %x, %mb : tensor<2x5x7xf32>
  %p = math.exp %d : tensor<2x5x7xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<2x5x7xf32>) outs(%r0 : tensor<2x5xf32>) dimensions = [2]
  %td = arith.subf %sb, %m1 : tensor<2x5xf32>
  %t = math.exp %td : tensor<2x5xf32>
  %l = arith.addf %l0, %t : tensor<2x5xf32>
  %lb = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) dimensions = [2]
  %w = arith.divf %p, %lb : tensor<2x5x7xf32>
  %oe = tensor.empty() : tensor<2x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @below {{O4 normalised: the normaliser has a further term that is no sink}}
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %o : tensor<2x5x6xf32>
}
