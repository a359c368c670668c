// RUN: split-file %s %t
// RUN: attn-run %t/two.mlir --grad --check | FileCheck %s --check-prefix=TWO
// RUN: attn-run %t/layout.mlir --grad --check | FileCheck %s
// RUN: sed s,f32,f16,g %t/layout.mlir > %t/half.mlir
// RUN: attn-run %t/half.mlir --grad --check | FileCheck %s
// RUN: attn-run %t/dynamic.mlir --grad --check --shapes=2x5x4,2x7x4,2x7x6 | FileCheck %s
// RUN: attn-run %t/dynamic.mlir --grad --check --shapes=2x0x4,2x7x4,2x7x6 | FileCheck %s
// RUN: attn-run %t/keyless.mlir --grad --check | FileCheck %s
// RUN: not attn-run %t/loop.mlir --grad 2>&1 | FileCheck %s --check-prefix=LOOP

// Gradients, against central differences, where attentions are a part of more.
// CHECK: agrees

// Two attentions, the second of the first's output and of Q as its values; K and Q are
// used outside of them, one argument nowhere, and one result does not depend on them.
// TWO-COUNT-2: backward
// TWO:         agrees

// Control flow around an attention has no derivative here, and is named.
// LOOP: loop.mlir:[[#]]:[[#]]: error: attn-differentiate: expected an op with a derivative {{.*}}got 'scf.for'

//--- two.mlir
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %unused: tensor<3xf32>, %x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
  %p = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%o, %k, %q : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
  %s = arith.mulf %p, %k : tensor<8x4xf32>
  %t = arith.addf %s, %q : tensor<8x4xf32>
  %y = math.exp %x : tensor<8x4xf32>
  return %t, %y, %o : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

