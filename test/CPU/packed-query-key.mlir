// What two ops in a loop share of packed operands is laid out alike for both.
// RUN: attn-opt %s -split-input-file -attn-lower-to-vector | FileCheck %s

// Pairs of 40 along the depth are 20 for the dot product and 32 for the tiles of
// the matrix unit.
module attributes {attn.target = #attn.target<"sapphirerapids", {bf16_dot = 1 : i64}>} {
  // CHECK-LABEL: func.func @dots_and_tiles
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<20x80xi32>
  // CHECK-DAG: memref.alloc() {alignment = 64 : i64} : memref<32x80xi32>
  // CHECK: scf.for
  func.func @dots_and_tiles(%q: memref<64x40xbf16>, %k: memref<1024x40xbf16>, %v: memref<1024x64xbf16>, %w: memref<1024x64xf32>,
                            %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c128 {
      %ki = memref.subview %k[%i, 0] [128, 40] [1, 1] : memref<1024x40xbf16> to memref<128x40xbf16, strided<[40, 1], offset: ?>>
      %vi = memref.subview %v[%i, 0] [128, 64] [1, 1] : memref<1024x64xbf16> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
      %wi = memref.subview %w[%i, 0] [128, 64] [1, 1] : memref<1024x64xf32> to memref<128x64xf32, strided<[64, 1], offset: ?>>
      attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %ki, %wi : memref<64x40xbf16>, memref<128x40xbf16, strided<[40, 1], offset: ?>>, memref<128x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
      attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %ki, %vi : memref<64x40xbf16>, memref<128x40xbf16, strided<[40, 1], offset: ?>>, memref<128x64xbf16, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    }
    return
  }
}

// -----

// Q's columns are the rows of the second op.
module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @both_ways
  // CHECK: call @attn_transpose
  // CHECK: call @attn_transpose
  // CHECK: scf.for
  // CHECK: return
  func.func @both_ways(%q: memref<64x64xf32>, %k: memref<1024x64xf32>, %v: memref<1024x64xf32>,
                       %acc: memref<64x64xf32>, %max: memref<64xf32>, %sum: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c256 {
      %ki = memref.subview %k[%i, 0] [256, 64] [1, 1] : memref<1024x64xf32> to memref<256x64xf32, strided<[64, 1], offset: ?>>
      %vi = memref.subview %v[%i, 0] [256, 64] [1, 1] : memref<1024x64xf32> to memref<256x64xf32, strided<[64, 1], offset: ?>>
      attn.online_attention {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %ki, %vi : memref<64x64xf32>, memref<256x64xf32, strided<[64, 1], offset: ?>>, memref<256x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
      attn.online_attention {scale = 0.125} maps = [(k, n, m, d) -> (k, m), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %ki, %vi : memref<64x64xf32>, memref<256x64xf32, strided<[64, 1], offset: ?>>, memref<256x64xf32, strided<[64, 1], offset: ?>>)
        outs(%acc, %max, %sum : memref<64x64xf32>, memref<64xf32>, memref<64xf32>)
    }
    return
  }
}
