"""Prints what attn.ledger returns for a few questions."""
import sys

from attn import ledger

print("naive", ledger.sweep_n(lengths=[2048])["rows"][0]["baseline"]["elements"])
print("visited", ledger.shape(n=1024, k=32, br=64, bc=64, causal=True)["blocks"]["visited"])
print("of file", ledger.of_file(sys.argv[1])[0]["accounting"])
print("tuned", ledger.tune(sys.argv[1], threads=1)[0]["loss"] >= 0)
try:
    ledger.shape(dtype="fp8")
except ledger.LedgerError as error:
    print("refused", error)
try:
    ledger.find_tool("attn-none")
except FileNotFoundError as error:
    print("missing", error)
