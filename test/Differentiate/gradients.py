"""Gradients of attn-differentiate against the oracle and central differences.

gradients.py [--route decompose|tile|compile] [--tiling T] [--table]: each kind of
attention, in f32 and f64: the forward and the vector-Jacobian product that the pass
writes are compiled and run, in the tiles T if that is given. Errors are relative to
the largest element wanted:

  oracle    max |got - want| by the float64 definition (test/oracle)
  central   |<grad, direction> - (L(x + h dir) - L(x - h dir)) / 2h|, where L is
            <dO, O> + <dLSE, LSE> of the compiled forward, over random
            directions of each argument (f64)
"""
import argparse
import copy
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "oracle"))
from attention_oracle import attention  # noqa: E402
from emit import FLOATS, Function  # noqa: E402
from execute import call, load_text  # noqa: E402

BASE = dict(dims=[["m", 9], ["n", 11], ["k", 5], ["d", 4]],
            maps=dict(q=["m", "k"], k=["n", "k"], v=["n", "d"], o=["m", "d"], lse=["m"]),
            dynamic=[], scale=0.4, stages=[], visible=None, symbols=[], blocks=None, hidden=None,
            empty_rows="nan", sink=None, position=None, tiling=None, values=1.0, seed=5)
GROUPED = dict(dims=[["b", 2], ["g", 3], ["m", 9], ["n", 11], ["k", 5], ["d", 4]],
               maps=dict(q=["b", "g", "m", "k"], k=["b", "n", "k"], v=["b", "n", "d"], o=["b", "g", "m", "d"],
                         lse=["b", "g", "m"]))
SEED, OFFSET = dict(type="i64", scalar=42), dict(type="i64", scalar=7)


def kinds(t):
    """Name and fields of each kind of attention, its extras in type t."""
    extra = lambda *map: dict(type=t, map=list(map))
    causal = dict(visible=[["m - n + 2 >= 0"]])
    yield "plain", {}
    yield "causal", causal
    yield "window", dict(visible=[["m - n >= 0", "n - m + 3 >= 0"]])
    yield "grouped queries", dict(GROUPED, **causal)
    yield "bias", dict(stages=[["bias", [], [extra("m", "n")]]])
    yield "bias of a key, grouped", dict(GROUPED, stages=[["bias", [], [extra("n")]]])
    yield "scale of a row", dict(stages=[["mul", [], [extra("m")]]])
    yield "soft cap", dict(stages=[["softcap", [1.5], []]])
    yield "soft cap, bias, causal", dict(causal, stages=[["softcap", [1.5], []], ["bias", [], [extra("m", "n")]]])
    yield "alibi", dict(GROUPED, stages=[["alibi", ["n", "m"], [extra("g")]]])
    yield "weight", dict(stages=[["weight", [], [extra("m", "n")]]])
    yield "dropout", dict(stages=[["keep", [0.3], [SEED, OFFSET]]])
    yield "dropout, causal", dict(causal, stages=[["keep", [0.3], [SEED, OFFSET]]])
    yield "sink", dict(sink=dict(type=t, map=["m"], absent=0.0))
    yield "sink of a group, causal", dict(GROUPED, **causal, sink=dict(type=t, map=["g"], absent=0.0))
    yield "replaced keys", dict(visible=[["m - n - 1 >= 0"]], hidden=-2.0)
    yield "rows replaced as a whole", dict(visible=[["m - n - 1 >= 0"]], hidden=-1e9)
    yield "empty rows zero", dict(visible=[["m - n - 1 >= 0"]], empty_rows="zero")
    yield "data mask", dict(stages=[["select", [-1e9], [dict(type="i1", map=["m", "n"])]]])
    rows = [dict(type="i1", map=["m"])]
    yield "replaced keys beside larger scores", dict(causal, hidden=0.0, stages=[["select", [300.0], rows]])
    yield "replaced keys beside their like", dict(causal, hidden=-1e4, stages=[["select", [-1e4], rows]])
    yield "rows masked as a whole", dict(stages=[["select", [-1e9], [dict(type="i1", map=["m"])]]])


def cases(names=None):
    for t in ("f32", "f64"):
        for name, fields in kinds(t):
            yield name, t, copy.deepcopy(dict(BASE, **fields, types=dict.fromkeys("qkvo", t)))


