"""Attentions in every variation that the CPU lowering must get right.

variants.py ATTN_RUN DIR [--type=T] [--target=T] [NAME...]: writes each variant to DIR, runs it by
`attn-run --check` (the oracle is attn-decompose: scores and probabilities as
tensors, lowered by upstream passes) under several tilings, and prints a line for
each. Exits 1 if one disagrees. T is the element type where a variant is about
something else.
"""
import os
import subprocess
import sys

LARGE = "query_block=160,key_block=256"
SMALL = "query_block=16,key_block=16"
TYPE = "f32"


def attention(dims, types, maps, body="", attrs="scale = 0.3", score="",
              extras="", symbols="", blocks="", args="", result=None, lse=None):
    """One function. types: of q, k, v, o; maps: of all operands in order."""
    q, k, v, o = types
    outs, out_types, results = "%init", [o], "%o"
    empties = "  %%init = tensor.empty(%s) : %s\n" % (result or "", o)
    if lse:
        empties += "  %%l = tensor.empty() : %s\n" % lse
        outs, results = "%init, %l", "%o:2"
        out_types.append(lse)
    names = "%o" if not lse else "%o#0, %o#1"
    rtypes = ", ".join(out_types)
    text = "func.func @main(%%q: %s, %%k: %s, %%v: %s%s) -> (%s) {\n" % (
        q, k, v, ", " + args if args else "", rtypes)
    text += body + empties
    text += "  %s = attn.attention {%s}\n" % (results, attrs)
    text += "    maps = [%s]\n" % ", ".join(
        ("(%s) -> (%s)" if i == 0 else "-> (%s)") % ((dims, m) if i == 0 else m)
        for i, m in enumerate(maps))
    text += "    ins(%%q, %%k, %%v : %s, %s, %s)" % (q, k, v)
    for name, operands in (("extras", extras), ("symbols", symbols),
                           ("blocks", blocks)):
        if operands:
            text += " %s(%s)" % (name, operands)
    text += " outs(%s : %s)" % (outs, rtypes)
    if score:
        text += "\n    score %s" % score
    return text + "\n  return %s : %s\n}\n" % (names, rtypes)


def tensor(*shape_type):
    return "tensor<%s>" % "x".join(str(x) for x in shape_type)


def simple(m=37, n=45, k=8, d=8, t=None, h=2, visible="", attrs="", lse=True,
           extra="", extra_map=None, score="", args=""):
    """batch h, rows m, keys n."""
    t = t or TYPE
    q, kk, v = tensor(h, m, k, t), tensor(h, n, k, t), tensor(h, n, d, t)
    o = tensor(h, m, d, t)
    acc = "f64" if t == "f64" else "f32"
    maps = ["h, m, k", "h, n, k", "h, n, d"]
    if extra_map is not None:
        maps += extra_map
    maps += ["h, m, d"] + (["h, m"] if lse else [])
    a = "scale = 0.3"
    if visible:
        a += ", visible = [%s]" % ", ".join(
            "affine_set<(h, m, n)[H, M, N] : (%s)>" % s for s in visible)
    if attrs:
        a += ", " + attrs
    return attention("h, m, n, k, d", (q, kk, v, o), maps, attrs=a, score=score,
                     extras=extra, args=args,
                     lse=tensor(h, m, acc) if lse else None)


