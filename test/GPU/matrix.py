"""The GPU lowering over the product of everything an attention may be.

matrix.py [--full [--part K/N]] [--only NAME] [--assemble] [--summary F [--resume]] [--target T] [--jobs N] [--list]

Each configuration is one attention or (direction=bwd) its gradients, compiled
for the target, run on the PTX emulator with all its checks, and compared with
the numpy oracle; the bytes that the emulator counts are compared with the cost
model's ledger, no main loop may have conflicts in shared memory, and where
ptxas is at hand no kernel may spill. By default the configurations are a
covering array for each direction: for any two factors, every pair of their
values occurs. --full takes the whole product of all factors but sizes and sums,
which take turns, but for those that a gradient of no extras would have twice;
--part K/N every N-th of them from the K-th on. --assemble also compiles each
configuration at a size that fills blocks, and reports what its main loop issues.
--summary writes a line per configuration, batch by batch; with --resume those
that the file already has are left out, so that the whole product may be run in
as many goes as one likes. Exit 0: all agree, 1: not.
"""
import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
import resources
from attention_oracle import attention
from emit import ROUNDOFF, Function
from matrix import tolerances
from matrix_backward import gradients

FORWARD = {
    "direction": ["fwd"],
    "dtype": ["f16", "bf16", "f32"],
    "head": [16, 32, 40, 64, 72, 128, 192, 256, 13, 1],
    "rows": [1, 17, 64, 131],
    "keys": [1, 13, 64, 97, 130],
    "mask": ["none", "causal", "bottom_right", "window", "strict", "lengths", "blocks", "chunks"],
    "heads": ["plain", "grouped", "repeated", "multi_query"],
    "score": ["none", "bias", "softcap", "alibi", "select", "bias_softcap"],
    "weight": ["none", "keep", "weight"],
    "layout": ["bhmd", "bmhd", "k_transposed"],
    "rows_kind": ["normal", "sink", "zero", "replace", "lse"],
}
# Gradients take several kernels each: fewer sizes.
BACKWARD = dict(
    FORWARD, direction=["bwd"], head=[16, 64, 72, 128, 192, 256, 13], rows=[1, 17, 131], keys=[1, 64, 130],
    score=["none", "bias", "softcap", "select", "bias_softcap"], heads=["plain", "grouped", "multi_query"],
    rows_kind=["normal", "sink", "zero", "nan_select", "replace", "lse"], extras=["fixed", "differentiated"],
    sums=["ordered", "atomics"])


def fits(c):
    """Not every combination means something."""
    if c.get("mask") == "blocks" and c.get("rows_kind") == "replace":
        return False  # blocks requires hidden = skip
    if c.get("rows_kind") == "replace" and c.get("mask") in ("none",):
        return False  # nothing is hidden
    return True


def covering(factors, random):
    """Greedy covering array of strength two."""
    names = list(factors)
    todo = set()
    for a, b in itertools.combinations(names, 2):
        todo |= {((a, x), (b, y)) for x in factors[a] for y in factors[b] if fits({a: x, b: y})}
    rows = []
    while todo:
        best, gain = None, -1
        seed = min(todo, key=repr)
        for _ in range(30):
            row = dict(seed)
            for name in random.permutation([n for n in names if n not in row]):
                def covered(value):
                    return sum(tuple(sorted(((name, value), item), key=lambda i: names.index(i[0]))) in todo
                               for item in row.items())
                values = [v for v in factors[name] if fits(dict(row, **{name: v}))]
                random.shuffle(values)
                row[str(name)] = max(values, key=covered)
            pairs = {p for p in itertools.combinations([(n, row[n]) for n in names], 2) if p in todo}
            if len(pairs) > gain:
                best, gain, found = row, len(pairs), pairs
        todo -= found
        rows.append({n: best[n] for n in names})
    return rows


# Factors that take turns in the whole product.
SIZES = ["head", "rows", "keys", "heads", "sums"]


