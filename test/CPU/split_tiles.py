"""f32 and f16 by a matrix unit for bf16, against the formula in f64 and against multiply-adds.

split_tiles.py ATTN_RUN DIR TARGET [--table]: TARGET is a target file with split_tiles = 1. Runs
attentions of random, ill-scaled and cancelling numbers, of infinities, NaN and the largest and
smallest numbers. An error is a part of what the absolute values of all terms sum to, the worst of a
result; it may be 1.5 times that of multiply-adds. Prints a line for each; exits 1 if one fails.
"""
import json
import os
import subprocess
import sys

import numpy as np

attn_run, out, split = sys.argv[1:4]
os.makedirs(out, exist_ok=True)
plain = os.path.join(out, "multiply_adds.json")
with open(split) as file:
    description = json.load(file)
with open(plain, "w") as file:
    json.dump(dict(description, split_tiles=0), file)

M, N, D = 96, 160, 76  # the last 12 of the depth are not half a step
failed = 0


def source(dtype, scale, heads):
    q, k, l = "%dx%dx%dx%s" % (heads, M, D, dtype), "%dx%dx%dx%s" % (heads, N, D, dtype), "%dx%dxf32" % (heads, M)
    path = os.path.join(out, "attention_%s_%g_%d.mlir" % (dtype, scale, heads))
    with open(path, "w") as file:
        file.write("""func.func @main(%%q: tensor<%s>, %%k: tensor<%s>, %%v: tensor<%s>) -> (tensor<%s>, tensor<%s>) {
  %%o = tensor.empty() : tensor<%s>
  %%l = tensor.empty() : tensor<%s>
  %%r:2 = attn.attention {scale = %.17e}
    maps = [(h, m, n, k, d) -> (h, m, k), -> (h, n, k), -> (h, n, d), -> (h, m, d), -> (h, m)]
    ins(%%q, %%k, %%v : tensor<%s>, tensor<%s>, tensor<%s>) outs(%%o, %%l : tensor<%s>, tensor<%s>)
  return %%r#0, %%r#1 : tensor<%s>, tensor<%s>
}
""" % (q, k, k, q, l, q, l, scale, q, k, k, q, l, q, l))
    return path


def run(dtype, scale, target, cases):
    """O and LSE of each case, in one run with a head for each."""
    path = source(dtype, scale, len(cases))
    arrays = [np.stack([case[i] for case in cases]) for i in range(3)]
    inputs, saved = os.path.join(out, "in.npz"), os.path.join(out, "out.npz")
    np.savez(inputs, **{"arg%d" % i: a for i, a in enumerate(arrays)})
    done = subprocess.run([attn_run, path, "--target=" + target, "--args=" + inputs, "--save=" + saved,
                           "--tiling=query_block=64,key_block=64"], capture_output=True, text=True)
    if done.returncode:
        sys.exit("attn-run: " + done.stdout + done.stderr)
    with np.load(saved) as result:
        return result["out0"].astype(np.float64), result["out1"].astype(np.float64)


def exact(arrays, scale):
    """O, LSE and what the absolute values of the terms of each sum to."""
    q, k, v = (a.astype(np.float64) for a in arrays)
    s = scale * (q @ k.T)
    r = s.max(axis=1, keepdims=True)
    p = np.exp(s - r)
    total = p.sum(axis=1, keepdims=True)
    lse = (r + np.log(total))[:, 0]
    sizes = abs(scale) * (abs(q) @ abs(k).T).max(axis=1)
    return p @ v / total, lse, p @ abs(v) / total, np.maximum(sizes, 1.0)


def report(ok, name, text):
    global failed
    failed += not ok
    print("%-4s %-28s %s" % ("ok" if ok else "FAIL", name, text), flush=True)


def compare(dtype, scale, cases):
    results = [run(dtype, scale, target, [c[1:] for c in cases]) for target in (split, plain)]
    for i, (name, *arrays) in enumerate(cases):
        o, lse, size_o, size_lse = exact(arrays, scale)
        (o_split, l_split), (o_plain, l_plain) = (
            (np.max(abs(r[0][i] - o) / size_o), np.max(abs(r[1][i] - lse) / size_lse)) for r in results)
        # An LSE in f32 is no better than half a unit of its last place.
        ok = o_split <= 1.5 * o_plain and l_split <= max(1.5 * l_plain, 2.0**-24)
        report(ok, name + " " + dtype, "O %.2e, multiply-adds %.2e; LSE %.2e, %.2e" %
               (o_split, o_plain, l_split, l_plain))


