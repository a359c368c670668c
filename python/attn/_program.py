"""attn.compile: a module's text or file becomes a function on arrays."""
import json
import os

from . import _checks, _native
from ._errors import CompileError


class Program(_native.Program):
    """A compiled function; `attn.compile` makes it.

    Calling it takes one array per argument and gives one array, a tuple of
    them, or None, as the function has results. Arrays are numpy's, or anything
    with DLPack in the memory of the CPU; dense ones are used where they lie,
    others are copied. `out` gives the array (or a tuple of arrays) to write to,
    `threads` how many the call may use instead of what set_num_threads says.
    Calls release the interpreter lock and may run in many threads at once.
    """

    @property
    def attentions(self):
        """What was fused: [{loc, extents, dtype, tiling, ledger}]."""
        return self.report["attentions"]

    @property
    def declined(self):
        """What was not, and why: [{loc, obligation, reason}]."""
        return self.report["declined"]

    @property
    def ledger(self):
        """The cost model's account of each attention."""
        return [attention["ledger"] for attention in self.attentions]

    @property
    def tiling(self):
        """The tiling of each attention, as IR spells it."""
        return [attention["tiling"] for attention in self.attentions]

    def emit(self, kind):
        """What attn-compile --emit=kind writes: str, or bytes where it is binary."""
        if not isinstance(kind, str):
            raise TypeError(f"kind: expected a string, got {_checks.kind_of(kind)}")
        return self._emit(kind)[0]

    def emit_kernels(self, kind="ptx"):
        """(contents, manifest) of a GPU target's kernels: the manifest says how to
        launch them (docs/Manifest.md)."""
        contents, manifest = self._emit(_checks.text("kind", kind))
        if manifest is None:
            raise ValueError(f"expected a kind with kernels (ptx, cubin), got {kind!r}")
        return contents, json.loads(manifest)

    def __repr__(self):
        def spell(types):
            return ", ".join(
                "x".join(["?" if n is None else str(n) for n in shape] + [name])
                for name, shape in types
            )

        return (
            f"<attn.Program @{self.entry}({spell(self.arguments)}) -> "
            f"({spell(self.results)}) for {self.target}>"
        )


def _is_text(source):
    return "\n" in source or "{" in source


def compile(
    text_or_path,
    target="host",
    entry=None,
    must_fuse=False,
    *,
    tiling=None,
    strict=False,
    strict_rounding=False,
    atomics=False,
    executor=None,
    threads=None,
):
    """Compiles MLIR: its text, a path to it, or a module of MLIR's bindings.

    target: a machine by name ("host", "avx512", "h100", "sm_80", ...).
    entry: the function; main, else the only public one, where it is None.
    must_fuse: an attention that is not fused is an error.
    tiling: "query_block=16,key_block=16", instead of the cost model's choice.
    strict: a resource limit that is not met is an error.
    strict_rounding: decline fusions that drop a rounding.
    atomics: dQ on a GPU by atomic additions, in any order: faster.
    executor: what runs the kernels of a GPU target: "emulator" (of PTX, on this
        CPU) or "cuda". Without one such a program can be emitted, not called.
    threads: plan a CPU's tiling for so many; 0: all cores; what set_num_threads
        says, where it is None.

    Raises CompileError, whose diagnostics have places in the input.
    """
    target = _checks.text("target", target)
    executor = _checks.text("executor", executor)
    if target == "host":
        target = ""
    if threads is None:
        threads = _native.get_num_threads()
    threads = _checks.threads(threads)
    name = None
    if isinstance(text_or_path, os.PathLike):
        source = os.fspath(text_or_path)
    elif isinstance(text_or_path, bytes):
        raise TypeError(
            "expected MLIR as text, got bytes: bytecode is not read here"
        )
    elif isinstance(text_or_path, str):
        source = text_or_path
        name = "<text>" if _is_text(source) else None
    elif hasattr(text_or_path, "operation"):
        source, name = str(text_or_path), "<module>"
    else:
        raise TypeError(
            "expected MLIR text, a path or a module, got "
            f"{type(text_or_path).__name__}"
        )
    if name is None and not os.path.exists(source):
        raise FileNotFoundError(f"no such file, and no MLIR text: {source!r}")
    return Program(
        source,
        name,
        target,
        _checks.text("entry", entry),
        _checks.text("tiling", tiling),
        executor,
        bool(must_fuse),
        bool(strict),
        bool(strict_rounding),
        bool(atomics),
        threads,
    )


def run_pipeline(text, pipeline, name="<text>"):
    """Runs a pass pipeline by name, e.g. "builtin.module(attn-recognize)"."""
    for what, value in (("text", text), ("pipeline", pipeline), ("name", name)):
        if not isinstance(value, str):
            raise TypeError(f"{what}: expected a string, got {_checks.kind_of(value)}")
    return _native.run_pipeline(text, name, pipeline)


def set_num_threads(threads):
    """How many threads calls may use from now on; 0: all cores.

    attn.attention plans its tilings for that number. What attn.compile made keeps
    the plan that it has (`Program.threads`)."""
    _native.set_num_threads(_checks.threads(threads))


__all__ = ["CompileError", "Program", "compile", "run_pipeline", "set_num_threads"]
