"""Pictures of the ledger.

    python -m attn.plot --out DIR            every picture, as PNG and SVG
    python -m attn.plot tiling intensity     some of them
    python -m attn.plot tuned --table F.json timings that attn-run --tune-out kept

In Python each picture is a function that returns a matplotlib Figure:

    from attn import plot
    plot.tiling(n=1024, br=128, bc=128, causal=True).savefig("tiling.png")

The figures' numbers are attn.ledger's; nothing is computed here but axes.
"""
from .figures import FIGURES, intensity, memory, tiling, traffic_m, traffic_n, tuned

__all__ = ["FIGURES", "intensity", "memory", "tiling", "traffic_m", "traffic_n", "tuned"]
