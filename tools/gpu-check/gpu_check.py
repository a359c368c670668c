#!/usr/bin/env python3
"""gpu_check.py [--bin DIR] [--target T] [--executor cuda] [--minutes M] [-o F.json]: the GPU tests, on a GPU.

For a machine that has one: first the list of kernels that must be right (each
shape against attn-run's own unfused run on the CPU), then a table of speeds over
the shapes of the FlashAttention papers, in TFLOP/s: batch x heads so that there
are 16384 rows, 2048 wide in all, head dims 64, 128, 256, causal or not, f16 and
bf16. Everything is JSON; what there was no time for is listed as such. Needs the
built tools and Python, nothing else.

--executor=emulator --quick runs the list without a GPU, and no speeds.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

TESTS = [  # dtype, batch, heads, kv heads, rows, keys, head dim, causal, seeded tolerance
    ("f16", 2, 4, 4, 256, 256, 64, False), ("f16", 2, 4, 4, 256, 256, 64, True),
    ("bf16", 2, 4, 4, 256, 256, 128, True), ("f16", 1, 2, 2, 131, 197, 64, False),
    ("f16", 1, 8, 2, 100, 300, 128, True), ("bf16", 1, 8, 1, 64, 1000, 64, False),
    ("f16", 4, 2, 2, 1, 777, 128, False), ("f16", 1, 2, 2, 130, 130, 256, True),
    ("f16", 1, 2, 2, 97, 97, 40, True), ("f32", 1, 2, 2, 128, 128, 64, True),
]
SPEEDS = [(dtype, head, rows, causal) for dtype in ("f16", "bf16") for head in (64, 128, 256)
          for causal in (False, True) for rows in (512, 1024, 2048, 4096, 8192, 16384)]


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


class Checker:
    def __init__(self, options):
        self.options, self.start = options, time.monotonic()
        self.folder = tempfile.mkdtemp(prefix="attn-gpu-check-")
        self.report = {"executor": options.executor, "tests": [], "speeds": [], "left_out": []}

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

    def test(self, shape):
        path = self.write(attention_text(*shape))
        code, out, err = self.tool("attn-run", path, "--executor=" + self.options.executor, "--check", "--json",
                                   *self.target())
        entry = {"shape": list(shape), "ok": code == 0}
        if out:
            found = json.loads(out)
            entry["max_abs_err"] = found.get("max_abs_err")
            entry["kernels"] = [k["name"] for k in found.get("kernels", [])]
            entry["ok"] = entry["ok"] and bool(entry["kernels"])
        if not entry["ok"]:
            entry["message"] = err.strip()[:400]
        self.report["tests"].append(entry)
        return entry["ok"]

    def speed(self, dtype, head, rows, causal):
        batch, heads = 16384 // rows, 2048 // head
        ptx = os.path.join(self.folder, "kernel.ptx")
        shape = (dtype, batch, heads, heads, rows, rows, head, causal)
        entry = {"dtype": dtype, "head_dim": head, "rows": rows, "batch": batch, "heads": heads, "causal": causal}
        code, _, err = self.tool("attn-compile", self.write(attention_text(*shape)), "--emit=ptx", "-o", ptx,
                                 *(self.target() or ["--target=a100"]))
        if code == 0:
            code, out, err = self.tool("attn-run", "--ptx=" + ptx, "--manifest=" + ptx + ".json",
                                       "--executor=" + self.options.executor, "--time=5", "--json")
        if code == 0:
            # As in the papers: four per score element and depth, half of them if causal.
            flops = 4.0 * batch * heads * rows * rows * head * (0.5 if causal else 1.0)
            entry["ms"] = json.loads(out)["time_ms"]["min"]
            entry["tflops"] = flops / (entry["ms"] * 1e9)
        else:
            entry["message"] = err.strip()[:400]
        self.report["speeds"].append(entry)

    def run(self):
        for shape in TESTS:
            if self.seconds_left() < 30:
                self.report["left_out"].append({"test": list(shape)})
            else:
                self.test(shape)
        if not self.options.quick:
            for shape in SPEEDS:
                if self.seconds_left() < 20:
                    self.report["left_out"].append({"speed": list(shape)})
                else:
                    self.speed(*shape)
        self.report["seconds"] = round(time.monotonic() - self.start, 1)
        self.report["passed"] = sum(t["ok"] for t in self.report["tests"])
        self.report["failed"] = len(self.report["tests"]) - self.report["passed"]
        return self.report


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(here, "..", "..", "build", "bin"), help="folder of the tools")
    parser.add_argument("--target", default="", help="machine to compile for (default: the GPU's chip)")
    parser.add_argument("--executor", default="cuda")
    parser.add_argument("--minutes", type=float, default=7.5)
    parser.add_argument("--quick", action="store_true", help="no speeds")
    parser.add_argument("-o", "--output", help="JSON file (default: stdout)")
    options = parser.parse_args()
    if not os.access(os.path.join(options.bin, "attn-run"), os.X_OK):
        sys.exit("error: expected attn-run in %s; build it, or say --bin=DIR" % options.bin)
    report = Checker(options).run()
    text = json.dumps(report, indent=2) + "\n"
    if options.output:
        with open(options.output, "w") as out:
            out.write(text)
        print("%d passed, %d failed, %d speeds, %d left out, in %.0f s" % (
            report["passed"], report["failed"], len(report["speeds"]), len(report["left_out"]), report["seconds"]))
    else:
        print(text, end="")
    sys.exit(1 if report["failed"] else 0)


if __name__ == "__main__":
    main()
