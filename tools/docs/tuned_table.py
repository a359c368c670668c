#!/usr/bin/env python3
"""tuned_table.py [--check]: the table of tuned shapes in docs/Ledger.md, made of
docs/tuned.json, which holds what `attn-run --tune --json` printed for each of
them. --check writes nothing and fails where the page is not current.

    tuned_table.py --keep REPORT.json.. [--earlier REPORT.json..]
                                makes docs/tuned.json of such reports; --earlier:
                                of those whose kernels have changed since
"""
import json
import pathlib
import re
import statistics
import sys

docs = pathlib.Path(__file__).resolve().parents[2] / "docs"
HEADER = """| shape | candidates | best ms | best tile, registers | pick | above best % | worst / best | Spearman | noise % |
|---|---|---|---|---|---|---|---|---|
"""


def keep(paths):
    """The parts of the reports that the page and its picture need."""
    records, earlier = [], False
    for path in paths:
        if path == "--earlier":
            earlier = True
            continue
        records += [{**record, "earlier": earlier} for record in json.loads(pathlib.Path(path).read_text())["tune"]]
    for record in records:
        record["loc"] = pathlib.Path(record["loc"]).name.split(".mlir")[0]
        record["candidates"] = [{**c, "ms": round(c["ms"], 5), "predicted_ms": round(c["predicted_ms"], 5)} for c in record["candidates"]]
    lines = ",\n".join(json.dumps(record) for record in records)
    (docs / "tuned.json").write_text(f"[\n{lines}\n]\n")


def shape(record):
    """A problem's text in words."""
    words = dict(word.split("=", 1) for word in record["problem"].split() if "=" in word)
    group, rows = map(int, words["rows"].split("x"))
    kv_heads, keys, depth = int(words["batch"]), int(words["keys"]), int(words["depth"])
    heads = f"{kv_heads * group} over {kv_heads} heads" if group > 1 else f"{kv_heads} head{'s' * (kv_heads > 1)}"
    length = f"N {keys}" if rows == keys else f"{rows} {'query' if rows == 1 else 'queries'}, {keys} keys"
    mask = words.get("mask", "")
    kind = "" if not mask else ", causal window" if mask.count(">=") > 1 else ", causal"
    cores = re.search(r"(\d+) cores?$", record["machine"])[1]
    return f"{record['problem'].split()[1]}, {heads}, {length}, d {depth}{kind}" + ("" if cores == "1" else f", {cores} cores")


def tile(text):
    """A tiling's text as rows x keys, registers, and what is not the usual."""
    rows, keys, order, splits, mr, nr = re.match(r"query_block=(\S+?),key_block=(\d+),order=(\w+),key_splits=(\d+),kernel=#attn.cpu<mr=(\d+),nr=(\d+)>", text).groups()
    sizes = [size for size in rows.strip("[]").split(",") if size != "1"] or ["1"]
    return f"{'·'.join(sizes)}x{keys}, {mr}x{nr}" + (f", {splits} parts" if splits != "1" else "") + (" kv_outer" if order == "kv_outer" else "")


def table(records):
    rows = ""
    for record in records:
        loss = 100 * record["loss"]
        cells = [shape(record), len(record["candidates"]), f"{record['best_ms']:.3g}", tile(record["best"]), tile(record["pick"]), f"{loss:.1f}", f"{record['worst_over_best']:.1f}"]
        rows += "| " + " | ".join(map(str, cells + [f"{record['spearman']:.2f}", f"{100 * record['noise']:.1f}"])) + " |\n"
    losses = [100 * record["loss"] for record in records]
    least = min(record["spearman"] for record in records)
    within = sum(loss <= 5 for loss in losses)
    rows += f"\nThe median pick is {statistics.median(losses):.1f} % above the best of its grid, {within} of {len(losses)} within 5 %; the least correlation is {least:.2f}.\n"
    return HEADER + rows


def main():
    if sys.argv[1:2] == ["--keep"]:
        keep(sys.argv[2:])
    page = docs / "Ledger.md"
    old = page.read_text(encoding="utf-8")
    begin, end = "<!-- tuned_table.py -->\n", "<!-- end -->\n"
    head, _, rest = old.partition(begin)
    _, _, tail = rest.partition(end)
    records = json.loads((docs / "tuned.json").read_text())
    present = [record for record in records if not record["earlier"]]
    earlier = [record for record in records if record["earlier"]]
    new = head + begin + table(present)
    if earlier:
        new += "\nOf earlier kernels, by the model of that day:\n\n" + table(earlier)
    new += end + tail
    if sys.argv[1:2] != ["--check"]:
        page.write_text(new, encoding="utf-8")
    elif new != old:
        sys.exit("tuned_table.py: expected the table of docs/Ledger.md to be that of docs/tuned.json; run tools/docs/tuned_table.py")


main()
