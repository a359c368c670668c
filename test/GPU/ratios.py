"""What the main loops of gradients issue beside their products.

ratios.py: compiles a causal backward, large enough to fill the machine, of head
dims 64 and 128 for the A100, with and without atomics, and counts machine instructions on the shortest way through
the loops. Five products are useful, S, dP, dQ, dK and dV; of a tile of them all
sweeps together may issue so many other instructions for each (in units of
m16n8k16), products made a second time included. Exit 1 where it is more.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "sass-loops"))
import sass_loops

USEFUL = 5
MOST = {(64, "ordered"): 3.6, (128, "ordered"): 2.8, (64, "atomics"): 2.6, (128, "atomics"): 1.9}
# Products in the loop of each kernel.
PRODUCTS = {"dq": 3, "dk": 3, "dv": 2, "dkv": {"ordered": 4, "atomics": 5}}


def others(folder, dim, sums):
    """Instructions beside useful products, per useful product; spilled bytes."""
    text = subprocess.run([sys.executable, os.path.join(HERE, "Inputs", "backward.py"), str(dim)],
                          capture_output=True, text=True, check=True).stdout.replace("4x1024", "64x2048")
    path = os.path.join(folder, "backward.mlir")
    with open(path, "w") as out:
        out.write(text)
    cubin = os.path.join(folder, "backward.cubin")
    flags = ["--atomics"] if sums == "atomics" else []
    subprocess.run(["attn-compile", path, "--target=a100", "--emit=cubin", "-o", cubin, *flags], check=True)
    issued = 0.0
    for kernel in sass_loops.analyse(sass_loops.find_nvdisasm(None), cubin):
        for loop in kernel["loops"]:
            count = PRODUCTS[kernel["name"].rsplit("_", 1)[1]]
            count = count if isinstance(count, int) else count[sums]
            issued += loop["instructions"] / loop["products"] * count
    with open(cubin + ".json") as report:
        kernels = json.load(report)["report"]["kernels"]
    return issued / USEFUL - 1, sum(k["spill_store_bytes"] + k["spill_load_bytes"] for k in kernels)


def main():
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="attn-gpu-ratios-") as folder:
        for (dim, sums), most in MOST.items():
            ratio, spilled = others(folder, dim, sums)
            bad = not 0 < ratio <= most or spilled
            wrong += bad
            print("head dim %d %s: %.2f others a useful product, at most %.1f, %d bytes spilled%s" % (
                dim, sums, ratio, most, spilled, "  WRONG" if bad else ""))
    print("%d of %d as they should be" % (len(MOST) - wrong, len(MOST)))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
