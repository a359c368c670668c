// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s --check-prefix=UNIT

// A matrix unit makes the five products of bf16. Rows are lanes: K and V are read
// where they are; of Q, dO, P, dS and K nothing of rows x keys is transposed. P is
// written once, dS twice.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @tile(
  // CHECK-DAG: llvm.inline_asm has_side_effects {{.*}} "syscall"
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<128x96xbf16>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<64x80xi32>
  // K^T, in pairs of keys.
  // CHECK:     call @attn_transpose_{{.*}}memref<?x?xbf16, strided<[32, 1], offset: ?>>, memref<?x?xi32, strided<[80, 1], offset: ?>>
  // S^T = K Q^T and dP^T = V dO^T, then P and dS, and dS in pairs of keys.
  // CHECK:     scf.for
  // CHECK:     scf.for
  // CHECK:       call @[[S:attn_tile_multiply_[0-9]+]]({{.*}}memref<?x?xbf16, strided<[32, 1], offset: ?>>
  // CHECK:       call @[[DP:attn_tile_multiply_[0-9]+]]({{.*}}memref<?x?xbf16, strided<[64, 1], offset: ?>>
  // CHECK:       call @[[POINTS:attn_tile_points_[0-9]+]](
  // CHECK:       call @attn_copy_{{.*}}memref<?x?xbf16, strided<[96, 1], offset: ?>>, memref<?x?xi32, strided<[80, 1], offset: ?>>
  // CHECK-NOT: call @attn_copy
  // dV and dK where they are, from P and dS as they lie.
  // CHECK:     call @[[DV:attn_tile_multiply_[0-9]+]]({{.*}}memref<?x?xbf16, strided<[96, 1], offset: ?>>, {{.*}}memref<?x?xf32, strided<[64, 1], offset: ?>>
  // CHECK:     call @[[DK:attn_tile_multiply_[0-9]+]]({{.*}}memref<?x?xbf16, strided<[96, 1], offset: ?>>, {{.*}}memref<?x?xf32, strided<[32, 1], offset: ?>>
  // dQ^T, added to dQ.
  // CHECK:     call @[[DQ:attn_tile_multiply_[0-9]+]]({{.*}}memref<?x?xi32, strided<[80, 1], offset: ?>>, memref<?x?xi32
  // CHECK:     call @attn_transpose_{{.*}}memref<?x?xf32, strided<[80, 1], offset: ?>>, memref<?x?xf32, strided<[32, 1], offset: ?>>
  // CHECK-NOT: call
  // CHECK:     return
  func.func @tile(%q: memref<64x32xbf16>, %k: memref<128x32xbf16>, %v: memref<128x64xbf16>, %do: memref<64x64xbf16>, %lse: memref<64xf32>, %delta: memref<64xf32>,
                  %dq: memref<64x32xf32>, %dk: memref<128x32xf32>, %dv: memref<128x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x32xbf16>, memref<128x32xbf16>, memref<128x64xbf16>)
      grad(%do : memref<64x64xbf16>) rows(%lse, %delta : memref<64xf32>, memref<64xf32>)
      outs(%dq, %dk, %dv : memref<64x32xf32>, memref<128x32xf32>, memref<128x64xf32>)
    return
  }

  // One step along the depth of 32, on four tiles of sums, from 0; two steps along
  // the values; gradients of keys start from what is there.
  // UNIT: func.func private @attn_tile_multiply
  // UNIT-COUNT-4: amx.tile_zero : !amx.tile<16x16xf32>
  // UNIT-COUNT-4: amx.tile_mulf {{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  // UNIT-NOT: amx.tile_mulf
  // UNIT-COUNT-4: amx.tile_store
  // UNIT: func.func private @attn_tile_multiply
  // UNIT-COUNT-8: amx.tile_mulf
  // UNIT-NOT: amx.tile_mulf
  // UNIT: func.func private @attn_tile_multiply
  // UNIT-COUNT-4: amx.tile_load {{.*}} : memref<?x?xf32, {{.*}} into !amx.tile<16x16xf32>
  // UNIT: iter_args({{.*}}) -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
}

// -----

