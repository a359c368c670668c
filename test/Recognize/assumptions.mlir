// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize -verify-diagnostics -o /dev/null

// Each assumption is named where it is made, and not where a near miss makes none.

// A1: what is hidden is not read. Near miss: nothing is hidden.

#mn = affine_map<(m, n) -> (m, n)>
func.func @hidden(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %n, %m : index
    %i = arith.constant 0xFF800000 : f32
    %y = arith.select %c, %a, %i : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Assumes="A1 hidden-finite"}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func @nothing_hidden(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %y = arith.addf %a, %a : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Function=nothing_hidden | Remark="fused}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A2: a large fill that is added absorbs the score. Near miss: one of -1e9 does not;
// it stays in the score function.

#mn = affine_map<(m, n) -> (m, n)>
func.func @absorbing(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %n, %m : index
    %i = arith.constant -1.0e30 : f32
    %z = arith.constant 0.0 : f32
    %g = arith.select %c, %z, %i : f32
    %y = arith.addf %a, %g : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Assumes="A1 hidden-finite; A2 absorbing"}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func @not_absorbing(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %n, %m : index
    %i = arith.constant -1.0e9 : f32
    %z = arith.constant 0.0 : f32
    %g = arith.select %c, %z, %i : f32
    %y = arith.addf %a, %g : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Function=not_absorbing | Remark="fused}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A4: scores rounded to f16 stay in f32; the remark lists what is lost. Near miss:
// widened only.

#mn = affine_map<(m, n) -> (m, n)>
func.func @rounded(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %h = arith.truncf %a : f32 to f16
    %y = arith.extf %h : f16 to f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Assumes="A4 roundings (score to f16)"}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func @widened(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %h = arith.constant 0.5 : f16
    %w = arith.extf %h : f16 to f32
    %y = arith.mulf %a, %w : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Function=widened | Remark="fused}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A5: factors of Q and of the score are one scale. Near miss: there is but one.

#mn = affine_map<(m, n) -> (m, n)>
func.func @two_scales(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %half = arith.constant 0.5 : f32
  %qe = tensor.empty() : tensor<8x4xf32>
  %qs = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<8x4xf32>) outs(%qe : tensor<8x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %y = arith.mulf %a, %half : f32
    linalg.yield %y : f32
  } -> tensor<8x4xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%qs, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %a, %c : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Assumes="A5 merged-scales", Remark="fused: scale 1.250000e-01"}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
func.func @one_scale(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %c = arith.constant 0.25 : f32
    %y = arith.mulf %a, %c : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{Function=one_scale | Remark="fused: scale 2.500000e-01"}}
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A3: maxima that start at 50 are no row maximum. Near misses: that start at -inf,
// and at 1e30, which leaves no exponential.

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @shifted(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 50.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
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
  // expected-remark @below {{Assumes="A3 shift-safe"}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @by_the_maximum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
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
  // expected-remark @below {{Function=by_the_maximum | Remark="fused}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @by_too_much(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 1.0e30 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<8x8xf32>) outs(%rinf : tensor<8xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
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
  // expected-remark @below {{O3 constant-shift}}
  %o = linalg.matmul ins(%pn, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A6: as many keys are read as there are values, unless there is one. Near miss: as
// many as there are keys.

#id = affine_map<(b, n, k) -> (b, n, k)>
func.func @other_size(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i64
  %z64 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<2x?x4xf32>
  %n = tensor.dim %v, %c1 : tensor<2x?x6xf32>
  %nk = tensor.dim %k, %c1 : tensor<2x?x4xf32>
  %ke = tensor.empty(%n) : tensor<2x?x4xf32>
  %kr = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ke : tensor<2x?x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = linalg.index 2 : index
    %one = arith.cmpi eq, %nk, %c1 : index
    %at = arith.select %one, %c0, %j : index
    %x = tensor.extract %k[%i, %at, %l] : tensor<2x?x4xf32>
    linalg.yield %x : f32
  } -> tensor<2x?x4xf32>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %kr : tensor<2x?x4xf32>, tensor<2x?x4xf32>) outs(%f : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  // Sizes as an exporter computes them: guarded against being negative.
  %m64 = arith.index_cast %m : index to i64
  %negative = arith.cmpi slt, %m64, %z64 : i64
  %product = arith.muli %m64, %c2 : i64
  %msafe = arith.select %negative, %product, %m64 : i64
  %n64 = arith.index_cast %n : index to i64
  %shape = tensor.from_elements %c2, %msafe, %n64 : tensor<3xi64>
  %r = tensor.reshape %s(%shape) : (tensor<2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%r : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %oe = tensor.empty(%m) : tensor<2x?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  // expected-remark @below {{Assumes="A6 no-broadcast"}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x6xf32>) outs(%of : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  return %o : tensor<2x?x6xf32>
}

// -----

#id = affine_map<(b, n, k) -> (b, n, k)>
func.func @own_size(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i64
  %z64 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %q, %c1 : tensor<2x?x4xf32>
  %n = tensor.dim %k, %c1 : tensor<2x?x4xf32>
  %ke = tensor.empty(%n) : tensor<2x?x4xf32>
  %kr = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%ke : tensor<2x?x4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = linalg.index 2 : index
    %one = arith.cmpi eq, %n, %c1 : index
    %at = arith.select %one, %c0, %j : index
    %x = tensor.extract %k[%i, %at, %l] : tensor<2x?x4xf32>
    linalg.yield %x : f32
  } -> tensor<2x?x4xf32>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %kr : tensor<2x?x4xf32>, tensor<2x?x4xf32>) outs(%f : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  // Sizes as an exporter computes them: guarded against being negative.
  %m64 = arith.index_cast %m : index to i64
  %negative = arith.cmpi slt, %m64, %z64 : i64
  %product = arith.muli %m64, %c2 : i64
  %msafe = arith.select %negative, %product, %m64 : i64
  %n64 = arith.index_cast %n : index to i64
  %shape = tensor.from_elements %c2, %msafe, %n64 : tensor<3xi64>
  %r = tensor.reshape %s(%shape) : (tensor<2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%r : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %oe = tensor.empty(%m) : tensor<2x?x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  // expected-remark @below {{Function=own_size | Remark="fused}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x6xf32>) outs(%of : tensor<2x?x6xf32>) -> tensor<2x?x6xf32>
  return %o : tensor<2x?x6xf32>
}

// -----

// A7: one more than a length does not wrap around. Near miss: a number that is known
// does not.

#s = affine_map<(b, m, n) -> (b, m, n)>
#b = affine_map<(b, m, n) -> (b)>
func.func @up_to_a_length(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>, %len: tensor<3xi32>) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #b, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %len : tensor<3x5x7xf32>, tensor<3xi32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %l: i32, %out: f32):
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i32
    %one = arith.constant 1 : i32
    %more = arith.addi %l, %one : i32
    %c = arith.cmpi slt, %i, %more : i32
    %y = arith.select %c, %a, %fill : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  // expected-remark @below {{Assumes="A1 hidden-finite; A7 small-integers"}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}

// -----

#s = affine_map<(b, m, n) -> (b, m, n)>
func.func @up_to_a_number(%q: tensor<3x5x4xf32>, %k: tensor<3x7x4xf32>, %v: tensor<3x7x6xf32>) -> tensor<3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %fill = arith.constant -1.0e9 : f32
  %e = tensor.empty() : tensor<3x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
       ins(%q, %k : tensor<3x5x4xf32>, tensor<3x7x4xf32>) outs(%f : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %x = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i32
    %more = arith.constant 4 : i32
    %c = arith.cmpi slt, %i, %more : i32
    %y = arith.select %c, %a, %fill : f32
    linalg.yield %y : f32
  } -> tensor<3x5x7xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<3x5x7xf32>) outs(%e : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %oe = tensor.empty() : tensor<3x5x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  // expected-remark @below {{Assumes="A1 hidden-finite"}}
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x5x7xf32>, tensor<3x7x6xf32>) outs(%of : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  return %o : tensor<3x5x6xf32>
}

// -----

// A9: a sink that the maximum does not take in is a number. Near miss: one that it takes in.
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @sink_beside_maximum(%q: tensor<9x4xf32>, %k: tensor<11x4xf32>, %v: tensor<11x6xf32>, %sink0: tensor<9xf32>) -> tensor<9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %mi = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<9x11xf32>
  %er = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x11xf32>) -> tensor<9x11xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%q, %k : tensor<9x4xf32>, tensor<11x4xf32>) outs(%f : tensor<9x11xf32>) -> tensor<9x11xf32>
  %s = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<9x11xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %out: f32):
    %sc = arith.mulf %a, %half : f32
    linalg.yield %sc : f32
  } -> tensor<9x11xf32>
  %rinf = linalg.fill ins(%mi : f32) outs(%er : tensor<9xf32>) -> tensor<9xf32>
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<9x11xf32>) outs(%rinf : tensor<9xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m0 : tensor<9x11xf32>, tensor<9xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x = math.exp %d : f32
    linalg.yield %x : f32
  } -> tensor<9x11xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<9xf32>) -> tensor<9xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<9x11xf32>) outs(%r0 : tensor<9xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%l0, %m0, %sink0 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) outs(%er : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %k0: f32, %out: f32):
    %g = arith.subf %k0, %b : f32
  %h = math.exp %g : f32
  %t = arith.addf %a, %h : f32
    linalg.yield %t : f32
  } -> tensor<9xf32>
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<9x11xf32>, tensor<9xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<9x11xf32>
  %oe = tensor.empty() : tensor<9x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<9x6xf32>) -> tensor<9x6xf32>
  // expected-remark @below {{Assumes="A9 finite-sinks"}}
  %o = linalg.matmul ins(%pn, %v : tensor<9x11xf32>, tensor<11x6xf32>) outs(%of : tensor<9x6xf32>) -> tensor<9x6xf32>
  return %o : tensor<9x6xf32>
}