def everything(factors):
    """All combinations of the factors that do not take turns. Those that do come
    from all combinations of their own, in a new random order each time round."""
    turns = [n for n in SIZES if n in factors]
    names = [n for n in factors if n not in turns]
    sizes = list(itertools.product(*(factors[n] for n in turns)))
    random = np.random.default_rng(2)
    for i, values in enumerate(itertools.product(*(factors[n] for n in names))):
        if i % len(sizes) == 0:
            order = random.permutation(len(sizes))
        row = dict(zip(names, values)) | dict(zip(turns, sizes[order[i % len(sizes)]]))
        if fits(row):
            yield {n: row[n] for n in factors}


def enlarged(c):
    """The configuration with rows and keys that fill many blocks, ragged as before."""
    return dict(c, rows=c["rows"] + (1024 if c["rows"] > 1 else 0), keys=c["keys"] + (1024 if c["keys"] > 1 else 0))


def to_case(c, seed):
    """A configuration as a case of ../oracle/emit.py."""
    head, grouped = c["head"], c["heads"]
    rows, keys = c["rows"], c["keys"]
    dims = [["b", 2], ["h", 2], ["g", 3 if grouped != "plain" else 1], ["m", rows], ["n", keys], ["k", head],
            ["d", head]]
    order = {"grouped": ["h", "g"], "repeated": ["g", "h"], "plain": ["h"], "multi_query": ["g"]}[grouped]
    if grouped in ("plain", "multi_query"):
        dims = [d for d in dims if d[0] in ("b", "m", "n", "k", "d", *order)]
    heads = [d for d in order if d != "g"]
    batch = ["b"] + heads
    if c["layout"] == "bmhd":
        maps = {"q": ["b", "m", *order, "k"], "k": ["b", "n", *heads, "k"], "v": ["b", "n", *heads, "d"],
                "o": ["b", "m", *order, "d"]}
    else:
        maps = {"q": ["b", *order, "m", "k"], "k": ["b", *heads, "n", "k"], "v": ["b", *heads, "n", "d"],
                "o": ["b", *order, "m", "d"]}
    if c["layout"] == "k_transposed":
        maps["k"] = ["b", *heads, "k", "n"]
    kind = c["rows_kind"]
    maps["lse"] = ["b", *order, "m"] if kind in ("lse", "sink", "zero") or c["direction"] == "bwd" else None
    extra = lambda dims, type=None: dict(type=type or (c["dtype"] if c["dtype"] != "f32" else "f32"), map=dims)
    bias = ["bias", [], [extra([*heads, "m", "n"])]]
    softcap = ["softcap", [5.0], []]
    stages = {
        "none": [], "bias": [bias], "softcap": [softcap], "bias_softcap": [softcap, bias],
        "alibi": [["alibi", ["n", "m"], [dict(type="f32", map=order)]]],
        "select": [["select", [float("-inf")], [dict(type="i1", map=["b", "n"])]]],
    }[c["score"]]
    seeds = [dict(type="i64", scalar=12345 + seed), dict(type="i64", scalar=7)]
    stages = stages + {"none": [], "keep": [["keep", [0.25], seeds]],
                       "weight": [["weight", [], [extra(["m", "n"])]]]}[c["weight"]]
    visible = {
        "none": None, "blocks": None, "causal": [["m - n >= 0"]], "strict": [["m - n - 1 >= 0"]],
        "bottom_right": [["m - n + E_n - E_m >= 0"]],
        "window": [["m - n + 20 >= 0", "n - m + 20 >= 0"]], "lengths": [["s0 - n - 1 >= 0"]],
        "chunks": [["m floordiv 16 - n floordiv 16 == 0"]],
    }[c["mask"]]
    return dict(
        dims=dims, maps=maps, types=dict.fromkeys("qkvo", c["dtype"]), dynamic=[], scale=float(head) ** -0.5,
        stages=stages, visible=visible,
        symbols=[dict(type="i32", map=["b"])] if c["mask"] == "lengths" else [],
        blocks=["b", "m floordiv 16", "n floordiv 32"] if c["mask"] == "blocks" else None,
        hidden=-3.4028234663852886e38 if kind == "replace" else None,
        empty_rows=kind if kind in ("zero", "nan_select") else "nan",
        backward=dict(types=dict.fromkeys(["q", "k", "v", "sink", "extras"], c["dtype"]), dlse=kind == "lse",
                      extras=differentiable(stages) if c["extras"] == "differentiated" else []) if c["direction"] == "bwd" else None,
        sink=dict(type="f32", map=order, absent=0.0) if kind == "sink" else None,
        position=None, values=1.0, seed=seed, tiling=None)