// Query blocks inside of a loop over key blocks: K^T is packed before the inner
// loop.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @loop(
  // CHECK:       scf.for
  // CHECK:         call @attn_transpose
  // CHECK:         scf.for
  // CHECK:           call @attn_tile_multiply
  // CHECK:       return
  func.func @loop(%q: memref<256x64xbf16>, %k: memref<256x64xbf16>, %v: memref<256x64xbf16>, %do: memref<256x64xbf16>, %lse: memref<256xf32>, %delta: memref<256xf32>,
                  %dq: memref<256x64xf32>, %dk: memref<256x64xf32>, %dv: memref<256x64xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    scf.for %n = %c0 to %c256 step %c64 {
      %kn = memref.subview %k[%n, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %vn = memref.subview %v[%n, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
      %dkn = memref.subview %dk[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %dvn = memref.subview %dv[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      scf.for %m = %c0 to %c256 step %c64 {
        %qm = memref.subview %q[%m, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
        %dom = memref.subview %do[%m, 0] [64, 64] [1, 1] : memref<256x64xbf16> to memref<64x64xbf16, strided<[64, 1], offset: ?>>
        %dqm = memref.subview %dq[%m, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
        %l = memref.subview %lse[%m] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
        %d = memref.subview %delta[%m] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
        attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
          ins(%qm, %kn, %vn : memref<64x64xbf16, strided<[64, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>, memref<64x64xbf16, strided<[64, 1], offset: ?>>)
          grad(%dom : memref<64x64xbf16, strided<[64, 1], offset: ?>>) rows(%l, %d : memref<64xf32, strided<[1], offset: ?>>, memref<64xf32, strided<[1], offset: ?>>)
          outs(%dqm, %dkn, %dvn : memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>)
      }
    }
    return
  }
}

// -----

// Ragged sizes: K and V are padded along the depth, what lies beside the last row
// and key is cleared, and dK and dV are added from a buffer. A causal mask: parts
// with the mask's code, without it, and those of which nothing is computed.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @ragged(
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<96x32xbf16>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<96x16xf32>
  // CHECK:     vector.reduction <and>
  // CHECK:     scf.if
  // CHECK-NOT:   attn_tile_multiply
  // CHECK:     } else {
  // CHECK:       scf.if
  // CHECK:         call @attn_tile_multiply
  // CHECK:         call @attn_tile_points
  // CHECK:       } else {
  // CHECK:         call @attn_tile_multiply
  // CHECK:         arith.select
  // CHECK-NOT:     call @attn_tile_points
  // CHECK:     return
  func.func @ragged(%q: memref<77x20xbf16>, %k: memref<95x20xbf16>, %v: memref<95x13xbf16>, %do: memref<77x13xbf16>, %lse: memref<77xf32>, %delta: memref<77xf32>,
                    %dq: memref<77x20xf32>, %dk: memref<95x20xf32>, %dv: memref<95x13xf32>) {
    attn.online_backward {scale = 0.125, visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<77x20xbf16>, memref<95x20xbf16>, memref<95x13xbf16>)
      grad(%do : memref<77x13xbf16>) rows(%lse, %delta : memref<77xf32>, memref<77xf32>)
      outs(%dq, %dk, %dv : memref<77x20xf32>, memref<95x20xf32>, memref<95x13xf32>)
    return
  }
}

// -----

// By multiply-adds: few rows or keys, another type, a target without the unit.

module attributes {attn.target = #attn.target<"sapphirerapids">} {
  // CHECK-LABEL: func.func @few(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @few(%q: memref<8x64xbf16>, %k: memref<128x64xbf16>, %v: memref<128x64xbf16>, %do: memref<8x64xbf16>, %lse: memref<8xf32>, %delta: memref<8xf32>,
                 %dq: memref<8x64xf32>, %dk: memref<128x64xf32>, %dv: memref<128x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<8x64xbf16>, memref<128x64xbf16>, memref<128x64xbf16>)
      grad(%do : memref<8x64xbf16>) rows(%lse, %delta : memref<8xf32>, memref<8xf32>)
      outs(%dq, %dk, %dv : memref<8x64xf32>, memref<128x64xf32>, memref<128x64xf32>)
    return
  }
  // CHECK-LABEL: func.func @mixed(
  // CHECK-NOT: attn_tile
  // CHECK: return
  func.func @mixed(%q: memref<64x64xbf16>, %k: memref<64x64xbf16>, %v: memref<64x64xbf16>, %do: memref<64x64xf32>, %lse: memref<64xf32>, %delta: memref<64xf32>,
                   %dq: memref<64x64xf32>, %dk: memref<64x64xf32>, %dv: memref<64x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>)
      grad(%do : memref<64x64xf32>) rows(%lse, %delta : memref<64xf32>, memref<64xf32>)
      outs(%dq, %dk, %dv : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
    return
  }
}
