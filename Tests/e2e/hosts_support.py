"""What the end-to-end tests need: hosts in processes, and mpv's JSON commands to measure from outside."""

import os
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("UNISONO_BUILD", ROOT / "build"))
sys.path += [str(ROOT / "Benchmarks" / "players"), str(ROOT / "Tests" / "python")]

from host_process import HostProcess, until  # noqa: E402, F401
from mpv_ipc import MpvIpc  # noqa: E402  the same instrument as the benchmark's


def environment():
    library = os.environ.get("UNISONO_LIBRARY", str(BUILD / "libunisono.so.0"))
    return dict(os.environ, UNISONO_LIBRARY=library, PYTHONPATH=str(ROOT / "bindings" / "python"))


class Lines:
    """What a process prints, line by line, as it comes."""

    def __init__(self, stream):
        self.lines = []
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        for line in stream:
            self.lines.append(line.strip())

    def wait(self, words, what=None, limit=60):
        """The first line that begins with these words, their rest taken apart."""

        def found():
            return next((line for line in list(self.lines) if line.startswith(words)), None)

        until(lambda: found() is not None, what or f"a line \"{words}...\" came", limit)
        return found()[len(words) :].split()


class Host(HostProcess):
    """A sample mpv host, with its mpv."""

    def __init__(self, kind, arguments, name, folder, build, item="film"):
        command = [str(build / "mpv_host")] if kind == "c" else [sys.executable, "-m", "unisono.examples.mpv"]
        self._ipc = folder / f"{name}.sock"
        self._mpv = None
        options = ["--vo", "null", "--ao", "null", "--ipc", self._ipc, "--snap"] + (["--item", item] if item else [])
        super().__init__([*command, *arguments, *options], name, folder, environment())

    @property
    def mpv(self):
        if self._mpv is None:
            self._mpv = MpvIpc(self._ipc)
        return self._mpv

    @property
    def invite(self):
        line = ["*"]
        # What happens is said in between, and from where an invite can be reached.
        while line and line[0][:1] in ("*", "("):
            line = self.process.stdout.readline().split()
        assert line[:1] == ["invite"], "the host printed no invite"
        return line[1]

    def close(self):
        if self._mpv is not None:
            self._mpv.close()
        return super().close()
