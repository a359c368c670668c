"""What NVIDIA's assembler makes of a configuration's kernels: registers, spilled
bytes and, where nvdisasm is at hand, what the main loops issue."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "sass-loops"))
import sass_loops


# Products of a block in the loop of each kernel of a gradient: S, dP and what it
# sums; dK's has dQ's beside it with atomics. Five are useful.
USEFUL = 5
SWEEPS = {"dq": 3, "dk": 3, "dv": 2, "dkv": 4}


def find_nvdisasm():
    try:
        return sass_loops.find_nvdisasm(None)
    except SystemExit:
        return None


def assemble(path, target, nvdisasm, options=()):
    """{tiling, registers, spills, loops: [...]} of the attention in `path`, or
    {error: ...}. The numbers are the largest of all kernels."""
    cubin = path + ".cubin"
    done = subprocess.run(["attn-compile", path, "--target=" + target, "--emit=cubin", "-o", cubin, *options],
                          capture_output=True, text=True)
    if done.returncode:
        return {"error": done.stderr.strip()[:400]}
    with open(cubin + ".json") as text:
        report = json.load(text)["report"]
    found = {
        "tiling": report["attentions"][0]["tiling"],
        "registers": max(k["registers"] for k in report["kernels"]),
        "spills": max(k["spill_store_bytes"] + k["spill_load_bytes"] for k in report["kernels"]),
        "warning": done.stderr.strip()[:400],
        "loops": [],
    }
    if nvdisasm:
        for kernel in sass_loops.analyse(nvdisasm, cubin):
            found["loops"] += [dict(loop, kernel=kernel["name"]) for loop in kernel["loops"]]
    os.unlink(cubin)
    os.unlink(cubin + ".json")
    return found


def sweeps(loops, atomics):
    """[(loop, products of a block in it)], of each sweep of a gradient."""
    found = []
    for kernel in dict.fromkeys(loop["kernel"] for loop in loops):
        count = SWEEPS.get(kernel.rsplit("_", 1)[1])
        if count:
            own = max((loop for loop in loops if loop["kernel"] == kernel), key=lambda loop: loop["products"])
            found.append((own, count + (atomics and kernel.endswith(("_dk", "_dkv")))))
    return found


def gradient_loops(found, atomics):
    """What all sweeps of a gradient issue for a block: other instructions, products
    made a second time included, per useful product; `ldmatrix` per product."""
    each = sweeps(found.get("loops", []), atomics)
    if not each:
        return {}
    issued = sum(loop["instructions"] / loop["products"] * count for loop, count in each)
    loads = sum(loop["ldmatrix_per_product"] * count for loop, count in each)
    return {"overhead": round(issued / USEFUL - 1, 2),
            "ldmatrix_per_product": round(loads / sum(count for _, count in each), 2)}


def main_loop(found):
    """The loop that most of the products are in; None without one."""
    return max(found.get("loops", []), key=lambda loop: loop["products"], default=None)
