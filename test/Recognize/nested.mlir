// RUN: attn-opt %s -inline -attn-recognize -split-input-file --remarks-filter=attn-recognize | FileCheck %s

// Attention in a loop body, with the softmax in a function of its own, twice in
// one function: each is found. The second reads what the first gives.

// CHECK-LABEL: func @in_a_loop
// CHECK:         scf.for
// CHECK:           %[[A:.+]] = attn.attention
// CHECK:           attn.attention {{.*}} ins(%[[A]],
// CHECK-NOT:       linalg.softmax
// CHECK:           scf.yield
func.func private @softmax(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func private @attention(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = func.call @softmax(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
func.func @in_a_loop(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %n: index) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> tensor<8x4xf32> {
    %a = func.call @attention(%x, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %b = func.call @attention(%a, %k, %v) : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    scf.yield %b : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// Ops that the view cannot read are leaves: nothing is assumed about them.

// CHECK-LABEL: func @opaque
// CHECK-NOT:     attn.attention
func.func private @elsewhere(tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @opaque(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = func.call @elsewhere(%s) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Sizes of 0 and 1 are sizes like any other.

// CHECK-LABEL: func @no_keys
// CHECK:         attn.attention {{.*}} ins({{.*}} : tensor<8x4xf32>, tensor<0x4xf32>, tensor<0x4xf32>)
func.func @no_keys(%q: tensor<8x4xf32>, %k: tensor<0x4xf32>, %v: tensor<0x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x0xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x0xf32>) -> tensor<8x0xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
       ins(%q, %k : tensor<8x4xf32>, tensor<0x4xf32>) outs(%f : tensor<8x0xf32>) -> tensor<8x0xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x0xf32>) outs(%e : tensor<8x0xf32>) -> tensor<8x0xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x0xf32>, tensor<0x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
