"""foreign.py NAME N DIR [PTX]: inputs, numpy's answer and the launch manifest of a foreign kernel.

NAME is triton_forward, triton_backward, cuda_forward or cuda_backward; N the
number of rows and keys of one causal head (two for cuda). Writes DIR/NAME.npz
(arg0.., out0.., tol) and DIR/NAME.json. Another version of a compiler may pass
other parameters that kernels do not use, and take other shared memory: the PTX
says so, where it is given.
"""
import json
import os
import re
import sys

import numpy as np


def attention(q, k, v, dout, scale):
    """O, LSE and the gradients of causal attention, in float64."""
    q, k, v, dout = (x.astype(np.float64) for x in (q, k, v, dout))
    s = scale * q @ k.swapaxes(-1, -2)
    n = s.shape[-1]
    s = np.where(np.tril(np.ones((n, n), bool)), s, -np.inf)
    lse = np.log(np.exp(s).sum(-1))
    p = np.exp(s - lse[..., None])
    o = p @ v
    dv = p.swapaxes(-1, -2) @ dout
    dp = dout @ v.swapaxes(-1, -2)
    ds = p * (dp - (dout * o).sum(-1, keepdims=True)) * scale
    return o, lse, ds @ k, ds.swapaxes(-1, -2) @ q, dv


def pointer(array, source):
    strides = [s // array.itemsize for s in np.ascontiguousarray(array).strides]
    kind = {"float16": "f16", "float32": "f32"}[array.dtype.name]
    return {"kind": "pointer", "type": kind, "extents": list(array.shape), "strides": strides,
            "source": source}


def scalar(kind, value):
    return {"kind": "scalar", "type": kind, "value": value}


def unused(number):
    """A pointer that Triton adds and these kernels do not touch."""
    return {"kind": "pointer", "type": "i8", "extents": [0], "strides": [1], "source": "scratch%d" % number}


def kernel(name, grid, block, params, shared=0):
    return {"name": name, "grid": grid, "block": [block, 1, 1], "shared_bytes": shared, "params": params}


def build(name, n):
    """Arguments, results, tolerance and kernels."""
    d = 32 if name == "cuda_backward" else 64
    heads = (2,) if name.startswith("cuda") else ()
    rng = np.random.default_rng(n)
    q, k, v, g = (rng.standard_normal(heads + (n, d)).astype(np.float16) for _ in range(4))
    scale = d**-0.5
    o, lse, dq, dk, dv = attention(q, k, v, g, scale)
    half = lambda x: x.astype(np.float16)
    single = lambda x: x.astype(np.float32)
    blocks = lambda size: -(-n // size)
    log2e = float(np.log2(np.e))

    if name == "triton_forward":
        outs = [half(o), single(lse * log2e)]
        params = [pointer(x, "arg%d" % i) for i, x in enumerate((q, k, v))]
        params += [pointer(x, "out%d" % i) for i, x in enumerate(outs)]
        params += [scalar("i32", n), scalar("f32", scale), unused(0), unused(1)]
        return [q, k, v], outs, 5e-3, [kernel("forward", [blocks(64), 1, 1], 128, params, 16384)]

    if name == "cuda_forward":
        outs = [half(o), single(lse)]
        params = [pointer(x, "arg%d" % i) for i, x in enumerate((q, k, v))]
        params += [pointer(x, "out%d" % i) for i, x in enumerate(outs)]
        params += [scalar("i32", n), scalar("i32", n), scalar("f32", scale * log2e), scalar("i32", 1)]
        return [q, k, v], outs, 5e-3, [kernel("attention", [blocks(64), 2, 1], 128, params, 3 * 64 * 72 * 2)]

    if name == "triton_backward":
        args = [q, k, v, g, single(lse * log2e), half(o)]
        outs = [half(dq), half(dk), half(dv)]
        common = [pointer(x, "arg%d" % i) for i, x in enumerate(args[:5])]
        delta = pointer(single(lse), "scratch2")
        dq, dk, dv = (pointer(x, "out%d" % i) for i, x in enumerate(outs))
        tail = [scalar("i32", n), scalar("f32", scale), unused(0), unused(1)]
        kernels = [
            kernel("row_sums", [blocks(64), 1, 1], 128,
                   [pointer(args[5], "arg5"), pointer(g, "arg3"), delta, scalar("i32", n), unused(0), unused(1)], 256),
            kernel("backward_keys", [blocks(32), 1, 1], 128, common + [delta, dk, dv] + tail, 18688),
            kernel("backward_rows", [blocks(32), 1, 1], 128, common + [delta, dq] + tail, 18432),
        ]
        return args, outs, 1e-2, kernels

    args = [q, k, v, g, single(lse), half(o)]
    outs = [single(dq), single(dk), single(dv)]
    common = [pointer(x, "arg%d" % i) for i, x in enumerate(args[:5])]
    delta = pointer(single(lse), "scratch0")
    grads = [pointer(x, "out%d" % i) for i, x in enumerate(outs)]
    rows = 2 * n
    kernels = [
        kernel("clear", [-(-rows * d // 256), 1, 1], 256, [grads[0], scalar("i32", rows * d)]),
        kernel("rowSums", [-(-rows // 4), 1, 1], 128,
               [pointer(args[5], "arg5"), pointer(g, "arg3"), delta, scalar("i32", rows)]),
        kernel("backward", [blocks(32), 2, 1], 256,
               common + [delta] + grads + [scalar("i32", n), scalar("f32", scale)]),
    ]
    return args, outs, 5e-3, kernels


def fit(kernels, ptx):
    """What the PTX says of its kernels, in place of what one version of it said."""
    for found in kernels:
        declared = re.search(r"\.entry %s\((.*?)\)" % found["name"], ptx, re.S).group(1).count(".param")
        while len(found["params"]) < declared:
            found["params"].append(unused(10 + len(found["params"])))
        spare = found["params"][declared:]
        if any(p["type"] != "i8" for p in spare):
            sys.exit("kernel %s has %d parameters, these are needed: %s" % (found["name"], declared, found["params"]))
        del found["params"][declared:]
        shared = re.search(r"// %s: (\d+) bytes of shared memory" % found["name"], ptx)
        if shared:
            found["shared_bytes"] = int(shared.group(1))


def main():
    name, n, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    args, outs, tol, kernels = build(name, n)
    if len(sys.argv) > 4:
        with open(sys.argv[4]) as text:
            fit(kernels, text.read())
    os.makedirs(folder, exist_ok=True)
    arrays = {"arg%d" % i: x for i, x in enumerate(args)}
    arrays.update({"out%d" % i: x for i, x in enumerate(outs)})
    np.savez(os.path.join(folder, name + ".npz"), tol=tol, **arrays)
    with open(os.path.join(folder, name + ".json"), "w") as out:
        json.dump({"kernels": kernels}, out, indent=1)


if __name__ == "__main__":
    main()
