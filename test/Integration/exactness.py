"""How exact is tiled attention in f64?

For N queries and keys, D = 64, scale 1/8, blocks of 64, Q, K, V drawn in that
order from default_rng(N).normal: the compiled kernel's largest difference from
naive attention in numpy (at most 2e-15), and its error against an 80-bit
reference, which is at most twice that of naive numpy.

usage: exactness.py ATTN_RUN WORKDIR [N ...]
"""
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import naive_mlir

D, SCALE = 64, 0.125


def attention(q, k, v, causal):
    """Naive attention in the arrays' own type."""
    s = (q @ k.T) * q.dtype.type(SCALE)
    if causal:
        s = np.where(np.tril(np.ones(s.shape, bool)), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return (p / p.sum(-1, keepdims=True)) @ v


def run(attn_run, workdir, n, causal):
    rng = np.random.default_rng(n)
    q, k, v = (rng.normal(size=(n, D)) for _ in range(3))
    stem = os.path.join(workdir, f"exactness_{n}_{int(causal)}")
    with open(stem + ".mlir", "w") as file:
        file.write(naive_mlir.text(n, D, "f64", causal, SCALE))
    np.savez(stem + ".npz", arg0=q, arg1=k, arg2=v)
    subprocess.run(
        [attn_run, stem + ".mlir", f"--args={stem}.npz", "--must-fuse",
         "--tiling=query_block=64,key_block=64", f"--save={stem}.out.npz"],
        check=True, stdout=subprocess.DEVNULL)
    return q, k, v, np.load(stem + ".out.npz")["out0"]


def main():
    attn_run, workdir, *sizes = sys.argv[1:]
    os.makedirs(workdir, exist_ok=True)
    worst = 0.0
    for n in [int(s) for s in sizes] or [256, 1024, 2048, 4096]:
        for causal in (False, True):
            q, k, v, got = run(attn_run, workdir, n, causal)
            naive = attention(q, k, v, causal)
            wide = attention(*(x.astype(np.longdouble) for x in (q, k, v)), causal)
            difference = np.abs(got - naive).max()
            error = float(np.abs(got - wide).max())
            naive_error = float(np.abs(naive - wide).max())
            good = difference <= 2e-15 and error <= 2 * naive_error
            print(f"N {n:5} {'causal' if causal else 'full  '}  difference "
                  f"{difference:.1e}  error {error:.1e}  naive's {naive_error:.1e}"
                  f"  {'ok' if good else 'WRONG'}")
            worst = max(worst, 0 if good else 1)
    return int(worst)


if __name__ == "__main__":
    sys.exit(main())
