// What a backward allocates beside operands and results does not grow with the
// number of rows and keys, but for D, one number a row.
// RUN: attn-run %s --entry=long --json | %python -c "import json, sys; print(json.load(sys.stdin)['peak_extra_bytes'])" > %t.long
// RUN: attn-run %s --entry=short --json | %python -c "import json, sys; print(json.load(sys.stdin)['peak_extra_bytes'])" > %t.short
// RUN: %python -c "a, b = (int(open(f).read()) for f in ('%t.short', '%t.long')); print('blocks only' if 0 < b < 2**20 and b - a < 4 * 16384 + 2**14 else (a, b))" | FileCheck %s
// CHECK: blocks only

// As the model tiles it: under 16 MiB, however many parts of the keys give cores work.
// RUN: attn-run %s --entry=chosen --json | %python -c "import json, sys; n = json.load(sys.stdin)['peak_extra_bytes']; print('small' if 0 < n < 2**24 else n)" | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: small

#t = #attn.tiling<query_block = [64], key_block = [64], order = kv_outer, key_splits = 1>

func.func @short(%q: tensor<1024x64xf32>, %k: tensor<1024x64xf32>, %v: tensor<1024x64xf32>, %o: tensor<1024x64xf32>, %l: tensor<1024xf32>, %do: tensor<1024x64xf32>) -> (tensor<1024x64xf32>, tensor<1024x64xf32>, tensor<1024x64xf32>) {
  %g0 = tensor.empty() : tensor<1024x64xf32>
  %g1 = tensor.empty() : tensor<1024x64xf32>
  %g2 = tensor.empty() : tensor<1024x64xf32>
  %r:3 = attn.attention_backward {scale = 0.125, tiling = #t} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<1024x64xf32>, tensor<1024x64xf32>, tensor<1024x64xf32>)
      forward(%o, %l : tensor<1024x64xf32>, tensor<1024xf32>) grad(%do : tensor<1024x64xf32>)
      outs(%g0, %g1, %g2 : tensor<1024x64xf32>, tensor<1024x64xf32>, tensor<1024x64xf32>)
  return %r#0, %r#1, %r#2 : tensor<1024x64xf32>, tensor<1024x64xf32>, tensor<1024x64xf32>
}

func.func @long(%q: tensor<16384x64xf32>, %k: tensor<16384x64xf32>, %v: tensor<16384x64xf32>, %o: tensor<16384x64xf32>, %l: tensor<16384xf32>, %do: tensor<16384x64xf32>) -> (tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>) {
  %g0 = tensor.empty() : tensor<16384x64xf32>
  %g1 = tensor.empty() : tensor<16384x64xf32>
  %g2 = tensor.empty() : tensor<16384x64xf32>
  %r:3 = attn.attention_backward {scale = 0.125, tiling = #t} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>)
      forward(%o, %l : tensor<16384x64xf32>, tensor<16384xf32>) grad(%do : tensor<16384x64xf32>)
      outs(%g0, %g1, %g2 : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>)
  return %r#0, %r#1, %r#2 : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>
}

func.func @chosen(%q: tensor<16384x64xf32>, %k: tensor<16384x64xf32>, %v: tensor<16384x64xf32>, %o: tensor<16384x64xf32>, %l: tensor<16384xf32>, %do: tensor<16384x64xf32>) -> (tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>) {
  %g0 = tensor.empty() : tensor<16384x64xf32>
  %g1 = tensor.empty() : tensor<16384x64xf32>
  %g2 = tensor.empty() : tensor<16384x64xf32>
  %r:3 = attn.attention_backward {scale = 0.125} maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>)
      forward(%o, %l : tensor<16384x64xf32>, tensor<16384xf32>) grad(%do : tensor<16384x64xf32>)
      outs(%g0, %g1, %g2 : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>)
  return %r#0, %r#1, %r#2 : tensor<16384x64xf32>, tensor<16384x64xf32>, tensor<16384x64xf32>
}
