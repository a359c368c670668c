"""What importing costs, threads, and the stubs."""
import ast
import pathlib
import subprocess
import sys
import threading
import time

import numpy
import pytest
import reference

import attn


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_loads_nothing():
    """Neither numpy nor the compiler: those come with the first use."""
    out = run(
        "import sys, time; t = time.perf_counter(); import attn\n"
        "print(time.perf_counter() - t < 0.3)\n"
        "libraries = lambda: 'libMLIR' in open('/proc/self/maps').read()\n"
        "print('numpy' in sys.modules, libraries())\n"
        "attn.compile; print(libraries())"
    )
    assert out.split() == ["True", "False", "False", "True"]


def test_names():
    for name in attn.__all__:
        assert getattr(attn, name).__doc__
    assert set(attn.__all__) <= set(dir(attn))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        attn.nothing


def test_stubs():
    """Every public name has its type, with the arguments that it takes."""
    package = pathlib.Path(attn.__file__).parent
    assert (package / "py.typed").exists()
    tree = ast.parse((package / "__init__.pyi").read_text())
    stubs = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    assert set(attn.__all__) <= set(stubs)
    for name, stub in stubs.items():
        if isinstance(stub, ast.FunctionDef):
            code = getattr(attn, name).__code__
            count = code.co_argcount + code.co_kwonlyargcount
            wanted = set(code.co_varnames[:count])
            stubbed = {a.arg for a in stub.args.args + stub.args.kwonlyargs}
            assert wanted == stubbed, name


def test_stubs_against_mypy():
    pytest.importorskip("mypy", reason="mypy is not installed")
    here = pathlib.Path(__file__).parent
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "attn", "--ignore-missing-stub",
                           "--mypy-config-file", here / "mypy.ini", "--allowlist", here / "stubtest-allowed.txt",
                           "--ignore-unused-allowlist"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_threads(normal):
    """Compiling and calling from many threads at once; results stay their own."""
    problems = [(normal(2, rows, 8), normal(2, 33, 8), normal(2, 33, 8)) for rows in range(3, 9)]
    wanted = [reference.attention(*p)[0] for p in problems]
    failures = []

    def work(offset):
        try:
            for i in range(60):
                number = (i + offset) % len(problems)
                out = attn.attention(*problems[number])
                numpy.testing.assert_allclose(out, wanted[number], 1e-5, 1e-5)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_compiling_in_threads():
    """In a fresh process, so that the compiler starts in all of them at once."""
    out = run("""if True:
        import threading, numpy, attn
        text = 'func.func @main(%a: tensor<{0}xf32>) -> tensor<{0}xf32> {{ return %a : tensor<{0}xf32> }}'
        sums = {}
        def work(n):
            sums[n] = float(attn.compile(text.format(n))(numpy.ones(n, 'f4')).sum())
        attn.compile
        threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print(sums == {n: n for n in range(1, 9)})""")
    assert out.split() == ["True"]


def test_releases_the_lock(normal):
    """Python runs on while a call computes."""
    q = normal(8, 2048, 64)
    attn.attention(q, q, q)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    while time.perf_counter() - start < 0.5:
        attn.attention(q, q, q)
    done.set()
    ticker.join()
    assert len(ticks) > 10


def test_num_threads(normal):
    q = normal(4, 64, 16)
    try:
        attn.set_num_threads(1)
        one = attn.attention(q, q, q)
        before = attn._attention._programs.copy()
        attn.set_num_threads(3)
        numpy.testing.assert_allclose(attn.attention(q, q, q), one, 1e-6, 1e-6)
        # The tiling is planned anew.
        assert len(attn._attention._programs) == len(before) + 1
        with pytest.raises(ValueError):
            attn.set_num_threads(-1)
    finally:
        attn.set_num_threads(0)


def test_fork(normal):
    """A forked child computes too, as multiprocessing's workers do."""
    out = run(
        "import os, numpy, attn\n"
        "q = numpy.ones((2, 8, 4), 'f4')\n"
        "attn.attention(q, q, q)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if (attn.attention(q, q, q) == 1).all() else 3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    assert out.split() == ["0"]


@pytest.mark.parametrize("daemon", [True, False])
def test_ends_during_calls(daemon):
    """Threads are inside calls and compilations, or between them, at the end."""
    out = run(f"""if True:
        import threading, time, numpy, attn
        q = numpy.ones((4, 512, 64), 'f4')
        attn.attention(q, q, q)
        end = time.time() + 1
        def calls():
            while {daemon} or time.time() < end:
                attn.attention(q, q, q)
        def compiles():
            n = 0
            while {daemon} or time.time() < end:
                n += 1
                attn.compile('func.func @main(%a: tensor<%dxf32>) -> tensor<%dxf32> {{ return %a : tensor<%dxf32> }}'.replace('%d', str(n)))
        for work in (calls, compiles, calls):
            threading.Thread(target=work, daemon={daemon}).start()
        time.sleep(0.5)
        print('end')""")
    assert out == "end\n"


def test_call_after_exit_begins():
    """Whoever ends the interpreter may still call."""
    out = run("import atexit, numpy\n"
              "atexit.register(lambda: print(float(attn.attention(q, q, q).sum())))\n"
              "import attn\nq = numpy.ones((4, 4), 'f4')\nattn.attention(q, q, q)")
    assert out == "16.0\n"


def smallest(call, count=5000):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def built_for_speed():
    """Of a build whose tests these are."""
    cache = pathlib.Path(sys.prefix).parent / "CMakeCache.txt"
    return cache.exists() and "CMAKE_CXX_FLAGS_RELEASE:STRING=-O3" in cache.read_text()


@pytest.mark.skipif(not built_for_speed(), reason="the compiler was not built with -O3")
def test_overhead():
    """Microseconds: a call with its output given, and a hit of the cache; the
    kernel's own time is in both."""
    one = numpy.ones((1, 1), "f4")
    out = numpy.empty((1, 1), "f4")
    program = attn.compile(
        "func.func @main(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>, %c: tensor<1x1xf32>) -> tensor<1x1xf32> {\n"
        "  return %a : tensor<1x1xf32>\n}"
    )
    assert smallest(lambda: program(one, one, one, out=out, threads=1)) < 5
    attn.attention(one, one, one, causal=True, out=out)
    assert smallest(lambda: attn.attention(one, one, one, causal=True, out=out)) < 20


def test_interpreter_ends_quietly():
    assert run("import numpy, attn\nq = numpy.ones((4, 4), 'f4')\nf = attn.attention(q, q, q)") == ""
