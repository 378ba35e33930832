#!/usr/bin/env python3
"""What is linked into the library and the command, from outside: nothing of ICU and the large Foundation, no more system
libraries than these, tables of addresses read-only, nothing that only a debugger wants, and not more than so many bytes.

    linked.py LIBRARY COMMAND
"""

import re
import subprocess
import sys
from pathlib import Path

LIBRARIES = {"libuv.so.1", "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# The command has the library's functions in it: `unisono monitor` takes part in a session.
LIMITS = {"library": 20_840_000, "command": 26_100_000}
# Words that are only in ICU's and the large Foundation's code and data.
FOREIGN = {"ICU": rb"icudt\d\d|ucol_open|uloc_getDefault", "Foundation": rb"\$s10Foundation\d|NSURLSession|libFoundation\.so"}


def shown(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def faults(kind, path):
    size = Path(path).stat().st_size
    print(f"{kind}: {size / 1e6:.1f} MB")
    if size > LIMITS[kind]:
        yield f"is {size} bytes, more than {LIMITS[kind]}"
    dynamic, segments, sections = shown("-d", path), shown("-l", path), shown("-S", path)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    if needed - LIBRARIES:
        yield f"needs {', '.join(sorted(needed - LIBRARIES))}"
    if "NOW" not in "".join(re.findall(r"\((?:FLAGS|FLAGS_1|BIND_NOW)\).*", dynamic)) or "GNU_RELRO" not in segments:
        yield "is not bound at the start with its tables read-only (BIND_NOW, RELRO)"
    if re.search(r"GNU_STACK.*RWE", segments):
        yield "has a stack that can be executed"
    if re.search(r"\.debug_|\.symtab", sections):
        yield "is not stripped"
    text = Path(path).read_bytes()
    for name, words in FOREIGN.items():
        if found := re.search(words, text):
            yield f"has {name} in it: {found.group()!r}"


def promised():
    """The C library that docs/install.md says is enough."""
    page = (Path(__file__).parents[2] / "docs/install.md").read_text()
    return tuple(map(int, re.search(r"GNU C library \((\d+)\.(\d+) or newer", page).groups()))


def newer(path):
    """Functions that are of a later C library than is promised."""
    symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
    for major, minor in sorted({tuple(map(int, one)) for one in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}):
        if (major, minor) > promised():
            yield f"needs glibc {major}.{minor}; docs/install.md promises {promised()[0]}.{promised()[1]}"


def main():
    wrong = [f"{kind} {fault}" for kind, path in zip(LIMITS, sys.argv[1:]) for fault in (*faults(kind, path), *newer(path))]
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
