#!/bin/sh
# check.sh: installs what is missing, builds everything and runs all tests.
# The last line is "N passed, N failed, N skipped"; exit code 1 if any failed.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$source/build

"$source/tools/setup/setup.sh" "$build"
"$source/tools/setup/build.sh" "$build" all
exec "$source/tools/setup/run-tests.sh" "$build"
