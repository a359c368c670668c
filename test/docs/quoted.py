"""quoted.py PAGE SOURCE...: every ```c++ block of PAGE stands in some SOURCE."""
import pathlib
import re
import sys

page, *sources = map(pathlib.Path, sys.argv[1:])
texts = [source.read_text() for source in sources]
blocks = re.findall(r"^```c\+\+\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit(f"{page}: expected blocks of c++, found none")
for block in blocks:
    if not any(block in text for text in texts):
        sys.exit(f"{page}: not in {', '.join(map(str, sources))}:\n{block}")
