"""A compiled backward against finite differences, and two wrong Jacobians against
the same: what the right one passes they must not.

The Jacobian of a softmax row is diag(p) - p p^T, so dS = P (dP - rowsum(P dP)).
Wrong: the column sum (1 - P^T 1, a softmax over the rows), and none.
"""
import numpy as np

from attention_oracle import attention
from emit import Function
from execute import call, load

N, DEPTH, STEP = 40, 12, 1e-5
CASE = dict(dims=[["m", N], ["n", N], ["k", DEPTH], ["d", DEPTH]],
            maps=dict(q=["m", "k"], k=["n", "k"], v=["n", "d"], o=["m", "d"], lse=["m"]),
            types=dict.fromkeys("qkvo", "f64"), dynamic=[], scale=0.3, stages=[], visible=None, symbols=[],
            blocks=None, hidden=None, empty_rows="nan", sink=None, position=None, values=1.0, seed=4,
            tiling=dict(query_block=[16], key_block=[16], order="kv_outer", key_splits=1),
            backward=dict(types=dict.fromkeys(("q", "k", "v", "sink", "extras"), "f64"), dlse=False, extras=[]))


def main():
    f = Function("main", CASE)
    q, k, v = f.qkv
    scale, dout = CASE["scale"], f.oracle["dout"]
    forward = {**f.oracle, "dout": None}
    right = call(load([f], "compile"), f.name, f.args, f.results)

    s = scale * q @ k.T
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    dp = dout @ v.T
    def gradients(subtracted):
        ds = scale * p * (dp - subtracted)
        return ds @ k, ds.T @ q, p.T @ dout
    wrong = {"column sum": gradients((p * dp).sum(axis=0)), "no sum": gradients(0)}

    # A random direction at a time.
    rng = np.random.default_rng(1)
    def error(grads):
        worst = 0
        for _ in range(4):
            for i in range(3):
                way = rng.normal(size=f.qkv[i].shape)
                loss = lambda t: (attention(*[a + t * way * (j == i) for j, a in enumerate((q, k, v))], **forward)[0]
                                  * dout).sum()
                slope = (loss(STEP) - loss(-STEP)) / (2 * STEP)
                worst = max(worst, abs((grads[i] * way).sum() - slope) / max(1, abs(slope)))
        return worst

    print("compiled: %.0e %s" % (error(right), "passes" if error(right) < 1e-7 else "FAILS"))
    for name, grads in wrong.items():
        print("%s: %.0e %s" % (name, error(grads), "seen to fail" if error(grads) > 1e-3 else "PASSES"))


main()
