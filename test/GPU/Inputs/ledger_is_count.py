"""ledger_is_count.py REPORT.json: the operands whose elements moved, as the emulator counted
them, are the ledger's; in the report of `attn-run --count-io --json`."""
import json
import sys

report = json.load(open(sys.argv[1]))
ledger = report["attentions"][0]["ledger"]["operands"]
for name in ("Q", "K", "V", "dO", "dQ", "dK", "dV"):
    for way in ("read", "write"):
        want, got = ledger[name][way], report["io"][name][way]
        print("%s %s: %s" % (name, way, "equal" if want == got else "ledger %s, counted %s" % (want, got)))
