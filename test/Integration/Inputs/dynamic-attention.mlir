func.func @main(%q: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>, %v: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%d0 = tensor.dim %q, %c0 : tensor<?x?x?xf32>
%d1 = tensor.dim %q, %c1 : tensor<?x?x?xf32>
%d2 = tensor.dim %v, %c2 : tensor<?x?x?xf32>

%i = tensor.empty(%d0, %d1, %d2) : tensor<?x?x?xf32>
%r = attn.attention {scale = 0.25} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
 ins(%q, %k, %v : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%i : tensor<?x?x?xf32>)
return %r : tensor<?x?x?xf32>
}
