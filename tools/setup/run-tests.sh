#!/bin/sh
# run-tests.sh BUILD: clang-format, lit, ctest and pytest on a finished build.
# clang-tidy takes minutes and is a target of its own (`ninja tidy`).
#
# Prints each one's own report, the output of what failed, and as its last line
# the sums: "N passed, N failed, N skipped". Exit code 1 if anything failed.
set -u
build=$(cd "$1" && pwd) || exit 2
source=$(cd "$(dirname "$0")/../.." && pwd)
results=$build/test-results
rm -rf "$results" && mkdir -p "$results" || exit 2
jobs=$(nproc 2>/dev/null || echo 2)

echo "== format"
"$source/tools/setup/format.sh" --check 2>&1
echo $? >"$results/format.rc"

echo "== lit"
# lit's own limit for a test needs psutil; one for all of them needs nothing, and
# the missing report of a run that was ended counts as a failure.
timeout 2400 "$build/bin/llvm-lit" -v -j "$jobs" -o "$results/lit.json" \
  "$source/test"

echo "== ctest"
ctest --test-dir "$build" --output-on-failure -j "$jobs" --timeout 900 \
  --no-tests=error --output-junit "$results/ctest.xml"

echo "== pytest"
"$source/tools/setup/python-package.sh" "$build"
case $? in
0) (cd "$source/test/python" && timeout 900 "$build/venv/bin/python3" -B -m pytest \
  -q -p no:cacheprovider -rs --junitxml="$results/pytest.xml" .) ;;
77) echo "skipped: the Python package" | tee "$results/pytest.skip" ;;
*) echo "the Python package was not installed" ;;
esac

echo
exec python3 "$source/tools/setup/sum_results.py" "$results"
