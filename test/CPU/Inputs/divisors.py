"""divisors.py FOLDER: attentions and gradients whose extras lie behind several floordivs and mods of one dim,
at random, some with a tiling of their own, some with blocks; with what numpy makes of them."""
import os
import sys

import numpy as np

DIVISORS = [2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 40]
EXTENTS = [1, 5, 7, 13, 16, 37, 48, 63, 130]


def write(folder, number):
    rng = np.random.default_rng(number)
    m, n = (int(rng.choice(EXTENTS)) for _ in range(2))
    depth, backward, blocks = 8, number % 2, rng.random() < 0.3
    q, k, v, do = (rng.standard_normal((size, depth)) / 2 for size in (m, n, n, m))
    rows, keys = np.arange(m), np.arange(n)
    s = q @ k.T
    extras, maps, types = [], [], []
    for _ in range(3):
        axes, places = [], []
        for dim, points in (("m", rows), ("n", keys)):
            divisor, mod = int(rng.choice(DIVISORS)), rng.random() < 0.5
            axes.append("%s %s %d" % (dim, "mod" if mod else "floordiv", divisor))
            places.append(points % divisor if mod else points // divisor)
        shape = [divisor_extent(axis, points.size) for axis, points in zip(axes, (rows, keys))]
        extra = rng.standard_normal(shape)
        s = s + extra[places[0][:, None], places[1][None, :]]
        extras.append(extra)
        maps.append("(%s)" % ", ".join(axes))
        types.append("tensor<%dx%dxf32>" % tuple(shape))
    seen = np.ones((m, n), bool)
    if blocks:
        down, across = (int(rng.choice([8, 16])) for _ in range(2))
        mask = rng.random((-(-m // down), -(-n // across))) < 0.6
        seen = mask[rows[:, None] // down, keys[None, :] // across]
    s = np.where(seen, s, -np.inf)
    top = np.where(seen.any(1), s.max(1, initial=-np.inf), 0)
    lse = top + np.log(np.maximum(np.exp(s - top[:, None]).sum(1), 1e-300))
    p = np.where(seen, np.exp(s - lse[:, None]), 0)
    o = p @ v
    ds = p * (do @ v.T - (do * o).sum(1)[:, None])
    lse = np.where(seen.any(1), lse, -np.inf)
    args, outs = [q, k, v, *extras], [o]
    Q, K = "tensor<%dx%dxf32>" % (m, depth), "tensor<%dx%dxf32>" % (n, depth)
    params = ["%q: " + Q, "%k: " + K, "%v: " + K] + ["%%e%d: %s" % pair for pair in enumerate(types)]
    operands = "extras(%s : %s)" % (", ".join("%%e%d" % i for i in range(3)), ", ".join(types))
    places = ["(m, k)", "(n, k)", "(n, d)", *maps]
    if blocks:
        shape = "tensor<%dx%dxi1>" % mask.shape
        params.append("%b: " + shape)
        operands += " blocks(%%b : %s)" % shape
        args.append(mask)
        places.append("(m floordiv %d, n floordiv %d)" % (down, across))
    attributes = "scale = 1.0, empty_rows = zero"
    if rng.random() < 0.6:
        attributes += ", tiling = #attn.tiling<query_block = [%d], key_block = [%d], order = %s, key_splits = %d, kernel = #attn.cpu<mr = 4, nr = 16>>" % (
            rng.choice([1, 4, 6, 15, 32, 48, 64]), rng.choice([1, 4, 9, 20, 32, 64]), rng.choice(["q_outer", "kv_outer"]), rng.choice([1, 1, 3]))
    results, inits = [Q], ["%i"]
    places.append("(m, d)")
    if backward:
        R = "tensor<%dxf32>" % m
        params += ["%o: " + Q, "%l: " + R, "%g: " + Q]
        operands += " forward(%%o, %%l : %s, %s) grad(%%g : %s)" % (Q, R, Q)
        args += [o, lse, do]
        outs = [ds @ k, ds.T @ q, p.T @ do]
        results, inits = [Q, K, K], ["%i", "%j", "%j"]
        places.append("(m)")
    names = ", ".join("%%r%d" % i for i in range(len(results)))
    text = """func.func @main(%s) -> (%s) {
  %%i = tensor.empty() : %s
  %%j = tensor.empty() : %s
  %s = attn.%s {%s}
    maps = [(m, n, k, d) -> %s]
    ins(%%q, %%k, %%v : %s, %s, %s) %s outs(%s : %s)
    score (%%s : f32, %%x : f32, %%y : f32, %%z : f32) {
      %%1 = arith.addf %%s, %%x : f32
      %%2 = arith.addf %%1, %%y : f32
      %%3 = arith.addf %%2, %%z : f32
      attn.yield %%3 : f32
    }
  return %s : %s
}
""" % (", ".join(params), ", ".join(results), Q, K, names, "attention_backward" if backward else "attention", attributes,
       ", -> ".join(places), Q, K, K, operands, ", ".join(inits), ", ".join(results), names, ", ".join(results))
    name = os.path.join(folder, "c%03d" % number)
    with open(name + ".mlir", "w") as file:
        file.write(text)
    arrays = {"arg%d" % i: a if a.dtype == bool else a.astype(np.float32) for i, a in enumerate(args)}
    arrays.update({"out%d" % i: a.astype(np.float32) for i, a in enumerate(outs)})
    np.savez(name + ".npz", tol=np.full(len(outs), 1e-4), **arrays)


def divisor_extent(axis, extent):
    _, kind, divisor = axis.split()
    return int(divisor) if kind == "mod" else -(-extent // int(divisor))


os.makedirs(sys.argv[1], exist_ok=True)
for number in range(int(sys.argv[2])):
    write(sys.argv[1], number)