//--- layout.mlir
// Slices of one projection, one of them with steps, a cache before the keys, repeated
// heads by a generic and by a broadcast, functions of Q, K, V and O on the way.
#id4 = affine_map<(b,h,n,d)->(b,h,n,d)>
func.func @main(%x: tensor<2x7x48xf32>, %kc: tensor<2x2x3x4xf32>, %w: tensor<1xf32>) -> tensor<2x7x16xf32> {
  %qs = tensor.extract_slice %x[0,0,0][2,7,16][1,1,1] : tensor<2x7x48xf32> to tensor<2x7x16xf32>
  %ks = tensor.extract_slice %x[0,0,16][2,7,8][1,1,1] : tensor<2x7x48xf32> to tensor<2x7x8xf32>
  %vs = tensor.extract_slice %x[0,0,24][2,7,8][1,1,3] : tensor<2x7x48xf32> to tensor<2x7x8xf32>
  %qe = tensor.expand_shape %qs [[0],[1],[2,3]] output_shape [2,7,4,4] : tensor<2x7x16xf32> into tensor<2x7x4x4xf32>
  %ke = tensor.expand_shape %ks [[0],[1],[2,3]] output_shape [2,7,2,4] : tensor<2x7x8xf32> into tensor<2x7x2x4xf32>
  %ve = tensor.expand_shape %vs [[0],[1],[2,3]] output_shape [2,7,2,4] : tensor<2x7x8xf32> into tensor<2x7x2x4xf32>
  %qt0 = tensor.empty() : tensor<2x4x7x4xf32>
  %qt = linalg.transpose ins(%qe : tensor<2x7x4x4xf32>) outs(%qt0 : tensor<2x4x7x4xf32>) permutation = [0,2,1,3]
  %kt0 = tensor.empty() : tensor<2x2x7x4xf32>
  %kt = linalg.transpose ins(%ke : tensor<2x7x2x4xf32>) outs(%kt0 : tensor<2x2x7x4xf32>) permutation = [0,2,1,3]
  %vt = linalg.transpose ins(%ve : tensor<2x7x2x4xf32>) outs(%kt0 : tensor<2x2x7x4xf32>) permutation = [0,2,1,3]
  %k = tensor.concat dim(2) %kc, %kt : (tensor<2x2x3x4xf32>, tensor<2x2x7x4xf32>) -> tensor<2x2x10x4xf32>
  %v = tensor.concat dim(2) %kc, %vt : (tensor<2x2x3x4xf32>, tensor<2x2x7x4xf32>) -> tensor<2x2x10x4xf32>
  %r0 = tensor.empty() : tensor<2x2x2x10x4xf32>
  %kr = linalg.generic {indexing_maps=[affine_map<(b,h,g,n,d)->(b,h,n,d)>,affine_map<(b,h,g,n,d)->(b,h,g,n,d)>], iterator_types=["parallel","parallel","parallel","parallel","parallel"]} ins(%k : tensor<2x2x10x4xf32>) outs(%r0 : tensor<2x2x2x10x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x2x2x10x4xf32>
  %vr = linalg.broadcast ins(%v : tensor<2x2x10x4xf32>) outs(%r0 : tensor<2x2x2x10x4xf32>) dimensions = [2]
  %kx = tensor.collapse_shape %kr [[0],[1,2],[3],[4]] : tensor<2x2x2x10x4xf32> into tensor<2x4x10x4xf32>
  %vx = tensor.collapse_shape %vr [[0],[1,2],[3],[4]] : tensor<2x2x2x10x4xf32> into tensor<2x4x10x4xf32>
  %q16 = math.absf %qt : tensor<2x4x7x4xf32>
  %k16 = math.sin %kx : tensor<2x4x10x4xf32>
  %v16 = math.cos %vx : tensor<2x4x10x4xf32>
  %e = tensor.empty() : tensor<2x4x7x4xf32>
  %o = attn.attention {scale = 0.5} maps = [(b, h, m, n, k, d) -> (b, h, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (b, h, m, d)]
      ins(%q16, %k16, %v16 : tensor<2x4x7x4xf32>, tensor<2x4x10x4xf32>, tensor<2x4x10x4xf32>) outs(%e : tensor<2x4x7x4xf32>)
  %ow = arith.negf %o : tensor<2x4x7x4xf32>
  %e2 = tensor.empty() : tensor<2x7x4x4xf32>
  %ot = linalg.transpose ins(%ow : tensor<2x4x7x4xf32>) outs(%e2 : tensor<2x7x4x4xf32>) permutation = [0,2,1,3]
  %y = tensor.collapse_shape %ot [[0],[1],[2,3]] : tensor<2x7x4x4xf32> into tensor<2x7x16xf32>
  return %y : tensor<2x7x16xf32>
}

//--- dynamic.mlir
func.func @main(%q: tensor<?x?x4xf32>, %k: tensor<?x?x4xf32>, %v: tensor<?x?x6xf32>) -> tensor<?x?x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x4xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x4xf32>
  %qe = math.tanh %q : tensor<?x?x4xf32>
  %e = tensor.empty(%b, %m) : tensor<?x?x6xf32>
  %o = attn.attention {scale = 0.5} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
      ins(%qe, %k, %v : tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x6xf32>) outs(%e : tensor<?x?x6xf32>)
  %y = tensor.concat dim(1) %o, %o : (tensor<?x?x6xf32>, tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  return %y : tensor<?x?x6xf32>
}

//--- keyless.mlir
func.func @main(%q: tensor<5x4xf32>, %k: tensor<0x4xf32>, %v: tensor<0x3xf32>) -> tensor<5x3xf32> {
  %e = tensor.empty() : tensor<5x3xf32>
  %o = attn.attention {scale = 0.5, empty_rows = zero} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : tensor<5x4xf32>, tensor<0x4xf32>, tensor<0x3xf32>) outs(%e : tensor<5x3xf32>)
  return %o : tensor<5x3xf32>
}

//--- loop.mlir
func.func @main(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %n: index) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %n step %1 iter_args(%a = %q) -> tensor<8x4xf32> {
    %o = attn.attention {scale = 0.5} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%a, %k, %v : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
    scf.yield %o : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}
