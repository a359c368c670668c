"""attn.compile: files and text, reports, arrays of all kinds, and misuse."""
import json
import platform
import threading

import ml_dtypes
import numpy
import pytest
import reference

import attn

ADD = """
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.add ins(%a, %b : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""

DYNAMIC = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def test_exporter_file(cases):
    program = attn.compile(cases / "t_causal_tril_fill.mlir", must_fuse=True)
    arrays = numpy.load(cases / "t_causal_tril_fill.npz")
    out = program(*(arrays[f"arg{i}"] for i in range(3)))
    numpy.testing.assert_allclose(out, arrays["out0"], 1e-5, 1e-5)
    assert program.entry == "main" and program.target == "host"
    assert program.arguments == [("f32", (2, 4, 64, 32))] * 3
    assert "query_block" in program.tiling[0]
    assert program.ledger[0]["flops"] > 0
    assert program.declined == []
    assert any(r["kind"] == "Passed" for r in program.remarks)
    assert "@main(2x4x64x32xf32" in repr(program)


def test_declined(cases):
    program = attn.compile(str(cases / "x_max_query_axis.mlir"))
    assert program.attentions == []
    assert program.declined[0]["obligation"].startswith("O")
    assert "x_max_query_axis.mlir:" in program.declined[0]["loc"]
    with pytest.raises(attn.CompileError) as caught:
        attn.compile(cases / "x_max_query_axis.mlir", must_fuse=True)
    assert caught.value.diagnostics[0].line > 0
    assert caught.value.diagnostics[0].file.endswith("x_max_query_axis.mlir")


def test_emit(cases):
    program = attn.compile(cases / "t_2d.mlir", tiling="query_block=16,key_block=16")
    assert "query_block = [16]" in program.tiling[0]
    assert "attn.attention" in program.emit("attn")
    assert "llvm.func" in program.emit("llvm")
    assert json.loads(program.emit("ledger"))["attentions"]
    assert program.emit("obj").startswith(b"\x7fELF")
    with pytest.raises(attn.CompileError, match="'poem'"):
        program.emit("poem")


def test_gpu_target(cases):
    program = attn.compile(cases / "t_2d.mlir", target="a100")
    assert program.target == "a100"
    a = numpy.zeros(program.arguments[0][1], "f4")
    with pytest.raises(ValueError, match="compiled for 'a100'"):
        program(*[a] * len(program.arguments), out=a)


ATTENTION = """func.func @main(%q: tensor<2x70x64xf16>, %k: tensor<2x64x64xf16>, %v: tensor<2x64x64xf16>) -> tensor<2x70x64xf16> {
  %e = tensor.empty() : tensor<2x70x64xf16>
  %0 = attn.attention {scale = 0.125} maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d)]
    ins(%q, %k, %v : tensor<2x70x64xf16>, tensor<2x64x64xf16>, tensor<2x64x64xf16>) outs(%e : tensor<2x70x64xf16>)
  return %0 : tensor<2x70x64xf16>
}"""


def test_kernels_on_the_emulator(normal):
    """A GPU's program is called like a CPU's."""
    q, k, v = (normal(2, n, 64, dtype="float16") for n in (70, 64, 64))
    want = reference.attention(q, k, v)[0]
    program = attn.compile(ATTENTION, target="sm_80", executor="emulator")
    assert program.target == "a100" and program.tiling
    numpy.testing.assert_allclose(program(q, k, v), want, 4e-3, 4e-3)
    # Views are packed, results scattered; two programs take turns.
    other = attn.compile(ATTENTION, target=None, executor="emulator")
    spread = numpy.zeros((2, 70, 128), "f2")
    threads = [
        threading.Thread(target=other, args=(q, k.transpose(1, 0, 2).copy().transpose(1, 0, 2), v),
                         kwargs={"out": spread[:, :, ::2]}),
        threading.Thread(target=program, args=(q, k, v)),
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    numpy.testing.assert_allclose(spread[:, :, ::2], want, 4e-3, 4e-3)
    assert not spread[:, :, 1::2].any()
    with pytest.raises(ValueError, match="argument 0: .*got 2x70x64xf32"):
        program(q.astype("f4"), k, v)


BACKWARD = """!t = tensor<2x70x64xf16>
!r = tensor<2x70xf32>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t, %l: !r, %d: !t) -> (!t, !t, !t) {
  %e = tensor.empty() : !t
  %r:3 = attn.attention_backward {scale = 0.125, empty_rows = zero}
    maps = [(b, m, n, k, d) -> (b, m, k), -> (b, n, k), -> (b, n, d), -> (b, m, d), -> (b, m)]
    ins(%q, %k, %v : !t, !t, !t) forward(%o, %l : !t, !r) grad(%d : !t) outs(%e, %e, %e : !t, !t, !t)
  return %r#0, %r#1, %r#2 : !t, !t, !t
}"""


def test_gradients_by_atomics(normal):
    q, k, v, d = (normal(2, 70, 64, dtype="float16") for _ in range(4))
    out, lse = attn.attention(q, k, v, return_lse=True)
    want = attn.attention_backward(d, q, k, v, out, lse)
    for atomics in (False, True):
        program = attn.compile(BACKWARD, target="sm_80", executor="emulator", atomics=atomics)
        assert ("atomics = true" in program.tiling[0]) == atomics
        for got, expected in zip(program(q, k, v, out, lse, d), want):
            numpy.testing.assert_allclose(got, expected, 1e-2, 1e-2)


def test_executors(cases):
    with pytest.raises(attn.CompileError, match="'abacus'"):
        attn.compile(ATTENTION, target="sm_80", executor="abacus")
    with pytest.raises(attn.CompileError, match="target 'avx2' is a CPU"):
        attn.compile(ATTENTION, target="avx2", executor="emulator")
    try:
        program = attn.compile(ATTENTION, executor="cuda")
    except attn.CompileError as error:
        assert "libcuda" in str(error) or "CUDA" in str(error)
    else:
        assert program.target


def test_kernels():
    """PTX for a GPU, and how to launch it."""
    program = attn.compile(ATTENTION, target="a100")
    ptx, manifest = program.emit_kernels()
    assert ".target sm_80" in ptx and ptx == program.emit("ptx")
    assert all(kernel["name"] in ptx for kernel in manifest["kernels"]) and manifest["kernels"]
    with pytest.raises(ValueError, match="'attn'"):
        program.emit_kernels("attn")


def test_other_cpu(cases):
    """Code for another architecture can be looked at and written, not called."""
    target = "avx2" if platform.machine() == "aarch64" else "neon"
    program = attn.compile(cases / "t_2d.mlir", target=target)
    assert program.tiling and program.emit("obj").startswith(b"\x7fELF")
    a = numpy.zeros(program.arguments[0][1], "f4")
    with pytest.raises(ValueError, match=f"target '{target}' needs a CPU of"):
        program(*[a] * len(program.arguments), out=a)


def test_text_and_errors():
    with pytest.raises(attn.CompileError) as caught:
        attn.compile("func.func @main() {\n  nonsense\n}\n")
    assert caught.value.diagnostics[0][:4] == ("error", "<text>", 2, 3)
    assert str(caught.value.diagnostics[0]) in str(caught.value)
    with pytest.raises(attn.CompileError, match="'abacus'"):
        attn.compile(ADD, target="abacus")
    with pytest.raises(attn.CompileError, match="@other"):
        attn.compile(ADD, entry="other")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        attn.compile("nowhere.mlir")
    for bad in (b"bytes", 3, None):
        with pytest.raises(TypeError):
            attn.compile(bad)


class Module:
    """As MLIR's Python bindings have it."""

    operation = None

    def __str__(self):
        return ADD


