"""summarise.py F.tsv... [--large]: the summaries that matrix.py wrote, as one table.

By direction, dtype and head dim: configurations run, those that are right (agree
with the oracle, and a forward neither spills nor has bank conflicts in its main
loops), those whose counted elements are the ledger's, most registers of a thread
and bytes of shared memory, configurations with spills and with conflicts. Then
every configuration that is not right or not as the ledger says. --large: instead,
what --assemble found at a large size, registers and the range of what main loops
issue.
"""
import csv
import sys


def number(text):
    return int(text) if text else 0


def spread(rows, column):
    values = [float(r[column]) for r in rows if r[column]]
    return "%.2f – %.2f" % (min(values), max(values)) if values else "—"


def print_large(groups):
    print("| direction | dtype | head dim | configurations | registers | shared bytes | registers, large | others per product |"
          " `ldmatrix` per product |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (_, *key), found in sorted(groups.items()):
        most = [max(number(r[c]) for r in found) for c in ("registers", "shared_bytes", "large_registers")]
        loops = [spread(found, c) for c in ("others_per_product", "ldmatrix_per_product")]
        print("| " + " | ".join(map(str, key + [len(found)] + most + loops)) + " |")


def main():
    rows = []
    for name in sys.argv[1:]:
        if name == "--large":
            continue
        with open(name) as text:
            rows += list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))
    groups = {}
    for row in rows:
        factors = dict(item.split("=") for item in row["configuration"].split(" "))
        key = (factors["direction"] != "fwd", factors["direction"], factors["dtype"], int(factors["head"]))
        groups.setdefault(key, []).append(row)
    if "--large" in sys.argv:
        return print_large(groups)
    print("| direction | dtype | head dim | configurations | right | as the ledger says | registers | shared bytes | spill |"
          " have conflicts |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (_, *key), found in sorted(groups.items()):
        counts = [len(found), sum(r["result"] == "right" for r in found), sum(not r["ledger"] for r in found),
                  max(number(r["registers"]) for r in found), max(number(r["shared_bytes"]) for r in found),
                  sum(number(r["spilled"]) > 0 for r in found), sum(number(r["conflicts"]) > 0 for r in found)]
        print("| " + " | ".join(map(str, key + counts)) + " |")
    print("\n%d configurations, %d right, %d as the ledger says" % (
        len(rows), sum(r["result"] == "right" for r in rows), sum(not r["ledger"] for r in rows)))
    for row in rows:
        if row["result"] != "right" or row["ledger"]:
            print("- %s: %s%s" % (row["configuration"], row["result"], "; ledger: " + row["ledger"] if row["ledger"] else ""))


if __name__ == "__main__":
    main()
