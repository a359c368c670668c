"""Text of linalg on tensors whose dims have names.

Every layout, map and loop order can be chosen at random (layout.py), and so can the
ops that compute an expression (structured.py): it becomes a tensor of its own
(settle) or stays to be fused into the op that reads it.
"""
import math

from expr import Tensor, literal
from layout import Layouts
from structured import Structured


class Emitter(Layouts, Structured):
    def __init__(self, sizes, choices, dynamic=""):
        """`dynamic`: the dims whose sizes the types do not say."""
        self.sizes, self.choices, self.dynamic = sizes, choices, dynamic
        self.extents = {}
        self.lines = []
        self.count = 0
        self.args = []

    # Names, types, single ops.
    def name(self):
        self.count += 1
        return f"%{self.count}"

    def op(self, text):
        name = self.name()
        self.lines.append(f"    {name} = {text}")
        return name

    def size(self, group):
        return math.prod(self.sizes[d] for d in group)

    def fixed(self, groups):
        return not any(d in self.dynamic for g in groups for d in g)

    def type(self, groups, elem):
        sizes = [str(self.size(g)) if self.fixed([g]) else "?" for g in groups]
        return f"tensor<{''.join(s + 'x' for s in sizes)}{elem}>"

    def extent(self, group):
        """The size of a group as text: a number or an SSA value."""
        if self.fixed([group]):
            return str(self.size(group))
        if group not in self.extents:
            self.extents[group] = self.make_extent(group)
        return self.extents[group]

    def make_extent(self, group):
        if len(group) > 1:
            product = None
            for dim in group:
                factor = self.extent((dim,))
                if not factor.startswith("%"):
                    factor = self.op(f"arith.constant {factor} : index")
                product = factor if product is None else self.op(
                    f"arith.muli {product}, {factor} : index")
            return product
        # Of the first argument that has the dim, alone or beside known ones.
        for _, tensor in self.args:
            for at, found in enumerate(tensor.groups):
                others = tuple(d for d in found if d != group[0])
                if group[0] in found and self.fixed([others]):
                    at = self.op(f"arith.constant {at} : index")
                    size = self.op(f"tensor.dim {tensor.name}, {at} : "
                                   f"{self.typeof(tensor)}")
                    if not others:
                        return size
                    known = self.op(f"arith.constant {self.size(others)} : index")
                    return self.op(f"arith.divui {size}, {known} : index")
        raise AssertionError(f"no argument has the dim {group[0]}")

    def typeof(self, tensor):
        return self.type(tensor.groups, tensor.elem)

    def argument(self, what, groups, elem):
        """An argument of the function; `what` names its values."""
        tensor = Tensor(f"%arg{len(self.args)}", groups, elem)
        self.args.append((what, tensor))
        return tensor

    def scalar(self, value, elem):
        text = literal(value, elem)
        return self.op(f"arith.constant {text}" +
                       ("" if elem == "i1" else f" : {elem}"))

    def empty(self, groups, elem):
        sizes = ", ".join(self.extent(g) for g in groups if not self.fixed([g]))
        return Tensor(self.op(f"tensor.empty({sizes}) : {self.type(groups, elem)}"),
                      groups, elem)

    def dense(self, text, groups, elem):
        return Tensor(
            self.op(f"arith.constant dense<{text}> : {self.type(groups, elem)}"),
            groups, elem)

    def filled(self, value, groups, elem):
        how = self.choices.pick("fill", ["fill", "splat", "generic"], [8, 2, 1])
        if how == "splat" and not self.fixed(groups):
            how = "fill"
        if how == "splat":
            return self.dense(literal(value, elem), groups, elem)
        constant = self.scalar(value, elem)
        empty = self.empty(groups, elem)
        type = self.type(groups, elem)
        if how == "fill":
            return Tensor(self.op(
                f"linalg.fill ins({constant} : {elem}) outs({empty.name} : {type}) "
                f"-> {type}"), groups, elem)
        loops = [g for g in range(len(groups))]
        return Tensor(self.generic_text(
            [], [f"d{i}" for i in loops], len(loops), ["parallel"] * len(loops),
            empty, [f"linalg.yield {constant} : {elem}"]), groups, elem)

    def generic_text(self, ins, out_map, loops, iterators, out, body):
        """`ins`: (tensor, map results). The body's arguments are %i0.. and %o."""
        dims = ", ".join(f"d{i}" for i in range(loops))
        maps = [results for _, results in ins] + [out_map]
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(m)})>" for m in maps)
        kinds = ", ".join(f'"{k}"' for k in iterators)
        arguments = [f"%i{i}: {t.elem}" for i, (t, _) in enumerate(ins)]
        arguments.append(f"%o: {out.elem}")
        inputs = ""
        if ins:
            inputs = (f"ins({', '.join(t.name for t, _ in ins)} : "
                      f"{', '.join(self.typeof(t) for t, _ in ins)}) ")
        text = (f"linalg.generic {{indexing_maps = [{maps}], iterator_types = "
                f"[{kinds}]}} {inputs}outs({out.name} : {self.typeof(out)}) {{\n"
                f"    ^bb0({', '.join(arguments)}):\n")
        text += "".join(f"      {line}\n" for line in body)
        return self.op(text + f"    }} -> {self.typeof(out)}")
