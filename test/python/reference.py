"""Attention in numpy, in float64: the reference of these tests."""
import numpy


def attention(q, k, v, causal=False, scale=None, bias=None, mask=None, window=None,
              softcap=None, sink=None, keep=None):
    """(out, lse). keep: the factors 0 or 1/(1-p) of dropout."""
    q, k, v = (numpy.asarray(x).astype(numpy.float64) for x in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        groups = q.shape[-3] // k.shape[-3]
        k, v = numpy.repeat(k, groups, -3), numpy.repeat(v, groups, -3)
    rows, keys = q.shape[-2], k.shape[-2]
    x = q @ numpy.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap is not None:
        x = softcap * numpy.tanh(x / softcap)
    if bias is not None:
        x = x + numpy.asarray(bias).astype(numpy.float64)
    place = numpy.arange(rows)[:, None] + (keys - rows if causal == "bottom_right" else 0)
    key = numpy.arange(keys)[None, :]
    visible = numpy.ones((rows, keys), bool)
    if causal:
        visible &= key <= place
    if window is not None:
        left, right = (window, window) if isinstance(window, int) else window
        if left is not None:
            visible &= key >= place - left
        if right is not None:
            visible &= key <= place + right
    if mask is not None:
        visible = visible & mask
    x = numpy.where(visible, x, -numpy.inf)
    if sink is not None:
        column = numpy.asarray(sink).astype(numpy.float64)[..., None, None]
        x = numpy.concatenate([x, numpy.broadcast_to(column, x.shape[:-1] + (1,))], -1)
    top = x.max(-1, keepdims=True, initial=-numpy.inf)
    top = numpy.where(numpy.isfinite(top), top, 0)
    p = numpy.exp(x - top)
    total = p.sum(-1, keepdims=True)
    with numpy.errstate(divide="ignore"):
        lse = (numpy.log(total) + top)[..., 0]
    p = p / numpy.where(total > 0, total, 1)
    if sink is not None:
        p = p[..., :-1]
    if keep is not None:
        p = p * keep
    return p @ v, lse


def gradient(function, arrays, step=1e-5):
    """Central differences of a scalar function by each of the arrays."""
    gradients = []
    for number, array in enumerate(arrays):
        result = numpy.zeros_like(array)
        for index in numpy.ndindex(array.shape):
            def moved(by):
                copies = [a.copy() for a in arrays]
                copies[number][index] += by
                return function(*copies)
            result[index] = (moved(step) - moved(-step)) / (2 * step)
        gradients.append(result)
    return gradients
