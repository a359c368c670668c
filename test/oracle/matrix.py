"""Draws random attentions, runs them on a route and compares with the oracle.

matrix.py [--count N] [--seed S] [--route decompose|tile|compile|neon] [--option X ...]
          [--only SEED] [--batch N] [--keep-going: print all] [--mutate]

All functions of a batch are one module: a few processes for many draws. A
disagreement (the first) is simplified as far as it lasts, then printed as IR
together with its seed; `--only SEED` runs that draw alone. Exit 0: all agree, 1: not.

`--mutate` shows that the comparison can fail: one option of each draw is changed
in the IR but not for the oracle; each kind of change must be seen.

Tolerance: with A = max(1, max|v| max|z|) and X the largest finite |score|,
  |O - want|   <= A (2 u(V) + 2 u(O) + 16 u(acc) (1 + X))
  |LSE - want| <= 16 u(acc) (1 + X) + 2 u(acc) |want|
where u is the unit roundoff of a type (f16 2^-11, bf16 2^-8, f32 2^-24, f64
2^-53): P is rounded to V's type, O to its own, everything else is kept in the
accumulate type. NaN matches NaN, an infinity only itself.
"""
import argparse
import copy
import json
import sys

import numpy as np

from attention_oracle import attention
from draw import Draw, simpler
from emit import ROUNDOFF, Function
from execute import CompileError, call, failing, load


def largest(array):
    array = np.abs(np.asarray(array, np.float64))
    array = array[np.isfinite(array)]
    return array.max() if array.size else 0.0


def tolerances(f):
    """Absolute tolerances of O and LSE, as the page above states them."""
    types, q, k, v = f.case["types"], *f.qkv
    depth = np.prod([n for d, n in f.case["dims"] if d in f.case["maps"]["q"] and d in f.case["maps"]["k"]], dtype=float)
    X = abs(f.case["scale"]) * largest(q) * largest(k) * np.sqrt(depth)
    Z = 1.0
    for stage, numbers, *params in f.oracle["score"]:
        size = [largest(f.oracle["extras"][n][0]) for n in numbers]
        if stage == "bias":
            X += size[0]
        elif stage == "mul":
            X *= max(1, size[0])
        elif stage == "alibi":
            X += size[0] * 40
        elif stage == "weight":
            Z *= max(1, size[0])
        elif stage == "keep" and params[0] < 1:
            Z /= 1 - params[0]
    accumulate = 16 * ROUNDOFF[f.acc] * (1 + X)
    A = max(1, largest(v)) * Z
    return A * (2 * ROUNDOFF[types["v"]] + 2 * ROUNDOFF[types["o"]] + accumulate), accumulate


def disagreement(got, want, tolerance):
    """None, or a sentence on the worst element; the tolerance may be an array."""
    if got.shape != want.shape:
        return "shape %s, want %s" % (got.shape, want.shape)
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want)
    special = ~np.isfinite(got) | ~np.isfinite(want)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    error = np.where(special, np.where(same, 0, np.inf), error)
    tolerance = np.broadcast_to(tolerance, error.shape)
    if not (error > tolerance).any():
        return None
    at = np.unravel_index((error / tolerance).argmax(), error.shape)
    return "[%s]: got %.9g, want %.9g, tolerance %.2g; %d of %d elements off" % (
        ", ".join(map(str, at)), got[at], want[at], tolerance[at], (error > tolerance).sum(), error.size)


def check(f, library):
    """None, or what is wrong with a compiled function."""
    got = call(library, f.name, f.args, f.results)
    want = attention(*f.qkv, **f.oracle)
    o, lse = tolerances(f)
    finite = np.where(np.isfinite(want[1]), want[1], 0)
    bounds = o, lse + 2 * ROUNDOFF[f.acc] * np.abs(finite)
    for name, g, w, tolerance in zip(("O", "LSE"), got, want, bounds):
        message = disagreement(g, w, tolerance)
        if message:
            return "%s%s" % (name, message)
    return None


