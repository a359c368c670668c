// REQUIRES: numpy
// RUN: %python -c "import numpy as n; n.savez('%t.npz', arg0=n.float32([0, 0, 0, 2]), arg1=n.float32([0, 1, 2, 3]), dout0=n.float32([1, 1, 1, 1]), grad0=n.float32([0, 1, 0, 12]), grad1=n.float32([0, 0, 0, 8 * n.log(2)]))"
// RUN: attn-run %s --grad --args=%t.npz | FileCheck %s

// Powers of 0 have the gradient that they have as a limit: none where the exponent is
// 0, and none of the exponent.

// CHECK: result agrees
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %p = math.powf %x, %y : tensor<4xf32>
  return %p : tensor<4xf32>
}
