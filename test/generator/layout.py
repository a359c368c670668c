"""Layouts: the same elements transposed, merged, split, copied or cast.

A part of emit.Emitter, which writes the single ops.
"""
from expr import Tensor


class Layouts:
    def reassociate(self, kind, tensor, groups, association):
        shape = ", ".join(map(self.extent, groups)) if kind == "expand" else ""
        output = f" output_shape [{shape}]" if kind == "expand" else ""
        pieces = ", ".join(f"[{', '.join(map(str, a))}]" for a in association)
        return Tensor(self.op(
            f"tensor.{kind}_shape {tensor.name} [{pieces}]{output} : "
            f"{self.typeof(tensor)} into {self.type(groups, tensor.elem)}"),
            groups, tensor.elem)

    def without_units(self, tensor):
        groups = [g for g in tensor.groups if g]
        if len(groups) == len(tensor.groups):
            return tensor
        association, waiting = [], []
        for i, group in enumerate(tensor.groups):
            waiting.append(i)
            if group:
                association.append(waiting)
                waiting = []
        if association:
            association[-1] += waiting
        return self.reassociate("collapse", tensor, groups, association)

    def split(self, tensor):
        """One dim per name."""
        tensor = self.without_units(tensor)
        if all(len(g) == 1 for g in tensor.groups):
            return tensor
        association, groups = [], []
        for group in tensor.groups:
            association.append(range(len(groups), len(groups) + len(group)))
            groups += [(d,) for d in group]
        return self.reassociate("expand", tensor, groups, association)

    def transpose(self, tensor, groups):
        if tensor.groups == tuple(groups):
            return tensor
        order = [tensor.groups.index(g) for g in groups]
        out = self.empty(groups, tensor.elem)
        if self.choices.pick("transpose", ["op", "generic"]) == "op":
            text = (f"linalg.transpose ins({tensor.name} : {self.typeof(tensor)}) "
                    f"outs({out.name} : {self.typeof(out)}) permutation = {order}")
            return Tensor(self.op(text), groups, tensor.elem)
        loops = self.choices.order("transpose.loops", groups)
        where = lambda gs: [f"d{loops.index(g)}" for g in gs]
        return Tensor(self.generic_text(
            [(tensor, where(tensor.groups))], where(groups), len(loops),
            ["parallel"] * len(loops), out, [f"linalg.yield %i0 : {tensor.elem}"]),
            groups, tensor.elem)

    def to(self, tensor, groups):
        groups = tuple(groups)
        if tensor.groups == groups:
            return tensor
        wanted = [(d,) for g in groups for d in g]
        tensor = self.transpose(self.split(tensor), wanted)
        association, real = [], [g for g in groups if g]
        position = 0
        for group in real:
            association.append(range(position, position + len(group)))
            position += len(group)
        if any(len(g) > 1 for g in real):
            tensor = self.reassociate("collapse", tensor, real, association)
        if len(real) < len(groups):
            association, waiting = [], []
            for i, group in enumerate(groups):
                waiting.append(i)
                if group:
                    association.append(waiting)
                    waiting = []
            if association:
                association[-1] += waiting
            tensor = self.reassociate("expand", tensor, groups, association)
        return tensor

    def jitter(self, tensor, name):
        """The same values in another layout, or copied, or as they are."""
        how = self.choices.pick(
            name + ".layout",
            ["same", "transpose", "merge", "split", "unit", "copy", "cast"],
            [60, 10, 10, 5, 6, 5, 4])
        groups = list(tensor.groups)
        if how == "transpose" and len(groups) > 1:
            at = self.choices.pick(name + ".at", list(range(len(groups) - 1)))
            groups[at], groups[at + 1] = groups[at + 1], groups[at]
            if () not in groups:
                return self.transpose(tensor, groups)
        if how == "merge" and len(groups) > 1:
            at = self.choices.pick(name + ".at", list(range(len(groups) - 1)))
            both = groups[at] + groups[at + 1]
            groups[at:at + 2] = [both]
            # mlir-opt 22 crashes where two unknown sizes are merged and split again.
            if sum(d in self.dynamic for d in both) < 2:
                return self.to(tensor, groups)
        if how == "split":
            return self.split(tensor)
        if how == "unit":
            at = self.choices.pick(name + ".at", list(range(len(groups) + 1)))
            groups.insert(at, ())
            return self.to(tensor, groups)
        if how == "copy" and groups:
            out = self.empty(groups, tensor.elem)
            every = [f"d{i}" for i in range(len(groups))]
            return Tensor(self.generic_text(
                [(tensor, every)], every, len(every), ["parallel"] * len(every), out,
                [f"linalg.yield %i0 : {tensor.elem}"]), groups, tensor.elem)
        if how == "cast" and groups:
            fixed, free = self.typeof(tensor), "?x" * len(groups) + tensor.elem
            other = self.op(f"tensor.cast {tensor.name} : {fixed} to tensor<{free}>")
            back = self.op(f"tensor.cast {other} : tensor<{free}> to {fixed}")
            return Tensor(back, groups, tensor.elem)
        return tensor
