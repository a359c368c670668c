// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=rounded --check | FileCheck %s --check-prefix=EXEC

// Equal constants may differ by a few roundings of the type that they are computed in:
// what is nothing in f32 is another function in f64.

// EXEC: {{^}}result     agrees

// CHECK-LABEL: func @rounded
// CHECK:         attn.attention_backward
func.func @rounded(%q: tensor<5x4xf32>, %k: tensor<5x4xf32>, %v: tensor<5x3xf32>, %do: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %other = arith.constant 0.50000006 : f32
  %mn = tensor.empty() : tensor<5x5xf32>
  %mn0 = linalg.fill ins(%zero : f32) outs(%mn : tensor<5x5xf32>) -> tensor<5x5xf32>
  %md = tensor.empty() : tensor<5x3xf32>
  %md0 = linalg.fill ins(%zero : f32) outs(%md : tensor<5x3xf32>) -> tensor<5x3xf32>
  %mk = tensor.empty() : tensor<5x4xf32>
  %mk0 = linalg.fill ins(%zero : f32) outs(%mk : tensor<5x4xf32>) -> tensor<5x4xf32>
  %nd = tensor.empty() : tensor<5x3xf32>
  %nd0 = linalg.fill ins(%zero : f32) outs(%nd : tensor<5x3xf32>) -> tensor<5x3xf32>
  %nk = tensor.empty() : tensor<5x4xf32>
  %nk0 = linalg.fill ins(%zero : f32) outs(%nk : tensor<5x4xf32>) -> tensor<5x4xf32>
  %m = tensor.empty() : tensor<5xf32>
  %m0 = linalg.fill ins(%zero : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %mi = linalg.fill ins(%lowest : f32) outs(%m : tensor<5xf32>) -> tensor<5xf32>
  %halves = linalg.fill ins(%half : f32) outs(%mn : tensor<5x5xf32>) -> tensor<5x5xf32>
  %others = linalg.fill ins(%other : f32) outs(%mn : tensor<5x5xf32>) -> tensor<5x5xf32>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf32>, tensor<5x4xf32>) outs(%mn0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %s = arith.mulf %raw, %halves : tensor<5x5xf32>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf32>) outs(%mi : tensor<5xf32>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf32>) outs(%mn : tensor<5x5xf32>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x5xf32>
  %e = math.exp %y : tensor<5x5xf32>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf32>) outs(%mn : tensor<5x5xf32>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x5xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf32>, tensor<5x3xf32>) outs(%md0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x5xf32>, tensor<5x3xf32>) outs(%nd0 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf32>, tensor<5x3xf32>) outs(%mn0 : tensor<5x5xf32>) -> tensor<5x5xf32>
  %t = arith.mulf %p, %dp : tensor<5x5xf32>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x5xf32>) outs(%m0 : tensor<5xf32>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf32>) outs(%mn : tensor<5x5xf32>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x5xf32>
  %x = arith.subf %t, %u : tensor<5x5xf32>
  %ds = arith.mulf %x, %halves : tensor<5x5xf32>
  %dsk = arith.mulf %x, %others : tensor<5x5xf32>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x5xf32>, tensor<5x4xf32>) outs(%mk0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%dsk, %q : tensor<5x5xf32>, tensor<5x4xf32>) outs(%nk0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %o, %dq, %dk, %dv : tensor<5x3xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x3xf32>
}

// CHECK-LABEL: func @other
// CHECK-NOT:     attn.attention_backward
// CHECK:         return
func.func @other(%q: tensor<5x4xf64>, %k: tensor<5x4xf64>, %v: tensor<5x3xf64>, %do: tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x3xf64>) {
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %half = arith.constant 0.5 : f64
  %other = arith.constant 0.50000006 : f64
  %mn = tensor.empty() : tensor<5x5xf64>
  %mn0 = linalg.fill ins(%zero : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %md = tensor.empty() : tensor<5x3xf64>
  %md0 = linalg.fill ins(%zero : f64) outs(%md : tensor<5x3xf64>) -> tensor<5x3xf64>
  %mk = tensor.empty() : tensor<5x4xf64>
  %mk0 = linalg.fill ins(%zero : f64) outs(%mk : tensor<5x4xf64>) -> tensor<5x4xf64>
  %nd = tensor.empty() : tensor<5x3xf64>
  %nd0 = linalg.fill ins(%zero : f64) outs(%nd : tensor<5x3xf64>) -> tensor<5x3xf64>
  %nk = tensor.empty() : tensor<5x4xf64>
  %nk0 = linalg.fill ins(%zero : f64) outs(%nk : tensor<5x4xf64>) -> tensor<5x4xf64>
  %m = tensor.empty() : tensor<5xf64>
  %m0 = linalg.fill ins(%zero : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %mi = linalg.fill ins(%lowest : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %halves = linalg.fill ins(%half : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %others = linalg.fill ins(%other : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf64>, tensor<5x4xf64>) outs(%mn0 : tensor<5x5xf64>) -> tensor<5x5xf64>
  %s = arith.mulf %raw, %halves : tensor<5x5xf64>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf64>) outs(%mi : tensor<5xf64>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x5xf64>
  %e = math.exp %y : tensor<5x5xf64>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x5xf64>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf64>, tensor<5x3xf64>) outs(%md0 : tensor<5x3xf64>) -> tensor<5x3xf64>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x5xf64>, tensor<5x3xf64>) outs(%nd0 : tensor<5x3xf64>) -> tensor<5x3xf64>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf64>, tensor<5x3xf64>) outs(%mn0 : tensor<5x5xf64>) -> tensor<5x5xf64>
  %t = arith.mulf %p, %dp : tensor<5x5xf64>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x5xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x5xf64>
  %x = arith.subf %t, %u : tensor<5x5xf64>
  %ds = arith.mulf %x, %halves : tensor<5x5xf64>
  %dsk = arith.mulf %x, %others : tensor<5x5xf64>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x5xf64>, tensor<5x4xf64>) outs(%mk0 : tensor<5x4xf64>) -> tensor<5x4xf64>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%dsk, %q : tensor<5x5xf64>, tensor<5x4xf64>) outs(%nk0 : tensor<5x4xf64>) -> tensor<5x4xf64>
  return %o, %dq, %dk, %dv : tensor<5x3xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x3xf64>
}

