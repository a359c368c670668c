"""Counts elements by running instrumented code and compares with the ledger.

counted.py CASES [SEED]: for seeded random shapes, blocks, masks (affine, block-sparse),
extras (with their gradients) and both orders, forward and backward: `attn-run --count-io` on one attention op against the
ledger that its report carries and against `attn-ledger shape`, operand by operand,
to the element. Counting and prediction share no code."""
import json
import math
import random
import subprocess
import sys
import tempfile

import numpy

MASKS = {
    "dense": ([], ""),
    "causal": (["--causal"], "m - n >= 0"),
    "bottom-right": (["--causal=bottom-right"], "m - n + N - M >= 0"),
    "window": (["--causal", "--window=9"], "m - n >= 0, n - m + 8 >= 0"),
}
# Operands of the score region: the dims each varies along.
EXTRAS = {"": "", "bias": "hgmn", "full": "bhgmn", "per-key": "bn", "keys": "bhn", "per-row": "gm", "rows": "bhgm", "per-head": "hg"}


class Case:
    """One attention: sizes by dim, and how it is written and tiled."""

    def __init__(self, sizes, blocks, order, backward=False, mask="dense", layout="hg", dtype="f32", extra="", hidden="", splits=1, sparse=None, gradient=""):
        self.sizes, self.blocks, self.order, self.backward = sizes, blocks, order, backward
        self.gradient = gradient  # the type of the extra's gradient, if one is asked for
        self.mask, self.layout, self.dtype, self.extra, self.hidden, self.splits = mask, layout, dtype, extra, hidden, splits
        # Rows and keys of a block of a block-sparse mask, and its elements by head.
        self.sparse, self.pattern = sparse, None
        if sparse:
            count = [self.sizes["h"], -(-self.sizes["m"] // sparse[0]), -(-self.sizes["n"] // sparse[1])]
            self.pattern = numpy.random.default_rng(random.randrange(1 << 30)).random(count) < 0.5

    @staticmethod
    def random():
        b, h, g = random.choice([(1, 1, 1), (2, 2, 3), (1, 3, 2)])
        k, d = random.choice([(8, 8), (4, 12)])
        order = random.choice(["q_outer", "kv_outer"])
        backward = random.random() < 0.6
        mask = random.choice(list(MASKS))
        sparse = random.choice([None, None, (8, 16), (5, 7)])
        return Case(
            dict(b=b, h=h, g=g, m=random.randint(1, 70), n=random.randint(1, 90), k=k, d=d),
            (random.randint(1, 24), random.randint(1, 40)),
            order,
            backward,
            mask,
            layout=random.choice(["hg", "gh"]),
            dtype=random.choice(["f32", "f32", "bf16"]),
            extra=random.choice(list(EXTRAS) + [""] * 4),
            gradient=random.choice(["", "f32", "bf16"]) if backward else "",
            hidden="hidden = replace(-1.0), " if mask != "dense" and sparse is None and random.random() < 0.3 else "",
            sparse=sparse,
            splits=random.choice([1, 1, 2, 3]) if backward or order == "q_outer" else 1,
        )

    def tiling(self):
        br, bc = self.blocks
        row = f"[1,{br}]"
        return f"query_block={row},key_block={bc},order={self.order},key_splits={self.splits}"

    def type(self, dims, dtype):
        return "tensor<" + "".join(f"{self.sizes[dim]}x" for dim in dims) + dtype + ">"

    def text(self):
        """The op alone in a function of its operands."""
        heads = "b" + self.layout
        t = self.dtype
        operands = {"q": (heads + "mk", t), "k": ("bhnk", t), "v": ("bhnd", t)}
        if self.extra:
            operands["x"] = (EXTRAS[self.extra], "f32")
        inputs = ["q", "k", "v"]
        operands |= {"o": (heads + "md", t), "l": (heads + "m", "f32")}
        outs = ["o", "l"]
        blocks, constant = "", ""
        if self.sparse:
            br, bc = self.sparse
            elements = f"tensor<{'x'.join(map(str, self.pattern.shape))}xi1>"
            constant = f"%s = arith.constant dense<{str(self.pattern.tolist()).lower()}> : {elements}"
            blocks = f"blocks(%s : {elements})"
        if self.backward:
            operands |= {"go": operands["o"], "gq": operands["q"], "gk": operands["k"], "gv": operands["v"]}
            outs = ["gq", "gk", "gv"]
            if self.extra and self.gradient:
                operands["gx"] = (EXTRAS[self.extra], self.gradient)
                outs.append("gx")
        types = {name: self.type(*operand) for name, operand in operands.items()}
        listed = lambda names: ", ".join("%" + n for n in names) + " : " + ", ".join(types[n] for n in names)
        mapped = inputs + (["x"] if self.extra else []) + ["o", "l"]
        space = "(" + ", ".join(heads + "mnkd") + ")"
        results_of = {n: ", ".join(operands[n][0]) for n in mapped}
        if self.sparse:
            mapped.insert(-2, "s")
            results_of["s"] = f"h, m floordiv {br}, n floordiv {bc}"
        maps = ", ".join(("" if i else space + " ") + f"-> ({results_of[n]})" for i, n in enumerate(mapped))
        _, mask = MASKS[self.mask]
        dims = heads + "mn"
        if mask:
            mask = f"visible = [affine_set<({', '.join(dims)})[{', '.join(dims).upper()}] : ({mask})>]"
        score = ""
        if self.extra:
            score = "score (%a : f32, %e : f32) { %y = arith.addf %a, %e : f32  attn.yield %y : f32 }"
        extras = f"extras({listed(['x'])})" if self.extra else ""
        forward = f"forward({listed(['o', 'l'])}) grad({listed(['go'])})" if self.backward else ""
        differentiate = "differentiate = array<i64: 0>, " if "gx" in outs else ""
        results = ", ".join(types[n] for n in outs)
        values = ", ".join(f"%r#{i}" for i in range(len(outs)))
        return f"""
func.func @main({', '.join(f'%{n}: {types[n]}' for n in types)}) -> ({results}) {{
  {constant}
  %r:{len(outs)} = attn.attention{'_backward' if self.backward else ''} {{{differentiate}{self.hidden}{mask or 'scale = 1.0'}}}
      maps = [{maps}]
      ins({listed(inputs)}) {extras} {blocks} {forward} outs({listed(outs)}) {score}
  return {values} : {results}
}}
"""

    def nested(self):
        """Its blocks, cut to lie in those of the mask."""
        if not self.sparse:
            return self.blocks
        return [math.gcd(block, size) if block < size else size for block, size in zip(self.blocks, self.sparse)]

    def options(self, folder):
        """The same problem, for attn-ledger."""
        s = self.sizes
        br, bc = self.nested()
        # No more parts than key blocks as they were asked for.
        splits = min(self.splits, -(-s["n"] // self.blocks[1]))
        options = [f"--batch={s['b']}", f"--heads={s['h'] * s['g']}", f"--kv-heads={s['h']}", f"--m={s['m']}", f"--n={s['n']}", f"--k={s['k']}", f"--d={s['d']}"]
        options += [f"--dtype={self.dtype}", f"--br={br}", f"--bc={bc}", f"--accounting={self.order}", f"--tiling=key_splits={splits},order={self.order}"]
        if self.sparse:
            numpy.save(folder + "/blocks.npy", self.pattern)
            options.append(f"--blocks={self.sparse[0]}x{self.sparse[1]}:{folder}/blocks.npy")
        options += MASKS[self.mask][0] + (["--replace"] if self.hidden else [])
        return options + (["--direction=bwd"] if self.backward else [])


def run(*command):
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def plain(operands, extra={}):
    """Operands with both counts, without those that move nothing."""
    sums = {name: [c["read"], c["write"]] for name, c in operands.items()}
    # Scores of -1 are never out of reach: every row needs its hidden keys.
    for name, more in extra.get("operands", {}).items():
        sums[name][0] += more["read"]
        sums[name][1] += more["write"]
    return {name: count for name, count in sums.items() if any(count)}


def measure(case):
    """What was counted, and the ledger of the report."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(case.text())
        file.flush()
        report = run("attn-run", file.name, "--count-io", "--json", "--tiling=" + case.tiling())
    ledger = report["attentions"][0]["ledger"]
    return plain(report["io"]), plain(ledger["operands"], ledger.get("surcharge", {}))


def asked(case):
    """attn-ledger, which knows no extras."""
    with tempfile.TemporaryDirectory() as folder:
        report = run("attn-ledger", "shape", "--json", *case.options(folder))
    direction = report["backward" if case.backward else "forward"]
    return plain(direction["operands"], report.get("surcharge", {}))


def published():
    """The paper's loop nests in the f32 of kv_outer. Forward: without the final
    division. Backward: the paper has no pass for D, but reads O of every block
    beside dO."""
    for n, d, br, bc in [(64, 16, 16, 16), (100, 8, 7, 33), (256, 32, 32, 128), (512, 64, 64, 384)]:
        sizes = dict(b=1, h=1, g=1, m=n, n=n, k=d, d=d)
        forward, _ = measure(Case(sizes, (br, bc), "kv_outer"))
        loop = sum(sum(count) for name, count in forward.items() if name != "finish")
        backward, _ = measure(Case(sizes, (br, bc), "kv_outer", backward=True))
        pass_of_d = {"O": backward["O"][0], "dO": backward["O"][0], "D": backward["D"][1]}
        nest = sum(sum(count) for count in backward.values()) - sum(pass_of_d.values())
        print("published", n, d, br, bc, loop, nest + backward["dO"][0] - pass_of_d["dO"])


def main():
    published()
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    failed = 0
    for _ in range(int(sys.argv[1])):
        case = Case.random()
        got, ledger = measure(case)
        want = {"the report": ledger}
        if not case.extra:
            want["attn-ledger"] = asked(case)
        wrong = {name: sums for name, sums in want.items() if sums != got}
        failed += bool(wrong)
        described = [option for option in vars(case).items() if option[0] != "pattern"]
        print("DIFFERENT" if wrong else "equal", described, f"counted {got}, {wrong}" if wrong else "")
    print(f"{failed} different")
    return failed != 0


sys.exit(main())
