#!/usr/bin/env python3
"""gpu_check.py [--bin DIR] [--target T] [--executor cuda] [--minutes M] [-o F.json]: the GPU tests, on a GPU.

For a machine that has one: first the list of kernels that must be right, forward
and backward (each shape against attn-run's own unfused run on the CPU), then a
table of speeds over the shapes of the FlashAttention papers, in TFLOP/s: batch x
rows make 16384, 2048 wide in all, head dims 64, 128, 256, causal or not, f16 and
bf16, forward and backward, the shapes that papers compare first. Everything is
JSON; what there was no time for is listed as such. Needs the built tools and
Python, nothing else.

Without a GPU, and with --dry-run, every kernel is compiled (and assembled, where
ptxas is) and nothing runs: the report says so and has registers and spills.
--executor=emulator --quick runs the list without a GPU, and no speeds. --every N
takes every N-th entry of either table.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

FORWARD_TESTS = [  # dtype, batch, heads, kv heads, rows, keys, head dim, causal
    ("f16", 2, 4, 4, 256, 256, 64, False), ("f16", 2, 4, 4, 256, 256, 64, True),
    ("bf16", 2, 4, 4, 256, 256, 128, True), ("f16", 1, 2, 2, 131, 197, 64, False),
    ("f16", 1, 8, 2, 100, 300, 128, True), ("bf16", 1, 8, 1, 64, 1000, 64, False),
    ("f16", 4, 2, 2, 1, 777, 128, False), ("f16", 1, 2, 2, 130, 130, 256, True),
    ("f16", 1, 2, 2, 97, 97, 40, True), ("f32", 1, 2, 2, 128, 128, 64, True),
]
BACKWARD_TESTS = [
    ("f16", 1, 2, 2, 128, 128, 64, True), ("bf16", 1, 2, 2, 128, 128, 128, False),
    ("f16", 1, 4, 2, 67, 101, 64, True), ("f16", 1, 1, 1, 65, 65, 256, False), ("bf16", 1, 2, 2, 33, 70, 40, True),
]
TESTS = [("forward",) + t for t in FORWARD_TESTS] + [("backward",) + t for t in BACKWARD_TESTS]
# First what papers compare: f16, head dims 128 and 64, both directions, from short to long.
SPEEDS = [(direction, dtype, head, rows, causal) for dtype in ("f16", "bf16") for head in (128, 64, 256)
          for rows in (1024, 4096, 16384, 512, 2048, 8192) for causal in (False, True)
          for direction in ("forward", "backward")]
PRODUCTS = {"forward": 2, "backward": 5}


def attention_text(dtype, batch, heads, kv_heads, rows, keys, head, causal):
    group = heads // kv_heads
    q = "tensor<%dx%dx%dx%dx%dx%s>" % (batch, kv_heads, group, rows, head, dtype)
    k = "tensor<%dx%dx%dx%dx%s>" % (batch, kv_heads, keys, head, dtype)
    visible = ("visible = [affine_set<(b, h, g, m, n)[B, H, G, M, N] : (m - n + N - M >= 0)>], " if causal else "")
    return """func.func @main(%%q: %(q)s, %%k: %(k)s, %%v: %(k)s) -> %(q)s {
  %%init = tensor.empty() : %(q)s
  %%o = attn.attention {scale = %(scale).17e, %(visible)sempty_rows = nan}
    maps = [(b, h, g, m, n, k, d) -> (b, h, g, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (b, h, g, m, d)]
    ins(%%q, %%k, %%v : %(q)s, %(k)s, %(k)s) outs(%%init : %(q)s)
  return %%o : %(q)s
}
""" % dict(q=q, k=k, scale=head**-0.5, visible=visible)


def backward_text(dtype, batch, heads, kv_heads, rows, keys, head, causal):
    """The gradients alone, as a model's backward pass calls them."""
    group = heads // kv_heads
    q = "tensor<%dx%dx%dx%dx%dx%s>" % (batch, kv_heads, group, rows, head, dtype)
    k = "tensor<%dx%dx%dx%dx%s>" % (batch, kv_heads, keys, head, dtype)
    lse = "tensor<%dx%dx%dx%dxf32>" % (batch, kv_heads, group, rows)
    visible = ("visible = [affine_set<(b, h, g, m, n)[B, H, G, M, N] : (m - n + N - M >= 0)>], " if causal else "")
    return """func.func @main(%%q: %(q)s, %%k: %(k)s, %%v: %(k)s, %%o: %(q)s, %%lse: %(lse)s, %%do: %(q)s) -> (%(q)s, %(k)s, %(k)s) {
  %%rows = tensor.empty() : %(q)s
  %%keys = tensor.empty() : %(k)s
  %%dq, %%dk, %%dv = attn.attention_backward {scale = %(scale).17e, %(visible)sempty_rows = nan}
    maps = [(b, h, g, m, n, k, d) -> (b, h, g, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (b, h, g, m, d), -> (b, h, g, m)]
    ins(%%q, %%k, %%v : %(q)s, %(k)s, %(k)s) forward(%%o, %%lse : %(q)s, %(lse)s) grad(%%do : %(q)s)
    outs(%%rows, %%keys, %%keys : %(q)s, %(k)s, %(k)s)
  return %%dq, %%dk, %%dv : %(q)s, %(k)s, %(k)s
}
""" % dict(q=q, k=k, lse=lse, scale=head**-0.5, visible=visible)


TEXTS = {"forward": attention_text, "backward": backward_text}


class Checker:
    def __init__(self, options):
        self.options, self.start = options, time.monotonic()
        self.folder = tempfile.mkdtemp(prefix="attn-gpu-check-")
        self.report = {"executor": options.executor, "executed": True, "tests": [], "speeds": [], "left_out": []}

    def seconds_left(self):
        return self.options.minutes * 60 - (time.monotonic() - self.start)

    def tool(self, name, *arguments, limit=120):
        path = os.path.join(self.options.bin, name)
        try:
            done = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return 124, "", "more than %d s" % limit
        return done.returncode, done.stdout, done.stderr

    def write(self, text):
        path = os.path.join(self.folder, "attention.mlir")
        with open(path, "w") as out:
            out.write(text)
        return path

    def target(self):
        return ["--target=" + self.options.target] if self.options.target else []

    def find_device(self):
        """What runs nothing for want of a device compiles everything."""
        reason = "--dry-run" if self.options.dry_run else ""
        if not reason and self.options.executor == "cuda":
            code, _, err = self.tool("attn-run", self.write(attention_text("f16", 1, 1, 1, 16, 16, 16, False)),
                                     "--executor=cuda", *self.target())
            if code == 2 and "expected a GPU" in err:
                reason = err.strip()[:400]
        if reason:
            self.report["executed"] = False
            self.report["not_executed_because"] = reason
        return not reason

    def compile(self, direction, shape, entry):
        """The PTX of the kernels, or None; what the assembler says of them goes into the entry."""
        ptx = os.path.join(self.folder, "kernel.ptx")
        code, _, err = self.tool("attn-compile", self.write(TEXTS[direction](*shape)), "--emit=ptx", "-o", ptx,
                                 *(self.target() or ["--target=a100"]))
        entry["ok"] = code == 0
        if code:
            entry["message"] = err.strip()[:400]
            return None
        with open(ptx + ".json") as text:
            manifest = json.load(text)
        entry["kernels"] = [k["name"] for k in manifest["kernels"]]
        resources = manifest.get("report", {}).get("kernels", [])
        if resources:
            entry["registers"] = max(k["registers"] for k in resources)
            entry["spilled"] = sum(k["spill_load_bytes"] + k["spill_store_bytes"] for k in resources)
        return ptx

    def test(self, direction, *shape):
        entry = {"direction": direction, "shape": list(shape), "ok": False}
        self.report["tests"].append(entry)
        if not self.report["executed"]:
            self.compile(direction, shape, entry)
            return
        grad = ["--grad"] if direction == "backward" else []
        code, out, err = self.tool("attn-run", self.write(attention_text(*shape)), *grad, "--check", "--json",
                                   "--executor=" + self.options.executor, *self.target())
        if out:
            found = json.loads(out)
            entry["max_abs_err"] = found.get("max_abs_err")
            entry["kernels"] = [k["name"] for k in found.get("kernels", [])]
            entry["ok"] = code == 0 and bool(entry["kernels"])
        if not entry["ok"]:
            entry["message"] = err.strip()[:400]

    def speed(self, direction, dtype, head, rows, causal):
        batch, heads = 16384 // rows, 2048 // head
        shape = (dtype, batch, heads, heads, rows, rows, head, causal)
        entry = {"direction": direction, "dtype": dtype, "head_dim": head, "rows": rows, "batch": batch,
                 "heads": heads, "causal": causal}
        self.report["speeds"].append(entry)
        ptx = self.compile(direction, shape, entry)
        if not ptx or not self.report["executed"]:
            return
        code, out, err = self.tool("attn-run", "--ptx=" + ptx, "--manifest=" + ptx + ".json",
                                   "--executor=" + self.options.executor, "--time=5", "--json")
        entry["ok"] = code == 0
        if code == 0:
            # As in the papers: two per product, score element and depth, half of them if causal.
            flops = 2.0 * PRODUCTS[direction] * batch * heads * rows * rows * head * (0.5 if causal else 1.0)
            entry["ms"] = json.loads(out)["time_ms"]["min"]
            entry["tflops"] = flops / (entry["ms"] * 1e9)
        else:
            entry["message"] = err.strip()[:400]

    def run(self):
        self.find_device()
        speeds = [] if self.options.quick else SPEEDS[:: self.options.every]
        todo = [(self.test, 30, t) for t in TESTS[:: self.options.every]] + [(self.speed, 20, s) for s in speeds]
        for what, seconds, entry in todo:
            if self.seconds_left() < seconds:
                self.report["left_out"].append({what.__name__: list(entry)})
            else:
                what(*entry)
        shutil.rmtree(self.folder, ignore_errors=True)
        entries = self.report["tests"] + self.report["speeds"]
        self.report["seconds"] = round(time.monotonic() - self.start, 1)
        self.report["passed"] = sum(t["ok"] for t in self.report["tests"])
        self.report["failed"] = sum(not e["ok"] for e in entries)
        return self.report


def summary(report):
    if report["executed"]:
        return "%d passed, %d failed, %d speeds, %d left out, in %.0f s" % (
            report["passed"], report["failed"], len(report["speeds"]), len(report["left_out"]), report["seconds"])
    return "nothing was executed (%s): %d compiled, %d failed, %d left out, in %.0f s" % (
        report["not_executed_because"], len(report["tests"]) + len(report["speeds"]) - report["failed"],
        report["failed"], len(report["left_out"]), report["seconds"])


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(here, "..", "..", "build", "bin"), help="folder of the tools")
    parser.add_argument("--target", default="", help="machine to compile for (default: the GPU's chip)")
    parser.add_argument("--executor", default="cuda")
    parser.add_argument("--minutes", type=float, default=7.5)
    parser.add_argument("--quick", action="store_true", help="no speeds")
    parser.add_argument("--every", type=int, default=1, help="of either table every N-th entry")
    parser.add_argument("--dry-run", action="store_true", help="compile, run nothing")
    parser.add_argument("-o", "--output", help="JSON file (default: stdout)")
    options = parser.parse_args()
    if options.every < 1:
        parser.error("--every: expected a number from 1 on, got %d" % options.every)
    if not os.access(os.path.join(options.bin, "attn-run"), os.X_OK):
        sys.exit("error: expected attn-run in %s; build it, or say --bin=DIR" % options.bin)
    report = Checker(options).run()
    text = json.dumps(report, indent=2) + "\n"
    if options.output:
        with open(options.output, "w") as out:
            out.write(text)
        print(summary(report))
    else:
        print(text, end="")
    sys.exit(1 if report["failed"] else 0)


if __name__ == "__main__":
    main()
