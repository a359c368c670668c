"""attn.attention against numpy."""
import ml_dtypes
import numpy
import pytest
import reference

import attn

TOLERANCE = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "float64": 1e-12}


def check(q, k, v, **options):
    out, lse = attn.attention(q, k, v, return_lse=True, **options)
    want, want_lse = reference.attention(q, k, v, **options)
    assert out.dtype == q.dtype and out.shape == want.shape
    tolerance = TOLERANCE[q.dtype.name]
    numpy.testing.assert_allclose(out.astype("float64"), want, tolerance, tolerance)
    numpy.testing.assert_allclose(lse, want_lse, tolerance, tolerance)
    only = attn.attention(q, k, v, **options)
    numpy.testing.assert_array_equal(only, out)


OPTIONS = {
    "plain": lambda r: {},
    "causal": lambda r: {"causal": True},
    "causal, bottom right": lambda r: {"causal": "bottom_right"},
    "scale": lambda r: {"scale": -0.3},
    "window": lambda r: {"window": (5, 2)},
    "window, one side": lambda r: {"window": (4, None)},
    "window, causal": lambda r: {"window": 5, "causal": "bottom_right"},
    "softcap": lambda r: {"softcap": 3.0, "scale": 0.7},
    "bias": lambda r: {"bias": r(37, 53)},
    "bias by key": lambda r: {"bias": r(2, 1, 1, 53), "causal": True},
    "bias by head and row": lambda r: {"bias": r(4, 37, 1)},
    "bias of one number": lambda r: {"bias": r(1)},
    "mask": lambda r: {"mask": r(2, 1, 37, 53) > -0.5},
    "sink": lambda r: {"sink": r(4), "causal": True},
    "all": lambda r: {"sink": r(4), "causal": "bottom_right", "bias": r(4, 1, 53),
                      "mask": r(37, 53) > -1, "softcap": 5.0, "window": (20, 0)},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options(name, normal):
    q, k, v = normal(2, 4, 37, 16), normal(2, 4, 53, 16), normal(2, 4, 53, 8)
    check(q, k, v, **OPTIONS[name](normal))


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16, "float64"])
def test_types(dtype, normal):
    q, k, v = (normal(2, 2, 17, 16, dtype=dtype) for _ in range(3))
    check(q, k, v, causal=True, bias=normal(17, 17, dtype=dtype))


@pytest.mark.parametrize("heads, kv_heads", [(4, 1), (6, 2), (3, 3)])
def test_grouped_queries(heads, kv_heads, normal):
    q, k, v = normal(2, heads, 9, 8), normal(2, kv_heads, 21, 8), normal(2, kv_heads, 21, 8)
    check(q, k, v, causal="bottom_right", bias=normal(heads, 9, 21), sink=normal(heads))


