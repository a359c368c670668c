"""attn.attention: attention as a call, compiled once per shape.

    O = softmax(bias + cap(scale Q K^T)) V

Shapes: q (..., H, M, K), k (..., Hkv, N, K), v (..., Hkv, N, D), out (..., H, M, D);
H is a multiple of Hkv (grouped queries). Two dims (M, K) mean a single head.
Arrays in any dense order of their dims are used where they lie: a transposed
view costs no copy. The layout is part of what is compiled.
"""
import math
import threading
from typing import Any, NamedTuple

from . import _native
from ._text import Problem, backward_text, forward_text
from ._program import Program


class Gradients(NamedTuple):
    """Gradients by operand; None for what was not given."""

    q: Any
    k: Any
    v: Any
    bias: Any = None
    sink: Any = None


_MOST_PROGRAMS = 512
_programs = {}
_lock = threading.Lock()


def _program(key, make):
    """The program of a key, which is compiled the first time."""
    with _lock:
        program = _programs.get(key)
        if program is None:
            while len(_programs) >= _MOST_PROGRAMS:  # the oldest goes
                _programs.pop(next(iter(_programs)))
            text, arguments, results = make()
            program = Program(text, "<attn.attention>", "", "main", "", True, False, False)
            program.set_views(arguments, results)
            _programs[key] = program
    return program


def _window(window):
    """(left, right) with None for no bound."""
    if window is None:
        return None
    try:
        left, right = (window, window) if isinstance(window, int) else window
    except (TypeError, ValueError):
        raise TypeError(
            f"window: expected a number or (left, right), got {window!r}"
        ) from None
    for bound in (left, right):
        if bound is not None and (not isinstance(bound, int) or bound < 0):
            raise ValueError(
                f"window: expected numbers of at least 0, or None, got {window!r}"
            )
    return (left, right)


def _check_number(name, value, lowest=-math.inf, highest=math.inf):
    if value is None:
        return None
    value = float(value)
    if not (math.isfinite(value) and lowest <= value <= highest):
        raise ValueError(f"{name}: expected a finite number in reach, got {value}")
    return value


def _options(causal, scale, window, softcap, dropout, seed):
    """The options in one spelling, and the extra arguments of a call."""
    if causal not in (False, True, "bottom_right"):
        raise ValueError(
            f'causal: expected False, True or "bottom_right", got {causal!r}'
        )
    scale = _check_number("scale", scale)
    softcap = _check_number("softcap", softcap)
    if softcap is not None and softcap <= 0:
        raise ValueError(f"softcap: expected a number above 0, got {softcap}")
    dropout = _check_number("dropout", dropout, 0.0, 1.0)
    if dropout:
        if seed is None:
            raise ValueError(
                "dropout needs seed=: the gradient has to drop the same elements"
            )
        seed = int(seed)
        if not -(2**63) <= seed < 2**63:
            raise ValueError(f"seed: expected 64 bits, got {seed}")
        extra = (seed, 0)
    else:
        extra = ()
    return (causal, scale, _window(window), softcap, dropout or 0.0), extra


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
    out=None,
):
    """Attention of q (..., H, M, K) over k (..., Hkv, N, K) and v (..., Hkv, N, D).

    causal: query i sees keys up to i; "bottom_right": up to i + N - M, as for
        queries that are the last of the sequence.
    scale: of the scores; 1/sqrt(K) where it is None.
    bias: is added to the scores; broadcasts to (..., H, M, N).
    mask: booleans that broadcast likewise; a key where it is False is not seen.
    window: (left, right): how far from its own place a query sees; None: no bound.
        One number is both. The place is where the causal diagonal is.
    softcap: scores become c tanh(score / c), before bias and mask.
    sink: (H,), one further score per head without a value.
    dropout: probability to drop an element of the probabilities; needs `seed`.
    return_lse: also give the log-sum-exp of each row, (..., H, M).
    out: where to write the result (with return_lse: a pair).

    A query without any key gives 0.
    """
    if dropout or scale is not None or window is not None or softcap is not None:
        options, extra = _options(causal, scale, window, softcap, dropout, seed)
    else:
        options, extra = (causal, None, None, None, 0.0), ()
    key = (_native.describe(q, k, v, bias, mask, sink), options, return_lse)
    program = _programs.get(key)
    if program is None:
        if causal not in (False, True, "bottom_right"):
            _options(causal, None, None, None, 0.0, None)
        program = _program(key, lambda: forward_text(Problem(*key[0], options), return_lse))
    arrays = [q, k, v]
    for given in (bias, mask):
        if given is not None:
            arrays.append(given)
    arrays.extend(extra)
    if sink is not None:
        arrays.append(sink)
    return program(*arrays, out=out)


def attention_backward(
    dout,
    q,
    k,
    v,
    out,
    lse,
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
    dlse=None,
):
    """The gradients of a loss from those of attention's results.

    out, lse: what `attention(..., return_lse=True)` gave; dout, dlse: the
    gradients of the loss with respect to them. The other arguments are as there.
    Returns Gradients; those of bias and sink where these are given.
    """
    options, extra = _options(causal, scale, window, softcap, dropout, seed)
    operands = (q, k, v, bias, mask, sink)
    return backward(operands, options, extra, (dout, out, lse, dlse))


def backward(operands, options, extra, states, results=None):
    """What attention_backward does, on checked options; `results`: the arrays to
    write to."""
    q, k, v, bias, mask, sink = operands
    dout, out, lse, dlse = states
    key = (_native.describe(*operands, *states), options, "backward")
    program = _programs.get(key)
    if program is None:

        def make():
            return backward_text(Problem(*key[0][:6], options), *key[0][6:])

        program = _program(key, make)
    arrays = [a for a in (q, k, v, bias, mask) if a is not None]
    arrays.extend(extra)
    arrays += [a for a in (sink, out, lse, dout, dlse) if a is not None]
    results = list(program(*arrays, out=results))
    dsink = results.pop(3) if sink is not None else None
    dbias = results.pop(3) if bias is not None else None
    return Gradients(*results, dbias, dsink)


def attention_vjp(q, k, v, **options):
    """Attention and its pullback: `out, pullback = attention_vjp(q, k, v, ...)`.

    pullback(dout) gives the Gradients. The options are those of `attention`, but
    for out and return_lse.
    """
    for name in ("out", "return_lse"):
        if name in options:
            raise TypeError(f"attention_vjp takes no {name}=")
    out, lse = attention(q, k, v, return_lse=True, **options)

    def pullback(dout):
        return attention_backward(dout, q, k, v, out, lse, **options)

    return out, pullback
