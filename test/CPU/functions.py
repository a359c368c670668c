"""Sweeps the vector functions against numpy in f64, in units in the last place.

functions.py ATTN_RUN DIR. With one key of 1 and scale 1, the log-sum-exp of row m
is region(q[m]) + log(1), so that a run returns the function's values bit for bit.
The softmax's own exponential is seen through two keys with scores q and 0. What a
model computes around its attentions goes another way, as plain loops.
"""
import os
import subprocess
import sys

import numpy as np


def module(t, rows, function):
    """`function` of %s, up to its type."""
    return """func.func @main(%%q: tensor<%(m)dx1x%(t)s>, %%k: tensor<1x1x%(t)s>) -> (tensor<%(m)dx1x%(t)s>, tensor<%(m)dx%(t)s>) {
  %%o0 = tensor.empty() : tensor<%(m)dx1x%(t)s>
  %%l0 = tensor.empty() : tensor<%(m)dx%(t)s>
  %%o:2 = attn.attention {scale = 1.0}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d), -> (m)]
    ins(%%q, %%k, %%k : tensor<%(m)dx1x%(t)s>, tensor<1x1x%(t)s>, tensor<1x1x%(t)s>)
    outs(%%o0, %%l0 : tensor<%(m)dx1x%(t)s>, tensor<%(m)dx%(t)s>)
    score (%%s: %(t)s) { %%f = %(f)s : %(t)s attn.yield %%f : %(t)s }
  return %%o#0, %%o#1 : tensor<%(m)dx1x%(t)s>, tensor<%(m)dx%(t)s>
}
""" % {"m": rows, "t": t, "f": function}


def softmax_module(t, rows):
    return """func.func @main(%%q: tensor<%(m)dx1x%(t)s>, %%k: tensor<2x1x%(t)s>) -> tensor<%(m)dx1x%(t)s> {
  %%o0 = tensor.empty() : tensor<%(m)dx1x%(t)s>
  %%o = attn.attention {scale = 1.0}
    maps = [(m, n, k, d) -> (m, k), -> (n, k), -> (n, d), -> (m, d)]
    ins(%%q, %%k, %%k : tensor<%(m)dx1x%(t)s>, tensor<2x1x%(t)s>, tensor<2x1x%(t)s>)
    outs(%%o0 : tensor<%(m)dx1x%(t)s>)
  return %%o : tensor<%(m)dx1x%(t)s>
}
""" % {"m": rows, "t": t}


def loop_module(t, rows, names):
    """Functions outside of an attention, each of its own argument."""
    array = "tensor<%dx%s>" % (rows, t)
    lines = ["  %%r%d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
             "iterator_types = [\"parallel\"]} ins(%%a%d : %s) outs(%%e : %s) {\n"
             "  ^bb0(%%x: %s, %%o: %s):\n    %%y = math.%s %%x : %s\n    linalg.yield %%y : %s\n  } -> %s"
             % (i, i, array, array, t, t, name, t, t, array) for i, name in enumerate(names)]
    count = range(len(names))
    return "func.func @main(%s) -> (%s) {\n  %%e = tensor.empty() : %s\n%s\n  return %s : %s\n}\n" % (
        ", ".join("%%a%d: %s" % (i, array) for i in count), ", ".join(array for i in count), array,
        "\n".join(lines), ", ".join("%%r%d" % i for i in count), ", ".join(array for i in count))


