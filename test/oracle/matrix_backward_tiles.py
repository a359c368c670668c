"""The same for gradients whose products a CPU's matrix unit makes: operands are of
one type, rows and keys enough for it, blocks whole and ragged.

matrix_backward_tiles.py [--type f32]: further options as those of matrix.py.
"""

import argparse
import sys

import draw
import matrix
import matrix_backward

draw.SIZES.update(row=[9, 13, 17, 32, 45, 70], key=[9, 16, 32, 37, 64, 150, 201], depth=[1, 2, 5, 8, 16, 33],
                  value=[1, 3, 4, 7, 16])
parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--type", default="bf16")
options, sys.argv[1:] = parser.parse_known_args()


def case(seed):
    case = matrix_backward.case(seed)
    case["types"] = dict.fromkeys("qkvo", options.type)
    # The unit's depth and values are of known size.
    case["dynamic"] = [d for d in case["dynamic"] if d[0] not in "kd"]
    pick = draw.Draw(seed + 1).pick
    case["tiling"].update(query_block=[pick([2, 16, 16, 32, 40, 80]) for _ in case["tiling"]["query_block"]],
                          key_block=[pick([1, 16, 32, 40, 64, 176]) for _ in case["tiling"]["key_block"]])
    return case


if __name__ == "__main__":
    matrix.main(case, matrix_backward.check)
