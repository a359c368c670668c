#!/usr/bin/env python3
"""run_page.py PAGE FOLDER [LANGUAGE...]: does what a page of docs/ says.

Fenced blocks are taken in order. One with a file name behind its language
(```cpp user.cpp) becomes that file in FOLDER; ```sh is run there by bash, and has
to succeed; ```python is run by this interpreter. With LANGUAGEs, blocks of
others are left out (files are always written). `$ATTN_SRC` is the repository.
Prints each command before it runs and, where it fails, what it said.
"""
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command, text, folder):
    print(text, flush=True)
    environment = dict(os.environ, ATTN_SRC=str(SOURCE))
    done = subprocess.run(command, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout)
    return done.returncode


def main():
    page, folder, *languages = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for language, name, text in BLOCK.findall(pathlib.Path(page).read_text()):
        if name:
            (folder / name).write_text(text)
            continue
        if language not in ("sh", "python") or languages and language not in languages:
            continue
        command = {"sh": ["bash", "-euo", "pipefail", "-c", text],
                   "python": [sys.executable, "-c", text]}[language]
        code = run(command, text, folder)
        if code:
            sys.exit(f"{page}: a block failed with exit code {code}")
        count += 1
    if not count:
        sys.exit(f"{page}: expected blocks to run, found none")
    print(f"{count} blocks of {page} ran")


if __name__ == "__main__":
    main()
