"""Draws attentions and near-misses, executes them unfused and fused, compares.

usage: generate.py --attn-opt PATH [--llvm DIR] [--count N] [--seed S] [--first I]
                   [--work DIR] [--roads decomposed,compiled] [--verbose]
                   [--limit SECONDS] [--show I]

A draw is (seed, number): --seed S --first I --count 1 repeats it, --show I prints
its text. Expected results come from numpy and, independently, from the text lowered
by upstream passes; where these two differ the generator itself is wrong. The text
after attn-recognize is executed on the roads (see execute.py) and compared with
both. A failure is shrunk, and its smallest text is left in the work directory.
"""
import argparse
import collections
import os
import random
import sys
import tempfile
import time

import execute
import shrink
from draws import Draw


# Forms that upstream passes make of the text.
BEFORE = [
    "canonicalize,cse,",
    "func.func(linalg-fuse-elementwise-ops),canonicalize,cse,",
    "func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops,"
    "linalg-fold-unit-extent-dims),canonicalize,cse,",
    "func.func(linalg-specialize-generic-ops),canonicalize,cse,",
    "func.func(convert-elementwise-to-linalg,linalg-generalize-named-ops),",
]


def write_module(path, draws):
    with open(path, "w") as file:
        file.write("module {\n" + "".join(d.text for d in draws) + "}\n")


