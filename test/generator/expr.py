"""Tensors whose dims have names, and scalar expressions of their elements.

A Tensor has groups: one tuple of named dims per dim of its type, row-major where
several names share one dim, () for a unit dim. What a tensor means is therefore
known whatever its layout is. An Expr is scalar arithmetic on elements of tensors.
"""
import math
import struct

ORDER = "bgrmnpcde"  # of loops and dims, where nothing was chosen


def literal(value, elem):
    """A float or integer attribute without its type."""
    if elem in ("i1", "i32", "i64", "index"):
        return str(int(value)) if elem != "i1" else ("true" if value else "false")
    if math.isinf(value) or math.isnan(value):
        code = {"f16": "<e", "f32": "<f", "f64": "<d"}[elem]
        return "0x" + struct.pack(code, value)[::-1].hex().upper()
    return f"{value:.17e}"


class Tensor:
    def __init__(self, name, groups, elem):
        self.name, self.groups, self.elem = name, tuple(groups), elem

    @property
    def dims(self):
        return [d for group in self.groups for d in group]


class Expr:
    """op on args; leaves are 'read' (extra: Tensor), 'const' (extra: value) and
    'index' (extra: dim)."""

    def __init__(self, op, elem, args=(), extra=None):
        self.op, self.elem, self.args, self.extra = op, elem, tuple(args), extra

    def nodes(self):
        seen, work = [], [self]
        while work:
            node = work.pop()
            if not any(node is other for other in seen):
                seen.append(node)
                work.extend(node.args)
        return seen

    def tensors(self):
        found = []
        for node in self.nodes():
            if node.op == "read" and node.extra not in found:
                found.append(node.extra)
        return sorted(found, key=lambda t: (t.name, t.groups))

    def indices(self):
        return {n.extra for n in self.nodes() if n.op == "index"}

    def dims(self):
        dims = set(self.indices())
        for tensor in self.tensors():
            dims.update(tensor.dims)
        return sort(dims)


def sort(dims):
    return sorted(dims, key=ORDER.index)


def read(tensor):
    return Expr("read", tensor.elem, (), tensor)


def width(elem):
    return int(elem[1:])


def cast(expr, elem):
    if expr.elem == elem:
        return expr
    if expr.op == "const":
        return Expr("const", elem, (), expr.extra)
    wider = width(elem) > width(expr.elem)
    return Expr("arith.extf" if wider else "arith.truncf", elem, [expr])
