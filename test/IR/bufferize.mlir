// In place: the buffer of a destination is the buffer of the result, nothing is
// allocated and nothing copied.
// RUN: attn-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -canonicalize -cse -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:.*]]: memref<4x8xf32>, %[[K:.*]]: memref<?x8xf32>, %[[E:.*]]: memref<?xf32>, %[[O:.*]]: memref<4x8xf32>, %[[L:.*]]: memref<4xf32>)
// CHECK-NEXT: attn.attention {visible = [#{{.*}}]} maps = {{.*}} ins(%[[Q]], %[[K]], %[[K]] : {{.*}}) extras(%[[E]] : memref<?xf32>) outs(%[[O]], %[[L]] : memref<4x8xf32>, memref<4xf32>)
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[O]], %[[L]]
func.func @attention(%q: tensor<4x8xf32>, %k: tensor<?x8xf32>, %e: tensor<?xf32>, %o: tensor<4x8xf32>, %l: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0:2 = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) extras(%e : tensor<?xf32>) outs(%o, %l : tensor<4x8xf32>, tensor<4xf32>)
      score (%s : f32, %b : f32) {
        %t = arith.addf %s, %b : f32
        attn.yield %t : f32
      }
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// The fold, the merge and the finish share one state; an output is not read, so
// its old value needs no copy even where it is used again as an input.
// CHECK-LABEL: func.func @state(
// CHECK-SAME: %[[Q:.*]]: memref<4x8xf32>, %[[K:.*]]: memref<6x8xf32>, %[[A:.*]]: memref<4x8xf32>, %[[M:.*]]: memref<4xf32>, %[[S:.*]]: memref<4xf32>, %[[A2:.*]]: memref<4x8xf32>, %[[M2:.*]]: memref<4xf32>, %[[S2:.*]]: memref<4xf32>, %[[O:.*]]: memref<4x8xf32>)
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: attn.online_attention maps = {{.*}} outs(%[[A]], %[[M]], %[[S]] :
// CHECK: attn.merge maps = {{.*}} ins(%[[A]], %[[M]], %[[S]] : {{.*}}) outs(%[[A2]], %[[M2]], %[[S2]] :
// CHECK: attn.finish maps = {{.*}} ins(%[[A2]], %[[M2]], %[[S2]] : {{.*}}) outs(%[[O]] :
// CHECK-NOT: memref.{{alloc|copy}}
// CHECK: return %[[O]]
func.func @state(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>,
    %a2: tensor<4x8xf32>, %m2: tensor<4xf32>, %s2: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%0#0, %0#1, %0#2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%a2, %m2, %s2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %2 = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%1#0, %1#1, %1#2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o : tensor<4x8xf32>)
  return %2 : tensor<4x8xf32>
}

// -----

// A destination that is also read as an operand is not written in place: the
// result needs a buffer of its own, and a state a copy.
// CHECK-LABEL: func.func @aliased(
// CHECK-SAME: %[[Q:.*]]: memref<4x8xf32>, %[[K:.*]]: memref<6x8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NOT: memref.copy
// CHECK: attn.attention maps = {{.*}} ins(%[[Q]], %[[K]], %[[K]] : {{.*}}) outs(%[[NEW]] :
// CHECK: %[[STATE:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK: memref.copy %{{.*}}, %[[STATE]]
// CHECK: attn.online_attention {{.*}} outs(%[[STATE]],
func.func @aliased(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %a: tensor<4x8xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%q : tensor<4x8xf32>)
  %1:3 = attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%a, %k, %k : tensor<4x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) outs(%a, %m, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0, %1#0 : tensor<4x8xf32>, tensor<4x8xf32>
}
