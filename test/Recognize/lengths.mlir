// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=lengths --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=prefix --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=by_row --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=remainder --check | FileCheck %s --check-prefix=EXEC
// EXEC: {{^}}result     agrees

// Integers that differ by batch alone are symbols of the visible sets: what is
// beyond a length is never computed. Other data stays in the score function.

// CHECK-DAG: #[[LENGTHS:.+]] = affine_set<(d0, d1, d2)[s0, s1, s2, s3] : (-d2 + s3 - 1 >= 0)>
// CHECK-DAG: #[[CAUSAL:.+]] = affine_set<(d0, d1, d2)[s0, s1, s2, s3] : (d1 - d2 >= 0)>
// CHECK-DAG: #[[ROWS:.+]] = affine_set<(d0, d1, d2)[s0, s1, s2] : (d1 - d2 >= 0)>

#s = affine_map<(b, m, n) -> (b, m, n)>
#b = affine_map<(b, m, n) -> (b)>
#m = affine_map<(b, m, n) -> (m)>

// CHECK-LABEL: func @lengths
// CHECK-SAME:    %[[LEN:[^:]+]]: tensor<3xi32>
// CHECK:         attn.attention {{.*}}hidden = replace(-1.000000e+09), visible = [#[[LENGTHS]]]
// CHECK-SAME:      symbols(%[[LEN]] : tensor<3xi32>)
// CHECK-NOT:     score
func.func @lengths(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>, %len: tensor<3xi32>) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #b, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %len : tensor<3x5x7xf32>, tensor<3xi32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %l: i32, %out: f32):
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i32
    %c = arith.cmpi slt, %i, %l : i32
    %y = arith.select %c, %a, %fill : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}

// Causal, but for a prefix that all rows see.

// CHECK-LABEL: func @prefix
// CHECK-SAME:    %[[LEN:[^:]+]]: i64
// CHECK:         attn.attention {{.*}}visible = [#[[CAUSAL]], #[[LENGTHS]]]
// CHECK-SAME:      symbols(%[[LEN]] : i64)
func.func @prefix(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>, %len: i64) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i64
    %zero64 = arith.constant 0 : i64
    %beyond = arith.subi %len, %i : i64
    %in = arith.cmpi sgt, %beyond, %zero64 : i64
    %before = arith.cmpi sle, %n, %m : index
    %c = arith.ori %before, %in : i1
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}

// A length of each row: causal is a set, the rest is not.

// CHECK-LABEL: func @by_row
// CHECK:         attn.attention {{.*}}visible = [#[[ROWS]]]
// CHECK-SAME:      extras(%{{.+}} : tensor<5xi32>)
// CHECK-NOT:     symbols
func.func @by_row(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>, %len: tensor<5xi32>) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #m, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %len : tensor<3x5x7xf32>, tensor<5xi32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %l: i32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i32
    %in = arith.cmpi sle, %i, %l : i32
    %before = arith.cmpi sle, %n, %m : index
    %c = arith.andi %before, %in : i1
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}

// A remainder is no affine function of a length; causal is a set all the same.

// CHECK-LABEL: func @remainder
// CHECK:         attn.attention {{.*}}visible = [#[[ROWS]]]
// CHECK-SAME:      extras(%{{.+}} : tensor<3xi32>)
// CHECK-NOT:     symbols
func.func @remainder(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>, %len: tensor<3xi32>) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #b, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %len : tensor<3x5x7xf32>, tensor<3xi32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %l: i32, %out: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i32
    %four = arith.constant 4 : i32
    %rest = arith.remsi %l, %four : i32
    %in = arith.cmpi sle, %i, %rest : i32
    %before = arith.cmpi sle, %n, %m : index
    %c = arith.andi %before, %in : i1
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}
