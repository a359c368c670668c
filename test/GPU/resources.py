"""What NVIDIA's assembler makes of a configuration's kernels: registers, spilled
bytes and, where nvdisasm is at hand, what the main loops issue."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "sass-loops"))
import sass_loops


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
            found["loops"] += kernel["loops"]
    os.unlink(cubin)
    os.unlink(cubin + ".json")
    return found


def main_loop(found):
    """The loop that most of the products are in; None without one."""
    return max(found.get("loops", []), key=lambda loop: loop["products"], default=None)
