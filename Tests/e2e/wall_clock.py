"""Calendar clocks of machines that can be set: what `wall_clock.c`, preloaded into their processes, lets those see."""

import os
import struct
import subprocess
from pathlib import Path


def build_preload(folder):
    """Compiles what is preloaded; its path."""
    preload = folder / "wall_clock.so"
    source = Path(__file__).with_name("wall_clock.c")
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", str(preload), str(source), "-ldl"], check=True)
    return preload


class WallClock:
    """The clock of one machine, right at first."""

    def __init__(self, file, preload):
        self._file = file
        self.variables = {"LD_PRELOAD": str(preload), "WALL_CLOCK": str(file)}
        self.set(0)

    def set(self, ahead):
        """Sets it, so many seconds ahead of the true one."""
        unfinished = self._file.with_suffix(".part")
        unfinished.write_bytes(struct.pack("=q", int(ahead * 1e9)))
        unfinished.rename(self._file)
