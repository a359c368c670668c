// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s

// One tile: Q packed transposed, S^T = K Q^T with K read in place, softmax in
// place, V read in place; no buffer of rows x all keys.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @tile(
  // CHECK-SAME: %[[Q:.*]]: memref<96x64xf32>, %[[K:[^:]*]]: memref<256x64xf32>, %[[V:[^:]*]]: memref<256x64xf32>, %[[ACC:[^:]*]]: memref<96x64xf32>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<256x112xf32>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<64x112xf32>
  // CHECK: call @[[TRANSPOSE:attn_transpose_[0-9]+]](
  // CHECK: call @[[SCORES:attn_scores_[0-9]+]](
  // CHECK: call @[[SOFTMAX:attn_softmax_[0-9]+]](
  // CHECK: call @[[ACCUMULATE:attn_accumulate_[0-9]+]](
  // CHECK-NOT: attn.online_attention
  func.func @tile(%q: memref<96x64xf32>, %k: memref<256x64xf32>, %v: memref<256x64xf32>,
                  %acc: memref<96x64xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<96x64xf32>, memref<256x64xf32>, memref<256x64xf32>)
      outs(%acc, %max, %sum : memref<96x64xf32>, memref<96xf32>, memref<96xf32>)
    return
  }

  // Functions are internal and not inlined, and keep what strides are known.
  // CHECK: func.func private @[[TRANSPOSE]]({{.*}}strided<[64, 1], offset: ?>>{{.*}}llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"
  // CHECK-COUNT-64: vector.shuffle

  // Accumulators are 1-D vectors carried by the loop along the depth.
  // CHECK: func.func private @[[SCORES]](
  // CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<16xf32>, )+}}vector<16xf32>)
  // CHECK: vector.load {{.*}} vector<16xf32>
  // CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
  // CHECK: vector.fma {{.*}} : vector<16xf32>
  // CHECK-NOT: vector.contract

  // No call and no reduction across a vector in the softmax.
  // CHECK: func.func private @[[SOFTMAX]](
  // CHECK-NOT: math.
  // CHECK-NOT: vector.reduction
  // CHECK: func.func private @[[ACCUMULATE]](
  // CHECK: scf.for {{.*}} -> ({{(vector<16xf32>, )+}}vector<16xf32>)
}

// -----

// The same code for narrower vectors and fewer registers.

module attributes {attn.target = #attn.target<"avx2">} {
  // CHECK-LABEL: func.func @narrow
  // CHECK: func.func private @attn_scores
  // CHECK-SAME: ["prefer-vector-width", "256"]
  // CHECK: vector.fma {{.*}} : vector<8xf32>
  func.func @narrow(%q: memref<96x64xf32>, %k: memref<256x64xf32>, %v: memref<256x64xf32>,
                    %acc: memref<96x64xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<96x64xf32>, memref<256x64xf32>, memref<256x64xf32>)
      outs(%acc, %max, %sum : memref<96x64xf32>, memref<96xf32>, memref<96xf32>)
    return
  }
}

// -----

// Without a tiling and of unknown size: loops of the op's own. Two ops of one
// shape share their functions.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @whole
  // CHECK: scf.for {{.*}} step %c64
  // CHECK: scf.for {{.*}} step %c256
  // CHECK: call @[[SCORES:attn_scores_[0-9]+]](
  // CHECK: call @[[SCORES]](
  // CHECK-COUNT-1: func.func private @attn_scores
  // CHECK-NOT: func.func private @attn_scores
  func.func @whole(%q: memref<?x64xf32>, %k: memref<?x64xf32>, %v: memref<?x64xf32>,
                   %acc: memref<?x64xf32>, %max: memref<?xf32>, %sum: memref<?xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<?x64xf32>, memref<?x64xf32>, memref<?x64xf32>)
      outs(%acc, %max, %sum : memref<?x64xf32>, memref<?xf32>, memref<?xf32>)
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %v, %k : memref<?x64xf32>, memref<?x64xf32>, memref<?x64xf32>)
      outs(%acc, %max, %sum : memref<?x64xf32>, memref<?xf32>, memref<?xf32>)
    return
  }
}

// -----

