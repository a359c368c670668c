"""Prints every published table of IO counts with attn-ledger's figures beside it.

The left figure of each cell is what the FlashAttention papers and re-derivations
of them give, the right one is asked of attn-ledger now. A cell that disagrees in
a digit that was published is marked, and makes the status 1."""
import json
import subprocess
import sys

wrong = 0


def ask(command, **options):
    words = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in options.items()]
    return json.loads(subprocess.run(["attn-ledger", command, "--json", *words], check=True, stdout=subprocess.PIPE).stdout)


def digits(text):
    """The digits after the point."""
    return len(text.partition(".")[2])


def cell(published, got):
    """Both figures, the second in the first one's digits."""
    global wrong
    published = str(published)
    # Halves are rounded up, as people do.
    ours = f"{got * (1 + 1e-12):.{digits(published)}f}" if isinstance(got, float) else str(got)
    wrong += ours != published
    return f"{published} | {ours}" + ("" if ours == published else "  DIFFERENT")


def table(title, header, rows):
    rows = [header, *rows]
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(header))]
    print(f"\n{title}")
    for row in rows:
        print("  " + "   ".join(str(text).ljust(width) for text, width in zip(row, widths)).rstrip())


def forward():
    rows = [
        (1024, 8912896, "8.5", 1466368, "1.4", "6.1", "30.1", "183.1"),
        (2048, 34603008, "33.0", 5341184, "5.1", "6.5", "31.0", "201.0"),
        (4096, 136314880, "130.0", 18710528, "17.8", "7.3", "31.5", "229.5"),
        (8192, 541065216, "516.0", 72744960, "69.4", "7.4", "31.8", "236.2"),
        (16384, 2155872256, "2056.0", 280363008, "267.4", "7.7", "31.9", "245.1"),
        (32768, 8606711808, "8208.0", 1113063424, "1061.5", "7.7", "31.9", "247.0"),
    ]
    report = ask("sweep-n", lengths=",".join(str(row[0]) for row in rows), k=64, br=64, bc=384, dtype="f16", target="a100")
    lines = []
    for row, step in zip(rows, report["rows"]):
        naive, paper = step["baseline"], step["tiled"]
        got = [naive["bytes"], naive["bytes"] / 2**20, paper["bytes"], paper["bytes"] / 2**20, step["ratio"], naive["intensity"], paper["intensity"]]
        lines.append([row[0], *map(cell, row[1:], got)])
    table("Forward, fp16, d 64, Bc 384 (published | attn-ledger)", ["N", "naive bytes", "MiB", "paper bytes", "MiB", "ratio", "naive FLOP/byte", "paper FLOP/byte"], lines)
    print("  balance of an A100, FLOP/byte: " + cell("200.6", report["balance"]))
    first = next(step["n"] for step in report["rows"] if step["tiled"]["bound"] == "compute")
    print("  paper bound by arithmetic from N " + cell(2048, first))


def both():
    rows = [
        (512, 3276800, 793600, "4.1"), (1024, 12320768, 2117632, "5.8"), (2048, 47710208, 7417856, "6.4"), (4096, 187695104, 25444352, "7.4"),
        (8192, 744488960, 97566720, "7.6"), (16384, 2965372928, 373358592, "7.9"), (65536, 47294971904, 5838733312, "8.1"),
    ]
    report = ask("sweep-n", lengths=",".join(str(row[0]) for row in rows), direction="both", initialisation=True, sram_elements=98304)
    lines = [[row[0], *map(cell, row[1:], [step["baseline"]["elements"], step["tiled"]["elements"], step["ratio"]])] for row, step in zip(rows, report["rows"])]
    table("Forward + backward, d 64, M 98304 elements", ["N", "standard", "flash", "ratio"], lines)
    ratios = ["0.1", "0.2", "0.3", "0.7", "1.4", "2.7", "5.2", "9.8", "17.7", "29.6"]
    report = ask("sweep-m", n=4096, initialisation=True)
    table("Standard / flash at N 4096 against M", ["M", "ratio"], [[step["sram_elements"], cell(ratio, step["ratio"])] for ratio, step in zip(ratios, report["rows"])])


def counted():
    lines = []
    for n, d, br, bc, fwd, bwd in [(64, 16, 16, 16, 16512, 26112), (100, 8, 7, 33, 13800, 20800), (256, 32, 32, 128, 76288, 123904), (512, 64, 64, 384, 300032, 493568)]:
        report = ask("shape", n=n, k=d, br=br, bc=bc, accounting="paper", initialisation=True)
        lines.append([n, d, br, bc, cell(fwd, report["forward"]["elements"]), cell(bwd, report["backward"]["elements"])])
    table("Counted by running, ragged sizes included", ["N", "d", "Br", "Bc", "forward", "backward"], lines)
    dense = ask("shape", n=1024, k=32, br=64, bc=64, accounting="paper", initialisation=True)
    causal = ask("shape", n=1024, k=32, br=64, bc=64, accounting="paper", initialisation=True, causal=True)
    long = ask("shape", n=4096, k=64, br=64, bc=64, causal=True)
    print("  causal, N 1024, blocks 64: visited " + cell(136, causal["blocks"]["visited"]) + " of " + cell(256, causal["blocks"]["total"])
          + ", traffic " + cell("0.56", causal["forward"]["elements"] / dense["forward"]["elements"]) + " of the dense run")
    skipped = 1 - long["blocks"]["visited"] / long["blocks"]["total"]
    print("  causal, N 4096, blocks 64: visited " + cell(2080, long["blocks"]["visited"]) + " of " + cell(4096, long["blocks"]["total"]) + ", skipped " + cell("49.2", 100 * skipped) + " %")


