"""What the end-to-end tests need: hosts in processes, and mpv's JSON commands to measure from outside."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("UNISONO_BUILD", ROOT / "build"))
sys.path += [str(ROOT / "Benchmarks" / "players"), str(ROOT / "Tests" / "python")]

from host_process import HostProcess  # noqa: E402, F401
from mpv_ipc import MpvIpc  # noqa: E402  the same instrument as the benchmark's
from waiting import until  # noqa: E402, F401


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


class Sentences(Lines):
    """Lines, without the mark that the sample hosts put before a sentence for people."""

    def _read(self, stream):
        super()._read(line.removeprefix("* ") for line in stream)


class Program:
    """A program in a process, and the lines that it prints."""

    def __init__(self, *command, stdin=subprocess.PIPE, **more):
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            bufsize=1, env=dict(environment(), **more))
        self.out = Sentences(self.process.stdout)

    def type(self, line):
        self.process.stdin.write(line + "\n")

    def says(self, sentence, limit=60):
        until(lambda: sentence in self.out.lines, lambda: f"{self.process.args[0]} said {sentence!r}, beside {self.out.lines}", limit)

    def was_told(self, words):
        return any(words in line for line in list(self.out.lines))

    def says_something(self, words, limit=60):
        until(lambda: self.was_told(words), lambda: f"a line with {words!r} came; there are {self.out.lines}", limit)

    @property
    def invite_line(self):
        """As it was printed, to be pasted as it is."""
        until(lambda: any("unisono://" in line for line in self.out.lines), "an invite was printed")
        return next(line for line in self.out.lines if "unisono://" in line)

    def end(self, limit=30):
        """Its exit status, once it has ended; nothing is left of it in any case."""
        try:
            return self.process.wait(limit)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()

    def kill(self):
        """Without a chance to do anything first."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(60)

    def close(self, word="quit"):
        """Its exit status; None where it had to be killed."""
        try:
            if self.process.poll() is None and word:
                self.type(word)
            return self.process.wait(20)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.process.kill()
            self.process.wait()
            return None


class Window(Program):
    """A program that has an mpv, which is measured and used from outside."""

    def __init__(self, ipc, *command, **more):
        super().__init__(*command, **more)
        self._ipc = ipc
        self._mpv = None

    @property
    def mpv(self):
        if self._mpv is None:
            self._mpv = MpvIpc(self._ipc)
        return self._mpv

    def press(self, key):
        self.mpv.command("keypress", key)

    def account(self):
        """For who reads why a test failed: what its mpv does, and all it said, at the end who is here, where it has a key for that."""
        said = len(self.out.lines)
        self.press("Ctrl+u")
        with contextlib.suppress(AssertionError):
            until(lambda: len(self.out.lines) > said, "it said who is here", 5)
        return f"{self.process.args[0]} {'stands' if self.mpv.paused else 'plays'} at {self.mpv.get('time-pos')} and said {self.out.lines}"

    def quit(self):
        """As a person does in the window; its exit status."""
        if self.process.poll() is None:
            self.press("q")
        return self.end()

    def end(self, limit=30):
        try:
            return super().end(limit)
        finally:
            if self._mpv is not None:
                self._mpv.close()


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

    def account(self):
        """For who reads why a test failed."""
        return f"{self.process.args} {'stands' if self.mpv.paused else 'plays'} at {self.mpv.get('time-pos')} and is {self.status}"

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