// The packed query block is made before the loop over keys, once for both ops in
// it; nothing in the loop writes to Q.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @hoisted
  // CHECK: call @attn_transpose
  // CHECK: scf.for
  // CHECK-NOT: call @attn_transpose
  // CHECK: return
  func.func @hoisted(%q: memref<64x64xf32>, %k: memref<1024x64xf32>, %v: memref<1024x64xf32>,
                     %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c256 {
      %kb = memref.subview %k[%i, 0] [256, 64] [1, 1] : memref<1024x64xf32> to memref<256x64xf32, strided<[64, 1], offset: ?>>
      %vb = memref.subview %v[%i, 0] [256, 64] [1, 1] : memref<1024x64xf32> to memref<256x64xf32, strided<[64, 1], offset: ?>>
      attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %kb, %vb : memref<64x64xf32>, memref<256x64xf32, strided<[64, 1], offset: ?>>, memref<256x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
      attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %vb, %kb : memref<64x64xf32>, memref<256x64xf32, strided<[64, 1], offset: ?>>, memref<256x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    }
    return
  }
}

// -----

// bf16 with dot products: pairs of the depth, then pairs of keys, as i32.

module attributes {attn.target = #attn.target<"avx512", {bf16_dot = 1 : i64}>} {
  // CHECK-LABEL: func.func @pairs
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<32x80xi32>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<128x64xi32>
  // CHECK: func.func private @attn_scores
  // CHECK: vector.load {{.*}} : memref<?x?xbf16, {{.*}}>, vector<2xbf16>
  // CHECK: x86vector.avx512.dot {{.*}} : vector<32xbf16> -> vector<16xf32>
  // CHECK: func.func private @attn_accumulate
  // CHECK: x86vector.avx512.dot
  func.func @pairs(%q: memref<64x64xbf16>, %k: memref<256x64xbf16>, %v: memref<256x64xbf16>,
                   %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xbf16>, memref<256x64xbf16>, memref<256x64xbf16>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

// Few rows: lanes along the depth, K and V read in place and widened in registers,
// and asked for ahead. Pairs of bf16 are widened by a shift and a mask, and the
// sums of even and odd columns join at the end.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @decode
  // CHECK-NOT: packed
  // CHECK: vector.deinterleave
  // CHECK: call @attn_dots
  // CHECK: func.func private @attn_dots
  // CHECK: memref.prefetch {{.*}} : memref<?x?xbf16
  // CHECK: vector.load {{.*}} vector<32xbf16>
  // CHECK: arith.shli
  // CHECK: arith.andi
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31]
  // CHECK: arith.addf
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
  // CHECK: func.func private @attn_accumulate
  // CHECK: vector.load {{.*}} vector<32xbf16>
  // CHECK: memref.prefetch {{.*}} : memref<?x?xbf16
  // CHECK: vector.interleave
  func.func @decode(%q: memref<4x64xbf16>, %k: memref<256x64xbf16>, %v: memref<256x64xbf16>,
                    %acc: memref<4x64xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<4x64xbf16>, memref<256x64xbf16>, memref<256x64xbf16>)
      outs(%acc, %max, %sum : memref<4x64xf32>, memref<4xf32>, memref<4xf32>)
    return
  }
}

// -----

// What is one stream is asked for as many keys ahead as the target says; of 4 rows
// and two blocks of V's columns, as ever, 16 KiB.

module attributes {attn.target = #attn.target<"avx512", {ahead_keys = 8 : i64}>} {
  // CHECK-LABEL: func.func @stream(
  // CHECK: func.func private @attn_dots{{.*}}(
  // CHECK: %[[C8:.*]] = arith.constant 8 : index
  // CHECK-NEXT: %[[LATER:.*]] = arith.addi %{{.*}}, %[[C8]]
  // CHECK-NEXT: memref.prefetch %{{.*}}[%[[LATER]], %{{.*}}]{{.*}} : memref<?x?xbf16
  // CHECK: func.func private @attn_accumulate
  // CHECK: %[[C8:.*]] = arith.constant 8 : index
  // CHECK-NEXT: %[[LATER:.*]] = arith.addi %{{.*}}, %[[C8]]
  // CHECK-NEXT: memref.prefetch %{{.*}}[%[[LATER]], %{{.*}}]{{.*}} : memref<?x?xbf16
  func.func @stream(%q: memref<4x64xbf16>, %k: memref<256x64xbf16>, %v: memref<256x64xbf16>,
                    %acc: memref<4x64xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<4x64xbf16>, memref<256x64xbf16>, memref<256x64xbf16>)
      outs(%acc, %max, %sum : memref<4x64xf32>, memref<4xf32>, memref<4xf32>)
    return
  }
}

// -----

