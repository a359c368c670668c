"""edit_table.py TABLE TILING: the table with TILING in every entry."""
import json
import sys

table = json.load(open(sys.argv[1]))
for entry in table["entries"]:
    entry["tiling"] = sys.argv[2]
print(json.dumps(table))
