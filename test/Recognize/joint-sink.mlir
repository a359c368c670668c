// RUN: attn-opt %s -attn-recognize -split-input-file | FileCheck %s

// Joint graphs whose softmax has a sink: the sink's gradient, -sum p_sink D, is one
// of the backward's.

// torch: a column beside the scores, dropped after the softmax; its gradient is a
// column of dS.
// CHECK-LABEL: func @column
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {{.*}}scale = 5.000000e-01{{.*}} sink(%arg3 : tensor<8xf32>)
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       %[[G:.*]]:4 = attn.attention_backward {{.*}} sink(%arg3 : tensor<8xf32>) forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg4 : tensor<8x6xf32>)
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       return %[[F]]#0, %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @column(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mw = tensor.empty() : tensor<8x9xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mw0 = linalg.fill ins(%zero : f32) outs(%mw : tensor<8x9xf32>) -> tensor<8x9xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %column = tensor.expand_shape %sink [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %x = tensor.concat dim(1) %s, %column : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x9xf32>
  %pw = linalg.softmax dimension(1) ins(%x : tensor<8x9xf32>) outs(%mw : tensor<8x9xf32>) -> tensor<8x9xf32>
  %p = tensor.extract_slice %pw[0, 0] [8, 8] [1, 1] : tensor<8x9xf32> to tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dpw = tensor.insert_slice %dp into %mw0[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x9xf32>
  %t = arith.mulf %dpw, %pw : tensor<8x9xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x9xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mw : tensor<8x9xf32>) dimensions = [1]
  %u = arith.mulf %pw, %row : tensor<8x9xf32>
  %dxw = arith.subf %t, %u : tensor<8x9xf32>
  %dx = tensor.extract_slice %dxw[0, 0] [8, 8] [1, 1] : tensor<8x9xf32> to tensor<8x8xf32>
  %dcol = tensor.extract_slice %dxw[0, 8] [8, 1] [1, 1] : tensor<8x9xf32> to tensor<8x1xf32>
  %dsink = tensor.collapse_shape %dcol [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq, %dk, %dv, %dsink : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// JAX pads; the column may be the first.
// CHECK-LABEL: func @first_column
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {{.*}}scale = 5.000000e-01{{.*}} sink(%arg3 : tensor<8xf32>)
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       %[[G:.*]]:4 = attn.attention_backward {{.*}} sink(%arg3 : tensor<8xf32>) forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg4 : tensor<8x6xf32>)
// CHECK-NOT:   8x{{[89]}}xf32
// CHECK:       return %[[F]]#0, %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @first_column(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mw = tensor.empty() : tensor<8x9xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %column = tensor.expand_shape %sink [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
  %x = tensor.concat dim(1) %column, %s : (tensor<8x1xf32>, tensor<8x8xf32>) -> tensor<8x9xf32>
  %pw = linalg.softmax dimension(1) ins(%x : tensor<8x9xf32>) outs(%mw : tensor<8x9xf32>) -> tensor<8x9xf32>
  %p = tensor.extract_slice %pw[0, 1] [8, 8] [1, 1] : tensor<8x9xf32> to tensor<8x8xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dpw = tensor.pad %dp low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  %t = arith.mulf %dpw, %pw : tensor<8x9xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<8x9xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %row = linalg.broadcast ins(%sum : tensor<8xf32>) outs(%mw : tensor<8x9xf32>) dimensions = [1]
  %u = arith.mulf %pw, %row : tensor<8x9xf32>
  %dxw = arith.subf %t, %u : tensor<8x9xf32>
  %dx = tensor.extract_slice %dxw[0, 1] [8, 8] [1, 1] : tensor<8x9xf32> to tensor<8x8xf32>
  %dcol = tensor.extract_slice %dxw[0, 0] [8, 1] [1, 1] : tensor<8x9xf32> to tensor<8x1xf32>
  %dsink = tensor.collapse_shape %dcol [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o, %dq, %dk, %dv, %dsink : tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// A further term of the sum, differentiated through 1 / (l l).
// CHECK-LABEL: func @beside_sum
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {{.*}}scale = 5.000000e-01{{.*}} sink(%arg3 : tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       %[[G:.*]]:4 = attn.attention_backward {{.*}} sink(%arg3 : tensor<8xf32>) forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg4 : tensor<8x6xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @beside_sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %maxb = linalg.broadcast ins(%most : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %shifted = arith.subf %s, %maxb : tensor<8x8xf32>
  %e = math.exp %shifted : tensor<8x8xf32>
  %keys = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %below = arith.subf %sink, %most : tensor<8xf32>
  %es = math.exp %below : tensor<8xf32>
  %l = arith.addf %keys, %es : tensor<8xf32>
  %lb = linalg.broadcast ins(%l : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<8x8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %l2 = arith.mulf %l, %l : tensor<8xf32>
  %il2 = arith.divf %one, %l2 : tensor<8xf32>
  %il2b = linalg.broadcast ins(%il2 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %a = arith.mulf %dp, %il2b : tensor<8x8xf32>
  %b = arith.mulf %a, %e : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%b : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %dl = arith.negf %sum : tensor<8xf32>
  %dlb = linalg.broadcast ins(%dl : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.divf %dp, %lb : tensor<8x8xf32>
  %de = arith.addf %c, %dlb : tensor<8x8xf32>
  %dx = arith.mulf %de, %e : tensor<8x8xf32>
  %dsink = arith.mulf %dl, %es : tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv, %dsink : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// The gradient of the sink need not be asked for.
// CHECK-LABEL: func @no_sink_gradient
// CHECK-NOT:   8x8xf32
// CHECK:       %[[F:.*]]:2 = attn.attention {{.*}}scale = 5.000000e-01{{.*}} sink(%arg3 : tensor<8xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       %[[G:.*]]:4 = attn.attention_backward {{.*}} sink(%arg3 : tensor<8xf32>) forward(%[[F]]#0, %[[F]]#1 : tensor<8x6xf32>, tensor<8xf32>) grad(%arg4 : tensor<8x6xf32>)
// CHECK-NOT:   8x8xf32
// CHECK:       return %[[G]]#0
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @no_sink_gradient(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %maxb = linalg.broadcast ins(%most : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %shifted = arith.subf %s, %maxb : tensor<8x8xf32>
  %e = math.exp %shifted : tensor<8x8xf32>
  %keys = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %below = arith.subf %sink, %most : tensor<8xf32>
  %es = math.exp %below : tensor<8xf32>
  %l = arith.addf %keys, %es : tensor<8xf32>
  %lb = linalg.broadcast ins(%l : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %l2 = arith.mulf %l, %l : tensor<8xf32>
  %il2 = arith.divf %one, %l2 : tensor<8xf32>
  %il2b = linalg.broadcast ins(%il2 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %a = arith.mulf %dp, %il2b : tensor<8x8xf32>
  %b = arith.mulf %a, %e : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%b : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %dl = arith.negf %sum : tensor<8xf32>
  %dlb = linalg.broadcast ins(%dl : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.divf %dp, %lb : tensor<8x8xf32>
  %de = arith.addf %c, %dlb : tensor<8x8xf32>
  %dx = arith.mulf %de, %e : tensor<8x8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq : tensor<8x4xf32>
}

// -----

// One sink for all rows: its gradient is summed over them.
// CHECK-LABEL: func @shared
// CHECK:       attn.attention {{.*}} sink(%arg3 : tensor<f32>)
// CHECK:       %[[G:.*]]:4 = attn.attention_backward {{.*}} sink(%arg3 : tensor<f32>)
// CHECK:       return %[[G]]#0, %[[G]]#1, %[[G]]#2, %[[G]]#3
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @shared(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %s1: tensor<f32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %mn = tensor.empty() : tensor<8x8xf32>
  %md = tensor.empty() : tensor<8x6xf32>
  %mk = tensor.empty() : tensor<8x4xf32>
  %r = tensor.empty() : tensor<8xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<8x8xf32>) -> tensor<8x8xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<8x6xf32>) -> tensor<8x6xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %ri = linalg.fill ins(%lowest : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %raw = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = arith.mulf %raw, %half : tensor<8x8xf32>
  %sink = linalg.broadcast ins(%s1 : tensor<f32>) outs(%r : tensor<8xf32>) dimensions = [0]
  %z0 = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%z0 : tensor<f32>) -> tensor<f32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %maxb = linalg.broadcast ins(%most : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %shifted = arith.subf %s, %maxb : tensor<8x8xf32>
  %e = math.exp %shifted : tensor<8x8xf32>
  %keys = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %below = arith.subf %sink, %most : tensor<8xf32>
  %es = math.exp %below : tensor<8xf32>
  %l = arith.addf %keys, %es : tensor<8xf32>
  %lb = linalg.broadcast ins(%l : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<8x8xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(n, d, m) -> (m, n)>, affine_map<(n, d, m) -> (m, d)>, affine_map<(n, d, m) -> (n, d)>] ins(%p, %do : tensor<8x8xf32>, tensor<8x6xf32>) outs(%md0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %dp = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%do, %v : tensor<8x6xf32>, tensor<8x6xf32>) outs(%mn0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %l2 = arith.mulf %l, %l : tensor<8xf32>
  %il2 = arith.divf %one, %l2 : tensor<8xf32>
  %il2b = linalg.broadcast ins(%il2 : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %a = arith.mulf %dp, %il2b : tensor<8x8xf32>
  %b = arith.mulf %a, %e : tensor<8x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%b : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %dl = arith.negf %sum : tensor<8xf32>
  %dlb = linalg.broadcast ins(%dl : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %c = arith.divf %dp, %lb : tensor<8x8xf32>
  %de = arith.addf %c, %dlb : tensor<8x8xf32>
  %dx = arith.mulf %de, %e : tensor<8x8xf32>
  %dsink = arith.mulf %dl, %es : tensor<8xf32>
  %dall = linalg.reduce { arith.addf } ins(%dsink : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv, %dall : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<f32>
}
