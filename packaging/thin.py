#!/usr/bin/env python3
"""Makes a linker that leaves out what nobody calls of Swift's own libraries.

    packaging/thin.py FOLDER

The toolchain's static libraries have a section of its own for each public function, and mark it as one that the linker has to
keep, called or not: they cannot know that all callers are in one file. Here they are: so FOLDER gets copies of these libraries
without that mark (SHF_GNU_RETAIN) on code, and `ld.lld`, which is the toolchain's linker that finds the copies first. The
records that Swift reads when it runs (the sections swift5_...: which types there are, and what they conform to) stay marked.
"""

import json
import struct
import subprocess
import sys
from pathlib import Path

RETAIN = 0x200000
LIBRARIES = [
    "libswiftCore.a", "libswift_Concurrency.a", "libswift_StringProcessing.a", "libswift_RegexParser.a", "libswiftGlibc.a",
    "libswiftSynchronization.a", "libFoundationEssentials.a", "lib_FoundationCollections.a",
]


def sections(data, at):
    """Where the header of each section of an ELF file of 64 bits stands, and the section's name."""
    table = at + struct.unpack_from("<Q", data, at + 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", data, at + 0x3A)
    # More sections than two bytes can count are counted in the first one.
    count = count or struct.unpack_from("<Q", data, table + 0x20)[0]
    names = struct.unpack_from("<I", data, table + 0x28)[0] if names == 0xFFFF else names
    texts = at + struct.unpack_from("<Q", data, table + names * size + 0x18)[0]
    for index in range(count):
        header = table + index * size
        text = texts + struct.unpack_from("<I", data, header)[0]
        yield header, bytes(data[text:data.index(b"\0", text)])


def members(data):
    """Where each member of an archive begins."""
    if data[:8] != b"!<arch>\n":
        sys.exit("thin: not an archive")
    at = 8
    while at < len(data):
        size = int(data[at + 48:at + 58])
        yield at + 60
        at += 60 + size + size % 2


def thinned(archive):
    """The archive without the mark on code, and how many sections had it."""
    data, count = bytearray(archive), 0
    for member in members(archive):
        if archive[member:member + 5] != b"\x7fELF\x02":
            continue
        for header, name in sections(archive, member):
            flags = struct.unpack_from("<Q", data, header + 8)[0]
            if flags & RETAIN and not name.startswith(b"swift5_"):
                struct.pack_into("<Q", data, header + 8, flags & ~RETAIN)
                count += 1
    return data, count


def main():
    folder = Path(sys.argv[1]).resolve()
    said = subprocess.run(["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    usr = Path(json.loads(said)["paths"]["runtimeResourcePath"]).parents[1]
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name in LIBRARIES:
        data, count = thinned((usr / "lib/swift_static/linux" / name).read_bytes())
        (folder / name).write_bytes(data)
        total += count
    if total < 1000:
        sys.exit(f"thin: only {total} sections were marked; is this another kind of toolchain?")
    linker = folder / "ld.lld"
    linker.write_text(f'#!/bin/sh\nexec "{usr}/bin/ld.lld" "-L{folder}" "$@"\n', encoding="utf-8")
    linker.chmod(0o755)
    print(f"thin: {total} functions of Swift's libraries need not be kept")


if __name__ == "__main__":
    main()
