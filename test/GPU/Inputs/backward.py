"""backward.py DIM [BATCH ROWS]: a causal backward of that head dim, in f16."""
import sys

dim, batch, rows = sys.argv[1], *(sys.argv[2:] or ("4", "1024"))
T, L = "tensor<%sx%sx%sxf16>" % (batch, rows, dim), "tensor<%sx%sxf32>" % (batch, rows)
print("""func.func @main(%%q: %(T)s, %%k: %(T)s, %%v: %(T)s, %%o: %(T)s, %%lse: %(L)s, %%do: %(T)s) -> (%(T)s, %(T)s, %(T)s) {
  %%e = tensor.empty() : %(T)s
  %%dq, %%dk, %%dv = attn.attention_backward {scale = 0.125, visible = [affine_set<(b, m, n)[B, M, N] : (m - n >= 0)>], empty_rows = zero}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
    ins(%%q, %%k, %%v : %(T)s, %(T)s, %(T)s)
    forward(%%o, %%lse : %(T)s, %(L)s) grad(%%do : %(T)s)
    outs(%%e, %%e, %%e : %(T)s, %(T)s, %(T)s)
  return %%dq, %%dk, %%dv : %(T)s, %(T)s, %(T)s
}""" % dict(T=T, L=L))
