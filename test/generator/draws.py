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
        """Relative to the larger of 1 and the largest result. First-order error
        analysis, with roundings of either sign, so that k of them add up like
        sqrt(k), to four standard deviations: a score s is off by u s (2 + sqrt(d)),
        u the unit roundoff; a weight relatively by twice that, and by roundings of
        the sum and the division; the result by that times the largest value. An
        added fill leaves hidden scores fewer digits: in a row without keys the
        last one may differ. A near miss, which is declined and so is compared with
        numpy alone, may be conditioned worse."""
        p = self.problem
        unit = {"f16": 2.0 ** -11, "f32": 2.0 ** -24, "f64": 2.0 ** -53}
        score, value = reference.magnitudes(p, self.values)
        n, d, u = p.sizes["n"], p.sizes["d"], unit[p.compute]
        weights = u * (2 * (2 + d ** 0.5) * (1 + score) + 3 + n ** 0.5)
        if p.elem == "f16":
            # Scores and weights rounded to f16, the product summed in it.
            weights += unit["f16"] * (score + 2 + n ** 0.5)
        last_digits = [2 * u * abs(m.fill) for m in p.masks
                       if m.by != "select" and u * abs(m.fill) < 0.01]
        bound = max(1.0, value) * (4 * weights + max(last_digits, default=0))
        # More would compare nothing.
        return min(0.1, 8 * bound if p.twist else bound)

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
