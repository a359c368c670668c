"""Writes the .npy and .npz files beside it, as numpy does. Run by hand:

    python3 make.py

The tests know the contents: element i of an array (row-major) is i - 3, mod 2 for
bool, unless said otherwise here.
"""

import io
import pathlib
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).parent


def ramp(dtype, shape):
    count = int(np.prod(shape, dtype=int))
    values = np.arange(count) - 3
    if np.dtype(dtype).kind == "b":
        values = values % 2
    return values.astype(dtype).reshape(shape)


def npy(array, version):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


arrays = {}
for code in "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8".split():
    arrays["little_" + code] = ramp("<" + code, (2, 3))
    arrays["big_" + code] = ramp(">" + code, (2, 3))
arrays["bool"] = ramp("?", (2, 3))
arrays["fortran"] = np.asfortranarray(ramp("<i4", (2, 3, 4)))
arrays["fortran_big"] = np.asfortranarray(ramp(">f8", (3, 2)))
arrays["scalar"] = np.array(2.5, "<f4")
arrays["empty"] = np.zeros((0, 7), "<f4")
arrays["empty_fortran"] = np.asfortranarray(np.zeros((3, 0, 2), "<f8"))
arrays["text"] = np.array(["f32", "bf16", "", "\u03b1\U0001d70e"])
arrays["text_big"] = np.array(["ab", "c"], ">U2")
arrays["bytes"] = np.array([b"abc", b"d"])
np.savez(HERE / "stored.npz", **arrays)
np.savez_compressed(HERE / "deflated.npz", **arrays)

for major in 1, 2, 3:
    (HERE / f"version{major}.npy").write_bytes(npy(ramp("<f4", (2, 3)), (major, 0)))

with zipfile.ZipFile(HERE / "zip64.npz", "w") as archive:
    with archive.open("a.npy", "w", force_zip64=True) as member:
        member.write(npy(ramp("<f4", (2, 3)), (1, 0)))
