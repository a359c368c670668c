"""Draws a form of attention, or of a near miss, and spells it (spell.py).

A case is a dict of options; DEFAULTS spells plain attention, so that a failing
case is simplified by putting options back one by one.
"""
import random

import numpy as np

from spell import Function

DEFAULTS = {"b": 0, "h": 0, "g": 0, "m": 4, "n": 4, "k": 3, "d": 3, "element": "f32", "shuffle": False,
            "merge": False, "repeat": False, "scale": None, "on": "score", "softcap": False, "mask": None, "shift": 0,
            "fill": "-inf", "mask_by": "select", "bias": None, "rows": False, "maximum": "row", "divide": "inside", "fused": False, "sink": None,
            "guard": False, "producers": False, "base2": False, "units": False, "miss": None}
MISSES = ["prefix_sum", "column_max", "weight", "epsilon", "return_p", "return_sum", "mask_after", "mask_above_only",
          "other_exponent", "transposed_p", "upside_down", "accumulate", "twice", "column_sum", "squared", "two_scores", "mean"]


def draw(seed, misses=0.3):
    rng = random.Random(seed)
    pick = rng.choice
    case = dict(DEFAULTS)
    case.update(seed=seed, b=pick([0, 0, 1, 2]), h=pick([0, 2, 3]), m=pick([1, 2, 4, 5]), n=pick([2, 3, 4, 6]),
                k=pick([2, 3]), d=pick([2, 4]), element=pick(["f32"] * 6 + ["f64"]), shuffle=rng.random() < 0.5,
                scale=pick([None, 0.5, -0.25, 0.17677669]), on=pick(["score", "query", "key", "both"]),
                softcap=rng.random() < 0.15, mask=pick([None, None, "causal", "window", "table", "data", "both"]),
                shift=pick([0, 0, 1, -1, 2]), fill=pick(["-inf", "-inf", "min", "-1e9", "-5"]),
                mask_by=pick(["select", "add", "select_not"]), bias=pick([None, None, "mn", "n", "h", "full"]),
                rows=rng.random() < 0.1, producers=rng.random() < 0.3,
                maximum=pick(["row", "row", "lowest", "none", "zero", "unscaled"]), divide=pick(["inside", "after", "reciprocal", "log"]),
                fused=rng.random() < 0.4, sink=pick([None] * 5 + ["one", "arg", "column"]), guard=rng.random() < 0.15,
                base2=rng.random() < 0.1, units=rng.random() < 0.2)
    if case["h"]:
        case["g"] = pick([0, 0, 2])
        case["repeat"] = rng.random() < 0.5
        case["merge"] = bool(case["b"]) and not case["g"] and rng.random() < 0.5
    if case["sink"]:
        case["base2"] = False
    if rng.random() < misses:
        case["miss"] = pick(MISSES)
        case["sink"] = None
        if case["miss"] in ("transposed_p", "column_max", "column_sum", "mask_after"):
            case["n"] = case["m"] = 4
    return case


def condition(f, case, rng):
    """The expression of the keys that a mask shows, and its further operands."""
    m, n = ("idx", "m"), ("idx", "n")
    shown = ("cmp", "sle", ("subi", n, m), ("int", case["shift"]))
    if case["mask"] == "causal":
        return shown, []
    if case["mask"] == "window":
        return ("and", shown, ("cmp", "slt", ("subi", m, ("int", 2)), n)), []
    if case["mask"] == "table":
        i, j = np.ogrid[:case["m"], :case["n"]]
        table = f.constant(["m", "n"], "i1", j - i <= case["shift"])
        return ("in", 1), [table]
    keep = np.asarray([rng.random() < 0.7 for _ in range(case["n"])])
    data = f.arg(["n"], "i1", keep)
    if case["mask"] == "both":
        return ("and", shown, ("in", 1)), [data]
    return ("in", 1), [data]