def run(cases, route, options, compiled=None, check=check):
    """One message or None per case. `compiled`: the cases as compiled, where
    these are not those of the oracle. Functions that do not compile are taken
    out of the module, found one by one or by halving it."""
    compiled = compiled or cases
    functions = [Function("f%d" % i, case) for i, case in enumerate(cases)]
    built = [Function("f%d" % i, case) for i, case in enumerate(compiled)]
    texts = [f.text for f in built]
    try:
        library, error = load(built, route, options), None
    except (CompileError, OSError) as failure:
        error = "does not compile: %s" % failure
    if not error:
        return [check(f, library) for f in functions]
    if len(cases) == 1:
        return [error]
    named = failing(texts, route, options)
    rest = [i for i in range(len(cases)) if i not in named]
    if not named:
        rest = rest[:len(cases) // 2]
    out = dict(named)
    groups = [rest, [i for i in range(len(cases)) if i not in named and i not in rest]]
    for group in groups:
        if group:
            out.update(zip(group, run([cases[i] for i in group], route, options, [compiled[i] for i in group],
                                      check)))
    return [out[i] for i in range(len(cases))]


def shrink(case, message, route, options, check=check):
    for _ in range(12):
        steps = list(simpler(case))
        if not steps:
            break
        failed = [(s, m) for s, m in zip(steps, run(steps, route, options, check=check))
                  if m and m.startswith("does not") == message.startswith("does not")]
        if not failed:
            break
        case, message = failed[0]
    return case, message


def flip(case, path, change):
    """The case with one entry changed, or None where it has no such entry."""
    case = copy.deepcopy(case)
    where = case
    try:
        for key in path[:-1]:
            where = where[key]
        where[path[-1]] = change(where[path[-1]])
    except (KeyError, IndexError, TypeError):
        return None
    return case


MUTATIONS = {
    "empty_rows": lambda c: flip(c, ["empty_rows"], lambda e: "nan" if e == "zero" else "zero"),
    "hidden value": lambda c: flip(c, ["hidden"], lambda h: h + 1.0 if abs(h) < 100 else -1.0),
    "hidden kind": lambda c: flip(c, ["hidden"], lambda h: None if h is not None else 0.25 if not c["blocks"] else h),
    "scale": lambda c: flip(c, ["scale"], lambda s: s * 1.02 + 0.001),
    "mask": lambda c: flip(c, ["visible", 0, 0], lambda v: v.replace(" >= 0", " + 1 >= 0")),
    "origin": lambda c: c["position"] and flip(c, ["position", "origin"], lambda o: {d: i + 1 for d, i in o.items()}),
    "softcap": lambda c: flip(c, ["stages", 0, 1, 0], lambda p: p * 1.1) if c["stages"] and c["stages"][0][0] == "softcap" else None,
    "keep": lambda c: flip(c, ["stages", 0, 1, 0], lambda p: 1 - p) if c["stages"] and c["stages"][0][0] == "keep" else None,
}


def mutate(cases, route, options, check=check, mutations=MUTATIONS):
    """Prints how many changed draws of each kind are seen; 1 if a kind is not."""
    missed = 0
    for name, change in mutations.items():
        changed = [(case, change(case)) for case in cases]
        changed = [(case, new) for case, new in changed if new and new != case]
        seen = sum(bool(m) for m in run([c for c, _ in changed], route, options, [n for _, n in changed], check))
        print("mutation of %s: %d of %d seen" % (name, seen, len(changed)))
        missed += seen == 0
    print("every mutation is seen" if not missed else "%d mutations are not seen" % missed)
    return 1 if missed else 0


def main(make=lambda seed: Draw(seed).case(), check=check, mutations=MUTATIONS):
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--batch", type=int, default=150)
    parser.add_argument("--route", choices=["decompose", "tile", "compile", "neon"], default="decompose")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--mutate", action="store_true")
    args = parser.parse_args()
    first = args.seed * 100000
    seeds = [args.only] if args.only is not None else range(first, first + args.count)
    if args.mutate:
        sys.exit(mutate([make(seed) for seed in seeds], args.route, args.option, check, mutations))
    wrong = 0
    for start in range(0, len(seeds), args.batch):
        part = seeds[start:start + args.batch]
        cases = [make(seed) for seed in part]
        for seed, case, message in zip(part, cases, run(cases, args.route, args.option, check=check)):
            if not message:
                continue
            wrong += 1
            if wrong > 1 and not args.keep_going:
                continue
            print("seed %d: %s" % (seed, message[:1500]))
            if wrong > 1:
                continue
            small, message = shrink(case, message, args.route, args.option, check)
            print("simplified: %s\n%s\n%s" % (message[:3000], Function("main", small).text, json.dumps(small)))
    print("%d of %d draws agree with the oracle (%s)" % (len(seeds) - wrong, len(seeds), args.route))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
