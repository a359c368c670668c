#!/bin/sh
# format.sh [--check]: clang-format 22 on every C++ file of the project.
#
# --check changes nothing: it names the lines that would change and fails.
set -eu
cd "$(dirname "$0")/../.."
format=${CLANG_FORMAT:-clang-format-22}
command -v "$format" >/dev/null || {
  echo "format.sh: expected $format in PATH; tools/setup/setup.sh installs it" >&2
  exit 2
}
mode=-i
[ "${1:-}" != --check ] || mode='--dry-run --Werror'
# shellcheck disable=SC2086
find include lib tools test \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 "$format" $mode
