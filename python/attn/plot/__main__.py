"""python -m attn.plot: writes pictures of the ledger as PNG and SVG."""
import argparse
import importlib.util
import pathlib
import sys

from .. import ledger


def _parse():
    from .figures import FIGURES

    names = [*FIGURES, "tuned"]
    parser = argparse.ArgumentParser(prog="python -m attn.plot", description="Writes pictures of the IO ledger as PNG and SVG.")
    parser.add_argument("pictures", nargs="*", metavar="PICTURE", help=f"which (default: all): {', '.join(names)}")
    parser.add_argument("--out", default=".", help="folder to write to (default: this one)")
    parser.add_argument("--table", help="for 'tuned': the JSON of attn-run --tune --json, or a list of its tune entries")
    parser.add_argument("--dpi", type=int, default=110, help="of the PNGs (default 110)")
    options = parser.parse_args()
    for name in options.pictures:
        if name not in names:
            parser.error(f"expected a picture among {', '.join(names)}, got '{name}'")
    if "tuned" in options.pictures and not options.table:
        parser.error("picture 'tuned' needs --table=FILE, what attn-run --tune --json printed")
    if not 10 <= options.dpi <= 1000:
        parser.error(f"expected --dpi from 10 to 1000, got {options.dpi}")
    options.pictures = options.pictures or [*FIGURES, *(["tuned"] if options.table else [])]
    return parser, options


def main():
    parser, options = _parse()
    if not importlib.util.find_spec("matplotlib"):
        parser.error("matplotlib is not installed: pip install matplotlib")
    from .figures import FIGURES, tuned

    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.pictures:
        try:
            figure = tuned(options.table) if name == "tuned" else FIGURES[name]()
        except (ledger.LedgerError, FileNotFoundError) as error:
            sys.exit(f"attn.plot: {name}: {error}")
        figure.savefig(folder / f"{name}.png", dpi=options.dpi)
        figure.savefig(folder / f"{name}.svg")
        print(folder / f"{name}.png", folder / f"{name}.svg")


main()
