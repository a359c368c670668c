"""Arrays for dropout-mask.mlir, and what its results say of the mask.

dropout_mask.py ARRAYS.npz [--f16|--bf16]       writes the arrays
dropout_mask.py ARRAYS.npz RESULTS.npz...       reads the masks and compares them
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "oracle"))
from philox import keep

SHAPE, P, SEED, OFFSET = (2, 3, 48, 48), 0.3, 0x1234567890ABCDEF, 77


def main():
    arrays, *rest = sys.argv[1:]
    if not rest or rest[0].startswith("--"):
        type = rest[0][2:] if rest else "f32"
        unit = np.broadcast_to(np.eye(SHAPE[-1], dtype=np.float16 if type == "f16" else np.float32), SHAPE)
        if type == "bf16":
            unit = (np.ascontiguousarray(unit).view(np.uint32) >> 16).astype(np.uint16)
        np.savez(arrays, arg0=unit, arg1=unit, arg2=np.int64(SEED), arg3=np.int64(OFFSET),
                 arg_types=np.array([type, type, "i64", "i64"]))
        return
    b, h, m, n = np.indices(SHAPE)
    want = keep(P, SEED, OFFSET, m, n, b * SHAPE[1] + h) != 0
    wrong = []
    for path in rest:
        results = {name: array & 0x7FFF if array.dtype == np.uint16 else array for name, array in np.load(path).items()}
        for name, mask in (("O", results["out0"] != 0), ("dV", results["out1"].swapaxes(-1, -2) != 0)):
            if (mask != want).any():
                wrong.append("%s: %d elements of %s" % (path, (mask != want).sum(), name))
    print("\n".join(wrong) or "%d runs, forward and backward, drop what the definition drops" % len(rest))


main()
