"""What main loops issue beside their products.

ratios.py: compiles attentions and causal gradients, large enough to fill the
machine, for the A100, and counts machine instructions on the shortest way through
the loops: of a forward that of an unmasked block where no row maximum moved. Two
products of a forward are useful, and five of a gradient: S, dP, dQ, dK and dV. Of a
tile of them all sweeps together may issue so many other instructions for each (in
units of m16n8k16), products made a second time included, and so many `ldmatrix`
for each product. Exit 1 where it is more, or something spills.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import resources

# Others per useful product, ldmatrix per product.
MOST = {(64, "forward"): (3.0, 0.35), (128, "forward"): (2.0, 0.35), (64, "ordered"): (3.6, 0.4), (128, "ordered"): (2.8, 0.6),
        (64, "atomics"): (2.6, 0.6), (128, "atomics"): (1.9, 0.65)}


def write_attention(path, dim, kind):
    script = "forward.py" if kind == "forward" else "backward.py"
    with open(path, "w") as out:
        subprocess.run([sys.executable, os.path.join(HERE, "Inputs", script), str(dim), "64", "2048"], stdout=out, check=True)


def main():
    wrong, nvdisasm = 0, resources.find_nvdisasm()
    with tempfile.TemporaryDirectory(prefix="attn-gpu-ratios-") as folder:
        for (dim, kind), (most, loads) in MOST.items():
            path = os.path.join(folder, "attention.mlir")
            write_attention(path, dim, kind)
            found = resources.assemble(path, "a100", nvdisasm, ["--atomics"] if kind == "atomics" else [])
            if "error" in found:
                sys.exit(found["error"])
            loop = resources.main_loop(found) if kind == "forward" else resources.gradient_loops(found, kind == "atomics")
            bad = not 0 < loop["overhead"] <= most or not 0 < loop["ldmatrix_per_product"] <= loads or found["spills"]
            wrong += bool(bad)
            print("head dim %d %s: %.2f others a useful product, at most %.1f; %.2f ldmatrix a product, at most %.2f; "
                  "%d registers, %d bytes spilled; %s%s" % (
                      dim, kind, loop["overhead"], most, loop["ldmatrix_per_product"], loads, found["registers"],
                      found["spills"], found["tiling"], "  WRONG" if bad else ""))
    print("%d of %d as they should be" % (len(MOST) - wrong, len(MOST)))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
