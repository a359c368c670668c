"""Compiles many functions at once into one shared object and calls them.

Routes: `decompose` is attn-decompose and upstream's lowering to loops, the
executable meaning of the ops; `tile` is attn-to-online and attn-tile before it;
`compile` is the compiler as users have it, attn-compile --emit=shared; `neon` its
objects for 64-bit Arm, run by qemu.
"""
import atexit
import ctypes
import os
import re
import shutil
import subprocess
import tempfile
import types

import numpy as np

from foreign import Program

TILE = "attn-to-online,attn-tile,canonicalize,cse,"
UPSTREAM = """attn-decompose,canonicalize,cse,
  one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},
  func.func(convert-linalg-to-loops,scf-forall-to-for),canonicalize,cse,expand-strided-metadata,lower-affine,
  convert-scf-to-cf,func.func(convert-math-to-llvm),convert-math-to-libm,convert-to-llvm,
  reconcile-unrealized-casts"""
SCALARS = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i1": ctypes.c_bool,
           "i32": ctypes.c_int32, "i64": ctypes.c_int64, "index": ctypes.c_int64}


class CompileError(Exception):
    pass


def _run(command, source=None):
    done = subprocess.run(command, input=source, text=True, capture_output=True)
    if done.returncode:
        raise CompileError("%s: exit %d\n%s" % (command[0], done.returncode, done.stderr[:4000]))
    return done.stdout


def _pipeline(route):
    passes = "".join(UPSTREAM.split("\n")).replace("  ", "")
    if route == "tile":  # upstream calls its runner library to copy a strided tile
        passes = TILE + passes.replace("convert-linalg", "attn-strided-copies,convert-linalg") \
            .replace("bufferize-function", "allow-return-allocs-from-loops bufferize-function")
    return "--pass-pipeline=builtin.module(%s)" % passes


def load(functions, route, options=()):
    """The functions of an MLIR module compiled to something that `call` takes."""
    text = "\n".join(f.text for f in functions)
    folder = tempfile.mkdtemp(prefix="attn-matrix-")
    atexit.register(shutil.rmtree, folder, True)
    source = os.path.join(folder, "functions.mlir")
    shared = os.path.join(folder, "functions.so")
    with open(source, "w") as out:
        out.write(text)
    if route == "neon":
        foreign = os.path.join(folder, "functions.o")
        _run(["attn-compile", source, "--emit=obj", "--target=neon", "-o", foreign, *options])
        emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
        return Program(functions, foreign, "aarch64-linux-gnu-gcc", [emulator])
    if route == "compile":
        _run(["attn-compile", source, "--emit=shared", "-o", shared, *options])
        return ctypes.CDLL(shared)
    llvm = _run(["attn-opt", "-", _pipeline(route), *options], text)
    ir = os.path.join(folder, "functions.ll")
    with open(ir, "w") as out:
        out.write(_run(["mlir-translate", "--mlir-to-llvmir"], llvm))
    _run(["clang", "-w", "-O0", "-march=native", "-shared", "-fPIC", ir, "-lm", "-o", shared])
    return ctypes.CDLL(shared)


def load_text(text, route, options=()):
    """The same, of a module's text."""
    return load([types.SimpleNamespace(text=text)], route, options)


def failing(texts, route, options=()):
    """{index: diagnostic} of the functions that attn-opt does not lower, each
    as a module of its own, in one process."""
    if route in ("compile", "neon"):
        return {}
    source = "\n// -----\n".join(texts)
    done = subprocess.run(["attn-opt", "-", "--split-input-file", _pipeline(route), *options],
                          input=source, text=True, capture_output=True)
    ends = np.cumsum([t.count("\n") + 2 for t in texts])
    found = {}
    for match in re.finditer(r"within split at [^:]*:(\d+) offset :(\d+):\d+: error:[^\n]*", done.stderr):
        line = int(match.group(1)) + int(match.group(2)) - 1
        index = min(int(np.searchsorted(ends, line, "left")), len(texts) - 1)
        found.setdefault(index, "does not compile: " + match.group(0))
    return found


def _descriptor(rank):
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type("Descriptor", (ctypes.Structure,), {"_fields_": fields})


def _to_memory(array, element):
    if element == "bf16":
        array = (array.view(np.uint32) >> 16).astype(np.uint16)
    return np.ascontiguousarray(array)


def _from_memory(descriptor, rank, element):
    shape = list(descriptor.sizes) if rank else []
    dtype = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}[element]
    count = int(np.prod(shape, dtype=int))
    if count == 0:
        return np.zeros(shape)
    strides = [s * dtype().itemsize for s in descriptor.strides] if rank else []
    start = descriptor.aligned + descriptor.offset * dtype().itemsize
    span = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype().itemsize
    flat = np.ctypeslib.as_array((ctypes.c_uint8 * span).from_address(start))
    array = np.ndarray(shape, dtype, flat, 0, strides).copy()
    if element == "bf16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64)


def call(library, name, args, results):
    """Runs a function: args (type, element, value), results (rank, element)."""
    if isinstance(library, Program):
        return library.call(name, args, results, _to_memory)
    kept, passed = [], []
    for type, element, value in args:
        if not type.startswith("tensor"):
            passed.append(SCALARS[element](value.item()))
            continue
        memory = _to_memory(value, element)
        d = _descriptor(value.ndim)()
        d.allocated = d.aligned = memory.ctypes.data
        if value.ndim:
            d.sizes[:] = memory.shape
            d.strides[:] = [int(np.prod(memory.shape[i + 1:], dtype=int)) for i in range(value.ndim)]
        kept.append((memory, d))
        passed.append(ctypes.byref(d))
    out = type_of_results(results)()
    getattr(library, "_mlir_ciface_" + name)(ctypes.byref(out), *passed)
    return [_from_memory(getattr(out, "r%d" % i), rank, element)
            for i, (rank, element) in enumerate(results)]


def type_of_results(results):
    return type("Results", (ctypes.Structure,), {
        "_fields_": [("r%d" % i, _descriptor(rank)) for i, (rank, _) in enumerate(results)]})
