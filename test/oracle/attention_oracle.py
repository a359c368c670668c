"""attn.attention by its definition: numpy, float64, the softmax materialised.

Every executor of the compiler answers to this file, so it shares nothing with
the compiler. Indices are einsum-like lists: `dims` names the iteration space,
an operand's map names the dims that index it ("b h m k"; extras and blocks may
also say "0", "n//4" or "n%3"). A score function is a list of stages (see
score_stages.py). `visible(i, e, s)` is a predicate over index grids i[dim],
extents e[dim] and the symbols s.
"""
import numpy as np

from philox import keep
from score_stages import STAGES


class Space:
    """Roles by incidence, and index grids over the batch, row and key dims."""
    def __init__(self, dims, maps, arrays, origin, extents):
        self.dims, self.maps = dims.split(), [m.split() for m in maps]
        size = dict(p for m, a in zip(self.maps, arrays) for p in zip(m, a.shape))
        inc = {d: "".join(n for n, m in zip("QKVO", self.maps) if d in m) for d in self.dims}
        role = lambda s: [d for d in self.dims if inc[d] == s]
        self.row, self.key = role("QO"), role("KV")
        self.set = [d for d in self.dims if inc[d] not in ("QK", "VO")]
        self.state = [d for d in self.set if d not in self.key]
        self.keys = tuple(self.set.index(d) for d in self.key)
        self.extent = {d: extents.get(d, size[d]) for d in self.dims}
        self.local = dict(zip(self.set, np.ogrid[tuple(slice(size[d]) for d in self.set)]))
        self.shape = tuple(size[d] for d in self.set)
        self.index = {d: g + origin.get(d, 0) for d, g in self.local.items()}

    def __getitem__(self, dim):
        return self.index[dim]

    def ids(self, map):
        return [self.dims.index(d) for d in map]

    def at(self, map):
        """The indices with which a map reads its operand, over the whole grid."""
        ones = np.zeros((1,) * len(self.set), int)
        return tuple(ones + eval(e, {}, dict(self.local)) for e in map.split())

    def read(self, array, map):
        ones = (1,) * len(self.set)
        return np.asarray(array)[self.at(map)] if map else np.reshape(array, ones)

    def scatter(self, grad, map, shape):
        """The gradient of `read`: summed over every dim that the map lacks."""
        out = np.zeros(shape)
        np.add.at(out, tuple(np.broadcast_to(j, grad.shape) for j in self.at(map)) or ...,
                  grad if map else grad.sum())
        return out

    def keep(self, p, seed, offset):
        linear = [0, 0]
        others = [d for d in self.state if d not in self.row] + self.row[:-1]
        for which, dims in enumerate((self.key, others)):
            for d in dims:
                linear[which] = linear[which] * self.extent[d] + self.index[d]
        m = self.index[self.row[-1]] if self.row else np.int64(0)
        return keep(p, seed.item(), offset.item(), m, linear[0], linear[1])


def attention(q, k, v, *, dims, maps, scale=1.0, score=(), extras=(), visible=None,
              symbols=(), blocks=None, hidden=None, empty_rows="nan", sink=None,
              lse_map=None, origin={}, extents={}, dout=None, dlse=None):
    """O and LSE; with dout, also a dict of the gradients of q, k, v, extras, sink
    (and p, x, z and the sink's share t, for bounds of errors).

    maps: those of q, k, v, o. score: [(stage, extra numbers, *params)]. extras,
    symbols: [(array, map)]. blocks, sink: (array, map). hidden: None (skip) or c.
    """
    q, k, v = (np.asarray(a, np.float64) for a in (q, k, v))
    i = Space(dims, maps, (q, k, v), origin, extents)
    (Q, K, V, O), S, R = map(i.ids, i.maps), i.ids(i.set), i.ids(i.state)
    L = i.ids(lse_map.split()) if lse_map is not None else R
    number = lambda a: a if a.dtype.kind in "biu" else a.astype(np.float64)
    e = [number(i.read(*extra)) for extra in extras]
    # Scores, score function, hidden keys.
    x, z, tape = scale * np.einsum(q, Q, k, K, S), np.ones(i.shape), []
    for name, numbers, *params in score:
        tape.append((name, numbers, params, x, z))
        x, z = STAGES[name][0](x, z, [e[n] for n in numbers], i, *params)
    seen = np.ones(i.shape, bool)
    if visible is not None:
        seen &= visible(i, i.extent, [i.read(*symbol) for symbol in symbols])
    if blocks is not None:
        seen &= i.read(*blocks)
    x = np.where(seen, x, -np.inf if hidden is None else hidden)
    # The softmax over the key dims, with the sink as one more score. Arrays over
    # rows have size 1 in the key dims; `rows` drops these.
    rows = tuple(1 if d in i.key else n for d, n in zip(i.set, i.shape))
    s = np.broadcast_to(-np.inf if sink is None else number(i.read(*sink)), rows)
    r = np.maximum(x.max(axis=i.keys, keepdims=True, initial=-np.inf), s)
    r = np.where(r == -np.inf, 0, r)
    with np.errstate(all="ignore"):
        p, t = np.exp(x - r), np.exp(s - r)
        l = p.sum(axis=i.keys, keepdims=True) + t
        empty, lse = l == 0, r + np.log(l)
        W = R + [d for d in V if d not in S]  # rows, then value dims
        o = np.einsum(p * z, S, v, V, W)
        per_row = lambda a: np.reshape(a, o.shape[:len(R)] + (1,) * (len(W) - len(R)))
        o = o / per_row(l)
        p, t = p / l, np.where(s == -np.inf, 0, t / l)  # a sink of -inf is none
    if empty_rows == "zero":
        o, p, t = np.where(per_row(empty), 0, o), np.where(empty, 0, p), np.where(empty, 0, t)
    o = np.einsum(o, W, O)
    lse_out = np.einsum(np.squeeze(lse, i.keys), R, L)
    if dout is None:
        return o, lse_out
    # Backward.
    dout = np.asarray(dout, np.float64)
    D = np.einsum(dout, O, o, O, R)
    if dlse is not None:
        D = D - np.einsum(np.asarray(dlse, np.float64), L, R)
    D, dpz = D.reshape(rows), np.einsum(dout, O, v, V, S)
    dx, dz = p * (z * dpz - D), p * dpz
    # Nothing flows through a hidden key's score, except that where the mask is an
    # added -inf the NaN of an empty row does.
    dx = np.where(seen | empty & (empty_rows == "nan"), dx, 0)
    grads = dict(v=np.einsum(p * z, S, dout, O, V), extras=[None] * len(e), sink=None,
                 p=p, x=x, z=z, t=t)
    for name, numbers, params, x, z in reversed(tape):
        back = STAGES[name][1](x, z, [e[n] for n in numbers], i, *params, dx, dz)
        dx, dz = back[:2]
        for n, g in zip(numbers, back[2]):
            if g is not None:
                g = i.scatter(g, extras[n][1], np.shape(extras[n][0]))
                grads["extras"][n] = g if grads["extras"][n] is None else grads["extras"][n] + g
    grads["q"] = scale * np.einsum(dx, S, k, K, Q)
    grads["k"] = scale * np.einsum(dx, S, q, Q, K)
    if sink is not None:
        grads["sink"] = i.scatter(np.where(s == -np.inf, 0, -t * D), sink[1], np.shape(sink[0]))
    return o, lse_out, grads
