"""The kinds of rows of row_kinds.py under every kind of mask, their gradients.

row_kinds_masks.py [--route decompose|tile|compile|neon] [--order kv_outer|q_outer]

Each kind of row meets each mask in one type, and each type under some mask. A row
that has no key there has none here, for another reason; one that has keys sees
those that the mask leaves. Every element is compared with the oracle.
"""
import argparse
import types

import numpy as np

from matrix import disagreement
from matrix_backward import compared
from row_kinds import STRICT, kinds
from row_kinds_backward import run

# Sets in which row 0 has no key, and in which each row has one.
SETS = {
    "causal": ([["m - n - 1 >= 0"]], [["m - n >= 0"]]),
    "window": ([["m - n - 1 >= 0", "n - m + 2 >= 0"]], [["m - n >= 0", "n - m + 1 >= 0"]]),
    "lengths": ([["s0 - n - 1 >= 0", "m - 1 >= 0"]], [["s0 - n - 1 >= 0"]]),
}
LENGTH = dict(type="index", scalar=3)
TYPES = ["f32", "bf16", "f64"]


def without_symbols(change):
    """A change that counts arguments without those of the mask."""
    return change and (lambda f: change(types.SimpleNamespace(args=[a for a in f.args if a[1] != "index"])))


def masked():
    """(name, fields, change) of each kind under each mask that it can have."""
    for name, fields, change, *_ in kinds():
        visible = fields.get("visible")
        if visible == [] or fields.get("blocks") or visible == [["n >= 0"]]:
            continue  # no key at all, whatever the mask
        empty = visible == STRICT
        for mask, (without, with_keys) in SETS.items():
            more = dict(fields, visible=without if empty else with_keys)
            if mask == "lengths":
                more["symbols"] = [LENGTH]
            yield "%s, %s" % (name, mask), more, without_symbols(change)
        if "hidden" in fields or "dims" in fields:
            continue  # blocks are skipped, and there are some
        more = dict(fields, visible=None, blocks=["m floordiv 1", "n floordiv 2"])
        def both(f, change=change, empty=empty):
            if change:
                change(f)
            shown = next(a for a in f.args if a[1] == "i1")[2]
            shown[0] = False
            shown[:, 0] |= True
            shown[0, 0] = not empty
        yield "%s, blocks" % name, more, both


def check(name, f, library):
    for gradient, got, want, tolerance in compared(f, library):
        if "NaN score" in name and gradient in ("dK", "dV"):
            # Key 0 is visible; what hidden keys get is not specified.
            got, want, tolerance = got[:1], want[:1], tolerance[:1]
        message = disagreement(got, want, tolerance)
        if message:
            yield "%s: %s%s" % (name, gradient, message)


def listed(_):
    for i, (name, fields, change) in enumerate(masked()):
        yield name, (name, fields, change, None, None), TYPES[i % len(TYPES)]


if __name__ == "__main__":
    run(argparse.ArgumentParser(), listed, check, "kinds under masks")
