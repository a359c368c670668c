import pathlib

import numpy
import pytest


@pytest.fixture
def rng():
    return numpy.random.default_rng(0)


@pytest.fixture
def cases():
    return pathlib.Path(__file__).parents[1] / "cases"


@pytest.fixture
def normal(rng):
    """normal(2, 3): an array of that shape."""
    return lambda *shape, dtype="float32": rng.standard_normal(shape).astype(dtype)
