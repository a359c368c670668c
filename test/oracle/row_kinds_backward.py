"""The gradient columns of docs/RowKinds.md, executed: each kind of row x {dQ, dK,
dV}, by attn.attention_backward.

row_kinds_backward.py [--route decompose|tile|compile|neon] [--order kv_outer|q_outer]
                      [--types f32,bf16,f16,f64]

The kinds are those of row_kinds.py. A cell is checked against the table (what row
0 of dQ and all of dK and dV are: finite, 0, NaN), and every element against the
oracle.
"""
import argparse
import copy
import sys

import numpy as np

from attention_oracle import attention
from emit import Function, round_to
from execute import load
from matrix import disagreement
from matrix_backward import compared
from row_kinds import BASE, kinds

# What row 0 of dQ and what dK and dV are, by the kind's name: the first entry
# that is part of it.
TABLE = [
    ("N = 0", ("0", "none", "none")),
    ("all scores -inf, zero", ("0", "finite", "finite")),
    # A score of -inf that the region made is no hidden key: a select passes
    # nothing through to it, an addition does.
    ("all scores -inf, nan_select", ("NaN", "NaN", "NaN")),
    ("all scores -inf, nan", ("NaN", "NaN", "NaN")),
    ("nothing visible, zero", ("0", "0", "0")),
    ("nothing visible, nan_select", ("0", "0", "NaN")),
    ("nothing visible, nan", ("NaN", "NaN", "NaN")),
    ("nan_select", ("0", "finite", "NaN")),
    ("NaN score", ("NaN", "NaN", "NaN")),
    ("zero", ("0", "finite", "finite")),
    ("nan", ("NaN", "NaN", "NaN")),
    ("replace, all hidden", ("0", "finite", "finite")),
    ("replace by -1e9, all hidden", ("0", "finite", "finite")),
    ("sink and no key", ("0", "finite", "finite")),
    # Row 0 sees one key, and its probability is 1 whatever the score: dQ is 0 but
    # for rounding.
    ("normal", ("any", "finite", "finite")),
    ("sink -inf", ("any", "finite", "finite")),
    ("", ("finite", "finite", "finite")),
]


def state(array):
    if array.size == 0:
        return "none"
    if np.isnan(array).all():
        return "NaN"
    if not np.isfinite(array).all():
        return "mixed"
    return "finite" if array.any() else "0"


def function(name, kind, type, tiling):
    """A kind as a function of one backward; O and LSE are those of its arrays."""
    gradients = dict(types=dict(dict.fromkeys("qkv", type), sink="f32", extras=type), dlse=False, extras=[])
    case = copy.deepcopy(dict(BASE, **kind[1], types=dict.fromkeys("qkvo", type), backward=gradients))
    case["tiling"] = tiling
    f = Function(name, case)
    if kind[2]:
        kind[2](f)
    with np.errstate(all="ignore"):
        given = dict(f.oracle, dout=None)
        forward = attention(*f.qkv, **given)
    for i, array in zip(f.forward, forward):
        type, element, _ = f.args[i]
        f.args[i] = type, element, round_to(array, element)
    return f


def check(name, f, library):
    """Messages: cells of the table, and elements unlike the oracle's."""
    said = next(cells for part, cells in TABLE if part in name)
    gradients = list(compared(f, library))
    for (gradient, got, want, tolerance), cell in zip(gradients, said + ("any",)):
        if "NaN score, empty rows zero" in name and gradient != "dQ":
            # Row 0 sees key 0; others are unspecified.
            got, want, tolerance = got[:1], want[:1], tolerance[:1]
        message = disagreement(got, want, tolerance)
        if message:
            yield "%s: %s%s" % (name, gradient, message)
        found = state(got[0] if gradient == "dQ" else got)
        if cell not in ("any", found):
            yield "%s: %s is %s, the table says %s" % (name, gradient, found, cell)


def run(parser, listed, check, what):
    """Runs and compares gradients. listed(args): (name, kind, type) of each function;
    check(name, function, library): what is wrong with it."""
    parser.add_argument("--route", choices=["decompose", "tile", "compile", "neon"], default="decompose")
    parser.add_argument("--order", choices=["kv_outer", "q_outer"], default="kv_outer")
    args = parser.parse_args()
    tiling = None
    if args.route != "decompose":
        tiling = dict(query_block=[2], key_block=[4], order=args.order, key_splits=1)
    functions = [("%s, %s" % (name, type), function("kind%d" % i, kind, type, tiling))
                 for i, (name, kind, type) in enumerate(listed(args))]
    library = load([f for _, f in functions], args.route)
    wrong = [message for name, f in functions for message in check(name, f, library)]
    print("\n".join(wrong))
    print("%d %s, %d cells wrong (%s, %s)" % (len(functions), what, len(wrong), args.route, args.order))
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--types", default="f32,bf16,f16,f64")
    run(parser, lambda args: [(kind[0], kind, type) for type in args.types.split(",") for kind in kinds()], check, "kinds")


if __name__ == "__main__":
    main()
