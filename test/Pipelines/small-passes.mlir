// RUN: attn-opt --split-input-file %s \
// RUN:   --pass-pipeline='builtin.module(attn-near-zero,attn-read-only-arguments,func.func(attn-decompose-aggregates,attn-strided-copies,attn-vectorizable-loops,attn-inline-alloca-scopes))' \
// RUN:   | FileCheck %s

// CHECK-LABEL: @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         linalg.generic
// CHECK:           arith.maxnumf
// CHECK:           math.exp
// CHECK:           arith.divf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %init = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: @copies
// CHECK-SAME:    %[[STRIDED:[a-z0-9]+]]: memref<4x8xf32, strided<[16, 1]>>, %[[PLAIN:[a-z0-9]+]]: memref<4x8xf32>, %[[OTHER:[a-z0-9]+]]
// CHECK:         linalg.generic {{.*}} ins(%[[STRIDED]] : {{.*}}) outs(%[[PLAIN]]
// CHECK:         memref.copy %[[PLAIN]], %[[OTHER]]
func.func @copies(%a: memref<4x8xf32, strided<[16, 1]>>, %b: memref<4x8xf32>, %c: memref<4x8xf32>) {
  memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  memref.copy %b, %c : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// The sum moves outside of the columns, along which B and C are contiguous; it
// stays where B is not, or its columns are what is summed.

// CHECK-LABEL: @products
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT:     linalg.matmul
// CHECK:         linalg.matmul indexing_maps
// CHECK:         linalg.reduce
func.func @products(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %bt: memref<16x8xf32>, %c: memref<4x16xf32>, %s: memref<4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %bt : memref<4x8xf32>, memref<16x8xf32>) outs(%c : memref<4x16xf32>)
  linalg.reduce ins(%a : memref<4x8xf32>) outs(%s : memref<4xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  return
}

// -----

// CHECK-LABEL: @scopes
// CHECK-NOT:     memref.alloca_scope
// CHECK:         %[[STACK:.*]] = llvm.intr.stacksave
// CHECK:         memref.alloca
// CHECK:         llvm.intr.stackrestore %[[STACK]]
// CHECK-NOT:     llvm.intr.stacksave
// CHECK:         call @use
// CHECK:         return
func.func private @use(memref<4xf32>)
func.func @scopes(%b: memref<4xf32>) {
  memref.alloca_scope {
    %a = memref.alloca() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
  }
  memref.alloca_scope {
    func.call @use(%b) : (memref<4xf32>) -> ()
  }
  return
}

// -----

// CHECK-LABEL: @arguments
// CHECK-SAME:    tensor<4xf32> {bufferization.writable = false}, %{{[a-z0-9]+}}: f32)
func.func @arguments(%a: tensor<4xf32>, %f: f32) {
  return
}
// CHECK:       func.func private @inner(%{{[a-z0-9]+}}: tensor<4xf32>) {
func.func private @inner(%a: tensor<4xf32>) {
  return
}

// -----

// CHECK-LABEL: @near_zero
// CHECK:         call @expm1f(
// CHECK:         call @log1p(
// Of a vector one element at a time, of a half in f32; exp is left alone.
// CHECK-COUNT-2: call @log1pf(
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         call @expm1f(
// CHECK:         arith.truncf %{{.*}} : f32 to f16
// CHECK:         math.exp
func.func @near_zero(%a: f32, %b: f64, %c: vector<2xf32>, %d: f16) -> (f32, f64, vector<2xf32>, f16, f32) {
  %0 = math.expm1 %a : f32
  %1 = math.log1p %b : f64
  %2 = math.log1p %c : vector<2xf32>
  %3 = math.expm1 %d : f16
  %4 = math.exp %a : f32
  return %0, %1, %2, %3, %4 : f32, f64, vector<2xf32>, f16, f32
}
