#!/bin/sh
# setup.sh [BUILD]: installs what attn-mlir needs and the machine lacks.
#
# Debian packages by apt (as root, or by sudo), Python packages into BUILD/venv
# (default: build/venv). Says nothing and takes well under a second when there
# is nothing to do. Its log is BUILD/setup.log.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build}
mkdir -p "$build"
build=$(cd "$build" && pwd)
log=$build/setup.log

# numpy is for the tests and the documents. The tests of what the others are for
# are skipped without them: the Python package, and the pictures of the ledger.
# ptxas and nvdisasm are added below.
python_packages="numpy>=1.24"
picture_packages="matplotlib>=3.8"
package_packages="scikit-build-core>=0.10 nanobind>=2.4 pytest ml_dtypes mypy"
ptxas_package="nvidia-cuda-nvcc>=13.0,<14"
nvdisasm_package="nvidia-cuda-nvdisasm>=13.0,<14"
packages="
  ca-certificates ccache clang-22 clang-format-22 clang-tidy-22 cmake git
  libgtest-dev libmlir-22-dev libomp-22-dev lld-22 llvm-22-dev llvm-22-tools
  mlir-22-tools ninja-build python3 python3-dev python3-venv zlib1g-dev"

say() { echo "setup: $*"; }
fail() {
  say "$1" >&2
  shift
  for line in "$@"; do echo "  $line" >&2; done
  exit 1
}
run() {
  echo "\$ $*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null
}

missing_packages() {
  # Virtual or removed packages have no "ok installed" line, so they count.
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${Status} ${Package}\n' $packages 2>/dev/null |
    sed -n 's/^.* ok installed //p') || true
  for package in $packages; do
    case "
$installed
" in *"
$package
"*) ;; *) echo "$package" ;; esac
  done
}

install_packages() {
  : >"$log"
  if [ "$(id -u)" = 0 ]; then
    root="env DEBIAN_FRONTEND=noninteractive"
  elif command -v sudo >/dev/null; then
    root="sudo env DEBIAN_FRONTEND=noninteractive"
  else
    fail "expected root or sudo to install:" "$*"
  fi
  say "installing $(echo "$@" | tr '\n' ' ')"
  run $root apt-get -q update || say "apt-get update failed (see $log); going on"
  for package in "$@"; do
    if ! apt-cache show "$package" >/dev/null 2>&1; then
      no_package "$package"
    fi
  done
  run $root apt-get -q -y --no-install-recommends install "$@" || {
    tail -n 20 "$log" >&2
    fail "apt-get install failed; the whole log is $log"
  }
}

no_package() {
  name=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
  case $1 in
  *22*)
    fail "expected LLVM 22 among this distribution's packages, found no '$1'." \
      "On Debian 12 it comes with security updates; /etc/apt/sources.list needs" \
      "  deb http://deb.debian.org/debian-security bookworm-security main" \
      "Elsewhere add LLVM's own packages (https://apt.llvm.org):" \
      "  deb http://apt.llvm.org/${name:-CODENAME}/ llvm-toolchain-${name:-CODENAME}-22 main" \
      "Then run this again."
    ;;
  *)
    fail "expected a package '$1', found none." \
      "On Ubuntu it may lie in 'universe': add-apt-repository universe"
    ;;
  esac
}

make_venv() {
  venv=$build/venv
  wanted="$python_packages $package_packages $picture_packages"
  have_cuda_tool ptxas || wanted="$wanted $ptxas_package"
  have_cuda_tool nvdisasm || wanted="$wanted $nvdisasm_package"
  if [ -x "$venv/bin/python3" ] &&
    [ "$(cat "$venv/installed" 2>/dev/null)" = "$wanted" ]; then
    return
  fi
  say "making $venv with $wanted"
  python=/usr/bin/python3
  [ -x $python ] || python=python3
  run "$python" -m venv --clear "$venv" ||
    fail "'$python -m venv $venv' failed; the log is $log"
  # shellcheck disable=SC2086
  run "$venv/bin/pip" install -q --no-input $python_packages || {
    tail -n 5 "$log" >&2
    fail "pip install $python_packages failed; the log is $log"
  }
  # shellcheck disable=SC2086
  run "$venv/bin/pip" install -q --no-input $package_packages ||
    say "no $package_packages: tests of the Python package will be skipped"
  # shellcheck disable=SC2086
  run "$venv/bin/pip" install -q --no-input $picture_packages ||
    say "no $picture_packages: tests of pictures will be skipped"
  add_cuda_tool ptxas "$ptxas_package" "assemble PTX"
  add_cuda_tool nvdisasm "$nvdisasm_package" "read machine code"
  echo "$wanted" >"$venv/installed"
}

# A tool of a CUDA toolkit, where the tests and tools would find it.
have_cuda_tool() {
  command -v "$1" >/dev/null || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/$1" ]
}

# add_cuda_tool TOOL PACKAGE WHAT-TESTS-DO
add_cuda_tool() {
  have_cuda_tool "$1" && return
  if run "$venv/bin/pip" install -q --no-input "$2" && link_cuda_tool "$1"; then
    say "$1: $venv/bin/$1"
  else
    say "no $1 on this machine: tests that $3 will be skipped"
  fi
}

link_cuda_tool() {
  found=$(find "$venv/lib" -path "*/bin/$1" | head -n 1)
  [ -n "$found" ] && chmod +x "$found" && ln -sf "$found" "$venv/bin/$1"
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  missing=$(missing_packages)
  # shellcheck disable=SC2086
  [ -z "$missing" ] || install_packages $missing
else
  for tool in clang++-22 mlir-tblgen-22 cmake ninja ccache python3; do
    command -v "$tool" >/dev/null || fail \
      "expected Debian or Ubuntu, or $tool in PATH; found neither." \
      "Install by hand what these Debian packages hold:" $packages
  done
fi
make_venv
