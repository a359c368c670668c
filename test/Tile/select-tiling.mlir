// RUN: attn-opt %s -split-input-file -attn-select-tiling | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-select-tiling -o %t
// RUN: attn-opt %s -split-input-file -attn-select-tiling | diff %t -
// RUN: attn-opt %s -split-input-file -attn-select-tiling -remarks-filter=attn-select-tiling -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// The decisions are facts about kernels that were measured: query blocks of 64 to
// 256 rows, key blocks of 64 to 512 keys, 6 x 4 vectors of 16 lanes.

module attributes {attn.target = #attn.target<"avx512">} {
  // REMARK: [Analysis] tiling | Category:attn-select-tiling | Function=long
  // REMARK-SAME: Target=avx512, Tiling="query_block=
  // CHECK-LABEL: @long
  // CHECK: #attn.tiling<query_block = [{{64|96|128|192|256|512}}], key_block = [{{64|128|256|384|512}}], order = q_outer, key_splits = 1, kernel = #attn.cpu<mr = 6, nr = 64>>
  func.func @long(%q: tensor<8x4096x64xf32>, %k: tensor<8x4096x64xf32>, %v: tensor<8x4096x64xf32>, %o: tensor<8x4096x64xf32>) -> tensor<8x4096x64xf32> {
    %r = attn.attention {scale = 0.125}
        maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
        ins(%q, %k, %v : tensor<8x4096x64xf32>, tensor<8x4096x64xf32>, tensor<8x4096x64xf32>) outs(%o : tensor<8x4096x64xf32>)
    return %r : tensor<8x4096x64xf32>
  }

  // One query, eight tasks: the query heads of a group share a block, the keys
  // stay whole. One task: the keys are split over the cores.

  // CHECK-LABEL: @decode
  // CHECK: query_block = [4, 1], key_block = {{.*}}key_splits = 1, kernel = #attn.cpu<mr = 4
  func.func @decode(%q: tensor<8x4x1x64xf32>, %k: tensor<8x?x64xf32>, %v: tensor<8x?x64xf32>, %o: tensor<8x4x1x64xf32>) -> tensor<8x4x1x64xf32> {
    %r = attn.attention maps = [(h, g, m, n, k, d) -> (h, g, m, k), -> (h, n, k), -> (h, n, d), -> (h, g, m, d)]
        ins(%q, %k, %v : tensor<8x4x1x64xf32>, tensor<8x?x64xf32>, tensor<8x?x64xf32>) outs(%o : tensor<8x4x1x64xf32>)
    return %r : tensor<8x4x1x64xf32>
  }

