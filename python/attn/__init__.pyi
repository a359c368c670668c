from os import PathLike
from typing import Any, Callable, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union

from . import ledger as ledger
from . import plot as plot

# numpy arrays, or anything with the buffer protocol or DLPack.
_Array = Any

class Diagnostic(NamedTuple):
    severity: str
    file: str
    line: int
    column: int
    message: str

class CompileError(Exception):
    diagnostics: List[Diagnostic]
    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ...) -> None: ...

class Program:
    def __call__(
        self,
        *args: _Array,
        out: Union[None, _Array, Sequence[_Array]] = None,
        threads: Optional[int] = None,
    ) -> Any: ...
    def emit(self, kind: str) -> Union[str, bytes]: ...
    def emit_kernels(self, kind: str = "ptx") -> Tuple[Union[str, bytes], dict]: ...
    @property
    def entry(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def arguments(self) -> List[Tuple[str, Tuple[Optional[int], ...]]]: ...
    @property
    def results(self) -> List[Tuple[str, Tuple[Optional[int], ...]]]: ...
    @property
    def attentions(self) -> List[dict]: ...
    @property
    def declined(self) -> List[dict]: ...
    @property
    def remarks(self) -> List[dict]: ...
    @property
    def report(self) -> dict: ...
    @property
    def ledger(self) -> List[dict]: ...
    @property
    def tiling(self) -> List[Optional[str]]: ...

def compile(
    text_or_path: Union[str, PathLike, Any],
    target: Optional[str] = "host",
    entry: Optional[str] = None,
    must_fuse: bool = False,
    *,
    tiling: Optional[str] = None,
    strict: bool = False,
    strict_rounding: bool = False,
    atomics: bool = False,
    executor: Optional[str] = None,
    threads: Optional[int] = None,
) -> Program: ...
def run_pipeline(text: str, pipeline: str, name: str = "<text>") -> str: ...
def set_num_threads(threads: int) -> None: ...

class Gradients(NamedTuple):
    q: Any
    k: Any
    v: Any
    bias: Any = None
    sink: Any = None

_Causal = Union[bool, Literal["bottom_right"]]
_Window = Union[None, int, Tuple[Optional[int], Optional[int]]]

def attention(
    q: _Array,
    k: _Array,
    v: _Array,
    *,
    causal: _Causal = False,
    scale: Optional[float] = None,
    bias: Optional[_Array] = None,
    mask: Optional[_Array] = None,
    window: _Window = None,
    softcap: Optional[float] = None,
    sink: Optional[_Array] = None,
    dropout: float = 0.0,
    seed: Optional[int] = None,
    return_lse: bool = False,
    out: Union[None, _Array, Sequence[_Array]] = None,
) -> Any: ...
def attention_backward(
    dout: _Array,
    q: _Array,
    k: _Array,
    v: _Array,
    out: _Array,
    lse: _Array,
    *,
    causal: _Causal = False,
    scale: Optional[float] = None,
    bias: Optional[_Array] = None,
    mask: Optional[_Array] = None,
    window: _Window = None,
    softcap: Optional[float] = None,
    sink: Optional[_Array] = None,
    dropout: float = 0.0,
    seed: Optional[int] = None,
    dlse: Optional[_Array] = None,
) -> Gradients: ...
def attention_vjp(q: _Array, k: _Array, v: _Array, **options: Any) -> Tuple[Any, Callable[[_Array], Gradients]]: ...
