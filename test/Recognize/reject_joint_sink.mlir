// RUN: attn-opt %s -attn-recognize -split-input-file --remarks-filter=attn-recognize 2>&1 | FileCheck %s

// Near misses of joint graphs with a sink. Each is left as it was, with a remark that
// names the obligation.
// CHECK-NOT: {{^ *%.*}}attn.attention

// The sink's gradient with the other sign.
// CHECK: attention-backward {{.*}}Function=other_sign | Reason="G3 joint-gradient: a value computed from dP, by arith.mulf
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @other_sign(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
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
  %dsink = arith.mulf %sum, %es : tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv, %dsink : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// Half of it.
// CHECK: attention-backward {{.*}}Function=half | Reason="G3 joint-gradient: a value computed from dP, by arith.mulf
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @half(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
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
  %hr = arith.constant dense<0.5> : tensor<8xf32>
  %dh = arith.mulf %dl, %hr : tensor<8xf32>
  %dsink = arith.mulf %dh, %es : tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv, %dsink : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// Its probability without the sum of exponentials.
// CHECK: attention-backward {{.*}}Function=unnormalised | Reason="G3 joint-gradient: a value computed from dP, by arith.mulf
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @unnormalised(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
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
  %dn = arith.mulf %dl, %l : tensor<8xf32>
  %dsink = arith.mulf %dn, %es : tensor<8xf32>
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv, %dsink : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>
}

// -----

// The gradient of the sum without its sink: rows of the Jacobian do not sum to 0.
// CHECK: attention-backward {{.*}}Function=keys_only | Reason="G3 joint-gradient: a product of the scores' gradient
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @keys_only(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %l2 = arith.mulf %keys, %l : tensor<8xf32>
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
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// dP of the column is not 0, as if the sink had a value.
// CHECK: attention-backward {{.*}}Function=own_column | Reason="G2 joint-output-gradient: what the gradients have beside rowsum(P dP)
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @own_column(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>, tensor<8xf32>) {
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
  %one9 = arith.constant 1.0 : f32
  %mw1 = linalg.fill ins(%one9 : f32) outs(%mw : tensor<8x9xf32>) -> tensor<8x9xf32>
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
  %dpw = tensor.insert_slice %dp into %mw1[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x9xf32>
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

// A small constant beside the sum is no sink.
// CHECK: attention-backward {{.*}}Function=eps | Reason="O4 normalised: the normaliser has a further term that is no sink
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @eps(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x6xf32>, %sink: tensor<8xf32>, %do: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
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
  %zr = arith.constant dense<1.0e-6> : tensor<8xf32>
  %ezr = arith.constant dense<0.0> : tensor<8xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<8x8xf32>) outs(%ri : tensor<8xf32>) dimensions = [1]
  %maxb = linalg.broadcast ins(%most : tensor<8xf32>) outs(%mn : tensor<8x8xf32>) dimensions = [1]
  %shifted = arith.subf %s, %maxb : tensor<8x8xf32>
  %e = math.exp %shifted : tensor<8x8xf32>
  %keys = linalg.reduce { arith.addf } ins(%e : tensor<8x8xf32>) outs(%r0 : tensor<8xf32>) dimensions = [1]
  %below = arith.subf %sink, %most : tensor<8xf32>
  %es = arith.addf %zr, %ezr : tensor<8xf32>
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
  %ds = arith.mulf %dx, %half : tensor<8x8xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(n, k, m) -> (m, n)>, affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> (n, k)>] ins(%ds, %q : tensor<8x8xf32>, tensor<8x4xf32>) outs(%mk0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %dq, %dk, %dv : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}
