"""What is computed: the description of one attention, or of a near-miss.

A Problem says sizes, types, scale, masks, and what is wrong with it (twist), in
terms of named dims, nothing about how it is written:

  b batch, g key head, r query heads per key head, m query, n key, d depth, e value
  p a prefix of the keys, c the keys and a sink's column
"""
import numpy as np

MIN = {"f16": -65504.0, "f32": float(np.finfo(np.float32).min),
       "f64": float(np.finfo(np.float64).min)}

# Each changes the result, or asks for more than the result; some make another
# attention, which may be fused, rightly.
TWISTS = [
    "sum-over-rows", "max-over-rows", "softmax-over-rows", "sum-over-both",
    "sum-over-heads", "contract-rows", "denominator-unscaled",
    "denominator-unmasked", "denominator-other-key", "denominator-prefix",
    "denominator-doubled", "sum-of-scores", "sum-start-one", "product-start",
    "scores-start", "mask-after", "mask-numerator", "key-weight", "squared",
    "divided-twice", "multiplied", "divided-by-weights", "unnormalised",
    "return-weights", "return-scores", "return-sums", "return-exponentials",
    "value-per-query", "key-per-query", "heads-swapped", "query-is-key",
    "value-is-key", "prefix-both", "prefix-product", "shift-per-key",
    "shift-numerator", "shift-numerator-row", "negated-exponent",
    "exponential-of-square", "relu", "sigmoid", "shift-minimum", "shift-first",
    "max-of-unscaled", "sum-plus-epsilon", "sum-clamped", "scale-per-key",
    "scale-per-row", "two-contractions", "output-residual", "output-gate",
    "alternating-sum", "weights-plus-value", "reversed-keys", "keys-of-other-batch",
    "denominator-tempered", "scale-by-mean", "sink-subtracted", "max-with-other",
]

# Masks that an integer of each batch decides.
BY_LENGTH = ("lengths", "padded", "filled")

# Twists that leave weights which f16 may have no room for.
UNBOUNDED = {
    "divided-by-weights", "negated-exponent", "multiplied", "sum-of-scores",
    "denominator-unscaled", "denominator-unmasked", "denominator-other-key",
    "denominator-tempered",
}


class Mask:
    """kind: causal (n <= m + offset), band (m - width < n <= m), near
    (|m - n| < width), prefix (n < length), after (n >= length), strided
    (2 divides m - n), table (constant booleans), given (an i1 argument over
    dims); with an integer argument over b: lengths (n < length), padded
    (n >= length), filled (n <= m + length)."""

    def __init__(self, kind, by, fill, offset=0, dims=""):
        self.kind, self.by, self.fill, self.offset, self.dims = (
            kind, by, fill, offset, dims)


class Problem:
    pass


