"""Spellings of masks: conditions, and how they reach the scores."""
from expr import Expr, literal, read


def compare(predicate, a, b):
    return Expr("arith.cmpi", "i1", [a, b], predicate)


def true():
    return Expr("const", "i1", (), 1)


def invert(condition):
    return Expr("arith.xori", "i1", [condition, true()])


def position(e, dim, elem):
    """The index of a dim: linalg.index in place, or an iota tensor."""
    how = e.choices.pick("iota", ["inside", "tensor", "dense"], [4, 4, 1])
    index = Expr("index", elem, (), dim)
    if how == "dense" and (elem == "index" or not e.fixed([(dim,)])):
        how = "inside"
    if how == "inside":
        return index
    if how == "dense":
        text = "[" + ", ".join(str(i) for i in range(e.sizes[dim])) + "]"
        return read(e.jitter(e.dense(text, [(dim,)], elem), "iota.dense"))
    return read(e.jitter(e.materialise(index), "iota.tensor"))


def shifted(elem, x, offset):
    if offset == 0:
        return x
    return Expr("arith.addi", elem, [x, Expr("const", elem, (), offset)])


def at_most(e, elem, a, b):
    """a <= b, one way or another."""
    one = Expr("const", elem, (), 1)
    zero = Expr("const", elem, (), 0)
    difference = lambda: Expr("arith.subi", elem, [a, b])
    forms = {
        "a <= b": lambda: compare("sle", a, b),
        "b >= a": lambda: compare("sge", b, a),
        "a < b + 1": lambda: compare("slt", a, shifted(elem, b, 1)),
        "not a > b": lambda: invert(compare("sgt", a, b)),
        "a - b <= 0": lambda: compare("sle", difference(), zero),
        "a - b < 1": lambda: compare("slt", difference(), one),
        "not b < a": lambda: invert(compare("slt", b, a)),
    }
    return forms[e.choices.pick("compare", list(forms))]()


def both(a, b):
    return Expr("arith.andi", "i1", [a, b])


def computed(e, mask):
    """A condition on positions: true where the key is visible."""
    elem = e.choices.pick("position", ["i64", "index", "i32"])
    m, n = lambda: position(e, "m", elem), lambda: position(e, "n", elem)
    const = lambda value: Expr("const", elem, (), value)
    if mask.kind == "causal":
        return at_most(e, elem, n(), shifted(elem, m(), mask.offset))
    if mask.kind == "band":
        low = at_most(e, elem, shifted(elem, m(), 1 - mask.offset), n())
        return both(at_most(e, elem, n(), m()), low)
    if mask.kind == "near":
        low = at_most(e, elem, shifted(elem, m(), 1 - mask.offset), n())
        return both(low, at_most(e, elem, n(), shifted(elem, m(), mask.offset - 1)))
    if mask.kind == "prefix":
        return at_most(e, elem, shifted(elem, n(), 1), const(mask.offset))
    if mask.kind == "after":
        return at_most(e, elem, const(mask.offset), n())
    difference = Expr("arith.subi", elem, [m(), n()])
    parity = Expr("arith.andi", elem, [difference, const(1)])
    return compare("eq", parity, const(0))


def table_text(values, elem):
    def nested(x):
        if x.ndim == 0:
            return literal(x.item(), elem)
        return "[" + ", ".join(nested(y) for y in x) + "]"
    if values.size and (values == values.flat[0]).all():
        return literal(values.flat[0].item(), elem)
    return nested(values)


def condition(e, mask, index, values, shown):
    """True where the key is visible. `shown`: as numpy booleans over dims m, n or
    None."""
    how = "computed"
    if mask.kind == "table":
        how = "table" if e.fixed([("m",), ("n",)]) else "argument"
    elif shown is not None:
        how = e.choices.pick("mask.how", ["computed", "table", "argument"],
                             [60, 25, 5])
    if how == "table" and not e.fixed([("m",), ("n",)]):
        how = "computed"
    if mask.kind == "given":
        x = read(e.jitter(e.argument(f"mask{index}",
                                     [(d,) for d in mask.dims], "i1"), "mask.given"))
    elif mask.kind in ("lengths", "padded", "filled"):
        elem = e.choices.pick("lengths.elem", ["i64", "i32"])
        length = read(e.argument(f"mask{index}", [("b",)], elem))
        n = position(e, "n", elem)
        if mask.kind == "lengths":
            x = at_most(e, elem, shifted(elem, n, 1), length)
        elif mask.kind == "padded":
            x = at_most(e, elem, length, n)
        else:
            m = position(e, "m", elem)
            pair = [m, length] if e.choices.chance("filled.swap", 50) else [length, m]
            x = at_most(e, elem, n, Expr("arith.addi", elem, pair))
    elif how == "table":
        x = read(e.jitter(e.dense(table_text(shown, "i1"), [("m",), ("n",)], "i1"),
                          "mask.table"))
    elif how == "argument":
        x = read(e.argument(("mask", shown), [("m",), ("n",)], "i1"))
    else:
        x = computed(e, mask)
    if e.choices.chance("mask.and-true", 8) and e.fixed([("m",), ("n",)]):
        x = both(x, read(e.dense("true", [("m",), ("n",)], "i1")))
    if e.choices.chance("mask.as-float", 7):
        # nanoGPT: ones where visible, compared with zero.
        zero = Expr("const", "f32", (), 0.0)
        ones = e.settle(Expr("arith.uitofp", "f32", [x]), "mask.ones")
        x = invert(Expr("arith.cmpf", "i1", [ones, zero], "oeq"))
    return e.settle(x, "mask.settle", percent=50)


def constant(e, value, elem, name):
    """A float constant: in the body, captured, a 0-d tensor, or a tensor of the
    score's last dims."""
    how = e.choices.pick(name, ["inside", "0-d", "unit", "wide"], [6, 3, 1, 1])
    if how == "inside" or value is None:
        return Expr("const", elem, (), value)
    groups = {"0-d": [], "unit": [(), ()], "wide": [("m",), ("n",)]}[how]
    return read(e.filled(value, groups, elem) if how == "wide"
                else e.dense(literal(value, elem), groups, elem))


def apply_mask(e, mask, index, values, shown, score):
    """The score with the mask applied."""
    elem = score.elem
    x = condition(e, mask, index, values, shown)
    negated = e.choices.chance("mask.negated", 40)
    if negated:
        x = e.settle(invert(x), "mask.negation", percent=40)
    fill = constant(e, mask.fill, elem, "mask.constant")

    def choose(yes, no):
        return Expr("arith.select", elem, [x, no, yes] if negated else [x, yes, no])

    if mask.by == "select":
        return choose(score, fill)
    zero = constant(e, 0.0, elem, "mask.zero")
    if mask.by == "multiply":
        one = Expr("const", elem, (), 1.0)
        kept = choose(one, Expr("const", elem, (), 0.0))
        hidden = e.settle(Expr("arith.subf", elem, [one, kept]), "mask.hidden")
        added = Expr("arith.mulf", elem, [hidden, fill])
    else:
        added = choose(zero, fill)
    added = e.settle(added, "mask.added", percent=60)
    pair = [score, added]
    if e.choices.chance("mask.swap", 30):
        pair.reverse()
    return Expr("arith.addf", elem, pair)
