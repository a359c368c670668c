"""The same for attn.attention_backward: random attentions, their gradients.

matrix_backward.py: options as those of matrix.py.

The op is given the oracle's O and LSE, rounded to their types. Tolerance of a
gradient's element: with M what its terms add up to without cancellation,
    |got - want| <= M (16 u(acc) (1 + X) + 2 u(V) + 2 u(O)) + 2 u(out) |want|
X as in matrix.py with |LSE| in it, since p = exp(x - LSE); u(V) because p z is
rounded to V's type, u(O) because D = dO . O is made from a rounded O; where all
operands are bf16 a matrix unit may round dS, too: + 2 u(bf16) M. The
gradient of an extra passes its type at every point: + 2 u(extra) M. In f16 small
numbers have an absolute error of 2^-25.
"""

import numpy as np

import matrix
from attention_oracle import Space, attention
from draw import Draw
from emit import FLOATS, ROUNDOFF
from execute import call
from matrix import disagreement, largest



def case(seed):
    draw = Draw(seed)
    case = draw.case()
    floats = lambda: draw.pick(["f16", "bf16", "f32", "f64"])
    base = case["types"]["q"]
    extras = [e for stage in case["stages"] for e in stage[2]]
    chosen = [n for n, e in enumerate(extras) if e["type"] in FLOATS and "map" in e and draw.chance(0.7)]
    types = {o: floats() if draw.chance(0.15) else base for o in "qkv"}
    case["backward"] = dict(types=dict(types, sink=floats(), extras=floats()), dlse=draw.chance(0.3),
                            extras=[chosen[i] for i in draw.random.permutation(len(chosen))])
    if draw.chance(0.7):
        case["tiling"]["order"] = "kv_outer"
    return case


def magnitudes(f):
    """What the terms of each gradient add up to, without cancellation."""
    o = f.oracle
    q, k, v = (np.abs(np.asarray(a, np.float64)) for a in f.qkv)
    space = Space(o["dims"], o["maps"], f.qkv, o["origin"], o["extents"])
    (Q, K, V, O), S, R = map(space.ids, space.maps), space.ids(space.set), space.ids(space.state)
    L = space.ids(o["lse_map"].split())
    out, lse, grads = attention(*f.qkv, **o)
    finite = lambda a: np.where(np.isfinite(a), np.abs(a), 0)
    p, z = grads["p"], np.abs(np.broadcast_to(grads["z"], space.shape))
    p = np.where(np.isfinite(p), p, 0)
    dout = finite(o["dout"])
    D = np.einsum(dout, O, finite(out), O, R)
    if o["dlse"] is not None:
        D = D + np.einsum(finite(o["dlse"]), L, R)
    rows = tuple(1 if d in space.key else n for d, n in zip(space.set, space.shape))
    D, dov = D.reshape(rows), np.einsum(dout, O, v, V, S)
    dx, dz, slope, X = p * (z * dov + D), p * dov, 1.0, grads["x"]
    for stage, numbers, *params in o["score"]:
        if stage == "mul":
            slope *= max(1, largest(o["extras"][numbers[0]][0]))
    s = dx * slope * abs(o["scale"])
    result = [np.einsum(s, S, k, K, Q), np.einsum(s, S, q, Q, K), np.einsum(p * z, S, dout, O, V)]
    if o["sink"] is not None:
        result.append(space.scatter(finite(grads["t"]) * D, o["sink"][1], np.shape(o["sink"][0])))
    # Whatever the stage: at most so much reaches its extra.
    sizes = 1 + largest(X) + sum(largest(e[0]) * (40 if e[0].dtype.kind == "f" else 1)
                                 for e in o["extras"] if np.asarray(e[0]).dtype.kind == "f")
    for n in f.case["backward"]["extras"]:
        array, where = o["extras"][n]
        result.append(space.scatter((dx * slope + dz * max(1, largest(z))) * sizes, where, np.shape(array)))
    if f.case["types"]["v"] == "f16":
        result[2] = result[2] + 2.0**-14 * np.einsum(np.ones(space.shape), S, dout, O, V)
    return result, max(largest(X), largest(lse)), [out, lse, grads]


def names(f):
    return ["dQ", "dK", "dV"] + ["dsink"] * (f.oracle["sink"] is not None) + \
        ["dextra %d" % n for n in f.case["backward"]["extras"]]


def gradients(f, products=0):
    """What each gradient should be, and the tolerance of its elements. `products`:
    the roundoff of dS, where a product rounds it."""
    f.oracle.setdefault("dlse", None)
    with np.errstate(all="ignore"):
        sizes, X, (_, _, grads) = magnitudes(f)
    want = [grads[o] for o in "qkv"]
    if f.oracle["sink"] is not None:
        want.append(grads["sink"])
    for n in f.case["backward"]["extras"]:
        none = np.zeros(np.shape(f.oracle["extras"][n][0]))
        want.append(none if grads["extras"][n] is None else grads["extras"][n])
    types = f.case["types"]
    relative = 16 * ROUNDOFF[f.acc] * (1 + X) + 2 * ROUNDOFF[types["v"]] + 2 * ROUNDOFF[types["o"]] + 2 * products
    extras = [e["type"] for stage in f.case["stages"] for e in stage[2]]
    through = [f.acc] * (len(want) - len(f.case["backward"]["extras"])) + \
        [extras[n] for n in f.case["backward"]["extras"]]
    tolerances = []
    for w, size, (_, out), type in zip(want, sizes, f.results, through):
        finite = np.where(np.isfinite(w), np.abs(w), 0)
        # Below f16's smallest normal number the absolute error is that of it.
        tolerances.append(size * (relative + 2 * ROUNDOFF[type]) + 2 * ROUNDOFF[out] * finite + (2.0**-24 if "f16" in (out, type) else 1e-30))
    beyond = lambda w: np.where(np.abs(w) > 65504, np.copysign(np.inf, w), w)
    want = [beyond(w) if out == "f16" else w for w, (_, out) in zip(want, f.results)]
    return want, tolerances


def compared(f, library):
    """Name, got, want, tolerance of each gradient of a compiled function."""
    narrow = all(type == "bf16" for type in f.case["types"].values())
    return zip(names(f), call(library, f.name, f.args, f.results),
               *gradients(f, products=ROUNDOFF["bf16"] if narrow else 0))


def check(f, library):
    """None, or what is wrong with a compiled function."""
    for name, got, want, tolerance in compared(f, library):
        message = disagreement(got, want, tolerance)
        if message:
            return name + message
    return None




if __name__ == "__main__":
    matrix.main(case, check)
