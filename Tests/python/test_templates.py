"""F72: the templates, run as printed: two processes that start, seek and stand together, whichever layer each is on."""

import os
import re
import signal
import subprocess
import sys
import threading

import pytest
from group_support import ROOT
from waiting import until

TEMPLATES = ROOT / "bindings" / "python" / "templates"
LAYERS = ["coordinator", "player"]


class Template:
    """A template in a process, its lines as they come."""

    def __init__(self, layer, folder, *arguments):
        given = ["film.mkv"] if layer == "player" else []
        self.process = subprocess.Popen(
            [sys.executable, str(TEMPLATES / f"{layer}_host.py"), *given, *arguments], cwd=folder, text=True, bufsize=1,
            env=dict(os.environ, PYTHONPATH=str(ROOT / "bindings" / "python")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.errors = [], []
        for stream, lines in ((self.process.stdout, self.lines), (self.process.stderr, self.errors)):
            threading.Thread(target=self._read, args=(stream, lines), daemon=True).start()

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    @property
    def invite(self):
        until(lambda: any("unisono://" in line for line in self.lines), "it printed an invite")
        return re.search(r"unisono://\S+", "\n".join(self.lines))[0]

    @property
    def last(self):
        """What the player did last."""
        return next((line for line in reversed(list(self.lines)) if line.startswith(("playing", "standing"))), "")

    def type(self, line):
        self.process.stdin.write(line + "\n")


@pytest.fixture
def start(library, tmp_path):
    started = []

    def make(*arguments):
        started.append(Template(arguments[0], tmp_path, *arguments[1:]))
        return started[-1]

    yield make
    for template in started:
        template.process.kill()
        template.process.wait()


@pytest.mark.parametrize("layer", LAYERS)
def test_a_template_is_one_short_file(layer):
    text = (TEMPLATES / f"{layer}_host.py").read_text()
    assert len(text.splitlines()) <= 130 and max(map(len, text.splitlines())) <= 130
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.M))
    assert imported - {"unisono"} <= set(sys.stdlib_module_names if hasattr(sys, "stdlib_module_names") else imported)


@pytest.mark.parametrize("host,guest", [("coordinator", "player"), ("player", "coordinator")])
def test_templates_play_seek_and_stand_together(start, host, guest):
    ann = start(host)
    ben = start(guest, ann.invite)
    both = (ann, ben)
    until(lambda: any(line.endswith(" joined") and "You" not in line for line in ann.lines), "Ann saw Ben come")
    until(lambda: "* You joined" in ben.lines, "Ben was in")
    ben.type("play")
    until(lambda: all(one.last.startswith("playing from") for one in both), "both played")
    until(lambda: any("pressed play" in line for line in ann.lines), "Ann was told who did that")
    # What a person does in a window everybody does; the echoes of that are no wishes.
    ann.type("space")
    until(lambda: all(one.last.startswith("standing at") for one in both), "both stood")
    ann.type("seek 60")
    until(lambda: all(one.last == "standing at 60.000 s" for one in both), "both stood at 60 s")
    ben.type("space")
    until(lambda: all(one.last.startswith("playing from 60.") for one in both), "both played on from there")
    ann.type("pause")
    until(lambda: all(one.last.startswith("standing at 6") for one in both), "both stood again")
    assert not [line for line in ann.errors + ben.errors if "Traceback" in line], ann.errors + ben.errors
    ben.process.send_signal(signal.SIGINT)
    assert ben.process.wait(10) == 0
    until(lambda: any(line.endswith(" left") for line in ann.lines), "Ann was told that Ben left", limit=5)
    ann.process.stdin.close()  # the end of the input
    assert ann.process.wait(10) == 0


@pytest.mark.parametrize("layer", LAYERS)
def test_what_cannot_be_done_is_a_line(start, layer):
    template = start(layer)
    until(lambda: "* You joined" in template.lines, "it was in")
    template.type("seek here")
    until(lambda: any(line.startswith("seek:") for line in template.errors), "the mistake was named")
    template.type("quit")
    assert template.process.wait(10) == 0
