"""Counts elements by running instrumented code and compares with attn-ledger.

For seeded random shapes, blocks, masks and both orders: `attn-run --count-io` on
one attention op against `attn-ledger shape`, operand by operand, to the element.
The two share no code."""
import json
import random
import subprocess
import sys
import tempfile

MASKS = {
    "": ([], ""),
    "causal": (["--causal"], "m - n >= 0"),
    "bottom-right": (["--causal=bottom-right"], "m - n + N - M >= 0"),
    "window": (["--causal", "--window=9"], "m - n >= 0, n - m + 8 >= 0"),
}


def module(b, h, g, m, n, k, d, mask, hidden=""):
    q, kk, v = f"{b}x{h}x{g}x{m}x{k}", f"{b}x{h}x{n}x{k}", f"{b}x{h}x{n}x{d}"
    o, lse = f"{b}x{h}x{g}x{m}x{d}", f"{b}x{h}x{g}x{m}"
    types = [f"tensor<{shape}xf32>" for shape in (q, kk, v, o, lse)]
    attribute = f"visible = [affine_set<(b, h, g, m, n)[B, H, G, M, N] : ({mask})>]"
    return f"""
func.func @main(%q: {types[0]}, %k: {types[1]}, %v: {types[2]}, %o: {types[3]}, %l: {types[4]}) -> ({types[3]}, {types[4]}) {{
  %r:2 = attn.attention {{{hidden}{attribute if mask else 'scale = 1.0'}}}
      maps = [(b, h, g, m, n, k, d) -> (b, h, g, m, k), -> (b, h, n, k), -> (b, h, n, d), -> (b, h, g, m, d), -> (b, h, g, m)]
      ins(%q, %k, %v : {types[0]}, {types[1]}, {types[2]}) outs(%o, %l : {types[3]}, {types[4]})
  return %r#0, %r#1 : {types[3]}, {types[4]}
}}
"""


def run(*command):
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def counted(text, tiling):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        io = run("attn-run", file.name, "--count-io", "--json", "--tiling=" + tiling)["io"]
    return {name: [c["read"], c["write"]] for name, c in io.items()}


def predicted(order, options):
    report = run("attn-ledger", "shape", "--json", "--dtype=f32", "--accounting=" + order, *options)
    sums = {}
    for row in report["forward"]["rows"]:
        name = "finish" if row["part"] == "finish" else row["operand"]
        entry = sums.setdefault(name, [0, 0])
        entry[0] += row["read"]
        entry[1] += row["write"]
    # Scores of -1 are never out of reach: every row folds its hidden keys.
    for name, extra in report.get("surcharge", {}).get("operands", {}).items():
        sums[name][0] += extra["read"]
    return sums


def published():
    """The paper's loop nest in the f32 of kv_outer: without the final division."""
    for n, d, br, bc in [(64, 16, 16, 16), (100, 8, 7, 33), (256, 32, 32, 128), (512, 64, 64, 384)]:
        sums = counted(module(1, 1, 1, n, n, d, d, ""),
                       f"query_block=[1,{br}],key_block={bc},order=kv_outer")
        loop = sum(sum(c) for name, c in sums.items() if name != "finish")
        print("published", n, d, br, bc, loop)


def main():
    published()
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    failed = 0
    for case in range(int(sys.argv[1])):
        b, h, g = random.choice([(1, 1, 1), (2, 2, 3), (1, 3, 2)])
        m, n = random.randint(1, 70), random.randint(1, 90)
        k, d = random.choice([(8, 8), (4, 12)])
        br, bc = random.randint(1, 24), random.randint(1, 40)
        order = random.choice(["q_outer", "kv_outer"])
        name = random.choice(list(MASKS))
        options, mask = MASKS[name]
        shape = [f"--batch={b}", f"--heads={h * g}", f"--kv-heads={h}", f"--m={m}",
                 f"--n={n}", f"--k={k}", f"--d={d}", f"--br={br}", f"--bc={bc}"]
        splits = random.choice([1, 1, 2, 3]) if order == "q_outer" else 1
        tiling = f"query_block=[1,{br}],key_block={bc},order={order},key_splits={splits}"
        shape.append(f"--tiling=key_splits={splits}")
        hidden = ""
        if mask and random.random() < 0.4:
            hidden = "hidden = replace(-1.0), "
            shape.append("--replace")
        got = counted(module(b, h, g, m, n, k, d, mask, hidden), tiling)
        want = predicted(order, shape + options)
        ok = got == {name: sums for name, sums in want.items() if any(sums)}
        failed += not ok
        print("equal" if ok else "DIFFERENT", order, name or "dense", *shape,
              "" if ok else f"counted {got} predicted {want}")
    print(f"{failed} different")
    return failed != 0


sys.exit(main())
