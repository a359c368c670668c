"""One function per picture. Each asks attn.ledger for its numbers, with the
caller's keywords passed on as the tool's options."""
import json

from .. import ledger
from . import style

__all__ = ["FIGURES", "intensity", "memory", "tiling", "traffic_m", "traffic_n", "tuned"]

# A tile that every GPU of the table holds, so that all lengths have the same.
BLOCK = {"br": 128, "bc": 128}
LENGTHS = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]


def tiling(n=1024, br=128, bc=128, causal=True, **options):
    """Which blocks of the score matrix a tiling visits, and in which order."""
    account = ledger.shape(n=n, br=br, bc=bc, causal=causal, map=True, **options)
    lines, blocks = account["map"], account["blocks"]
    colours = {"#": style.FUSED, "+": "#9db7d9", ".": style.FAINT}
    figure, axes = style.figure(4.6, 4.6)
    from matplotlib.patches import Patch, Rectangle

    order = 0
    label = len(lines) <= 16 and max(map(len, lines)) <= 16
    for row, line in enumerate(lines):
        for column, kind in enumerate(line):
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colours[kind], edgecolor="white"))
            if kind != "." and label:
                axes.text(column + 0.5, row + 0.5, str(order), ha="center", va="center", fontsize=7, color="white" if kind == "#" else "black")
            order += kind != "."
    axes.set_xlim(0, max(map(len, lines)))
    axes.set_ylim(len(lines), 0)
    axes.set_aspect("equal")
    problem = account["problem"]
    axes.set_xlabel(f"key blocks of {account['tiling']['key_block'][-1]} ({problem['n']} keys)")
    axes.set_ylabel(f"query blocks of {account['tiling']['query_block'][-1]} ({problem['m']} queries)")
    skipped = 1 - blocks["visited"] / blocks["total"] if blocks["total"] else 0
    axes.set_title(f"{blocks['visited']} of {blocks['total']} blocks visited, {100 * skipped:.1f} % skipped", fontsize=10)
    axes.legend(
        handles=[
            Patch(color=colours["#"], label="every key visible: no mask code"),
            Patch(color=colours["+"], label="masked"),
            Patch(color=colours["."], label="skipped"),
        ],
        loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3, fontsize=7, frameon=False,
    )
    return figure


