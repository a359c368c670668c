"""The IR of an attention call: shapes and options to one attn op.

Each array becomes a tensor of its dims in the order they lie in memory, and an
indexing map says which dim is which; a head dim that groups queries is seen as
two, and dims of size one are left out. A *view* tells the extension module how:
(shape, [(dim, extent, step), ...]), see ArrayView in python/src/Arrays.h.
"""
import math

from . import _native

_FLOATS = ("f16", "bf16", "f32", "f64")


def _extent(shape):
    return "x".join(str(n) for n in shape)


class _Operand:
    """An array as an operand of the op: MLIR type, map and view."""

    def __init__(self, described, dims, sizes, fixed_order=False):
        """dims: for each dim of the array, the names of the iteration dims it is
        made of, outer ones first; () for a dim that is left out."""
        dtype, shape, strides = described
        self.dtype = _native.dtype_name(dtype)
        axes = []  # (stride, name, extent, dim, step)
        for dim, names in enumerate(dims):
            step = 1
            split = []
            for name in reversed(names):
                split.append((name, sizes[name], dim, step))
                step *= sizes[name]
            axes.extend(reversed(split))
        if not fixed_order:
            axes = self._in_memory_order(axes, strides)
        self.names = [name for name, _, _, _ in axes]
        extents = [extent for _, extent, _, _ in axes]
        self.type = f"tensor<{''.join(f'{n}x' for n in extents)}{self.dtype}>"
        self.view = (list(shape), [(d, n, s) for _, n, d, s in axes])

    @staticmethod
    def _in_memory_order(axes, strides):
        """By falling stride where that leaves no gaps; else as they are, and the
        call copies."""

        def is_dense(order):
            expected = 1
            for _, extent, dim, step in reversed(order):
                if extent != 1 and strides[dim] * step != expected:
                    return False
                expected *= extent
            return True

        # The stride of an extent of one says nothing; such dims go outside.
        ordered = sorted(
            axes,
            key=lambda axis: (axis[1] != 1, -strides[axis[2]] * axis[3]),
        )
        return ordered if not is_dense(axes) and is_dense(ordered) else axes

    def map(self):
        return f"({', '.join(self.names)})"


class _Scalar:
    type = "i64"
    view = ([], [])

    @staticmethod
    def map():
        return "()"


