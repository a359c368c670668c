"""attn.attention: attention as a call, compiled once per shape.

    O = softmax(bias + cap(scale Q K^T)) V

Shapes: q (..., H, M, K), k (..., Hkv, N, K), v (..., Hkv, N, D), out (..., H, M, D);
H is a multiple of Hkv (grouped queries). Two dims (M, K) mean a single head.
Arrays in any dense order of their dims are used where they lie: a transposed
view costs no copy. The layout is part of what is compiled.
"""
import threading
from typing import Any, NamedTuple

from . import _checks, _native
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
    """The program of a key, which is compiled the first time; the last of a key is
    the number of threads that its tiling is planned for."""
    with _lock:
        program = _programs.get(key)
        if program is None:
            while len(_programs) >= _MOST_PROGRAMS:  # the oldest goes
                _programs.pop(next(iter(_programs)))
            text, arguments, results = make()
            given = ("<attn.attention>", "", "main", "", "", True, False, False, False)
            program = Program(text, *given, key[-1])
            program.set_views(arguments, results)
            _programs[key] = program
    return program


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
        options, extra = _checks.options(causal, scale, window, softcap, dropout, seed)
    else:
        options, extra = (_checks.causal(causal), None, None, None, 0.0), ()
    return forward((q, k, v, bias, mask, sink), options, extra, bool(return_lse), out)


def forward(operands, options, extra, return_lse, out, threads=None):
    """What attention does, on checked options. `threads`: how many it may use;
    None: what set_num_threads says."""
    if threads is None:
        threads = _native.get_num_threads()
    key = (_native.describe(*operands), options, return_lse, threads)
    program = _programs.get(key)
    if program is None:
        program = _program(
            key, lambda: forward_text(Problem(*key[0], options), return_lse)
        )
    q, k, v, bias, mask, sink = operands
    arrays = [q, k, v]
    for given in (bias, mask):
        if given is not None:
            arrays.append(given)
    arrays.extend(extra)
    if sink is not None:
        arrays.append(sink)
    return program(*arrays, out=out, threads=threads)


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
    options, extra = _checks.options(causal, scale, window, softcap, dropout, seed)
    operands = (q, k, v, bias, mask, sink)
    return backward(operands, options, extra, (dout, out, lse, dlse))


def backward(operands, options, extra, states, results=None, threads=None):
    """What attention_backward does, on checked options; `results`: the arrays to
    write to."""
    if threads is None:
        threads = _native.get_num_threads()
    q, k, v, bias, mask, sink = operands
    dout, out, lse, dlse = states
    # Planned for all cores: the sums are the same however many threads there are.
    key = (_native.describe(*operands, *states), options, "backward", 0)
    program = _programs.get(key)
    if program is None:

        def make():
            return backward_text(Problem(*key[0][:6], options), *key[0][6:])

        program = _program(key, make)
    arrays = [a for a in (q, k, v, bias, mask) if a is not None]
    arrays.extend(extra)
    arrays += [a for a in (sink, out, lse, dout, dlse) if a is not None]
    results = list(program(*arrays, out=results, threads=threads))
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
