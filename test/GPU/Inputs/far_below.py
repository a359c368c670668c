"""far_below.py F.mlir F.npz: the gradients of an attention whose scores are all
near -128, with keys that do not fill a block. A key beyond the last one would
have a score of 0, whose exponential is infinite."""
import sys

import numpy as np

ROWS, KEYS, DEPTH = 37, 21, 64
Q, K, R = "tensor<%dx%dxf32>" % (ROWS, DEPTH), "tensor<%dx%dxf32>" % (KEYS, DEPTH), "tensor<%dxf32>" % ROWS
with open(sys.argv[1], "w") as text:
    text.write("""func.func @main(%%q: %(Q)s, %%k: %(K)s, %%v: %(K)s, %%o: %(Q)s, %%l: %(R)s, %%do: %(Q)s) -> (%(Q)s, %(K)s, %(K)s) {
  %%i = tensor.empty() : %(Q)s
  %%j = tensor.empty() : %(K)s
  %%dq, %%dk, %%dv = attn.attention_backward {scale = 1.0, empty_rows = zero}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%%q, %%k, %%v : %(Q)s, %(K)s, %(K)s) forward(%%o, %%l : %(Q)s, %(R)s) grad(%%do : %(Q)s)
    outs(%%i, %%j, %%j : %(Q)s, %(K)s, %(K)s)
  return %%dq, %%dk, %%dv : %(Q)s, %(K)s, %(K)s
}
""" % dict(Q=Q, K=K, R=R))
draw = np.random.default_rng(4).standard_normal
q, k = 2 + draw((ROWS, DEPTH)) / 64, -1 + draw((KEYS, DEPTH)) / 64
v, do = draw((KEYS, DEPTH)), draw((ROWS, DEPTH))
q, k = (x.astype(np.float16).astype(np.float64) for x in (q, k))
s = q @ k.T
lse = s.max(1) + np.log(np.exp(s - s.max(1, keepdims=True)).sum(1))
p = np.exp(s - lse[:, None])
o = p @ v
ds = p * (do @ v.T - (do * o).sum(1)[:, None])
arrays = [q, k, v, o, lse, do]
np.savez(sys.argv[2], tol=np.array([0.02, 0.02, 0.02]), out0=(ds @ k).astype(np.float32), out1=(ds.T @ q).astype(np.float32),
         out2=(p.T @ do).astype(np.float32), **{"arg%d" % i: a.astype(np.float32) for i, a in enumerate(arrays)})
