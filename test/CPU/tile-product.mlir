// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s --check-prefix=UNIT

// A matrix unit makes both products of bf16: K is read where it is, V^T lies in
// panels of 32 keys (and two to spare), acc is values x rows.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @tile(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<640x16xi32>
  // CHECK-DAG: llvm.inline_asm has_side_effects {{.*}} "syscall"
  // CHECK-DAG: cf.assert {{.*}}, "the system does not let this process use AMX tiles
  // CHECK: call @[[SCORES:attn_tile_scores_[0-9]+]]({{.*}}memref<?x?xbf16, strided<[64, 1], offset: ?>>
  // CHECK: call @[[SOFTMAX:attn_softmax_[0-9]+]](
  // CHECK-NOT: attn_tile_edges
  // CHECK: call @[[SUMS:attn_tile_accumulate_[0-9]+]](
  func.func @tile(%q: memref<96x64xbf16>, %k: memref<256x64xbf16>, %v: memref<256x64xbf16>,
                  %acc: memref<64x96xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (d, m), -> (m)]
      ins(%q, %k, %v : memref<96x64xbf16>, memref<256x64xbf16>, memref<256x64xbf16>)
      outs(%acc, %max, %sum : memref<64x96xf32>, memref<96xf32>, memref<96xf32>)
    return
  }

  // Two steps along the depth, each four products on four tiles of sums.
  // UNIT: func.func private @attn_tile_scores
  // UNIT-COUNT-4: amx.tile_zero : !amx.tile<16x16xf32>
  // UNIT-COUNT-8: amx.tile_mulf {{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  // UNIT-NOT: amx.tile_mulf
  // UNIT-COUNT-4: amx.tile_store
  // UNIT: func.func private @attn_tile_accumulate
  // UNIT: iter_args({{.*}}) -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
}

// -----

// Sizes that are no multiples of tiles: K is packed too, with zeros along the
// depth, and what lies beside the last key is cleared.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @ragged(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<64x32xbf16>
  // CHECK: call @attn_tile_scores
  // CHECK: call @attn_tile_edges
  // CHECK: call @attn_tile_accumulate
  func.func @ragged(%q: memref<19x7xbf16>, %k: memref<37x7xbf16>, %v: memref<37x5xbf16>,
                    %acc: memref<19x5xf32>, %max: memref<19xf32>, %sum: memref<19xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<19x7xbf16>, memref<37x7xbf16>, memref<37x5xbf16>)
      outs(%acc, %max, %sum : memref<19x5xf32>, memref<19xf32>, memref<19xf32>)
    return
  }
}

// -----

// Not by the unit: few rows, other types, a target without it.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @few(%q: memref<8x64xbf16>, %k: memref<64x64xbf16>, %v: memref<64x64xbf16>,
                 %acc: memref<8x64xf32>, %max: memref<8xf32>, %sum: memref<8xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<8x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>)
      outs(%acc, %max, %sum : memref<8x64xf32>, memref<8xf32>, memref<8xf32>)
    return
  }

  // CHECK-LABEL: func.func @half(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @half(%q: memref<64x64xf16>, %k: memref<64x64xf16>, %v: memref<64x64xf16>,
                  %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xf16>, memref<64x64xf16>, memref<64x64xf16>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}

// -----

module attributes {attn.target = #attn.target<"sapphirerapids", {bf16_tiles = 0 : i64}>} {
  // CHECK-LABEL: func.func @off(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @off(%q: memref<64x64xbf16>, %k: memref<64x64xbf16>, %v: memref<64x64xbf16>,
                 %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>)
      outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    return
  }
}
