"""Score functions as stages, each with its vector-Jacobian product.

name: (x, z, extras, space, *params) -> x, z
      (x, z, extras, space, *params, dx, dz) -> dx, dz, [d extra or None]
x is the score, z the weight; extras are the stage's own, over the score grid.
"""
import numpy as np

STAGES = {
    "bias": (lambda x, z, e, i: (x + e[0], z),
             lambda x, z, e, i, dx, dz: (dx, dz, [dx])),
    "mul": (lambda x, z, e, i: (x * e[0], z),  # per-key, per-head, run-time scale
            lambda x, z, e, i, dx, dz: (dx * e[0], dz, [dx * x])),
    "softcap": (lambda x, z, e, i, c: (c * np.tanh(x / c), z),
                lambda x, z, e, i, c, dx, dz: (dx * (1 - np.tanh(x / c)**2), dz, [])),
    "alibi": (lambda x, z, e, i, a, b: (x + e[0] * (i[a] - i[b]), z),
              lambda x, z, e, i, a, b, dx, dz: (dx, dz, [dx * (i[a] - i[b])])),
    "select": (lambda x, z, e, i, c: (np.where(e[0], x, c), z),
               lambda x, z, e, i, c, dx, dz: (np.where(e[0], dx, 0), dz, [None])),
    "weight": (lambda x, z, e, i: (x, z * e[0]),
               lambda x, z, e, i, dx, dz: (dx, dz * e[0], [dz * z])),
    "keep": (lambda x, z, e, i, p: (x, z * i.keep(p, *e)),
             lambda x, z, e, i, p, dx, dz: (dx, dz * i.keep(p, *e), [None, None])),
}
