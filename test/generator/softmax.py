"""Spellings of the softmax: as one op, or maximum, exponentials, sum, division.

A part of spell.Speller, which has the helpers used here.
"""
import numpy as np

import masks
from expr import Expr, cast, read

LOG2E = 1.4426950408889634


class Softmax:
    def maximum(self, s, over="n", name="max"):
        init = self.choices.pick(name + ".init", ["inf", "min"], [4, 1])
        # Decides what a row without keys is beside a sink, and wherever its
        # exponentials are not divided by their sum alone.
        if self.p.sink in ("zero", "tensor") or self.p.twist:
            init = "inf"
        init = -np.inf if init == "inf" else float(np.finfo(
            {"f16": np.float16, "f32": np.float32, "f64": np.float64}[s.elem]).min)
        how = self.choices.pick(name + ".op", ["maximumf", "argmax", "maxnumf"],
                                [7, 2, 1])
        if name == "max" and self.p.sink_max and self.choices.chance(
                "sink.starts-max", 40):
            init = self.as_start(self.sink_score(s.elem))
            self.sink_taken, how = True, "maximumf"
        if how == "argmax":
            m = self.e.argmax(s, over, init)
        else:
            m = self.e.reduce(s, [over], how, init, name)
        m = read(self.e.jitter(m, name))
        if self.choices.chance(name + ".no-op", 10):
            m = self.settle(self.op("arith.maximumf", self.const(-np.inf, m), m),
                            name + ".guard")
        return m

    def shift_of(self, s):
        p = self.p
        if p.shift == "none":
            return None
        if p.shift == "constant":
            return self.const(1.5, s)
        if p.shift == "mean":
            total = read(self.e.reduce(s, ["n"], "addf", 0.0, "mean"))
            return self.settle(self.op("arith.divf", total, self.const(
                float(p.sizes["n"]), s)), "mean")
        if p.twist == "shift-first":
            return read(self.sliced(self.tensor(s), "n", 1, drop=True))
        if p.twist == "shift-minimum":
            return read(self.e.reduce(s, ["n"], "minimumf", np.inf, "min"))
        over = "m" if p.twist in ("max-over-rows", "softmax-over-rows") else self.keys
        if p.twist == "max-of-unscaled":
            s = self.score_function(self.products(
                self.q, self.k, "unscaled", scaled=False), scaled=False,
                name="unscaled")
        m = self.maximum(s, over)
        if p.shift == "max-clamped":
            m = self.settle(self.op("arith.maximumf", m, self.const(-1e30, s)), "clamp")
        if p.shift == "max-zero":
            m = self.settle(self.op("arith.maximumf", m, self.const(0.0, s)), "clamp")
        if p.shift == "max-guarded":
            is_inf = Expr("arith.cmpf", "i1", [m, self.const(-np.inf, s)], "oeq")
            m = self.settle(self.op("arith.select", is_inf, self.const(0.0, s), m),
                            "guarded")
        if p.twist == "shift-per-key":
            m = self.op("arith.addf", m, self.weight(s))
        if p.twist == "max-with-other":
            m = self.settle(self.op("arith.maximumf", m, self.row_scale(m)), "other")
        if p.sink_max and not self.sink_taken:
            pair = [m, self.sink_score(m.elem)]
            if self.choices.chance("sink.max-swap", 50):
                pair.reverse()
            how = self.choices.pick("sink.max-op", ["arith.maximumf", "arith.maxnumf"],
                                    [7, 1])
            m = self.settle(self.op(how, *pair), "sink.maximum")
        return m

    def sink_score(self, elem):
        """The further score, which has no value."""
        if self.p.sink == "zero":
            return Expr("const", elem, (), 0.0)
        sink = self.argument_once("sink", self.p.sink_dims)
        if self.p.sink_dims:
            sink = self.e.jitter(sink, "sink")
        return self.settle(cast(read(sink), elem), "sink.score")

    def gated(self, out, total):
        """The result times sigmoid(lse - sink), which is a sink in the sum."""
        lse = self.settle(self.op("math.log", total), "gate.log")
        if self.shift is not None:
            lse = self.settle(self.op("arith.addf", lse, self.shift), "gate.lse")
        x = self.op("arith.subf", self.sink_score(lse.elem), lse)
        if self.choices.chance("gate.negated", 50):
            x = self.op("arith.negf", self.op("arith.subf", lse,
                                              self.sink_score(lse.elem)))
        e = self.op("math.exp", x)
        one = self.const(1.0, e)
        below = self.settle(self.op("arith.addf", one, e), "gate.below")
        below = cast(below, out.elem)
        if self.choices.chance("gate.divides", 40):
            return self.settle(self.op("arith.divf", out, below), "gated")
        gate = self.settle(self.op("arith.divf", self.const(1.0, below), below), "gate")
        return self.settle(self.op("arith.mulf", out, gate), "gated")

    def exponential(self, s, shift, name="exp"):
        p = self.p
        if p.twist == "relu":
            return self.settle(self.op("arith.maximumf", s, self.const(0.0, s)), name)
        if p.twist == "sigmoid":
            minus = self.op("math.exp", self.op("arith.negf", s))
            return self.settle(self.op("arith.divf", self.const(1.0, s), self.op(
                "arith.addf", self.const(1.0, s), minus)), name)
        x = s
        if shift is not None:
            if self.choices.chance(name + ".negated-shift", 8):
                x = self.op("arith.addf", s, self.op("arith.negf", shift))
            else:
                x = self.op("arith.subf", s, shift)
            x = self.settle(x, name + ".shifted")
        if p.twist == "negated-exponent":
            x = self.op("arith.negf", x)
        if p.twist == "exponential-of-square":
            x = self.op("arith.negf", self.op("arith.mulf", x, x))
        if self.base2:
            x = self.settle(self.op("arith.mulf", x, self.const(LOG2E, x)),
                            name + ".log2")
            return self.settle(self.op("math.exp2", x), name)
        return self.settle(self.op("math.exp", x), name)

    def total(self, e, shift):
        """The normaliser, with whatever the twist makes of it."""
        p, twist = self.p, self.p.twist
        below = e
        if twist in ("denominator-unscaled", "denominator-unmasked",
                     "denominator-other-key"):
            k = self.k
            if twist == "denominator-other-key":
                k = self.input("k2", p.heads.replace("r", "") + "nd")
            s = self.products(self.q, k, "other",
                              scaled=twist != "denominator-unscaled")
            s = self.score_function(s, twist != "denominator-unmasked",
                                    twist != "denominator-unscaled", "other")
            below = self.exponential(s, shift, "other-exp")
        if twist == "denominator-tempered":
            warmer = self.op("arith.mulf", self.s, self.const(1.5, self.s))
            below = self.exponential(warmer, shift, "tempered")
        if twist == "sum-of-scores":
            below = self.op("arith.subf", self.s, shift) if shift else self.s
        if twist in ("denominator-prefix", "prefix-both"):
            below = read(self.sliced(self.tensor(below), "n", p.sizes["p"], to="p"))
        over = {"sum-over-rows": ["m"], "softmax-over-rows": ["m"],
                "sum-over-both": ["m", "n"], "sum-over-heads": ["g", "n"],
                "denominator-prefix": ["p"], "prefix-both": ["p"]}.get(
                    twist, [self.keys])
        combiner = "subf" if twist == "alternating-sum" else "addf"
        init = 1.0 if twist == "sum-start-one" else 0.0
        if p.sink in ("zero", "tensor") and p.sink_form == "start":
            init = self.as_start(self.sink_term(below.elem, shift))
        if combiner == "subf":
            l = self.e.structured(
                below, [d for d in below.dims() if d not in over], over,
                lambda g: self.e.filled(0.0, g, below.elem),
                lambda out, value, elem: ([f"%r = arith.subf {out}, {value} : {elem}"],
                                          "%r"))
        else:
            l = self.e.reduce(below, over, combiner, init, "sum")
        l = read(self.e.jitter(l, "sum"))
        if twist == "denominator-doubled":
            l = self.op("arith.mulf", l, self.const(2.0, l))
        if twist == "sum-plus-epsilon":
            l = self.op("arith.addf", l, self.const(0.1, l))
        if twist == "sum-clamped":
            l = self.op("arith.maximumf", l, self.const(1.5, l))
        if p.sink in ("zero", "tensor") and p.sink_form == "beside":
            more = self.sink_term(l.elem, shift)
            what = "arith.subf" if twist == "sink-subtracted" else "arith.addf"
            pair = [l, more]
            if what == "arith.addf" and self.choices.chance("sink.swap", 30):
                pair.reverse()
            l = self.settle(self.op(what, *pair), "sink")
        return l

    def as_start(self, x):
        """Where a reduction may start: a number, or a tensor."""
        return x.extra if x.op == "const" else self.tensor(x)

    def sink_term(self, elem, shift):
        sink = self.sink_score(elem)
        if shift is None and self.p.sink == "zero":
            return Expr("const", elem, (), 1.0)
        return self.exponential(sink, shift, "sink-exp")

    def guard(self, s, weights):
        """Zero where a row has no key (PyTorch's safe softmax)."""
        compared = cast(s, "f64") if (
            s.elem != "f64" and self.choices.chance("safe.f64", 40)) else s
        hidden = Expr("arith.cmpf", "i1", [compared, self.const(-np.inf, compared)],
                      "oeq")
        hidden = self.settle(hidden, "safe.hidden")
        if self.choices.chance("safe.any", 30):
            shown = self.settle(masks.invert(hidden), "safe.shown")
            some = read(self.e.reduce(shown, ["n"], "ori", 0, "safe.or"))
            empty = masks.invert(some)
        else:
            empty = read(self.e.reduce(hidden, ["n"], "andi", 1, "safe.and"))
        return self.settle(self.op("arith.select", empty,
                                   self.const(0.0, weights), weights), "safe")

    def whole_softmax(self, s):
        p = self.p
        return (p.twist in (None, "softmax-over-rows", "squared", "mask-after",
                            "key-weight", "return-weights", "return-scores",
                            "value-per-query", "key-per-query", "heads-swapped",
                            "query-is-key", "value-is-key", "reversed-keys",
                            "product-start", "scores-start", "two-contractions",
                            "output-residual", "output-gate", "scale-per-key",
                            "keys-of-other-batch", "weights-plus-value",
                            "prefix-product")
                and p.shift == "max" and not p.sink and p.compute != "f16"
                and self.choices.chance("softmax-op", 15))

    def softmax_op(self, s):
        tensor = self.e.split(self.tensor(s))
        dim = "m" if self.p.twist == "softmax-over-rows" else "n"
        out = self.e.empty(tensor.groups, tensor.elem)
        type = self.e.typeof(tensor)
        name = self.e.op(
            f"linalg.softmax dimension({tensor.groups.index((dim,))}) "
            f"ins({tensor.name} : {type}) outs({out.name} : {type}) -> {type}")
        return read(self.e.jitter(self.renamed_as(tensor, name), "softmax"))

    def renamed_as(self, tensor, name):
        return type(tensor)(name, tensor.groups, tensor.elem)

    LATE = {None, "unnormalised", "sum-over-heads", "denominator-unscaled",
            "denominator-unmasked", "denominator-other-key", "denominator-prefix",
            "denominator-doubled", "sum-start-one", "key-weight", "prefix-both",
            "max-of-unscaled", "sum-plus-epsilon", "sum-clamped", "mask-numerator",
            "divided-twice", "shift-numerator", "shift-numerator-row",
            "alternating-sum", "heads-swapped", "value-is-key"}

    @property
    def keys(self):
        """The dim that the softmax runs along."""
        return "c" if self.p.sink == "column" else "n"

    def with_column(self, s):
        """The scores and, as one key more, the sink."""
        e = self.e
        scores = e.split(self.tensor(s))
        sink = self.sink_score(s.elem)
        others = [d for d in scores.dims if d != "n"]
        column = e.to(e.broadcast(self.tensor(sink), others),
                      [() if g == ("n",) else g for g in scores.groups])
        at = scores.groups.index(("n",))
        groups = [("c",) if g == ("n",) else g for g in scores.groups]
        return read(type(scores)(e.op(
            f"tensor.concat dim({at}) {scores.name}, {column.name} : "
            f"({e.typeof(scores)}, {e.typeof(column)}) -> {e.type(groups, s.elem)}"),
            groups, s.elem))

    def pieces(self, s):
        """The weights, and the sum that the product is still to be divided by."""
        if self.p.sink != "column":
            return self.softmax_pieces(s)
        weights, late, exps, total = self.softmax_pieces(self.with_column(s))
        weights = read(self.sliced(self.tensor(weights), "c", self.p.sizes["n"], to="n"))
        return weights, late, exps, total

    def softmax_pieces(self, s):
        p, twist = self.p, self.p.twist
        self.sink_taken = False
        shift = self.shift = self.shift_of(s)
        exps = self.exponential(s, shift)
        total = self.total(exps, shift)
        if twist == "shift-numerator":
            exps = self.exponential(self.op("arith.addf", s, self.weight(s)), shift,
                                    "raised")
        if twist == "shift-numerator-row":
            row = self.row_scale(s)
            more = row if shift is None else self.op("arith.addf", shift, row)
            exps = self.exponential(s, more, "raised")
        if twist == "mask-numerator":
            exps = self.masked_weights(exps)
        sums_key = set(total.dims()) & {"n"}
        divided = {"unnormalised": lambda: exps,
                   "multiplied": lambda: self.op("arith.mulf", exps, total),
                   "divided-by-weights": lambda: self.op("arith.divf", total, exps)}
        if twist in divided:
            return self.settle(divided[twist](), "divided"), None, exps, total
        how = self.choices.pick("division", ["before", "reciprocal", "after", "log"],
                                [50, 15, 30, 5])
        if how == "after" and (twist not in self.LATE or sums_key or p.safe or
                               p.narrow):
            how = "before"
        # A shift of the size of a finite fill would swallow the logarithm.
        finite = any(not np.isneginf(m.fill) for m in p.masks)
        if how == "log" and (twist is not None or self.base2 or p.shift == "none"
                             or p.compute == "f16" or finite):
            how = "before"
        if how == "after":
            return exps, total, exps, total
        if how == "log":
            log = self.settle(self.op("math.log", total), "log")
            return self.exponential(s, self.op("arith.addf", log, shift),
                                    "normalised-exp"), None, exps, total
        if how == "reciprocal":
            one = self.const(1.0, total)
            inverse = self.settle(self.op("arith.divf", one, total), "inverse")
            pair = [exps, inverse]
            if self.choices.chance("inverse.swap", 40):
                pair.reverse()
            weights = self.op("arith.mulf", *pair)
        else:
            weights = self.op("arith.divf", exps, total)
        weights = self.settle(weights, "weights", percent=75)
        if twist == "divided-twice":
            weights = self.settle(self.op("arith.divf", weights, total), "twice")
        return weights, None, exps, total
