#!/usr/bin/env python3
"""sum_results.py DIR: adds up what run-tests.sh left in DIR.

Reads lit.json, ctest.xml, pytest.xml and format.rc; a missing or empty report
counts as a failure, so that a runner that never started cannot look like success.
Where pytest.skip lies in the place of pytest.xml, a test counts as skipped.
"""
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

LIT_PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_counts(path):
    with open(path) as report:
        codes = [test["code"] for test in json.load(report)["tests"]]
    passed = sum(code in LIT_PASSED for code in codes)
    skipped = sum(code in LIT_SKIPPED for code in codes)
    return passed, len(codes) - passed - skipped, skipped


def ctest_counts(path):
    suite = ElementTree.parse(path).getroot()
    total = int(suite.get("tests"))
    failed = int(suite.get("failures"))
    skipped = int(suite.get("skipped", 0)) + int(suite.get("disabled", 0))
    return total - failed - skipped, failed, skipped


def pytest_counts(path):
    if os.path.exists(path[:-len("xml")] + "skip"):
        return 0, 0, 1
    suite = ElementTree.parse(path).getroot().find("testsuite")
    total, skipped = int(suite.get("tests")), int(suite.get("skipped"))
    failed = int(suite.get("failures")) + int(suite.get("errors"))
    return total - failed - skipped, failed, skipped


def exit_code_counts(path):
    with open(path) as report:
        good = report.read().strip() == "0"
    return int(good), int(not good), 0


def main():
    sums = [0, 0, 0]
    for name, count in (("lit.json", lit_counts), ("ctest.xml", ctest_counts),
                        ("pytest.xml", pytest_counts),
                        ("format.rc", exit_code_counts)):
        try:
            counts = count(os.path.join(sys.argv[1], name))
            if not sum(counts):
                raise ValueError("no test was run")
        except (OSError, ValueError, KeyError, TypeError,
                AttributeError, ElementTree.ParseError) as error:
            print(f"error: expected results in {name}: {error}")
            counts = (0, 1, 0)
        sums = [a + b for a, b in zip(sums, counts)]
    print("%d passed, %d failed, %d skipped" % tuple(sums))
    return 1 if sums[1] else 0


if __name__ == "__main__":
    sys.exit(main())
