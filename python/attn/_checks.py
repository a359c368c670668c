"""Checks of arguments, in one place: attn.compile, attn.attention and attn.torch.

Each returns the argument in its one spelling, or raises a TypeError or
ValueError that says what was expected and what came.
"""
import math
import operator

MOST_THREADS = 1024


def kind_of(value):
    return type(value).__name__


def number(name, value, lowest=-math.inf, highest=math.inf):
    """A finite float, or None."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: expected a number, got {value!r}")
    try:
        value = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {kind_of(value)}") from None
    except OverflowError:
        value = math.inf
    if not (math.isfinite(value) and lowest <= value <= highest):
        bounds = f" from {lowest:g} to {highest:g}" if math.isfinite(highest) else ""
        raise ValueError(f"{name}: expected a finite number{bounds}, got {value}")
    return value


def integer(name, value, lowest, highest):
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, got {kind_of(value)}") from None
    if not lowest <= value <= highest:
        raise ValueError(f"{name}: expected {lowest} to {highest}, got {value}")
    return value


def threads(value):
    return integer("threads", value, 0, MOST_THREADS)


def text(name, value):
    """A string, "" for None."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string or None, got {kind_of(value)}")
    if "\0" in value:
        raise ValueError(f"{name}: expected a string without a NUL, got {value!r}")
    return value


def causal(value):
    if value is True or value is False:
        return value
    if isinstance(value, str) and value == "bottom_right":
        return value
    # numpy's booleans, and 0 and 1.
    if not isinstance(value, str) and getattr(value, "shape", ()) == ():
        try:
            if value == 0 or value == 1:
                return bool(value)
        except (TypeError, ValueError):
            pass
    raise ValueError(f'causal: expected False, True or "bottom_right", got {value!r}')


def window(value):
    """(left, right) with None for no bound."""
    if value is None:
        return None
    expected = "window: expected a number or (left, right)"
    if isinstance(value, (bool, str, bytes)):
        raise TypeError(f"{expected}, got {value!r}")
    try:
        left = right = operator.index(value)
    except TypeError:
        try:
            left, right = value
        except (TypeError, ValueError):
            raise TypeError(f"{expected}, got {value!r}") from None
    bounds = []
    for bound in (left, right):
        if isinstance(bound, bool):
            raise TypeError(f"{expected}, got {value!r}")
        bounds.append(
            None if bound is None else integer("window", bound, 0, 2**31 - 1)
        )
    return tuple(bounds)


def options(causal_, scale, window_, softcap, dropout, seed):
    """The options of an attention in one spelling, and the extra arguments of a
    call."""
    scale = number("scale", scale)
    softcap = number("softcap", softcap)
    if softcap is not None and softcap <= 0:
        raise ValueError(f"softcap: expected a number above 0, got {softcap}")
    dropout = number("dropout", dropout, 0.0, 1.0) or 0.0
    extra = ()
    if dropout:
        if seed is None:
            raise ValueError(
                "dropout needs seed=: the gradient has to drop the same elements"
            )
        try:
            extra = (integer("seed", seed, -(2**63), 2**63 - 1), 0)
        except ValueError:
            raise ValueError(f"seed: expected 64 bits, got {seed}") from None
    return (causal(causal_), scale, window(window_), softcap, dropout), extra
