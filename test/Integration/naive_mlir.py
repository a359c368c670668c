"""Naive attention as MLIR text: softmax(scale Q K^T) V in plain linalg, spelled
step by step as an exporter would, for one head of static shape.

    text(n=64, d=16, dtype="f64", causal=True, scale=0.25)

@main takes Q, K, V of shape [n, d] and returns O of shape [n, d].
"""

TEMPLATE = """
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#unit = affine_map<(m, n) -> (m, 0)>
func.func @main(%q: tensor<{n}x{d}x{t}>, %k: tensor<{n}x{d}x{t}>, %v: tensor<{n}x{d}x{t}>) -> tensor<{n}x{d}x{t}> {{
  %zero = arith.constant 0.0 : {t}
  %inf = arith.constant {minus_inf} : {t}
  %scale = arith.constant {scale!r} : {t}
  %kt_init = tensor.empty() : tensor<{d}x{n}x{t}>
  %kt = linalg.transpose ins(%k : tensor<{n}x{d}x{t}>) outs(%kt_init : tensor<{d}x{n}x{t}>) permutation = [1, 0]
  %nn = tensor.empty() : tensor<{n}x{n}x{t}>
  %s_init = linalg.fill ins(%zero : {t}) outs(%nn : tensor<{n}x{n}x{t}>) -> tensor<{n}x{n}x{t}>
  %qk = linalg.matmul ins(%q, %kt : tensor<{n}x{d}x{t}>, tensor<{d}x{n}x{t}>) outs(%s_init : tensor<{n}x{n}x{t}>) -> tensor<{n}x{n}x{t}>
  %s = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}} ins(%qk : tensor<{n}x{n}x{t}>) outs(%nn : tensor<{n}x{n}x{t}>) {{
  ^bb0(%in: {t}, %out: {t}):
    %x = arith.mulf %in, %scale : {t}
    {mask}
    linalg.yield %y : {t}
  }} -> tensor<{n}x{n}x{t}>
  %rows = tensor.empty() : tensor<{n}x{t}>
  %m_init = linalg.fill ins(%inf : {t}) outs(%rows : tensor<{n}x{t}>) -> tensor<{n}x{t}>
  %m = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}} ins(%s : tensor<{n}x{n}x{t}>) outs(%m_init : tensor<{n}x{t}>) {{
  ^bb0(%in: {t}, %out: {t}):
    %x = arith.maximumf %in, %out : {t}
    linalg.yield %x : {t}
  }} -> tensor<{n}x{t}>
  %e = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}} ins(%s, %m : tensor<{n}x{n}x{t}>, tensor<{n}x{t}>) outs(%nn : tensor<{n}x{n}x{t}>) {{
  ^bb0(%in: {t}, %max: {t}, %out: {t}):
    %x = arith.subf %in, %max : {t}
    %y = math.exp %x : {t}
    linalg.yield %y : {t}
  }} -> tensor<{n}x{n}x{t}>
  %l_init = linalg.fill ins(%zero : {t}) outs(%rows : tensor<{n}x{t}>) -> tensor<{n}x{t}>
  %l = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}} ins(%e : tensor<{n}x{n}x{t}>) outs(%l_init : tensor<{n}x{t}>) {{
  ^bb0(%in: {t}, %out: {t}):
    %x = arith.addf %in, %out : {t}
    linalg.yield %x : {t}
  }} -> tensor<{n}x{t}>
  %p = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}} ins(%e, %l : tensor<{n}x{n}x{t}>, tensor<{n}x{t}>) outs(%nn : tensor<{n}x{n}x{t}>) {{
  ^bb0(%in: {t}, %sum: {t}, %out: {t}):
    %x = arith.divf %in, %sum : {t}
    linalg.yield %x : {t}
  }} -> tensor<{n}x{n}x{t}>
  %o = tensor.empty() : tensor<{n}x{d}x{t}>
  %o_init = linalg.fill ins(%zero : {t}) outs(%o : tensor<{n}x{d}x{t}>) -> tensor<{n}x{d}x{t}>
  %r = linalg.matmul ins(%p, %v : tensor<{n}x{n}x{t}>, tensor<{n}x{d}x{t}>) outs(%o_init : tensor<{n}x{d}x{t}>) -> tensor<{n}x{d}x{t}>
  return %r : tensor<{n}x{d}x{t}>
}}
"""

CAUSAL = """%i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %inf : {t}"""

ALL = """%zero_shift = arith.constant 0.0 : {t}
    %y = arith.addf %x, %zero_shift : {t}"""


def text(n, d, dtype="f64", causal=False, scale=None):
    minus_inf = {"f64": "0xFFF0000000000000", "f32": "0xFF800000"}[dtype]
    body = CAUSAL if causal else ALL
    return TEMPLATE.format(
        n=n, d=d, t=dtype, minus_inf=minus_inf, mask=body.format(t=dtype),
        scale=float(scale if scale is not None else d ** -0.5),
    )
