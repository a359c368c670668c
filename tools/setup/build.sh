#!/bin/sh
# build.sh BUILD TARGET...: configures the release preset and builds TARGETs.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
shift
mkdir -p "$build"

# Each compilation of MLIR's headers needs up to 1.5 GB.
jobs=$(nproc)
memory_jobs=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
[ "${memory_jobs:-$jobs}" -ge "$jobs" ] || jobs=$memory_jobs
[ "$jobs" -ge 1 ] || jobs=1

cmake -S "$source" -B "$build" --preset release >"$build/configure.log" 2>&1 || {
  cat "$build/configure.log"
  exit 1
}
exec ninja -C "$build" -j "$jobs" "$@"
