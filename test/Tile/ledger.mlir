// RUN: attn-compile %s --emit=ledger --target=a100 --tiling=query_block=64,key_block=64,kernel='#attn.gpu<warps=4,rows_per_warp=16,stages=1>' | FileCheck %s
// RUN: attn-run %s --tiling=query_block=64,key_block=64 --json | FileCheck %s --check-prefix=JSON

// 136 of 256 blocks; K once per visited block; LSE is not asked for.

// CHECK: "accounting": "q_outer"
// CHECK: "assumed": false
// CHECK: "blocks": {
// CHECK-NEXT: "at_most": false,
// CHECK-NEXT: "total": 256,
// CHECK-NEXT: "visited": 136
// CHECK: "elements": 622592,
// CHECK: "flops": 71303168,
// CHECK: "footprint": {
// CHECK: "shared memory": {
// CHECK-NEXT: "limit": 166912,
// CHECK-NEXT: "used": 12288
// CHECK: "loc": "{{.*}}ledger.mlir:[[@LINE+18]]:
// CHECK: "K": {
// CHECK-NEXT: "read": 278528,
// CHECK-NOT: "LSE"
// CHECK: "target": "a100"

// JSON: "ledger": {
// JSON: "accounting": "q_outer"
// JSON: "elements": 622592,
// JSON: "operands": {
// JSON: "K": {
// JSON: "O": {
// JSON: "Q": {
// JSON: "V": {
// JSON: "target": "host"

module {
  func.func @main(%q: tensor<1024x32xf16>, %k: tensor<1024x32xf16>, %v: tensor<1024x32xf16>, %o: tensor<1024x32xf16>) -> tensor<1024x32xf16> {
    %r = attn.attention {visible = [affine_set<(m, n)[M, N] : (m - n >= 0)>]}
        maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
        ins(%q, %k, %v : tensor<1024x32xf16>, tensor<1024x32xf16>, tensor<1024x32xf16>) outs(%o : tensor<1024x32xf16>)
    return %r : tensor<1024x32xf16>
  }
}
