// Gradients are the same, bit for bit, whatever the number of threads: grouped
// heads, ragged sizes, two parts of the keys.
// REQUIRES: numpy
// RUN: attn-run %s --threads=1 --save=%t.1.npz
// RUN: attn-run %s --threads=2 --save=%t.2.npz
// RUN: attn-run %s --threads=3 --save=%t.3.npz
// RUN: %python -c "import sys, numpy as np; a, *rest = [np.load(p) for p in sys.argv[1:]]; print('same' if all((a[k].view(np.uint8) == r[k].view(np.uint8)).all() for r in rest for k in a.files) and len(a.files) == 3 and all(np.abs(a[k]).max() > 0 for k in a.files) else 'different')" %t.1.npz %t.2.npz %t.3.npz | FileCheck %s
// CHECK: same

func.func @main(%q: tensor<2x3x201x16xf32>, %k: tensor<2x333x16xf32>, %v: tensor<2x333x24xf32>, %o: tensor<2x3x201x24xf32>, %l: tensor<2x3x201xf32>, %do: tensor<2x3x201x24xf32>) -> (tensor<2x3x201x16xf32>, tensor<2x333x16xf32>, tensor<2x333x24xf32>) {
  %dq0 = tensor.empty() : tensor<2x3x201x16xf32>
  %dk0 = tensor.empty() : tensor<2x333x16xf32>
  %dv0 = tensor.empty() : tensor<2x333x24xf32>
  %r:3 = attn.attention_backward {scale = 0.25, empty_rows = zero, visible = [affine_set<(h, g, m, n)[H, G, M, N] : (m - n + 140 >= 0)>],
        tiling = #attn.tiling<query_block = [1, 32], key_block = [64], order = kv_outer, key_splits = 2>}
      maps = [(h, g, m, n, k, d) -> (h, g, m, k), -> (h, n, k), -> (h, n, d), -> (h, g, m, d), -> (h, g, m)]
      ins(%q, %k, %v : tensor<2x3x201x16xf32>, tensor<2x333x16xf32>, tensor<2x333x24xf32>)
      forward(%o, %l : tensor<2x3x201x24xf32>, tensor<2x3x201xf32>) grad(%do : tensor<2x3x201x24xf32>)
      outs(%dq0, %dk0, %dv0 : tensor<2x3x201x16xf32>, tensor<2x333x16xf32>, tensor<2x333x24xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x3x201x16xf32>, tensor<2x333x16xf32>, tensor<2x333x24xf32>
}
