#!/usr/bin/env python3
"""sass_loops.py FILE.cubin [--json] [--nvdisasm=F]: what a kernel's main loops issue.

Counts the machine instructions of each innermost loop that holds matrix
products, by class, along the shortest way through it: of the ways with the most
products, the one with the fewest instructions. That is the way of a key block
that nothing masks, where no row maximum moved. Products are counted in units of
m16n8k16, `overhead` is the other instructions per product.

nvdisasm comes with the CUDA toolkit and with PyPI's nvidia-cuda-nvdisasm; it is
looked for in NVDISASM, PATH, CUDA_HOME and the running Python's packages.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys

PRODUCTS = {"HMMA.16816": 1.0, "HMMA.1688": 0.5, "HMMA.1684": 0.25}
CLASSES = {
    "LDSM": "ldmatrix", "LDS": "shared_load", "STS": "shared_store", "LDG": "global_load",
    "STG": "global_store", "LDGSTS": "async_copy", "LDL": "spill", "STL": "spill", "SHFL": "shuffle",
    "BAR": "barrier", "LDGDEPBAR": "barrier", "DEPBAR": "barrier", "ERRBAR": "barrier", "MEMBAR": "barrier",
    "FADD": "float_add", "FMUL": "float_mul", "FFMA": "float_fma", "FMNMX": "float_max", "FSETP": "float_compare",
    "FSEL": "float_select", "F2F": "convert", "F2FP": "convert", "I2F": "convert", "F2I": "convert", "MOV": "move",
    "SEL": "move", "PRMT": "move", "BRA": "branch", "EXIT": "branch", "BSSY": "branch", "BSYNC": "branch",
    "WARPSYNC": "branch", "CALL": "branch", "RET": "branch", "VOTE": "vote", "NOP": "nop",
}


def find_nvdisasm(named):
    tried = [named, os.environ.get("NVDISASM"), shutil.which("nvdisasm")]
    for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if name in os.environ:
            tried.append(os.path.join(os.environ[name], "bin", "nvdisasm"))
    tried.append("/usr/local/cuda/bin/nvdisasm")
    for folder in sys.path:
        tried += glob.glob(os.path.join(folder, "nvidia", "*", "bin", "nvdisasm"))
    for path in tried:
        if path and os.access(path, os.X_OK):
            return path
    sys.exit("error: expected nvdisasm in NVDISASM, PATH or CUDA_HOME, found none; "
             "PyPI's nvidia-cuda-nvdisasm has it")


Instruction = collections.namedtuple("Instruction", "address text")


def disassemble(nvdisasm, cubin):
    """{kernel: (instructions, {label: index of the instruction after it})}"""
    run = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True)
    if run.returncode:
        sys.exit("error: nvdisasm failed on %s: %s" % (cubin, run.stderr.strip()))
    kernels, current = {}, None
    for line in run.stdout.splitlines():
        section = re.match(r"\s*\.section\s+\.text\.(\S+?),", line)
        if section:
            current = kernels.setdefault(section.group(1), ([], {}))
        elif re.match(r"\s*\.section\s", line):
            current = None
        elif current is not None:
            label = re.match(r"(\.L_\w+):", line)
            code = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line)
            if label:
                current[1][label.group(1)] = len(current[0])
            elif code:
                current[0].append(Instruction(int(code.group(1), 16), code.group(2)))
    return kernels


def opcode(text):
    return re.sub(r"^(\{\s*)?(@!?U?P\w+\s+)?", "", text).split()[0]


def products(op):
    return next((unit for prefix, unit in PRODUCTS.items() if op.startswith(prefix)), 0.0)


def classify(op):
    base = op.split(".")[0]
    if base == "MUFU":
        return "exponential" if "EX2" in op else "special"
    if base == "IMAD" and ".MOV" in op:
        return "move"
    if products(op):
        return "mma"
    return CLASSES.get(base, "uniform" if base.startswith("U") else "integer")


class Flow:
    """Basic blocks of a kernel, their successors and its natural loops."""

    def __init__(self, code, labels):
        self.code = code
        jumps = self._jumps(labels)
        leaders = sorted({0, *(i for i in labels.values() if i < len(code)),
                          *(i + 1 for i in jumps if i + 1 < len(code))})
        number = {first: k for k, first in enumerate(leaders)}
        ends = leaders[1:] + [len(code)]
        self.blocks = [range(a, b) for a, b in zip(leaders, ends)]
        self.next = []
        for block in self.blocks:
            targets = jumps.get(block[-1], [block[-1] + 1])
            self.next.append([number[t] for t in targets if t in number])

    def _jumps(self, labels):
        jumps = {}
        for i, (_, text) in enumerate(self.code):
            base = opcode(text).split(".")[0]
            guarded = text.startswith("@")
            target = re.search(r"`\((\.L_\w+)\)", text)
            if base == "BRA" and target and target.group(1) in labels:
                conditional = guarded or re.search(r"\bBRA(\.\w+)*\s+!?U?P[0-6]", text)
                jumps[i] = [labels[target.group(1)]] + ([i + 1] if conditional else [])
            elif base in ("EXIT", "RET", "BRX", "JMX"):
                jumps[i] = [i + 1] if guarded else []
        return jumps

    def dominators(self):
        """Block -> the set of blocks that dominate it."""
        before = collections.defaultdict(list)
        for block, targets in enumerate(self.next):
            for target in targets:
                before[target].append(block)
        everything = set(range(len(self.blocks)))
        dominators = [{0}] + [everything] * (len(self.blocks) - 1)
        changed = True
        while changed:
            changed = False
            for block in range(1, len(self.blocks)):
                sets = [dominators[p] for p in before[block]]
                new = set.intersection(*sets) | {block} if sets else {block}
                if new != dominators[block]:
                    dominators[block], changed = new, True
        return dominators, before

    def loops(self):
        """Header -> the blocks of its natural loop."""
        dominators, before = self.dominators()
        loops = {}
        for block, targets in enumerate(self.next):
            for header in targets:
                if header not in dominators[block]:
                    continue
                body, todo = loops.setdefault(header, {header}), [block]
                while todo:
                    b = todo.pop()
                    if b not in body:
                        body.add(b)
                        todo += before[b]
        return loops

    def shortest(self, header, body):
        """Blocks of the way round with the most products, then fewest instructions."""
        best = {}

        def cost(block):
            ops = [opcode(self.code[i].text) for i in self.blocks[block]]
            return (-sum(map(products, ops)), len(ops))

        def walk(block, onward):
            if block in best:
                return best[block]
            best[block] = None  # a cycle that is no way round
            ways = []
            for target in self.next[block]:
                if target == header:
                    ways.append(((0.0, 0), []))
                elif target in body and target not in onward:
                    way = walk(target, onward | {block})
                    if way:
                        ways.append(way)
            if ways:
                rest, path = min(ways)
                own = cost(block)
                best[block] = ((own[0] + rest[0], own[1] + rest[1]), [block] + path)
            return best[block]

        sys.setrecursionlimit(10000)
        return walk(header, frozenset())[1]


def describe(flow, blocks):
    counts, units, instructions = collections.Counter(), 0.0, 0
    for block in blocks:
        for i in flow.blocks[block]:
            op = opcode(flow.code[i].text)
            counts[classify(op)] += 1
            units += products(op)
            instructions += 1
    return {"instructions": instructions, "products": units,
            "overhead": round((instructions - counts["mma"]) / units, 3),
            "ldmatrix_per_product": round(counts["ldmatrix"] / units, 3),
            "classes": dict(counts.most_common())}


def analyse(nvdisasm, cubin):
    kernels = []
    for name, (code, labels) in disassemble(nvdisasm, cubin).items():
        flow = Flow(code, labels)
        holds = {header: body for header, body in flow.loops().items()
                 if any(products(opcode(code[i].text)) for b in body for i in flow.blocks[b])}
        loops = []
        for header, body in sorted(holds.items()):
            if any(other < body for other in holds.values()):
                continue
            entry = describe(flow, flow.shortest(header, body))
            entry["address"] = code[flow.blocks[header][0]].address
            entry["instructions_in_all"] = sum(len(flow.blocks[b]) for b in body)
            loops.append(entry)
        kernels.append({"name": name, "instructions": len(code), "loops": loops})
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cubin")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--nvdisasm")
    options = parser.parse_args()
    kernels = analyse(find_nvdisasm(options.nvdisasm), options.cubin)
    if options.json:
        print(json.dumps({"kernels": kernels}, indent=2))
        return
    for kernel in kernels:
        print("%s: %d instructions" % (kernel["name"], kernel["instructions"]))
        for loop in kernel["loops"]:
            print("  loop at %#x: %d instructions (%d in all), %g products, %.2f others a product, %.2f ldmatrix" % (
                loop["address"], loop["instructions"], loop["instructions_in_all"], loop["products"],
                loop["overhead"], loop["ldmatrix_per_product"]))
            print("    " + ", ".join("%s %d" % item for item in loop["classes"].items()))


if __name__ == "__main__":
    main()