def draw(choices, near_miss):
    """A Problem. `near_miss`: with a twist."""
    p = Problem()
    pick, chance = choices.pick, choices.chance
    p.twist = pick("twist", TWISTS) if near_miss else None
    heads = pick("heads", ["g", "bg", "", "bgr", "gr", "b"], [2, 5, 2, 4, 1, 1])
    if p.twist in ("sum-over-heads", "heads-swapped") and heads != "bgr":
        heads = "bg"
    if p.twist == "keys-of-other-batch" and "b" not in heads:
        heads = "b"
    sizes = {"b": pick("b", [2, 1, 3]), "g": pick("g", [2, 1, 3]),
             "r": pick("r", [2, 3, 1]),
             "m": pick("m", [5, 8, 1, 7, 13, 16, 33], [3, 5, 1, 3, 2, 3, 1]),
             "n": pick("n", [6, 8, 1, 7, 13, 16, 40], [3, 5, 1, 3, 2, 3, 1]),
             "d": pick("d", [4, 8, 1, 5, 16]), "e": pick("e", [3, 8, 1, 7, 16])}
    if chance("square", 35) or p.twist in ("contract-rows", "query-is-key"):
        sizes["m"] = sizes["n"]
    if p.twist == "heads-swapped":
        sizes["g"] = sizes["b"]
    if p.twist == "value-is-key":
        sizes["e"] = sizes["d"]
    sizes["p"] = max(1, sizes["n"] // 2)
    sizes["c"] = sizes["n"] + 1
    p.heads, p.sizes = heads, sizes
    p.elem = pick("elem", ["f32", "f64", "f16"], [75, 13, 12])
    if p.elem == "f16" and p.twist in UNBOUNDED:
        p.elem = "f32"
    p.compute = p.elem
    if p.elem == "f16" and not chance("f16.all", 25):
        p.compute = "f32"
    p.scale = pick("scale", [1.0, 0.5, 0.35355338, 0.7, -0.6], [2, 4, 4, 3, 1])
    p.scale_argument = chance("scale.argument", 7)
    p.cap = pick("cap", [None, 3.0], [9, 1])
    p.bias = pick("bias", [None, "mn", "gmn", "n", "m", "bgmn", "gn", "bn", ""],
                  [70, 6, 6, 4, 3, 3, 3, 3, 2])
    if p.bias is not None:
        p.bias = "".join(d for d in p.bias if d in heads + "mn")
    p.order = pick("order", ["scale cap bias mask", "scale mask bias cap",
                             "mask scale cap bias", "bias mask scale cap",
                             "cap bias scale mask"], [70, 8, 8, 7, 7])
    p.masks = [draw_mask(choices, p) for _ in range(
        pick("masks", [0, 1, 2], [35, 50, 15]))]
    # Hidden by -inf, and then scaled to +inf.
    if p.order.index("mask") < p.order.index("scale") and p.masks:
        p.scale = abs(p.scale)
    draw_sink(choices, p)
    # Elementwise ops on Q, K and V, which upstream fuses into the products.
    p.producers = "".join(x for x in "qkv" if chance("producer." + x, 8))
    if p.twist in ("value-per-query", "key-per-query", "heads-swapped",
                   "query-is-key", "value-is-key", "contract-rows"):
        p.producers = ""
    # A hidden score as the shift, or in a mean, overflows; without a key in the
    # prefix, what is not NaN depends on when the division is done.
    if p.twist in ("shift-minimum", "shift-first", "max-over-rows",
                   "denominator-prefix", "scale-by-mean"):
        p.masks = []
    # A fill next to which a row's further shift is rounded away.
    if p.twist == "shift-numerator-row":
        p.masks = [m for m in p.masks if np.isneginf(m.fill)]
    # Whole rows hidden by an added -inf, in the values of an argument. Beside a
    # finite fill that breaks A1: scores at hidden keys are assumed to be finite.
    p.hidden_rows = bool(p.masks) and chance("hidden-rows", 6) and all(
        np.isneginf(m.fill) for m in p.masks)
    hides = any(np.isneginf(m.fill) for m in p.masks) or p.hidden_rows
    p.safe = (hides and p.sink != "column" and p.sink_form != "gate" and
              chance("safe", 20))
    p.shift = pick("shift", ["max", "none", "constant", "max-clamped", "max-guarded",
                             "mean", "max-zero"], [68, 8, 4, 7, 7, 4, 2])
    # Shifts that are not the maximum are assumed to be safe: no row of
    # exponentials vanishes or overflows as a whole.
    finite = any(not np.isneginf(m.fill) for m in p.masks)
    if p.compute == "f16" or (p.shift == "mean" and p.masks) or finite:
        p.shift = "max"
    # f16 has no room for exponentials that are not shifted by the maximum; where
    # they are divided by their sum before they become f16, it needs none.
    p.narrow = p.elem == "f16" and p.shift in ("none", "constant", "mean")
    if p.narrow and p.twist:
        p.shift, p.narrow = "max", False
    # Of shifts that may be the smallest score, exponentials have no bound.
    if p.twist in ("shift-first", "shift-minimum") and p.elem == "f16":
        p.compute = "f32"
    if p.sink == "column" or p.sink_max or p.twist in (
            "shift-per-key", "sum-of-scores", "max-with-other"):
        p.shift = "max"
    p.dynamic = "".join(d for d in pick(
        "dynamic", ["", "mn", "n", "bmn", "b", "m"], [80, 6, 4, 5, 3, 2])
        if d in heads + "mn" and sizes[d] > 1)
    if p.twist == "query-is-key":  # One tensor's dim is both m and n.
        p.dynamic = ""
    if p.sink == "column":  # The keys and one more have a known size.
        p.dynamic = p.dynamic.replace("n", "")
    if p.shift == "mean" and "n" in p.dynamic:
        p.shift = "max"
    # What may well be declined: one key, or no sum in Q K^T, has no loop to fuse; a
    # row without keys is NaN, beside a sink that its maximum does not take in it
    # would become zero.
    beside = p.sink in ("zero", "tensor") and not p.sink_max and (
        p.bias is not None or p.hidden_rows or not all(
            always_some_key(p, m) for m in p.masks))
    p.optional = 1 in (sizes["n"], sizes["d"]) or beside
    return p


def always_some_key(p, mask):
    """No row is without keys by this mask, whatever the data."""
    if not np.isneginf(mask.fill):
        return True
    return (mask.kind in ("causal", "prefix") and mask.offset >= 0 and
            len(p.masks) == 1 and not p.dynamic)


def draw_sink(choices, p):
    """A further score without a value: zero, an argument, or a column beside the
    scores. `sink_max`: the maximum takes it in. `sink_form`: its exponential is
    added to the sum, the sum starts with it, or the result is multiplied with
    sigmoid(log-sum-exp - sink)."""
    p.sink = choices.pick("sink", [None, "zero", "tensor", "column"],
                          [82, 4, 9, 5])
    if p.twist:
        p.sink = "tensor" if p.twist == "sink-subtracted" else None
    p.sink_dims = "".join(d for d in choices.pick(
        "sink.dims", ["g", "", "gr", "bg", "m", "gm"], [50, 10, 15, 8, 7, 10])
        if d in p.heads + "m")
    p.sink_form = choices.pick("sink.form", ["beside", "start", "gate"], [6, 2, 2])
    p.sink_max = choices.chance("sink.max", 40)
    if p.sink not in ("zero", "tensor") or p.twist:
        p.sink_form, p.sink_max = "beside", False
    # Such a gate is by the log-sum-exp of the keys alone.
    if p.sink_form == "gate" and (p.sink_max or p.compute == "f16"):
        p.sink_form = "beside"


def draw_mask(choices, p):
    pick = choices.pick
    kind = pick("mask", ["causal", "band", "near", "prefix", "after", "strided",
                         "table", "given", "lengths", "padded", "filled"],
                [40, 8, 5, 6, 4, 4, 6, 20, 7, 3, 4])
    if kind in BY_LENGTH and "b" not in p.heads:
        kind = "causal"
    fills = [-np.inf, MIN[p.compute], -1e9, -1e4, -1e30, -5.0]
    fill = pick("mask.fill", fills, [50, 15, 15, 9, 9, 2])
    if p.compute == "f16" and fill < -65504:
        fill = -np.inf
    offset = 0
    if kind == "causal":
        offset = pick("mask.offset", [0, 1, -1, p.sizes["n"] - p.sizes["m"], 2],
                      [60, 10, 10, 15, 5])
    if kind in ("band", "near"):
        offset = pick("mask.width", [3, 1, 2, 5])
    if kind in ("prefix", "after"):
        offset = pick("mask.length", [1, 2, 4])
    dims = "mn"
    if kind == "given":
        dims = pick("mask.dims", ["mn", "bn", "n", "bmn", "bgmn", "gmn", "m", "gn"],
                    [30, 30, 10, 10, 5, 5, 3, 7])
        dims = "".join(d for d in dims if d in p.heads + "mn")
    by = pick("mask.by", ["select", "add", "multiply"], [60, 33, 7])
    if by == "multiply" and not fill >= -1e30:
        by = "add"
    return Mask(kind, by, fill, offset, dims)


def inputs(p, seed):
    """Values of every argument there may be, over its dims in order."""
    rng = np.random.default_rng(seed)

    def normal(dims, size=1.0):
        shape = [p.sizes[d] for d in dims]
        values = rng.normal(size=shape) * size
        return values.astype({"f16": np.float16, "f32": np.float32,
                              "f64": np.float64}[p.elem])

    heads, keys = p.heads, p.heads.replace("r", "")
    values = {
        "q": normal(heads + "md", 1.3 / p.sizes["d"] ** 0.25),
        "k": normal(keys + "nd", 1.3 / p.sizes["d"] ** 0.25),
        "k2": normal(keys + "nd", 1.3 / p.sizes["d"] ** 0.25),
        "v": normal(keys + "ne"),
        "vm": normal(keys + "mne"),
        "km": normal(keys + "mnd", 1.3 / p.sizes["d"] ** 0.25),
        "vrows": normal(keys + "me"),
        "scale": np.asarray(p.scale, normal("").dtype),
        "sink": normal(p.sink_dims),
        "weight": rng.integers(0, 2, p.sizes["n"]).astype(normal("").dtype),
        "rowscale": np.abs(normal("m")) + np.asarray(0.5, normal("").dtype),
        "residual": normal(heads + "me"),
        "add-q": normal("d"), "times-k": normal("n"), "over-v": normal("n"),
        "start": normal(heads + "mn"),
    }
    if p.twist == "sink-subtracted":  # Something is left of the sum.
        values["sink"] = -4 - np.abs(values["sink"])
    if p.hidden_rows:
        values["rows"] = np.where(rng.random(p.sizes["m"]) < 0.3, -np.inf,
                                  0.5).astype(normal("").dtype)
    if p.bias is not None:
        values["bias"] = normal(p.bias)
    for i, mask in enumerate(p.masks):
        if mask.kind == "given":
            values[f"mask{i}"] = rng.random(
                [p.sizes[d] for d in mask.dims]) < 0.7
        if mask.kind == "table":
            values[f"mask{i}"] = rng.random(
                [p.sizes[d] for d in "mn"]) < 0.7
        if mask.kind in BY_LENGTH:
            values[f"mask{i}"] = rng.integers(0, p.sizes["n"] + 1, p.sizes["b"])
    return values
