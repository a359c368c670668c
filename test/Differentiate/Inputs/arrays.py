"""arrays.py F.npz: arguments and dout0 of chain.mlir.
arrays.py F.npz GRADS.npz G.npz [--wrong] [NAME=SIZES..]: the same with the gradients as
wanted, and with an array of its own shape under each NAME."""
import sys

import numpy as np

rng = np.random.default_rng(0)
arrays = {"arg%d" % i: rng.normal(size=s) for i, s in enumerate([(2, 8, 6), (6, 12), (8, 3), (8, 5), (8,)])}
arrays["arg5"] = np.arange(4)
arrays["dout0"] = rng.normal(size=(2, 8, 5))
if len(sys.argv) == 2:
    np.savez(sys.argv[1], **arrays)
else:
    grads = dict(np.load(sys.argv[2]))
    if "--wrong" in sys.argv:
        grads["grad1"][2, 3] += 1e-3
    for given in sys.argv[4:]:
        if "=" in given:
            name, sizes = given.split("=")
            arrays[name] = rng.normal(size=[int(n) for n in sizes.split("x")])
    np.savez(sys.argv[3], **{**grads, **arrays})
