// Forward and backward draw one dropout mask, that of the definition, whatever the
// tiles, the order of the loops, the parts of the keys, the threads and the target.
// All scores are 0 and V and dO are unit matrices, so that O is Z / N and dV its
// transpose: what is not 0 there was kept.

// REQUIRES: numpy
// RUN: %python %S/Inputs/dropout_mask.py %t.in.npz
// RUN: sed s/ELEMENT/f32/g %s > %t.f32.mlir
// RUN: attn-run %t.f32.mlir --args=%t.in.npz --threads=1 --save=%t.1.npz
// RUN: attn-run %t.f32.mlir --args=%t.in.npz --threads=2 --tiling=query_block=8,key_block=16,order=kv_outer --save=%t.2.npz
// RUN: attn-run %t.f32.mlir --args=%t.in.npz --threads=3 --tiling=query_block=5,key_block=48,order=q_outer --save=%t.3.npz
// RUN: attn-run %t.f32.mlir --args=%t.in.npz --threads=2 --tiling=query_block=37,key_block=7,order=kv_outer,key_splits=3 --save=%t.4.npz
// RUN: sed s/ELEMENT/f16/g %s > %t.f16.mlir
// RUN: %python %S/Inputs/dropout_mask.py %t.f16.npz --f16
// RUN: attn-run %t.f16.mlir --args=%t.f16.npz --executor=emulator --target=a100 --save=%t.5.npz
// RUN: sed s/ELEMENT/bf16/g %s > %t.bf16.mlir
// RUN: %python %S/Inputs/dropout_mask.py %t.bf16.npz --bf16
// RUN: attn-run %t.bf16.mlir --args=%t.bf16.npz --tiling=query_block=32,key_block=32,order=kv_outer --save=%t.6.npz
// RUN: %python %S/Inputs/dropout_mask.py %t.in.npz %t.1.npz %t.2.npz %t.3.npz %t.4.npz %t.5.npz %t.6.npz | FileCheck %s
// CHECK: 6 runs, forward and backward, drop what the definition drops

func.func @main(%v: tensor<2x3x48x48xELEMENT>, %do: tensor<2x3x48x48xELEMENT>, %seed: i64, %offset: i64) -> (tensor<2x3x48x48xELEMENT>, tensor<2x3x48x48xELEMENT>) {
  %q = arith.constant dense<0.0> : tensor<2x3x48x16xELEMENT>
  %e = tensor.empty() : tensor<2x3x48x48xELEMENT>
  %l = tensor.empty() : tensor<2x3x48xf32>
  %w = tensor.empty() : tensor<2x3x48x16xELEMENT>
  %o, %lse = attn.attention {scale = 0.25}
      maps = [(b, h, m, n, k, d) -> (b, h, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (), -> (), -> (b, h, m, d), -> (b, h, m)]
      ins(%q, %q, %v : tensor<2x3x48x16xELEMENT>, tensor<2x3x48x16xELEMENT>, tensor<2x3x48x48xELEMENT>) extras(%seed, %offset : i64, i64)
      outs(%e, %l : tensor<2x3x48x48xELEMENT>, tensor<2x3x48xf32>)
      score (%s: f32, %a: i64, %b: i64) {
        %z = attn.keep %a, %b {p = 0.3} : f32
        attn.yield %s, %z : f32, f32
      }
  %dq, %dk, %dv = attn.attention_backward {scale = 0.25}
      maps = [(b, h, m, n, k, d) -> (b, h, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (), -> (), -> (b, h, m, d), -> (b, h, m)]
      ins(%q, %q, %v : tensor<2x3x48x16xELEMENT>, tensor<2x3x48x16xELEMENT>, tensor<2x3x48x48xELEMENT>) extras(%seed, %offset : i64, i64)
      forward(%o, %lse : tensor<2x3x48x48xELEMENT>, tensor<2x3x48xf32>) grad(%do : tensor<2x3x48x48xELEMENT>)
      outs(%w, %w, %e : tensor<2x3x48x16xELEMENT>, tensor<2x3x48x16xELEMENT>, tensor<2x3x48x48xELEMENT>)
      score (%s: f32, %a: i64, %b: i64) {
        %z = attn.keep %a, %b {p = 0.3} : f32
        attn.yield %s, %z : f32, f32
      }
  return %o, %dv : tensor<2x3x48x48xELEMENT>, tensor<2x3x48x48xELEMENT>
}