def variants():
    yield "plain", simple()
    for t in ("f64", "f16", "bf16"):
        yield t, simple(t=t)
        yield t + "_odd", simple(m=19, n=33, k=7, d=21, t=t)
    yield "one", simple(m=1, n=1, k=1, d=1, h=1)
    yield "no_keys", simple(n=0, attrs="empty_rows = zero")
    yield "no_keys_nan", simple(n=0, attrs="empty_rows = nan")
    yield "no_depth", simple(k=0)
    yield "one_row", simple(m=1, n=61, k=16, d=16)
    yield "one_row_bf16", simple(m=1, n=61, k=16, d=16, t="bf16")
    yield "wide", simple(m=70, n=130, k=80, d=112)
    yield "wide_f64", simple(m=70, n=131, k=33, d=47, t="f64")
    yield "wide_bf16", simple(m=70, n=131, k=64, d=80, t="bf16")
    yield "causal", simple(visible=["m - n >= 0"])
    yield "strict_causal", simple(visible=["m - n - 1 >= 0"])
    yield "strict_causal_zero", simple(visible=["m - n - 1 >= 0"],
                                       attrs="empty_rows = zero")
    yield "union", simple(visible=["m - n == 0", "n - m - 7 >= 0", "m - n - 9 >= 0, n >= 0"])
    yield "modulo", simple(visible=["(n floordiv 5) mod 2 - m mod 2 == 0"])
    yield "nothing", simple(visible=["0 - 1 >= 0"], attrs="empty_rows = zero")
    yield "replace", simple(visible=["m - n >= 0"], attrs="hidden = replace(-3.0)")
    yield "replace_all", simple(visible=["m - n - 5 >= 0"],
                                attrs="hidden = replace(-3.4028234663852886e+38)")
    large = ("(%s: f32) { %c = arith.constant 1.0e+30 : f32 %x = arith.mulf %s, %c : f32 "
             "attn.yield %x : f32 }")
    yield "large_scores", simple(score=large)
    yield "negative_scale", simple(attrs="").replace("scale = 0.3", "scale = -0.4")
    yield "zero_scale", simple(attrs="").replace("scale = 0.3", "scale = 0.0")
    cap = ("(%s: f32) { %c = arith.constant 2.0 : f32 %x = arith.divf %s, %c : f32 "
           "%t = math.tanh %x : f32 %y = arith.mulf %t, %c : f32 attn.yield %y : f32 }")
    yield "softcap", simple(score=cap)
    both = "(%s: f32, %b: f32) { %x = arith.addf %s, %b : f32 attn.yield %x : f32 }"
    yield "bias", simple(args="%bias: tensor<2x37x45xf32>", extra="%bias : tensor<2x37x45xf32>",
                         extra_map=["h, m, n"], score=both)
    yield "bias_transposed", simple(args="%bias: tensor<45x37xf32>", extra="%bias : tensor<45x37xf32>",
                                    extra_map=["n, m"], score=both)
    yield "bias_rows", simple(args="%bias: tensor<37xf32>", extra="%bias : tensor<37xf32>",
                              extra_map=["m"], score=both)
    yield "bias_keys", simple(args="%bias: tensor<2x45xf32>", extra="%bias : tensor<2x45xf32>",
                              extra_map=["h, n"], score=both)
    yield "bias_head", simple(args="%bias: tensor<2xf32>", extra="%bias : tensor<2xf32>",
                              extra_map=["h"], score=both)
    yield "bias_scalar", simple(args="%bias: f32", extra="%bias : f32", extra_map=[""], score=both)
    yield "bias_divided", simple(args="%bias: tensor<8x15xf32>", extra="%bias : tensor<8x15xf32>",
                                 extra_map=["m floordiv 5, n floordiv 3"], score=both)
    yield "bias_mod", simple(args="%bias: tensor<1x4xf32>", extra="%bias : tensor<1x4xf32>",
                             extra_map=["0, n mod 4"], score=both)
    half = ("(%s: f32, %b: f16) { %e = arith.extf %b : f16 to f32 "
            "%x = arith.addf %s, %e : f32 attn.yield %x : f32 }")
    yield "bias_f16", simple(args="%bias: tensor<2x37x45xf16>", extra="%bias : tensor<2x37x45xf16>",
                             extra_map=["h, m, n"], score=half)
    mask = ("(%s: f32, %b: i1) { %c = arith.constant -1.0e+09 : f32 "
            "%x = arith.select %b, %s, %c : f32 attn.yield %x : f32 }")
    yield "mask", simple(args="%bias: tensor<2x37x45xi1>", extra="%bias : tensor<2x37x45xi1>",
                         extra_map=["h, m, n"], score=mask)
    yield "mask_keys", simple(args="%bias: tensor<2x45xi1>", extra="%bias : tensor<2x45xi1>",
                              extra_map=["h, n"], score=mask)
    alibi = ("(%s: f32) { %m = attn.index 1 : index %n = attn.index 2 : index "
             "%i = arith.subi %n, %m : index %j = arith.index_cast %i : index to i64 "
             "%f = arith.sitofp %j : i64 to f32 %c = arith.constant 0.125 : f32 "
             "%g = arith.mulf %f, %c : f32 %x = arith.addf %s, %g : f32 attn.yield %x : f32 }")
    yield "alibi", simple(score=alibi, visible=["m - n >= 0"])
    keep = ("(%s: f32, %a: i64, %o: i64) { %z = attn.keep %a, %o {p = 0.3} : f32 "
            "attn.yield %s, %z : f32, f32 }")
    for t in ("f32", "f16", "bf16"):
        yield "dropout_" + t, simple(t=t, args="%seed: i64, %off: i64", extra="%seed, %off : i64, i64",
                                     extra_map=["", ""], score=keep)
    functions = ("(%s: f32) { %a = math.exp %s : f32 %b = math.log1p %a : f32 "
                 "%c = math.log %a : f32 %d = math.exp2 %c : f32 %x = arith.addf %b, %d : f32 "
                 "attn.yield %x : f32 }")
    yield "functions", simple(score=functions)

    # Blocks whose rows are folded in groups, each with the keys that it sees.
    large = dict(m=170, n=300, h=1)
    window = ["m + 130 - n >= 0, n - m - 70 >= 0"]
    yield "groups", simple(**large)
    # Rows that fill tiles of a matrix unit, but not the blocks of these.
    yield "groups_48", simple(m=48, n=96, h=1)
    yield "groups_80", simple(m=80, n=96, h=1, visible=["m - n + 40 >= 0"])
    yield "groups_causal", simple(visible=["m - n >= 0"], **large)
    yield "groups_blind", simple(visible=["m - n - 90 >= 0"], attrs="empty_rows = zero", **large)
    yield "groups_union", simple(visible=["m - n >= 0", "n - m - 100 >= 0, 220 - n >= 0"], **large)
    yield "groups_replace", simple(visible=["m - n >= 0"], attrs="hidden = replace(-3.0)", **large)
    for t in ("f32", "f64", "bf16"):
        yield "groups_window_" + t, simple(t=t, visible=window, **large)
    yield "groups_bias", simple(args="%bias: tensor<170x300xf32>", extra="%bias : tensor<170x300xf32>",
                                extra_map=["m, n"], score=both, visible=window, **large)

    # Roles and layouts.
    yield "transposed", attention(
        "h, m, n, k, d",
        (tensor(37, 2, 8, "f32"), tensor(8, 2, 45, "f32"), tensor(2, 24, 45, "f32"),
         tensor(24, 37, 2, "f32")),
        ["m, h, k", "k, h, n", "h, d, n", "d, m, h"])
    yield "transposed_bf16", attention(
        "h, m, n, k, d",
        (tensor(37, 2, 8, "bf16"), tensor(8, 2, 45, "bf16"), tensor(2, 24, 45, "bf16"),
         tensor(24, 37, 2, "bf16")),
        ["m, h, k", "k, h, n", "h, d, n", "d, m, h"])
    for t in ("f32", "bf16"):
        yield "grouped_" + t, attention(
            "b, h, g, m, n, k, d",
            (tensor(2, 2, 3, 19, 8, t), tensor(2, 2, 23, 8, t), tensor(2, 2, 23, 16, t),
             tensor(2, 2, 3, 19, 16, t)),
            ["b, h, g, m, k", "b, h, n, k", "b, h, n, d", "b, h, g, m, d"],
            attrs="scale = 0.3, visible = [affine_set<(b, h, g, m, n)[B, H, G, M, N] : (m + g - n >= 0)>]")
    yield "decode_grouped", attention(
        "h, g, m, n, k, d",
        (tensor(2, 4, 1, 32, "f32"), tensor(2, 77, 32, "f32"), tensor(2, 77, 32, "f32"),
         tensor(2, 4, 1, 32, "f32")),
        ["h, g, m, k", "h, n, k", "h, n, d", "h, g, m, d"])
    yield "no_rows", attention(
        "n, k, d", (tensor(8, "f32"), tensor(45, 8, "f32"), tensor(45, 8, "f32"),
                    tensor(8, "f32")), ["k", "n, k", "n, d", "d"])
    yield "no_depth_dim", attention(
        "m, n, d", (tensor(9, "f32"), tensor(45, "f32"), tensor(45, 8, "f32"),
                    tensor(9, 8, "f32")), ["m", "n", "n, d", "m, d"])
    yield "no_value_dim", attention(
        "m, n, k", (tensor(9, 8, "f32"), tensor(45, 8, "f32"), tensor(45, "f32"),
                    tensor(9, "f32")), ["m, k", "n, k", "n", "m"])
    yield "many_dims", attention(
        "i, j, p, q, a, b, c, e",
        (tensor(3, 5, 4, 2, "f32"), tensor(4, 2, 6, 7, "f32"), tensor(6, 7, 3, 5, "f32"),
         tensor(3, 5, 3, 5, "f32")),
        ["i, j, a, b", "a, b, p, q", "p, q, c, e", "i, j, c, e"],
        attrs="scale = 0.3, visible = [affine_set<(i, j, p, q)[I, J, P, Q] : (i + j + 3 - p + q >= 0)>]")
    yield "many_dims_bf16", attention(
        "i, j, p, q, a, b, c, e",
        (tensor(3, 5, 4, 2, "bf16"), tensor(4, 2, 6, 7, "bf16"), tensor(6, 7, 3, 5, "bf16"),
         tensor(3, 5, 3, 5, "bf16")),
        ["i, j, a, b", "a, b, p, q", "p, q, c, e", "i, j, c, e"])
    yield "shared_query", attention(  # a batch dim without queries
        "h, m, n, k, d",
        (tensor(19, 8, "f32"), tensor(2, 23, 8, "f32"), tensor(2, 23, 8, "f32"),
         tensor(2, 19, 8, "f32")), ["m, k", "h, n, k", "h, n, d", "h, m, d"])
    yield "lengths", attention(
        "b, m, n, k, d",
        (tensor(3, 19, 8, "f32"), tensor(3, 33, 8, "f32"), tensor(3, 33, 8, "f32"),
         tensor(3, 19, 8, "f32")),
        ["b, m, k", "b, n, k", "b, n, d", "b", "b, m, d"],
        attrs="scale = 0.3, visible = [affine_set<(b, m, n)[B, M, N, L] : (L + 4 - n >= 0)>]",
        args="%s: tensor<3xi32>", symbols="%s : tensor<3xi32>")
    yield "blocks", attention(
        "b, m, n, k, d",
        (tensor(3, 19, 8, "f32"), tensor(3, 33, 8, "f32"), tensor(3, 33, 8, "f32"),
         tensor(3, 19, 8, "f32")),
        ["b, m, k", "b, n, k", "b, n, d", "b, m floordiv 4, n floordiv 8", "b, m, d"],
        attrs="scale = 0.3, empty_rows = zero",
        args="%s: tensor<3x5x5xi1>", blocks="%s : tensor<3x5x5xi1>")
    mixed = attention(
        "m, n, k, d", (tensor(19, 8, "f16"), tensor(33, 8, "bf16"), tensor(33, 8, "f32"),
                       tensor(19, 8, "f32")), ["m, k", "n, k", "n, d", "m, d"])
    yield "mixed_types", mixed


def run(attn_run, path, *options):
    done = subprocess.run([attn_run, path, "--check", *options],
                          capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    note = [l for l in lines if l.startswith("error ")] or lines[-1:]
    return done.returncode, note[0] if note else ""


def main():
    global TYPE
    attn_run, out, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    if names and names[0].startswith("--type="):
        TYPE = names.pop(0).split("=")[1]
    target = [names.pop(0)] if names and names[0].startswith("--target=") else []
    os.makedirs(out, exist_ok=True)
    failed = 0
    for name, text in variants():
        if names and name not in names:
            continue
        path = os.path.join(out, name + ".mlir")
        with open(path, "w") as file:
            file.write(text)
        tilings = ["--tiling=" + SMALL]
        if name.startswith("groups"):
            tilings.append("--tiling=" + LARGE)
        for options in ([], *([t] for t in tilings)):
            code, note = run(attn_run, path, *target, *options)
            print("%-4s %-20s %-34s %s" % ("ok" if code == 0 else "FAIL", name,
                                           " ".join(options), note), flush=True)
            failed += code != 0
    print("%d failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
