"""Element types by MLIR's names, as numpy knows them."""
import numpy

_DTYPES = {
    "f16": numpy.dtype("float16"),
    "f32": numpy.dtype("float32"),
    "f64": numpy.dtype("float64"),
    "i1": numpy.dtype("bool"),
    "i8": numpy.dtype("int8"),
    "i16": numpy.dtype("int16"),
    "i32": numpy.dtype("int32"),
    "i64": numpy.dtype("int64"),
}


def dtype(name):
    """numpy's dtype for an MLIR element type, e.g. "f32"."""
    if name == "bf16" and name not in _DTYPES:
        try:
            import ml_dtypes
        except ImportError:
            raise ImportError(
                "a result of bfloat16 needs the package ml_dtypes (numpy has no "
                "such type): pip install ml_dtypes, or give out= an array that "
                "has it"
            ) from None
        _DTYPES["bf16"] = numpy.dtype(ml_dtypes.bfloat16)
    return _DTYPES[name]


def empty(shape, name):
    return numpy.empty(shape, dtype(name))
