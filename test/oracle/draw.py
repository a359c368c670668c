"""Draws a random case (see emit.py) and simplifies one step by step."""
import copy

import numpy as np

SIZES = {"batch": [0, 1, 2, 3], "row": [0, 1, 2, 3, 5, 8, 13, 17], "key": [0, 1, 2, 3, 7, 16, 19, 24, 33],
         "depth": [0, 1, 2, 5, 8, 16], "value": [0, 1, 2, 4, 7]}
BATCH = ["qkvo"] * 6 + ["kvo", "qko", "qvo", "ko"]


class Draw:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.seed = seed

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def count(self, *weights):
        return int(self.random.choice(len(weights), p=np.array(weights) / sum(weights)))

    def shuffled(self, items):
        items = list(items)
        return [items[i] for i in self.random.permutation(len(items))]

    def size(self, role):
        size = self.pick(SIZES[role])
        return self.pick(SIZES[role]) if size == 0 and self.chance(0.7) else size

    def case(self):
        groups = [("b", "batch", self.count(3, 5, 2)), ("m", "row", self.count(1, 12, 5)),
                  ("n", "key", self.count(0, 8, 1)), ("k", "depth", self.count(1, 12, 1)),
                  ("d", "value", self.count(1, 12, 1))]
        incidence, sizes = {}, {}
        for stem, role, count in groups:
            for i in range(count):
                name = stem if count == 1 else stem + str(i)
                incidence[name] = dict(batch=self.pick(BATCH), row="qo", key="kv", depth="qk", value="vo")[role]
                sizes[name] = self.size(role)
                # Grouped queries are a small outer row dim.
                if role == "row" and count == 2 and i == 0:
                    sizes[name] = self.pick([1, 2, 3])
        dims = self.shuffled(sizes) if self.chance(0.4) else list(sizes)
        while np.prod([sizes[d] for d in dims], dtype=float) > 2e5:
            widest = max(dims, key=lambda d: sizes[d])
            sizes[widest] = max(1, sizes[widest] // 2)
        self.dims, self.sizes = dims, sizes
        permute = self.chance(0.5)
        operand = lambda o: [d for d in dims if o in incidence[d]]
        maps = {o: self.shuffled(operand(o)) if permute else operand(o) for o in "qkvo"}
        self.row = [d for d in dims if incidence[d] == "qo"]
        self.key = [d for d in dims if incidence[d] == "kv"]
        self.set = [d for d in dims if incidence[d] not in ("qk", "vo")]
        self.state = [d for d in self.set if d not in self.key]
        self.batch = [d for d in self.state if d not in self.row]
        maps["lse"] = (self.shuffled(self.state) if permute else list(self.state)) if self.chance(0.6) else None
        base = self.pick(["f16", "bf16", "f32", "f32", "f64"])
        types = {o: self.pick(["f16", "bf16", "f32", "f64"]) if self.chance(0.08) else base for o in "qkvo"}
        visible, symbols = self.visible()
        blocks = None
        if self.chance(0.12) and len(self.key) == 1:
            blocks = [d for d in self.shuffled(self.batch) if self.chance(0.5)]
            if self.row and self.chance(0.8):
                blocks.append("%s floordiv %d" % (self.row[-1], self.pick([1, 2, 4, 8])))
            blocks.append("%s floordiv %d" % (self.key[0], self.pick([1, 2, 4, 16])))
        hidden = None
        if blocks is None and (visible is not None or self.chance(0.1)) and self.chance(0.4):
            hidden = self.pick([-1e9, -3.4028234663852886e38, -40.0, 0.5])
        depth = [sizes[d] for d in dims if incidence[d] == "qk"]
        return dict(
            dims=[[d, sizes[d]] for d in dims], maps=maps, types=types,
            dynamic=[d for d in dims if self.chance(0.5)] if self.chance(0.5) else [],
            scale=self.pick([1 / np.sqrt(max(1, np.prod(depth)))] * 3 + [1.0, 0.125, -0.5, 0.0]),
            stages=self.stages(), visible=visible, symbols=symbols, blocks=blocks, hidden=hidden,
            empty_rows=self.pick(["nan", "zero", "nan_select"]), sink=self.sink(), position=self.position(),
            values=self.pick([1.0, 1.0, 4.0]), seed=self.seed, tiling=self.tiling())

    def visible(self):
        if not self.row or self.chance(0.35):
            return (None, []) if self.chance(0.9) else ([], [])
        m, n, symbols = self.row[-1], self.pick(self.key), []
        E = lambda d: "E_" + d

        def symbol():
            if self.chance(0.3):
                symbols.append(dict(type=self.pick(["index", "i32", "i64"]), scalar=int(self.random.integers(0, 20))))
            else:
                symbols.append(dict(type=self.pick(["i32", "i64"]),
                                    map=[d for d in self.shuffled(self.batch) if self.chance(0.8)]))
            return "s%d" % (len(symbols) - 1)

        kinds = {
            "causal": lambda: ["%s - %s >= 0" % (m, n)],
            "bottom_right": lambda: ["%s - %s + %s - %s >= 0" % (m, n, E(n), E(m))],
            "window": lambda: ["%s - %s + 2 >= 0" % (m, n), "%s - %s + 4 >= 0" % (n, m)],
            "strict": lambda: ["%s - %s - 1 >= 0" % (m, n)],
            "lengths": lambda: ["%s - %s - 1 >= 0" % (symbol(), n)],
            "prefix": lambda: ["%s - 1 - %s >= 0" % (symbol(), n)],
            "fill": lambda: ["%s + %s - %s >= 0" % (m, symbol(), n)],
            "chunks": lambda: ["%s floordiv 4 - %s floordiv 4 == 0" % (m, n)],
            "stride": lambda: ["(%s - %s) mod 3 == 0" % (m, n), "%s - %s >= 0" % (m, n)],
            "heads": lambda: ["%s - 1 >= 0" % self.pick(self.state)],
            "rows_only": lambda: ["%s - 2 >= 0" % m],
            "never": lambda: ["%s - %s >= 0" % (n, E(n))],
            "always": lambda: ["%s >= 0" % n],
        }
        names = list(kinds)
        sets = [kinds[self.pick(names)]() for _ in range(1 + self.count(7, 3))]
        return sets, symbols

    def broadcast(self, dims, share=0.6):
        """A random broadcast shape over dims, with 0, floordiv and mod."""
        out = []
        for d in self.shuffled(dims):
            if not self.chance(share):
                continue
            form = self.count(8, 1, 1, 1)
            if self.sizes[d] == 0:
                form = 0
            out.append([d, "0", "%s floordiv %d" % (d, self.pick([2, 3, 4])), "%s mod %d" % (d, self.pick([2, 3, 5]))][form])
        return out

    def extra(self, type=None, dims=None, share=0.6):
        type = type or self.pick(["f16", "bf16", "f32", "f64"])
        if type in ("f32", "f64") and self.chance(0.15):
            return dict(type=type, scalar=float(self.random.normal()))
        return dict(type=type, map=self.broadcast(self.set if dims is None else dims, share))

    def stages(self):
        out = []
        kinds = ["bias", "bias", "mul", "softcap", "alibi", "select", "weight", "keep"]
        for _ in range(self.count(3, 4, 3, 1)):
            kind = self.pick(kinds)
            if kind == "softcap":
                out.append([kind, [self.pick([1.0, 5.0, 30.0])], []])
            elif kind == "alibi" and self.row:
                out.append([kind, [self.key[-1], self.row[-1]], [self.extra(dims=self.state, share=0.3)]])
            elif kind == "select":
                spec = dict(type="i1", map=self.broadcast(self.set))
                out.append([kind, [self.pick([-np.inf, -1e9, -3.0])], [spec]])
            elif kind == "keep":
                seeds = [dict(type="i64", scalar=int(self.random.integers(-2**62, 2**62))) for _ in range(2)]
                out.append([kind, [self.pick([0.0, 0.1, 0.5, 0.9, 1.0])], seeds])
            elif kind in ("bias", "mul", "weight"):
                out.append([kind, [], [self.extra()]])
        return out

    def sink(self):
        if not self.chance(0.2):
            return None
        return dict(type=self.pick(["f16", "bf16", "f32", "f64"]), absent=self.pick([0.0, 0.5, 1.0]),
                    map=[d for d in self.shuffled(self.state) if self.chance(0.6)])

    def tiling(self):
        """Blocks for the routes that tile; the others do not look at them."""
        return dict(query_block=[self.pick([1, 2, 4, 8]) for _ in self.row],
                    key_block=[self.pick([1, 2, 4, 8, 16]) for _ in self.key],
                    order=self.pick(["q_outer", "q_outer", "kv_outer"]), key_splits=self.pick([1, 1, 1, 2, 3]))

    def position(self):
        if not self.chance(0.2):
            return None
        origin = {d: int(self.random.integers(0, 9)) for d in self.set}
        extents = {d: self.sizes[d] + origin[d] + int(self.random.integers(0, 5)) for d in self.set}
        return dict(origin=origin, extents=extents, dynamic=self.chance(0.5))


def simpler(case):
    """Cases with one thing less, the boldest first."""
    def change(**fields):
        new = copy.deepcopy(case)
        new.update(fields)
        if "stages" in fields and case.get("backward"):
            new["backward"]["extras"] = []  # their numbers are others now
        return new
    if case.get("backward"):
        for key, value in (("extras", []), ("dlse", False)):
            if case["backward"][key] != value:
                yield change(backward=dict(case["backward"], **{key: value}))
    for key, value in (("stages", []), ("blocks", None), ("sink", None), ("position", None), ("hidden", None),
                       ("dynamic", []), ("empty_rows", "nan"), ("scale", 1.0), ("values", 1.0), ("tiling", None)):
        if case[key] != value:
            yield change(**{key: value})
    if case["visible"] is not None:
        yield change(visible=None, symbols=[])
        if len(case["visible"]) > 1 and not case["symbols"]:
            for i in range(len(case["visible"])):
                yield change(visible=case["visible"][:i] + case["visible"][i + 1:])
    for i in range(len(case["stages"])):
        if len(case["stages"]) > 1:
            yield change(stages=case["stages"][:i] + case["stages"][i + 1:])
    if case["maps"]["lse"] is not None:
        yield change(maps=dict(case["maps"], lse=None))
    if set(case["types"].values()) != {"f32"}:
        yield change(types=dict.fromkeys("qkvo", "f32"))
    if case["tiling"]:
        for key, value in (("order", "q_outer"), ("key_splits", 1)):
            if case["tiling"][key] != value:
                yield change(tiling=dict(case["tiling"], **{key: value}))
    for i, (name, size) in enumerate(case["dims"]):
        for less in sorted({1, size // 2, size - 1}):
            if 0 < less < size and not case["position"]:
                dims = copy.deepcopy(case["dims"])
                dims[i][1] = less
                yield change(dims=dims)
