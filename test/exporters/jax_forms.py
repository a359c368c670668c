"""Exports attentions from JAX, converts them to linalg, recognises and executes them.

usage: jax_forms.py   (attn-run and torch-mlir-opt are found in the PATH)

Prints a line per form: how many attentions were found of how many there are, and
whether the result agrees with the unfused one. Exit 1 where one differs.
"""
import json
import os
import subprocess
import sys
import tempfile

import jax
import jax.export
import jax.numpy as jnp
from jax import nn

B, H, N, D = 2, 4, 10, 8
CONVERT = ["--inline", "--stablehlo-convert-to-signless", "--canonicalize",
           "--stablehlo-legalize-to-linalg", "--canonicalize", "--cse"]


def shape(*sizes, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(sizes, dtype)


QKV = (shape(B, H, N, D),) * 3
BNHD = (shape(B, N, H, D),) * 3
FORMS = []


def form(*arguments, attentions=1):
    def note(f):
        FORMS.append((f.__name__, f, arguments, attentions))
        return f
    return note


def scores(q, k):
    return jnp.einsum("bhmd,bhnd->bhmn", q, k) * 0.35


def mix(weights, v):
    return jnp.einsum("bhmn,bhnd->bhmd", weights, v)


@form(*QKV)
def causal(q, k, v):
    seen = jnp.tril(jnp.ones((N, N), bool))
    return mix(nn.softmax(jnp.where(seen, scores(q, k), -jnp.inf)), v)


@form(*QKV, shape(B, dtype=jnp.int32))
def lengths(q, k, v, n):
    seen = jnp.arange(N) < n[:, None]
    return mix(nn.softmax(jnp.where(seen[:, None, None], scores(q, k), -1e9)), v)


@form(shape(B, H, 1, D), *QKV[1:], shape(dtype=jnp.int32))
def decode(q, k, v, position):
    seen = jnp.arange(N) <= position
    return mix(nn.softmax(jnp.where(seen, scores(q, k), -1e30)), v)


@form(*QKV)
def soft_cap(q, k, v):
    return mix(nn.softmax(30 * jnp.tanh(scores(q, k) / 30)), v)


@form(*QKV, shape(H, 2 * N - 1))
def relative_positions(q, k, v, table):
    i = jnp.arange(N)
    return mix(nn.softmax(scores(q, k) + table[:, i[:, None] - i + N - 1]), v)


@form(*QKV, shape(H))
def sink_as_a_key(q, k, v, sink):
    column = jnp.broadcast_to(sink[None, :, None, None], (B, H, N, 1))
    weights = nn.softmax(jnp.concatenate([scores(q, k), column], -1))
    return mix(weights[..., :-1], v)


@form(*QKV)
def divided_late(q, k, v):
    s = scores(q, k)
    e = jnp.exp(s - s.max(-1, keepdims=True))
    return mix(e, v) / e.sum(-1)[..., None]


@form(*QKV)
def vmapped(q, k, v):
    one = lambda q, k, v: nn.softmax(q @ k.T * 0.35) @ v
    return jax.vmap(jax.vmap(one))(q, k, v)


@form(BNHD[0], shape(B, N, 2, D), shape(B, N, 2, D))
def grouped_queries(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


@form(*BNHD, *(shape(B, dtype=jnp.int32),) * 2)
def both_lengths(q, k, v, rows, keys):
    return nn.dot_product_attention(q, k, v, query_seq_lengths=rows,
                                    key_value_seq_lengths=keys)


@form(*QKV, attentions=0)
def softmax_of_rows(q, k, v):
    return mix(nn.softmax(scores(q, k), axis=-2), v)


@form(*QKV, attentions=0)
def softmax_twice(q, k, v):
    return mix(nn.softmax(nn.softmax(scores(q, k))), v)


def check(name, f, arguments, attentions, folder):
    path = os.path.join(folder, name + ".mlir")
    exported = jax.export.export(jax.jit(f))(*arguments)
    subprocess.run(["torch-mlir-opt", *CONVERT, "-o", path], check=True, text=True,
                   input=exported.mlir_module())
    done = subprocess.run(["attn-run", path, "--check", "--json"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print(f"{name}: {done.stderr.strip()}")
        return False
    report = json.loads(done.stdout)
    found = len(report["attentions"])
    print(f"{name}: {found} of {attentions}, " +
          ("agrees" if report["ok"] else "DISAGREES"))
    return report["ok"] and found == attentions


def main():
    print("jax", jax.__version__)
    with tempfile.TemporaryDirectory() as folder:
        right = [check(*form, folder) for form in FORMS]
    print(f"{sum(right)} of {len(FORMS)} forms right")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
