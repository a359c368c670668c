"""attn.attention on PyTorch's tensors, with autograd.

    import attn.torch
    out = attn.torch.attention(q, k, v, causal=True)     # q.requires_grad: out.backward()
    out = attn.torch.scaled_dot_product_attention(q, k, v, is_causal=True)

    model = torch.compile(model, backend=attn.torch.backend, dynamic=False)   # needs torch-mlir

Tensors of the CPU, whose memory is used where it lies; the compiled code runs on
OpenMP threads of its own, torch.get_num_threads() of them.
"""
import torch

from . import _attention, _checks

__all__ = ["attention", "backend", "scaled_dot_product_attention"]


def __getattr__(name):
    if name == "backend":
        from ._torch_backend import backend

        return backend
    raise AttributeError(f"module 'attn.torch' has no attribute '{name}'")


def _detached(*tensors):
    """Memory alone, without autograd."""
    return tuple(None if t is None else t.detach() for t in tensors)


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, bias, mask, sink, options, extra):
        out = q.new_empty(q.shape[:-1] + v.shape[-1:])
        wide = torch.float64 if q.dtype == torch.float64 else torch.float32
        lse = q.new_empty(q.shape[:-1], dtype=wide)
        _attention.forward(
            _detached(q, k, v, bias, mask, sink),
            options,
            extra,
            True,
            (out, lse),
            torch.get_num_threads(),
        )
        ctx.save_for_backward(q, k, v, bias, mask, sink, out, lse)
        ctx.mark_non_differentiable(lse)
        ctx.options, ctx.extra = options, extra
        return out, lse

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dout, dlse):
        *operands, out, lse = ctx.saved_tensors
        q, k, v, bias, mask, sink = operands
        results = [torch.empty_like(t) for t in (q, k, v)]
        results += [torch.empty_like(t) for t in (sink, bias) if t is not None]
        gradients = _attention.backward(
            _detached(*operands),
            ctx.options,
            ctx.extra,
            (dout, out.detach(), lse, None),
            results,
            torch.get_num_threads(),
        )
        dbias = gradients.bias if ctx.needs_input_grad[3] else None
        return (*gradients[:3], dbias, None, gradients.sink, None, None)


def attention(
    q,
    k,
    v,
    *,
    causal=False,
    scale=None,
    bias=None,
    mask=None,
    window=None,
    softcap=None,
    sink=None,
    dropout=0.0,
    seed=None,
    return_lse=False,
):
    """attn.attention on tensors, differentiable by q, k, v, bias and sink.

    The log-sum-exp that return_lse adds has no gradient. Dropout without `seed`
    draws one from torch's generator.
    """
    given = {"q": q, "k": k, "v": v, "bias": bias, "mask": mask, "sink": sink}
    for name, tensor in given.items():
        optional = name in ("bias", "mask", "sink")
        if not isinstance(tensor, torch.Tensor) and not (optional and tensor is None):
            raise TypeError(
                f"{name}: expected a tensor, got {_checks.kind_of(tensor)}"
            )
    if dropout and seed is None:
        seed = int(torch.randint(2**62, ()))
    options, extra = _checks.options(causal, scale, window, softcap, dropout, seed)
    out, lse = _Attention.apply(q, k, v, bias, mask, sink, options, extra)
    return (out, lse) if return_lse else out


def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
):
    """As torch.nn.functional has it, to be put in its place."""
    if not enable_gqa and query.dim() > 2 and query.shape[-3] != key.shape[-3]:
        raise ValueError(
            f"expected as many heads in key ({key.shape[-3]}) as in query "
            f"({query.shape[-3]}), or enable_gqa=True"
        )
    boolean = attn_mask is not None and attn_mask.dtype == torch.bool
    return attention(
        query,
        key,
        value,
        causal=is_causal,
        scale=scale,
        bias=None if boolean else attn_mask,
        mask=attn_mask if boolean else None,
        dropout=dropout_p,
    )
