"""The IO ledger: what an attention moves, computes and keeps, before it runs.

    from attn import ledger
    account = ledger.shape(n=4096, k=64, causal=True)
    account["forward"]["bytes"], account["bound"]
    ledger.sweep_n(lengths=[1024, 4096])["rows"]
    ledger.of_file("model.mlir", target="a100")      # each attention of a file

Each function runs a command of attn-ledger (or attn-compile, attn-run) and
returns the object that it prints with --json; keywords are its options, with
underscores for dashes: True gives a flag, a list gives values with commas. What
the tool refuses is a LedgerError with the tool's own words. The tools are looked
for in the folder that $ATTN_TOOLS names, in the package's folder `bin`, and on
the PATH.
"""
import json
import os
import pathlib
import shutil
import subprocess

__all__ = ["LedgerError", "find_tool", "memory", "of_file", "roofline", "shape", "sweep_m", "sweep_n", "tiles", "tune"]


class LedgerError(ValueError):
    """A tool refused its options or input; the text is the tool's."""


def find_tool(name):
    """The path of one of the project's command line tools."""
    folders = [os.environ.get("ATTN_TOOLS"), pathlib.Path(__file__).parent / "bin"]
    for folder in filter(None, folders):
        candidate = pathlib.Path(folder) / name
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which(name)
    if not found:
        raise FileNotFoundError(f"{name} not found: set ATTN_TOOLS to the folder of the project's tools (build/bin), or put it on the PATH")
    return found


def _spell(options):
    arguments = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif isinstance(value, (list, tuple)):
            arguments.append(f"{flag}={','.join(map(str, value))}")
        else:
            arguments.append(f"{flag}={value}")
    return arguments


def _run(tool, *arguments):
    done = subprocess.run([find_tool(tool), *map(str, arguments)], capture_output=True, text=True, check=False)
    # 1: results disagreed with the reference, and are reported all the same.
    if done.returncode not in (0, 1) or not done.stdout:
        raise LedgerError(done.stderr.strip() or f"{tool} ended with status {done.returncode}")
    return json.loads(done.stdout)


def _command(command, options):
    return _run("attn-ledger", command, "--json", *_spell(options))


def shape(**options):
    """One attention, operand by operand (attn-ledger shape)."""
    return _command("shape", options)


def sweep_n(**options):
    """Traffic and intensity against the sequence length (attn-ledger sweep-n)."""
    return _command("sweep-n", options)


def sweep_m(**options):
    """The paper's traffic against the size of fast memory (attn-ledger sweep-m)."""
    return _command("sweep-m", options)


def roofline(**options):
    """All accountings against a machine's roofs (attn-ledger roofline)."""
    return _command("roofline", options)


def memory(**options):
    """Activations kept for the backward (attn-ledger memory)."""
    return _command("memory", options)


def tiles(**options):
    """The tilings the cost model offers, best first (attn-ledger tiles)."""
    return _command("tiles", options)


def of_file(path, **options):
    """The ledger of each attention of an MLIR file (attn-compile --emit=ledger)."""
    return _run("attn-compile", path, "--emit=ledger", *_spell(options))["attentions"]


def tune(path, **options):
    """Times a grid of tilings on each attention of a file (attn-run --tune). With
    tune_out=FILE the times are kept there and an interrupted run goes on."""
    return _run("attn-run", path, "--tune", "--json", *_spell(options))["tune"]
