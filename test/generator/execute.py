"""Lowering modules of many functions to a shared library, and calling into it.

Three roads: `reference` is upstream passes on the text as written; `decomposed` is
attn-recognize, each attn op then replaced by its definition; `compiled` is
attn-recognize, then blocks of keys and queries.
"""
import ctypes
import os
import pickle
import re
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))

BUFFERS = ("canonicalize,cse,"
           "one-shot-bufferize{allow-return-allocs-from-loops "
           "bufferize-function-boundaries "
           "function-boundary-type-conversion=identity-layout-map},"
           "buffer-deallocation-pipeline,convert-bufferization-to-memref,")
LOWER = ("func.func(convert-elementwise-to-linalg)," + BUFFERS +
         "func.func(scf-forall-to-for,convert-linalg-to-loops),"
         "expand-strided-metadata,lower-affine,convert-scf-to-cf,"
         "arith-expand,func.func(convert-math-to-llvm),convert-math-to-libm,"
         "convert-to-llvm,reconcile-unrealized-casts")
DECOMPOSE_SOFTMAX = (f"transform-preload-library{{transform-library-paths="
                     f"{os.path.join(HERE, 'Inputs/decompose-softmax.mlir')}}},"
                     f"transform-interpreter,")


class Tools:
    def __init__(self, attn_opt, llvm):
        self.attn_opt, self.llvm = attn_opt, llvm
        # memrefCopy, which upstream's lowering calls for strided copies.
        tools = os.path.dirname(os.path.realpath(shutil.which(
            os.path.join(llvm, "mlir-translate"))))
        ctypes.CDLL(os.path.join(tools, "..", "lib", "libmlir_c_runner_utils.so"),
                    mode=ctypes.RTLD_GLOBAL)

    def ours(self, road, blocks, before):
        return before + {
            "reference": "",
            "decomposed": "attn-recognize,attn-decompose,",
            "compiled": f"attn-recognize,attn-to-online,attn-tile{{query-block="
                        f"{blocks[0]} key-block={blocks[1]}}},canonicalize,cse,"
                        f"attn-decompose,",
        }[road]

    def pipeline(self, road, blocks, before):
        return f"builtin.module({self.ours(road, blocks, before)}{DECOMPOSE_SOFTMAX}{LOWER})"

    def upstream_crashes(self, source, road, blocks, before):
        """Whether the text that a road crashed on gets through our passes, so
        that it is upstream's lowering that crashed."""
        if road == "reference":
            return True
        passes = self.ours(road, blocks, before).rstrip(",")
        return subprocess.run([self.attn_opt, source, "-o", os.devnull,
                               f"--pass-pipeline=builtin.module({passes})"],
                              capture_output=True).returncode == 0

    def lower(self, source, road, blocks=(4, 4), before=""):
        """Path of the library, what the recogniser said; or an error text.
        `before`: upstream passes to run ahead of attn-recognize."""
        stem = f"{os.path.splitext(source)[0]}.{road}"
        opt = (os.path.join(self.llvm, "mlir-opt") if road == "reference"
               else self.attn_opt)
        steps = [
            [opt, source, f"--pass-pipeline={self.pipeline(road, blocks, before)}",
             "--emit-bytecode", "-o", stem + ".llvm.mlir"],
            [os.path.join(self.llvm, "mlir-translate"), "--mlir-to-llvmir",
             stem + ".llvm.mlir", "-o", stem + ".ll"],
            [os.path.join(self.llvm, "clang"), "-O0", "-shared", "-fPIC",
             "-Wno-override-module", stem + ".ll", "-o", stem + ".so", "-lm"]]
        if road != "reference":
            steps[0].append("--remarks-filter=attn-recognize")
        said = ""
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True)
            if done.returncode:
                errors = [l for l in done.stderr.splitlines() if "error:" in l]
                return None, said, (f"{os.path.basename(step[0])} failed ("
                                    f"{done.returncode}): " +
                                    "\n".join(errors[:3] or [done.stderr[-2000:]]))
            said += done.stderr
        return stem + ".so", said, None


def remarks(said):
    """Function name -> list of (kind, text)."""
    found = {}
    pattern = re.compile(
        r"remark: \[(\w+)\] attention \|.*?Function=(\w+) \|\s*(.*)")
    for line in said.splitlines():
        match = pattern.search(line)
        if match:
            found.setdefault(match[2], []).append((match[1], match[3]))
    return found


def descriptor(array):
    rank = max(array.ndim, 1)

    class Descriptor(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("data", ctypes.c_void_p),
                    ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]

    result = Descriptor(array.ctypes.data, array.ctypes.data, 0)
    for i in range(array.ndim):
        result.sizes[i] = array.shape[i]
        result.strides[i] = array.strides[i] // array.itemsize
    return result


def call(library, name, arguments, result_kinds):
    """`result_kinds`: (rank, element type) of each result."""
    function = getattr(library, "_mlir_ciface_" + name)
    words = [3 + 2 * rank for rank, _ in result_kinds]
    memory = (ctypes.c_int64 * sum(words))()
    descriptors = [descriptor(a) for a in arguments]
    function(ctypes.byref(memory), *(ctypes.byref(d) for d in descriptors))
    results, at = [], 0
    types = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    for (rank, elem), count in zip(result_kinds, words):
        field = memory[at:at + count]
        at += count
        shape, strides = field[3:3 + rank], field[3 + rank:]
        kind = np.dtype(types[elem])
        start = field[1] + field[2] * kind.itemsize
        extent = 1 + sum((n - 1) * s for n, s in zip(shape, strides))
        raw = (ctypes.c_char * (extent * kind.itemsize)).from_address(start)
        flat = np.frombuffer(raw, kind)
        results.append(np.lib.stride_tricks.as_strided(
            flat, shape, [s * kind.itemsize for s in strides]).copy())
    return results


def run(path, draws):
    """Results of all draws, from a child process: one may crash it. The place of
    a draw that did has None."""
    done = {}
    while len(done) < len(draws):
        todo = [i for i in range(len(draws)) if i not in done]
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                library = ctypes.CDLL(path)
                for i in todo:
                    pickle.dump(("at", i), pipe)
                    pipe.flush()
                    kinds = [(len(t.groups), t.elem) for t in draws[i].results.values()]
                    pickle.dump(call(library, draws[i].name, draws[i].arguments, kinds),
                                pipe)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            at = todo[0]
            try:
                for _ in todo:
                    _, at = pickle.load(pipe)
                    done[at] = pickle.load(pipe)
            except (EOFError, pickle.UnpicklingError):
                done[at] = None
        os.waitpid(child, 0)
    return [done[i] for i in range(len(draws))]
