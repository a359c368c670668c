// RUN: attn-opt %s -split-input-file -attn-lower-to-vector -verify-diagnostics

// expected-error @+1 {{expected attn.target to be a CPU, got the GPU 'a100'}}
module attributes {attn.target = #attn.target<"a100">} {
  func.func @reject_target(%acc: memref<4x8xf32>, %max: memref<4xf32>, %sum: memref<4xf32>, %o: memref<4x8xf32>) {
    attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%acc, %max, %sum : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
      outs(%o : memref<4x8xf32>)
    return
  }
}

// -----

func.func @reject_tensors(%acc: tensor<4x8xf32>, %max: tensor<4xf32>, %sum: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{expected memrefs, got tensors: run one-shot-bufferize before attn-lower-to-vector}}
  %r = attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%acc, %max, %sum : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    outs(%o : tensor<4x8xf32>)
  return %r : tensor<4x8xf32>
}

// -----

module attributes {attn.target = #attn.target<"avx2">} {
  func.func @reject_registers(%q: memref<96x64xf32>, %k: memref<256x64xf32>, %acc: memref<96x64xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
    // expected-error @+1 {{expected a register block that fits 16 vector registers of 8 elements, got mr = 6, nr = 64, which needs 57}}
    attn.online_attention {tiling = #attn.tiling<query_block = 96, key_block = 256, kernel = #attn.cpu<mr = 6, nr = 64>>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %k : memref<96x64xf32>, memref<256x64xf32>, memref<256x64xf32>)
      outs(%acc, %max, %sum : memref<96x64xf32>, memref<96xf32>, memref<96xf32>)
    return
  }
}

// -----

func.func @reject_layout(%q: memref<96x64xf32, affine_map<(i, j) -> (i floordiv 8, j, i mod 8)>>, %k: memref<256x64xf32>, %acc: memref<96x64xf32>, %max: memref<96xf32>, %sum: memref<96xf32>) {
  // expected-error @+1 {{expected memrefs with strided layouts}}
  attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%q, %k, %k : memref<96x64xf32, affine_map<(i, j) -> (i floordiv 8, j, i mod 8)>>, memref<256x64xf32>, memref<256x64xf32>)
    outs(%acc, %max, %sum : memref<96x64xf32>, memref<96xf32>, memref<96xf32>)
  return
}
