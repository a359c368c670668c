"""attn: an attention compiler on LLVM/MLIR.

    import attn
    f = attn.compile("model.mlir")          # what an exporter wrote
    out = f(q, k, v)                         # numpy arrays, or anything with DLPack
    out = attn.attention(q, k, v, causal=True)

Importing the package costs next to nothing: each name below is imported, and
the compiler loaded, where it is first used.
"""

# name -> the module that defines it.
_HOMES = {
    "Gradients": "._attention",
    "attention": "._attention",
    "attention_backward": "._attention",
    "attention_vjp": "._attention",
    "CompileError": "._errors",
    "Diagnostic": "._errors",
    "Program": "._program",
    "compile": "._program",
    "run_pipeline": "._program",
    "set_num_threads": "._program",
}
_SUBMODULES = ("ledger", "plot", "torch")

__all__ = sorted(_HOMES)


def __getattr__(name):
    from importlib import import_module

    if name in _HOMES:
        value = getattr(import_module(_HOMES[name], __name__), name)
        globals()[name] = value
        return value
    if name in _SUBMODULES:
        return import_module("." + name, __name__)
    raise AttributeError(f"module 'attn' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *_HOMES, *_SUBMODULES])
