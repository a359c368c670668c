// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s

// The blocks that the rows of a product are done in: six, four (two thirds), two
// and one; 128 keys are 20 x 6 + 2 x 4. The exponential takes its fraction and
// scales by instruction.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @blocks(
  // CHECK: func.func private @attn_scores
  // CHECK-COUNT-24: vector.fma
  // CHECK-NEXT: scf.yield
  // CHECK-COUNT-16: vector.fma
  // CHECK-NEXT: scf.yield
  // CHECK-COUNT-8: vector.fma
  // CHECK-NEXT: scf.yield
  // CHECK-COUNT-4: vector.fma
  // CHECK-NEXT: scf.yield
  // CHECK: func.func private @attn_softmax
  // CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"
  // CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
  func.func @blocks(%q: memref<64x64xf32>, %k: memref<128x64xf32>, %v: memref<128x64xf32>,
                    %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

// No such instructions: arithmetic alone.

module attributes {attn.target = #attn.target<"avx2">} {
  // CHECK-LABEL: func.func @arithmetic(
  // CHECK-NOT: llvm.call_intrinsic
  func.func @arithmetic(%q: memref<64x64xf32>, %k: memref<128x64xf32>, %v: memref<128x64xf32>,
                        %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

// A register block that a tiling names is both products': 3 x 2 vectors.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @named(
  // CHECK: func.func private @attn_scores
  // CHECK-COUNT-6: vector.fma
  // CHECK-NEXT: scf.yield
  // CHECK: func.func private @attn_accumulate
  // CHECK-COUNT-6: vector.fma
  // CHECK-NEXT: scf.yield
  func.func @named(%q: memref<64x64xf32>, %k: memref<128x64xf32>, %v: memref<128x64xf32>,
                   %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125, tiling = #attn.tiling<query_block = [64], key_block = [128], order = q_outer, key_splits = 1, kernel = #attn.cpu<mr = 3, nr = 32>>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

// In a loop over key blocks the products ask for what the next steps read: the
// next block's K and V, 32 rows for each of four groups of 64 rows, and the next
// query block's Q. A line of K is asked for in each of eight parts of the steps,
// one of Q in the first four, one of V in each of sixteen.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @ahead(
  // CHECK: func.func private @attn_scores
  // CHECK: %[[PARTS:.*]] = arith.constant 8 : index
  // CHECK: scf.for %[[PART:.*]] = {{.*}} to %[[PARTS]] step
  // CHECK: memref.prefetch {{.*}}, read, locality<2>, data
  // CHECK: %[[LINES:.*]] = arith.constant 4 : index
  // CHECK: %[[THERE:.*]] = arith.cmpi ult, %[[PART]], %[[LINES]]
  // CHECK: scf.if %[[THERE]]
  // CHECK: memref.prefetch
  // CHECK: scf.for
  // CHECK-COUNT-24: vector.fma
  // CHECK-NOT: memref.prefetch
  // CHECK: func.func private @attn_accumulate
  // CHECK: scf.for {{.*}} to %c16_{{[0-9]+}} step
  // CHECK: memref.prefetch
  // CHECK-NOT: memref.prefetch
  // CHECK: scf.for
  // CHECK-COUNT-24: vector.fma
  // CHECK-NOT: memref.prefetch
  func.func @ahead(%q: memref<256x64xf32>, %k: memref<1024x64xf32>, %v: memref<1024x64xf32>,
                   %acc: memref<256x64xf32>, %max: memref<256xf32>, %sum: memref<256xf32>) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c128 {
      %kb = memref.subview %k[%i, 0] [128, 64] [1, 1] : memref<1024x64xf32> to memref<128x64xf32, strided<[64, 1], offset: ?>>
      %vb = memref.subview %v[%i, 0] [128, 64] [1, 1] : memref<1024x64xf32> to memref<128x64xf32, strided<[64, 1], offset: ?>>
      attn.online_attention {scale = 0.125, tiling = #attn.tiling<query_block = [256], key_block = [128], order = q_outer, key_splits = 1, kernel = #attn.cpu<mr = 6, nr = 64>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %kb, %vb : memref<256x64xf32>, memref<128x64xf32, strided<[64, 1], offset: ?>>, memref<128x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<256x64xf32>, memref<256xf32>, memref<256xf32>)
    }
    return
  }
}
