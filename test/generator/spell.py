"""An attention, written one of very many ways.

Each step is an expression that is settled into a tensor, or left to be fused into
its reader; layouts change wherever a tensor is settled. See emit.py.
"""
import numpy as np

import masks
from emit import Emitter
from expr import Expr, cast, literal, read, sort
from problem import BY_LENGTH
from reference import visible
from softmax import Softmax


class Speller(Softmax):
    def __init__(self, problem, values, choices):
        self.p, self.values, self.choices = problem, values, choices
        self.pending = {}
        self.e = Emitter(problem.sizes, choices, problem.dynamic)
        self.shown = []
        for i, mask in enumerate(problem.masks):
            shown = None
            if mask.kind not in ("given", *BY_LENGTH):
                shown = visible(mask, values, i, problem.sizes).over("mn") != 0
                shown = np.broadcast_to(shown, [problem.sizes[d] for d in "mn"])
            self.shown.append(shown)

    # Small things.
    def op(self, name, *args, extra=None):
        return Expr(name, args[-1].elem, args, extra)

    def const(self, value, like):
        return Expr("const", like.elem, (), value)

    def index(self, dim, elem="i64"):
        return Expr("index", elem, (), dim)

    def settle(self, expr, name, percent=70):
        return self.e.settle(expr, name, percent=percent)

    def tensor(self, expr):
        return self.e.materialise(expr)

    def input(self, what, dims, elem=None, layout=True):
        """An argument over dims, in some layout."""
        elem = elem or self.p.elem
        groups = [(d,) for d in dims]
        if layout:
            how = self.choices.pick(f"{what}.argument", [
                "plain", "heads-inside", "merged-heads", "merged-last"],
                [60, 20, 12, 8])
            lead = [d for d in dims if d in "bgr"]
            rest = [d for d in dims if d not in "bgr"]
            h = tuple(d for d in lead if d in "gr")
            if how == "plain" and len(h) == 2 and self.p.together:
                groups = [(d,) for d in lead if d == "b"] + [h] + [(d,) for d in rest]
            if how == "heads-inside" and h:
                groups = [(d,) for d in lead if d == "b"] + [
                    (rest[0],), h] + [(d,) for d in rest[1:]]
            if how == "merged-heads" and lead:
                groups = [tuple(lead)] + [(d,) for d in rest]
            if how == "merged-last" and h:
                groups = [(d,) for d in lead if d == "b"] + [
                    (rest[0],), h + tuple(rest[1:])]
        return self.e.jitter(self.e.argument(what, groups, elem), what)

    def scaled(self, expr, value, name):
        """expr * value, somehow."""
        if value == 1.0:
            return expr
        how = self.choices.pick(name + ".how", [
            "mul", "div", "tensor", "unit", "from-f64", "splat"],
            [40, 15, 15, 8, 12, 10])
        elem, swap = expr.elem, self.choices.chance(name + ".swap", 30)
        operation = "arith.mulf"
        constant = Expr("const", elem, (), value)
        if how == "div":
            operation, swap = "arith.divf", False
            constant = Expr("const", elem, (), 1.0 / value)
        elif how == "tensor":
            constant = read(self.e.dense(literal(value, elem), [], elem))
        elif how == "unit":
            constant = read(self.e.dense(literal(value, elem), [(), ()], elem))
        elif how == "from-f64" and elem != "f64":
            constant = Expr("arith.truncf", elem, [Expr("const", "f64", (), value)])
        elif how == "splat":
            dims = expr.dims()[-2:]
            constant = read(self.e.filled(value, [(d,) for d in dims], elem))
        pair = [constant, expr] if swap else [expr, constant]
        return self.settle(Expr(operation, elem, pair), name)

    def repeated(self, tensor, name):
        """K or V copied for every query head, or as it is."""
        missing = [d for d in self.p.heads if d not in tensor.dims]
        if not missing or not self.choices.chance(name + ".repeat", 50):
            return tensor
        dims = sort(set(tensor.dims) | set(missing))
        return self.e.jitter(self.e.broadcast(tensor, dims), name + ".repeat")

    # The steps.
    def operands(self):
        p, heads, keys = self.p, self.p.heads, self.p.heads.replace("r", "")
        p.together = "r" in heads and self.choices.chance("heads.together", 60)
        twist = p.twist
        k_dims = keys + ("mnd" if twist == "key-per-query" else "nd")
        if twist == "heads-swapped":
            k_dims = keys.translate(str.maketrans("bg", "gb")) + "nd"
        k = self.input("km" if twist == "key-per-query" else "k", k_dims,
                       layout=twist != "key-per-query")
        if twist == "query-is-key":
            q = self.renamed(k, "n", "m")
        else:
            q = self.input("q", heads + "md")
        if twist == "value-is-key":
            v = self.renamed(k, "d", "e")
        elif twist == "value-per-query":
            v = self.input("vm", keys + "mne", layout=False)
        elif twist == "contract-rows":
            v = self.input("vrows", keys + "me", layout=False)
        else:
            v = self.input("v", keys + "ne")
        q, k, v = self.produced(q, k, v)
        if twist == "reversed-keys":
            k = self.flipped(k, "n")
        if twist == "keys-of-other-batch":
            k = self.flipped(k, "b")
        return q, k, v

    def produced(self, q, k, v):
        """Q, K and V after the elementwise ops that a model has before them."""
        def after(name, tensor, operation, dim, change=lambda x: x):
            if name not in self.p.producers:
                return tensor
            operand = change(read(self.argument_once(
                {"q": "add-q", "k": "times-k", "v": "over-v"}[name], dim)))
            return self.e.materialise(self.op(operation, read(tensor), operand))
        square = lambda x: self.op("arith.addf", self.op("arith.mulf", x, x),
                                   self.const(2.0, x))
        return (after("q", q, "arith.addf", "d"), after("k", k, "arith.mulf", "n"),
                after("v", v, "arith.divf", "n", square))

    def renamed(self, tensor, old, new):
        groups = [tuple(new if d == old else d for d in g) for g in tensor.groups]
        return type(tensor)(tensor.name, groups, tensor.elem)

    def flipped(self, tensor, dim):
        """Read backwards along a dim, by a gather."""
        tensor = self.e.split(tensor)
        groups = tensor.groups
        at = groups.index((dim,))
        loops = [f"d{i}" for i in range(len(groups))]
        out = self.e.empty(groups, tensor.elem)
        body = [f"%j{i} = linalg.index {i} : index" for i in range(len(groups))]
        body += [f"%c = arith.constant {self.p.sizes[dim] - 1} : index",
                 f"%f = arith.subi %c, %j{at} : index"]
        where = ", ".join("%f" if i == at else f"%j{i}" for i in range(len(groups)))
        body += [f"%t = tensor.extract {tensor.name}[{where}] : "
                 f"{self.e.typeof(tensor)}", f"linalg.yield %t : {tensor.elem}"]
        name = self.e.generic_text([], loops, len(loops), ["parallel"] * len(loops),
                                   out, body)
        return type(out)(name, groups, tensor.elem)

    def products(self, q, k, name="scores", scaled=True):
        """Q K^T with its scale, in the compute type."""
        p = self.p
        accumulate = p.elem if p.elem != "f16" else self.choices.pick(
            name + ".accumulate", ["f32", "f16"], [4, 1])
        where = self.choices.pick(name + ".scale-at",
                                  ["scores", "q", "k", "split"], [55, 20, 10, 15])
        if not p.order.startswith("scale") or p.twist in ("scores-start",
                                                          "two-contractions"):
            where = "scores"
        value = p.scale if scaled else 1.0
        if p.scale_argument or value < 0 and where == "split":
            where = "scores"
        q, k = read(q), read(k)
        if where == "q":
            q, value = self.scaled(q, value, name + ".scale-q"), 1.0
        if where == "k":
            k, value = self.scaled(k, value, name + ".scale-k"), 1.0
        if where == "split" and value != 1.0:
            q = self.scaled(q, value ** 0.5, name + ".scale-q")
            k = self.scaled(k, value ** 0.5, name + ".scale-k")
            value = 1.0
        init = None
        if p.twist == "scores-start" and name == "scores":
            start = self.input("start", p.heads + "mn", layout=False)
            if accumulate != p.elem:
                start = self.tensor(cast(read(start), accumulate))
            init = lambda groups: self.e.to(start, groups)
        if k.op == "read":
            k = read(self.repeated(k.extra, name + ".k"))
        s = self.e.contract(q, k, ["d"], accumulate, name, init)
        s = read(self.e.jitter(s, name))
        if accumulate != p.elem and self.choices.chance(name + ".rounded", 60):
            s = self.settle(cast(s, p.elem), name + ".round")
        if self.choices.chance(name + ".widen-first", 50):
            s = self.settle(cast(s, p.compute), name + ".widen")
        self.pending[name] = value
        return s

    def late_scale(self, s, scaled, name):
        """The scale, unless Q or K had it; in the compute type from here on."""
        name = {"score": "scores"}.get(name, name)
        if self.p.scale_argument and scaled:
            argument = cast(read(self.argument_once("scale", "")), s.elem)
            s = self.settle(self.op("arith.mulf", s, argument), name + ".scale")
        else:
            s = self.scaled(s, self.pending[name], name + ".scale")
        return self.settle(cast(s, self.p.compute), name + ".compute")

    def argument_once(self, what, dims, elem=None):
        for name, tensor in self.e.args:
            if name == what:
                return tensor
        return self.e.argument(what, [(d,) for d in dims], elem or self.p.elem)

    def weight(self, like):
        return cast(read(self.argument_once("weight", "n")), like.elem)

    def row_scale(self, like):
        return cast(read(self.argument_once("rowscale", "m")), like.elem)

    def score_function(self, s, masked=True, scaled=True, name="score"):
        """From Q K^T, with the scale that is still to come, to what is
        exponentiated."""
        steps = {"scale": lambda s: self.late_scale(s, scaled, name),
                 "cap": lambda s: self.capped(s, name),
                 "bias": lambda s: self.biased(s, name),
                 "mask": lambda s: self.masked(s, name) if masked else s}
        if not self.p.order.startswith("scale"):
            s = cast(s, self.p.compute)
        for step in self.p.order.split():
            s = steps[step](s)
        if self.p.twist == "scale-per-key":
            s = self.settle(self.op("arith.mulf", s, self.op(
                "arith.addf", self.weight(s), self.const(0.5, s))), name + ".twist")
        if self.p.twist == "scale-per-row":
            s = self.settle(self.op("arith.mulf", s, self.row_scale(s)),
                            name + ".twist")
        if self.p.hidden_rows:
            rows = cast(read(self.argument_once("rows", "m")), s.elem)
            s = self.settle(self.op("arith.addf", s, rows), name + ".rows")
        if self.p.twist == "scale-by-mean":
            total = read(self.e.reduce(s, ["n"], "addf", 0.0, name + ".mean"))
            mean = self.op("arith.divf", total,
                           self.const(float(self.p.sizes["n"]), s))
            s = self.settle(self.op("arith.mulf", s, mean), name + ".twist")
        return s

    def capped(self, s, name):
        if not self.p.cap:
            return s
        c = self.const(self.p.cap, s)
        s = self.settle(self.op("arith.divf", s, c), name + ".cap")
        s = self.settle(self.op("math.tanh", s), name + ".tanh")
        return self.settle(self.op("arith.mulf", s, c), name + ".uncap")

    def biased(self, s, name):
        if self.p.bias is None:
            return s
        bias = self.e.jitter(self.argument_once("bias", self.p.bias), name + ".bias")
        pair = [s, cast(read(bias), s.elem)]
        if self.choices.chance(name + ".bias-swap", 30):
            pair.reverse()
        return self.settle(self.op("arith.addf", *pair), name + ".biased")

    def masked(self, s, name):
        for i, mask in enumerate(self.p.masks):
            s = masks.apply_mask(self.e, mask, i, self.values, self.shown[i], s)
            s = self.settle(s, name + ".masked")
        return s

    def sliced(self, tensor, dim, count, drop=False, to=None):
        tensor = self.e.split(tensor)
        groups = list(tensor.groups)
        at = groups.index((dim,))
        sizes = [str(count) if i == at else self.e.extent(g)
                 for i, g in enumerate(groups)]
        zeros, ones = [0] * len(groups), [1] * len(groups)
        if drop:
            del groups[at]
        else:
            groups[at] = (to,)
        return type(tensor)(self.e.op(
            f"tensor.extract_slice {tensor.name}{zeros} [{', '.join(sizes)}] {ones} : "
            f"{self.e.typeof(tensor)} to {self.e.type(groups, tensor.elem)}"),
            groups, tensor.elem)

    def causal(self):
        return Expr("arith.cmpi", "i1", [self.index("n"), self.index("m")], "sle")

    def masked_weights(self, x):
        return self.settle(self.op("arith.select", self.causal(), x,
                                   self.const(0.0, x)), "masked-weights")

    def write(self):
        """The function's results, by name."""
        p, e, twist = self.p, self.e, self.p.twist
        self.base2 = self.choices.chance("exp2", 12) and p.sink_form != "gate"
        self.q, self.k, v = self.operands()
        q, k = self.q, self.k
        s = self.products(q, k)
        if twist == "two-contractions":
            other = self.input("k2", p.heads.replace("r", "") + "nd")
            second = self.e.contract(read(q), read(other), ["d"],
                                     p.elem if p.elem != "f16" else "f32", "second")
            s = self.op("arith.addf", s, cast(read(second), s.elem))
        s = self.s = self.score_function(s)
        if self.whole_softmax(s):
            weights = self.softmax_op(s)
            late = None
            exps = total = None
        else:
            weights, late, exps, total = self.pieces(s)
        if twist == "squared":
            weights = self.settle(self.op("arith.mulf", weights, weights), "squared")
        if twist == "mask-after":
            weights = self.masked_weights(weights)
        if twist == "key-weight":
            weights = self.settle(self.op("arith.mulf", weights, self.weight(weights)),
                                  "weighted")
        if p.safe and twist != "weights-plus-value":
            weights = self.guard(s, weights)
        returned = weights
        if weights.elem != p.elem:
            weights = self.settle(cast(weights, p.elem), "weights.narrow")
        out = self.product(weights, v)
        out = read(e.jitter(out, "product"))
        out = self.normalised_late(out, late)
        if p.sink and p.sink_form == "gate":
            out = self.gated(out, total)
        if twist in ("output-residual", "output-gate"):
            residual = self.argument_once("residual", p.heads + "me")
            operation = ("arith.addf" if twist == "output-residual" else "arith.mulf")
            out = self.op(operation, cast(out, p.elem), read(residual))
        results = {"out": self.result(out, p.elem)}
        extra = {"return-weights": returned, "return-scores": s,
                 "return-sums": total, "return-exponentials": exps}
        if twist in extra:
            results["extra"] = self.tensor(extra[twist])
        return results

    def product(self, weights, v):
        p, e, twist = self.p, self.e, self.p.twist
        accumulate = p.elem if p.elem != "f16" else self.choices.pick(
            "product.accumulate", ["f32", "f16"], [4, 1])
        over = ["m"] if twist == "contract-rows" else ["n"]
        v = read(self.repeated(v, "v"))
        if twist in ("prefix-both", "prefix-product"):
            weights = read(self.sliced(self.tensor(weights), "n", p.sizes["p"], to="p"))
            v = read(self.sliced(v.extra, "n", p.sizes["p"], to="p"))
            over = ["p"]
        if twist == "weights-plus-value":
            both = self.op("arith.addf", cast(weights, accumulate),
                           cast(v, accumulate))
            return e.reduce(both, over, "addf", 0.0, "both")
        init = None
        if twist == "product-start":
            start = self.input("residual", p.heads + "me", layout=False)
            if accumulate != p.elem:
                start = self.tensor(cast(read(start), accumulate))
            init = lambda groups: e.to(start, groups)
        return e.contract(weights, v, over, accumulate, "product", init)

    def normalised_late(self, out, late):
        if late is None:
            return out
        late = cast(late, out.elem)
        divisions = 2 if self.p.twist == "divided-twice" else 1
        for _ in range(divisions):
            if self.choices.chance("late.reciprocal", 30):
                one = self.const(1.0, late)
                inverse = self.settle(self.op("arith.divf", one, late), "late.inverse")
                out = self.op("arith.mulf", out, inverse)
            else:
                out = self.op("arith.divf", out, late)
            out = self.settle(out, "late")
        return out

    def result(self, out, elem):
        """The result in the type and layout that the function returns."""
        p = self.p
        if out.elem != elem:
            out = self.settle(cast(out, elem), "out.narrow")
        tensor = self.e.materialise(out)
        how = self.choices.pick("out.result", ["as-is", "heads-last", "merged", "plain"],
                                [3, 2, 2, 3])
        lead = [d for d in sort(tensor.dims) if d in "bgr"]
        rest = [d for d in sort(tensor.dims) if d not in "bgr"]
        h = tuple(d for d in lead if d != "b")
        b = [(d,) for d in lead if d == "b"]
        if how == "plain":
            groups = [(d,) for d in lead + rest]
        elif how == "heads-last" and h and len(rest) == 2:
            groups = b + [(rest[0],), h, (rest[1],)]
        elif how == "merged" and h and len(rest) == 2:
            groups = b + [(rest[0],), h + (rest[1],)]
        else:
            return self.e.jitter(tensor, "out")
        return self.e.jitter(self.e.to(tensor, groups), "out")


def write(problem, values, choices, name):
    """The text of a function, its arguments and its results (as Tensors)."""
    speller = Speller(problem, values, choices)
    results = speller.write()
    e = speller.e
    arguments = ", ".join(f"{t.name}: {e.typeof(t)}" for _, t in e.args)
    types = ", ".join(e.typeof(t) for t in results.values())
    names = ", ".join(t.name for t in results.values())
    text = f"  func.func @{name}({arguments}) -> ({types}) attributes " \
           f"{{llvm.emit_c_interface}} {{\n"
    text += "\n".join(e.lines)
    text += f"\n    return {names} : {types}\n  }}\n"
    return text, e.args, results