rng = np.random.default_rng(7)
normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
for dtype, kind in (("f32", np.float32), ("f16", np.float16)):
    v = normal(N, D)
    cancelling = normal(N, D)
    cancelling[1::2] = -cancelling[::2] * (1 + normal(N // 2, D) / 500)
    # q k is a sum of large terms that cancel but for a part in 500.
    k = normal(N, D)
    k[:, 1::2] = -k[:, ::2] * (1 + normal(N, D // 2) / 500)
    q = normal(M, D)
    q[:, 1::2] = q[:, ::2]
    cases = [("random", normal(M, D), normal(N, D), v), ("sharp", 4 * normal(M, D), 4 * normal(N, D), v),
             ("cancelling scores", 17 * q, 17 * k, v), ("cancelling values", normal(M, D) / 100, normal(N, D), cancelling)]
    cases = [(name, *(a.astype(kind) for a in arrays)) for name, *arrays in cases]
    if dtype == "f32":
        columns = np.float32(10) ** rng.integers(-20, 21, D).astype(np.float32)
        cases.append(("ill-scaled", normal(M, D) * columns, normal(N, D) / columns, normal(N, D) * columns))
        # Near the largest numbers, whose first part may not be rounded up.
        large = np.float32(3.4e38)
        v[0] = large * np.sign(v[0])
        cases.append(("large values", normal(M, D), normal(N, D), v))
        cases.append(("large queries", large * np.sign(normal(M, D)), normal(N, D) * np.float32(1e-30), normal(N, D)))
    compare(dtype, D**-0.5, cases)


def specials(dtype, cases):
    """The same NaN and infinities as multiply-adds give, and numbers beside them."""
    results = [run(dtype, D**-0.5, target, [c[1:] for c in cases]) for target in (split, plain)]
    tolerance = 1e-5 if dtype == "f32" else 2e-3
    for i, case in enumerate(cases):
        (o, lse), (want, want_lse) = ((r[0][i], r[1][i]) for r in results)
        ok = all(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
                 for a, b in ((o, want), (lse, want_lse)))
        report(ok, case[0] + " " + dtype, "%d of %d results not finite" % (np.sum(~np.isfinite(want)), want.size))


for dtype, kind in (("f32", np.float32), ("f16", np.float16)):
    cases = []
    # Also of numbers with few bits, whose lower parts are 0.
    for note, make in (("", normal), (", few bits", lambda *shape: np.sign(normal(*shape)))):
        base = [make(*shape).astype(kind) for shape in ((M, D), (N, D), (N, D))]

        def case(name, *changes):
            arrays = [a.copy() for a in base]
            for operand, place, value in changes:
                arrays[operand][place] = value
            cases.append((name + note, *arrays))

        for value in (np.inf, -np.inf, np.nan):
            for operand, place in ((0, "Q"), (1, "K"), (2, "V")):
                case("%s in %s" % (value, place), (operand, (5, 3), value), (operand, (7, 70), value))
        case("inf - inf in V", (2, (5, 3), np.inf), (2, (70, 3), -np.inf))
        case("inf times 0", (0, (5, 3), np.inf), (1, (9, 3), 0), (0, (6, 70), np.inf), (1, (8, 70), 0))
        # All scores of row 5 are -inf: it has no key.
        case("inf times -inf", (0, 5, np.inf), (1, slice(None), -np.inf))
    payload = base[1].copy()
    payload.view(np.uint32 if dtype == "f32" else np.uint16)[5, 3] = 0x7F800001 if dtype == "f32" else 0x7C01
    cases.append(("NaN of low bits in K", base[0], payload, base[2]))
    specials(dtype, cases)

# Very small numbers: what V loses is below 2^-126 for each key, and so is what a product does.
tiny = (normal(M, D), normal(N, D), normal(N, D) * np.float32(2.0**-118))
worst = np.max(abs(run("f32", D**-0.5, split, [tiny])[0][0] - exact(tiny, D**-0.5)[0]))
report(worst <= 8 * 2.0**-126, "small values f32", "error %.2f 2^-126" % (worst * 2.0**126))
print("%d failed" % failed)
sys.exit(1 if failed else 0)
