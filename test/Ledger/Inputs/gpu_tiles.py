"""Prints the cost model's tiles for GPUs beside FlashAttention's published ones.

Forward, fp16, long sequences, not causal: rows x keys and warps. A tile is a
neighbour if it is one step away in one of them, steps of keys being 32, of rows
and warps factors of 2. Published: Dao-AILab/flash-attention, the tables of
flash_fwd_launch_template.h (2) and hopper/tile_size.h (3, for sm_8x).

gpu_tiles.py [PAGE]: every line of the table must be in PAGE."""
import json
import subprocess
import sys

PUBLISHED = {
    "a100": {64: [(128, 128, 4), (128, 112, 4)], 96: [(128, 64, 4)], 128: [(128, 64, 4)], 192: [(128, 64, 8), (128, 96, 8)], 256: [(128, 64, 8), (128, 96, 8)]},
    "rtx3090": {64: [(128, 128, 4)], 96: [(128, 64, 4)], 128: [(128, 32, 4)], 192: [(128, 64, 8)], 256: [(64, 64, 4)]},
    "h100": {64: [(128, 128, 4)], 96: [(128, 64, 4)], 128: [(128, 64, 4)], 192: [(128, 64, 8)], 256: [(64, 64, 4)]},
}


def ask(target, d):
    command = ["attn-ledger", "tiles", "--json", f"--target={target}", "--batch=4", "--heads=16", "--n=8192", "--top=1", f"--k={d}"]
    entry = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["tilings"][0]
    warps = int(entry["text"].split("warps=")[1].split(",")[0])
    for level in entry["levels"]:
        assert not level["hard"] or level["used"] <= level["limit"], level
    return (entry["tiling"]["query_block"][-1], entry["tiling"]["key_block"][-1], warps), entry


def steps(a, b):
    return (a[0] != b[0]) + round(abs(a[1] - b[1]) / 32) + (a[2] != b[2])


def spell(tile):
    return f"{tile[0]}x{tile[1]} {tile[2]}"


page = open(sys.argv[1], encoding="utf-8").read().splitlines() if len(sys.argv) > 1 else None
same = near = rows = 0
print("| target | head dim | ours | FlashAttention-2 / -3 | | thread arrays per multiprocessor | limited by | registers |")
print("|---|---|---|---|---|---|---|---|")
for target, dims in PUBLISHED.items():
    for d, tiles in dims.items():
        ours, entry = ask(target, d)
        distance = min(steps(ours, tile) for tile in tiles)
        rows, same, near = rows + 1, same + (distance == 0), near + (distance == 1)
        registers = next(level["used"] for level in entry["levels"] if level["level"] == "registers per thread")
        note = {0: "same", 1: "neighbour"}.get(distance, "further")
        line = (f"| {target} | {d} | {spell(ours)} | {' / '.join(map(spell, tiles))} | {note} | {entry['resident_blocks']} | {entry['resident_limit']} | {registers} |")
        print(line + ("" if page is None or line in page else "  NOT ON THE PAGE"))
print(f"\nthe same in {same} of {rows}, a neighbour in {near} more")
