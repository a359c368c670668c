"""What the pictures have in common: colours that mean the same in each of them,
sizes, and an empty Figure without any global state of matplotlib's."""

UNFUSED = "#c44e52"  # what goes through memory
FUSED = "#4c72b0"  # what the tiled code moves
SECOND = "#55a868"  # another tiled accounting
LIMIT = "#333333"  # of a machine
FAINT = "#e6e6e6"


def figure(width=5.6, height=3.6):
    """A Figure with one Axes."""
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    axes = made.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return made, axes


def log_lengths(axes, lengths, label="sequence length N"):
    """A logarithmic axis whose ticks are the lengths themselves."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [f"{n // 1024}k" if n >= 1024 and n % 1024 == 0 else str(n) for n in lengths])
    axes.minorticks_off()
    axes.set_xlabel(label)
