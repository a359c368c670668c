#!/bin/sh
# python-package.sh BUILD: installs the Python package `attn` with the compiler
# that was built in BUILD into BUILD/venv, unless what is there is up to date.
#
# Exit code 77, with the reason, where this machine cannot build it.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
venv=$build/venv
stamp=$venv/attn-installed
log=$build/python-package.log

skip() {
  echo "python-package.sh: $1"
  exit 77
}

[ -x "$venv/bin/python3" ] || skip "no $venv; tools/setup/setup.sh makes it"
"$venv/bin/python3" -c 'import nanobind, scikit_build_core, pytest' 2>/dev/null ||
  skip "nanobind, scikit-build-core or pytest is missing in $venv"
headers=$("$venv/bin/python3" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
[ -f "$headers/Python.h" ] || skip "no Python.h in $headers: install python3-dev"

changed() {
  [ -e "$stamp" ] || return 0
  find -L "$source/python" "$source/pyproject.toml" "$source/include/attn-c" \
    "$build/lib/libAttnMLIR.so.0" "$build/bin/attn-compile" \
    "$build/bin/attn-ledger" "$build/bin/attn-run" \
    -type f -newer "$stamp" | grep -q .
}
changed || exit 0

"$venv/bin/python3" -m pip install -q --no-input --disable-pip-version-check \
  --no-deps --no-build-isolation --force-reinstall \
  --config-settings=cmake.define.ATTN_BUILD_DIR="$build" \
  --config-settings=cmake.define.ATTN_UPDATE_COMPILER=OFF \
  --config-settings=build-dir="$build/python/{cache_tag}" "$source" >"$log" 2>&1 || {
  tail -n 30 "$log"
  exit 1
}
touch "$stamp"
