"""A case, plain data, as an MLIR function, its arguments and the oracle's.

case = {
  dims:     [[name, size], ...] in iteration order
  maps:     {q, k, v, o: [dim, ...], lse: [dim, ...] or None}
  types:    {q, k, v, o: "f16" | "bf16" | "f32" | "f64"}
  dynamic:  [dim, ...] printed as ?
  scale, hidden (None: skip), empty_rows
  stages:   [[stage, [params], [extra, ...]], ...]      see score_stages.py
            extra: {type, map: [expr, ...]} or {type, scalar: value}
  visible:  None or [[constraint, ...], ...]; constraints over the dims, their
            extents E_<dim> and the symbols s0, s1, ..., in MLIR's spelling
  symbols:  [{type, map: [dim, ...]} or {type, scalar: value}]
  blocks:   None or [expr, ...]
  sink:     None or {type, map: [dim, ...], absent: share of -inf}
  position: None or {origin: {dim: i}, extents: {dim: n}, dynamic: bool}
  backward: None, or {types: {q, k, v, sink, extras: type}, dlse: bool,
            extras: [number, ...]}: the gradients of the attention instead of it,
            in these types, of these extras, with a gradient of the LSE; O and
            the LSE are the oracle's, rounded
  seed:     of the arrays' values; values: standard deviation
}
"""
import re

import numpy as np

from attention_oracle import attention

FLOATS = ("f16", "bf16", "f32", "f64")
ROUNDOFF = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}
NUMPY = {"f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64,
         "i1": np.bool_, "i32": np.int32, "i64": np.int64, "index": np.int64}


def round_to(array, type):
    """Values of an element type; bf16 as the f32 of the same value."""
    array = np.asarray(array).astype(NUMPY[type])
    if type == "bf16":
        bits = array.view(np.uint32).astype(np.uint64)
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
        array = np.where(np.isfinite(array), bits.astype(np.uint32).view(np.float32), array)
    return array


def number(value, type="f64"):
    """A float constant as MLIR spells it; infinities by their bits."""
    if np.isfinite(value):
        return "%.17e" % value
    bits = np.array(value, NUMPY[type]).tobytes()[::-1].hex()
    return "0x" + bits.upper()


def clause(name, operands):
    """`name(%a, %b : type, type)`, or nothing."""
    names, types = ", ".join(o[0] for o in operands), ", ".join(o[1] for o in operands)
    return " %s(%s : %s)" % (name, names, types) if operands else ""