module attributes {attn.target = #attn.target<"avx512", {ahead_keys = 8 : i64}>} {
  // CHECK-LABEL: func.func @turns(
  // CHECK: func.func private @attn_dots
  // CHECK: scf.for {{.*}} iter_args
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-NEXT: %[[LATER:.*]] = arith.addi %{{.*}}, %[[C32]]
  // CHECK-NEXT: memref.prefetch %{{.*}}[%[[LATER]], %{{.*}}]{{.*}} : memref<?x?xf32
  func.func @turns(%q: memref<4x128xf32>, %k: memref<256x128xf32>, %v: memref<256x128xf32>,
                   %acc: memref<4x128xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<4x128xf32>, memref<256x128xf32>, memref<256x128xf32>)
      outs(%acc, %max, %sum : memref<4x128xf32>, memref<4xf32>, memref<4xf32>)
    return
  }
}

// -----

// A group of rows first folds the keys that all of its rows see, as if there
// were no mask; what is left on either side goes by fewer rows, through a pass
// that hides keys. No part of the state ends beyond it.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @edges
  // CHECK: scf.for %[[GROUP:.*]] = {{.*}} step %c64
  // CHECK: scf.if
  // CHECK: call @[[SCORES:attn_scores_[0-9]+]]
  // CHECK-NOT: arith.select
  // CHECK: memref.subview {{.*}}[%[[GROUP]]] [64] [1] : memref<128xf32>
  // CHECK: call @attn_softmax
  // CHECK: call @[[ACCUMULATE:attn_accumulate_[0-9]+]]
  // CHECK: scf.for %[[EDGE:.*]] = %[[GROUP]] to {{.*}} step %c32
  // CHECK: scf.if
  // CHECK-NOT: call @[[SCORES]](
  // CHECK: call @attn_scores
  // CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xf32>
  // CHECK: memref.subview {{.*}}[%[[EDGE]]] [32] [1] : memref<128xf32>
  // CHECK: call @attn_softmax
  // CHECK: call @[[ACCUMULATE]]
  func.func @edges(%q: memref<128x64xf32>, %k: memref<128x64xf32>, %v: memref<128x64xf32>,
                   %acc: memref<128x64xf32>, %max: memref<128xf32>, %sum: memref<128xf32>) {
    attn.online_attention {scale = 0.125, visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>],
                           tiling = #attn.tiling<query_block = [256], key_block = [128], order = q_outer, key_splits = 1, kernel = #attn.cpu<mr = 6, nr = 64>>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<128x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
      outs(%acc, %max, %sum : memref<128x64xf32>, memref<128xf32>, memref<128xf32>)
    return
  }
}

// -----

// Extras of rows and keys come in small parts, transposed if keys are neighbours
// in them; their lines are asked for between steps of the scores' product. i1 is
// read as the bytes that it is stored in.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @extras
  // CHECK-NOT: memref<128x{{[0-9]+}}xi8>
  // CHECK-DAG: memref.alloc() {{.*}} : memref<64x16xi8>
  // CHECK-DAG: memref.alloc() {{.*}} : memref<64x16xf32>
  // CHECK: call @[[SCORES:attn_scores_[0-9]+]]({{.*}}memref<?x?xf32, strided<[1, 128], offset: ?>>, memref<?x?xi1, strided<[64, 1], offset: ?>>)
  // CHECK: call @[[BIAS:attn_transpose_[0-9]+]](
  // CHECK: call @[[FLAGS:attn_copy_[0-9]+]](
  // CHECK: func.func private @[[SCORES]]
  // CHECK-COUNT-6: memref.prefetch {{.*}} : memref<?x?xf32, strided<[1, 128], offset: ?>>
  // CHECK: scf.if
  // CHECK-COUNT-6: memref.prefetch {{.*}} : memref<?x?xi1, strided<[64, 1], offset: ?>>
  // CHECK-NOT: memref.prefetch
  // CHECK: scf.for
  // CHECK-COUNT-24: vector.fma
  // CHECK-NOT: memref.prefetch {{.*}} : memref<?x?xi8
  // CHECK: func.func private @[[FLAGS]]
  // CHECK-SAME: memref<?x?xi8, strided<[64, 1], offset: ?>>
  // CHECK: vector.load {{.*}} vector<16xi8>
  func.func @extras(%q: memref<64x64xf32>, %k: memref<128x64xf32>, %v: memref<128x64xf32>, %b: memref<64x128xf32>,
                    %c: memref<128x64xi1>, %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, n), -> (n, m), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
      extras(%b, %c : memref<64x128xf32>, memref<128x64xi1>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
      score (%s : f32, %x : f32, %y : i1) {
        %biased = arith.addf %s, %x : f32
        %chosen = arith.select %y, %biased, %s : f32
        attn.yield %chosen : f32
      }
    return
  }
}
