#!/usr/bin/env python3
"""Attention in Triton, compiled to PTX for sm_80 without a GPU.

usage: triton_attention.py DIR    (needs PyPI's triton; tested with 3.9)

Writes DIR/triton_attention.ptx: forward, and a backward of three kernels
(row sums of dO.O; dK and dV; dQ). One head, causal or not, any length: rows
beyond the last one are masked. Tests run the PTX on the emulator, so that it
has to understand what another compiler writes.
"""
import os
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

D = 64
LOG2E = 1.4426950408889634


@triton.jit
def forward(Q, K, V, O, L, N, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
            CAUSAL: tl.constexpr, LOG2E: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(Q + m[:, None] * D + d[None, :], mask=m[:, None] < N, other=0.0)
    top = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = N
    if CAUSAL:
        end = tl.minimum(N, (tl.program_id(0) + 1) * BM)
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(K + n[None, :] * D + d[:, None], mask=n[None, :] < N, other=0.0)
        s = tl.dot(q, k) * (scale * LOG2E)
        seen = n[None, :] < N
        if CAUSAL:
            seen = seen & (m[:, None] >= n[None, :])
        s = tl.where(seen, s, float("-inf"))
        peak = tl.maximum(top, tl.max(s, 1))
        p = tl.math.exp2(s - peak[:, None])
        shrink = tl.math.exp2(top - peak)
        total = total * shrink + tl.sum(p, 1)
        v = tl.load(V + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
        acc = tl.dot(p.to(tl.float16), v, acc * shrink[:, None])
        top = peak
    tl.store(O + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16), mask=m[:, None] < N)
    tl.store(L + m, top + tl.math.log2(total), mask=m < N)


@triton.jit
def row_sums(O, dO, Delta, N, D: tl.constexpr, BM: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    at = m[:, None] * D + tl.arange(0, D)[None, :]
    o = tl.load(O + at, mask=m[:, None] < N, other=0.0).to(tl.float32)
    g = tl.load(dO + at, mask=m[:, None] < N, other=0.0).to(tl.float32)
    tl.store(Delta + m, tl.sum(o * g, 1), mask=m < N)


@triton.jit
def backward_keys(Q, K, V, dO, L, Delta, dK, dV, N, scale, D: tl.constexpr, BM: tl.constexpr,
                  BN: tl.constexpr, CAUSAL: tl.constexpr, LOG2E: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.arange(0, D)
    k = tl.load(K + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
    v = tl.load(V + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
    dk = tl.zeros([BN, D], tl.float32)
    dv = tl.zeros([BN, D], tl.float32)
    begin = 0
    if CAUSAL:
        begin = tl.program_id(0) * BN // BM * BM
    for start in range(begin, N, BM):
        m = start + tl.arange(0, BM)
        there = m < N
        q = tl.load(Q + m[:, None] * D + d[None, :], mask=there[:, None], other=0.0)
        g = tl.load(dO + m[:, None] * D + d[None, :], mask=there[:, None], other=0.0)
        lse = tl.load(L + m, mask=there, other=0.0)
        delta = tl.load(Delta + m, mask=there, other=0.0)
        s = tl.dot(k, tl.trans(q)) * (scale * LOG2E)
        p = tl.math.exp2(s - lse[None, :])
        seen = (n[:, None] < N) & there[None, :]
        if CAUSAL:
            seen = seen & (m[None, :] >= n[:, None])
        p = tl.where(seen, p, 0.0)
        dv = tl.dot(p.to(tl.float16), g, dv)
        dp = tl.dot(v, tl.trans(g))
        ds = p * (dp - delta[None, :])
        dk = tl.dot(ds.to(tl.float16), q, dk)
    tl.store(dK + n[:, None] * D + d[None, :], (dk * scale).to(tl.float16), mask=n[:, None] < N)
    tl.store(dV + n[:, None] * D + d[None, :], dv.to(tl.float16), mask=n[:, None] < N)


@triton.jit
def backward_rows(Q, K, V, dO, L, Delta, dQ, N, scale, D: tl.constexpr, BM: tl.constexpr,
                  BN: tl.constexpr, CAUSAL: tl.constexpr, LOG2E: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    there = m < N
    q = tl.load(Q + m[:, None] * D + d[None, :], mask=there[:, None], other=0.0)
    g = tl.load(dO + m[:, None] * D + d[None, :], mask=there[:, None], other=0.0)
    lse = tl.load(L + m, mask=there, other=0.0)
    delta = tl.load(Delta + m, mask=there, other=0.0)
    dq = tl.zeros([BM, D], tl.float32)
    end = N
    if CAUSAL:
        end = tl.minimum(N, (tl.program_id(0) + 1) * BM)
    for start in range(0, end, BN):
        n = start + tl.arange(0, BN)
        k = tl.load(K + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
        v = tl.load(V + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
        p = tl.math.exp2(tl.dot(q, tl.trans(k)) * (scale * LOG2E) - lse[:, None])
        seen = (n[None, :] < N) & there[:, None]
        if CAUSAL:
            seen = seen & (m[:, None] >= n[None, :])
        p = tl.where(seen, p, 0.0)
        ds = p * (tl.dot(g, tl.trans(v)) - delta[:, None])
        dq = tl.dot(ds.to(tl.float16), k, dq)
    tl.store(dQ + m[:, None] * D + d[None, :], (dq * scale).to(tl.float16), mask=there[:, None])


TYPES = {"L": "*fp32", "Delta": "*fp32", "N": "i32", "scale": "fp32"}


def compile_kernel(kernel, **constants):
    names = [name for name in kernel.arg_names]
    signature = {name: "constexpr" if name in constants else TYPES.get(name, "*fp16") for name in names}
    # Arrays begin at multiples of 16 bytes.
    aligned = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if signature[name].startswith("*")}
    source = ASTSource(kernel, signature, {(names.index(k),): v for k, v in constants.items()}, aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4, "num_stages": 2})
    return compiled.asm["ptx"], "// %s: %d bytes of shared memory" % (compiled.metadata.name, compiled.metadata.shared)


def main():
    block = dict(D=D, BM=64, BN=32, CAUSAL=True, LOG2E=LOG2E)
    texts = [
        compile_kernel(forward, **block),
        compile_kernel(row_sums, D=D, BM=64),
        compile_kernel(backward_keys, **{**block, "BM": 32, "BN": 32}),
        compile_kernel(backward_rows, **{**block, "BM": 32, "BN": 32}),
    ]
    # One module: the header once, and no debug information.
    lines = []
    for index, (text, shared) in enumerate(texts):
        text = text.split("\t.section\t")[0]
        for line in text.splitlines():
            stripped = line.strip()
            header = stripped.startswith((".version", ".target", ".address_size", ".extern .shared",
                                          ".global .align 1 .b8 _$_str"))
            if (header and index) or stripped.startswith((".loc", ".file", "//", "$L__tmp")) or not stripped:
                continue
            lines.append(line.split("//")[0].rstrip().replace(", debug", ""))
    with open(os.path.join(sys.argv[1], "triton_attention.ptx"), "w") as out:
        out.write("// Written by triton_attention.py with Triton %s.\n" % triton.__version__)
        out.write("\n".join([shared for _, shared in texts] + lines) + "\n")


if __name__ == "__main__":
    main()
