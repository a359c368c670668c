"""Checks that pictures hold the series that the ledger printed, by values that
other tests know from the literature, and that files appear."""
import json
import os
import pathlib
import subprocess
import sys

package = pathlib.Path(__file__).parents[3] / "python"
sys.path.insert(0, str(package))
from attn import plot  # noqa: E402


def series(figure):
    """The lines of a figure's only axes, by label."""
    (axes,) = figure.axes
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines}


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: expected {want}, got {got}")
    print("right:", what)


lengths = [1024, 2048]
lines = series(plot.traffic_n(lengths=lengths))
expect("naive against N", lines["naive: S and P in memory"], (lengths, [4456448, 17301504]))
expect("paper against N", lines["paper: key blocks outside"], (lengths, [733184, 2670592]))
# Q, O, LSE once, K and V once for each of the 8 (16) query blocks.
expect("q_outer against N", lines["q_outer: query blocks outside"][1], [2 * n * 64 + n + 2 * (n // 128) * n * 64 for n in lengths])

lines = series(plot.intensity(lengths=lengths))
expect("intensity of naive", [round(y, 1) for y in lines["naive"][1]], [30.1, 31.0])
expect("intensity of paper", [round(y, 1) for y in lines["paper"][1]], [183.1, 201.0])
expect("balance", [round(y, 1) for y in lines["balance of a100: 200.6"][1]], [200.6, 200.6])

lines = series(plot.traffic_m(sram_sizes=[1024, 16384]))
expect("gain against M", [round(y, 1) for y in lines["naive / paper"][1]], [0.1, 1.4])

lines = series(plot.memory(lengths=[4096, 32768]))
expect("memory unfused", [round(y, 1) for y in lines["unfused: P kept"][1]], [76.5, 4644.0])
expect("memory fused", lines["fused: P recomputed"][1], [4.5, 36.0])
expect("budget", lines["budget 80 GiB"][1], [80, 80])

figure = plot.tiling(n=1024, br=64, bc=64)
expect("visited blocks", figure.axes[0].get_title(), "136 of 256 blocks visited, 46.9 % skipped")
faces = [patch.get_facecolor() for patch in figure.axes[0].patches]
expect("squares", len(faces), 256)
expect("kinds of squares", sorted(faces.count(face) for face in set(faces)), [16, 120, 120])

record = {
    "problem": "fwd f32 rows=8", "best_ms": 1.0, "loss": 0.0, "spearman": 1.0, "pick": "a",
    "candidates": [{"tiling": "a", "ms": 1.0, "predicted_ms": 0.5}, {"tiling": "b", "ms": 3.0, "predicted_ms": 2.0}],
}
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
(folder / "tuned.json").write_text(json.dumps([record]))
lines = series(plot.tuned(str(folder / "tuned.json")))
expect("tuned against predicted", lines["f32 rows=8: +0.0 %, 1.00"], ([0.5, 2.0], [1.0, 3.0]))

environment = {**os.environ, "PYTHONPATH": str(package)}
command = [sys.executable, "-m", "attn.plot", "--out", str(folder), "--table", str(folder / "tuned.json")]
subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
files = sorted(path.name for path in folder.iterdir() if path.suffix in (".png", ".svg") and path.stat().st_size > 1000)
expect("files", files, sorted(f"{name}.{kind}" for name in [*plot.FIGURES, "tuned"] for kind in ("png", "svg")))
wrong = subprocess.run([*command, "tilng"], env=environment, capture_output=True, text=True, check=False)
print(wrong.returncode, wrong.stderr.splitlines()[-1])
