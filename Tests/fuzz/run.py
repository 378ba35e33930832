#!/usr/bin/env python3
"""Runs the fuzzer for every target, as many at once as there are processors, and says what came of it.

run.py BINARY SECONDS FOLDER [TARGET ...]: FOLDER keeps what was found, one folder for each target; what stands in
Tests/fuzz/corpus is read, too. An input that breaks something is left in FOLDER/NAME-crash-… and makes this fail.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from seeds import TARGETS

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 4096


def run(binary, seconds, folder, name):
    found = folder / name
    found.mkdir(parents=True, exist_ok=True)
    known = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
    environment = os.environ | {
        "FUZZ_TARGET": str(TARGETS.index(name)), "SWIFT_BACKTRACE": "enable=no",
        # Objects of the C API are freed by a later turn of the loop.
        # Where memory was taken is told in eight steps; thirty cost a third of the time.
        "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=8",
    }
    command = [
        binary, f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-rss_limit_mb=2048", "-timeout=60", "-detect_leaks=0",
        "-print_final_stats=1", f"-artifact_prefix={folder}/{name}-", str(found), *known,
    ]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return name, done.returncode, done.stdout


def figure(output, pattern):
    values = re.findall(pattern, output)
    return int(values[-1]) if values else 0


def main():
    binary, seconds, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]).resolve()
    names = sys.argv[4:] or TARGETS
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, output in pool.map(lambda name: run(binary, seconds, folder, name), names):
            runs = figure(output, r"number_of_executed_units: (\d+)")
            covered = figure(output, r"cov: (\d+)")
            print(f"{name:10} {runs:10} inputs, {covered} places reached, {'held' if status == 0 else 'FAILED'}", flush=True)
            # A run that tried nothing shows nothing.
            if status or not runs:
                failed += 1
                print(output[-6000:])
    if failed:
        sys.exit(f"{failed} of {len(names)} targets failed; the inputs are in {folder}")


if __name__ == "__main__":
    main()