class Problem:
    """Shapes and options, checked."""

    def __init__(self, q, k, v, bias, mask, sink, options):
        self.causal, scale, self.window, self.softcap, self.dropout = options
        self.q, self.k, self.v = q, k, v
        self.bias, self.mask, self.sink = bias, mask, sink
        self._check_types()
        self._set_dims()
        depth = self.sizes["c"]
        self.scale = scale if scale is not None else 1 / math.sqrt(max(depth, 1))
        self.accumulate = "f64" if self.dtype == "f64" else "f32"
        self.output_shape = q[1][:-1] + (v[1][-1],)
        self.operands = self._operands()

    def _check_types(self):
        for name in "qkv":
            if getattr(self, name) is None:
                raise TypeError(f"{name}: expected an array, got None")
        names = [_native.dtype_name(a[0]) for a in (self.q, self.k, self.v)]
        if len(set(names)) != 1 or names[0] not in _FLOATS:
            raise TypeError(
                "expected q, k and v of one of the types f16, bf16, f32, f64, got "
                + ", ".join(names)
            )
        self.dtype = names[0]
        for name, given in (("bias", self.bias), ("sink", self.sink)):
            if given is not None and _native.dtype_name(given[0]) not in _FLOATS:
                raise TypeError(
                    f"{name}: expected floats, got {_native.dtype_name(given[0])}"
                )
        if self.mask is not None and _native.dtype_name(self.mask[0]) != "i1":
            raise TypeError(
                f"mask: expected booleans, got {_native.dtype_name(self.mask[0])}"
            )

    def _set_dims(self):
        q, k, v = self.q[1], self.k[1], self.v[1]
        if not len(q) == len(k) == len(v) >= 2:
            raise ValueError(
                "expected q, k and v of the same rank of at least 2, got shapes "
                f"{q}, {k}, {v}"
            )
        if q[-1] != k[-1] or k[-2] != v[-2]:
            raise ValueError(
                "expected q (..., M, K), k (..., N, K), v (..., N, D), got shapes "
                f"{q}, {k}, {v}"
            )
        if q[:-3] != k[:-3] or k[:-2] != v[:-2]:
            raise ValueError(
                f"expected the same batch dims in q, k and v, got shapes {q}, {k}, {v}"
            )
        self.sizes = {"m": q[-2], "n": k[-2], "c": q[-1], "d": v[-1]}
        self.batch = [(f"b{i}",) for i in range(len(q) - 3)]
        for (name,), extent in zip(self.batch, q):
            self.sizes[name] = extent
        self.heads, self.kv_heads = [], []
        if len(q) > 2:
            heads, kv_heads = q[-3], k[-3]
            if kv_heads == heads:
                self.heads = self.kv_heads = [("h",)]
                self.sizes["h"] = heads
            elif kv_heads > 0 and heads % kv_heads == 0:
                self.heads, self.kv_heads = [("h", "g")], [("h",)]
                self.sizes["h"], self.sizes["g"] = kv_heads, heads // kv_heads
            else:
                raise ValueError(
                    f"expected heads of q ({heads}) to be a multiple of those of "
                    f"k and v ({kv_heads})"
                )
        # The order of the iteration space: batch, heads, groups, rows, keys.
        order = [name for names in self.batch + self.heads for name in names]
        self.rows = order + ["m"]
        self.space = self.rows + ["n", "c", "d"]

    def row_dims(self, last):
        return self.batch + self.heads + [("m",)] + last

    def _broadcast(self, given, what):
        """The dims of an array that broadcasts to (..., H, M, N)."""
        dims = self.row_dims([("n",)])
        shape = given[1]
        if len(shape) > len(dims):
            raise ValueError(
                f"{what}: expected at most {len(dims)} dims, got shape {shape}"
            )
        dims = dims[len(dims) - len(shape):]
        kept = []
        for extent, names in zip(shape, dims):
            want = math.prod(self.sizes[name] for name in names)
            if extent not in (1, want):
                full = [
                    math.prod(self.sizes[n] for n in names)
                    for names in self.row_dims([("n",)])
                ]
                raise ValueError(
                    f"{what}: expected a shape that broadcasts to {tuple(full)}, "
                    f"got {shape}"
                )
            kept.append(names if extent == want and want != 1 else ())
        return _Operand(given, kept, self.sizes)

    def _sink(self):
        heads = math.prod(self.sizes[n] for names in self.heads for n in names)
        if self.sink[1] != ((heads,) if self.heads else ()):
            raise ValueError(
                f"sink: expected one per head, shape "
                f"{(heads,) if self.heads else ()}, got {self.sink[1]}"
            )
        return _Operand(self.sink, self.heads, self.sizes)

    def _operands(self):
        kv = self.batch + self.kv_heads
        operands = {
            "q": _Operand(self.q, self.row_dims([("c",)]), self.sizes),
            "k": _Operand(self.k, kv + [("n",), ("c",)], self.sizes),
            "v": _Operand(self.v, kv + [("n",), ("d",)], self.sizes),
        }
        if self.bias is not None:
            operands["bias"] = self._broadcast(self.bias, "bias")
        if self.mask is not None:
            operands["mask"] = self._broadcast(self.mask, "mask")
        if self.dropout:
            operands["seed"] = operands["offset"] = _Scalar
        if self.sink is not None:
            operands["sink"] = self._sink()
        return operands

    def extras(self):
        return [n for n in ("bias", "mask", "seed", "offset") if n in self.operands]

    def new(self, shape, dims, dtype):
        """An array that the program makes, row major."""
        return _Operand((dtype, shape, None), dims, self.sizes, fixed_order=True)

    def output(self):
        return self.new(self.output_shape, self.row_dims([("d",)]), self.q[0])

    def lse(self):
        dtype = next(
            i for i in range(16) if _native.dtype_name(i) == self.accumulate
        )
        return self.new(self.output_shape[:-1], self.row_dims([]), dtype)

    def attributes(self):
        parts = [f"scale = {_float(self.scale)}", "empty_rows = zero"]
        conditions = []
        shift = self.sizes["n"] - self.sizes["m"] if self.causal == "bottom_right" else 0
        left, right = self.window or (None, None)
        if self.causal:
            right = 0
        if right is not None:
            conditions.append(f"m - n + {shift + right} >= 0")
        if left is not None:
            conditions.append(f"n - m + {left - shift} >= 0")
        if conditions:
            names = self.rows + ["n"]
            symbols = ", ".join(f"s{i}" for i in range(len(names)))
            parts.append(
                f"visible = [affine_set<({', '.join(names)})[{symbols}] : "
                f"({', '.join(conditions)})>]"
            )
        return parts

    def region(self):
        """The score region; empty where it is the identity."""
        extras = self.extras()
        if not extras and self.softcap is None:
            return ""
        f = self.accumulate
        lines, x = [], "%s"
        if self.softcap is not None:
            lines += [
                f"%cap = arith.constant {_float(self.softcap)} : {f}",
                f"%capped0 = arith.divf %s, %cap : {f}",
                f"%capped1 = math.tanh %capped0 : {f}",
                f"%capped = arith.mulf %capped1, %cap : {f}",
            ]
            x = "%capped"
        if self.bias is not None:
            b, e = "%b", self.operands["bias"].dtype
            if e != f:
                op = "truncf" if e == "f64" else "extf"
                lines.append(f"%wide = arith.{op} %b : {e} to {f}")
                b = "%wide"
            lines.append(f"%biased = arith.addf {x}, {b} : {f}")
            x = "%biased"
        if self.mask is not None:
            infinity = "0xFF800000" if f == "f32" else "0xFFF0000000000000"
            lines.append(f"%hidden = arith.constant {infinity} : {f}")
            lines.append(f"%masked = arith.select %seen, {x}, %hidden : {f}")
            x = "%masked"
        if self.dropout:
            lines.append(
                f"%z = attn.keep %i, %j {{p = {_float(self.dropout)} : f64}} : {f}"
            )
            lines.append(f"attn.yield {x}, %z : {f}, {f}")
        else:
            lines.append(f"attn.yield {x} : {f}")
        arguments = [f"%s: {f}"]
        # Names inside may not be those of the function's arguments.
        inner = {"bias": "b", "mask": "seen", "seed": "i", "offset": "j"}
        for name in extras:
            operand = self.operands[name]
            kind = "i64" if operand is _Scalar else operand.dtype
            arguments.append(f"%{inner[name]}: {kind}")
        body = "\n        ".join(lines)
        return f"\n      score ({', '.join(arguments)}) {{\n        {body}\n      }}"

    def inputs(self):
        """The clauses ins, extras and sink."""
        o = self.operands

        def clause(name, operands):
            if not operands:
                return ""
            return (
                f" {name}({', '.join('%' + n for n in operands)} : "
                f"{', '.join(o[n].type for n in operands)})"
            )

        return (
            clause("ins", ["q", "k", "v"])
            + clause("extras", self.extras())
            + clause("sink", ["sink"] if self.sink is not None else [])
        )

    def maps(self, results):
        operands = list(self.operands.values()) + results
        first, *rest = [operand.map() for operand in operands]
        listed = ", ".join(f"-> {text}" for text in rest)
        return f"maps = [({', '.join(self.space)}) -> {first}, {listed}]"


