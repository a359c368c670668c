// Every clause, in the custom and the generic form, on tensors and memrefs.
// RUN: attn-opt %s | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s --mlir-print-op-generic | attn-opt | FileCheck %s
// The generic form is stable as well: nothing is lost on the way.
// RUN: attn-opt %s --mlir-print-op-generic > %t.1
// RUN: attn-opt %s | attn-opt --mlir-print-op-generic > %t.2
// RUN: diff %t.1 %t.2

#causal = affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>
#window = affine_set<(b, m, n)[B, M, N, len, w] : (n + w - m >= 0, m - n >= 0, len - n - 1 >= 0)>
#prefix = affine_set<(b, m, n)[B, M, N, len, w] : (w - n - 1 >= 0)>

// CHECK: module attributes {attn.target = #attn.target<"avx512">, other.target = #attn.target<"host", {l2 = 1048576 : i64}>}
module attributes {attn.target = #attn.target<"avx512">, other.target = #attn.target<"host", {l2 = 1048576 : i64}>} {

// Defaults and the identity region are not printed.
// CHECK-LABEL: @plain
// CHECK: attn.attention maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)] ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x64x32xf32>, tensor<8x48x32xf32>, tensor<8x48x16xf32>) outs(%{{.*}} : tensor<8x64x16xf32>){{$}}
func.func @plain(%q: tensor<8x64x32xf32>, %k: tensor<8x48x32xf32>, %v: tensor<8x48x16xf32>, %o: tensor<8x64x16xf32>) -> tensor<8x64x16xf32> {
  %0 = attn.attention {scale = 1.0, hidden = skip, empty_rows = nan}
      maps = [(x, y, z, a, c) -> (x, y, a), -> (x, z, a), -> (x, z, c), -> (x, y, c)]
      ins(%q, %k, %v : tensor<8x64x32xf32>, tensor<8x48x32xf32>, tensor<8x48x16xf32>)
      outs(%o : tensor<8x64x16xf32>)
      score (%s : f32) { attn.yield %s : f32 }
  return %0 : tensor<8x64x16xf32>
}

// Dims are named by role: two batch dims, grouped queries, any layout.
// CHECK-LABEL: @grouped
// CHECK: %{{.*}}:2 = attn.attention {empty_rows = zero, scale = -1.250000e-01, visible = [#[[SET:.*]]]} maps = [(b0, b1, m0, m1, n, k, d) -> (b0, b1, m0, m1, k), -> (b0, n, b1, k), -> (b0, b1, d, n), -> (b0, m1, b1, m0, d), -> (m1, m0, b1, b0)]
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<?x?x3x2x?xbf16>, tensor<?x2x3x?xf32>)
func.func @grouped(%q: tensor<2x3x2x?x16xbf16>, %k: tensor<2x?x3x16xbf16>, %v: tensor<2x3x?x?xbf16>, %o: tensor<?x?x3x2x?xbf16>, %l: tensor<?x2x3x?xf32>) -> tensor<?x?x3x2x?xbf16> {
  %0:2 = attn.attention {scale = -0.125, empty_rows = zero, visible = [affine_set<(b, h, g, m, n)[B, H, G, M, N] : (N - n - 1 + m - M >= 0)>]}
      maps = [(b, h, g, m, n, k, d) -> (b, h, g, m, k), -> (b, n, h, k), -> (b, h, d, n), -> (b, m, h, g, d), -> (m, g, h, b)]
      ins(%q, %k, %v : tensor<2x3x2x?x16xbf16>, tensor<2x?x3x16xbf16>, tensor<2x3x?x?xbf16>)
      outs(%o, %l : tensor<?x?x3x2x?xbf16>, tensor<?x2x3x?xf32>)
  return %0#0 : tensor<?x?x3x2x?xbf16>
}