// CHECK-LABEL: func @rounded_f64
// CHECK:         attn.attention_backward
func.func @rounded_f64(%q: tensor<5x4xf64>, %k: tensor<5x4xf64>, %v: tensor<5x3xf64>, %do: tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x3xf64>) {
  %zero = arith.constant 0.0 : f64
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %half = arith.constant 0.5 : f64
  %other = arith.constant 0.50000000000000011 : f64
  %mn = tensor.empty() : tensor<5x5xf64>
  %mn0 = linalg.fill ins(%zero : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %md = tensor.empty() : tensor<5x3xf64>
  %md0 = linalg.fill ins(%zero : f64) outs(%md : tensor<5x3xf64>) -> tensor<5x3xf64>
  %mk = tensor.empty() : tensor<5x4xf64>
  %mk0 = linalg.fill ins(%zero : f64) outs(%mk : tensor<5x4xf64>) -> tensor<5x4xf64>
  %nd = tensor.empty() : tensor<5x3xf64>
  %nd0 = linalg.fill ins(%zero : f64) outs(%nd : tensor<5x3xf64>) -> tensor<5x3xf64>
  %nk = tensor.empty() : tensor<5x4xf64>
  %nk0 = linalg.fill ins(%zero : f64) outs(%nk : tensor<5x4xf64>) -> tensor<5x4xf64>
  %m = tensor.empty() : tensor<5xf64>
  %m0 = linalg.fill ins(%zero : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %mi = linalg.fill ins(%lowest : f64) outs(%m : tensor<5xf64>) -> tensor<5xf64>
  %halves = linalg.fill ins(%half : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %others = linalg.fill ins(%other : f64) outs(%mn : tensor<5x5xf64>) -> tensor<5x5xf64>
  %raw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%q, %k : tensor<5x4xf64>, tensor<5x4xf64>) outs(%mn0 : tensor<5x5xf64>) -> tensor<5x5xf64>
  %s = arith.mulf %raw, %halves : tensor<5x5xf64>
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<5x5xf64>) outs(%mi : tensor<5xf64>) dimensions = [1]
  %mostb = linalg.broadcast ins(%most : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %y = arith.subf %s, %mostb : tensor<5x5xf64>
  %e = math.exp %y : tensor<5x5xf64>
  %l = linalg.reduce { arith.addf } ins(%e : tensor<5x5xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %lb = linalg.broadcast ins(%l : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %p = arith.divf %e, %lb : tensor<5x5xf64>
  %o = linalg.matmul ins(%p, %v : tensor<5x5xf64>, tensor<5x3xf64>) outs(%md0 : tensor<5x3xf64>) -> tensor<5x3xf64>
  %dv = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%p, %do : tensor<5x5xf64>, tensor<5x3xf64>) outs(%nd0 : tensor<5x3xf64>) -> tensor<5x3xf64>
  %dp = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%do, %v : tensor<5x3xf64>, tensor<5x3xf64>) outs(%mn0 : tensor<5x5xf64>) -> tensor<5x5xf64>
  %t = arith.mulf %p, %dp : tensor<5x5xf64>
  %d = linalg.reduce { arith.addf } ins(%t : tensor<5x5xf64>) outs(%m0 : tensor<5xf64>) dimensions = [1]
  %db = linalg.broadcast ins(%d : tensor<5xf64>) outs(%mn : tensor<5x5xf64>) dimensions = [1]
  %u = arith.mulf %p, %db : tensor<5x5xf64>
  %x = arith.subf %t, %u : tensor<5x5xf64>
  %ds = arith.mulf %x, %halves : tensor<5x5xf64>
  %dsk = arith.mulf %x, %others : tensor<5x5xf64>
  %dq = linalg.matmul ins(%ds, %k : tensor<5x5xf64>, tensor<5x4xf64>) outs(%mk0 : tensor<5x4xf64>) -> tensor<5x4xf64>
  %dk = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>] ins(%dsk, %q : tensor<5x5xf64>, tensor<5x4xf64>) outs(%nk0 : tensor<5x4xf64>) -> tensor<5x4xf64>
  return %o, %dq, %dk, %dv : tensor<5x3xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x3xf64>
}