def _float(value):
    """A literal that MLIR reads back as the same number."""
    text = repr(float(value))
    if "." not in text.split("e")[0]:
        mantissa, _, exponent = text.partition("e")
        text = mantissa + ".0" + ("e" + exponent if exponent else "")
    return text


def _function(arguments, results, lines, returned):
    header = ", ".join(f"%{name}: {operand.type}" for name, operand in arguments)
    types = ", ".join(operand.type for operand in results)
    body = "\n  ".join(lines)
    text = (
        f"func.func @main({header}) -> ({types}) {{\n  {body}\n"
        f"  return {', '.join(returned)} : {types}\n}}\n"
    )
    return text, [o.view for _, o in arguments], [o.view for o in results]


def _empties(results):
    return [f"%e{i} = tensor.empty() : {r.type}" for i, r in enumerate(results)]


def _outs(results):
    names = ", ".join(f"%e{i}" for i in range(len(results)))
    return f"outs({names} : {', '.join(r.type for r in results)})"


def _numbered(count):
    return ["%r"] if count == 1 else [f"%r#{i}" for i in range(count)]


def forward_text(problem, return_lse):
    """(text, argument views, result views) of a call."""
    results = [problem.output()] + ([problem.lse()] if return_lse else [])
    name = "%r" if len(results) == 1 else f"%r:{len(results)}"
    op = (
        f"{name} = attn.attention {{{', '.join(problem.attributes())}}}\n"
        f"      {problem.maps(results)}\n"
        f"     {problem.inputs()}\n"
        f"      {_outs(results)}{problem.region()}"
    )
    return _function(
        list(problem.operands.items()),
        results,
        _empties(results) + [op],
        _numbered(len(results)),
    )