// Every clause at once.
// CHECK-LABEL: @everything
// CHECK: %[[R:.*]]:2 = attn.attention {hidden = replace(-1.000000e+09), scale = 2.500000e-01
// CHECK-SAME: tiling = #attn.tiling<query_block = [32], key_block = [64], order = kv_outer, key_splits = 2, kernel = #attn.cpu<mr = 6, nr = 64>>
// CHECK-SAME: visible = [#{{.*}}, #{{.*}}]}
// CHECK-SAME: extras(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x1x16xf16>, tensor<3x3xi1>, i64, i64)
// CHECK-SAME: sink(%{{.*}} : tensor<8xf32>) symbols(%{{.*}}, %{{.*}} : tensor<8xi32>, index)
// CHECK-SAME: origin = [0, %{{.*}}, 0, 0, 0] extents = [8, 1024, %{{.*}}, 32, 32]
// CHECK-SAME: score (%{{.*}}: f32, %{{.*}}: f16, %{{.*}}: i1, %[[SEED:.*]]: i64, %[[OFF:.*]]: i64) {
// CHECK-NEXT: %[[I:.*]] = attn.index 2 : index
// CHECK: %[[Z:.*]] = attn.keep %[[SEED]], %[[OFF]] {p = 1.000000e-01 : f64} : f32
// CHECK: attn.yield %{{.*}}, %[[Z]] : f32, f32
func.func @everything(%q: tensor<8x64x32xf16>, %k: tensor<8x64x32xf16>, %v: tensor<8x64x32xf16>, %bias: tensor<8x1x16xf16>, %cyclic: tensor<3x3xi1>, %seed: i64, %offset: i64,
    %sink: tensor<8xf32>, %len: tensor<8xi32>, %w: index, %start: index, %total: index, %o: tensor<8x64x32xf16>, %l: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0:2 = attn.attention {scale = 0.25, hidden = replace(-1.0e9), visible = [#window, #prefix],
                         tiling = #attn.tiling<query_block = 32, key_block = [64], order = kv_outer, key_splits = 2, kernel = #attn.cpu<mr = 6, nr = 64>>}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, 0, n floordiv 4), -> (m mod 3, n mod 3), -> (), -> (), -> (b), -> (b), -> (b, m, d), -> (b, m)]
      ins(%q, %k, %v : tensor<8x64x32xf16>, tensor<8x64x32xf16>, tensor<8x64x32xf16>)
      extras(%bias, %cyclic, %seed, %offset : tensor<8x1x16xf16>, tensor<3x3xi1>, i64, i64)
      sink(%sink : tensor<8xf32>) symbols(%len, %w : tensor<8xi32>, index)
      origin = [0, %start, 0, 0, 0] extents = [8, 1024, %total, 32, 32]
      outs(%o, %l : tensor<8x64x32xf16>, tensor<8x64xf32>)
      score (%s : f32, %b : f16, %c : i1, %x : i64, %y : i64) {
        %n = attn.index 2 : index
        %i = arith.index_cast %n : index to i32
        %f = arith.sitofp %i : i32 to f32
        %e = arith.extf %b : f16 to f32
        %t = math.tanh %s : f32
        %u = arith.mulf %e, %f : f32
        %a = arith.addf %t, %u : f32
        %r = arith.select %c, %a, %t : f32
        %z = attn.keep %x, %y {p = 0.1} : f32
        attn.yield %r, %z : f32, f32
      }
  return %0#1 : tensor<8x64xf32>
}

// CHECK-LABEL: @blocks
// CHECK: attn.attention {visible = []} maps = [{{.*}} -> (b, m floordiv 16, n floordiv 32), -> (b, m, d)] {{.*}} blocks(%{{.*}} : tensor<2x4x2xi1>) outs
func.func @blocks(%q: tensor<2x64x8xf64>, %k: tensor<2x64x8xf64>, %v: tensor<2x64x8xf64>, %blocks: tensor<2x4x2xi1>, %o: tensor<2x64x8xf64>) -> tensor<2x64x8xf64> {
  %0 = attn.attention {visible = []}
      maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m floordiv 16, n floordiv 32), -> (b, m, d)]
      ins(%q, %k, %v : tensor<2x64x8xf64>, tensor<2x64x8xf64>, tensor<2x64x8xf64>)
      blocks(%blocks : tensor<2x4x2xi1>) outs(%o : tensor<2x64x8xf64>)
  return %0 : tensor<2x64x8xf64>
}

