// The backward of an attention, of any sizes; gradients over the operands.
func.func @main(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %o: tensor<?x?xf32>, %l: tensor<?xf32>, %do: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %r:3 = attn.attention_backward maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
      ins(%q, %k, %v : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      forward(%o, %l : tensor<?x?xf32>, tensor<?xf32>) grad(%do : tensor<?x?xf32>)
      outs(%q, %k, %v : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
  return %r#0, %r#1, %r#2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
