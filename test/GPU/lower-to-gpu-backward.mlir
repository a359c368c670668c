// RUN: attn-opt %s --attn-lower-to-gpu | FileCheck %s

// Row terms, then dQ by thread arrays that own rows, then dK and dV by ones that
// own keys: P and dS are left operands of the next product without leaving
// registers, and nothing is added in memory.

#tiling = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 2>>
#wide = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>

module attributes {attn.target = #attn.target<"a100">} {
  // CHECK-LABEL: gpu.func @main_attention_row_terms
  // CHECK-NOT: attn_gpu.mma
  // CHECK-LABEL: gpu.func @main_attention_dq
  // CHECK: attn_gpu.mma {{.*}} {transposed}
  // CHECK: attn_gpu.mma {{.*}} {transposed}
  // CHECK: ex2.approx
  // CHECK: %[[DS:.*]] = attn_gpu.to_lhs
  // CHECK: attn_gpu.mma %[[DS]],
  // CHECK-NOT: attn_gpu.mma
  // CHECK: attn_gpu.store {{.*}} as f16
  // CHECK-NOT: attn_gpu.store
  // CHECK-LABEL: gpu.func @main_attention_dkv
  // CHECK: attn_gpu.mma {{.*}} {transposed} : {{.*}}, !attn_gpu.fragment<16x32xf32, acc>
  // CHECK: attn_gpu.mma {{.*}} {transposed} : {{.*}}, !attn_gpu.fragment<16x32xf32, acc>
  // CHECK: ins({{.*}} : !attn_gpu.fragment<16x32xf32, acc>, !attn_gpu.fragment<32xf32, col>, !attn_gpu.fragment<16x32xf32, acc>, !attn_gpu.fragment<32xf32, col>)
  // CHECK: %[[P:.*]] = attn_gpu.to_lhs
  // CHECK: attn_gpu.mma %[[P]],
  // CHECK: %[[DST:.*]] = attn_gpu.to_lhs
  // CHECK: attn_gpu.mma %[[DST]],
  // CHECK-NOT: atomic

  // Registers do not hold dK and dV of wide heads together.
  // CHECK-LABEL: gpu.func @wide_attention_dk(
  // CHECK: gpu.func @wide_attention_dv(
  // A sink and an extra: sums over points.
  // CHECK: gpu.func @summed_attention_dsink
  // CHECK-NOT: attn_gpu.mma
  // CHECK: gpu.func @summed_attention_dextra0

  // CHECK-LABEL: func.func @main
  // CHECK: %[[TERMS:.*]] = memref.alloc() : memref<512xf32>
  // CHECK: attn_gpu.address scratch %[[TERMS]] {attn_gpu.operand = "row terms"}
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_row_terms
  // CHECK: attn_gpu.address write %arg6 {attn_gpu.operand = "dQ"}
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_dq
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_dkv
  // CHECK: memref.dealloc %[[TERMS]]
  func.func @main(%q: memref<2x128x32xf16>, %k: memref<2x80x32xf16>, %v: memref<2x80x16xf16>, %o: memref<2x128x16xf16>,
                  %lse: memref<2x128xf32>, %do: memref<2x128x16xf16>,
                  %dq: memref<2x128x32xf16>, %dk: memref<2x80x32xf16>, %dv: memref<2x80x16xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #tiling}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : memref<2x128x32xf16>, memref<2x80x32xf16>, memref<2x80x16xf16>)
      forward(%o, %lse : memref<2x128x16xf16>, memref<2x128xf32>) grad(%do : memref<2x128x16xf16>)
      outs(%dq, %dk, %dv : memref<2x128x32xf16>, memref<2x80x32xf16>, memref<2x80x16xf16>)
    return
  }
  func.func @wide(%x: memref<64x256xf16>, %lse: memref<64xf32>, %dq: memref<64x256xf16>, %dk: memref<64x256xf16>, %dv: memref<64x256xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #wide}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%x, %x, %x : memref<64x256xf16>, memref<64x256xf16>, memref<64x256xf16>)
      forward(%x, %lse : memref<64x256xf16>, memref<64xf32>) grad(%x : memref<64x256xf16>)
      outs(%dq, %dk, %dv : memref<64x256xf16>, memref<64x256xf16>, memref<64x256xf16>)
    return
  }
  func.func @summed(%x: memref<64x16xf16>, %bias: memref<64xf16>, %sink: memref<f32>, %lse: memref<64xf32>, %dq: memref<64x16xf16>, %dk: memref<64x16xf16>,
                    %dv: memref<64x16xf16>, %ds: memref<f32>, %db: memref<64xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #tiling, differentiate = array<i64: 0>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (n), -> (), -> (m, d), -> (m)]
      ins(%x, %x, %x : memref<64x16xf16>, memref<64x16xf16>, memref<64x16xf16>) extras(%bias : memref<64xf16>) sink(%sink : memref<f32>)
      forward(%x, %lse : memref<64x16xf16>, memref<64xf32>) grad(%x : memref<64x16xf16>)
      outs(%dq, %dk, %dv, %ds, %db : memref<64x16xf16>, memref<64x16xf16>, memref<64x16xf16>, memref<f32>, memref<64xf16>)
      score (%s: f32, %b: f16) {
        %e = arith.extf %b : f16 to f32
        %y = arith.addf %s, %e : f32
        attn.yield %y : f32
      }
    return
  }
}
