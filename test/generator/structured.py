"""Structured ops: expressions as generics, maps, named ops; reductions; products.

A part of emit.Emitter, which writes the single ops.
"""
from expr import ORDER, Expr, Tensor, cast, literal, read, sort


class Structured:
    # Scalar arithmetic.
    def body(self, expr, names, loops):
        """Lines that compute expr; `names` of tensors' elements, `loops`: groups."""
        lines, known = [], {}

        def visit(node):
            if id(node) not in known:
                known[id(node)] = compute(node)
            return known[id(node)]

        def line(text):
            name = f"%x{len(lines)}"
            lines.append(f"{name} = {text}")
            return name

        def compute(node):
            if node.op == "read":
                return names[id(node.extra)]
            if node.op == "const":
                text = literal(node.extra, node.elem)
                return line(f"arith.constant {text}" + (
                    "" if node.elem == "i1" else f" : {node.elem}"))
            if node.op == "index":
                name = line(f"linalg.index {loops.index((node.extra,))} : index")
                if node.elem == "index":
                    return name
                return line(f"arith.index_cast {name} : index to {node.elem}")
            args = [visit(a) for a in node.args]
            elem = node.args[-1].elem
            if node.op in ("arith.extf", "arith.truncf", "arith.uitofp",
                           "arith.index_cast"):
                return line(f"{node.op} {args[0]} : {elem} to {node.elem}")
            extra = f"{node.extra}, " if node.extra else ""
            return line(f"{node.op} {extra}{', '.join(args)} : {elem}")

        return lines, visit(expr)

    # Structured ops.
    def partition(self, tensors, dims, singles):
        """Loops as groups that suit all tensors; tensors are split if they must."""
        groups = {g for t in tensors for g in t.groups if g}
        clash = any(a != b and set(a) & set(b) for a in groups for b in groups)
        clash |= any(len(g) > 1 and set(g) & set(singles) for g in groups)
        clash |= any(len(set(g) & set(dims)) not in (0, len(g)) for g in groups)
        if clash:
            tensors = [self.split(t) for t in tensors]
            groups = set()
        covered = {d for g in groups for d in g}
        groups |= {(d,) for d in dims if d not in covered}
        return tensors, sorted(groups, key=lambda g: ORDER.index(g[0]))

    def where(self, groups, loops):
        results = []
        for group in groups:
            unit = not group or (self.size(group) == 1 and
                                 self.choices.chance("unit-read", 20))
            results.append("0" if unit else f"d{loops.index(group)}")
        return results

    def structured(self, expr, dims, over, init, combine, keep=False):
        """A generic of expr: elementwise (over is empty) or a reduction.
        `combine(out, value, elem)` gives lines and the value to yield."""
        originals = expr.tensors()
        tensors, loops = self.partition(originals, list(dims) + list(over),
                                        expr.indices() | set(over))
        out_groups = [g for g in loops if not set(g) & set(over)]
        out_groups = self.choices.order("out-dims", out_groups)
        if keep:
            out_groups.insert(
                self.choices.pick("keep.at", list(range(len(out_groups) + 1))), ())
        loops = self.choices.order("loops", loops)
        out = init(out_groups)
        names = {id(o): f"%i{i}" for i, o in enumerate(originals)}
        lines, value = self.body(expr, names, loops)
        more, value = combine("%o", value, out.elem)
        # A loop must be seen through some dim of an operand: no constant there.
        ins = []
        for tensor in tensors:
            ins.append((tensor, ["0" if not g else f"d{loops.index(g)}"
                                 for g in tensor.groups]))
        if not over:
            ins = [(t, self.where(t.groups, loops)) for t in tensors]
        out_map = ["0" if not g else f"d{loops.index(g)}" for g in out_groups]
        iterators = ["reduction" if set(g) & set(over) else "parallel" for g in loops]
        return Tensor(self.generic_text(
            ins, out_map, len(loops), iterators, out,
            lines + more + [f"linalg.yield {value} : {out.elem}"]),
            out_groups, out.elem)

    def materialise(self, expr, dims=()):
        """The expression as a tensor over its dims and `dims`."""
        if expr.op == "read" and set(dims) <= set(expr.extra.dims):
            return expr.extra
        dims = sort(set(expr.dims()) | set(dims))
        plain = self.plain_op(expr, dims)
        if plain:
            return plain
        return self.structured(
            expr, dims, (), lambda groups: self.empty(groups, expr.elem),
            lambda out, value, elem: ([], value))

    NAMED = {"arith.addf": "add", "arith.subf": "sub", "arith.mulf": "mul",
             "arith.divf": "div", "math.exp": "exp", "math.tanh": "tanh",
             "arith.negf": "negf"}

    def plain_op(self, expr, dims):
        """One op on whole tensors of one shape as linalg.map, a named op or
        arithmetic on tensors; None if it is not that, or not chosen to be."""
        if not expr.args or any(a.op != "read" for a in expr.args):
            return None
        how = self.choices.pick("plain", ["generic", "map", "named", "arith"],
                                [70, 12, 12, 6])
        if how == "generic":
            return None
        tensors = [self.broadcast(a.extra, dims) for a in expr.args]
        groups = max((t.groups for t in tensors), key=len)
        tensors = [self.to(t, groups) for t in tensors]
        if not groups:
            return None
        type, names = self.type(groups, expr.elem), [t.name for t in tensors]
        types = ", ".join(self.typeof(t) for t in tensors)
        if how == "arith" and expr.op in self.NAMED:
            return Tensor(self.op(f"{expr.op} {', '.join(names)} : {type}"),
                          groups, expr.elem)
        out = self.empty(groups, expr.elem)
        if how == "named" and expr.op in self.NAMED:
            return Tensor(self.op(
                f"linalg.{self.NAMED[expr.op]} ins({', '.join(names)} : {types}) "
                f"outs({out.name} : {type}) -> {type}"), groups, expr.elem)
        # Distinct inputs, so that each has an argument of its own.
        if len(set(names)) < len(names):
            return None
        arguments = {id(t): f"%i{i}" for i, t in enumerate(tensors)}
        copy = Expr(expr.op, expr.elem, [read(t) for t in tensors], expr.extra)
        lines, value = self.body(copy, arguments, [])
        head = ", ".join(f"%i{i}: {t.elem}" for i, t in enumerate(tensors))
        text = (f"linalg.map ins({', '.join(names)} : {types}) outs({out.name} : "
                f"{type}) ({head}, %o: {expr.elem}) {{\n")
        text += "".join(f"      {line}\n" for line in lines)
        return Tensor(self.op(text + f"      linalg.yield {value} : {expr.elem}\n    }}"),
                      groups, expr.elem)

    def broadcast(self, tensor, dims):
        """A copy that has all of dims."""
        missing = [d for d in dims if d not in tensor.dims]
        if not missing:
            return tensor
        tensor = self.split(tensor)
        if self.choices.pick("broadcast", ["generic", "op"], [3, 2]) == "op":
            groups = sorted(list(tensor.groups) + [(d,) for d in missing],
                            key=lambda g: ORDER.index(g[0]))
            order = [g for g in groups if g in tensor.groups]
            tensor = self.transpose(tensor, order)
            out = self.empty(groups, tensor.elem)
            added = [i for i, g in enumerate(groups) if g[0] in missing]
            return Tensor(self.op(
                f"linalg.broadcast ins({tensor.name} : {self.typeof(tensor)}) "
                f"outs({out.name} : {self.typeof(out)}) dimensions = {added}"),
                groups, tensor.elem)
        return self.structured(
            read(tensor), sort(set(dims) | set(tensor.dims)), (),
            lambda groups: self.empty(groups, tensor.elem),
            lambda out, value, elem: ([], value))

    def settle(self, expr, name, dims=(), percent=70):
        """Perhaps a tensor of its own, in some layout; perhaps left as it is."""
        if expr.op in ("const", "index"):
            return expr
        if not self.choices.chance(name + ".fused", 100 - percent):
            return read(self.jitter(self.materialise(expr, dims), name))
        return expr

    def start(self, init, groups, elem):
        """Where a reduction starts: a number everywhere, or a tensor's elements."""
        if not isinstance(init, Tensor):
            return self.filled(init, groups, elem)
        return self.to(self.broadcast(init, [d for g in groups for d in g]), groups)

    def reduce(self, expr, over, combiner, init, name):
        """The reduction of an expression over dims with arith.`combiner`; `init`: a
        number or a tensor."""
        swap = self.choices.chance(name + ".swap", 40)
        keep = self.choices.chance(name + ".keepdim", 30)
        elem = expr.elem

        def combine(out, value, elem):
            a, b = (value, out) if swap else (out, value)
            return [f"%r = arith.{combiner} {a}, {b} : {elem}"], "%r"

        if expr.op == "read" and self.choices.chance(name + ".reduce-op", 25):
            tensor = self.split(expr.extra)
            groups = [g for g in tensor.groups if g[0] not in over]
            start = self.start(init, groups, elem)
            lines, value = combine("%o", "%i0", elem)
            places = [i for i, g in enumerate(tensor.groups) if g[0] in over]
            text = (f"linalg.reduce ins({tensor.name} : {self.typeof(tensor)}) "
                    f"outs({start.name} : {self.typeof(start)}) dimensions = {places}"
                    f" (%i0: {elem}, %o: {elem}) {{\n      {lines[0]}\n"
                    f"      linalg.yield {value} : {elem}\n    }}")
            return Tensor(self.op(text), groups, elem)
        dims = [d for d in expr.dims() if d not in over]
        return self.structured(
            expr, dims, over, lambda groups: self.start(init, groups, elem), combine,
            keep)

    def argmax(self, expr, dim, init):
        """The maximum over a dim with its (unused) position, as PyTorch's max."""
        elem = expr.elem
        tensor = self.split(self.materialise(expr))
        groups = [g for g in tensor.groups if g != (dim,)]
        start = self.filled(init, groups, elem)
        zero = self.filled(0, groups, "i64")
        loops = list(tensor.groups)
        dims = ", ".join(f"d{i}" for i in range(len(loops)))
        all_map = f"affine_map<({dims}) -> ({dims})>"
        rest = ", ".join(f"d{loops.index(g)}" for g in groups)
        out_map = f"affine_map<({dims}) -> ({rest})>"
        kinds = ", ".join('"reduction"' if g == (dim,) else '"parallel"'
                          for g in loops)
        types = f"{self.typeof(start)}, {self.typeof(zero)}"
        name = self.name()
        at = loops.index((dim,))
        self.lines.append(f"""    {name}:2 = linalg.generic {{indexing_maps = [{all_map}, {out_map}, {out_map}], iterator_types = [{kinds}]}} ins({tensor.name} : {self.typeof(tensor)}) outs({start.name}, {zero.name} : {types}) {{
    ^bb0(%i0: {elem}, %o: {elem}, %p: i64):
      %x0 = linalg.index {at} : index
      %x1 = arith.index_cast %x0 : index to i64
      %x2 = arith.maximumf %i0, %o : {elem}
      %x3 = arith.cmpf ogt, %i0, %o : {elem}
      %x4 = arith.select %x3, %x1, %p : i64
      linalg.yield %x2, %x4 : {elem}, i64
    }} -> ({types})""")
        return Tensor(name + "#0", groups, elem)

    def contract(self, a, b, over, elem, name, init=None):
        """The sum over dims of a * b in type elem; `init(groups)`: where it starts,
        zero if not given."""
        init = init or (lambda groups: self.filled(0.0, groups, elem))
        if self.choices.chance(name + ".operands", 25):
            a, b = b, a
        how = self.choices.pick(name + ".op", ["generic", "matmul", "contract"],
                                [50, 40, 10])
        if how == "matmul":
            return self.matmul(a, b, over, elem, name, init)
        if how == "contract":
            a, b = (read(self.split(self.materialise(x))) for x in (a, b))
            dims = sort(set(a.dims()) | set(b.dims()))
            groups = self.choices.order(name + ".out",
                                        [(d,) for d in dims if d not in over])
            out = init(groups)
            loops = self.choices.order(name + ".loops", dims)
            text = ", ".join(f"d{i}" for i in range(len(loops)))
            maps = ", ".join(
                f"affine_map<({text}) -> "
                f"({', '.join(f'd{loops.index(g[0])}' for g in t.groups)})>"
                for t in (a.extra, b.extra, out))
            return Tensor(self.op(
                f"linalg.contract indexing_maps = [{maps}] "
                f"ins({a.extra.name}, {b.extra.name} : {self.typeof(a.extra)}, "
                f"{self.typeof(b.extra)}) outs({out.name} : {self.typeof(out)}) -> "
                f"{self.typeof(out)}"), groups, elem)
        swap = self.choices.chance(name + ".swap", 40)

        def combine(out, value, elem):
            x, y = (value, out) if swap else (out, value)
            return [f"%r = arith.addf {x}, {y} : {elem}"], "%r"

        product = Expr("arith.mulf", elem, [cast(a, elem), cast(b, elem)])
        dims = [d for d in product.dims() if d not in over]
        return self.structured(product, dims, over, init, combine)

    def matmul(self, a, b, over, elem, name, init):
        a, b = self.materialise(a), self.materialise(b)
        both = set(a.dims) & set(b.dims)
        batch = tuple(sort(both - set(over)))
        rows = tuple(d for d in sort(a.dims) if d not in both)
        columns = tuple(d for d in sort(b.dims) if d not in both)
        inner = tuple(over)
        lead = [batch] if batch or self.choices.chance(name + ".unit-batch", 20) else []
        transposed = self.choices.pick(name + ".transposed", ["", "a", "b", "ab"],
                                       [5, 1, 3, 1])
        a_groups = [inner, rows] if "a" in transposed else [rows, inner]
        b_groups = [columns, inner] if "b" in transposed else [inner, columns]
        a, b = self.to(a, lead + a_groups), self.to(b, lead + b_groups)
        out = init(lead + [rows, columns])
        maps = ""
        if transposed:
            lead_text = ["d0"] if lead else []
            m, n, k = (f"d{i + len(lead)}" for i in range(3))
            dims = ", ".join(f"d{i}" for i in range(3 + len(lead)))
            results = [[k, m] if "a" in transposed else [m, k],
                       [n, k] if "b" in transposed else [k, n], [m, n]]
            maps = " indexing_maps = [" + ", ".join(
                f"affine_map<({dims}) -> ({', '.join(lead_text + r)})>"
                for r in results) + "]"
        op = "linalg.batch_matmul" if lead else "linalg.matmul"
        result = Tensor(self.op(
            f"{op}{maps} ins({a.name}, {b.name} : {self.typeof(a)}, {self.typeof(b)}) "
            f"outs({out.name} : {self.typeof(out)}) -> {self.typeof(out)}"),
            out.groups, elem)
        return self.without_units(result)
