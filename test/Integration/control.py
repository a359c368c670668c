"""Negative control: can the tests see a wrong recurrence?

Tiled attention (N 1024, D 64, f64, blocks of 64) is decomposed to linalg, and in a
copy of the text the rescaling of the state (the factor exp(max_old - max_new)) is
taken out. Both are executed: the intact one agrees with naive attention, the
mutated one is off by 0.276 at worst and 0.0136 on average.

usage: control.py ATTN_OPT ATTN_RUN WORKDIR
"""
import os
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import exactness
import naive_mlir

N, D = 1024, exactness.D
PIPELINE = ("builtin.module(attn-recognize,attn-to-online,attn-tile{query-block=64 "
            "key-block=64},attn-decompose,canonicalize)")
# The state's old value times the factor: the only products of an input by a
# computed number.
RESCALE = re.compile(r"arith\.mulf %in, %\d+ : f64")


def execute(attn_run, stem, text):
    with open(stem + ".mlir", "w") as file:
        file.write(text)
    subprocess.run([attn_run, stem + ".mlir", f"--args={stem}.npz", f"--save={stem}.out.npz"],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load(stem + ".out.npz")["out0"]


def main():
    attn_opt, attn_run, workdir = sys.argv[1:]
    os.makedirs(workdir, exist_ok=True)
    stem = os.path.join(workdir, "control")
    rng = np.random.default_rng(N)
    q, k, v = (rng.normal(size=(N, D)) for _ in range(3))
    np.savez(stem + ".npz", arg0=q, arg1=k, arg2=v)
    with open(stem + ".naive.mlir", "w") as file:
        file.write(naive_mlir.text(N, D, "f64", False, exactness.SCALE))
    tiled = subprocess.run([attn_opt, stem + ".naive.mlir", f"--pass-pipeline={PIPELINE}"],
                           check=True, capture_output=True, text=True).stdout
    mutated, count = RESCALE.subn("arith.maximumf %in, %in : f64", tiled)
    want = exactness.attention(q, k, v, False)
    for name, text in (("intact", tiled), ("without rescale", mutated)):
        error = np.abs(execute(attn_run, stem, text) - want)
        print(f"{name}: max {error.max():.3g} mean {error.mean():.3g}")
    print(f"rescales removed: {count}")


main()
