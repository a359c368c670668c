// REQUIRES: ptxas
// RUN: attn-opt %s --pass-pipeline='builtin.module(attn-lower-to-gpu,canonicalize,cse,attn-gpu-kernels,gpu-module-to-binary{format=isa})' \
// RUN:   | %python %S/Inputs/kernel_text.py > %t.ptx
// RUN: ptxas -v -arch=sm_80 %t.ptx -o %t.cubin 2>&1 | FileCheck %s

// 128 rows by 64 keys, with 32 rows for each warp:
// everything fits into the 255 registers of a thread.
// CHECK-COUNT-2: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: spill

#tiling = #attn.tiling<query_block = [128], key_block = [64], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>>
module attributes {attn.target = #attn.target<"a100">} {
  func.func @depth64(%q: memref<256x64xf16>, %k: memref<512x64xf16>, %v: memref<512x64xf16>, %o: memref<256x64xf16>) {
    attn.attention {scale = 0.125, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : memref<256x64xf16>, memref<512x64xf16>, memref<512x64xf16>)
      outs(%o : memref<256x64xf16>)
    return
  }
  func.func @depth96(%q: memref<256x96xbf16>, %k: memref<512x96xbf16>, %v: memref<512x96xbf16>, %o: memref<256x96xbf16>) {
    attn.attention {scale = 0.1, tiling = #tiling}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : memref<256x96xbf16>, memref<512x96xbf16>, memref<512x96xbf16>)
      outs(%o : memref<256x96xbf16>)
    return
  }
}
