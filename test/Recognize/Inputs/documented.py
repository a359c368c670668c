"""Compares docs/Recognition.md with the tables of lib/Recognize/Obligations.cpp."""
import os
import re
import sys

root = sys.argv[1]
code = open(os.path.join(root, "lib/Recognize/Obligations.cpp")).read()
page = open(os.path.join(root, "docs/Recognition.md")).read()
first, second = code.split("assumptionTable[]", 1)
failures = []
for letter, text in (("O", first), ("G", first), ("A", second)):
    entries = re.findall(r'\{"%s(\d+)", "([a-z0-9-]+)",' % letter, text)
    assert entries, "no entries found in Obligations.cpp"
    rows = re.findall(r"^\| %s(\d+) \| ([a-z0-9-]+) \|" % letter, page, re.M)
    if rows != entries:
        failures.append("expected %s, got %s" % (entries, rows))
for name in re.findall(r"^\| [OG]\d+ .*\| (\w+) \|$", page, re.M):
    if not os.path.exists(os.path.join(root, "test/Recognize", name + ".mlir")):
        failures.append("expected test/Recognize/%s.mlir to exist" % name)
for failure in failures:
    print(failure)
sys.exit(bool(failures))
