# The lit configuration of every test outside test/unit (GoogleTest, run by ctest).
#
# A build writes test/lit.site.cfg.py with its own paths and loads this file.
# `lit-22 test/IR`, run in the source tree, loads this file first; it then looks
# for the build: --param build=DIR, $ATTN_BUILD, build/ or build-dev/. DIR may
# also be what `cmake --install` wrote, so that the tests look at that; what they
# write then goes to --param output=DIR or a temporary folder.
import os
import platform
import re
import shutil
import subprocess
import tempfile

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
source_root = os.path.dirname(here)


def read_package(prefix):
    """What an installed package says of the LLVM it was built with; None where
    there is none."""
    path = os.path.join(prefix, "lib", "cmake", "AttnMLIR", "AttnMLIRConfig.cmake")
    try:
        with open(path) as package:
            return re.search(r'AttnMLIR_LLVM_TOOLS_DIR "(.*)"', package.read())[1]
    except OSError:
        return None


def find_build():
    named = lit_config.params.get("build") or os.environ.get("ATTN_BUILD")
    tried = [named] if named else ["build", "build-dev"]
    for build in tried:
        path = os.path.join(source_root, build)
        if os.path.exists(os.path.join(path, "test", "lit.site.cfg.py")):
            return path, None
        tools = read_package(path)
        if tools:
            return path, tools
    lit_config.fatal(
        "expected a configured build or an installed package in %s, found none. "
        "Run `cmake --preset release`, or name one: --param build=DIR"
        % " or ".join(tried)
    )


if not hasattr(config, "attn_build"):
    build, installed_with = find_build()
    if not installed_with:
        lit_config.load_config(config, os.path.join(build, "test", "lit.site.cfg.py"))
        raise SystemExit  # The site file loaded this one again, with its paths set.
    config.attn_build = os.path.abspath(build)
    config.llvm_tools = installed_with
    config.attn_python = shutil.which("python3")
    config.attn_output = lit_config.params.get("output") or os.path.join(
        tempfile.gettempdir(), "attn-tests-%d" % os.getuid()
    )

config.name = "attn-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["consumer", "cases", "unit", "CAPI", "package", "Inputs", "CMakeLists.txt"]
config.test_source_root = here
config.test_exec_root = getattr(
    config, "attn_output", os.path.join(config.attn_build, "test")
)

# Ours first, then FileCheck, not, split-file, mlir-opt and llc of LLVM 22 by
# their plain names.
tool_dirs = [os.path.join(config.attn_build, "bin"), config.llvm_tools]
# Last, a ptxas: the toolkit's own, or the one setup.sh put into the build.
ptxas_dirs = [
    os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin"),
    os.path.join(config.attn_build, "venv", "bin"),
]
config.environment["PATH"] = os.pathsep.join(
    tool_dirs + [config.environment.get("PATH", "")] + ptxas_dirs
)
for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "LD_LIBRARY_PATH", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Two lit workers on two cores: a test that wants more threads asks for them.
config.environment["OMP_NUM_THREADS"] = "2"

python = os.environ.get("ATTN_PYTHON") or config.attn_python
config.substitutions += [
    ("%attn_src", source_root),
    ("%attn_build", config.attn_build),
    ("%cases", os.path.join(here, "cases")),
    ("%llvm_tools", config.llvm_tools),
    ("%python", python),
    # A target of the table that this machine cannot run.
    ("%other_arch", "avx2" if platform.machine() == "aarch64" else "neon"),
    ("%clang", os.path.join(config.llvm_tools, "clang")),
]


def have(*tools):
    path = config.environment["PATH"]
    return all(shutil.which(tool, path=path) for tool in tools)


def runs(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        return done.returncode == 0
    except OSError:
        return False


def cpu_flags():
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            for line in cpuinfo:
                if line.startswith(("flags", "Features")):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


features = config.available_features
features.add(platform.machine())
features.update(cpu_flags() & {"avx2", "avx512f", "avx512_bf16", "amx_bf16",
                              "f16c", "fma"})
for module in ("numpy", "matplotlib", "jax", "triton"):
    if runs(python, "-c", f"import {module}"):
        features.add(module)
for tool in ("ptxas", "nvcc", "nvdisasm", "mlir-opt", "torch-mlir-opt", "qemu-x86_64"):
    if have(tool):
        features.add(tool)
# Arm's emulator and a C compiler that links for it (gcc-aarch64-linux-gnu).
if have("aarch64-linux-gnu-gcc") and (
        have("qemu-aarch64") or have("qemu-aarch64-static")):
    features.add("qemu-aarch64")
