// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s

// With split_tiles, f32 goes by the matrix unit in three bf16 parts: those of K
// lie beside each other, those of Q below each other, those of V^T in each panel.

module attributes {attn.target = #attn.target<"sapphirerapids", {split_tiles = 1 : i64}>} {
  // CHECK-LABEL: func.func @single(
  // P, keys in pairs: 3 x 128 x 64 rows (an odd number of lines).
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<384x80xi32>
  // V^T: 3 x 64 values of 8 panels, and two to spare.
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<1920x16xi32>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<256x192xbf16>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<96x144xi32>
  // CHECK: call @attn_tile_scores
  // CHECK: call @attn_softmax
  // CHECK: call @attn_tile_accumulate
  func.func @single(%q: memref<96x64xf32>, %k: memref<256x64xf32>, %v: memref<256x64xf32>,
                    %acc: memref<64x96xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d, m), -> (m)]
      ins(%q, %k, %v : memref<96x64xf32>, memref<256x64xf32>, memref<256x64xf32>)
      outs(%acc, %max, %sum : memref<64x96xf32>, memref<96xf32>, memref<96xf32>)
    return
  }

  // Two steps along the depth, each of six terms of four products; tiles that
  // the next term shares are not loaded again.
  // CHECK: func.func private @attn_tile_scores
  // CHECK-COUNT-4: amx.tile_zero
  // CHECK-COUNT-28: amx.tile_load
  // CHECK-NOT: amx.tile_load
  // CHECK: amx.tile_store
  // CHECK: func.func private @attn_tile_accumulate
  // CHECK-COUNT-24: amx.tile_mulf {{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  // CHECK-NOT: amx.tile_mulf
  // CHECK: amx.tile_store
}

// -----

// f16: four terms, and P, which is at most 1, in two parts; with a weight in
// three, like operands.

module attributes {attn.target = #attn.target<"sapphirerapids", {split_tiles = 1 : i64}>} {
  // CHECK-LABEL: func.func @half(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<64x80xi32>
  // CHECK: call @attn_tile_accumulate
  // CHECK: func.func private @attn_tile_accumulate
  // CHECK-COUNT-16: amx.tile_mulf
  // CHECK-NOT: amx.tile_mulf
  // CHECK: amx.tile_store
  func.func @half(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>,
                  %acc: memref<32x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d, m), -> (m)]
      ins(%q, %k, %v : memref<64x32xf16>, memref<64x32xf16>, memref<64x32xf16>)
      outs(%acc, %max, %sum : memref<32x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

module attributes {attn.target = #attn.target<"sapphirerapids", {split_tiles = 1 : i64}>} {
  // CHECK-LABEL: func.func @weighted(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<96x80xi32>
  // CHECK: call @attn_tile_accumulate
  func.func @weighted(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>,
                      %acc: memref<32x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d, m), -> (m)]
      ins(%q, %k, %v : memref<64x32xf16>, memref<64x32xf16>, memref<64x32xf16>)
      outs(%acc, %max, %sum : memref<32x64xf32>, memref<64xf32>, memref<64xf32>)
      score (%s: f32) { attn.yield %s, %s : f32, f32 }
    return
  }
}

// -----

// What is left of a depth, no more than half a step, shares steps: of two parts
// and six terms twelve steps of four products and three for the ends, instead
// of 18. K's ends lie behind its parts, in the places of three more, Q's too.

module attributes {attn.target = #attn.target<"sapphirerapids", {split_tiles = 1 : i64}>} {
  // CHECK-LABEL: func.func @ends(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<64x288xbf16>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<144x80xi32>
  // CHECK: call @attn_tile_scores
  // CHECK: func.func private @attn_tile_scores
  // CHECK-COUNT-60: amx.tile_mulf
  // CHECK-NOT: amx.tile_mulf
  // CHECK: amx.tile_store
  func.func @ends(%q: memref<64x72xf32>, %k: memref<64x72xf32>, %v: memref<64x32xf32>,
                  %acc: memref<32x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d, m), -> (m)]
      ins(%q, %k, %v : memref<64x72xf32>, memref<64x72xf32>, memref<64x32xf32>)
      outs(%acc, %max, %sum : memref<32x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

// Not in parts: f64, operands of different types, few rows, and a target that
// does not say so.

module attributes {attn.target = #attn.target<"sapphirerapids", {split_tiles = 1 : i64}>} {
  // CHECK-LABEL: func.func @double(
  // CHECK-NOT: attn_tile
  // CHECK-LABEL: func.func @mixed(
  // CHECK-NOT: attn_tile
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT: attn_tile
  func.func @double(%q: memref<64x64xf64>, %k: memref<64x64xf64>, %v: memref<64x64xf64>,
                    %acc: memref<64x64xf64>, %max: memref<64xf64>, %sum: memref<64xf64>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf64>, memref<64x64xf64>, memref<64x64xf64>)
      outs(%acc, %max, %sum : memref<64x64xf64>, memref<64xf64>, memref<64xf64>)
    return
  }
  func.func @mixed(%q: memref<64x64xf32>, %k: memref<64x64xbf16>, %v: memref<64x64xf32>,
                   %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<64x64xbf16>, memref<64x64xf32>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
  func.func @few(%q: memref<8x64xf32>, %k: memref<64x64xf32>, %v: memref<64x64xf32>,
                 %acc: memref<8x64xf32>, %max: memref<8xf32>, %sum: memref<8xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<8x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      outs(%acc, %max, %sum : memref<8x64xf32>, memref<8xf32>, memref<8xf32>)
    return
  }
}

// -----

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @off(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @off(%q: memref<64x64xf32>, %k: memref<64x64xf32>, %v: memref<64x64xf32>,
                 %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}
