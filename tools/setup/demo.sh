#!/bin/sh
# demo.sh: from a fresh clone to the main job. Installs what is missing, builds
# attn-run, and runs a model exporter's file: causal attention as torch-mlir
# writes it is recognised, tiled, compiled, run, and checked and timed against
# its own unfused self.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$source/build
case=$source/test/cases/t_causal_tril_fill

"$source/tools/setup/setup.sh" "$build"
"$source/tools/setup/build.sh" "$build" attn-run
set -- "$case.mlir" --args="$case.npz" --check --time=5
echo "\$ build/bin/attn-run $*" | sed "s|$source/||g"
exec "$build/bin/attn-run" "$@"
