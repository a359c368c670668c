// RUN: attn-opt %s --pass-pipeline='builtin.module(gpu.module(attn-distribute-to-nvvm,canonicalize,cse))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.mlir.global external @attention_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Two blocks of 16 x 8 in one depth step: one ldmatrix for each operand.
  // CHECK-LABEL: gpu.func @product
  gpu.func @product(%out: !llvm.ptr) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = attn_gpu.shared_tile 0 : !attn_gpu.shared<16x16xbf16>
    %b = attn_gpu.shared_tile 512 : !attn_gpu.shared<16x16xbf16>
    %acc = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<16x16xf32, acc>
    // CHECK: nvvm.ldmatrix
    // CHECK: nvvm.ldmatrix
    // CHECK-COUNT-2: nvvm.mma.sync {{.*}}bf16
    // CHECK-NOT: nvvm.ldmatrix
    %s = attn_gpu.mma %a, %b, %acc {transposed} : !attn_gpu.shared<16x16xbf16>, !attn_gpu.shared<16x16xbf16>, !attn_gpu.fragment<16x16xf32, acc>
    // A row's maximum: in the lane, then two shuffles for each of the lane's rows.
    // CHECK-COUNT-4: llvm.intr.maxnum
    // CHECK-COUNT-4: nvvm.shfl.sync bfly
    // CHECK-NOT: nvvm.shfl.sync
    %low = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<16xf32, row>
    %m0 = attn_gpu.reduce max %s, %low : !attn_gpu.fragment<16x16xf32, acc>, !attn_gpu.fragment<16xf32, row>
    %m = attn_gpu.across max %m0 : !attn_gpu.fragment<16xf32, row>
    // One lane of four stores a row's value.
    // CHECK-COUNT-2: llvm.store {{.*}} : f32
    // CHECK-NOT: llvm.store
    // CHECK: gpu.return
    attn_gpu.store %m to %out as f32 attributes {vector = 1 : i64} {
    ^bb0(%row: index, %column: index):
      %true = arith.constant true
      attn_gpu.yield %row, %true : index, i1
    } : !attn_gpu.fragment<16xf32, row>
    gpu.return
  }

  // f32: three products of tf32 parts.
  // CHECK-LABEL: gpu.func @wide
  gpu.func @wide() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = attn_gpu.shared_tile 0 : !attn_gpu.shared<16x16xf32>
    %b = attn_gpu.shared_tile 1024 : !attn_gpu.shared<16x16xf32>
    %acc = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<16x16xf32, acc>
    // CHECK-COUNT-12: nvvm.mma.sync {{.*}}tf32
    // CHECK-NOT: nvvm.mma.sync
    %s = attn_gpu.mma %a, %b, %acc {transposed} : !attn_gpu.shared<16x16xf32>, !attn_gpu.shared<16x16xf32>, !attn_gpu.fragment<16x16xf32, acc>
    gpu.return
  }

  // 16-byte pieces that all exist: no test of any.
  // CHECK-LABEL: gpu.func @copy
  gpu.func @copy(%base: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tile = attn_gpu.shared_tile 0 : !attn_gpu.shared<16x64xf16>
    %true = arith.constant true
    %c64 = arith.constant 64 : index
    // CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    // CHECK-NOT: nvvm.cp.async.shared.global
    attn_gpu.copy %base to %tile whole %true attributes {vector = 8 : i64} {
    ^bb0(%row: index, %column: index):
      %o = arith.muli %row, %c64 : index
      %p = arith.addi %o, %column : index
      attn_gpu.yield %p, %true : index, i1
    } : !attn_gpu.shared<16x64xf16>
    // CHECK: nvvm.cp.async.commit.group
    // CHECK: nvvm.cp.async.wait.group 0
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.return
  }

  // Elements one by one go through registers: nothing to wait for.
  // CHECK-LABEL: gpu.func @copy_elements
  gpu.func @copy_elements(%base: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tile = attn_gpu.shared_tile 0 : !attn_gpu.shared<16x64xf16>
    %true = arith.constant true
    %c65 = arith.constant 65 : index
    // CHECK-NOT: nvvm.cp.async
    attn_gpu.copy %base to %tile whole %true attributes {vector = 1 : i64} {
    ^bb0(%row: index, %column: index):
      %o = arith.muli %row, %c65 : index
      %p = arith.addi %o, %column : index
      attn_gpu.yield %p, %true : index, i1
    } : !attn_gpu.shared<16x64xf16>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    // CHECK: gpu.return
    gpu.return
  }
}
