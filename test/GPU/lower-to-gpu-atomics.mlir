// RUN: attn-opt %s --attn-lower-to-gpu | FileCheck %s

// Nobody owns rows: dS goes through shared memory, and each warp adds its part
// of the block's dQ, from all keys of the thread array, to sums in memory.

#tiling = #attn.tiling<query_block = [64], key_block = [64], order = kv_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1, atomics = true>>

module attributes {attn.target = #attn.target<"a100">} {
  // CHECK-LABEL: gpu.func @main_attention_row_terms
  // CHECK-LABEL: gpu.func @main_attention_dq_zero
  // CHECK: llvm.store %{{.*}} : vector<4xf32>
  // CHECK-LABEL: gpu.func @main_attention_dkv
  // CHECK: %[[DS:.*]] = attn_gpu.shared_tile {{.*}} : !attn_gpu.shared<64x64xf16>
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-COUNT-2: attn_gpu.mma {{.*}} {transposed} : {{.*}}, !attn_gpu.fragment<16x64xf32, acc>
  // CHECK: attn_gpu.put {{.*}} : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<16x64xf16>
  // CHECK-COUNT-2: attn_gpu.mma
  // CHECK: gpu.barrier
  // CHECK: %[[DQ:.*]] = attn_gpu.mma %[[DS]], {{.*}} rows from {{.*}} columns from {{.*}} {lhs_transposed} : {{.*}}, !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.add_sums %[[DQ]]
  // CHECK-LABEL: gpu.func @main_attention_dq
  // CHECK: attn_gpu.load_sums
  // CHECK: attn_gpu.store {{.*}} as f16

  // Rows are padded to whole blocks, columns to 16.
  // CHECK-LABEL: func.func @main
  // CHECK: %[[SUMS:.*]] = memref.alloc() : memref<8192xf32>
  // CHECK: attn_gpu.address scratch %[[SUMS]] {attn_gpu.operand = "dQ sums"}
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_dq_zero
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_dkv
  // CHECK: gpu.launch_func @attention_kernels::@main_attention_dq
  // CHECK: memref.dealloc %[[SUMS]]
  func.func @main(%q: memref<2x100x32xf16>, %k: memref<2x80x32xf16>, %v: memref<2x80x16xf16>, %o: memref<2x100x16xf16>,
                  %lse: memref<2x100xf32>, %do: memref<2x100x16xf16>,
                  %dq: memref<2x100x32xf16>, %dk: memref<2x80x32xf16>, %dv: memref<2x80x16xf16>) {
    attn.attention_backward {scale = 0.125, tiling = #tiling}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : memref<2x100x32xf16>, memref<2x80x32xf16>, memref<2x80x16xf16>)
      forward(%o, %lse : memref<2x100x16xf16>, memref<2x100xf32>) grad(%do : memref<2x100x16xf16>)
      outs(%dq, %dk, %dv : memref<2x100x32xf16>, memref<2x80x32xf16>, memref<2x80x16xf16>)
    return
  }
}