class Runner:
    def __init__(self, options):
        self.options = options
        self.tools = execute.Tools(options.attn_opt, options.llvm)
        self.files = 0
        self.upstream = 0
        self.crashed = 0

    def settings(self, number):
        """Block sizes, and what upstream makes of the text before it is read."""
        rng = random.Random(number)
        blocks = rng.choice([1, 2, 4, 5, 64]), rng.choice([1, 3, 4, 8, 64])
        before = rng.choice(["", "", *BEFORE])
        return blocks, before if self.options.before is None else self.options.before

    def check(self, draws, roads, plain=False):
        """For each draw the failures [(road, what)], and the remarks on it."""
        self.files += 1
        path = os.path.join(self.options.work, f"draws{self.files}.mlir")
        write_module(path, draws)
        failures = [[] for _ in draws]
        remarks = [[] for _ in draws]
        unfused = None
        blocks, before = self.settings(draws[0].number // self.options.batch)
        if plain:
            before = ""
        for road in roads:
            ahead = "" if road == "reference" else before
            library, said, error = self.tools.lower(path, road, blocks, ahead)
            if error:
                if (len(draws) == 1 and "failed (-" in error and
                        self.tools.upstream_crashes(path, road, blocks, ahead)):
                    self.crashed += 1  # the other roads and numpy are left
                    continue
                if len(draws) > 1:  # find the draw by halving
                    self.clean(path)
                    half = len(draws) // 2
                    return (self.check(draws[:half], roads, plain) +
                            self.check(draws[half:], roads, plain))
                failures[0].append((road, error))
                continue
            results = execute.run(library, draws)
            found = execute.remarks(said)
            for i, (draw, got) in enumerate(zip(draws, results)):
                wrong = "crashed" if got is None else draw.differs(got, draw.wanted)
                if not wrong and unfused and unfused[i]:
                    wrong = draw.differs(got, unfused[i])
                if wrong:
                    failures[i].append((road, wrong))
                if road == "decomposed":
                    remarks[i] = found.get(draw.name, [])
            if road == "reference":
                unfused = results
        if before and any(failures):
            self.excuse(path, draws, roads, before, failures, remarks)
        self.clean(path)
        return list(zip(failures, remarks))

    def excuse(self, path, draws, roads, before, failures, remarks):
        """Where the upstream passes ahead of ours fail or change a result by
        themselves, what counts is the draw without them."""
        for i, draw in enumerate(draws):
            if not failures[i]:
                continue
            write_module(path, [draw])
            library, _, error = self.tools.lower(path, "reference", before=before)
            got = None if error else execute.run(library, [draw])[0]
            if got is None or draw.differs(got, draw.wanted):
                self.upstream += 1
                (failures[i], remarks[i]), = self.check([draw], roads, plain=True)

    def clean(self, path):
        stem = os.path.splitext(path)[0]
        for name in os.listdir(self.options.work):
            if os.path.join(self.options.work, name).startswith(stem + "."):
                os.remove(os.path.join(self.options.work, name))

    def shrunk(self, draw, failure):
        road, what = failure
        roads = [road] if road == "reference" else ["reference", road]
        kind = what.split(":")[0]

        def fails(replay):
            try:
                smaller = Draw(draw.seed, draw.number, replay)
            except Exception:
                return False
            (found, _), = self.check([smaller], roads)
            return any(r == road and w.split(":")[0] == kind for r, w in found) and (
                road == "reference" or not any(r == "reference" for r, _ in found))

        least = shrink.shrink(draw.choices.taken, fails, self.options.shrink)
        small = Draw(draw.seed, draw.number, least)
        path = os.path.join(self.options.work,
                            f"failure-{draw.seed}-{draw.number}-{road}.mlir")
        with open(path, "w") as file:
            file.write(f"// seed {draw.seed} draw {draw.number} on the road {road}: "
                       f"{what}\n")
            for name in sorted(least):
                file.write(f"//   {name} = {small.choices.values.get(name)}\n")
            file.write("module {\n" + small.text + "}\n")
        return path


class Totals:
    def __init__(self):
        self.counts = collections.Counter()
        self.declined = collections.Counter()
        self.examples = collections.defaultdict(list)
        self.twists = collections.defaultdict(collections.Counter)

    def add(self, draw, remarks):
        passed = sum(kind == "Passed" for kind, _ in remarks)
        if draw.problem.twist:
            self.counts["near-misses"] += 1
            self.counts["near-misses fused"] += passed > 0
            self.twists[draw.problem.twist]["fused" if passed else "declined"] += 1
            return
        if draw.problem.optional:
            self.counts["optional"] += 1
            self.counts["optional fused"] += passed > 0
            return
        self.counts["positives"] += 1
        self.counts["positives fused"] += passed > 0
        if not passed:
            reasons = [text for kind, text in remarks] or ["no remark"]
            reason = reasons[-1].split('"')[1] if '"' in reasons[-1] else reasons[-1]
            self.declined[reason] += 1
            self.examples[reason].append(draw.number)

    def print(self, verbose):
        c = self.counts
        def share(name):
            total, fused = c[name], c[name + " fused"]
            percent = f" ({100.0 * fused / total:.1f} %)" if total else ""
            return f"{name} {total}, fused {fused}{percent}"
        print(share("positives"))
        print(share("optional"))
        print(share("near-misses"))
        for reason, count in self.declined.most_common():
            print(f"declined {count}: {reason} (draws "
                  f"{', '.join(map(str, self.examples[reason][:6]))})")
        if verbose:
            for twist, count in sorted(self.twists.items()):
                print(f"near-miss {twist}: " + ", ".join(
                    f"{n} {what}" for what, n in sorted(count.items())))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--attn-opt", default="attn-opt")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--limit", type=float, help="seconds after which no more is "
                        "drawn")
    parser.add_argument("--shrink", type=int, default=80, help="tries per failure")
    parser.add_argument("--roads", default="decomposed,compiled")
    parser.add_argument("--before", help="passes ahead of attn-recognize, each with "
                        "a comma after it (default: several, by batch)")
    parser.add_argument("--work")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        draw = Draw(options.seed, options.show)
        print("module {\n" + draw.text + "}")
        for name, number in draw.choices.taken.items():
            if number:
                print(f"//   {name} = {draw.choices.values[name]}")
        return 0
    options.work = options.work or tempfile.mkdtemp(prefix="generator")
    os.makedirs(options.work, exist_ok=True)
    start = time.monotonic()
    roads = ["reference"] + options.roads.split(",")
    runner, totals, mismatches = Runner(options), Totals(), 0
    end, done = options.first + options.count, 0
    for first in range(options.first, end, options.batch):
        if options.limit and time.monotonic() > options.limit + start:
            break
        draws = [Draw(options.seed, n)
                 for n in range(first, min(first + options.batch, end))]
        done += len(draws)
        for draw, (failures, remarks) in zip(draws, runner.check(draws, roads)):
            totals.add(draw, remarks)
            if failures:
                mismatches += 1
                road, what = failures[0]
                print(f"draw {draw.number} (twist {draw.problem.twist}), {road}: {what}",
                      flush=True)
                for _, text in remarks:
                    print(f"  remark: {text}")
                if options.shrink:
                    print(f"  smallest: {runner.shrunk(draw, failures[0])}", flush=True)
        if options.verbose:
            c = totals.counts
            print(f"... {done} draws, {mismatches} mismatches, {c['positives fused']} "
                  f"of {c['positives']} positives fused", file=sys.stderr, flush=True)
    print(f"draws {done}, mismatches {mismatches}")
    if runner.upstream:
        print(f"changed or refused by upstream passes alone: {runner.upstream}")
    if runner.crashed:
        print(f"roads that upstream's lowering crashed on, so compared without: "
              f"{runner.crashed}")
    totals.print(options.verbose)
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
