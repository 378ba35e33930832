"""Programs of one file that people begin with: compiled as they are told to, run, and listened to."""

import itertools
import os
import re
import signal
import subprocess

from hosts_support import BUILD, ROOT, Lines, environment, until

#: What pkg-config would say of the built library.
UNISONO = ["-I", str(ROOT / "include"), "-L", str(BUILD), "-lunisono", f"-Wl,-rpath,{BUILD}"]
STRICT = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]


def compiled(source, out, *flags):
    subprocess.run(["cc", *STRICT, str(source), *UNISONO, *flags, "-o", str(out)], check=True)
    return out


def flags_of(package):
    return subprocess.run(["pkg-config", "--cflags", "--libs", package], check=True, capture_output=True, text=True).stdout.split()


def example(page, name):
    """The file that a page prints, in one piece or in several, in their order."""
    pieces = re.findall(rf"<!-- example: {re.escape(name)} -->\n```\w+\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert pieces, f"{page} prints no {name}"
    return "\n".join(pieces)


class Sentences(Lines):
    """Lines, without the mark that the sample hosts put before a sentence for people."""

    def _read(self, stream):
        super()._read(line.removeprefix("* ") for line in stream)


class Program:
    """A program in a process, and the lines that it prints."""

    def __init__(self, *command, **more):
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env=dict(environment(), **more))
        self.out = Sentences(self.process.stdout)

    def type(self, line):
        self.process.stdin.write(line + "\n")

    def says(self, sentence, limit=60):
        until(lambda: sentence in self.out.lines, f"{self.process.args[0]} said {sentence!r}, beside {self.out.lines}", limit)

    def says_something(self, words, limit=60):
        until(lambda: any(words in line for line in self.out.lines), f"a line with {words!r} came; there are {self.out.lines}", limit)

    @property
    def invite_line(self):
        """As it was printed, to be pasted as it is."""
        until(lambda: any("unisono://" in line for line in self.out.lines), "an invite was printed")
        return next(line for line in self.out.lines if "unisono://" in line)

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


def are_heard(program, name, others):
    """It goes from place to place until the others tell of it: who is not quite in yet is told nothing, nor is of two skips in half
    a second the first."""
    for place in itertools.count(1):
        program.type(f"seek {place}")
        try:
            until(lambda: all(any(line.startswith(f"{name} sought to") for line in other.out.lines) for other in others), "", 3)
            return
        except AssertionError:
            assert place < 20, f"the others do not hear of {name}"
