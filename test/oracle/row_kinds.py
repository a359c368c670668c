"""The table of docs/RowKinds.md: each kind of row x {O, LSE}, executed, and its
gradients by the oracle.

row_kinds.py [--route decompose|tile|compile]

A kind is a case (see emit.py), a change of its arrays, the row looked at and
what the table says of that row; the other rows must be as the oracle has them.
"""
import argparse
import copy
import sys

import numpy as np

from attention_oracle import attention
from emit import Function
from execute import call, load
from matrix import disagreement, tolerances

NAN, INF = np.nan, np.inf
BASE = dict(dims=[["m", 4], ["n", 6], ["k", 5], ["d", 3]],
            maps=dict(q=["m", "k"], k=["n", "k"], v=["n", "d"], o=["m", "d"], lse=["m"]),
            types=dict.fromkeys("qkvo", "f32"), dynamic=[], scale=0.5, stages=[], visible=None, symbols=[],
            blocks=None, hidden=None, empty_rows="nan", sink=None, position=None, tiling=None,
            values=1.0, seed=11)
STRICT = [["m - n - 1 >= 0"]]  # row 0 sees no key
SINK = dict(type="f32", map=["m"], absent=0.0)
BIAS = [["bias", [], [dict(type="f32", map=["m", "n"])]]]


def fill(argument, value):
    """Sets row 0 of an argument."""
    def change(f):
        f.args[argument][2][0] = value
    return change


def kinds():
    """name, fields of the case, change of its arguments, want O, want LSE of row
    0 (None: finite, as the oracle says; a function of the Function otherwise)."""
    mean = lambda f: f.qkv[2].astype(float).mean(axis=0)
    empty = dict(nan=NAN, nan_select=NAN, zero=0.0)
    yield "normal", dict(visible=[["m - n >= 0"]]), None, None, None
    for rows, o in empty.items():
        with_rows = lambda **more: dict(more, empty_rows=rows)
        yield "no visible key, " + rows, with_rows(visible=STRICT), None, o, -INF
        yield "nothing visible, " + rows, with_rows(visible=[]), None, o, -INF
        yield "no key (N = 0), " + rows, with_rows(dims=[["m", 4], ["n", 0], ["k", 5], ["d", 3]]), None, o, -INF
        yield "blocks all false, " + rows, with_rows(blocks=["m floordiv 1", "n floordiv 2"]), fill(3, False), o, -INF
        yield "all scores -inf, " + rows, with_rows(stages=BIAS), fill(3, -INF), o, -INF
        yield "sink -inf and no key, " + rows, with_rows(visible=STRICT, sink=SINK), fill(3, -INF), o, -INF
        yield "replace, all scores -inf, " + rows, with_rows(
            stages=BIAS, visible=[["n >= 0"]], hidden=-1e9), fill(3, -INF), o, -INF
        yield "replace and N = 0, " + rows, with_rows(
            visible=[], hidden=-1e9, dims=[["m", 4], ["n", 0], ["k", 5], ["d", 3]]), None, o, -INF
    yield "replace, all hidden", dict(visible=STRICT, hidden=-7.0), None, mean, -7.0 + np.log(6)
    yield "replace by -1e9, all hidden", dict(visible=STRICT, hidden=-1e9), None, mean, -1e9 + np.log(6)
    yield "replace, some hidden", dict(visible=[["m - n >= 0"]], hidden=-2.0), None, None, None
    yield "sink and no key", dict(visible=STRICT, sink=SINK, empty_rows="nan"), fill(3, 1.5), 0.0, 1.5
    yield "sink", dict(visible=[["m - n >= 0"]], sink=SINK), fill(3, 1.5), None, None
    yield "sink -inf", dict(visible=[["m - n >= 0"]], sink=SINK), fill(3, -INF), None, None
    yield "NaN score", dict(), fill(0, NAN), NAN, NAN
    yield "NaN score, empty rows zero", dict(visible=[["m - n >= 0"]], empty_rows="zero"), fill(0, NAN), NAN, NAN


