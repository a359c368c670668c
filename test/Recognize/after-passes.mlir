// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=divides_in_place --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=guarded_powers_of_two --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=sliced_by_another_size --check --shapes=2x5x4,2x7x4,2x7x6,2 \
// RUN:   | FileCheck %s --check-prefix=EXEC
// EXEC: {{^}}result     agrees

// What upstream's passes make of an attention.

#q = affine_map<(m, n, k) -> (m, k)>
#k = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>

// convert-elementwise-to-linalg writes a quotient over its numerator, which it does
// not read there.

// CHECK-LABEL: func @divides_in_place
// CHECK:         %[[O:.+]] = attn.attention
// CHECK-NEXT:    return %[[O]]
func.func @divides_in_place(%q: tensor<5x4xf32>, %k: tensor<7x4xf32>, %v: tensor<7x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %r = tensor.empty() : tensor<5xf32>
  %oe = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<5x4xf32>, tensor<7x4xf32>) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
  %p = math.exp %s : tensor<5x7xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x7xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %o = linalg.matmul ins(%p, %v : tensor<5x7xf32>, tensor<7x6xf32>) outs(%of : tensor<5x6xf32>) -> tensor<5x6xf32>
  %w = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%o, %l : tensor<5x6xf32>, tensor<5xf32>) outs(%o : tensor<5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<5x6xf32>
  return %w : tensor<5x6xf32>
}

// A guard compares the score with -inf, the exponent is the score times log2(e).

// CHECK-LABEL: func @guarded_powers_of_two
// CHECK:         attn.attention {empty_rows = zero
// CHECK-NOT:     linalg.reduce
func.func @guarded_powers_of_two(%q: tensor<5x4xf32>, %k: tensor<7x4xf32>, %v: tensor<7x6xf32>) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %e = tensor.empty() : tensor<5x7xf32>
  %r = tensor.empty() : tensor<5xf32>
  %oe = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<5x4xf32>, tensor<7x4xf32>) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi slt, %j, %i : index
    %y = arith.select %c, %a, %inf : f32
    linalg.yield %y : f32
  } -> tensor<5x7xf32>
  %mx = linalg.reduce { arith.maximumf } ins(%x : tensor<5x7xf32>) outs(%rinf : tensor<5xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%x, %mx : tensor<5x7xf32>, tensor<5xf32>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.constant 1.44269502 : f32
    %d = arith.subf %a, %b : f32
    %d2 = arith.mulf %d, %c : f32
    %y = math.exp2 %d2 : f32
    linalg.yield %y : f32
  } -> tensor<5x7xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x7xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %ie = tensor.empty() : tensor<5x7xi1>
  %h = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xf32>) outs(%ie : tensor<5x7xi1>) {
  ^bb0(%a: f32, %out: i1):
    %c = arith.cmpf oeq, %a, %inf : f32
    linalg.yield %c : i1
  } -> tensor<5x7xi1>
  %ae = tensor.empty() : tensor<5xi1>
  %at = linalg.fill ins(%true : i1) outs(%ae : tensor<5xi1>) -> tensor<5xi1>
  %all = linalg.reduce { arith.andi } ins(%h : tensor<5x7xi1>) outs(%at : tensor<5xi1>) dimensions = [1]
  %w = linalg.generic {indexing_maps = [#mn, #m, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l, %all : tensor<5x7xf32>, tensor<5xf32>, tensor<5xi1>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %none: i1, %out: f32):
    %d = arith.divf %a, %b : f32
    %y = arith.select %none, %zero, %d : f32
    linalg.yield %y : f32
  } -> tensor<5x7xf32>
  %o = linalg.matmul ins(%w, %v : tensor<5x7xf32>, tensor<7x6xf32>) outs(%of : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %o : tensor<5x6xf32>
}

// A column beside the scores is cut off by the number of rows that Q has.

// CHECK-LABEL: func @sliced_by_another_size
// CHECK:         attn.attention
// CHECK-SAME:      sink(
// CHECK-NOT:     tensor.concat
func.func @sliced_by_another_size(%q: tensor<2x?x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x6xf32>, %sink: tensor<2xf32>) -> tensor<2x?x6xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<2x?x4xf32>
  %e = tensor.empty(%m) : tensor<2x?x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x7xf32>) -> tensor<2x?x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, n, k)>, affine_map<(h, m, n, k) -> (h, m, n)>]
       ins(%q, %k : tensor<2x?x4xf32>, tensor<2x7x4xf32>) outs(%f : tensor<2x?x7xf32>) -> tensor<2x?x7xf32>
  %ce = tensor.empty(%m) : tensor<2x?x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sink : tensor<2xf32>) outs(%ce : tensor<2x?x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<2x?x1xf32>
  %x = tensor.concat dim(2) %s, %c : (tensor<2x?x7xf32>, tensor<2x?x1xf32>) -> tensor<2x?x8xf32>
  %pe = tensor.empty(%m) : tensor<2x?x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<2x?x8xf32>) outs(%pe : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %w = tensor.extract_slice %p[0, 0, 0] [2, %m, 7] [1, 1, 1] : tensor<2x?x8xf32> to tensor<2x?x7xf32>
  %oe = tensor.empty(%m) : tensor<2x?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  %o = linalg.batch_matmul ins(%w, %v : tensor<2x?x7xf32>, tensor<2x7x6xf32>) outs(%of : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  return %o : tensor<2x?x6xf32>
}