def traffic_n(lengths=None, **options):
    """Elements moved against the sequence length, by accounting."""
    lengths = lengths or LENGTHS
    figure, axes = style.figure()
    paper = ledger.sweep_n(lengths=lengths, accounting="paper", **options)
    ours = ledger.sweep_n(lengths=lengths, accounting="q_outer", **{**BLOCK, **options})
    series = [
        ("naive: S and P in memory", style.UNFUSED, [row["baseline"]["elements"] for row in paper["rows"]]),
        ("paper: key blocks outside", style.SECOND, [row["tiled"]["elements"] for row in paper["rows"]]),
        ("q_outer: query blocks outside", style.FUSED, [row["tiled"]["elements"] for row in ours["rows"]]),
    ]
    for name, colour, values in series:
        axes.plot(lengths, values, "o-", color=colour, label=name, markersize=4)
    axes.set_yscale("log")
    style.log_lengths(axes, lengths)
    axes.set_ylabel("elements moved per head")
    axes.set_title(f"Traffic against length ({paper['direction']}, {paper['target']})", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    return figure


def traffic_m(n=4096, **options):
    """How much less the paper's algorithm moves than the unfused, against the
    size of fast memory."""
    sweep = ledger.sweep_m(n=n, initialisation=True, **options)
    sizes = [row["sram_elements"] for row in sweep["rows"]]
    figure, axes = style.figure()
    axes.plot(sizes, [row["ratio"] for row in sweep["rows"]], "o-", color=style.FUSED, label="naive / paper", markersize=4)
    axes.axhline(1, color=style.LIMIT, linewidth=0.8, linestyle="--", label="no gain")
    axes.set_yscale("log")
    style.log_lengths(axes, sizes, "elements of fast memory M")
    axes.set_ylabel("times less traffic")
    axes.set_title(f"Gain against fast memory, N {n} ({sweep['direction']})", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    return figure


def intensity(lengths=None, **options):
    """FLOP per byte against the sequence length, and the machine's balance."""
    lengths = lengths or LENGTHS
    figure, axes = style.figure()
    paper = ledger.sweep_n(lengths=lengths, accounting="paper", **options)
    ours = ledger.sweep_n(lengths=lengths, accounting="q_outer", **{**BLOCK, **options})
    for name, colour, values in [
        ("naive", style.UNFUSED, [row["baseline"]["intensity"] for row in paper["rows"]]),
        ("paper", style.SECOND, [row["tiled"]["intensity"] for row in paper["rows"]]),
        ("q_outer", style.FUSED, [row["tiled"]["intensity"] for row in ours["rows"]]),
    ]:
        axes.plot(lengths, values, "o-", color=colour, label=name, markersize=4)
    axes.axhline(paper["balance"], color=style.LIMIT, linewidth=0.8, linestyle="--", label=f"balance of {paper['target']}: {paper['balance']:.1f}")
    axes.set_yscale("log")
    style.log_lengths(axes, lengths)
    axes.set_ylabel("FLOP per byte of the large memory")
    axes.set_title("Above the dashed line: bound by arithmetic", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    return figure


def memory(lengths=None, budget=80, **options):
    """Activations a model keeps for the backward, and a machine's memory."""
    lengths = lengths or [1024, 2048, 4096, 8192, 16384, 32768]
    report = ledger.memory(lengths=lengths, budget=budget, **options)
    gib = 2.0**30
    figure, axes = style.figure()
    for name, colour, field in [
        ("unfused: P kept", style.UNFUSED, "model_unfused_bytes"),
        ("fused: P recomputed", style.FUSED, "model_fused_bytes"),
    ]:
        axes.plot(lengths, [row[field] / gib for row in report["rows"]], "o-", color=colour, label=name, markersize=4)
    axes.axhline(report["budget_bytes"] / gib, color=style.LIMIT, linewidth=0.8, linestyle="--", label=f"budget {budget:g} GiB")
    axes.set_yscale("log")
    style.log_lengths(axes, lengths)
    model = report["model"]
    axes.set_ylabel("GiB kept for the backward")
    axes.set_title(f"{model['layers']} layers, width {model['model_dim']}, {model['heads']} heads", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    return figure


def tuned(table):
    """Measured against predicted time of every candidate. `table`: what
    ledger.tune returned, or the path of its JSON or of the whole report's."""
    if not isinstance(table, list):
        with open(table, encoding="utf-8") as file:
            table = json.load(file)
    if isinstance(table, dict):  # a whole report
        table = table["tune"]
    figure, axes = style.figure()
    least, most = float("inf"), 0.0
    for number, record in enumerate(table):
        x = [candidate["predicted_ms"] / record["best_ms"] for candidate in record["candidates"]]
        y = [candidate["ms"] / record["best_ms"] for candidate in record["candidates"]]
        colour = f"C{number % 10}"
        axes.plot(x, y, ".", color=colour, markersize=4, label=f"{_short(record['problem'])}: +{100 * record['loss']:.1f} %, {record['spearman']:.2f}")
        picks = [candidate for candidate in record["candidates"] if candidate["tiling"] == record["pick"]]
        axes.plot([c["predicted_ms"] / record["best_ms"] for c in picks], [c["ms"] / record["best_ms"] for c in picks], "o", markerfacecolor="none", color=colour, markersize=8)
        least, most = min([least, *x, *y]), max([most, *x, *y])
    axes.plot([least, most], [least, most], color=style.LIMIT, linewidth=0.8, linestyle="--")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("predicted time / best measured")
    axes.set_ylabel("measured time / best")
    axes.set_title("Every candidate; circles: the picks (above the best by, Spearman)", fontsize=9)
    axes.legend(fontsize=6, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.set_size_inches(9.2, 4.4)
    return figure


def _short(problem):
    """A problem's text without what most have in common."""
    words = [word for word in problem.partition(" mask=")[0].split() if not word.startswith("value=")]
    return " ".join(words[1:]) + (" masked" if "mask=" in problem else "")


FIGURES = {
    "tiling": tiling,
    "traffic-n": traffic_n,
    "traffic-m": traffic_m,
    "intensity": intensity,
    "memory": memory,
}
