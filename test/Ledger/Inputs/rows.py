"""Prints fields of each entry of "rows" of a JSON report, one line per entry.

rows.py FIELD.. < report.json, fields as paths: baseline.elements. Floats are
printed with one digit after the point."""
import json
import sys

for row in json.load(sys.stdin)["rows"]:
    cells = []
    for path in sys.argv[1:]:
        value = row
        for key in path.split("."):
            value = value[key]
        cells.append(f"{value:.1f}" if isinstance(value, float) else str(value))
    print(*cells)
