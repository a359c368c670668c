// RUN: attn-opt %s -split-input-file -attn-select-tiling -verify-diagnostics

module attributes {attn.target = #attn.target<"avx512">} {
  func.func @reject_registers(%q: tensor<64x8xf32>, %o: tensor<64x8xf32>) -> tensor<64x8xf32> {
    // expected-error @+1 {{tiling does not fit avx512: it needs 53 of vector registers, there are 32}}
    %r = attn.attention {tiling = #attn.tiling<query_block = 64, key_block = 64, kernel = #attn.cpu<mr = 12, nr = 64>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) outs(%o : tensor<64x8xf32>)
    return %r : tensor<64x8xf32>
  }
}

// -----

module attributes {attn.target = #attn.target<"a100">} {
  func.func @reject_shared(%q: tensor<64x256xf16>, %o: tensor<64x256xf16>) -> tensor<64x256xf16> {
    // expected-error @+1 {{tiling does not fit a100: it needs 557056 bytes of shared memory, there are 166912}}
    %r = attn.attention {tiling = #attn.tiling<query_block = 64, key_block = 128, kernel = #attn.gpu<warps = 4, rows_per_warp = 16, stages = 4>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>) outs(%o : tensor<64x256xf16>)
    return %r : tensor<64x256xf16>
  }
}

// -----

module attributes {attn.target = #attn.target<"a100">} {
  func.func @reject_kind(%q: tensor<64x64xf16>, %o: tensor<64x64xf16>) -> tensor<64x64xf16> {
    // expected-error @+1 {{expected a gpu kernel for target a100}}
    %r = attn.attention {tiling = #attn.tiling<query_block = 64, key_block = 64, kernel = #attn.cpu<mr = 6, nr = 64>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) outs(%o : tensor<64x64xf16>)
    return %r : tensor<64x64xf16>
  }
}

// -----

module attributes {attn.target = #attn.target<"a100">} {
  func.func @reject_no_kernel(%q: tensor<64x64xf16>, %o: tensor<64x64xf16>) -> tensor<64x64xf16> {
    // expected-error @+1 {{no kernel of target a100 holds a query_block of 48 rows and a key_block of 64 keys: give kernel=gpu<..> or other blocks}}
    %r = attn.attention {tiling = #attn.tiling<query_block = 48, key_block = 64>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) outs(%o : tensor<64x64xf16>)
    return %r : tensor<64x64xf16>
  }
}

// -----

// No tiling of the grid fits: what the nearest needs.

module attributes {attn.target = #attn.target<"a100">} {
  func.func @reject_all(%q: tensor<64x4096xf16>, %o: tensor<64x4096xf16>) -> tensor<64x4096xf16> {
    // expected-error @+1 {{no tiling fits target a100: the nearest, query_block=}}
    %r = attn.attention
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x4096xf16>, tensor<64x4096xf16>, tensor<64x4096xf16>) outs(%o : tensor<64x4096xf16>)
    return %r : tensor<64x4096xf16>
  }
}

// -----

// expected-error @+1 {{attn.target: expected a target among host, avx512, sapphirerapids, avx2, neon, a100}}
module attributes {attn.target = #attn.target<"a1000">} {
  func.func @reject_name(%q: tensor<64x64xf16>, %o: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %r = attn.attention
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) outs(%o : tensor<64x64xf16>)
    return %r : tensor<64x64xf16>
  }
}

// -----

// expected-error @+1 {{attn.target: expected a field among name, base, source, cores,}}
module attributes {attn.target = #attn.target<"avx512", {l1 = 4096}>} {
  func.func @reject_property(%q: tensor<64x64xf16>, %o: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %r = attn.attention
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) outs(%o : tensor<64x64xf16>)
    return %r : tensor<64x64xf16>
  }
}

// -----

// Blocks for extents that are not known are held against memory.
module attributes {attn.target = #attn.target<"avx512">} {
  func.func @reject_scratch(%q: tensor<?x64xf32>, %o: tensor<?x64xf32>) -> tensor<?x64xf32> {
    // expected-error @+1 {{tiling does not fit avx512: a query_block of 1000000000 rows and a key_block of 64 keys need 512000049152 bytes of scratch memory for each thread, at most 1073741824 are used}}
    %r = attn.attention {tiling = #attn.tiling<query_block = 1000000000, key_block = 64, kernel = #attn.cpu<mr = 6, nr = 64>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %q, %q : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) outs(%o : tensor<?x64xf32>)
    return %r : tensor<?x64xf32>
  }
}
