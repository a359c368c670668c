"""Recognises random forms of attention and near misses, and runs what comes out.

random_forms.py [--count N] [--seed S] [--batch N] [--misses P] [--only SEED] [--share P]

Each function is run as it is and as recognised (attn ops decomposed), both by
upstream's lowering, and both are compared with numpy. A disagreement is simplified,
then printed with its seed. Exit 0: all agree and at least the given share of the
attentions is fused.
"""
import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "oracle"))
from execute import CompileError, call, compile_shared  # noqa: E402
from forms import DEFAULTS, draw, expects_fusion, spell  # noqa: E402

# What upstream does to a module before it is recognised, drawn per batch.
BEFORE = [
    "",
    "canonicalize,cse",
    "linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse",
    "linalg-fuse-elementwise-ops,linalg-fold-unit-extent-dims,canonicalize,cse",
    "linalg-generalize-named-ops,linalg-fuse-elementwise-ops,linalg-fold-unit-extent-dims,canonicalize,cse",
]
TOLERANCE = {"f32": 3e-4, "f64": 1e-10}


def load_runtime():
    """memrefCopy, which upstream's lowering calls for strided copies."""
    folder = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("mlir-translate"))))
    ctypes.CDLL(os.path.join(folder, "lib", "libmlir_c_runner_utils.so"), mode=ctypes.RTLD_GLOBAL)


def optimise(text, passes):
    done = subprocess.run(["attn-opt", "-", "--pass-pipeline=builtin.module(%s)" % passes, "--remarks-filter=attn-recognize"],
                          input=text, capture_output=True, text=True)
    if done.returncode:
        raise CompileError(done.stderr[:4000])
    fused = re.findall(r"\[Passed\].*?Function=(\w+)", done.stderr)
    reasons = dict(re.findall(r"\[Missed\].*?Function=(\w+).*?Reason=\"(.*?)\"", done.stderr))
    return done.stdout, fused, reasons


def differs(case, function, library):
    text, args, results = function
    got = call(library, "f%d" % case["seed"], [(a.type, a.element, a.value.copy()) for a in args],
               [(r.value.ndim, r.element) for r in results])
    for g, r in zip(got, results):
        want = r.value.astype(np.float64)
        ok = np.isclose(g, want, TOLERANCE[case["element"]], TOLERANCE[case["element"]], equal_nan=True)
        if not ok.all():
            at = tuple(int(i) for i in np.argwhere(~ok)[0])
            return "expected %r, got %r at %s" % (float(want[at]), float(g[at]), list(at))
    return None


def check(cases, passes):
    """For each case what disagreed, or None; the fused functions; why others are not."""
    with np.errstate(all="ignore"):
        functions = [spell(case, "f%d" % case["seed"]) for case in cases]
    text = "".join(f[0] for f in functions)
    before = optimise(text, passes)[0]
    after, fused, reasons = optimise(before, "attn-recognize")
    failures = []
    libraries = [(name, ctypes.CDLL(compile_shared(module, "decompose")))
                 for name, module in (("unfused", text), ("recognised", after))]
    for case, function in zip(cases, functions):
        found = None
        for name, library in libraries:
            found = found or ((d := differs(case, function, library)) and "%s: %s" % (name, d))
        failures.append(found)
    return failures, set(fused), reasons


def simplify(case, passes):
    """Puts options back to plain attention as long as the case fails."""
    changed = True
    while changed:
        changed = False
        for key, value in DEFAULTS.items():
            if case[key] == value:
                continue
            simpler = dict(case, **{key: value})
            try:
                if check([simpler], passes)[0][0]:
                    case, changed = simpler, True
            except Exception:  # options that do not go together
                continue
    return case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=60)
    parser.add_argument("--misses", type=float, default=0.3)
    parser.add_argument("--share", type=float, default=0.95)
    parser.add_argument("--only", type=int)
    parser.add_argument("--missed", action="store_true", help="print the attentions that were not fused")
    options = parser.parse_args()
    first = options.seed * 1000003 if options.only is None else options.only
    seeds = range(first, first + (options.count if options.only is None else 1))
    load_runtime()
    wrong = positives = fused_positives = near = fused_near = 0
    for start in range(0, len(seeds), options.batch):
        cases = [draw(s, options.misses) for s in seeds[start:start + options.batch]]
        passes = BEFORE[(seeds[start] // options.batch) % len(BEFORE)]
        failures, fused, reasons = check(cases, passes)
        for case, failure in zip(cases, failures):
            is_fused = "f%d" % case["seed"] in fused
            if expects_fusion(case):
                positives += 1
                fused_positives += is_fused
                if options.missed and not is_fused:
                    print("not fused:", reasons.get("f%d" % case["seed"]), {k: v for k, v in case.items() if v != DEFAULTS.get(k)})
            else:
                near += 1
                fused_near += is_fused
            if failure:
                wrong += 1
                print("seed %d: %s (fused: %s, passes: %s)" % (case["seed"], failure, is_fused, passes))
                small = simplify(case, passes)
                print("  simplified:", {k: v for k, v in small.items() if v != DEFAULTS.get(k)})
                print(spell(small, "f%d" % small["seed"])[0])
                break
    total = positives + near
    print("%d of %d forms agree with numpy" % (total - wrong, total))
    print("%d of %d attentions fused, %d of %d near misses" % (fused_positives, positives, fused_near, near))
    if positives and fused_positives < options.share * positives:
        print("expected a share of at least %g" % options.share)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