def check_row(kind, f, got, want):
    """Messages: row 0 against the table, all rows against the oracle."""
    name, _, _, o, lse = kind
    bounds = tolerances(f)
    bounds = bounds[0], bounds[1] + 1e-6 * np.abs(np.where(np.isfinite(want[1]), want[1], 0))
    for cell, g, w, said, bound in zip(("O", "LSE"), got, want, (o, lse), bounds):
        message = disagreement(g, w, bound)
        if message:
            yield "%s: %s%s" % (name, cell, message)
        if said is None:
            if not np.isfinite(g[0]).all():
                yield "%s: %s of row 0 is not finite" % (name, cell)
            continue
        said = np.broadcast_to(np.asarray(said(f) if callable(said) else said, float), g[0].shape)
        message = disagreement(g[0], said, np.max(bound))
        if message:
            yield "%s: %s of row 0 is not what the table says: %s" % (name, cell, message)


def gradients():
    """The gradient columns, by the oracle: (kind, message) of each wrong cell."""
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(4, 5)), rng.normal(size=(6, 5)), rng.normal(size=(6, 3))
    dout, dlse = rng.normal(size=(4, 3)), np.zeros(4)
    common = dict(dims="m n k d", maps=["m k", "n k", "n d", "m d"], dout=dout, dlse=dlse)
    strict = lambda i, e, s: i["m"] - i["n"] - 1 >= 0
    run = lambda q=q, **more: attention(q, k, v, **{**common, **more})[2]
    state = lambda a: "NaN" if np.isnan(a).all() else "0" if (a == 0).all() else \
        "finite" if np.isfinite(a).all() else "mixed"
    table = [  # kind, gradients, dQ of row 0, dK, dV
        ("normal", run(visible=lambda i, e, s: i["m"] + 1 >= i["n"]), "finite", "finite", "finite"),
        ("empty, zero", run(visible=strict, empty_rows="zero"), "0", "finite", "finite"),
        ("empty, nan", run(visible=strict), "NaN", "NaN", "NaN"),
        ("empty, nan_select", run(visible=strict, empty_rows="nan_select"), "0", "finite", "NaN"),
        ("replace, all hidden", run(visible=strict, hidden=-7.0), "0", "finite", "finite"),
        ("sink and no key", run(visible=strict, sink=(np.ones(4), "m")), "0", "finite", "finite"),
        ("NaN score", run(np.where(np.arange(4)[:, None] == 0, NAN, q)), "NaN", "NaN", "NaN"),
    ]
    for name, grads, *want in table:
        with np.errstate(all="ignore"):
            got = [state(grads["q"][0]), state(grads["k"]), state(grads["v"])]
        for cell, g, w in zip(("dQ", "dK", "dV"), got, want):
            if g != w:
                yield "%s: %s is %s, the table says %s" % (name, cell, g, w)
    # Replaced keys are in the sum and receive dV, uniformly in a row of them only.
    dv = run(visible=strict, hidden=-7.0, dout=np.where(np.arange(4)[:, None] == 0, dout, 0))["v"]
    if not np.allclose(dv, dout[0] / 6):
        yield "replace, all hidden: dV is not the mean"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--route", choices=["decompose", "tile", "compile", "neon"], default="decompose")
    parser.add_argument("--option", action="append", default=[])
    args = parser.parse_args()
    table, functions = [], []
    for type in ("f32", "f16", "f64"):
        for kind in kinds():
            case = copy.deepcopy(dict(BASE, **kind[1], types=dict.fromkeys("qkvo", type)))
            if args.route != "decompose":
                case["tiling"] = dict(query_block=[2], key_block=[4], order="q_outer", key_splits=1)
            f = Function("kind%d" % len(functions), case)
            if kind[2]:
                kind[2](f)
            table.append((kind[0] + ", " + type,) + kind[1:])
            functions.append(f)
    library = load(functions, args.route, args.option)
    wrong = list(gradients())
    for kind, f in zip(table, functions):
        got = call(library, f.name, f.args, f.results)
        wrong += check_row(kind, f, got, attention(*f.qkv, **f.oracle))
    print("\n".join(wrong))
    print("%d rows, %d cells wrong (%s)" % (len(functions), len(wrong), args.route))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