def roofline():
    report = {entry["accounting"]: entry for entry in ask("roofline")["accountings"]}
    paper = report["paper"]
    lines = []
    for name, gflop, gb, ms, bound in [("naive", "103.1", "3.15", "2.03", "bandwidth"), ("naive_eager", "103.1", "5.84", "3.75", "bandwidth"), ("paper", "120.3", "0.54", "0.385", "compute")]:
        entry = report[name]
        ratios = [entry["bytes"] / paper["bytes"], entry["time_ms"] / paper["time_ms"]]
        published = {"naive": ("5.8", "5.3"), "naive_eager": ("10.8", "9.7"), "paper": ("1.0", "1.0")}[name]
        lines.append([name, cell(gflop, entry["flops"] / 1e9), cell(gb, entry["bytes"] / 1e9), cell(ms, entry["time_ms"]), cell(bound, entry["bound"]), *map(cell, published, ratios)])
    table("GPT-2 medium's attention, forward + backward, A100", ["accounting", "GFLOP", "GB", "ms", "bound", "bytes / paper", "time / paper"], lines)


def memory():
    gib = 2**30
    rows = [(1024, "0.176", "0.035"), (4096, "2.39", "0.141"), (8192, "9.28", "0.281"), (32768, "145.1", "1.125")]
    report = ask("memory", lengths="1024,4096,8192,32768")["rows"]
    table("Kept per layer for the backward, GiB", ["N", "unfused", "fused"], [[row[0], cell(row[1], step["layer_unfused_bytes"] / gib), cell(row[2], step["layer_fused_bytes"] / gib)] for row, step in zip(rows, report)])
    print("  32 layers at 4096: " + cell("76.5", report[1]["model_unfused_bytes"] / gib) + ", " + cell("4.5", report[1]["model_fused_bytes"] / gib)
          + " GiB; at 32768: " + cell("4644", report[3]["model_unfused_bytes"] / gib) + ", " + cell("36", report[3]["model_fused_bytes"] / gib) + " GiB")
    report = ask("memory", heads=16, lengths="16384,32768,65536,131072")["rows"]
    rows = [("8", "2", "yes"), ("32", "4", "yes"), ("128", "8", "no"), ("512", "16", "no")]
    lines = []
    for (p, statistics, fits), step in zip(rows, report):
        lines.append([step["n"], cell(p, step["probability_bytes"] / gib), cell(statistics, step["statistics_bytes"] / 2**20), cell(fits, "yes" if step["probabilities_fit"] else "no")])
    table("P alone, 16 heads, 2 bytes", ["N", "P GiB", "m and l MiB", "P fits 80 GiB"], lines)


def side():
    report = ask("roofline")
    target = report["target"]
    print("\nSide figures of an A100")
    print("  memory TB/s " + cell("1.555", target["memory_bandwidth"] / 1e12) + ", SRAM TB/s " + cell("19", target["fast_bandwidth"] / 1e12)
          + ", ratio " + cell("12.2", target["fast_bandwidth"] / target["memory_bandwidth"]) + ", SRAM KiB " + cell("192", target["fast_bytes"] / 1024)
          + ", TFLOP/s " + cell("312", target["matrix_flops"] / 1e12))
    lead = report["lead_term_n2"]
    print("  leading term, N^2: " + cell("1.33", lead) + ", limit " + cell("8.3", 11 / lead))
    steps = ask("sweep-n", lengths="512,1024,4096,65536", br=64, bc=384)["rows"]
    blocks = [-(-step["n"] // step["tiling"]["key_block"][-1]) for step in steps]
    print("  key blocks at N 512, 1024, 4096, 65536: " + ", ".join(map(cell, [2, 3, 11, 171], blocks)))
    lines = []
    for (n, naive, paper), step in zip([(1024, "0.006", "0.001"), (4096, "0.088", "0.012"), (16384, "1.386", "0.180")], ask("sweep-n", lengths="1024,4096,16384", br=64, bc=384)["rows"]):
        lines.append([n, *(cell(want, step[which]["bytes"] / target["memory_bandwidth"] * 1e3) for want, which in [(naive, "baseline"), (paper, "tiled")])])
    table("Bandwidth alone, ms", ["N", "naive", "paper"], lines)
    small = ask("shape", n=4096, k=64, accounting="paper", sram_elements=48 * 1024 // 2)["tiling"]
    print("  SRAM of 48 KiB: Bc " + cell(96, small["key_block"][-1]) + ", Br " + cell(64, small["query_block"][-1]))


for part in (forward, both, counted, roofline, memory, side):
    part()
print(f"\n{wrong} different")
sys.exit(wrong != 0)
