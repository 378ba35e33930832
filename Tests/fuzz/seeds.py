#!/usr/bin/env python3
"""Writes what the recorded vectors hold as first inputs for the fuzzer, for every reader.   seeds.py FOLDER"""

import json
import sys
from pathlib import Path

READERS = 8


def values(node):
    if isinstance(node, dict):
        for child in node.values():
            yield from values(child)
    elif isinstance(node, list):
        for child in node:
            yield from values(child)
    elif isinstance(node, str) and node:
        yield node.encode()
        try:
            yield bytes.fromhex(node)
        except ValueError:
            pass


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found = set()
    for file in sorted((Path(__file__).parents[1] / "vectors").glob("*.json")):
        found |= {value for value in values(json.loads(file.read_text())) if 8 <= len(value) <= 4096}
    for number, value in enumerate(sorted(found)):
        for reader in range(READERS):
            (folder / f"seed-{number}-{reader}").write_bytes(bytes([reader]) + value)
    # Each kind of frame, message and register, empty and with one item, so that none has to be guessed.
    for kind in range(40):
        for reader in (1, 3, 4, 6):
            (folder / f"kind-{kind}-{reader}").write_bytes(bytes([reader, kind]))
            (folder / f"item-{kind}-{reader}").write_bytes(bytes([reader, kind, 1, 0, 0, 8]) + bytes(8))
    for register in range(1, 12):
        body = bytes([1, 0, 0, 1, register, 3, 0, 0, 16]) + bytes(16) + bytes([4, 0, 0, 16]) + bytes(16)
        body += bytes([5, 0, 0, 8]) + bytes(8) + bytes([6, 0, 0, 8]) + bytes(8)
        (folder / f"register-{register}").write_bytes(bytes([4]) + body)
    service = bytes([2, 0, 0, 1]) + b"a"
    for kind in (1, 2, 3):
        rest = bytes([6, 0, 0, 1]) + b"u" + bytes([7, 0, 0, 2, 0, 9]) if kind == 1 else b""
        body = b"UNIB\x01" + bytes([1, 0, 0, 8]) + bytes(8) + service + rest + bytes([8, 0, 0, 1, kind])
        (folder / f"beacon-{kind}").write_bytes(bytes([5]) + body)
    print(f"{len(list(folder.iterdir()))} first inputs")


if __name__ == "__main__":
    main()
