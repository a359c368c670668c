"""Writes linalg and computes the same with numpy, op by op.

A Tensor has a label per axis ("b", "h", "m", ...; "_" for an axis of size 1 that
stands for none). Ops are given by labels, as in einsum; which op of the dialect
spells them, with which operand order and which layout, is drawn at random. The
numpy value is computed in the tensor's own type, with none of the compiler's code.
"""
import numpy as np

NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i1": np.bool_, "i64": np.int64}
PREDICATES = {"sle": np.less_equal, "slt": np.less, "sge": np.greater_equal, "sgt": np.greater}
FLOATS = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide,
          "maximumf": np.maximum}


class Tensor:
    def __init__(self, name, labels, element, value):
        self.name, self.labels, self.element, self.value = name, list(labels), element, value

    @property
    def type(self):
        return "tensor<%s%s>" % ("".join("%dx" % n for n in self.value.shape), self.element)


def literal(value, element):
    """A float constant; infinities and the like by their bits."""
    bits = {"f16": np.uint16, "f32": np.uint32, "f64": np.uint64}[element]
    number = np.array(value, NUMPY[element])
    return "0x%0*X" % (number.itemsize * 2, int(number.view(bits)))


class Function:
    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.lines, self.args, self.count = [], [], 0
        self.sizes = {}

    def fresh(self):
        self.count += 1
        return "%%t%d" % self.count

    def emit(self, text):
        self.lines.append("  " + text)

    def chance(self, p=0.5):
        return self.rng.random() < p

    # Values

    def arg(self, labels, element, value):
        for label, size in zip(labels, value.shape):
            self.sizes[label] = size
        tensor = Tensor("%%a%d" % len(self.args), labels, element, value.astype(NUMPY[element]))
        self.args.append(tensor)
        return tensor

    def constant(self, labels, element, value):
        name = self.fresh()
        def text(array):
            if array.ndim:
                return "[" + ", ".join(text(a) for a in array) + "]"
            return ("true" if array else "false") if element == "i1" else literal(array, element)
        value = np.asarray(value, NUMPY[element])
        tensor = Tensor(name, labels, element, value)
        self.emit("%s = arith.constant dense<%s> : %s" % (name, text(value), tensor.type))
        return tensor

    def scalar(self, value, element):
        name = self.fresh()
        text = ("true" if value else "false") if element == "i1" else literal(value, element)
        self.emit("%s = arith.constant %s%s" % (name, text, "" if element == "i1" else " : " + element))
        return name

    def empty(self, labels, element):
        shape = [1 if l == "_" else self.sizes[l] for l in labels]
        tensor = Tensor(self.fresh(), labels, element, np.zeros(shape, NUMPY[element]))
        self.emit("%s = tensor.empty() : %s" % (tensor.name, tensor.type))
        return tensor

    def fill(self, labels, element, value):
        tensor = self.empty(labels, element)
        name = self.fresh()
        self.emit("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            name, self.scalar(value, element), element, tensor.name, tensor.type, tensor.type))
        return Tensor(name, labels, element, np.full(tensor.value.shape, value, NUMPY[element]))

    # Ops that move elements

    def transpose(self, x, labels):
        """The axes of x in the given order."""
        order = [x.labels.index(l) for l in labels]
        if order == sorted(order):
            return x
        if self.chance():
            return self.map([x], ("in", 0), labels)
        out = self.empty(labels, x.element)
        name = self.fresh()
        self.emit("%s = linalg.transpose ins(%s : %s) outs(%s : %s) permutation = %s" % (
            name, x.name, x.type, out.name, out.type, order))
        return Tensor(name, labels, x.element, np.transpose(x.value, order))

    def shuffle(self, x):
        labels = list(x.labels)
        self.rng.shuffle(labels)
        return self.transpose(x, labels)

    def _reshape(self, op, x, groups, labels, shape):
        name = self.fresh()
        result = Tensor(name, labels, x.element, x.value.reshape(shape))
        extra = " output_shape %s" % list(shape) if op == "expand_shape" else ""
        self.emit("%s = tensor.%s %s %s%s : %s into %s" % (
            name, op, x.name, groups, extra, x.type, result.type))
        return result

    def merge(self, x, first, second):
        """Two axes as one, labelled first.second."""
        rest = [l for l in x.labels if l not in (first, second)]
        at = self.rng.randrange(len(rest) + 1) if self.chance(0.3) else 0
        x = self.transpose(x, rest[:at] + [first, second] + rest[at:])
        label = first + "." + second
        self.sizes[label] = self.sizes[first] * self.sizes[second]
        groups, labels, shape, i = [], [], [], 0
        for l, n in zip(x.labels, x.value.shape):
            if l == second:
                groups[-1].append(i)
                labels[-1], shape[-1] = label, shape[-1] * n
            else:
                groups.append([i])
                labels.append(l)
                shape.append(n)
            i += 1
        return self._reshape("collapse_shape", x, groups, labels, shape)

    def split(self, x, label):
        """The opposite of merge."""
        first, second = label.rsplit(".", 1)
        groups, labels, shape, i = [], [], [], 0
        for l, n in zip(x.labels, x.value.shape):
            if l == label:
                groups.append([i, i + 1])
                labels += [first, second]
                shape += [self.sizes[first], self.sizes[second]]
                i += 2
            else:
                groups.append([i])
                labels.append(l)
                shape.append(n)
                i += 1
        return self._reshape("expand_shape", x, groups, labels, shape)

    def concat(self, x, y, label, joined):
        """y after x along an axis, which gets a label of its own."""
        axis = x.labels.index(label)
        labels = [joined if l == label else l for l in x.labels]
        value = np.concatenate([x.value, y.value], axis)
        self.sizes[joined] = value.shape[axis]
        result = Tensor(self.fresh(), labels, x.element, value)
        self.emit("%s = tensor.concat dim(%d) %s, %s : (%s, %s) -> %s" % (
            result.name, axis, x.name, y.name, x.type, y.type, result.type))
        return result

    def first(self, x, joined, label):
        """As many elements of an axis as another has."""
        axis, shape = x.labels.index(joined), list(x.value.shape)
        shape[axis] = self.sizes[label]
        labels = [label if l == joined else l for l in x.labels]
        value = np.take(x.value, range(shape[axis]), axis)
        result = Tensor(self.fresh(), labels, x.element, value)
        self.emit("%s = tensor.extract_slice %s%s %s %s : %s to %s" % (
            result.name, x.name, [0] * len(shape), shape, [1] * len(shape), x.type, result.type))
        return result

    def add_unit(self, x):
        """Another axis of size 1, somewhere."""
        at = self.rng.randrange(max(1, len(x.labels)))
        groups, i = [], 0
        for axis in range(len(x.labels)):
            groups.append([i, i + 1] if axis == at else [i])
            i += len(groups[-1])
        labels, shape = list(x.labels), list(x.value.shape)
        labels.insert(at + 1, "_")
        shape.insert(at + 1, 1)
        if not x.labels:
            return x
        return self._reshape("expand_shape", x, groups, labels, shape)

    # Scalar expressions: ("in", i), ("c", value), ("idx", label), ("sel", c, a, b),
    # ("cmp", predicate, a, b), ("and"|"or"|"not", ...), ("addf", a, b), ("exp", a), ...

    def _evaluate(self, e, values, loops, element):
        go = lambda x: self._evaluate(x, values, loops, element)
        kind = e[0]
        if kind == "in":
            return values[e[1]]
        if kind == "c":
            return NUMPY[element](e[1])
        if kind == "int":
            return np.int64(e[1])
        if kind == "idx":
            shape = [self.sizes[l] if l == e[1] else 1 for l in loops]
            return np.arange(self.sizes[e[1]], dtype=np.int64).reshape(shape)
        if kind == "cmp":
            return PREDICATES[e[1]](go(e[2]), go(e[3]))
        if kind == "subi":
            return go(e[1]) - go(e[2])
        if kind == "and":
            return np.logical_and(go(e[1]), go(e[2]))
        if kind == "or":
            return np.logical_or(go(e[1]), go(e[2]))
        if kind == "not":
            return np.logical_not(go(e[1]))
        if kind == "isinf":
            return go(e[1]) == -np.inf
        if kind == "sel":
            return np.where(go(e[1]), go(e[2]), go(e[3]))
        if kind in FLOATS:
            return FLOATS[kind](go(e[1]), go(e[2])).astype(NUMPY[element])
        return getattr(np, {"exp": "exp", "exp2": "exp2", "log": "log", "tanh": "tanh", "neg": "negative"}[kind])(
            go(e[1])).astype(NUMPY[element])

    def _write(self, e, names, loops, element, lines):
        go = lambda x: self._write(x, names, loops, element, lines)
        kind, name = e[0], None
        def line(text):
            name = self.fresh()
            lines.append("    %s = %s" % (name, text))
            return name
        if kind == "in":
            return names[e[1]]
        if kind == "c":
            return line("arith.constant %s : %s" % (literal(e[1], element), element))
        if kind == "int":
            return line("arith.constant %d : i64" % e[1])
        if kind == "idx":
            index = line("linalg.index %d : index" % loops.index(e[1]))
            return line("arith.index_cast %s : index to i64" % index)
        if kind == "cmp":
            a, b = go(e[2]), go(e[3])
            return line("arith.cmpi %s, %s, %s : i64" % (e[1], a, b))
        if kind == "subi":
            a, b = go(e[1]), go(e[2])
            return line("arith.subi %s, %s : i64" % (a, b))
        if kind in ("and", "or"):
            a, b = go(e[1]), go(e[2])
            return line("arith.%si %s, %s : i1" % (kind, a, b))
        if kind == "not":
            true = line("arith.constant true")
            return line("arith.xori %s, %s : i1" % (go(e[1]), true))
        if kind == "isinf":
            a, inf = go(e[1]), go(("c", -np.inf))
            return line("arith.cmpf oeq, %s, %s : %s" % (a, inf, element))
        if kind == "sel":
            c, a, b = go(e[1]), go(e[2]), go(e[3])
            return line("arith.select %s, %s, %s : %s" % (c, a, b, element))
        if kind in FLOATS:
            a, b = go(e[1]), go(e[2])
            if kind in ("addf", "mulf") and self.chance(0.3):
                a, b = b, a
            return line("arith.%s %s, %s : %s" % (kind, a, b, element))
        op = {"exp": "math.exp", "exp2": "math.exp2", "log": "math.log", "tanh": "math.tanh",
              "neg": "arith.negf"}[kind]
        return line("%s %s : %s" % (op, go(e[1]), element))

    def _map_of(self, x, loops):
        results = ["0" if l == "_" else "d%d" % loops.index(l) for l in x.labels]
        return "affine_map<(%s) -> (%s)>" % (
            ", ".join("d%d" % i for i in range(len(loops))), ", ".join(results))

    def _aligned(self, x, loops):
        """The numpy value with one axis per loop."""
        keep = [i for i, l in enumerate(x.labels) if l != "_"]
        value = x.value.reshape([x.value.shape[i] for i in keep])
        labels = [x.labels[i] for i in keep]
        order = sorted(range(len(labels)), key=lambda i: loops.index(labels[i]))
        value = np.transpose(value, order)
        present = {labels[i] for i in order}
        return value.reshape([self.sizes[l] if l in present else 1 for l in loops])

    def map(self, ins, expression, labels, element=None):
        """An elementwise op over the axes `labels`."""
        element = element or ins[0].element
        computing = next((x.element for x in ins if x.element.startswith("f")), element)
        loops = [l for l in labels]
        if self.chance(0.3):
            self.rng.shuffle(loops)
        out = self.empty(labels, element)
        names = [self.fresh() for _ in ins]
        lines = []
        result = self._write(expression, names, loops, computing, lines)
        maps = [self._map_of(x, loops) for x in ins] + [self._map_of(out, loops)]
        args = ["%s: %s" % (n, x.element) for n, x in zip(names, ins)] + ["%s: %s" % (self.fresh(), element)]
        name = self.fresh()
        self.emit("%s = linalg.generic {indexing_maps = [%s], iterator_types = [%s]} %souts(%s : %s) {" % (
            name, ", ".join(maps), ", ".join(['"parallel"'] * len(loops)),
            "ins(%s : %s) " % (", ".join(x.name for x in ins), ", ".join(x.type for x in ins)) if ins else "",
            out.name, out.type))
        self.emit("^bb0(%s):" % ", ".join(args))
        self.lines += lines
        self.emit("  linalg.yield %s : %s" % (result, element))
        self.emit("} -> %s" % out.type)
        values = [self._aligned(x, loops) for x in ins]
        value = np.broadcast_to(self._evaluate(expression, values, loops, computing), [self.sizes[l] for l in loops])
        order = [loops.index(l) for l in labels]
        return Tensor(name, labels, element, np.transpose(value, order).astype(NUMPY[element]))

    def reduce(self, x, labels, kind, init=None):
        """max, sum, or all (i1) over some axes; the result has the others."""
        rest = [l for l in x.labels if l not in labels and l != "_"]
        op, neutral, function = {"max": ("arith.maximumf", -np.inf, np.max),
                                 "sum": ("arith.addf", 0.0, np.sum),
                                 "all": ("arith.andi", True, np.all)}[kind]
        start = neutral if init is None else init
        keep = kind != "all" and self.chance(0.3)
        out = self.fill(rest + ["_"] if keep else rest, x.element, start)
        loops = rest + list(labels)
        name = self.fresh()
        if "_" not in x.labels and not keep and self.chance(0.3):
            axes = sorted(x.labels.index(l) for l in labels)
            self.emit("%s = linalg.reduce { %s } ins(%s : %s) outs(%s : %s) dimensions = %s" % (
                name, op, x.name, x.type, out.name, out.type, axes))
        else:
            a, b, c = self.fresh(), self.fresh(), self.fresh()
            self.emit("%s = linalg.generic {indexing_maps = [%s, %s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {" % (
                name, self._map_of(x, loops), self._map_of(out, loops),
                ", ".join(['"parallel"'] * len(rest) + ['"reduction"'] * len(labels)),
                x.name, x.type, out.name, out.type))
            self.emit("^bb0(%s: %s, %s: %s):" % (a, x.element, b, x.element))
            operands = (a, b) if self.chance() else (b, a)
            self.emit("  %s = %s %s, %s : %s" % (c, op, *operands, x.element))
            self.emit("  linalg.yield %s : %s" % (c, x.element))
            self.emit("} -> %s" % out.type)
        value = self._aligned(x, loops)
        value = function(value, axis=tuple(range(len(rest), len(loops))))
        if init is not None:
            value = np.maximum(value, init) if kind == "max" else value + init
        return Tensor(name, out.labels, x.element, np.asarray(value, NUMPY[x.element]).reshape(out.value.shape))

    def contract(self, a, b, labels, init=None):
        """sum of a b over the axes that `labels` lacks, accumulated in a's type."""
        if self.chance():
            a, b = b, a
        element = a.element
        out = init or self.fill(labels, element, 0.0)
        summed = [l for l in dict.fromkeys(a.labels + b.labels) if l not in labels]
        loops = [l for l in labels] + summed
        name = self.fresh()
        maps = ", ".join(self._map_of(x, loops) for x in (a, b, out))
        operands = "ins(%s, %s : %s, %s) outs(%s : %s)" % (a.name, b.name, a.type, b.type, out.name, out.type)
        if self.chance(0.5):
            self.emit("%s = linalg.contract indexing_maps = [%s] %s -> %s" % (name, maps, operands, out.type))
        else:
            x, y, z, p, s = (self.fresh() for _ in range(5))
            self.emit("%s = linalg.generic {indexing_maps = [%s], iterator_types = [%s]} %s {" % (
                name, maps, ", ".join(['"parallel"'] * len(labels) + ['"reduction"'] * len(summed)), operands))
            self.emit("^bb0(%s: %s, %s: %s, %s: %s):" % (x, element, y, element, z, element))
            self.emit("  %s = arith.mulf %s, %s : %s" % (p, x, y, element))
            self.emit("  %s = arith.addf %s, %s : %s" % (s, z, p, element))
            self.emit("  linalg.yield %s : %s" % (s, element))
            self.emit("} -> %s" % out.type)
        letters = {l: chr(97 + i) for i, l in enumerate(loops)}
        spec = lambda ls: "".join(letters[l] for l in ls)
        value = np.einsum("%s,%s->%s" % (spec(a.labels), spec(b.labels), spec(labels)),
                          a.value.astype(np.float64), b.value.astype(np.float64))
        if init:
            value = value + init.value
        return Tensor(name, labels, element, value.astype(NUMPY[element]))

    def text(self, results):
        args = ", ".join("%s: %s" % (a.name, a.type) for a in self.args)
        types = ", ".join(r.type for r in results)
        return "func.func @%s(%s) -> (%s) attributes {llvm.emit_c_interface} {\n%s\n  return %s : %s\n}\n" % (
            self.name, args, types, "\n".join(self.lines), ", ".join(r.name for r in results), types)
