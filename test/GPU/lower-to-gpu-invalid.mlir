// RUN: attn-opt %s --split-input-file --attn-lower-to-gpu --verify-diagnostics

#tiling = #attn.tiling<query_block = [64], key_block = [32], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>
module attributes {attn.target = #attn.target<"avx512">} {
  func.func @cpu(%q: memref<64x32xf16>, %o: memref<64x32xf16>) {
    // expected-error @below {{expected a GPU as attn.target, got 'avx512'}}
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : memref<64x32xf16>, memref<64x32xf16>, memref<64x32xf16>)
      outs(%o : memref<64x32xf16>)
    return
  }
}

// -----

module attributes {attn.target = #attn.target<"a100">} {
  func.func @untiled(%q: memref<64x32xf16>, %o: memref<64x32xf16>) {
    // expected-error @below {{expected a tiling: run attn-select-tiling first}}
    attn.attention {scale = 0.125}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : memref<64x32xf16>, memref<64x32xf16>, memref<64x32xf16>)
      outs(%o : memref<64x32xf16>)
    return
  }
}

// -----

#tiling = #attn.tiling<query_block = [64], key_block = [32], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>
module attributes {attn.target = #attn.target<"a100">} {
  func.func @f64(%q: memref<64x32xf64>, %o: memref<64x32xf64>) {
    // expected-error @below {{expected Q, K and V of type f16, bf16 or f32 on a GPU, got 'f64'}}
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : memref<64x32xf64>, memref<64x32xf64>, memref<64x32xf64>)
      outs(%o : memref<64x32xf64>)
    return
  }
}

// -----

#tiling = #attn.tiling<query_block = [64], key_block = [32], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>
module attributes {attn.target = #attn.target<"a100">} {
  func.func @wide(%q: memref<64x512xf16>, %o: memref<64x512xf16>) {
    // expected-error @below {{expected at most 256 elements of depth per head on a GPU, got 512}}
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : memref<64x512xf16>, memref<64x512xf16>, memref<64x512xf16>)
      outs(%o : memref<64x512xf16>)
    return
  }
}

// -----

#tiling = #attn.tiling<query_block = [64], key_block = [24], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 1>>
module attributes {attn.target = #attn.target<"a100">} {
  func.func @odd_block(%q: memref<64x32xf16>, %o: memref<64x32xf16>) {
    // expected-error @below {{to be multiples of 16, got 16 and 24}}
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %q, %q : memref<64x32xf16>, memref<64x32xf16>, memref<64x32xf16>)
      outs(%o : memref<64x32xf16>)
    return
  }
}
