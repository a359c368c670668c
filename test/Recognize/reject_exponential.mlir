// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics | FileCheck %s

// O2: a second factor beside the exponential and V. One that depends on rows and
// keys weighs the probabilities; this one depends on the value loop, too.

// CHECK-LABEL: func @weighted
// CHECK-NOT:     attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @weighted(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %w: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{O2 exponential: {{.*}}weighted}}
  %o = linalg.generic {indexing_maps = [affine_map<(m, n, d) -> (m, n)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (m, d)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
       ins(%pn, %v, %w : tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %pv = arith.mulf %a, %b : f32
    %pvw = arith.mulf %pv, %c : f32
    %sum = arith.addf %out, %pvw : f32
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @squared
// CHECK-NOT:     attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @squared(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
    %x1 = arith.mulf %d, %d : f32
    linalg.yield %x1 : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{O2 exponential: {{.*}}two exponentials}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func @upside_down
// CHECK-NOT:     attn.attention
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @upside_down(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %pn = linalg.generic {indexing_maps = [#m, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%l, %p : tensor<8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark-re @below {{O2 exponential: {{.*}}divided by an exponential}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
