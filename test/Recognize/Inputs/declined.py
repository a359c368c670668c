"""What attn-recognize declines stays byte for byte as it was: declined.py FILE...

Each piece of each file without attn ops afterwards is compared with what attn-opt
prints without the pass; there must be some in every file.
"""
import subprocess
import sys

SPLIT = "// -----"
failures = []
for path in sys.argv[1:]:
    def pieces(*passes):
        done = subprocess.run(["attn-opt", path, "-split-input-file",
                               "-allow-unregistered-dialect", *passes],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout.split(SPLIT)
    before, after = pieces(), pieces("-attn-recognize")
    if len(before) != len(after):
        failures.append("%s: expected %d pieces, got %d" % (path, len(before),
                                                            len(after)))
    declined = [pair for pair in zip(before, after) if "attn." not in pair[1]]
    if not declined:
        failures.append("%s: expected something to be declined" % path)
    for old, new in declined:
        if old != new:
            failures.append("%s: expected\n%s\ngot\n%s" % (path, old, new))
print("\n".join(failures))
sys.exit(bool(failures))
