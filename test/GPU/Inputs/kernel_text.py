"""The PTX of the gpu.binary in a module on stdin."""
import re
import sys

text = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read()).group(1)
escaped = re.compile(r'\\([0-9A-F]{2}|.)')
plain = lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else {"n": "\n", "t": "\t"}.get(m[1], m[1])
print(escaped.sub(plain, text).rstrip("\0"))
