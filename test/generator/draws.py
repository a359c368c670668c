"""One draw: its problem, its text, its arguments and what it should return."""
import numpy as np

import problem as problems
import reference
import spell
from choices import Choices


class Draw:
    """`replay`: the choices to take, for shrinking; else they are drawn."""

    def __init__(self, seed, number, replay=None):
        self.seed, self.number = seed, number
        self.name = f"f{number}"
        choices = Choices(f"{seed}:{number}", replay)
        near_miss = choices.pick("near-miss", [False, True], [3, 2])
        self.problem = problems.draw(choices, near_miss)
        self.values = problems.inputs(self.problem, [seed, number])
        self.text, arguments, results = spell.write(
            self.problem, self.values, choices, self.name)
        self.choices = choices
        self.arguments = [self.argument(*a) for a in arguments]
        self.results = results
        with np.errstate(all="ignore"):
            wanted = reference.expected(self.problem, self.values)
        self.wanted = [self.laid_out(wanted[key], tensor)
                       for key, tensor in results.items()]

    def argument(self, what, tensor):
        shape = [int(np.prod([self.problem.sizes[d] for d in g], dtype=int))
                 for g in tensor.groups]
        kinds = {"i1": np.bool_, "i32": np.int32, "i64": np.int64, "f16": np.float16,
                 "f32": np.float32, "f64": np.float64}
        values = what[1] if isinstance(what, tuple) else self.values[what]
        dims = self.natural_dims(what, values)
        if dims is not None:
            order = [dims.index(d) for d in tensor.dims]
            values = values.transpose(order)
        return np.ascontiguousarray(values.reshape(shape).astype(kinds[tensor.elem]))

    def natural_dims(self, what, values):
        """The order of dims in which problem.inputs made the values, if it may
        differ from the argument's."""
        heads, keys = self.problem.heads, self.problem.heads.replace("r", "")
        if what == "k" and self.problem.twist == "heads-swapped":
            keys = keys.translate(str.maketrans("bg", "gb"))
        return {"q": heads + "md", "k": keys + "nd", "k2": keys + "nd",
                "v": keys + "ne"}.get(what if isinstance(what, str) else None)

    def laid_out(self, named, tensor):
        dims = tensor.dims
        if set(named.dims) - set(dims):
            raise AssertionError(f"result over {dims}, expected {named.dims}")
        sizes = self.problem.sizes
        order = sorted(dims, key=reference.ORDER.index)
        full = np.broadcast_to(named.over(order), [sizes[d] for d in order])
        full = full.transpose([order.index(d) for d in dims])
        return full.reshape([int(np.prod([sizes[d] for d in g], dtype=int))
                             for g in tensor.groups])

    @property
    def tolerance(self):
        """Relative to the larger of 1 and the largest result."""
        if self.problem.elem == "f16":
            return 4e-2
        return {"f32": 3e-4, "f64": 1e-9}[self.problem.elem]

    def differs(self, got, wanted):
        """What is wrong with results, or None."""
        for number, (a, b) in enumerate(zip(got, wanted)):
            a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
            if a.shape != b.shape:
                return f"result {number}: shape {a.shape}, expected {b.shape}"
            if (np.isnan(a) != np.isnan(b)).any():
                return f"result {number}: NaN at other places"
            with np.errstate(all="ignore"):
                error = np.where((a == b) | np.isnan(b), 0, np.abs(a - b))
            finite = b[np.isfinite(b)]
            size = max(1.0, np.abs(finite).max()) if finite.size else 1.0
            if error.size and not error.max() <= self.tolerance * size:
                return f"result {number}: off by {error.max():.2e}"
        return None