def spell(case, name):
    """The text of the case as a function, its arguments and its results."""
    rng = random.Random(case["seed"] * 7919 + 13)
    numbers = np.random.default_rng(case["seed"])
    f = Function(name, rng)
    e = case["element"]
    batch = [l for l in "bh" if case[l]]
    f.sizes.update({l: case[l] for l in "bhgmnkd" if case[l]})
    group = ["g"] if case["g"] else []

    def tensor(labels):
        return f.arg(labels, e, numbers.standard_normal([f.sizes[l] for l in labels]))
    q, k, v = tensor(batch + group + ["m", "k"]), tensor(batch + ["n", "k"]), tensor(batch + ["n", "d"])

    if case["producers"]:  # what a compiler may fuse into the contractions
        q = f.map([q, tensor(["k"])], ("addf", ("in", 0), ("in", 1)), q.labels)
        k = f.map([k, tensor(["n"])], ("mulf", ("in", 0), ("in", 1)), k.labels)
        v = f.map([v, tensor(["n"])], ("divf", ("in", 0), ("addf", ("c", 2.0), ("mulf", ("in", 1), ("in", 1)))), v.labels)

    def scaled(x, c):
        if case["maximum"] != "unscaled" and rng.random() < 0.3:
            return f.map([x], ("divf", ("in", 0), ("c", 1 / c)), x.labels)
        return f.map([x], ("mulf", ("in", 0), ("c", c)), x.labels)
    scale = case["scale"]
    if scale and case["on"] in ("query", "both"):
        q = scaled(q, scale if case["on"] == "query" else 0.5)
    if scale and case["on"] in ("key", "both"):
        k = scaled(k, scale if case["on"] == "key" else 0.5)
    rows = batch + group + ["m"]
    if group and case["repeat"]:
        k = f.map([k], ("in", 0), batch + ["g", "n", "k"])
        v = f.map([v], ("in", 0), batch + ["g", "n", "d"])
        if rng.random() < 0.5:
            q, k, v = (f.split(f.merge(x, "h", "g"), "h.g") for x in (q, k, v))
    if case["shuffle"]:
        q, k, v = f.shuffle(q), f.shuffle(k), f.shuffle(v)
    merged = case["merge"]
    if merged:
        q, k, v = (f.merge(x, "b", "h") for x in (q, k, v))
    outer = ["b.h", "m"] if merged else rows
    order = outer + ["n"]
    if case["shuffle"]:
        rng.shuffle(order)
    init = None
    if case["miss"] == "two_scores":
        init = f.contract(f.map([q], ("mulf", ("in", 0), ("in", 0)), q.labels), k, order)
    s = raw = f.contract(q, k, order, init)
    if merged:
        s = raw = f.split(s, "b.h")
    labels = list(s.labels)
    if scale and case["on"] == "score":
        s = scaled(s, scale)
    if case["softcap"]:
        s = f.map([s], ("mulf", ("tanh", ("mulf", ("in", 0), ("c", 0.5))), ("c", 2.0)), labels)
    bias = {"mn": ["m", "n"], "n": ["n"], "h": [l for l in labels if l == "h"], "full": labels, None: None}[case["bias"]]
    if bias:
        s = f.map([s, tensor(bias)], ("addf", ("in", 0), ("in", 1)), labels)
    if case["rows"]:  # a bias per row that hides some rows altogether
        hide = np.where(numbers.random(case["m"]) < 0.3, -np.inf, 0.5)
        s = f.map([s, f.arg(["m"], e, hide)], ("addf", ("in", 0), ("in", 1)), labels)
    if case["miss"] == "mean":
        s = f.map([s, f.reduce(s, ["n"], "sum")], ("mulf", ("in", 0), ("in", 1)), labels)
    shown, more = condition(f, case, rng) if case["mask"] else (None, [])
    c = {"-inf": -np.inf, "min": float(np.finfo({"f32": np.float32, "f64": np.float64}[e]).min), "-1e9": -1e9, "-5": -5.0}[case["fill"]]
    unmasked = s
    if shown:
        by = {"select": ("sel", shown, ("in", 0), ("c", c)),
              "select_not": ("sel", ("not", shown), ("c", c), ("in", 0)),
              "add": ("addf", ("in", 0), ("sel", shown, ("c", 0.0), ("c", c)))}[case["mask_by"]]
        s = f.map([s] + more, by, labels)
    # The softmax
    column = case["sink"] == "column"
    if column:
        f.sizes["one"] = 1
        sinks = tensor([l for l in labels if l == "h"])
        s = f.concat(s, f.map([sinks], ("in", 0), [l if l != "n" else "one" for l in s.labels]), "n", "N")
        labels = list(s.labels)
    keys = "N" if column else "n"
    if case["units"]:
        s = f.add_unit(s)

    exp = "exp2" if case["base2"] else "exp"
    row_labels = [l for l in labels if l != keys]
    if case["miss"] == "column_max":
        top = f.reduce(s, ["m"], "max")
    elif case["maximum"] == "none":
        top = None
    else:
        unscaled = case["maximum"] == "unscaled"
        top = f.reduce(raw if unscaled else s, ["n" if unscaled else keys], "max",
                       {"zero": 0.0, "lowest": float(np.finfo({"f32": np.float32, "f64": np.float64}[e]).min)}.get(case["maximum"]))
    def exponential(x, shift):
        if shift is None:
            return f.map([x], (exp, ("in", 0)), labels)
        if case["fused"]:
            return f.map([x, shift], (exp, ("subf", ("in", 0), ("in", 1))), labels)
        return f.map([f.map([x, shift], ("subf", ("in", 0), ("in", 1)), labels)], (exp, ("in", 0)), labels)
    p = exponential(s, top)
    below = p
    if case["miss"] == "mask_above_only":
        below = exponential(unmasked, top)
        if not shown:
            p = f.map([p], ("sel", ("cmp", "slt", ("idx", "n"), ("int", 1)), ("c", 0.0), ("in", 0)), labels)
    if case["miss"] == "other_exponent":
        below = exponential(f.map([s], ("mulf", ("in", 0), ("c", 1.5)), labels), top)
    if case["miss"] == "prefix_sum":
        below = f.map([p], ("sel", ("cmp", "slt", ("idx", "n"), ("int", 1)), ("in", 0), ("c", 0.0)), labels)
    start = {"epsilon": 0.01}.get(case["miss"])
    total = f.reduce(below, ["m" if case["miss"] == "column_sum" else keys], "sum", start)
    if case["sink"] in ("one", "arg") and not case["base2"]:
        sink = ("c", 0.0) if case["sink"] == "one" else ("in", 1)
        ins = [total] + ([tensor([l for l in row_labels if l == "h"])] if case["sink"] == "arg" else [])
        if top is not None:
            ins.append(top)
            sink = ("subf", sink, ("in", len(ins) - 1))
        total = f.map(ins, ("addf", ("in", 0), ("exp", sink)), [l for l in total.labels if l != "_"])
    divide = case["divide"]
    if divide == "log" and not case["base2"] and case["sink"] in (None, "column") and case["miss"] in (None, "return_p", "return_sum"):
        ins, lse = [total], ("log", ("in", 0))
        if top is not None:
            ins, lse = [total, top], ("addf", lse, ("in", 1))
        p = exponential(s, f.map(ins, lse, row_labels))
        normalised = True
    else:
        divide = "inside" if divide == "log" else divide
        normalised = False
    def over(x, total, labels):
        if case["miss"] == "upside_down":
            return f.map([x, total], ("divf", ("in", 1), ("in", 0)), labels)
        if case["miss"] == "twice":
            return f.map([x, total], ("divf", ("divf", ("in", 0), ("in", 1)), ("in", 1)), labels)
        if divide == "reciprocal":
            one = f.map([total], ("divf", ("c", 1.0), ("in", 0)), [l for l in total.labels if l != "_"])
            return f.map([x, one], ("mulf", ("in", 0), ("in", 1)), labels)
        return f.map([x, total], ("divf", ("in", 0), ("in", 1)), labels)
    after = divide == "after" and not column and case["miss"] not in ("upside_down", "column_sum", "mask_after", "return_p", "transposed_p")
    if not normalised and not after:
        p = over(p, total, labels)
    if column:
        p, labels = f.first(p, "N", "n"), [l if l != "N" else "n" for l in labels]
    if case["guard"] and not after and not column:
        hidden = f.map([s], ("isinf", ("in", 0)), labels, "i1")
        p = f.map([p, f.reduce(hidden, ["n"], "all")], ("sel", ("in", 1), ("c", 0.0), ("in", 0)), labels)
    if case["miss"] == "weight":
        p = f.map([p, tensor(["m", "n"])], ("mulf", ("in", 0), ("in", 1)), labels)
    if case["miss"] == "squared":
        p = f.map([p], ("mulf", ("in", 0), ("in", 0)), labels)
    if case["miss"] == "mask_after":
        p = f.map([p], ("sel", ("cmp", "sle", ("idx", "n"), ("idx", "m")), ("in", 0), ("c", 0.0)), labels)
    returned = p
    if case["miss"] == "transposed_p":
        p.labels = [{"m": "n", "n": "m"}.get(l, l) for l in p.labels]
    if merged:
        p = f.merge(p, "b", "h")
    result = outer[:-1] + ["m", "d"]
    if case["shuffle"]:
        rng.shuffle(result)
    accumulator = tensor(result) if case["miss"] == "accumulate" and not merged else None
    o = f.contract(p, v, result, accumulator)
    if merged:
        o = f.split(o, "b.h")
    if not normalised and after:
        o = over(o, total, [l for l in o.labels])
    if case["shuffle"]:
        o = f.shuffle(o)
    results = [o]
    if case["miss"] == "return_p":
        results.append(returned)
    if case["miss"] == "return_sum":
        results.append(total)
    return f.text(results), f.args, results


def expects_fusion(case):
    """True if the case is an attention that can be fused as it stands.

    Near misses may be one by luck, and need not be. Rows without keys are NaN
    unfused, but not fused, where a sink is left out of the maximum, or a finite
    fill meets another shift than the maximum, or loses the logarithm of a sum to
    its own rounding: that has to be declined, too.
    """
    hidden = (case["mask"] and case["fill"] == "-inf") or case["bias"] or case["rows"]
    if hidden and case["sink"] in ("one", "arg") and case["maximum"] in ("row", "lowest"):
        return False
    if case["mask"] and case["fill"] in ("min", "-1e9") and (case["maximum"] not in ("row", "lowest") or case["divide"] == "log"):
        return False
    if case["mask"] and case["m"] + case["shift"] <= 0:
        return False  # the mask hides every key: there is no score left
    return case["miss"] is None
