// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// A select of -inf by a comparison of indices is a visible set.

// CHECK: #[[CAUSAL:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @causal_select
// CHECK:         attn.attention {empty_rows = nan_select, visible = [#[[CAUSAL]]]}
// CHECK-NOT:     score
// CHECK:         return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @causal_select(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %d = arith.subi %n, %m : index
    %c0 = arith.constant 0 : index
    %c = arith.cmpi sle, %d, %c0 : index
    %r = arith.select %c, %a, %inf : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// An added mask, read from the values of a constant, with keys beyond the row.

// CHECK: #[[SHIFTED:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 + 2 >= 0)>
// CHECK-LABEL: func @added_table
// CHECK:         attn.attention {visible = [#[[SHIFTED]]]}
// CHECK-NOT:     score
// CHECK:         return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @added_table(%q: tensor<3x4xf32>, %k: tensor<5x4xf32>, %v: tensor<5x6xf32>) -> tensor<3x6xf32> {
  %mask = arith.constant dense<[[0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<3x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<3x4xf32>, tensor<5x4xf32>) outs(%f : tensor<3x5xf32>) -> tensor<3x5xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %oe = tensor.empty() : tensor<3x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x5xf32>, tensor<5x6xf32>) outs(%of : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// A table that hides a band: its complement is a union of two sets.

// CHECK-DAG: #[[LEFT:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 - 1 >= 0)>
// CHECK-DAG: #[[RIGHT:.+]] = affine_set<(d0, d1)[s0, s1] : (-d0 + d1 - 1 >= 0)>
// CHECK-LABEL: func @band_hidden
// CHECK:         attn.attention {{.*}}visible = [{{.*}}#[[RIGHT]]{{.*}}]
// CHECK-NOT:     score
// CHECK:         return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @band_hidden(%q: tensor<3x4xf32>, %k: tensor<3x4xf32>, %v: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %mask = arith.constant dense<[[false, true, true], [true, false, true], [true, true, false]]> : tensor<3x3xi1>
  %inf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<3x4xf32>, tensor<3x4xf32>) outs(%f : tensor<3x3xf32>) -> tensor<3x3xf32>
  %x = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<3x3xf32>, tensor<3x3xi1>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %r = arith.select %b, %a, %inf : f32
    linalg.yield %r : f32
  } -> tensor<3x3xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %oe = tensor.empty() : tensor<3x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<3x3xf32>, tensor<3x6xf32>) outs(%of : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %o : tensor<3x6xf32>
}

// -----

// A window of 4 keys up to the row, as a disjunction of what is hidden.

// CHECK: #[[WINDOW:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0, -d0 + d1 + 3 >= 0)>
// CHECK-LABEL: func @window
// CHECK:         attn.attention {{.*}}visible = [#[[WINDOW]]]
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @window(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c4 = arith.constant 4 : index
    %first = arith.subi %m, %c4 : index
    %late = arith.cmpi sgt, %n, %m : index
    %early = arith.cmpi sle, %n, %first : index
    %c = arith.ori %late, %early : i1
    %r = arith.select %c, %inf, %a : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A finite fill replaces the score of hidden keys; the part of the mask that is
// data stays in the score function.

// CHECK: #[[CAUSAL:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @finite_fill
// CHECK-SAME:    %[[PAD:[^:]+]]: tensor<8xi1>
// CHECK:         attn.attention {{.*}}hidden = replace(-3.40282{{.*}}), visible = [#[[CAUSAL]]]
// CHECK-SAME:      -> (n)
// CHECK-SAME:      extras(%[[PAD]] : tensor<8xi1>)
// CHECK-SAME:      score (%[[S:.+]]: f32, %[[P:.+]]: i1)
// CHECK-NOT:       attn.index
// CHECK:           arith.select %[[P]]
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @finite_fill(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %pad: tensor<8xi1>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %min = arith.constant 0xFF7FFFFF : f32
  %x = linalg.generic {indexing_maps = [#mn, #n, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %pad : tensor<8x8xf32>, tensor<8xi1>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %early = arith.cmpi sle, %n, %m : index
    %c = arith.andi %early, %b : i1
    %bias = arith.select %c, %zero, %min : f32
    %r = arith.addf %a, %bias : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A fill near the scores skips nothing: it stays in the score function.

// CHECK-LABEL: func @fill_near_scores
// CHECK:         attn.attention maps
// CHECK-SAME:      score
// CHECK:           attn.index 0
// CHECK:           arith.select
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @fill_near_scores(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %near = arith.constant -5.0 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %n, %m : index
    %r = arith.select %c, %a, %near : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// s b - 10000 (1 - b), b from a comparison: where b = 0 the score is -10000.

// CHECK: #[[CAUSAL:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @multiplied
// CHECK:         attn.attention {hidden = replace(-1.000000e+04), visible = [#[[CAUSAL]]]}
// CHECK-NOT:     score
// CHECK:         return
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
#c = affine_map<(m, n) -> ()>
func.func @multiplied(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = arith.constant 1.0 : f32
  %big = arith.constant 1.0e+4 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %c = arith.cmpi sle, %n, %m : index
    %b = arith.select %c, %one, %zero : f32
    %sb = arith.mulf %a, %b : f32
    %nb = arith.subf %one, %b : f32
    %pen = arith.mulf %nb, %big : f32
    %r = arith.subf %sb, %pen : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// A finite fill does not absorb the -inf of a second mask: in the first row key 0
// has the one fill, the others have both, and key 0 alone is attended to.

// CHECK: #[[CAUSAL:.+]] = affine_set<(d0, d1)[s0, s1] : (d0 - d1 >= 0)>
// CHECK-LABEL: func @two_fills
// CHECK:         attn.attention {visible = [#[[CAUSAL]]]}
// CHECK-SAME:      score (%[[S:.+]]: f32) {
// CHECK:           %[[MIN:.+]] = arith.constant -3.4028{{.*}} : f32
// CHECK:           arith.select %{{.+}}, %[[S]], %[[MIN]] : f32
#mn = affine_map<(m, n) -> (m, n)>
func.func @two_fills(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %inf = arith.constant 0xFF800000 : f32
  %min = arith.constant -3.40282347E+38 : f32
  %x = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %before = arith.cmpi slt, %n, %m : index
    %first = arith.select %before, %a, %min : f32
    %causal = arith.cmpi sle, %n, %m : index
    %second = arith.select %causal, %zero, %inf : f32
    %r = arith.addf %first, %second : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%of : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