SHAPES = [
    [(37, 16), (37, 16), (37, 8)],
    [(3, 5, 8), (3, 7, 8), (3, 7, 8)],
    [(2, 1, 4, 5, 8), (2, 1, 2, 7, 8), (2, 1, 2, 7, 3)],
    [(2, 1, 16), (2, 33, 16), (2, 33, 16)],
    [(1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)],
    [(2, 3, 4), (2, 0, 4), (2, 0, 5)],
    [(2, 0, 4), (2, 3, 4), (2, 3, 5)],
    [(0, 3, 4), (0, 3, 4), (0, 3, 5)],
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_shapes(shapes, normal):
    check(*(normal(*shape) for shape in shapes))


def test_layouts(normal):
    """A transposed view is read where it lies, and any other is copied."""
    q, k, v = normal(2, 37, 4, 16), normal(2, 53, 2, 16), normal(2, 53, 2, 16)
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    check(q, k, v, causal=True)
    check(q, k.copy(), v, causal=True)
    check(q[:, ::2], k[:, :, ::-1], v[..., ::2])
    check(q, numpy.broadcast_to(k[:1], k.shape), numpy.broadcast_to(v[:, :1], v.shape))
    records = numpy.zeros(k.shape, [("odd", "i1"), ("x", "f4")])
    records["x"] = k
    check(q, records["x"], v)


def test_rows_without_a_key(normal):
    q = normal(3, 4)
    out, lse = attn.attention(q, q, q, mask=numpy.zeros((3, 3), bool), return_lse=True)
    assert not out.any() and numpy.isneginf(lse).all()


def test_dropout(normal):
    q = normal(2, 64, 8)
    keep = {"dropout": 0.25, "scale": 0.0}
    first = attn.attention(q, q, q, seed=1, **keep)
    numpy.testing.assert_array_equal(first, attn.attention(q, q, q, seed=1, **keep))
    assert (first != attn.attention(q, q, q, seed=2, **keep)).any()
    # With one-hot values the result is the factors, over the number of keys.
    eye = numpy.broadcast_to(numpy.eye(64, dtype="float32"), (2, 64, 64))
    factors = 64 * attn.attention(q, q, numpy.ascontiguousarray(eye), seed=1, **keep)
    kept = factors > 0
    numpy.testing.assert_allclose(factors[kept], 1 / 0.75, 1e-5)
    assert abs(kept.mean() - 0.75) < 0.02
    uniform = numpy.full((64, 64), 1 / 64)
    numpy.testing.assert_allclose(first, (uniform * factors) @ q, 1e-4, 1e-4)


GRADIENTS = {
    "plain": lambda r: {},
    "causal": lambda r: {"causal": "bottom_right", "scale": 0.4},
    "all": lambda r: {"causal": "bottom_right", "bias": r(4, 1, 7), "sink": r(4),
                      "softcap": 2.0, "window": (4, None)},
    "mask": lambda r: {"mask": r(5, 7) > -0.5},
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name, normal):
    r = lambda *shape: normal(*shape, dtype="float64")
    q, k, v = r(2, 4, 5, 4), r(2, 2, 7, 4), r(2, 2, 7, 3)
    options = GRADIENTS[name](r)
    out, pullback = attn.attention_vjp(q, k, v, **options)
    dout = r(*out.shape)
    got = pullback(dout)
    by = [n for n in ("bias", "sink") if n in options]

    def loss(q, k, v, *rest):
        moved = dict(options, **dict(zip(by, rest)))
        return (reference.attention(q, k, v, **moved)[0] * dout).sum()

    want = reference.gradient(loss, [q, k, v, *(options[n] for n in by)])
    for name, expected in zip(["q", "k", "v", *by], want):
        numpy.testing.assert_allclose(getattr(got, name), expected, 1e-6, 1e-8)
    for name in {"bias", "sink"} - set(by):
        assert getattr(got, name) is None


def test_gradient_of_lse(normal):
    r = lambda *shape: normal(*shape, dtype="float64")
    q, k, v = r(3, 4), r(5, 4), r(5, 2)
    out, lse = attn.attention(q, k, v, return_lse=True)
    dout, dlse = r(3, 2), r(3)
    got = attn.attention_backward(dout, q, k, v, out, lse, dlse=dlse)

    def loss(q, k, v):
        out, lse = reference.attention(q, k, v)
        return (out * dout).sum() + (lse * dlse).sum()

    for have, want in zip(got, reference.gradient(loss, [q, k, v])):
        numpy.testing.assert_allclose(have, want, 1e-6, 1e-8)


def test_gradients_of_other_layouts(normal):
    q, k, v = (normal(2, 9, 4, 8).transpose(0, 2, 1, 3) for _ in range(3))
    got = attn.attention_vjp(q, k, v, causal=True)[1](q)
    dense = [x.copy() for x in (q, k, v)]
    want = attn.attention_vjp(*dense, causal=True)[1](dense[0])
    for have, expected in zip(got[:3], want[:3]):
        numpy.testing.assert_allclose(have, expected, 1e-5, 1e-5)


def test_gradients_through_dropout(normal):
    """The elements that the forward dropped are the ones without a gradient."""
    q = normal(8, 4, dtype="float64")
    eye = numpy.eye(8)
    options = {"dropout": 0.5, "seed": 9, "scale": 0.0}
    factors = 8 * attn.attention(q, q, eye, **options)
    _, pullback = attn.attention_vjp(q, q, eye, **options)
    numpy.testing.assert_allclose(pullback(numpy.ones((8, 8))).v,
                                  numpy.repeat(factors.sum(0)[:, None], 8, 1) / 8)


def test_out(normal):
    q, k, v = normal(2, 5, 8), normal(2, 7, 8), normal(2, 7, 3)
    out, lse = numpy.empty((2, 5, 3), "f4"), numpy.empty((2, 5), "f4")
    results = attn.attention(q, k, v, return_lse=True, out=(out, lse))
    assert results[0] is out and results[1] is lse
    numpy.testing.assert_allclose(out, reference.attention(q, k, v)[0], 1e-5, 1e-5)


def arrays():
    r = numpy.random.default_rng(1).standard_normal
    return (r((2, 4, 5, 4)), r((2, 2, 7, 4)), r((2, 2, 7, 3)))


def frozen(*shape):
    array = numpy.empty(shape)
    array.flags.writeable = False
    return array


def overlapping():
    memory = numpy.empty(2 * 4 * 5 * 3)
    return memory.reshape(2, 4, 5, 3), memory[:40].reshape(2, 4, 5)


REFUSED = [
    (lambda q, k, v: attn.attention(q, k, v[..., :-1, :]), ValueError, "k (..., N, K)"),
    (lambda q, k, v: attn.attention(q[0], k, v), ValueError, "same rank"),
    (lambda q, k, v: attn.attention(q[0, 0, 0], k[0, 0, 0], v[0, 0, 0]), ValueError, "rank"),
    (lambda q, k, v: attn.attention(q[:1], k, v), ValueError, "same batch dims"),
    (lambda q, k, v: attn.attention(q[:, :3], k, v), ValueError, "multiple"),
    (lambda q, k, v: attn.attention(q, k, v.astype("f4")), TypeError, "f64, f64, f32"),
    (lambda q, k, v: attn.attention(*(x.astype("i4") for x in (q, k, v))), TypeError, "i32"),
    (lambda q, k, v: attn.attention(q.astype(">f8"), k, v), TypeError, "byte order"),
    (lambda q, k, v: attn.attention(q.astype("c16"), k, v), TypeError, "Zd"),
    (lambda q, k, v: attn.attention([1.0], k, v), TypeError, "got list"),
    (lambda q, k, v: attn.attention(q, k, None), TypeError, "v: expected an array"),
    (lambda q, k, v: attn.attention(q, k, v, causal="x"), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, causal="x", softcap=1), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, scale=float("nan")), ValueError, "scale"),
    (lambda q, k, v: attn.attention(q, k, v, softcap=0), ValueError, "softcap"),
    (lambda q, k, v: attn.attention(q, k, v, dropout=0.5), ValueError, "seed"),
    (lambda q, k, v: attn.attention(q, k, v, dropout=1.5, seed=1), ValueError, "dropout"),
    (lambda q, k, v: attn.attention(q, k, v, dropout=0.5, seed=2**70), ValueError, "64 bits"),
    (lambda q, k, v: attn.attention(q, k, v, window="a"), TypeError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, window=(1, -1)), ValueError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, window=True), TypeError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, window=(1, 2, 3)), TypeError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, window=2.5), TypeError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, window=(1, 2.5)), TypeError, "window: expected an integer"),
    (lambda q, k, v: attn.attention(q, k, v, window=2**40), ValueError, "window"),
    (lambda q, k, v: attn.attention(q, k, v, causal=[]), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, causal=q), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, causal=None), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, causal="Bottom_right"), ValueError, "causal"),
    (lambda q, k, v: attn.attention(q, k, v, scale="2"), TypeError, "scale: expected a number, got '2'"),
    (lambda q, k, v: attn.attention(q, k, v, scale=2j), TypeError, "scale: expected a number, got complex"),
    (lambda q, k, v: attn.attention(q, k, v, scale=q), TypeError, "scale: expected a number, got ndarray"),
    (lambda q, k, v: attn.attention(q, k, v, scale=10**400), ValueError, "scale"),
    (lambda q, k, v: attn.attention(q, k, v, softcap="x"), TypeError, "softcap"),
    (lambda q, k, v: attn.attention(q, k, v, dropout=0.5, seed=1.5), TypeError, "seed: expected an integer"),
    (lambda q, k, v: attn.attention(q[0, 0, 0, 0], k, v), ValueError, "rank"),
    (lambda q, k, v: attn.attention(numpy.array(1.0), numpy.array(1.0), numpy.array(1.0)), ValueError, "rank"),
    (lambda q, k, v: attn.attention(q.astype(object), k, v), TypeError, "q: expected elements"),
    (lambda q, k, v: attn.attention(q, k.astype("U8"), v), TypeError, "k: expected elements"),
    (lambda q, k, v: attn.attention(q, k, v, mask=1), TypeError, "mask: expected an array"),
    (lambda q, k, v: attn.attention(q, k, v, out=1), TypeError, "result 0: expected an array"),
    (lambda q, k, v: attn.attention(q, k, v, out=q), ValueError, "result 0"),
    (lambda q, k, v: attn.attention(q, k, k, out=q), ValueError, "shares memory"),
    (lambda q, k, v: attn.attention(q, k, v, out=frozen(2, 4, 5, 3)), ValueError, "read-only"),
    (lambda q, k, v: attn.attention(q, k, v, out=numpy.broadcast_to(numpy.empty(3), (2, 4, 5, 3))), ValueError, "read-only"),
    (lambda q, k, v: attn.attention(q, k, v, return_lse=True, out=numpy.empty((2, 4, 5, 3))), TypeError, "out: expected 2 arrays"),
    (lambda q, k, v: attn.attention(q, k, v, return_lse=True, out=overlapping()), ValueError, "result 1: shares memory with result 0"),
    (lambda q, k, v: attn.attention_backward(None, q, k, v, v, v), TypeError, "dout"),
    (lambda q, k, v: attn.attention_backward(q.astype("f4"), q, k, v, *attn.attention(q, k, v, return_lse=True)), ValueError, "dout: expected"),
    (lambda q, k, v: attn.attention_backward(1.5, q, k, v, v, v), TypeError, "dout: expected an array"),
    (lambda q, k, v: attn.attention_vjp(q, k, v)[1]("x"), TypeError, "dout: expected an array"),
    (lambda q, k, v: attn.attention(q, k, v, bias=k), ValueError, "bias"),
    (lambda q, k, v: attn.attention(q, k, v, bias=numpy.zeros(7, int)), TypeError, "bias"),
    (lambda q, k, v: attn.attention(q, k, v, mask=numpy.zeros(7)), TypeError, "mask"),
    (lambda q, k, v: attn.attention(q, k, v, sink=numpy.zeros(3)), ValueError, "sink"),
    (lambda q, k, v: attn.attention(q, k, v, out=numpy.empty(3)), ValueError, "result 0"),
    (lambda q, k, v: attn.attention_vjp(q, k, v, out=q), TypeError, "out"),
    (lambda q, k, v: attn.attention_vjp(q, k, v)[1](q), ValueError, "dout: expected"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused(number):
    call, kind, text = REFUSED[number]
    with pytest.raises(kind) as caught:
        call(*arrays())
    assert text in str(caught.value)


def test_spellings_of_options(normal):
    """numpy's numbers and booleans are as good as Python's."""
    q, k, v = normal(2, 5, 8), normal(2, 7, 8), normal(2, 7, 3)
    want = attn.attention(q, k, v, causal=True, window=(3, 1), scale=0.5)
    for options in (
        {"causal": numpy.bool_(True), "window": (numpy.int64(3), numpy.int32(1)), "scale": numpy.float32(0.5)},
        {"causal": 1, "window": [3, 1], "scale": numpy.array(0.5)},
    ):
        numpy.testing.assert_array_equal(attn.attention(q, k, v, **options), want)
