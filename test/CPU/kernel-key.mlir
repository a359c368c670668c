// RUN: attn-compile %s --emit=vector --target=neon | FileCheck %s

// Blocks of 2 and of 4 keys: the functions that multiply dS by K take K in
// panels of as many rows, and are not the same.

// CHECK-LABEL: func.func @two(
// CHECK:         call @attn_scores
// CHECK:         call @[[TWO:attn_accumulate_[0-9]+]]({{.*}}strided<[16, 1], offset: ?>>, {{.*}}strided<[8, 1], offset: ?>>
// CHECK-LABEL: func.func @four(
// CHECK:         call @attn_scores
// CHECK-NOT:     call @[[TWO]](
// CHECK:         return
func.func @two(%q: tensor<8x20xf32>, %k: tensor<16x20xf32>, %v: tensor<16x8xf32>, %o: tensor<8x8xf32>, %l: tensor<8xf32>, %do: tensor<8x8xf32>)
    -> (tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>) {
  %dq = tensor.empty() : tensor<8x20xf32>
  %dk = tensor.empty() : tensor<16x20xf32>
  %dv = tensor.empty() : tensor<16x8xf32>
  %g:3 = attn.attention_backward {scale = 0.25, tiling = #attn.tiling<query_block = [8], key_block = [2], order = kv_outer, key_splits = 1>}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%q, %k, %v : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>) forward(%o, %l : tensor<8x8xf32>, tensor<8xf32>)
    grad(%do : tensor<8x8xf32>) outs(%dq, %dk, %dv : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>)
  return %g#0, %g#1, %g#2 : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>
}
func.func @four(%q: tensor<8x20xf32>, %k: tensor<16x20xf32>, %v: tensor<16x8xf32>, %o: tensor<8x8xf32>, %l: tensor<8xf32>, %do: tensor<8x8xf32>)
    -> (tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>) {
  %dq = tensor.empty() : tensor<8x20xf32>
  %dk = tensor.empty() : tensor<16x20xf32>
  %dv = tensor.empty() : tensor<16x8xf32>
  %g:3 = attn.attention_backward {scale = 0.25, tiling = #attn.tiling<query_block = [8], key_block = [4], order = kv_outer, key_splits = 1>}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%q, %k, %v : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>) forward(%o, %l : tensor<8x8xf32>, tensor<8xf32>)
    grad(%do : tensor<8x8xf32>) outs(%dq, %dk, %dv : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>)
  return %g#0, %g#1, %g#2 : tensor<8x20xf32>, tensor<16x20xf32>, tensor<16x8xf32>
}
