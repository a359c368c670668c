"""What the result is: a Problem evaluated in numpy, in float64.

Nothing here knows how the problem is written. Where a mask adds a finite fill, sums
are rounded to the type the scores are computed in, because there rounding decides
what a row without keys yields.
"""
import numpy as np

ORDER = "bgrmnpcde"


class Named:
    """An array with named dims; arithmetic aligns the names."""

    def __init__(self, array, dims):
        self.array, self.dims = np.asarray(array, np.float64), dims

    def over(self, dims):
        order = sorted(range(len(self.dims)), key=lambda i: ORDER.index(self.dims[i]))
        array = self.array.transpose(order)
        sizes = iter(array.shape)
        return array.reshape([next(sizes) if d in self.dims else 1 for d in dims])

    def sum(self, over):
        return self.reduced(np.sum, over)

    def max(self, over):
        return self.reduced(np.max, over)

    def min(self, over):
        return self.reduced(np.min, over)

    def reduced(self, f, over):
        axes = tuple(self.dims.index(d) for d in over if d in self.dims)
        return Named(f(self.array, axis=axes),
                     "".join(d for d in self.dims if d not in over))

    def renamed(self, old, new):
        return Named(self.array, self.dims.replace(old, new))

    def first(self, dim, count):
        return Named(np.take(self.array, range(count), self.dims.index(dim)), self.dims)

    def __add__(self, other):
        return apply(np.add, self, other)

    def __sub__(self, other):
        return apply(np.subtract, self, other)

    def __mul__(self, other):
        return apply(np.multiply, self, other)

    def __truediv__(self, other):
        return apply(np.divide, self, other)


def apply(f, *args):
    args = [a if isinstance(a, Named) else Named(a, "") for a in args]
    dims = "".join(d for d in ORDER if any(d in a.dims for a in args))
    return Named(f(*(a.over(dims) for a in args)), dims)


def visible(mask, values, index, sizes):
    m = Named(np.arange(sizes["m"]), "m")
    n = Named(np.arange(sizes["n"]), "n")
    key_minus_row = n - m
    tests = {
        "causal": lambda: apply(np.less_equal, key_minus_row, mask.offset),
        "band": lambda: apply(lambda x: (x <= 0) & (x > -mask.offset), key_minus_row),
        "near": lambda: apply(lambda x: np.abs(x) < mask.offset, key_minus_row),
        "prefix": lambda: apply(np.less, n, mask.offset),
        "after": lambda: apply(np.greater_equal, n, mask.offset),
        "strided": lambda: apply(lambda x: x % 2 == 0, key_minus_row),
        "table": lambda: Named(values[f"mask{index}"], "mn"),
        "given": lambda: Named(values[f"mask{index}"], mask.dims),
        "lengths": lambda: apply(np.less, n, Named(values[f"mask{index}"], "b")),
        "padded": lambda: apply(np.greater_equal, n,
                                Named(values[f"mask{index}"], "b")),
        "filled": lambda: apply(np.less_equal, key_minus_row,
                                Named(values[f"mask{index}"], "b")),
    }
    return tests[mask.kind]()


def expected(p, values):
    """The results by name, as Named."""
    with np.errstate(all="ignore"):
        return evaluate(p, values)


def magnitudes(p, values):
    """The largest score, without fills, and the largest value: what the errors of
    scores and of weights are relative to."""
    heads, keys = p.heads, p.heads.replace("r", "")
    q = Named(values["q"], heads + "md")
    if "q" in p.producers:
        q = q + Named(values["add-q"], "d")
    largest = 0.0
    for what in ("k", "k2", "km"):
        k = Named(values[what], keys + ("mnd" if what == "km" else "nd"))
        if "k" in p.producers:
            k = k * Named(values["times-k"], "n")
        largest = max(largest, np.abs((q * k).sum("d").array).max(initial=0))
    largest *= abs(p.scale)
    for what in ("bias", "start"):
        if what in values and (what == "bias" or p.twist):
            largest += np.abs(np.asarray(values[what], float)).max(initial=0)
    value = max(np.abs(np.asarray(values[what], float)).max(initial=0)
                for what in ("v", "vm", "vrows"))
    return largest, value


