"""The smallest draw that still fails: choices are set back to the plainest."""


def shrink(choices, fails, budget=120):
    """`fails(replay)` tells if the draw with these choices still fails. Returns the
    choices with as many at 0 as were found in `budget` tries."""
    best = {name: number for name, number in choices.items() if number}
    # First in large pieces, then one by one.
    size = max(1, len(best) // 2)
    while budget > 0:
        changed = False
        names = sorted(best)
        for start in range(0, len(names), size):
            if budget <= 0:
                break
            piece = set(names[start:start + size])
            candidate = {n: v for n, v in best.items() if n not in piece}
            if len(candidate) == len(best):
                continue
            budget -= 1
            if fails(candidate):
                best, changed = candidate, True
        if size == 1 and not changed:
            break
        size = max(1, size // 2)
    return best