def run(attn_run, out, name, text, args):
    path, data, got = (os.path.join(out, name + e) for e in (".mlir", ".npz", ".out.npz"))
    with open(path, "w") as file:
        file.write(text)
    np.savez(data, **{"arg%d" % i: a for i, a in enumerate(args)})
    done = subprocess.run([attn_run, path, "--args=" + data, "--save=" + got,
                           "--threads=1"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return np.load(got)


def ulps(got, want, dtype):
    """Distance in units in the last place of `want`; special values must agree."""
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        unit = np.spacing(np.abs(rounded)).astype(np.longdouble)
        error = np.abs(got.astype(np.longdouble) - want) / unit
    return np.where(same, 0, np.where(np.isfinite(error), error, np.inf))


def main():
    attn_run, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    rng = np.random.default_rng(1)
    failed = 0
    special = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan]
    for dtype, t, top in ((np.float32, "f32", 88.7), (np.float64, "f64", 709.7)):
        info = np.finfo(dtype)
        spread = rng.uniform(-1.05 * top - 20, top, 20000)
        near = rng.normal(0, 1, 10000) * 10.0 ** rng.uniform(-12, 0, 10000)
        positive = np.exp(rng.uniform(np.log(float(info.tiny)), np.log(float(info.max)), 20000))
        around = 1 + rng.normal(0, 1, 10000) * 10.0 ** rng.uniform(-6, 0, 10000)
        cases = {
            # name: op, inputs, reference, bound. exp's of -inf is 0 and log 1 of
            # l is exact, but a score of -inf makes a row empty: LSE = -inf.
            "exp": ("math.exp", [spread, near], np.exp, 2.5),
            "exp2": ("math.exp2", [spread / np.log(2), near], np.exp2, 2.5),
            "log": ("math.log", [positive, np.abs(around), positive * 0 + info.tiny / 8],
                    np.log, 2),
            "tanh": ("math.tanh", [spread / 10, near], np.tanh, 5.5 if t == "f32" else 4),
            "expm1": ("math.expm1", [spread, near, near * 1e-12], np.expm1, 2),
            "log1p": ("math.log1p", [positive, near, near * 1e-12], np.log1p, 2),
        }
        for name, (op, inputs, reference, bound) in cases.items():
            x = np.concatenate([np.concatenate(inputs), special]).astype(dtype)
            got = run(attn_run, out, name + t, module(t, len(x), op + " %s"),
                      [x[:, None], np.ones((1, 1), dtype)])["out1"]
            with np.errstate(all="ignore"):
                want = reference(x.astype(np.longdouble))
            # A score of +inf gives inf - inf.
            error = ulps(got, np.where(want == np.inf, np.nan, want), dtype)
            worst = int(np.argmax(error))
            ok = error[worst] <= bound
            failed += not ok
            print("%s %s %s: %.2f ulp at %r: got %r" % (
                "ok  " if ok else "FAIL", name, t, error[worst], x[worst], got[worst]))
        # By a number, two multiplications take the place of the division.
        far = positive[np.abs(np.log2(positive)) < info.maxexp - 70].astype(dtype)
        for divisor in (30, -50, 0.7, 1 + info.eps, 1 / 3, 1e-15, 64):
            c = dtype(divisor)
            x = np.concatenate([spread, near, far, special]).astype(dtype)
            text = module(t, len(x), "arith.divf %s, %c").replace(
                "%f =", "%%c = arith.constant %.17e : %s %%f =" % (c, t))
            got = run(attn_run, out, "div" + t, text, [x[:, None], np.ones((1, 1), dtype)])["out1"]
            with np.errstate(all="ignore"):
                want = x.astype(np.longdouble) / c.astype(np.longdouble)
            error = ulps(got, np.where(want == np.inf, np.nan, want), dtype)
            worst = int(np.argmax(error))
            ok = error[worst] <= 0.51
            failed += not ok
            print("%s division by %g of %s: %.3f ulp at %r: got %r" % (
                "ok  " if ok else "FAIL", c, t, error[worst], x[worst], got[worst]))
        loops = {
            # name: inputs, reference, bound
            "exp": ([spread], np.exp, 1), "exp2": ([spread], np.exp2, 1),
            "log": ([positive], np.log, 1), "log2": ([positive], np.log2, 1),
            "tanh": ([spread / 10, near], np.tanh, 2.5),
            "expm1": ([spread, near, near * 1e-12], np.expm1, 2),
            "log1p": ([positive, near, near * 1e-12], np.log1p, 2),
            "rsqrt": ([positive], lambda x: 1 / np.sqrt(x), 1.6),
            "sin": ([spread, near], np.sin, 1), "cos": ([spread, near], np.cos, 1),
        }
        size = 40000
        args = [np.resize(np.concatenate(inputs), size).astype(dtype)
                for inputs, _, _ in loops.values()]
        got = run(attn_run, out, "loops" + t, loop_module(t, size, list(loops)), args)
        for i, (name, (_, reference, bound)) in enumerate(loops.items()):
            with np.errstate(all="ignore"):
                want = reference(args[i].astype(np.longdouble))
            error = ulps(got["out%d" % i], want, dtype)
            worst = int(np.argmax(error))
            ok = error[worst] <= bound
            failed += not ok
            print("%s loop of %s %s: %.2f ulp at %r: got %r" % (
                "ok  " if ok else "FAIL", name, t, error[worst], args[i][worst],
                got["out%d" % i][worst]))
        # e^q / (1 + e^q): the argument's own rounding adds |q| ulp and more. The
        # quotient's error is the exponential's own where 1 + e^q rounds to 1.
        q = rng.uniform(-0.97 * top, 0, 40000).astype(dtype)
        k = np.array([[1], [0]], dtype)
        got = run(attn_run, out, "softmax" + t, softmax_module(t, len(q)),
                  [q[:, None], k])["out0"][:, 0]
        e = np.exp(q.astype(np.longdouble))
        error = ulps(got, e / (1 + e), dtype)
        size = np.abs(q.astype(float))
        far = size > -np.log(info.eps / 4)
        for where, bound, name in ((~far, 4 + 2 * size, "4 + 2 |x|"), (far, 2.5 + 1.25 * size, "2.5 + 1.25 |x|")):
            ratio = (error / bound)[where].max()
            ok = ratio <= 1
            failed += not ok
            print("%s softmax %s, %s: %.1f ulp, %.2f of the bound %s" % (
                "ok  " if ok else "FAIL", t, "far from 0" if where is far else "near 0", error[where].max(), ratio, name))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
