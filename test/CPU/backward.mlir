// RUN: attn-opt %s -split-input-file -attn-lower-to-vector -canonicalize -cse -o %t
// RUN: FileCheck %s --input-file=%t

// One tile. K and V are packed transposed, once; P and dS are two blocks of rows
// x keys, and the products that need them transposed read them with their strides
// exchanged: there is no third block and no other copy.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @tile(
  // CHECK-COUNT-4: memref.alloc()
  // CHECK-NOT:   memref.alloc()
  // CHECK:       call @[[TK:attn_transpose_[0-9]+]](
  // CHECK:       call @[[TV:attn_transpose_[0-9]+]](
  // CHECK-NOT:   call @attn_transpose
  // dP = dO V^T; then P and dS, from S = Q K^T in registers.
  // CHECK:       call @attn_scores_{{.*}}strided<[64, 1], offset: ?>>, memref<?x?xf32, strided<[144, 1], offset: ?>>, memref<?x?xf32, strided<[144, 1], offset: ?>>
  // CHECK-NOT:   scf.for
  // CHECK:       call @[[POINTS:attn_scores_[0-9]+]]({{.*}}strided<[32, 1], offset: ?>>, memref<?x?xf32, strided<[144, 1], offset: ?>>, memref<?x?xf32, strided<[144, 1], offset: ?>>
  // CHECK-NOT:   call
  // dV = P^T dO and dK = dS^T Q: rows along the unit stride.
  // CHECK:       call @attn_accumulate_{{.*}}memref<?x?xf32, strided<[1, 144], offset: ?>>, memref<?x?xf32, strided<[64, 1], offset: ?>>
  // CHECK:       call @attn_accumulate_{{.*}}memref<?x?xf32, strided<[1, 144], offset: ?>>, memref<?x?xf32, strided<[32, 1], offset: ?>>
  // dQ = dS K.
  // CHECK:       call @attn_accumulate_{{.*}}memref<?x?xf32, strided<[144, 1], offset: ?>>, memref<?x?xf32, strided<[32, 1], offset: ?>>
  // CHECK-NOT:   call
  // CHECK-NOT:   attn.online_backward
  // CHECK:       return

  // A row's numbers are loaded once; two stores for each vector of scores.
  // CHECK:       func.func private @[[POINTS]](
  // CHECK:       scf.for {{.*}} iter_args
  // CHECK:       memref.load {{.*}} : memref<?x?xf32, strided<[1, 1], offset: ?>>
  // CHECK:       vector.fma
  // CHECK:       vector.store {{.*}} strided<[144, 1], offset: ?>>
  // CHECK:       vector.store {{.*}} strided<[144, 1], offset: ?>>
  // CHECK:       return
  func.func @tile(%q: memref<64x32xf32>, %k: memref<128x32xf32>, %v: memref<128x64xf32>, %do: memref<64x64xf32>, %lse: memref<64xf32>, %delta: memref<64xf32>,
                  %dq: memref<64x32xf32>, %dk: memref<128x32xf32>, %dv: memref<128x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x32xf32>, memref<128x32xf32>, memref<128x64xf32>)
      grad(%do : memref<64x64xf32>) rows(%lse, %delta : memref<64xf32>, memref<64xf32>)
      outs(%dq, %dk, %dv : memref<64x32xf32>, memref<128x32xf32>, memref<128x64xf32>)
    return
  }
}

// -----

// Query blocks inside of a loop over key blocks: K and V are packed before the
// inner loop. The stack of a loop's iteration holds no buffer.

