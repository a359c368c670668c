// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s --mlir-print-op-generic | attn-opt | FileCheck %s

// CHECK-LABEL: @host
func.func @host(%q: memref<8x64x32xf16>) -> !llvm.ptr {
  // CHECK: attn_gpu.address read %{{.*}} : memref<8x64x32xf16>
  %0 = attn_gpu.address read %q : memref<8x64x32xf16>
  return %0 : !llvm.ptr
}

// CHECK-LABEL: @program
func.func @program(%base: !llvm.ptr, %first: index, %full: i1, %zero: f32) {
  // CHECK: attn_gpu.shared_tile 0 : !attn_gpu.shared<64x32xf16>
  %q = attn_gpu.shared_tile 0 : !attn_gpu.shared<64x32xf16>
  // CHECK: attn_gpu.rows {{.*}} : !attn_gpu.shared<64x32xf16> to !attn_gpu.shared<16x32xf16>
  %mine = attn_gpu.rows %q[%first] : !attn_gpu.shared<64x32xf16> to !attn_gpu.shared<16x32xf16>
  // CHECK: attn_gpu.copy {{.*}} whole {{.*}} attributes {vector = 8 : i64}
  attn_gpu.copy %base to %q whole %full attributes {vector = 8 : i64} {
  ^bb0(%row: index, %column: index):
    %offset = arith.addi %row, %column : index
    attn_gpu.yield %offset, %full : index, i1
  } : !attn_gpu.shared<64x32xf16>
  // CHECK: attn_gpu.load {{.*}} -> !attn_gpu.fragment<16x32xf16, lhs>
  %a = attn_gpu.load %mine : !attn_gpu.shared<16x32xf16> -> !attn_gpu.fragment<16x32xf16, lhs>
  %acc = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<16x64xf32, acc>
  // CHECK: attn_gpu.mma {{.*}} {transposed}
  %s = attn_gpu.mma %a, %q, %acc {transposed} : !attn_gpu.fragment<16x32xf16, lhs>, !attn_gpu.shared<64x32xf16>, !attn_gpu.fragment<16x64xf32, acc>
  %m0 = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<16xf32, row>
  // CHECK: attn_gpu.reduce max
  %m1 = attn_gpu.reduce max %s, %m0 : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.fragment<16xf32, row>
  // CHECK: attn_gpu.across max
  %m = attn_gpu.across max %m1 : !attn_gpu.fragment<16xf32, row>
  // CHECK: attn_gpu.map ins(
  %p, %low = attn_gpu.map ins(%s, %m : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.fragment<16xf32, row>) {
  ^bb0(%x: f32, %r: f32, %row: index, %column: index):
    %d = arith.subf %x, %r : f32
    %c = arith.cmpf olt, %x, %r : f32
    attn_gpu.yield %d, %c : f32, i1
  } -> !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.fragment<16x64xi1, acc>
  // CHECK: attn_gpu.to_lhs
  %lhs = attn_gpu.to_lhs %p : !attn_gpu.fragment<16x64xf32, acc> -> !attn_gpu.fragment<16x64xf16, lhs>
  // CHECK: attn_gpu.put %{{.*}} to %{{.*}} : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<16x64xf16>
  %kept = attn_gpu.shared_tile 4096 : !attn_gpu.shared<16x64xf16>
  attn_gpu.put %p to %kept : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<16x64xf16>
  %wide = attn_gpu.shared_tile 8192 : !attn_gpu.shared<64x32xf32>
  // CHECK: attn_gpu.put %{{.*}} to %{{.*}} from %{{.*}} : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<64x32xf32>
  attn_gpu.put %p to %wide from %first : !attn_gpu.fragment<16x64xf32, acc>, !attn_gpu.shared<64x32xf32>
  %part = attn_gpu.fill %zero : f32 -> !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.mma {{.*}} rows from %{{.*}} columns from %{{.*}} {lhs_transposed}
  %g = attn_gpu.mma %kept, %mine, %part rows from %first columns from %first {lhs_transposed} : !attn_gpu.shared<16x64xf16>, !attn_gpu.shared<16x32xf16>, !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.add_sums {{.*}} {block_columns = 4 : i64}
  attn_gpu.add_sums %g to %base[%first] {block_columns = 4 : i64} : !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.store_sums {{.*}} {block_columns = 4 : i64}
  attn_gpu.store_sums %g to %base[%first] {block_columns = 4 : i64} : !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.load_sums {{.*}} {block_columns = 4 : i64}
  %sum = attn_gpu.load_sums %base[%first] {block_columns = 4 : i64} : !attn_gpu.fragment<32x16xf32, acc>
  // CHECK: attn_gpu.store {{.*}} as f16
  attn_gpu.store %p to %base as f16 attributes {vector = 2 : i64} {
  ^bb0(%row: index, %column: index):
    attn_gpu.yield %column, %full : index, i1
  } : !attn_gpu.fragment<16x64xf32, acc>
  return
}
