// RUN: attn-opt %s -attn-to-online -verify-diagnostics

func.func @memrefs(%q: memref<8x32xf32>, %k: memref<9x32xf32>, %v: memref<9x16xf32>, %o: memref<8x16xf32>) {
  // expected-error @below {{expected tensors, got memrefs: run attn-to-online before bufferization}}
  attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : memref<8x32xf32>, memref<9x32xf32>, memref<9x16xf32>) outs(%o : memref<8x16xf32>)
  return
}
