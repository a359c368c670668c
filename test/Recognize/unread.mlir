// RUN: attn-opt %s -attn-recognize --remarks-filter=attn-recognize -o /dev/null 2>&1 | FileCheck %s
// RUN: not attn-opt %s -attn-recognize=must-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=MUST
// RUN: attn-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),attn-recognize{must-fuse})' | FileCheck %s --check-prefix=LOWERED

// TOSA is lowered before attn-recognize, which says so where it was not, and must-fuse
// is an error where there is nothing to fuse.

// CHECK: unread.mlir:[[@LINE+7]]:{{.*}}remark: [Analysis] attention {{.*}}products of TOSA are not read{{.*}}run tosa-to-linalg-named and tosa-to-linalg first
// MUST: error: must-fuse: expected a product of a softmax, found none; products of TOSA are not read: run tosa-to-linalg-named and tosa-to-linalg first
// LOWERED: attn.attention
// LOWERED-NOT: math.exp
func.func @main(%q: tensor<2x8x4xf32>, %kt: tensor<2x4x8xf32>, %v: tensor<2x8x6xf32>) -> tensor<2x8x6xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %kt, %z, %z : (tensor<2x8x4xf32>, tensor<2x4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x8xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32} : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
  %d = tosa.sub %s, %m : (tensor<2x8x8xf32>, tensor<2x8x1xf32>) -> tensor<2x8x8xf32>
  %e = tosa.exp %d : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %l = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<2x8x8xf32>) -> tensor<2x8x1xf32>
  %r = tosa.reciprocal %l : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<2x8x8xf32>, tensor<2x8x1xf32>, tensor<1xi8>) -> tensor<2x8x8xf32>
  %o = tosa.matmul %p, %v, %z, %z : (tensor<2x8x8xf32>, tensor<2x8x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x6xf32>
  return %o : tensor<2x8x6xf32>
}
