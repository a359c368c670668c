// RUN: attn-compile %s --emit=vector | FileCheck %s

// What a function makes of an argument goes into a buffer of its own.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[ARG:[a-z0-9]+]]: memref<4xf32>
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         memref.copy %[[ARG]], %[[OWN]]
// CHECK:         memref.store %{{.*}}, %[[OWN]]
// CHECK:         return %[[OWN]]
func.func @main(%a: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %f into %a[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
