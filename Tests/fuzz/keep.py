#!/usr/bin/env python3
"""Keeps in Tests/fuzz/corpus the least of what was found that reaches as much, in short inputs.   keep.py BINARY FOLDER"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from run import CORPUS
from seeds import TARGETS

# Bytes of one input, and inputs of one target.
LONGEST = 512
MOST = 80


def main():
    binary, folder = sys.argv[1], Path(sys.argv[2])
    total = 0
    for number, name in enumerate(TARGETS):
        found = folder / name
        if not found.is_dir():
            continue
        sources = [str(found)] + ([str(CORPUS / name)] if (CORPUS / name).is_dir() else [])
        with tempfile.TemporaryDirectory() as kept:
            environment = os.environ | {"FUZZ_TARGET": str(number), "ASAN_OPTIONS": "detect_leaks=0"}
            command = [binary, "-set_cover_merge=1", f"-max_len={LONGEST}", "-detect_leaks=0", kept, *sources]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # As they were written: what reaches most comes first.
            entries = sorted(Path(kept).iterdir(), key=lambda entry: entry.stat().st_mtime_ns)
            short = [entry for entry in entries if entry.stat().st_size <= LONGEST]
            shutil.rmtree(CORPUS / name, ignore_errors=True)
            (CORPUS / name).mkdir(parents=True)
            for entry in short[:MOST]:
                shutil.copyfile(entry, CORPUS / name / entry.name[:12])
            kept_size = sum(entry.stat().st_size for entry in (CORPUS / name).iterdir())
        total += kept_size
        print(f"{name}: {min(len(short), MOST)} of {len(short)} inputs, {kept_size} bytes")
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main()