def test_module():
    a = numpy.ones((2, 3), "f4")
    assert (attn.compile(Module())(a, a) == 2).all()


def test_no_copies():
    """Dense arrays are used where they lie, offsets and all; `out` is written."""
    program = attn.compile(ADD)
    pool = numpy.arange(13, dtype="f4")
    a, b, out = pool[1:7].reshape(2, 3), pool[7:13].reshape(2, 3), numpy.empty((2, 3), "f4")
    assert program(a, b, out=out) is out
    numpy.testing.assert_array_equal(out, a + b)
    a[0, 0] = 100
    assert program(a, b)[0, 0] == 100 + b[0, 0]
    (again,) = (program(a, b, out=[out]),)
    assert again is out


def test_strides():
    program = attn.compile(ADD)
    a = numpy.arange(24, dtype="f4").reshape(4, 6)
    b = numpy.broadcast_to(numpy.float32(1), (2, 3))
    spread = numpy.zeros((4, 6), "f4")
    views = [a[::2, ::2], a[:2, 2::-1], a[:3, :2].T, a[2:, 3:]]
    for view in views:
        numpy.testing.assert_array_equal(program(view, b), view + 1)
        program(view, b, out=spread[1::2, ::-2])
        numpy.testing.assert_array_equal(spread[1::2, ::-2], view + 1)
    assert not spread[0].any()
    unaligned = numpy.frombuffer(b"x" + a[0].tobytes(), "i1")[1:].view("f4").reshape(2, 3)
    numpy.testing.assert_array_equal(program(unaligned, b), unaligned + 1)


