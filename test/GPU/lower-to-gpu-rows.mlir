// RUN: attn-opt %s --attn-lower-to-gpu | FileCheck %s

// Of a mask that leaves every row a key, and scores that are finite whatever the
// data, no kernel looks for rows without a key. Where a score may be -inf by
// itself, those that own keys look through the terms of all rows first.

#tiling = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 2>>
#causal = affine_set<(m, n)[em, en] : (m - n >= 0)>

module attributes {attn.target = #attn.target<"a100">} {
  // CHECK-LABEL: gpu.func @capped_attention_row_terms
  // CHECK-NOT: nvvm.barrier #nvvm.reduction<or>
  // CHECK-LABEL: gpu.func @divided_attention_dq
  // CHECK: nvvm.barrier #nvvm.reduction<or>
  // CHECK-LABEL: gpu.func @divided_attention_dkv
  // CHECK: %[[ANY:.*]] = scf.for {{.*}} iter_args({{.*}} = %{{.*}}) -> (i1) {
  // CHECK: arith.cmpf uno
  // CHECK: nvvm.barrier #nvvm.reduction<or>
  func.func @capped(%q: memref<128x32xf16>, %k: memref<80x32xf16>, %v: memref<80x16xf16>, %o: memref<128x16xf16>,
                    %lse: memref<128xf32>, %do: memref<128x16xf16>,
                    %dq: memref<128x32xf16>, %dk: memref<80x32xf16>, %dv: memref<80x16xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #tiling, visible = [#causal]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<128x32xf16>, memref<80x32xf16>, memref<80x16xf16>)
      forward(%o, %lse : memref<128x16xf16>, memref<128xf32>) grad(%do : memref<128x16xf16>)
      outs(%dq, %dk, %dv : memref<128x32xf16>, memref<80x32xf16>, memref<80x16xf16>)
      score(%s: f32) {
        %cap = arith.constant 5.0 : f32
        %x = arith.divf %s, %cap : f32
        %t = math.tanh %x : f32
        %y = arith.mulf %t, %cap : f32
        attn.yield %y : f32
      }
    return
  }
  func.func @divided(%q: memref<128x32xf16>, %k: memref<80x32xf16>, %v: memref<80x16xf16>, %o: memref<128x16xf16>,
                     %lse: memref<128xf32>, %do: memref<128x16xf16>,
                     %dq: memref<128x32xf16>, %dk: memref<80x32xf16>, %dv: memref<80x16xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #tiling, visible = [#causal]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<128x32xf16>, memref<80x32xf16>, memref<80x16xf16>)
      forward(%o, %lse : memref<128x16xf16>, memref<128xf32>) grad(%do : memref<128x16xf16>)
      outs(%dq, %dk, %dv : memref<128x32xf16>, memref<80x32xf16>, memref<80x16xf16>)
      score(%s: f32) {
        %none = arith.constant 0.0 : f32
        %x = arith.divf %s, %none : f32
        attn.yield %x : f32
      }
    return
  }
}
