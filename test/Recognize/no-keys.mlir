// RUN: attn-opt %s -attn-recognize | FileCheck %s
// RUN: attn-run %s --entry=inside --shapes=5x4,0x4,0x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=causal --shapes=5x4,0x4,0x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=causal --shapes=5x4,7x4,7x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=after --shapes=5x4,0x4,0x3 --check | FileCheck %s --check-prefix=EXEC
// RUN: attn-run %s --entry=none --check | FileCheck %s --check-prefix=EXEC

// Not one key. Where the probabilities are divided before they are summed, that sum
// is zero; 0 / 0, where it is divided after. A row whose keys are all hidden is NaN
// both ways, so that a sink tells the two apart: 0 without keys, else -inf.

// EXEC: {{^}}result     agrees

#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>

// CHECK-LABEL: func @inside
// CHECK:         attn.attention {empty_rows = zero}
func.func @inside(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %c0i = arith.constant 0 : index
  %n = tensor.dim %k, %c0i : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<5x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%f : tensor<5x?xf32>) -> tensor<5x?xf32>
  %r = tensor.empty() : tensor<5xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<5x?xf32>) outs(%rinf : tensor<5xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x?xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<5x?xf32>
  %oe = tensor.empty() : tensor<5x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x3xf32>) -> tensor<5x3xf32>
  %o = linalg.matmul ins(%pn, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%of : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %o : tensor<5x3xf32>
}

// CHECK-LABEL: func @causal
// CHECK:         %[[N:.+]] = tensor.dim %{{.+}}, %{{.+}} : tensor<?x4xf32>
// CHECK:         %[[NONE:.+]] = arith.cmpi eq, %[[N]], %{{.+}} : index
// CHECK:         %[[VALUE:.+]] = arith.select %[[NONE]], %{{.+}}, %{{.+}} : f32
// CHECK:         %[[SINK:.+]] = tensor.from_elements %[[VALUE]] : tensor<f32>
// CHECK:         attn.attention {{.*}}sink(%[[SINK]] : tensor<f32>)
func.func @causal(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %c0i = arith.constant 0 : index
  %n = tensor.dim %k, %c0i : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<5x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%f : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0 : tensor<5x?xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %minf = arith.constant 0xFF800000 : f32
    %y = arith.select %c, %a, %minf : f32
    linalg.yield %y : f32
  } -> tensor<5x?xf32>
  %r = tensor.empty() : tensor<5xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<5x?xf32>) outs(%rinf : tensor<5xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x?xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<5x?xf32>
  %oe = tensor.empty() : tensor<5x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x3xf32>) -> tensor<5x3xf32>
  %o = linalg.matmul ins(%pn, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%of : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %o : tensor<5x3xf32>
}

// CHECK-LABEL: func @after
// CHECK:         attn.attention maps
// CHECK-NOT:     sink
func.func @after(%q: tensor<5x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x3xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %c0i = arith.constant 0 : index
  %n = tensor.dim %k, %c0i : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<5x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x?xf32>) -> tensor<5x?xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<5x4xf32>, tensor<?x4xf32>) outs(%f : tensor<5x?xf32>) -> tensor<5x?xf32>
  %r = tensor.empty() : tensor<5xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<5x?xf32>) outs(%rinf : tensor<5xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<5x?xf32>, tensor<5xf32>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<5x?xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x?xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %oe = tensor.empty() : tensor<5x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x3xf32>) -> tensor<5x3xf32>
  %o = linalg.matmul ins(%p, %v : tensor<5x?xf32>, tensor<?x3xf32>) outs(%of : tensor<5x3xf32>) -> tensor<5x3xf32>
  %oo = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%o, %l : tensor<5x3xf32>, tensor<5xf32>) outs(%oe : tensor<5x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<5x3xf32>
  return %oo : tensor<5x3xf32>
}

// CHECK-LABEL: func @none
// CHECK:         attn.attention {empty_rows = zero}
func.func @none(%q: tensor<5x4xf32>, %k: tensor<0x4xf32>, %v: tensor<0x3xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<5x0xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x0xf32>) -> tensor<5x0xf32>
  %s0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<5x4xf32>, tensor<0x4xf32>) outs(%f : tensor<5x0xf32>) -> tensor<5x0xf32>
  %r = tensor.empty() : tensor<5xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %rinf = linalg.fill ins(%inf : f32) outs(%r : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s0 : tensor<5x0xf32>) outs(%rinf : tensor<5xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%s0, %m : tensor<5x0xf32>, tensor<5xf32>) outs(%e : tensor<5x0xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x1 = math.exp %d : f32
    linalg.yield %x1 : f32
  } -> tensor<5x0xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<5x0xf32>) outs(%r0 : tensor<5xf32>) dimensions = [1]
  %pn = linalg.generic {indexing_maps = [#mn, #m, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<5x0xf32>, tensor<5xf32>) outs(%e : tensor<5x0xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<5x0xf32>
  %oe = tensor.empty() : tensor<5x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<5x3xf32>) -> tensor<5x3xf32>
  %o = linalg.matmul ins(%pn, %v : tensor<5x0xf32>, tensor<0x3xf32>) outs(%of : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %o : tensor<5x3xf32>
}