  // CHECK-LABEL: @split
  // CHECK: query_block = [1], {{.*}}key_splits = {{[2-9]|1[0-9]}},
  func.func @split(%q: tensor<1x128xf32>, %k: tensor<8192x128xf32>, %v: tensor<8192x128xf32>, %o: tensor<1x128xf32>) -> tensor<1x128xf32> {
    %r = attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %k, %v : tensor<1x128xf32>, tensor<8192x128xf32>, tensor<8192x128xf32>) outs(%o : tensor<1x128xf32>)
    return %r : tensor<1x128xf32>
  }

  // A tiling that is there stays; what is larger than a static extent is clamped
  // and the kernel is filled in.

  // CHECK-LABEL: @given
  // CHECK: #attn.tiling<query_block = [5], key_block = [7], order = kv_outer, key_splits = 1, kernel = #attn.cpu<mr = 5, nr = 16>>
  // CHECK: #attn.tiling<query_block = [100000], key_block = [3], order = q_outer, key_splits = 1, kernel = #attn.cpu<mr = 2, nr = 16>>
  func.func @given(%q: tensor<5x8xf32>, %k: tensor<7x8xf32>, %v: tensor<7x8xf32>, %o: tensor<5x8xf32>, %qd: tensor<?x8xf32>, %od: tensor<?x8xf32>) -> (tensor<5x8xf32>, tensor<?x8xf32>) {
    %r = attn.attention {tiling = #attn.tiling<query_block = 64, key_block = 64, order = kv_outer>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %k, %v : tensor<5x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) outs(%o : tensor<5x8xf32>)
    %s = attn.attention {tiling = #attn.tiling<query_block = 100000, key_block = 3, kernel = #attn.cpu<mr = 2, nr = 16>>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%qd, %k, %v : tensor<?x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) outs(%od : tensor<?x8xf32>)
    return %r, %s : tensor<5x8xf32>, tensor<?x8xf32>
  }
}

// -----

// No row dim at all: one row.

// CHECK-LABEL: @no_row
// CHECK: query_block = [], key_block = [
module attributes {attn.target = #attn.target<"avx2">} {
  func.func @no_row(%q: tensor<8xf32>, %k: tensor<64x8xf32>, %v: tensor<64x8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
    %r = attn.attention maps = [(n, k, d) -> (k), -> (n, k), -> (n, d), -> (d)]
        ins(%q, %k, %v : tensor<8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) outs(%o : tensor<8xf32>)
    return %r : tensor<8xf32>
  }
}

// -----

// On a GPU a query block holds its warps' rows, as many as that is.

// CHECK-LABEL: @gpu
// CHECK: query_block = [128], {{.*}}kernel = #attn.gpu<warps = 4, rows_per_warp = 32,
// CHECK: query_block = [64], key_block = [32], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 16,
module attributes {attn.target = #attn.target<"a100">} {
  func.func @gpu(%q: tensor<64x4096x128xf16>, %o: tensor<64x4096x128xf16>, %q1: tensor<3x128xf16>, %k1: tensor<64x128xf16>, %o1: tensor<3x128xf16>) -> (tensor<64x4096x128xf16>, tensor<3x128xf16>) {
    %r = attn.attention maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
        ins(%q, %q, %q : tensor<64x4096x128xf16>, tensor<64x4096x128xf16>, tensor<64x4096x128xf16>) outs(%o : tensor<64x4096x128xf16>)
    %s = attn.attention {tiling = #attn.tiling<query_block = 64, key_block = 32>}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q1, %k1, %k1 : tensor<3x128xf16>, tensor<64x128xf16>, tensor<64x128xf16>) outs(%o1 : tensor<3x128xf16>)
    return %r, %s : tensor<64x4096x128xf16>, tensor<3x128xf16>
  }
}

// -----

// The gradient: key blocks outermost, so that K and V are packed once. One batch
// element: each of the eight cores has a part of the keys.

// CHECK-LABEL: @gradient
// CHECK: attn.attention_backward {{.*}}#attn.tiling<query_block = [{{[0-9]+}}], key_block = [{{[0-9]+}}], order = kv_outer, key_splits = 8, kernel = #attn.cpu<
module attributes {attn.target = #attn.target<"avx512">} {
  func.func @gradient(%q: tensor<512x64xf32>, %l: tensor<512xf32>) -> (tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>) {
    %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %q, %q : tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>)
        forward(%q, %l : tensor<512x64xf32>, tensor<512xf32>) grad(%q : tensor<512x64xf32>)
        outs(%q, %q, %q : tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>)
    return %r#0, %r#1, %r#2 : tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>
  }
}

// -----

// Many rows on a few keys: dK and dV, not dQ, stay in the cache.

// CHECK-LABEL: @few_keys
// CHECK: attn.attention_backward {{.*}}#attn.tiling<query_block = [{{[0-9]+}}], key_block = [8], order = q_outer, key_splits = 1, kernel = #attn.cpu<
module attributes {attn.target = #attn.target<"avx512">} {
  func.func @few_keys(%q: tensor<4000000x8xf32>, %k: tensor<8x8xf32>, %l: tensor<4000000xf32>) -> (tensor<4000000x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
        ins(%q, %k, %k : tensor<4000000x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
        forward(%q, %l : tensor<4000000x8xf32>, tensor<4000000xf32>) grad(%q : tensor<4000000x8xf32>)
        outs(%q, %k, %k : tensor<4000000x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
    return %r#0, %r#1, %r#2 : tensor<4000000x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}
