"""Errors that carry what the compiler said, with places in the input."""
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One thing the compiler said; file is "" and line 0 where no place is known."""

    severity: str
    file: str
    line: int
    column: int
    message: str

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class CompileError(Exception):
    """The input was not compiled. `diagnostics` says why, and where."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)
