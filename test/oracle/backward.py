"""attn.attention_backward, decomposed to linalg and executed, against the oracle.

A grouped-query attention in f64 with a shifted causal mask, a bias whose gradient
is asked for, a soft cap, a weight, a sink and a gradient of the log-sum-exp.

usage: backward.py ATTN_RUN DECOMPOSED.mlir WORKDIR
"""
import os
import subprocess
import sys

import numpy as np

from attention_oracle import attention


def main():
    attn_run, mlir, workdir = sys.argv[1:]
    os.makedirs(workdir, exist_ok=True)
    rng = np.random.default_rng(0)
    shapes = [(3, 7, 5), (9, 5), (9, 4), (3, 9), (3,), (3, 7, 4), (3, 7)]
    q, k, v, bias, sink, dout, dlse = args = [rng.normal(size=s) for s in shapes]
    arrays, saved = os.path.join(workdir, "in.npz"), os.path.join(workdir, "out.npz")
    np.savez(arrays, **{f"arg{i}": a for i, a in enumerate(args)})
    subprocess.run([attn_run, mlir, f"--args={arrays}", f"--save={saved}"], check=True,
                   stdout=subprocess.DEVNULL)
    got = np.load(saved)
    # The bias is also the weight, so that its gradient has two parts.
    o, lse, grads = attention(
        q, k, v, dims="g m n k d", maps=["g m k", "n k", "n d", "g m d"], scale=0.4,
        score=[("bias", [0]), ("softcap", [], 2.0), ("weight", [0])],
        extras=[(bias, "g n")], visible=lambda i, e, s: i["n"] <= i["m"] + 1,
        sink=(sink, "g"), lse_map="g m", dout=dout, dlse=dlse)
    want = [o, lse, grads["q"], grads["k"], grads["v"], grads["sink"], grads["extras"][0]]
    for name, i in zip("o lse q k v sink bias".split(), range(len(want))):
        error = np.abs(got[f"out{i}"] - want[i]).max()
        print(f"{name:5} {error:.1e} {'ok' if error < 1e-12 else 'WRONG'}")


main()
