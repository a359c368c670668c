"""Every backward file of the corpus: forward and backward are fused, and no tensor of
rows x keys is left.

joint_corpus.py CASES: compiles each file to attn ops. The size of its probabilities is
that of the largest tensor that it exponentiates; what is left must hold no tensor of as
many elements, unless an argument has as many (a bias of each row and key).
"""
import csv
import math
import os
import re
import subprocess
import sys

TENSOR = re.compile(r"tensor<((?:\d+x)+)(f16|bf16|f32|f64|i1|i8|i32|i64)>")


def tensors(text):
    """(elements, type) of each tensor type in a text."""
    return {(math.prod(int(n) for n in m[1].split("x")[:-1]), m[0]) for m in TENSOR.finditer(text)}


def run(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit("%s: %s" % (" ".join(command), done.stderr[:2000]))
    return done.stdout


def main():
    cases = sys.argv[1]
    rows = [r for r in csv.DictReader(open(os.path.join(cases, "index.tsv")), delimiter="\t") if r["verdict"] == "backward"]
    wrong = 0
    for row in rows:
        path = os.path.join(cases, row["name"] + ".mlir")
        linalg = run("attn-opt", path, "--pass-pipeline=builtin.module(inline,func.func(tosa-to-linalg-named,tosa-to-linalg,"
                     "linalg-generalize-named-ops,convert-elementwise-to-linalg))")
        sizes = {n for body in re.findall(r"linalg\.generic.*?(?=linalg\.generic|\Z)", linalg, re.S) if "math.exp " in body
                 for n, _ in tensors(body.split("{\n")[0])}
        fused = run("attn-compile", path, "--emit=attn", "-o", "-")
        signature = tensors(re.search(r"func\.func.*", fused)[0])
        size = max(sizes, default=0)
        own = size in {n for n, _ in signature}
        left = sorted(t for n, t in tensors(fused) if n == size and not own)
        backward = fused.count("attn.attention_backward")
        if not sizes or left or backward != int(row["n_attention"]):
            wrong += 1
            print(row["name"], "probabilities of", size, "elements; left:", left, "; backward ops:", backward)
    print("%d of %d backward files without a tensor of rows x keys" % (len(rows) - wrong, len(rows)))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