def redundant(c):
    """Gradients of extras, where no extra has one, are gradients without."""
    return c.get("extras") == "differentiated" and c["score"] in ("none", "softcap", "select") and c["weight"] != "weight"


def differentiable(stages):
    """The numbers of the extras that have a gradient."""
    extras = [e for stage in stages for e in stage[2]]
    return [n for n, e in enumerate(extras) if "map" in e and e["type"] in ROUNDOFF]


def write_case(folder, name, config, seed):
    case = to_case(config, seed)
    f = Function("main", case)
    with np.errstate(all="ignore"):
        if config["direction"] == "bwd":
            # Besides P, dS is rounded for its products.
            outs, tol = gradients(f, products=ROUNDOFF[config["dtype"]])
            tol = [np.max(t / np.fmax(1, np.abs(w)), initial=0) for w, t in zip(outs, tol)]
        else:
            outs, tol = attention(*f.qkv, **f.oracle), tolerances(f)
    outs = outs if isinstance(outs, (tuple, list)) else [outs]
    outs = list(outs)[: len(f.results)]
    with open(os.path.join(folder, name + ".mlir"), "w") as text:
        text.write(f.text)
    arrays, types = {}, []
    for i, (_, element, value) in enumerate(f.args):
        if element == "bf16":
            value = (np.ascontiguousarray(value, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        arrays["arg%d" % i] = np.ascontiguousarray(value).reshape(np.shape(value))
        types.append(element)
    for i, out in enumerate(outs):
        # The reference stays exact; results are compared with it in their own type.
        arrays["out%d" % i] = np.asarray(out, np.float32)
    tol = list(tol)
    if config["dtype"] == "f32":
        # Products of f32 go through tf32: 2^-11 for each operand.
        tol = [t + 4 * 2.0**-11 for t in tol]
    # ex2.approx and the deferred reference: a few units of f32, of 2^-22 each.
    tol = [t / 2 + 2.0**-20 for t in tol][: len(outs)]
    np.savez(os.path.join(folder, name + ".npz"), arg_types=np.array(types), tol=np.array(tol), **arrays)


def run(folder, options, *flags):
    command = ["attn-cases", folder, "--executor=emulator", "--target=" + options.target, "--json", "--timeout=600",
               "--jobs=%d" % options.jobs, *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2 or not done.stdout:
        sys.exit("attn-cases failed:\n" + done.stderr)
    return {entry["name"]: entry for entry in json.loads(done.stdout)["cases"]}


def conflicts(report):
    """Conflicts in shared memory, of loops that hold products."""
    return sum(loop["shared"]["conflicts"] for kernel in report.get("kernels", [])
               for loop in kernel.get("loops", []) if "mma" in loop["instructions"])


def spills(report):
    return sum(k["spill_store_bytes"] + k["spill_load_bytes"] for k in report.get("resources", []))


def judge(entry):
    """None, or what is wrong."""
    if entry["outcome"] != "right":
        return "%s: %s" % (entry["outcome"], entry["message"][:400])
    report = entry["report"]
    if not report.get("kernels"):
        return "no kernel ran"
    if conflicts(report):
        return "%d conflicts in shared memory in main loops" % conflicts(report)
    if spills(report):
        return "%d bytes spilled" % spills(report)
    return None


def judge_large(found):
    """The same of what the assembler made of a large one."""
    if "error" in found:
        return "at a large size: " + found["error"]
    if found["spills"]:
        return "at a large size: %d bytes spilled by %s" % (found["spills"], found["tiling"])
    return None


def every_row_has_key(config):
    """By mask and score alone: what data adds may hide all keys."""
    return config["mask"] == "none" or (
        config["mask"] == "causal" and config["score"] in ("none", "softcap") and config["weight"] != "weight")


def ledger_mismatch(entry, config):
    """Elements moved, where they are not the ledger's. Lengths and blocks hide keys
    by values that the ledger does not know; it states the blocks that a replaced
    hidden key completes as a surcharge; and it counts Q for every query block and
    key split, of which those without a visible key read none. It knows no sinks,
    whose gradient reads the two terms of each row once more."""
    if config["mask"] in ("lengths", "blocks") or config["rows_kind"] == "replace":
        return []
    report = entry["report"]
    ledger = (report["attentions"] or [{}])[0].get("ledger") or {}
    want, got = ledger.get("operands", {}), report.get("io", {})
    split = "key_splits=1," not in ledger.get("tiling", "")
    backward = config["direction"] == "bwd"
    off = []
    for name in ("Q", "K", "V", "O", "LSE", "dO", "row terms", "dQ sums", "dQ", "dK", "dV"):
        for way in ("read", "write"):
            expected, counted = want.get(name, {}).get(way, 0), got.get(name, {}).get(way, 0)
            if backward and config["rows_kind"] == "sink" and (name, way) == ("row terms", "read"):
                dims = dict(map(tuple, to_case(config, 0)["dims"]))
                expected += 2 * int(np.prod([dims.get(d, 1) for d in "bhgm"]))
            if name == "Q" and not backward and (split or config["mask"] != "none") and counted <= expected:
                continue
            # Equal loads of a lane are one; what nobody needs is not read.
            if name in ("row terms", "dQ sums") and way == "read" and counted <= expected:
                continue
            # Rows without a key may make every key count, and are looked for.
            if backward and not every_row_has_key(config) and config["rows_kind"] != "zero" and counted >= expected:
                continue
            # Gradients of extras are made from these again.
            if config.get("extras") == "differentiated" and way == "read" and counted >= expected:
                continue
            if name in want and counted != expected:
                off.append("%s %s: ledger %s, counted %s" % (name, way, expected, counted))
    return off


SUMMARY = ["configuration", "result", "registers", "spilled", "shared_bytes", "warp_instructions", "conflicts",
           "ledger", "large_tiling", "large_registers", "large_spilled", "others_per_product", "ldmatrix_per_product"]


def summary_line(config, entry, wrong, large):
    """The columns of SUMMARY; the last five of the configuration at a large size."""
    report = entry["report"] or {}
    kernels = report.get("kernels") or [{}]
    if config["direction"] == "bwd":
        loop = resources.gradient_loops(large, config["sums"] == "atomics")
    else:
        loop = resources.main_loop(large) or {}
    fields = [describe(config), wrong or "right",
              max((k["registers"] for k in report.get("resources", [])), default=""), spills(report),
              max(k.get("shared_bytes", 0) for k in kernels), sum(k.get("warp_instructions", 0) for k in kernels),
              conflicts(report), "; ".join(ledger_mismatch(entry, config)) if report else "",
              large.get("tiling", ""), large.get("registers", ""), large.get("spills", ""),
              loop.get("overhead", ""), loop.get("ldmatrix_per_product", "")]
    return "\t".join(str(field).replace("\n", " ").replace("\t", " ") for field in fields)


def assemble_large(folder, named, options):
    """{name: what the assembler made of it at a large size}"""
    nvdisasm = resources.find_nvdisasm()

    def one(item):
        name, config = item
        path = os.path.join(folder, name + ".large")
        with open(path, "w") as text:
            text.write(Function("main", to_case(enlarged(config), int(name[1:]))).text)
        flags = ["--atomics"] if config.get("sums") == "atomics" else []
        return name, resources.assemble(path, options.target, nvdisasm, flags)

    with ThreadPoolExecutor(options.jobs) as pool:
        return dict(pool.map(one, named.items()))


class Counts:
    run = wrong = off = 0


def run_batch(named, options, counts):
    """The summary's lines of these; what is not right is printed and counted."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="attn-gpu-matrix-") as temporary:
        folder = options.keep or temporary
        entries = {}
        for sums, flags in (("ordered", []), ("atomics", ["--atomics"])):
            mine = {name: c for name, c in named.items() if c.get("sums", "ordered") == sums}
            os.makedirs(os.path.join(folder, sums), exist_ok=True)
            for name, config in mine.items():
                write_case(os.path.join(folder, sums), name, config, int(name[1:]))
            if mine:
                entries.update(run(os.path.join(folder, sums), options, *flags))
        large = assemble_large(folder, named, options) if options.assemble else {}
        for name, entry in sorted(entries.items()):
            message = judge(entry)
            if not message and large:
                message = judge_large(large[name])
            lines.append(summary_line(named[name], entry, message, large.get(name, {})))
            counts.run += 1
            if message:
                counts.wrong += 1
                print("%s %s\n  %s" % (name, named[name], message), flush=True)
            elif ledger_mismatch(entry, named[name]):
                counts.off += 1
                print("%s %s\n  ledger: %s" % (name, named[name], "; ".join(ledger_mismatch(entry, named[name]))), flush=True)
    return lines


def describe(config):
    return " ".join("%s=%s" % item for item in config.items())


def run_all(named, options):
    """Batch by batch, so that a run that is ended leaves what it has found."""
    counts, old = Counts(), ""
    if options.resume and os.path.exists(options.summary):
        with open(options.summary) as text:
            # A line that was cut short is run again.
            old = "".join(line for line in text if line.endswith("\n"))
        known = {line.split("\t")[0] for line in old.split("\n")}
        named = {name: c for name, c in named.items() if describe(c) not in known}
    summary = open(options.summary or os.devnull, "w")
    summary.write(old or "\t".join(SUMMARY) + "\n")
    names = list(named)
    size = 40 if options.full else max(len(names), 1)
    for first in range(0, len(names), size):
        lines = run_batch({name: named[name] for name in names[first:first + size]}, options, counts)
        summary.writelines(line + "\n" for line in lines)
        summary.flush()
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--part", default="0/1", help="K/N: every N-th configuration from the K-th on")
    parser.add_argument("--assemble", action="store_true", help="needs ptxas")
    parser.add_argument("--only")
    parser.add_argument("--where", action="append", default=[], help="FACTOR=VALUE")
    parser.add_argument("--summary")
    parser.add_argument("--resume", action="store_true", help="add to the summary what it lacks")
    parser.add_argument("--target", default="a100")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", help="folder to leave the cases in")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    configs = itertools.chain.from_iterable(
        everything(factors) if options.full else covering(factors, random) for factors in (FORWARD, BACKWARD))
    first, step = map(int, options.part.split("/"))
    named = [("c%05d" % i, c) for i, c in enumerate(configs) if i % step == first and not (options.full and redundant(c))]
    # The whole product in the order of its 307 parts, each of which samples all factors.
    named = dict(sorted(named, key=lambda item: int(item[0][1:]) % 307) if options.full else named)
    for where in options.where:
        factor, value = where.split("=")
        named = {name: c for name, c in named.items() if str(c[factor]) == value}
    if options.only:
        named = {options.only: named[options.only]}
    if options.list:
        for name, config in named.items():
            print(name, config)
        return
    counts = run_all(named, options)
    print("%d of %d configurations agree with the oracle; the ledger of %d is not what was counted" % (
        counts.run - counts.wrong, counts.run, counts.off))
    sys.exit(1 if counts.wrong or counts.off else 0)


if __name__ == "__main__":
    main()
