#!/bin/sh
# tidy.sh BUILD [--all | FILE...]: clang-tidy 22 on C++ sources of the project.
#
# Without files: those that differ from the last commit's parent or, on a branch,
# from where it left origin's. A source is looked at together with the project's
# headers that it includes; sources the build does not know are left out.
set -eu
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/../.."
command -v run-clang-tidy-22 >/dev/null || {
  echo "tidy.sh: expected run-clang-tidy-22 in PATH; tools/setup/setup.sh installs it" >&2
  exit 2
}

if [ "${1:-}" = --all ]; then
  files='(lib|tools|test)/.*\.cpp$'
elif [ $# -gt 0 ]; then
  files=$*
elif ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  echo "tidy.sh: no git history to tell what changed; --all looks at everything"
  exit 0
else
  base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git rev-parse HEAD)
  [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse -q --verify HEAD~1 || echo "$base")
  files=$(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
fi
[ -n "$files" ] || exit 0
# shellcheck disable=SC2086
run-clang-tidy-22 -p "$build" -quiet -j "$(nproc)" $files >"$build/tidy.txt" 2>&1 || {
  grep -vE '^(\[ *[0-9]+/|Running clang-tidy|[0-9]+ warning|$)' "$build/tidy.txt"
  exit 1
}
