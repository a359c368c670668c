"""forward.py DIM [BATCH ROWS]: an attention without a mask, of that head dim, in f16."""
import sys

dim, batch, rows = sys.argv[1], *(sys.argv[2:] or ("4", "1024"))
print("""!t = tensor<%sx%sx%sxf16>
func.func @main(%%q: !t, %%k: !t, %%v: !t) -> !t {
  %%e = tensor.empty() : !t
  %%o = attn.attention {scale = 0.125} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
    ins(%%q, %%k, %%v : !t, !t, !t) outs(%%e : !t)
  return %%o : !t
}""" % (batch, rows, dim))
