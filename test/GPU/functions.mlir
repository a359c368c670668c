// Functions of a score for which NVIDIA's compiler has a library and kernels have not.
//
// RUN: attn-run %s --executor=emulator --target=a100 --check | FileCheck %s
// CHECK: kernel
// CHECK: error {{.*}} against unfused
// CHECK: agrees

func.func @main(%q: tensor<2x37x8xf32>, %k: tensor<2x45x8xf32>, %v: tensor<2x45x16xf32>) -> tensor<2x37x16xf32> {
  %e = tensor.empty() : tensor<2x37x16xf32>
  %o = attn.attention {scale = 1.0}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
    ins(%q, %k, %v : tensor<2x37x8xf32>, tensor<2x45x8xf32>, tensor<2x45x16xf32>)
    outs(%e : tensor<2x37x16xf32>)
    score (%s: f32) {
      %two = arith.constant 2.0 : f32
      %turn = math.atan %s : f32
      %size = math.absf %s : f32
      %more = arith.addf %size, %two : f32
      %digits = math.log10 %more : f32
      %signed = math.copysign %digits, %s : f32
      %cube = math.cbrt %s : f32
      %x = arith.addf %turn, %signed : f32
      %y = arith.addf %x, %cube : f32
      attn.yield %y : f32
    }
  return %o : tensor<2x37x16xf32>
}