def test_dlpack():
    """Arrays of another library, which offers DLPack and nothing else."""

    class Foreign:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    program = attn.compile(ADD)
    a, out = numpy.arange(6, dtype="f4").reshape(2, 3), numpy.empty((2, 3), "f4")
    program(Foreign(a), Foreign(a.T.copy().T), out=Foreign(out))
    numpy.testing.assert_array_equal(out, 2 * a)
    out.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="[Rr]ead-?only"):
        program(a, a, out=Foreign(out))

    class OnGpu(Foreign):
        def __dlpack_device__(self):
            return (2, 1)

    with pytest.raises(ValueError, match="argument 1: expected memory of the CPU.*cuda:1"):
        program(a, OnGpu(a))

    class Broken(Foreign):
        def __dlpack__(self, **options):
            return 3

    with pytest.raises(TypeError, match="capsule"):
        program(Broken(a), a)


def test_misuse():
    program = attn.compile(ADD)
    a = numpy.ones((2, 3), "f4")
    with pytest.raises(TypeError, match="takes 2 arrays, got 1"):
        program(a)
    with pytest.raises(TypeError, match="argument 1: expected an array.*got str"):
        program(a, "a")
    with pytest.raises(ValueError, match="argument 0: @main expects 2x3xf32, got 2x3xf64"):
        program(a.astype("f8"), a)
    with pytest.raises(ValueError, match="argument 1: .*got 3x2xf32"):
        program(a, a.T)
    with pytest.raises(TypeError, match="out: expected 1 arrays"):
        program(a, a, out=(a, a))
    with pytest.raises(ValueError, match="result 0: .*got 2x3xi32"):
        program(a, a, out=numpy.empty((2, 3), "i4"))
    with pytest.raises(ValueError, match="shares memory with argument 0"):
        program(a, a, out=a)
    with pytest.raises(ValueError, match="same element"):
        program(a, a, out=numpy.lib.stride_tricks.as_strided(numpy.empty(3, "f4"), (2, 3), (0, 4)))
    fixed = numpy.empty((2, 3), "f4")
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        program(a, a, out=fixed)
    assert (program(a, a) == 2).all()
    with pytest.raises(TypeError):
        program(a, a, outs=a)


def test_read_only_arguments():
    a = numpy.ones((2, 3), "f4")
    a.flags.writeable = False
    assert (attn.compile(ADD)(a, a) == 2).all()


def test_dynamic():
    program = attn.compile(DYNAMIC)
    for shape in ((2, 3), (0, 3), (5, 1)):
        a = numpy.full(shape, 2, "f4")
        out = program(a, a)
        assert out.shape == shape and (out == 4).all()
    with pytest.raises(ValueError, match=r"<text>:3:\d+: the shapes of the arguments"):
        program(numpy.ones((2, 3), "f4"), numpy.ones((2, 4), "f4"))
    with pytest.raises(ValueError, match="result 0: @main writes 2x2xf32"):
        program(numpy.ones((2, 2), "f4"), numpy.ones((2, 2), "f4"), out=numpy.ones((2, 3), "f4"))


def test_result_of_unknown_size():
    program = attn.compile("""
func.func @main(%n: index) -> tensor<?xf32> {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
""")
    assert program(5).tolist() == [2.0] * 5
    out = numpy.zeros(3, "f4")
    program(3, out=out)
    assert out.tolist() == [2.0] * 3
    with pytest.raises(ValueError):
        program(4, out=out)


def test_signatures():
    program = attn.compile("""
      func.func @main(%a: i64, %b: f32, %c: i1, %t: tensor<i8>) -> (i64, f32, tensor<i8>, tensor<2xf32>) {
        %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
        %0 = arith.addi %a, %a : i64
        %1 = arith.select %c, %b, %b : f32
        return %0, %1, %t, %d : i64, f32, tensor<i8>, tensor<2xf32>
      }""")
    byte = numpy.array(7, "i1")
    twice, same, copied, constant = program(-3, 1.5, True, byte)
    assert (twice, same, copied) == (-6, 1.5, 7) and copied is not byte
    numpy.testing.assert_array_equal(constant, [1, 2])
    assert program(numpy.int64(4), numpy.float32(1), numpy.bool_(True), byte)[0] == 8
    with pytest.raises(TypeError, match="argument 0: expected an integer"):
        program(1.5, 1.5, True, byte)
    with pytest.raises(OverflowError, match="argument 0"):
        program(2**63, 1.5, True, byte)
    assert attn.compile("func.func @main() {\n return\n}")() is None