module attributes {attn.target = #attn.target<"avx512">} {
  // CHECK-LABEL: func.func @loop(
  // CHECK-NOT:   memref.alloca
  // CHECK:       scf.for
  // CHECK:         call @attn_transpose
  // CHECK:         call @attn_transpose
  // CHECK:         scf.for
  // CHECK-NOT:       call @attn_transpose
  // CHECK:           call @attn_scores
  // CHECK-NOT:     call @attn_transpose
  // CHECK:       return
  func.func @loop(%q: memref<256x64xf32>, %k: memref<256x64xf32>, %v: memref<256x64xf32>, %do: memref<256x64xf32>, %lse: memref<256xf32>, %delta: memref<256xf32>,
                  %dq: memref<256x64xf32>, %dk: memref<256x64xf32>, %dv: memref<256x64xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    scf.for %n = %c0 to %c256 step %c64 {
      %kn = memref.subview %k[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %vn = memref.subview %v[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %dkn = memref.subview %dk[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %dvn = memref.subview %dv[%n, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      scf.for %m = %c0 to %c256 step %c64 {
        %qm = memref.subview %q[%m, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
        %dom = memref.subview %do[%m, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
        %dqm = memref.subview %dq[%m, 0] [64, 64] [1, 1] : memref<256x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
        %l = memref.subview %lse[%m] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
        %d = memref.subview %delta[%m] [64] [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
        attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
          ins(%qm, %kn, %vn : memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>)
          grad(%dom : memref<64x64xf32, strided<[64, 1], offset: ?>>) rows(%l, %d : memref<64xf32, strided<[1], offset: ?>>, memref<64xf32, strided<[1], offset: ?>>)
          outs(%dqm, %dkn, %dvn : memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32, strided<[64, 1], offset: ?>>)
      }
    }
    return
  }
}

// -----

// bf16 operands: sums, scores and probabilities are f32; P is rounded to V's type.

module attributes {attn.target = #attn.target<"avx512", {bf16_dot = 0 : i64}>} {
  // CHECK-LABEL: func.func @narrow(
  // CHECK:       call @attn_accumulate_{{.*}}memref<?x?xf32, strided<[1, {{[0-9]+}}], offset: ?>>
  // CHECK:       arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
  // CHECK-NOT:   vector.fma {{.*}}bf16
  func.func @narrow(%q: memref<64x64xbf16>, %k: memref<64x64xbf16>, %v: memref<64x64xbf16>, %do: memref<64x64xbf16>, %lse: memref<64xf32>, %delta: memref<64xf32>,
                    %dq: memref<64x64xf32>, %dk: memref<64x64xf32>, %dv: memref<64x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>)
      grad(%do : memref<64x64xbf16>) rows(%lse, %delta : memref<64xf32>, memref<64xf32>)
      outs(%dq, %dk, %dv : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
    return
  }
}

// -----

// With dot products of bf16 pairs all operands are pairs along what is summed
// over: Q and dO in place, K and V of depth x keys; P and dS rounded, in pairs of
// rows as the transposed left operands of dV and dK, dS in pairs of keys for dQ.

module attributes {attn.target = #attn.target<"avx512", {bf16_dot = 1 : i64}>} {
  // CHECK-LABEL: func.func @pairs(
  // CHECK:       call @attn_transpose_{{.*}}memref<?x?xbf16, strided<[64, 1], offset: ?>>, memref<?x?xi32
  // CHECK:       call @[[SCORES:attn_scores_[0-9]+]]({{.*}} : (memref<?x?xbf16, strided<[64, 1], offset: ?>>, memref<?x?xi32, strided<[80, 1], offset: ?>>, memref<?x?xf32, strided<[80, 1], offset: ?>>
  // CHECK:       call @attn_copy_{{.*}} : (memref<?x?xf32, strided<[80, 1], offset: ?>>, memref<?x?xi32, strided<[80, 1], offset: ?>>
  // CHECK:       call @attn_copy_{{.*}} : (memref<?x?xf32, strided<[80, 1], offset: ?>>, memref<?x?xi32, strided<[80, 1], offset: ?>>
  // CHECK:       call @[[KEYS:attn_copy_[0-9]+]]({{.*}} : (memref<?x?xf32, strided<[80, 1], offset: ?>>, memref<?x?xi32, strided<[48, 1], offset: ?>>
  // CHECK:       call @[[SUM:attn_accumulate_[0-9]+]]({{.*}} : (memref<?x?xi32, strided<[1, 80], offset: ?>>, memref<?x?xi32
  // CHECK:       call @[[SUM]](
  // CHECK:       call @attn_accumulate_{{.*}} : (memref<?x?xi32, strided<[48, 1], offset: ?>>, memref<?x?xi32
  // CHECK:       func.func private @[[SCORES]](
  // CHECK:       x86vector.avx512.dot
  // CHECK-NOT:   vector.fma
  // CHECK:       return
  // CHECK:       func.func private @[[KEYS]](
  // CHECK:       arith.truncf {{.*}} : vector<32xf32> to vector<32xbf16>
  // CHECK:       vector.bitcast {{.*}} : vector<32xbf16> to vector<16xi32>
  // CHECK:       func.func private @[[SUM]](
  // CHECK:       x86vector.avx512.dot
  // CHECK-NOT:   vector.fma
  // CHECK:       return
  func.func @pairs(%q: memref<64x64xbf16>, %k: memref<64x64xbf16>, %v: memref<64x64xbf16>, %do: memref<64x64xbf16>, %lse: memref<64xf32>, %delta: memref<64xf32>,
                    %dq: memref<64x64xf32>, %dk: memref<64x64xf32>, %dv: memref<64x64xf32>) {
    attn.online_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<64x64xbf16>, memref<64x64xbf16>, memref<64x64xbf16>)
      grad(%do : memref<64x64xbf16>) rows(%lse, %delta : memref<64xf32>, memref<64xf32>)
      outs(%dq, %dk, %dv : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
    return
  }
}