// No batch, no depth, no value dim; a dim of size zero; attributes of others.
// CHECK-LABEL: @bare
// CHECK: attn.attention {note = "kept"} maps = [(m, n) -> (m), -> (n), -> (n), -> (m)] ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<0xf32>, tensor<0xf32>)
func.func @bare(%q: tensor<4xf32>, %k: tensor<0xf32>, %v: tensor<0xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = attn.attention {note = "kept"} maps = [(m, n) -> (m), -> (n), -> (n), -> (m)]
      ins(%q, %k, %v : tensor<4xf32>, tensor<0xf32>, tensor<0xf32>) outs(%o : tensor<4xf32>)
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @online
// CHECK: %[[S:.*]]:3 = attn.online_attention {scale = 1.250000e-01, visible = [#{{.*}}]} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
// CHECK-SAME: symbols(%{{.*}} : i32) origin = [%{{.*}}, %{{.*}}, 0, 0] extents = [256, 512, 32, 32] outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
// CHECK: %[[M:.*]]:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%[[S]]#0, %[[S]]#1, %[[S]]#2 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
// CHECK: %{{.*}}:2 = attn.finish {empty_rows = nan_select} maps = [(m, d) -> (m, d), -> (m), -> (d, m), -> (m)] ins(%[[M]]#0, %[[M]]#1, %[[M]]#2 : {{.*}}) outs(%{{.*}}, %{{.*}} : tensor<32x64xf16>, tensor<64xf32>)
func.func @online(%q: tensor<64x32xf16>, %k: tensor<128x32xf16>, %v: tensor<128x32xf16>, %acc: tensor<64x32xf32>, %max: tensor<64xf32>, %sum: tensor<64xf32>,
    %i: index, %j: index, %len: i32, %o: tensor<32x64xf16>, %l: tensor<64xf32>) -> tensor<32x64xf16> {
  %s:3 = attn.online_attention {scale = 0.125, visible = [affine_set<(m, n)[M, N, len] : (len - n - 1 >= 0)>]}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<64x32xf16>, tensor<128x32xf16>, tensor<128x32xf16>) symbols(%len : i32)
      origin = [%i, %j, 0, 0] extents = [256, 512, 32, 32]
      outs(%acc, %max, %sum : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %m:3 = attn.merge maps = [(m, d) -> (m, d), -> (m)]
      ins(%s#0, %s#1, %s#2 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
      outs(%acc, %max, %sum : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
  %0:2 = attn.finish {empty_rows = nan_select} maps = [(m, d) -> (m, d), -> (m), -> (d, m), -> (m)]
      ins(%m#0, %m#1, %m#2 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)
      outs(%o, %l : tensor<32x64xf16>, tensor<64xf32>)
  return %0#0 : tensor<32x64xf16>
}

// On memrefs there are no results.
// CHECK-LABEL: @buffers
// CHECK: attn.online_attention maps = {{.*}} outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
// CHECK-NEXT: attn.merge maps = {{.*}} outs(%{{.*}} : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
// CHECK-NEXT: attn.finish maps = {{.*}} outs(%{{.*}} : memref<4x8xf32>)
// CHECK-NEXT: attn.attention maps = {{.*}} outs(%{{.*}} : memref<4x8xf32>)
func.func @buffers(%q: memref<4x8xf32, strided<[16, 1], offset: ?>>, %k: memref<?x8xf32>, %v: memref<?x8xf32>, %acc: memref<4x8xf32>, %max: memref<4xf32>, %sum: memref<4xf32>, %acc2: memref<4x8xf32>, %max2: memref<4xf32>, %sum2: memref<4xf32>, %o: memref<4x8xf32>) {
  attn.online_attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : memref<4x8xf32, strided<[16, 1], offset: ?>>, memref<?x8xf32>, memref<?x8xf32>)
      outs(%acc, %max, %sum : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
  attn.merge maps = [(m, d) -> (m, d), -> (m)] ins(%acc, %max, %sum : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
      outs(%acc2, %max2, %sum2 : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
  attn.finish maps = [(m, d) -> (m, d), -> (m), -> (m, d)] ins(%acc, %max, %sum : memref<4x8xf32>, memref<4xf32>, memref<4xf32>)
      outs(%o : memref<4x8xf32>)
  attn.attention maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
      ins(%q, %k, %v : memref<4x8xf32, strided<[16, 1], offset: ?>>, memref<?x8xf32>, memref<?x8xf32>) outs(%o : memref<4x8xf32>)
  return
}

// Attributes on their own.
// CHECK-LABEL: @attributes
// CHECK-SAME: a = #attn.hidden<skip>, b = #attn.hidden<replace(-3.4028234699999998E+38)>, c = #attn.empty_rows<zero>
// CHECK-SAME: d = #attn.tiling<query_block = [2, 64], key_block = [64], order = q_outer, key_splits = 1, kernel = #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>>
// CHECK-SAME: e = #attn.tiling<query_block = [], key_block = [64, 2], order = q_outer, key_splits = 1>
func.func private @attributes() attributes {
  a = #attn.hidden<skip>, b = #attn.hidden<replace(-3.40282347E+38)>, c = #attn.empty_rows<zero>,
  d = #attn.tiling<query_block = [2, 64], key_block = 64, kernel = #attn.gpu<warps = 4, rows_per_warp = 32, stages = 1>>,
  e = #attn.tiling<key_block = [64, 2], query_block = []>}
}
