// RUN: attn-opt %s -attn-to-online -attn-tile -canonicalize -cse | FileCheck %s

// Block-sparse: a tile lies in one block of the mask (of 8 rows and 4 keys here,
// so tiles shrink), its element is read, and what is hidden is not folded. The
// fold itself needs no mask.

// CHECK-LABEL: func @blocks
// CHECK:       scf.forall (%[[M:.+]]) = (0) to (20) step (8)
// CHECK:         scf.for %[[N:.+]] = %{{.+}} to %{{.+}} step %c4
// CHECK:           %[[SEEN:.+]] = tensor.extract %{{.+}}[%{{.+}}, %{{.+}}]
// CHECK-NEXT:      scf.if %[[SEEN]]
// CHECK-NOT:         blocks(
// CHECK:             attn.online_attention
// CHECK-NOT:         blocks(
// CHECK:           } else {
// CHECK-NEXT:        scf.yield
func.func @blocks(%q: tensor<20x32xf32>, %k: tensor<32x32xf32>, %v: tensor<32x16xf32>, %s: tensor<3x8xi1>, %o: tensor<20x16xf32>) -> tensor<20x16xf32> {
  %r = attn.attention {empty_rows = zero, tiling = #attn.tiling<query_block = 16, key_block = 16>}
      maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m floordiv 8, n floordiv 4), -> (m, d)]
      ins(%q, %k, %v : tensor<20x32xf32>, tensor<32x32xf32>, tensor<32x16xf32>) blocks(%s : tensor<3x8xi1>) outs(%o : tensor<20x16xf32>)
  return %r : tensor<20x16xf32>
}
