// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=probabilities_first --shapes=5x4,0x4,0x3,5x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=probabilities_first --shapes=5x4,7x4,7x3,5x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=divided_after --shapes=5x4,0x4,0x3,5x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=divided_after --shapes=5x4,7x4,7x3,5x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=hidden_keys --shapes=5x4,0x4,0x3,5x3,5x0 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=hidden_keys --shapes=5x4,7x4,7x3,5x3,5x7 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=none --check | FileCheck %s --check-prefix=EXEC

// Joint graphs without one key: O and dQ are sums over none, 0, where the attention's
// own rows without keys are NaN; 0 / 0, where O is divided after its sum.

// EXEC: {{^}}result     agrees

// CHECK-LABEL: func @probabilities_first
// CHECK:         attn.attention {
// CHECK:         arith.select
// CHECK:         attn.attention_backward
// CHECK:         arith.select
// CHECK:         return
func.func @probabilities_first(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>, %do: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?x4xf32>
  %mn = tensor.empty(%n) : tensor<5x?xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %md = tensor.empty() : tensor<5x3xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<5x3xf32>) -> tensor<5x3xf32>
  %mk = tensor.empty() : tensor<5x4xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<5x4xf32>) -> tensor<5x4xf32>
  %nd = tensor.empty(%n) : tensor<?x3xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<?x3xf32>) -> tensor<?x3xf32>
  %nk = tensor.empty(%n) : tensor<?x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = tensor.empty() : tensor<5xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %mi = linalg.fill ins(%lowest : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %halves = linalg.fill ins(%half : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s = arith.mulf %raw, %halves : tensor<5x?xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x?xf32>) outs(%mi : tensor<5xf32>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x?xf32>
  %e = math.exp %y : tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x?xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%md0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x?xf32>, tensor<5x3xf32>) outs(%nd0 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf32>, tensor<?x3xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %t = arith.mulf %p, %dp : tensor<5x?xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x?xf32>
  %x = arith.subf %t, %u : tensor<5x?xf32>
  %ds = arith.mulf %x, %halves : tensor<5x?xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x?xf32>, tensor<?x4xf32>) outs(%mk0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%ds, %q : tensor<5x?xf32>, tensor<5x4xf32>) outs(%nk0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o, %dq, %dk, %dv : tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: func @divided_after
// CHECK:         attn.attention {
// CHECK-NOT:     arith.select
// CHECK:         attn.attention_backward
// CHECK:         arith.select
// CHECK:         return
func.func @divided_after(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>, %do: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?x4xf32>
  %mn = tensor.empty(%n) : tensor<5x?xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %md = tensor.empty() : tensor<5x3xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<5x3xf32>) -> tensor<5x3xf32>
  %mk = tensor.empty() : tensor<5x4xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<5x4xf32>) -> tensor<5x4xf32>
  %nd = tensor.empty(%n) : tensor<?x3xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<?x3xf32>) -> tensor<?x3xf32>
  %nk = tensor.empty(%n) : tensor<?x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = tensor.empty() : tensor<5xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %mi = linalg.fill ins(%lowest : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %halves = linalg.fill ins(%half : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s = arith.mulf %raw, %halves : tensor<5x?xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x?xf32>) outs(%mi : tensor<5xf32>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x?xf32>
  %e = math.exp %y : tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x?xf32>
  %ev = linalg.matmul ins(%e, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%md0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %ld = linalg.broadcast ins(%l : tensor<5xf32>) outs(%md : tensor<5x3xf32>) dimensions = [1]
  %o = arith.divf %ev, %ld : tensor<5x3xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x?xf32>, tensor<5x3xf32>) outs(%nd0 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf32>, tensor<?x3xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %t = arith.mulf %p, %dp : tensor<5x?xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x?xf32>
  %x = arith.subf %t, %u : tensor<5x?xf32>
  %ds = arith.mulf %x, %halves : tensor<5x?xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x?xf32>, tensor<?x4xf32>) outs(%mk0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%ds, %q : tensor<5x?xf32>, tensor<5x4xf32>) outs(%nk0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o, %dq, %dk, %dv : tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>
}

// Data hides keys: a row without any that it shows stays NaN.
// CHECK-LABEL: func @hidden_keys
// CHECK:         attn.attention {
// CHECK:         arith.select
// CHECK:         attn.attention_backward
// CHECK:         arith.select
// CHECK:         return
func.func @hidden_keys(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>, %do: tensor<5x3xf32>, %mask: tensor<5x?xi1>) -> (tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?x4xf32>
  %mn = tensor.empty(%n) : tensor<5x?xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %md = tensor.empty() : tensor<5x3xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<5x3xf32>) -> tensor<5x3xf32>
  %mk = tensor.empty() : tensor<5x4xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<5x4xf32>) -> tensor<5x4xf32>
  %nd = tensor.empty(%n) : tensor<?x3xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<?x3xf32>) -> tensor<?x3xf32>
  %nk = tensor.empty(%n) : tensor<?x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = tensor.empty() : tensor<5xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %mi = linalg.fill ins(%lowest : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %halves = linalg.fill ins(%half : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s0 = arith.mulf %raw, %halves : tensor<5x?xf32>
  %hidden = linalg.fill ins(%lowest : f32) outs(%mn : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s = arith.select %mask, %s0, %hidden : tensor<5x?xi1>, tensor<5x?xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x?xf32>) outs(%mi : tensor<5xf32>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x?xf32>
  %e = math.exp %y : tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x?xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%md0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x?xf32>, tensor<5x3xf32>) outs(%nd0 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf32>, tensor<?x3xf32>) outs(%mn0 : tensor<5x?xf32>) -> tensor<5x?xf32>
  %t = arith.mulf %p, %dp : tensor<5x?xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x?xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf32>) outs(%mn : tensor<5x?xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x?xf32>
  %x = arith.subf %t, %u : tensor<5x?xf32>
  %dx = arith.select %mask, %x, %mn0 : tensor<5x?xi1>, tensor<5x?xf32>
  %ds = arith.mulf %dx, %halves : tensor<5x?xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x?xf32>, tensor<?x4xf32>) outs(%mk0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%ds, %q : tensor<5x?xf32>, tensor<5x4xf32>) outs(%nk0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %o, %dq, %dk, %dv : tensor<5x3xf32>, tensor<5x4xf32>, tensor<?x4xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: func @none
// CHECK:         attn.attention_backward
// CHECK:         return
func.func @none(%q: tensor<5x4xf64>, %k: tensor<0x4xf64>, %v: tensor<0x3xf64>, %do: tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<5x4xf64>, tensor<0x4xf64>, tensor<0x3xf64>) {
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %half = arith.constant 0.5 : f64
  %mn = tensor.empty() : tensor<5x0xf64>
  %mn0 = linalg.fill ins(%zero : f64) outs(%mn : tensor<5x0xf64>) -> tensor<5x0xf64>
  %md = tensor.empty() : tensor<5x3xf64>
  %md0 = linalg.fill ins(%zero : f64) outs(%md : tensor<5x3xf64>) -> tensor<5x3xf64>
  %mk = tensor.empty() : tensor<5x4xf64>
  %mk0 = linalg.fill ins(%zero : f64) outs(%mk : tensor<5x4xf64>) -> tensor<5x4xf64>
  %nd = tensor.empty() : tensor<0x3xf64>
  %nd0 = linalg.fill ins(%zero : f64) outs(%nd : tensor<0x3xf64>) -> tensor<0x3xf64>
  %nk = tensor.empty() : tensor<0x4xf64>
  %nk0 = linalg.fill ins(%zero : f64) outs(%nk : tensor<0x4xf64>) -> tensor<0x4xf64>
  %m = tensor.empty() : tensor<5xf64>
  %m0 = linalg.fill ins(%zero : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %mi = linalg.fill ins(%lowest : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %halves = linalg.fill ins(%half : f64) outs(%mn : tensor<5x0xf64>) -> tensor<5x0xf64>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf64>, tensor<0x4xf64>) outs(%mn0 : tensor<5x0xf64>) -> tensor<5x0xf64>
  %s = arith.mulf %raw, %halves : tensor<5x0xf64>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x0xf64>) outs(%mi : tensor<5xf64>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf64>) outs(%mn : tensor<5x0xf64>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x0xf64>
  %e = math.exp %y : tensor<5x0xf64>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x0xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf64>) outs(%mn : tensor<5x0xf64>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x0xf64>
  %o = linalg.matmul ins(%p, %v : tensor<5x0xf64>, tensor<0x3xf64>) outs(%md0 : tensor<5x3xf64>) -> tensor<5x3xf64>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x0xf64>, tensor<5x3xf64>) outs(%nd0 : tensor<0x3xf64>) -> tensor<0x3xf64>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf64>, tensor<0x3xf64>) outs(%mn0 : tensor<5x0xf64>) -> tensor<5x0xf64>
  %t = arith.mulf %p, %dp : tensor<5x0xf64>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x0xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf64>) outs(%mn : tensor<5x0xf64>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x0xf64>
  %x = arith.subf %t, %u : tensor<5x0xf64>
  %ds = arith.mulf %x, %halves : tensor<5x0xf64>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x0xf64>, tensor<0x4xf64>) outs(%mk0 : tensor<5x4xf64>) -> tensor<5x4xf64>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%ds, %q : tensor<5x0xf64>, tensor<5x4xf64>) outs(%nk0 : tensor<0x4xf64>) -> tensor<0x4xf64>
  return %o, %dq, %dk, %dv : tensor<5x3xf64>, tensor<5x4xf64>, tensor<0x4xf64>, tensor<0x3xf64>
}
