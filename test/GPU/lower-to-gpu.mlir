// RUN: attn-opt %s --attn-lower-to-gpu | FileCheck %s

// One CTA per batch element and query block; K(j+1) is copied while P V(j) runs,
// V(j) while Q K(j) does; the rescale stands under a vote.

#tiling = #attn.tiling<query_block = [64], key_block = [32], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>
module attributes {attn.target = #attn.target<"a100">} {
  // CHECK: gpu.module @attention_kernels [#nvvm.target<O = 3, chip = "sm_80">]
  // CHECK: gpu.func @main_attention(%[[QP:.*]]: !llvm.ptr, %[[KP:.*]]: !llvm.ptr, %[[VP:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32}
  // CHECK-DAG: %[[Q:.*]] = attn_gpu.shared_tile 0 : !attn_gpu.shared<64x32xf16>
  // CHECK-DAG: %[[K:.*]] = attn_gpu.shared_tile 4096 : !attn_gpu.shared<32x32xf16>
  // CHECK-DAG: %[[V:.*]] = attn_gpu.shared_tile 6144 : !attn_gpu.shared<32x16xf16>
  // CHECK: attn_gpu.copy %[[QP]] to %[[Q]] whole %{{.*}} attributes {vector = 8 : i64}
  // CHECK: attn_gpu.copy %[[KP]] to %[[K]]
  // CHECK: nvvm.cp.async.commit.group
  // CHECK: scf.for
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK: attn_gpu.copy %[[VP]] to %[[V]]
  // CHECK: %[[S:.*]] = attn_gpu.mma %{{.*}}, %[[K]], %{{.*}} {transposed}
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK: scf.if
  // CHECK: attn_gpu.copy %[[KP]] to %[[K]]
  // CHECK: attn_gpu.reduce max
  // CHECK: attn_gpu.across max
  // CHECK: %[[GREW:.*]] = attn_gpu.any
  // CHECK: scf.if %[[GREW]]
  // CHECK: ex2.approx
  // CHECK: attn_gpu.reduce sum
  // CHECK-NOT: attn_gpu.across
  // CHECK: %[[P:.*]] = attn_gpu.to_lhs
  // CHECK: attn_gpu.mma %[[P]], %[[V]]
  // CHECK: scf.yield
  // CHECK: attn_gpu.across sum
  // CHECK: attn_gpu.store {{.*}} as f16 attributes {vector = 2 : i64}

  // CHECK-LABEL: func.func @main
  // CHECK: %[[QA:.*]] = attn_gpu.address read %arg0
  // CHECK: attn_gpu.address write %arg3
  // CHECK: gpu.launch_func @attention_kernels::@main_attention blocks in (%c6{{.*}}, %c1{{.*}}, %c1{{.*}}) threads in (%c128{{.*}}, %c1{{.*}}, %c1{{.*}}) dynamic_shared_memory_size %c7168_i32 args(%[[QA]] : !llvm.ptr
  func.func @main(%q: memref<2x130x32xf16>, %k: memref<2x50x32xf16>, %v: memref<2x50x16xf16>, %o: memref<2x130x16xf16>) {
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
      ins(%q, %k, %v : memref<2x130x32xf16>, memref<2x50x32xf16>, memref<2x50x16xf16>)
      outs(%o : memref<2x130x16xf16>)
    return
  }
}
