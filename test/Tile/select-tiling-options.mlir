// RUN: attn-opt %s -attn-select-tiling="tiling=query_block=16,key_block=100,order=kv_outer" | FileCheck %s --check-prefix=BLOCKS
// RUN: attn-opt %s -attn-select-tiling="tiling='query_block = [2, 16], key_splits = 2, kernel = #attn.cpu<mr = 4, nr = 32>'" | FileCheck %s --check-prefix=ALL
// RUN: attn-opt %s -attn-select-tiling="tiling=query_block=16,key_block=256,key_splits=3" | FileCheck %s --check-prefix=PARTS
// RUN: attn-opt %s -attn-select-tiling="tiling=query_block=16,key_block=512,key_splits=2" | FileCheck %s --check-prefix=CUT
// RUN: not attn-opt %s -attn-select-tiling="tiling=query_blok=16" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not attn-opt %s -attn-select-tiling="tiling=query_block=[1,2,3]" 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not attn-opt %s -attn-select-tiling="tiling=query_block=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not attn-opt %s -attn-select-tiling="atomics=true" 2>&1 | FileCheck %s --check-prefix=ATOMICS

// Sizes for fewer dims than an op has are those of the last; what is not given is
// the model's; there are no more parts than key blocks.

// BLOCKS: query_block = [1, 16], key_block = [100], order = kv_outer, key_splits = 1, kernel = #attn.cpu<mr = 6
// ALL: query_block = [2, 16], key_block = [{{[0-9]+}}], order = q_outer, key_splits = 2, kernel = #attn.cpu<mr = 4, nr = 32>
// PARTS: query_block = [1, 16], key_block = [256], order = q_outer, key_splits = 2,
// CUT-LABEL: func.func @blocks
// CUT: query_block = [1, 16], key_block = [32], order = {{.*}}, key_splits = 2,
// ATOMICS: error: 'attn.attention' op expected a GPU target for atomics, got avx512: a CPU's gradients are summed in one order; leave atomics out
// NAME: select-tiling-options.mlir:[[@LINE+6]]:{{.*}} error: 'attn.attention' op tiling: expected query_block, key_block, order, key_splits or kernel, got 'query_blok'
// RANK: error: 'attn.attention' op expected query_block to have one size for each of the 2 row dims, got 3
// ZERO: error: 'attn.attention' op tiling: expected query_block to be an integer of at least 1, got '0'

module attributes {attn.target = #attn.target<"avx512">} {
  func.func @f(%q: tensor<4x64x64xf32>, %k: tensor<512x64xf32>, %v: tensor<512x64xf32>, %o: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
    %r = attn.attention maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (g, m, d)]
        ins(%q, %k, %v : tensor<4x64x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>) outs(%o : tensor<4x64x64xf32>)
    return %r : tensor<4x64x64xf32>
  }

  // Parts are bounded by the blocks that the mask's elements cut.
  func.func @blocks(%q: tensor<4x64x64xf32>, %k: tensor<512x64xf32>, %v: tensor<512x64xf32>, %b: tensor<4x16xi1>, %o: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
    %r = attn.attention maps = [(g, m, n, k, d) -> (g, m, k), -> (n, k), -> (n, d), -> (m floordiv 16, n floordiv 32), -> (g, m, d)]
        ins(%q, %k, %v : tensor<4x64x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>) blocks(%b : tensor<4x16xi1>) outs(%o : tensor<4x64x64xf32>)
    return %r : tensor<4x64x64xf32>
  }
}