class Function:
    """The text of one function, and what to call it and the oracle with."""
    def __init__(self, name, case):
        self.case, self.name = case, name
        self.size = dict(map(tuple, case["dims"]))
        self.random = np.random.default_rng(case["seed"])
        self.args, self.body = [], []  # (type, element type, value); lines
        self.roles()
        self.text = self.build()

    def roles(self):
        maps = self.case["maps"]
        inc = {d: "".join(o for o in "qkvo" if d in maps[o]) for d in self.size}
        self.row = [d for d in self.size if inc[d] == "qo"]
        self.key = [d for d in self.size if inc[d] == "kv"]
        self.set = [d for d in self.size if inc[d] not in ("qk", "vo")]
        self.state = [d for d in self.set if d not in self.key]

    # Types and arguments.
    def extent(self, expr):
        """How many elements an operand has behind a map's result."""
        dim, op, by = (expr.split() + [None, None])[:3]
        if dim == "0":
            return 1
        n = self.size[dim]
        return n if not op else -(-n // int(by)) if op == "floordiv" else min(n, int(by))

    def tensor(self, exprs, type):
        def one(expr):
            dynamic = expr.split()[0] in self.case["dynamic"]
            return "?" if dynamic else str(self.extent(expr))
        return "tensor<%s>" % "x".join([one(e) for e in exprs] + [type])

    def argument(self, mlir_type, element, value):
        self.args.append((mlir_type, element, value))
        return "%%a%d" % (len(self.args) - 1)

    def values(self, exprs, type, inf=0.0):
        shape = [self.extent(e) for e in exprs]
        if type == "i1":
            return self.random.random(shape) < 0.75
        if type in ("i32", "i64"):
            bound = max([self.size[d] for d in self.key], default=1) + 2
            return self.random.integers(0, bound, shape).astype(NUMPY[type])
        array = self.random.normal(size=shape) * self.case.get("values", 1.0)
        array = np.where(self.random.random(shape) < inf, -np.inf, array)
        return round_to(array, type)

    def operand(self, spec, inf=0.0):
        """Name, MLIR type, map text and (array, oracle map) of an operand."""
        if "scalar" in spec:
            value = NUMPY[spec["type"]](spec["scalar"])
            name = self.argument(spec["type"], spec["type"], value)
            return name, spec["type"], "()", (value, "")
        type = self.tensor(spec["map"], spec["type"])
        array = self.values(spec["map"], spec["type"], inf)
        name = self.argument(type, spec["type"], array)
        text = [e.replace(" floordiv ", "//").replace(" mod ", "%") for e in spec["map"]]
        return name, type, "(%s)" % ", ".join(spec["map"]), (array, " ".join(text))

    # The score region.
    def score(self):
        case, lines, names, oracle = self.case, [], ["%s : ACC"], []
        x, z, count, extras = "%s", None, 0, []

        def op(text):
            nonlocal count
            count += 1
            lines.append("    %%t%d = %s" % (count, text))
            return "%%t%d" % count

        def const(value):
            return op("arith.constant %s : ACC" % number(value, self.acc))

        def to_acc(name, type):
            if type == self.acc:
                return name
            wide = FLOATS.index(type) > FLOATS.index(self.acc)
            return op("arith.%s %s : %s to ACC" % ("truncf" if wide else "extf", name, type))

        for stage, params, stage_extras in case["stages"]:
            numbers, e = [], []
            for spec in stage_extras:
                numbers.append(len(extras))
                extras.append(self.operand(spec))
                e.append("%%e%d" % numbers[-1])
                names.append("%s : %s" % (e[-1], spec["type"]))
                if spec["type"] in FLOATS:
                    e[-1] = to_acc(e[-1], spec["type"])
            if stage in ("bias", "mul"):
                x = op("arith.%s %s, %s : ACC" % ("addf" if stage == "bias" else "mulf", x, e[0]))
            elif stage == "softcap":
                t = op("math.tanh %s : ACC" % op("arith.divf %s, %s : ACC" % (x, const(params[0]))))
                x = op("arith.mulf %s, %s : ACC" % (t, const(params[0])))
            elif stage == "alibi":
                a, b = (op("attn.index %d : index" % list(self.size).index(d)) for d in params)
                d = op("arith.index_cast %s : index to i64" % op("arith.subi %s, %s : index" % (a, b)))
                d = op("arith.sitofp %s : i64 to ACC" % d)
                x = op("arith.addf %s, %s : ACC" % (x, op("arith.mulf %s, %s : ACC" % (e[0], d))))
            elif stage == "select":
                x = op("arith.select %s, %s, %s : ACC" % (e[0], x, const(params[0])))
            elif stage in ("weight", "keep"):
                w = e[0] if stage == "weight" else op(
                    "attn.keep %s, %s {p = %s} : ACC" % (e[0], e[1], number(params[0])))
                z = w if z is None else op("arith.mulf %s, %s : ACC" % (z, w))
            oracle.append((stage, numbers, *params))
        if not case["stages"]:
            return "", [], []
        lines.append("    attn.yield %s%s : ACC%s" % (x, ", " + z if z else "", ", ACC" if z else ""))
        text = "\n      score (%s) {\n%s\n      }" % (", ".join(names), "\n".join(lines))
        return text.replace("ACC", self.acc), extras, oracle

    # The whole function.
    def inputs(self):
        """The operands that forward and backward share, as text and for the oracle."""
        case, maps, types = self.case, self.case["maps"], self.case["types"]
        self.acc = "f64" if "f64" in (types["q"], types["k"], types["v"]) else "f32"
        qkv = [self.operand(dict(type=types[o], map=maps[o])) for o in "qkv"]
        score, extras, stages = self.score()
        symbols = [self.operand(s) for s in case["symbols"]]
        sink = blocks = None
        if case["sink"]:
            sink = self.operand(case["sink"], case["sink"]["absent"])
        if case["blocks"]:
            blocks = self.operand(dict(type="i1", map=case["blocks"]))
        mapped = qkv + extras + ([sink] if sink else []) + \
            [s for s, spec in zip(symbols, case["symbols"]) if "map" in spec] + ([blocks] if blocks else [])
        self.map_texts = [m[2] for m in mapped]
        attributes = ["scale = " + number(case["scale"]), "empty_rows = " + case["empty_rows"]]
        if case["hidden"] is not None:
            attributes.append("hidden = replace(%s)" % number(case["hidden"]))
        if case["visible"] is not None:
            head = "(%s)[%s]" % (", ".join(self.set), ", ".join(
                ["E_" + d for d in self.set] + ["s%d" % i for i in range(len(symbols))]))
            sets = ["affine_set<%s : (%s)>" % (head, ", ".join(c)) for c in case["visible"]]
            attributes.append("visible = [%s]" % ", ".join(sets))
        if case["tiling"]:
            fields = ["%s = %s" % item for item in case["tiling"].items()]
            attributes.append("tiling = #attn.tiling<%s>" % ", ".join(fields))
        self.attributes, self.region = attributes, score
        self.clauses = "".join([
            clause("ins", qkv), clause("extras", extras), clause("sink", [sink] if sink else []),
            clause("symbols", symbols), clause("blocks", [blocks] if blocks else []), self.position()])
        where = case["position"] or dict(origin={}, extents={})
        self.oracle = dict(
            dims=" ".join(self.size), maps=[" ".join(maps[o]) for o in "qkvo"], scale=case["scale"],
            score=stages, extras=[e[3] for e in extras], symbols=[s[3] for s in symbols],
            blocks=blocks and blocks[3], hidden=case["hidden"], empty_rows=case["empty_rows"],
            sink=sink and sink[3], visible=None if case["visible"] is None else self.predicate(),
            lse_map=None if maps["lse"] is None else " ".join(maps["lse"]),
            origin=where["origin"], extents=where["extents"])
        self.qkv = [o[3][0] for o in qkv]
        self.operands = dict(zip("qkv", qkv), sink=sink, extras=extras)

    def function(self, op, maps, attributes, clauses, outs):
        """The text of a function of one op."""
        names = ", ".join("%%r#%d" % i for i in range(len(outs))) if len(outs) > 1 else "%r"
        text = "  %%r%s = attn.%s {%s}\n      maps = [(%s) -> %s]\n     %s%s%s" % (
            ":%d" % len(outs) if len(outs) > 1 else "", op, ", ".join(attributes), ", ".join(self.size),
            ", -> ".join(maps), clauses, clause("outs", outs), self.region)
        results = ", ".join(o[1] for o in outs)
        return "func.func @%s(%s) -> (%s) attributes {llvm.emit_c_interface} {\n%s\n  return %s : %s\n}\n" % (
            self.name, ", ".join("%%a%d: %s" % (i, a[0]) for i, a in enumerate(self.args)),
            results, "\n".join(self.body + [text]), names, results)

    def build(self):
        self.inputs()
        maps, types = self.case["maps"], self.case["types"]
        if self.case.get("backward"):
            return self.backward()
        outs = [(maps["o"], types["o"])] + ([(maps["lse"], self.acc)] if maps["lse"] is not None else [])
        self.results = [(len(dims), type) for dims, type in outs]
        return self.function("attention", self.map_texts + ["(%s)" % ", ".join(o[0]) for o in outs],
                             self.attributes, self.clauses, [self.empty(*o) for o in outs])

    def backward(self):
        case, maps, spec = self.case, self.case["maps"], self.case["backward"]
        lse_map = maps["lse"] if maps["lse"] is not None else self.state
        self.oracle["lse_map"] = " ".join(lse_map)
        with np.errstate(all="ignore"):
            o, lse = attention(*self.qkv, **self.oracle)
        given = lambda dims, type, array: (
            self.argument(self.tensor(dims, type), type, round_to(array, type)), self.tensor(dims, type))
        o_type = case["types"]["o"]
        self.forward = range(len(self.args), len(self.args) + 2)  # O and LSE among the arguments
        forward = [given(maps["o"], o_type, o), given(lse_map, self.acc, lse)]
        self.oracle["dout"] = self.values(maps["o"], o_type)
        grad = [given(maps["o"], o_type, self.oracle["dout"])]
        if spec["dlse"]:
            self.oracle["dlse"] = self.values(lse_map, self.acc)
            grad.append(given(lse_map, self.acc, self.oracle["dlse"]))
        wanted = [(maps[name], spec["types"][name]) for name in "qkv"]
        if case["sink"]:
            wanted.append((case["sink"]["map"], spec["types"]["sink"]))
        extras = [e for stage in case["stages"] for e in stage[2]]
        wanted += [(extras[n]["map"], spec["types"]["extras"]) for n in spec["extras"]]
        attributes = list(self.attributes)
        if spec["extras"]:
            attributes.append("differentiate = array<i64: %s>" % ", ".join(map(str, spec["extras"])))
        self.results = [(len(exprs), type) for exprs, type in wanted]
        return self.function(
            "attention_backward", self.map_texts + ["(%s)" % ", ".join(m) for m in (maps["o"], lse_map)],
            attributes, self.clauses + clause("forward", forward) + clause("grad", grad),
            [self.empty(*w) for w in wanted])

    def empty(self, dims, type):
        """A destination; a dynamic size is that of an operand's dim."""
        mlir_type, sizes = self.tensor(dims, type), []
        for expr in dims:
            d, op, by = (expr.split() + [None, None])[:3]
            if d not in self.case["dynamic"]:
                continue
            number = next(i for i, o in enumerate("qkv") if d in self.case["maps"][o])
            at = self.case["maps"]["qkv"[number]].index(d)
            n = len(self.body)
            self.body += ["  %%c%d = arith.constant %d : index" % (n, at),
                          "  %%d%d = tensor.dim %%a%d, %%c%d : %s" % (n, number, n, self.args[number][0])]
            if op:
                self.body += ["  %%b%d = arith.constant %s : index" % (n, by),
                              "  %%s%d = arith.%s %%d%d, %%b%d : index" % (
                                  n, "ceildivui" if op == "floordiv" else "minui", n, n)]
            sizes.append("%%%s%d" % ("s" if op else "d", n))
        name = "%%i%d" % len(self.body)
        self.body.append("  %s = tensor.empty(%s) : %s" % (name, ", ".join(sizes), mlir_type))
        return name, mlir_type

    def position(self):
        where = self.case["position"]
        if not where:
            return ""
        def entry(value):
            return self.argument("index", "index", np.int64(value)) if where["dynamic"] else str(value)
        origin = [entry(where["origin"].get(d, 0)) for d in self.size]
        extents = [entry(where["extents"].get(d, n)) for d, n in self.size.items()]
        return " origin = [%s] extents = [%s]" % (", ".join(origin), ", ".join(extents))

    def predicate(self):
        sets = [["(%s)" % re.sub(r"\bmod\b", "%", c.replace("floordiv", "//")) for c in constraints]
                for constraints in self.case["visible"]]

        def visible(i, extents, symbols):
            names = {d: i[d] for d in self.set}
            names.update({"E_" + d: extents[d] for d in self.set})
            names.update({"s%d" % n: np.asarray(s).astype(np.int64) for n, s in enumerate(symbols)})
            holds = np.zeros((1,) * len(self.set), bool)
            for constraints in sets:
                holds = holds | np.logical_and.reduce(
                    np.broadcast_arrays(True, *(eval(c, {}, names) for c in constraints)))
            return holds
        return visible