def backward_text(problem, dout, out, lse, dlse):
    """(text, argument views, result views) of a call's gradients."""
    p = problem
    saved = [("o", p.output(), out), ("lse", p.lse(), lse)]
    incoming = [("do", p.output(), dout)]
    if dlse is not None:
        incoming.append(("dlse", p.lse(), dlse))
    spelled = {"o": "out", "do": "dout"}
    for name, want, got in incoming + saved:
        name = spelled.get(name, name)
        if got is None:
            raise TypeError(f"{name}: expected an array, got None")
        if tuple(want.view[0]) != got[1] or want.dtype != _native.dtype_name(got[0]):
            raise ValueError(
                f"{name}: expected {tuple(want.view[0])} of {want.dtype}, got "
                f"{got[1]} of {_native.dtype_name(got[0])}"
            )
    saved = [pair[:2] for pair in saved]
    incoming = [pair[:2] for pair in incoming]
    # A gradient has the map, and so the order of dims, of its operand.
    results = [_Like(p.operands[name]) for name in "qkv"]
    attributes = p.attributes()
    if p.sink is not None:
        results.append(_Like(p.operands["sink"]))
    if p.bias is not None:
        results.append(_Like(p.operands["bias"]))
        attributes.append("differentiate = array<i64: 0>")
    op = (
        f"%r:{len(results)} = attn.attention_backward {{{', '.join(attributes)}}}\n"
        f"      {p.maps([operand for _, operand in saved])}\n"
        f"     {p.inputs()}\n"
        f"      forward({_list(saved)}) grad({_list(incoming)})\n"
        f"      {_outs(results)}{p.region()}"
    )
    return _function(
        list(p.operands.items()) + saved + incoming,
        results,
        _empties(results) + [op],
        _numbered(len(results)),
    )


def _list(operands):
    return (
        f"{', '.join('%' + n for n, _ in operands)} : "
        f"{', '.join(o.type for _, o in operands)}"
    )


class _Like:
    """A result with the type and the view of an operand."""

    def __init__(self, operand):
        self.type, self.names, self.view = operand.type, operand.names, operand.view
        self.dtype, self.map = operand.dtype, operand.map
