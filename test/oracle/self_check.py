"""Checks the oracle itself: Philox against its published answers, the backward
against central differences of the forward, the forward against plain loops.

Usage: self_check.py
"""
import math

import numpy as np

from attention_oracle import attention
from philox import keep, philox4x32


def check_philox():
    """Random123's known-answer file, philox4x32 with 10 rounds."""
    known = [
        ("00000000 00000000 00000000 00000000", "00000000 00000000",
         "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
         "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ]
    words = lambda text: [np.uint64(int(w, 16)) for w in text.split()]
    for counter, key, want in known:
        got = philox4x32(words(counter), words(key))
        assert [int(w) for w in got] == [int(w) for w in words(want)], (got, want)
    m, n = np.ogrid[:64, :64]
    for p in (0.0, 0.1, 0.5, 1.0):
        share = (keep(p, 7, 2**40 + 3, m, n, 5) == 0).mean()
        assert abs(share - p) < 0.03, (p, share)


def check_loops():
    """Causal grouped-query attention with a sink, element by element."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 2, 5, 3)), rng.normal(size=(2, 6, 3))
    v, sink = rng.normal(size=(2, 6, 4)), rng.normal(size=(2, 2))
    o, lse = attention(q, k, v, dims="h g m n k d", maps=["h g m k", "h n k", "h n d", "m h g d"],
                       scale=-0.7, visible=lambda i, e, s: i["n"] <= i["m"] + e["n"] - e["m"] - 1,
                       sink=(sink, "h g"), lse_map="m g h")
    for h in range(2):
        for g in range(2):
            for m in range(5):
                scores = [-0.7 * float(q[h, g, m] @ k[h, n]) for n in range(m + 1)]
                total = sum(map(math.exp, scores)) + math.exp(sink[h, g])
                want = sum(math.exp(x) / total * v[h, n] for n, x in enumerate(scores))
                np.testing.assert_allclose(o[m, h, g], want, atol=1e-13)
                assert abs(lse[m, g, h] - math.log(total)) < 1e-13


def check_gradients():
    """Every stage, mask and option; each gradient by central differences."""
    rng = np.random.default_rng(1)
    floats = dict(q=rng.normal(size=(2, 3, 4, 3)), k=rng.normal(size=(5, 2, 3)),
                  v=rng.normal(size=(2, 5, 2)), bias=rng.normal(size=(2, 2, 1)),
                  slope=rng.normal(size=(3,)), factor=rng.normal(size=(5,)),
                  weight=rng.normal(size=(4, 3)), sink=rng.normal(size=(3,)))
    seed, offset = np.int64(1234567890123), np.int64(-5)
    allow = rng.random((2, 5)) < 0.8

    def run(f, hidden, empty_rows, **more):
        extras = [(f["bias"], "h m//2 0"), (f["slope"], "g"), (f["factor"], "n"),
                  (f["weight"], "m n%3"), (seed, ""), (offset, ""), (allow, "h n")]
        return attention(
            f["q"], f["k"], f["v"], dims="h g m n k d",
            maps=["h g m k", "n h k", "h n d", "h g m d"], scale=0.6, extras=extras,
            score=[("mul", [2]), ("softcap", [], 2.5), ("bias", [0]),
                   ("alibi", [1], "n", "m"), ("select", [6], -4.0), ("weight", [3]),
                   ("keep", [4, 5], 0.25)],
            visible=lambda i, e, s: (i["n"] <= i["m"]) & (i["m"] > s[0]),
            symbols=[(np.array([0, 1]), "h")], blocks=(np.array([[True, False, True]] * 2), "m//2 n//2")
            if hidden is None else None, hidden=hidden, empty_rows=empty_rows,
            sink=(f["sink"], "g") if empty_rows == "nan" else None, **more)

    for hidden, rows in ((None, "zero"), (None, "nan"), (-1.5, "nan")):
        o, lse = run(floats, hidden, rows)
        assert np.isfinite(o).all()
        finite = np.isfinite(lse)  # an empty row's -inf has no gradient
        dout = rng.normal(size=o.shape)
        dlse = np.where(finite, rng.normal(size=lse.shape), 0)
        loss = lambda f: (lambda o, l: (o * dout).sum() + (l[finite] * dlse[finite]).sum())(
            *run(f, hidden, rows))
        grads = run(floats, hidden, rows, dout=dout, dlse=dlse)[2]
        named = dict(q=grads["q"], k=grads["k"], v=grads["v"], bias=grads["extras"][0],
                     slope=grads["extras"][1], factor=grads["extras"][2],
                     weight=grads["extras"][3], sink=grads["sink"])
        for name, grad in named.items():
            if grad is None:
                continue
            for at in np.ndindex(floats[name].shape):
                up, down = (dict(floats, **{name: floats[name].copy()}) for _ in range(2))
                up[name][at] += 1e-6
                down[name][at] -= 1e-6
                want = (loss(up) - loss(down)) / 2e-6
                assert abs(grad[at] - want) < 1e-7 * max(1, abs(want)), (hidden, rows, name, at, grad[at], want)


check_philox()
check_loops()
check_gradients()
print("oracle: ok")