def evaluate(p, values):
    heads, keys, twist, sizes = p.heads, p.heads.replace("r", ""), p.twist, p.sizes
    kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[p.compute]
    rounded = lambda x: Named(x.array.astype(kind), x.dims)

    q = Named(values["q"], heads + "md")
    k, v = Named(values["k"], keys + "nd"), Named(values["v"], keys + "ne")
    if twist == "key-per-query":
        k = Named(values["km"], keys + "mnd")
    if twist == "value-per-query":
        v = Named(values["vm"], keys + "mne")
    if twist == "query-is-key":
        q = k.renamed("n", "m")
    if twist == "value-is-key":
        v = k.renamed("d", "e")
    if twist == "heads-swapped":
        k = Named(values["k"], keys.translate(str.maketrans("bg", "gb")) + "nd")

    if "q" in p.producers:
        q = q + Named(values["add-q"], "d")
    if "k" in p.producers:
        k = k * Named(values["times-k"], "n")
    if "v" in p.producers:
        v = v / apply(lambda x: x * x + 2.0, Named(values["over-v"], "n"))

    # Read backwards after what the model has before them.
    if twist == "reversed-keys":
        k = Named(np.flip(k.array, k.dims.index("n")), k.dims)
    if twist == "keys-of-other-batch":
        k = Named(np.flip(k.array, k.dims.index("b")), k.dims)

    scale = Named(values["scale"], "") if p.scale_argument else p.scale
    masks = [visible(m, values, i, sizes) for i, m in enumerate(p.masks)]

    # Beside a fill, what is smaller is lost where the text rounds.
    def rounded_beside_fill(s):
        return rounded(s) if p.masks else s

    def capped(s):
        return apply(np.tanh, s / p.cap) * p.cap if p.cap else s

    def biased(s):
        if p.bias is None:
            return s
        return rounded_beside_fill(s + Named(values["bias"], p.bias))

    def hidden(s):
        for mask, shown in zip(p.masks, masks):
            fill = kind(mask.fill)
            if mask.by == "select":
                s = apply(np.where, shown, s, fill)
            else:
                s = rounded(s + apply(lambda x: np.where(x, 0, fill), shown))
        return s

    def score(key, masked=True, scaled=True):
        s = (q * key).sum("d")
        if twist == "scores-start":
            s = s + Named(values["start"], heads + "mn")
        steps = {"scale": lambda s: rounded_beside_fill(s * scale) if scaled else s,
                 "cap": capped,
                 "bias": biased, "mask": hidden if masked else lambda s: s}
        if twist == "two-contractions":
            s = s + (q * Named(values["k2"], keys + "nd")).sum("d")
        for step in p.order.split():
            s = steps[step](s)
        if twist == "scale-per-key":
            s = s * Named(values["weight"] + 0.5, "n")
        if twist == "scale-per-row":
            s = s * Named(values["rowscale"], "m")
        if p.hidden_rows:
            s = rounded(s + Named(values["rows"], "m"))
        if twist == "scale-by-mean":
            s = s * (s.sum("n") / sizes["n"])
        return s

    s = score(k)
    own = s
    if "m" not in s.dims or "n" not in s.dims:
        raise AssertionError("a score has rows and keys")
    axis = {"softmax-over-rows": "m"}.get(twist, "n")
    if p.shift == "mean":
        shift = s.sum("n") / sizes["n"]
    elif p.shift == "none":
        shift = Named(0.0, "")
    elif p.shift == "constant":
        shift = Named(1.5, "")
    else:
        shift = s.max({"max-over-rows": "m"}.get(twist, axis))
        if p.shift == "max-clamped":
            shift = apply(np.maximum, shift, -1e30)
        if p.shift == "max-zero":
            shift = apply(np.maximum, shift, 0.0)
        if p.shift == "max-guarded":
            shift = apply(lambda x: np.where(np.isneginf(x), 0, x), shift)
    if twist == "shift-minimum":
        shift = s.min("n")
    if twist == "shift-first":
        shift = s.first("n", 1).sum("n")
    if twist == "max-of-unscaled":
        shift = score(k, scaled=False).max("n")
    if twist == "shift-per-key":
        shift = rounded_beside_fill(shift + Named(values["weight"], "n"))
    if twist == "max-with-other":
        shift = apply(np.maximum, shift, Named(values["rowscale"], "m"))

    def exponential(s, shift=shift):
        x = s - shift
        if twist == "negated-exponent":
            x = x * -1.0
        if twist == "exponential-of-square":
            x = x * x * -1.0
        if twist == "relu":
            return apply(lambda x: np.maximum(x, 0), s)
        if twist == "sigmoid":
            return apply(lambda x: 1 / (1 + np.exp(-x)), s)
        return apply(np.exp, x)

    e = exponential(s)
    below = e
    if twist == "denominator-unscaled":
        below = exponential(score(k, scaled=False))
    if twist == "denominator-unmasked":
        below = exponential(score(k, masked=False))
    if twist == "denominator-other-key":
        below = exponential(score(Named(values["k2"], keys + "nd")))
    if twist == "denominator-tempered":
        below = exponential(s * 1.5)
    if twist == "sum-of-scores":
        below = s - shift
    weight = Named(values["weight"], "n")
    if twist == "shift-numerator":
        e = exponential(rounded(s + weight))
    if twist == "shift-numerator-row":
        e = exponential(s, shift + Named(values["rowscale"], "m"))
    if twist in ("denominator-prefix", "prefix-both"):
        below = below.first("n", sizes["p"])
    over = {"sum-over-rows": "m", "softmax-over-rows": "m", "sum-over-both": "mn",
            "sum-over-heads": "gn"}.get(twist, "n")
    total = below.sum(over)
    if twist == "alternating-sum":
        total = total * -1.0
    if twist == "sum-start-one":
        total = total + 1.0
    if twist == "denominator-doubled":
        total = total * 2.0
    if twist == "sum-plus-epsilon":
        total = total + 0.1
    if twist == "sum-clamped":
        total = apply(np.maximum, total, 1.5)
    if p.sink:
        sink = Named(0.0, "") if p.sink == "zero" else Named(
            values["sink"], p.sink_dims)
        if p.sink == "column" or p.sink_max:  # the maximum counts it
            shift = apply(np.maximum, shift, sink)
            e = exponential(s, shift)
            total = e.sum("n")
        sign = -1.0 if twist == "sink-subtracted" else 1.0
        keys_alone = total
        total = total + apply(np.exp, sink - shift) * sign
        if p.sink_form == "gate":  # 0 / 0, times the gate
            total = apply(lambda x, y: np.where(x == 0, np.nan, y), keys_alone, total)

    if twist == "mask-numerator":
        e = e * apply(np.less_equal, Named(np.arange(sizes["n"]), "n"),
                      Named(np.arange(sizes["m"]), "m"))
    weights = e / total
    if twist == "unnormalised":
        weights = e
    if twist == "multiplied":
        weights = e * total
    if twist == "divided-twice":
        weights = weights / total
    if twist == "divided-by-weights":
        weights = total / e
    if twist == "squared":
        weights = weights * weights
    if twist == "mask-after":
        weights = weights * apply(
            np.less_equal, Named(np.arange(sizes["n"]), "n"),
            Named(np.arange(sizes["m"]), "m"))
    if twist == "key-weight":
        weights = weights * weight
    if twist == "weights-plus-value":
        out = (weights + v).sum("n")
    else:
        if p.safe:
            empty = apply(np.isneginf, own.max("n"))
            weights = apply(lambda x, y: np.where(x != 0, 0, y), empty, weights)
        if twist in ("prefix-both", "prefix-product"):
            weights, v = weights.first("n", sizes["p"]), v.first("n", sizes["p"])
        out = weights * v
        if twist == "contract-rows":
            out = (weights * Named(values["vrows"], keys + "me")).sum("m")
        else:
            out = out.sum("n")
    if twist == "product-start":
        out = out + Named(values["residual"], heads + "me")
    if twist == "output-residual":
        out = out + Named(values["residual"], heads + "me")
    if twist == "output-gate":
        out = out * Named(values["residual"], heads + "me")
    results = {"out": out}
    extra = {"return-weights": weights, "return-scores": s, "return-sums": total,
             "return-exponentials": e}
    if twist in extra:
        results["extra"] = extra[twist]
    return results