def test_bfloat16():
    program = attn.compile(ADD.replace("f32", "bf16"))
    a = numpy.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    out = program(a, a)
    assert out.dtype == ml_dtypes.bfloat16 and (out == a + a).all()
    assert program(a, a, out=out) is out
    bits = numpy.empty((2, 3), "u2")
    program(a.view("u2"), a, out=bits)
    assert (bits.view(ml_dtypes.bfloat16) == a + a).all()


def test_pipeline():
    text = attn.run_pipeline(ADD, "builtin.module(canonicalize,linalg-generalize-named-ops)")
    assert "linalg.generic" in text
    with pytest.raises(attn.CompileError, match="no-such-pass"):
        attn.run_pipeline(ADD, "builtin.module(no-such-pass)")


@pytest.mark.parametrize("call, kind, text", [
    (lambda: attn.compile(ADD, target=5), TypeError, "target: expected a string or None, got int"),
    (lambda: attn.compile(ADD, entry=b"main"), TypeError, "entry: expected a string or None, got bytes"),
    (lambda: attn.compile(ADD, tiling=["q"]), TypeError, "tiling: expected a string or None, got list"),
    (lambda: attn.compile(ADD, executor=1), TypeError, "executor: expected a string or None, got int"),
    (lambda: attn.compile(ADD, target="host\0"), ValueError, "target: expected a string without a NUL"),
    (lambda: attn.compile(ADD, threads=1.5), TypeError, "threads: expected an integer, got float"),
    (lambda: attn.compile(ADD, threads=-1), ValueError, "threads: expected 0 to 1024, got -1"),
    (lambda: attn.set_num_threads("2"), TypeError, "threads: expected an integer, got str"),
    (lambda: attn.set_num_threads(1025), ValueError, "threads: expected 0 to 1024, got 1025"),
    (lambda: attn.run_pipeline(5, "builtin.module(cse)"), TypeError, "text: expected a string, got int"),
    (lambda: attn.run_pipeline(ADD, None), TypeError, "pipeline: expected a string, got NoneType"),
    (lambda: attn.compile(ADD).emit(5), TypeError, "kind: expected a string, got int"),
    (lambda: attn.compile(ADD)(out=5), TypeError, "@main takes 2 arrays, got 0"),
    (lambda: attn.compile("x\0y\n"), attn.CompileError, "<text>:1:1"),
    (lambda: attn.compile(ATTENTION, tiling="query_block=" + "[" * 100000), attn.CompileError, "sizes of query_block"),
    (lambda: attn.compile("#a = " + "[" * 100000 + "\n"), attn.CompileError, "<text>:1:1006: error: expected at most 1000"),
    (lambda: attn.run_pipeline(ADD, "builtin.module(" * 100000), attn.CompileError, "pipeline: expected at most 1000"),
    (lambda: attn.compile("func.func private @nobody(f32) -> f32\n"
                          "func.func @main(%a: f32) -> f32 {\n"
                          " %0 = call @nobody(%a) : (f32) -> f32\n return %0 : f32\n}"),
     attn.CompileError, "<text>:1:1: error: '@nobody' is declared here"),
])
def test_refused(call, kind, text, capfd):
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)
    assert capfd.readouterr().err == ""


def test_kinds_of_arrays():
    program = attn.compile(ADD)
    a = numpy.ones((2, 3), "f4")
    for bad, text in (
        (a.astype(object), "argument 0: expected elements"),
        (numpy.float32(1), "argument 0: @main expects 2x3xf32, got f32"),
        (numpy.zeros((2, 3), [("x", "f4"), ("y", "f4")]), "argument 0: expected elements"),
        (numpy.zeros((2, 3), "M8[s]"), "DLPack only supports"),
        (memoryview(b"abcdef"), "argument 0: @main expects 2x3xf32, got 6xi8"),
        (None, "argument 0: expected an array"),
    ):
        with pytest.raises((TypeError, ValueError, BufferError)) as caught:
            program(bad, a)
        assert text in str(caught.value)
    with pytest.raises(ValueError, match="threads: expected at most 1024"):
        program(a, a, threads=2000)
    assert (program(a, a, threads=1) == 2).all()


def test_plan_for_threads(cases):
    try:
        attn.set_num_threads(1)
        one = attn.compile(cases / "t_2d.mlir")
    finally:
        attn.set_num_threads(0)
    assert one.threads == 1 and attn.compile(cases / "t_2d.mlir").threads == 0
    assert attn.compile(cases / "t_2d.mlir", threads=7).threads == 7
