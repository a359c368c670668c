"""Runs objects for another CPU under its user-mode emulator (qemu-user).

A C program, made for the functions of a module by the other CPU's compiler and
linked to their object, reads the arguments of one call from stdin and writes the
results to stdout. The five OpenMP entry points that the objects call are in it,
for one thread.
"""
import os
import subprocess

import numpy as np

PROGRAM = r"""
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenMP of one thread. */
typedef void (*region)(int32_t *, int32_t *, ...);
int32_t __kmpc_global_thread_num(void *where) { (void)where; return 0; }
void __kmpc_barrier(void *where, int32_t thread) { (void)where; (void)thread; }
void __kmpc_push_num_threads(void *where, int32_t thread, int32_t n) { (void)where; (void)thread; (void)n; }
void __kmpc_for_static_fini(void *where, int32_t thread) { (void)where; (void)thread; }
void __kmpc_for_static_init_8u(void *where, int32_t thread, int32_t kind, int32_t *last,
                               uint64_t *lower, uint64_t *upper, int64_t *stride, int64_t step, int64_t chunk) {
  (void)where; (void)thread; (void)kind; (void)step; (void)chunk;
  *last = 1;
  *stride = (int64_t)(*upper - *lower + 1);
}
void __kmpc_fork_call(void *where, int32_t count, void *body, ...) {
  void *a[12] = {0};
  int32_t thread = 0, bound = 0;
  va_list rest;
  (void)where;
  if (count > 12) { fprintf(stderr, "expected at most 12 shared variables, got %d\n", count); exit(3); }
  va_start(rest, body);
  for (int32_t i = 0; i < count; ++i) a[i] = va_arg(rest, void *);
  va_end(rest);
  ((region)body)(&thread, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

static void get(void *to, size_t bytes) {
  if (fread(to, 1, bytes, stdin) != bytes) { fprintf(stderr, "the arguments end early\n"); exit(3); }
}
/* A descriptor: two pointers, the offset, sizes, strides. */
static void get_memref(int64_t *d, int rank, size_t element) {
  int64_t count = 1;
  get(d + 3, 8 * (size_t)rank);
  for (int i = rank; i-- > 0;) { d[3 + rank + i] = count; count *= d[3 + i]; }
  size_t bytes = ((size_t)count * element + 63) / 64 * 64 + 64;
  d[0] = d[1] = (int64_t)(intptr_t)aligned_alloc(64, bytes);
  d[2] = 0;
  get((void *)(intptr_t)d[0], (size_t)count * element);
}
static void put_memref(const int64_t *d, int rank, size_t element) {
  int64_t count = 1, at[16] = {0};
  for (int i = 0; i < rank; ++i) count *= d[3 + i];
  fwrite(d + 3, 8, (size_t)rank, stdout);
  for (int64_t n = 0; n < count; ++n) {
    int64_t offset = d[2];
    for (int i = 0; i < rank; ++i) offset += at[i] * d[3 + rank + i];
    fwrite((const char *)(intptr_t)d[1] + offset * (int64_t)element, element, 1, stdout);
    for (int i = rank; i-- > 0 && ++at[i] == d[3 + i];) at[i] = 0;
  }
}
"""
C_TYPES = {"f32": "float", "f64": "double", "i1": "_Bool", "i32": "int32_t", "i64": "int64_t", "index": "int64_t"}
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i32": 4, "i64": 8, "index": 8}


def _caller(f):
    """The C function that reads the arguments of one of ours, calls it and
    writes its results."""
    types, reads, passed, at = [], [], [], 0
    for i, (type, element, value) in enumerate(f.args):
        if type.startswith("tensor"):
            rank = value.ndim
            reads.append("  int64_t a%d[%d];\n  get_memref(a%d, %d, %d);\n"
                         % (i, 3 + 2 * rank, i, rank, BYTES[element]))
            types.append("int64_t *")
        else:
            reads.append("  %s a%d;\n  get(&a%d, sizeof a%d);\n" % (C_TYPES[element], i, i, i))
            types.append(C_TYPES[element])
        passed.append("a%d" % i)
    writes, at = [], 0
    for rank, element in f.results:
        writes.append("  put_memref(out + %d, %d, %d);\n" % (at, rank, BYTES[element]))
        at += 3 + 2 * rank
    return ("void _mlir_ciface_%s(%s);\nstatic void call_%s(void) {\n%s  int64_t out[%d];\n"
            "  _mlir_ciface_%s(%s);\n%s}\n") % (
                f.name, ", ".join(["int64_t *"] + types), f.name, "".join(reads), at,
                f.name, ", ".join(["out"] + passed), "".join(writes))


class Program:
    """The functions of an object file, callable under an emulator."""

    def __init__(self, functions, object_file, compiler, emulator):
        source = object_file + ".c"
        self.path, self.emulator = object_file + ".exe", emulator
        with open(source, "w") as out:
            out.write(PROGRAM + "".join(map(_caller, functions)) + "int main(int n, char **v) {\n")
            for f in functions:
                out.write('  if (n == 2 && !strcmp(v[1], "%s")) { call_%s(); return 0; }\n' % (f.name, f.name))
            out.write("  return 2;\n}\n")
        subprocess.run([compiler, "-O1", "-static", source, object_file, "-lm", "-o", self.path], check=True)

    def call(self, name, args, results, to_memory):
        """As execute.call: args (type, element, value), results (rank, element)."""
        data = []
        for type, element, value in args:
            if type.startswith("tensor"):
                data += [np.array(value.shape, np.int64), to_memory(value, element)]
            else:
                data.append(np.array(value, {"f32": "f4", "f64": "f8", "i1": "?", "i32": "i4"}.get(element, "i8")))
        done = subprocess.run(self.emulator + [self.path, name], input=b"".join(d.tobytes() for d in data),
                              capture_output=True)
        if done.returncode:
            raise RuntimeError("%s: exit %d\n%s" % (name, done.returncode, done.stderr.decode()))
        out, at = [], 0
        for rank, element in results:
            shape = np.frombuffer(done.stdout, np.int64, rank, at)
            at += 8 * rank
            dtype = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}[element]
            count = int(np.prod(shape, dtype=int))
            array = np.frombuffer(done.stdout, dtype, count, at).reshape(shape)
            at += array.nbytes
            if element == "bf16":
                array = (array.astype(np.uint32) << 16).view(np.float32)
            out.append(array.astype(np.float64))
        return out
