"""Every wait, barrier and bound of an emitted kernel is needed: without it the
emulator fails.

mutate.py IN.mlir [--args F.npz] [--target T] [--tiling T] [--atomics] [--limit N]

IN.mlir is compiled to PTX; then, one at a time, each `cp.async.wait`, each barrier,
each bound (the size of a zero-filling copy; the guard of a
predicated store or load; the branch around one) is taken out of the text, and
the kernel runs on the emulator on the same inputs. It must be at fault, or its
results must differ from those of the kernel as emitted (or from F.npz's), or it
must move more elements than it did (which is what lets one lane of several
store what all of them hold). Prints the lines that are not missed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

WAITS = re.compile(r"^\s*(cp\.async\.wait_(group|all)|bar\.sync|barrier\.sync|bar\.warp\.sync)\b")
COPY = re.compile(r"^(\s*)(@!?%p\d+\s+)?(cp\.async\.c[ag]\.shared\.global(?:\.\w+)*\s+\[[^\]]*\],\s*\[[^\]]*\],\s*(\d+)),\s*%r\d+\s*;")
GUARDED = re.compile(r"^(\s*)@!?%p\d+\s+((?:ld|st|red|atom|cp)\.\S.*)$")


def mutations(lines):
    """(kind, line number, the text without what it says)."""
    for i, line in enumerate(lines):
        if WAITS.match(line):
            yield "wait" if "wait" in line else "barrier", i, ""
        elif COPY.match(line):
            yield "bound", i, COPY.sub(r"\1\2\3;", line)
        elif GUARDED.match(line):
            yield "bound", i, GUARDED.sub(r"\1\2", line)
    yield from branches(lines)


def branches(lines):
    """A forward branch over a short piece that touches memory: a bound."""
    labels = {m.group(1): i for i, line in enumerate(lines) if (m := re.match(r"^(\$L\w+):", line))}
    for i, line in enumerate(lines):
        match = re.match(r"^\s*@!?%p\d+\s+bra(?:\.uni)?\s+(\$L\w+);", line)
        if not match or not i < labels.get(match.group(1), -1) <= i + 12:
            continue
        piece = lines[i + 1:labels[match.group(1)]]
        if any(re.match(r"\s*(st|ld|red|atom)\.(global|shared)", text) for text in piece):
            yield "bound", i, ""


def launch(ptx, manifest, args):
    command = ["attn-run", "--ptx=" + ptx, "--manifest=" + manifest, "--threads=1", "--json"] + args
    return subprocess.run(command, capture_output=True, text=True)


def moved(done):
    """Elements by operand, of a run that is not at fault."""
    return json.loads(done.stdout)["io"] if done.stdout.startswith("{") else None


def reference(folder, ptx, manifest, given):
    """Inputs (of F.npz, or seeded ones of the manifest's sizes) and what the kernel makes of them."""
    import numpy as np
    kinds = {"f16": np.float16, "f32": np.float32, "i1": np.bool_, "i32": np.int32}
    if given:
        arrays = dict(np.load(given))
    else:
        with open(manifest) as text:
            kernels = json.load(text)["kernels"]
        random, arrays = np.random.default_rng(1), {}
        for param in (p for kernel in kernels for p in kernel["params"]):
            source = param.get("source", "")
            if source.startswith("arg") and source not in arrays:
                arrays[source] = random.standard_normal(param["extents"]).astype(kinds[param["type"]])
    first, second = (os.path.join(folder, name) for name in ("in.npz", "all.npz"))
    np.savez(first, **arrays)
    out = os.path.join(folder, "out.npz")
    done = launch(ptx, manifest, ["--args=" + first, "--save=" + out])
    if done.returncode:
        sys.exit("the kernel as emitted fails: " + done.stderr)
    arrays.update(np.load(out), tol=1e-6)
    np.savez(second, **arrays)
    return second


def has_results(path):
    import numpy as np
    return path and "out0" in np.load(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("--args")
    parser.add_argument("--target", default="a100")
    parser.add_argument("--tiling", default="")
    parser.add_argument("--atomics", action="store_true")
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    args = ["--args=" + options.args] if options.args else []
    with tempfile.TemporaryDirectory(prefix="attn-mutate-") as folder:
        base = os.path.join(folder, "kernel.ptx")
        command = ["attn-compile", options.input, "--target=" + options.target, "--emit=ptx", "-o", base]
        if options.tiling:
            command.append("--tiling=" + options.tiling)
        if options.atomics:
            command.append("--atomics")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit("attn-compile failed: " + done.stderr)
        manifest = base + ".json"
        first = launch(base, manifest, args)
        if first.returncode:
            sys.exit("the kernel as emitted fails: " + first.stdout + first.stderr)
        elements = moved(first)
        if not has_results(options.args):
            args = ["--args=" + reference(folder, base, manifest, options.args)]
        with open(base) as text:
            lines = text.read().split("\n")
        todo = list(mutations(lines))[: options.limit]

        def missed(item):
            number, (kind, i, text) = item
            path = os.path.join(folder, "m%d.ptx" % number)
            with open(path, "w") as out:
                out.write("\n".join(lines[:i] + [text] + lines[i + 1:]))
            done = launch(path, manifest, args)
            os.unlink(path)
            code = done.returncode
            return code == 1 or (code == 0 and moved(done) != elements), code

        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(missed, enumerate(todo)))
    needed = {}
    for (kind, i, _), (seen, code) in zip(todo, results):
        total = needed.setdefault(kind, [0, 0])
        total[0] += seen
        total[1] += 1
        if not seen:
            print("not missed (exit %d): line %d: %s" % (code, i + 1, lines[i].strip()))
    for kind, (seen, total) in sorted(needed.items()):
        print("%s: %d of %d missed" % (kind, seen, total))
    ok = all(seen == total for seen, total in needed.values()) and needed
    print("every line is needed" if ok else "some lines are not needed on this input")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