// -----

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
func.func @sink_in_maximum(%q: tensor<9x4xf32>, %k: tensor<11x4xf32>, %v: tensor<11x6xf32>, %sink0: tensor<9xf32>) -> tensor<9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %mi = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<9x11xf32>
  %er = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x11xf32>) -> tensor<9x11xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%q, %k : tensor<9x4xf32>, tensor<11x4xf32>) outs(%f : tensor<9x11xf32>) -> tensor<9x11xf32>
  %s = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<9x11xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %out: f32):
    %sc = arith.mulf %a, %half : f32
    linalg.yield %sc : f32
  } -> tensor<9x11xf32>
  %rinf = linalg.fill ins(%mi : f32) outs(%er : tensor<9xf32>) -> tensor<9xf32>
  %m0 = linalg.reduce { arith.maximumf } ins(%s : tensor<9x11xf32>) outs(%rinf : tensor<9xf32>) dimensions = [1]
  %m1 = linalg.map {arith.maximumf} ins(%m0, %sink0 : tensor<9xf32>, tensor<9xf32>) outs(%er : tensor<9xf32>)
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m1 : tensor<9x11xf32>, tensor<9xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x = math.exp %d : f32
    linalg.yield %x : f32
  } -> tensor<9x11xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<9xf32>) -> tensor<9xf32>
  %l0 = linalg.reduce { arith.addf } ins(%p : tensor<9x11xf32>) outs(%r0 : tensor<9xf32>) dimensions = [1]
  %l = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%l0, %m1, %sink0 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) outs(%er : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32, %k0: f32, %out: f32):
    %g = arith.subf %k0, %b : f32
  %h = math.exp %g : f32
  %t = arith.addf %a, %h : f32
    linalg.yield %t : f32
  } -> tensor<9xf32>
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<9x11xf32>, tensor<9xf32>) outs(%e : tensor<9x11xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<9x11xf32>
  %oe = tensor.empty() : tensor<9x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<9x6xf32>) -> tensor<9x6xf32>
  // expected-remark @below {{fused}}
  %o = linalg.matmul ins(%pn, %v : tensor<9x11xf32>, tensor<11x6xf32>) outs(%of : tensor<9x6xf32>) -> tensor<9x6xf32>
  return %o : tensor<9x6xf32>
}