def differentiated(text):
    done = subprocess.run(["attn-opt", "-", "--pass-pipeline=builtin.module(attn-differentiate{functions=%s})" % ",".join(
        line.split("@")[1].split("(")[0] for line in text.splitlines() if line.startswith("func.func"))],
        input=text, text=True, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr[:3000])
    return done.stdout


class Run:
    """One function with its gradients."""
    def __init__(self, name, type, case, number):
        self.name, self.type = name, type
        self.f = Function("f%d" % number, case)
        self.rng = np.random.default_rng(100 + number)
        self.active = [i for i, a in enumerate(self.f.args) if a[0].startswith("tensor") and a[1] in FLOATS]

    def forward(self, library, args):
        return call(library, self.f.name, args, self.f.results)

    def measure(self, library):
        f, args = self.f, self.f.args
        residuals = call(library, f.name + "_forward", args, f.results + f.results)[len(f.results):]
        types = [f.tensor(f.case["maps"][o], self.type) for o in ("o", "lse")]
        as_args = lambda arrays: [(t, self.type, np.asarray(a, dict(f32=np.float32, f64=np.float64)[self.type]))
                                  for t, a in zip(types, arrays)]
        seeds = as_args([self.rng.normal(size=r.shape) for r in residuals])
        # A row without keys has the log-sum-exp -inf, whatever moves.
        seeds[1] = seeds[1][:2] + (np.where(np.isfinite(residuals[1]), seeds[1][2], 0).astype(seeds[1][2].dtype),)
        grads = call(library, f.name + "_vjp", args + as_args(residuals) + seeds,
                     [(args[i][2].ndim, args[i][1]) for i in self.active])
        oracle = dict(f.oracle)
        oracle.update(dout=seeds[0][2], dlse=seeds[1][2])
        with np.errstate(all="ignore"):
            _, _, want = attention(*f.qkv, **oracle)
        wanted = [want[n] for n in "qkv"] + [g for g, e in zip(want["extras"], f.oracle["extras"])
                                             if np.asarray(e[0]).ndim and np.asarray(e[0]).dtype.kind == "f"]
        if f.case["sink"]:
            wanted.append(want["sink"])
        errors = [np.abs(g - w).max() / max(np.abs(w).max(), 1e-30) for g, w in zip(grads, wanted)]
        assert len(errors) == len(self.active)
        return max(errors), self.central(library, grads, seeds) if self.type == "f64" else None

    def central(self, library, grads, seeds):
        worst, h = 0.0, 1e-5
        # A log-sum-exp near a fill does not move, but would drown the rest.
        loss = lambda args: sum(np.sum(np.where(np.abs(r) < 1e6, r, 0) * s[2])
                                for r, s in zip(self.forward(library, args), seeds))
        for i, grad in zip(self.active, grads):
            for _ in range(3):
                step = self.rng.normal(size=grad.shape)
                moved = lambda sign: self.f.args[:i] + [
                    self.f.args[i][:2] + (self.f.args[i][2] + sign * h * step,)] + self.f.args[i + 1:]
                slope = (loss(moved(1)) - loss(moved(-1))) / (2 * h)
                worst = max(worst, abs(slope - np.sum(grad * step)) / max(1.0, np.linalg.norm(grad)))
        return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--route", choices=["decompose", "tile", "compile"], default="decompose")
    parser.add_argument("--tiling", help="of attn-compile: query_block=4,key_block=4,order=kv_outer, say")
    parser.add_argument("--table", action="store_true", help="print a Markdown table")
    options = parser.parse_args()
    runs = [Run(name, t, case, i) for i, (name, t, case) in enumerate(cases())]
    text = differentiated("".join(r.f.text for r in runs))
    library = load_text(text, options.route, ["--tiling=" + options.tiling] if options.tiling else [])
    rows, wrong = {}, 0
    for run in runs:
        error, central = run.measure(library)
        rows.setdefault(run.name, []).append(error)
        if central is not None:
            rows[run.name].append(central)
        bound = 2e-5 if run.type == "f32" else 1e-12
        if not error <= bound or (central is not None and not central <= 1e-7):
            wrong += 1
            print("%s, %s: error %.1e, central %s" % (run.name, run.type, error, central))
    if options.table:
        print("| attention | f32 | f64 | f64, central differences |\n|---|---|---|---|")
        for name, (single, double, central) in rows.items():
            print("| %s | %.1e | %.1e | %.1e |" % (name, single, double, central))
    print("%d of %d gradients agree (%s)" % (len(runs) - wrong, len(runs), options.route))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
