"""attn.torch: against PyTorch's own attention; skipped where there is no torch."""
import numpy
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import attn  # noqa: E402
import attn.torch  # noqa: E402

sdpa = torch.nn.functional.scaled_dot_product_attention


@pytest.fixture
def tensors():
    torch.manual_seed(0)

    def make(*shape, dtype=torch.float32):
        return torch.randn(*shape, dtype=dtype).requires_grad_()

    return make


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("causal", [False, True])
def test_like_torch(dtype, causal, tensors):
    q, k, v = (tensors(2, 4, 33, 16, dtype=dtype) for _ in range(3))
    tolerance = 2e-2 if dtype.itemsize == 2 else 1e-5
    results = []
    for function in (sdpa, attn.torch.scaled_dot_product_attention):
        out = function(q, k, v, is_causal=causal)
        gradients = torch.autograd.grad(out.square().sum(), [q, k, v])
        results.append([out, *gradients])
    for want, have in zip(*results):
        assert have.dtype == dtype
        torch.testing.assert_close(have, want, rtol=tolerance, atol=tolerance)


def test_masks_and_layouts(tensors):
    q, k, v = (tensors(2, 9, 4, 8) for _ in range(3))
    views = [t.transpose(1, 2) for t in (q, k, v)]
    bias, seen = tensors(4, 9, 9), torch.rand(9, 9) > 0.3
    for mask in (bias, seen):
        wanted = [sdpa(*views, attn_mask=mask)]
        got = [attn.torch.scaled_dot_product_attention(*views, attn_mask=mask)]
        by = [q, k, v] + ([bias] if mask is bias else [])
        for results in (wanted, got):
            results += torch.autograd.grad(results[0].sin().sum(), by)
        for have, want in zip(got, wanted):
            torch.testing.assert_close(have, want, rtol=1e-5, atol=1e-5)


def test_gradcheck(tensors):
    q, k, v = tensors(4, 3, 4, dtype=torch.float64), tensors(2, 5, 4, dtype=torch.float64), tensors(2, 5, 2, dtype=torch.float64)
    sink = tensors(4, dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda q, k, v, s: attn.torch.attention(q, k, v, sink=s, softcap=2.0, causal="bottom_right"),
        (q, k, v, sink),
    )


def test_dropout(tensors):
    q = tensors(2, 32, 8)
    out = attn.torch.attention(q, q, q, dropout=0.5)
    assert not torch.equal(out, attn.torch.attention(q, q, q, dropout=0.5))
    out.sum().backward()
    assert torch.isfinite(q.grad).all()


def test_tensors_elsewhere(tensors):
    """attn.compile and attn.attention take tensors too; a device is refused."""
    q = tensors(2, 5, 8).detach()
    out = attn.attention(q, q, q)
    torch.testing.assert_close(torch.from_numpy(out), sdpa(q, q, q), rtol=1e-5, atol=1e-5)
    given = torch.empty_like(q)
    attn.attention(q, q, q, out=given)
    numpy.testing.assert_array_equal(given.numpy(), out)
    with pytest.raises((ValueError, BufferError, RuntimeError, TypeError)):
        attn.attention(q.to("meta"), q, q)
    with pytest.raises(BufferError):
        attn.attention(tensors(2, 5, 8), q, q)


def test_refused(tensors):
    """The same checks as attn.attention's."""
    q = tensors(2, 5, 8)
    for call, kind, text in (
        (lambda: attn.torch.attention(q, q, 3), TypeError, "v: expected a tensor, got int"),
        (lambda: attn.torch.attention(q, q, q, bias=numpy.zeros((5, 5), "f4")), TypeError, "bias: expected a tensor, got ndarray"),
        (lambda: attn.torch.attention(q, q, q, mask=[True]), TypeError, "mask: expected a tensor, got list"),
        (lambda: attn.torch.attention(q, q, q.double()), TypeError, "f32, f32, f64"),
        (lambda: attn.torch.attention(q, q, q[:, :3]), ValueError, "k (..., N, K)"),
        (lambda: attn.torch.attention(q.int(), q.int(), q.int()), TypeError, "i32"),
        (lambda: attn.torch.attention(q.to(torch.complex64), q, q), TypeError, "q: expected elements"),
        (lambda: attn.torch.attention(q, q, q, window="a"), TypeError, "window"),
        (lambda: attn.torch.attention(q, q, q, causal="x"), ValueError, "causal"),
        (lambda: attn.torch.attention(q, q, q, scale="1"), TypeError, "scale"),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert text in str(caught.value)


def test_gradients_of_all_layouts(tensors):
    """What autograd hands to a backward: expanded, transposed, not dense."""
    q = tensors(2, 6, 8)
    for reduce in (lambda o: o.sum(), lambda o: (o.transpose(1, 2) * 2).sum(), lambda o: o[:, ::2].sum()):
        want, = torch.autograd.grad(reduce(sdpa(q, q, q)), [q])
        have, = torch.autograd.grad(reduce(attn.torch.attention(q, q, q)), [q])
        torch.testing.assert_close(have, want, rtol=1e-4, atol=1e-5)


def test_beside_torch(tensors):
    """Both libraries' compilers and thread pools in one process."""
    q = tensors(4, 64, 32)
    for _ in range(3):
        torch.testing.assert_close(
            attn.torch.attention(q, q, q), sdpa(q, q, q), rtol=1e-4, atol=1e-4
        )
        (q @ q.transpose(-1, -2)).sum().backward()


@pytest.mark.filterwarnings("ignore")
def test_backend(tensors):
    """torch.compile through torch-mlir: the attention of a model is fused."""
    pytest.importorskip("torch_mlir", reason="torch-mlir is not installed")
    from attn import _torch_backend

    programs = []
    original = _torch_backend._compile

    def recorded(*arguments):
        call = original(*arguments)
        programs.append(call.program)
        return call

    def model(q, k, v):
        scores = q @ k.transpose(-1, -2) / 4
        return torch.softmax(scores, -1) @ v + 1

    _torch_backend._compile = recorded
    try:
        q, k, v = (tensors(2, 4, 32, 16) for _ in range(3))
        for function in (model, lambda *a: sdpa(*a, is_causal=True)):
            torch._dynamo.reset()
            compiled = torch.compile(function, backend=attn.torch.backend, dynamic=False)
            with torch.no_grad():
                torch.testing.assert_close(compiled(q, k, v), function(q, k, v), rtol=1e-4, atol=1e-5)
            assert len(programs.pop().attentions) == 1
        torch._dynamo.reset()
        got = torch.autograd.grad(compiled(q, k, v).sin().sum(), [q, k, v])
        want = torch.autograd.grad(function(q, k, v).sin().sum(), [q, k, v])
        for have, expected in zip(got, want):
            torch.testing.assert_close(have, expected, rtol=1e-4, atol=1e-5)
    finally:
        _torch_backend._compile = original
