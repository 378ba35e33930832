"""F79: a Swift package of its own that depends on this one: its console host, two processes in step."""

import os
import re
import shutil
import subprocess

import pytest
import steps
from conftest import ROOT

#: The tests' own build, so that only the sample is compiled and not all that it stands on.
SCRATCH = ROOT / ".build"


class Host:
    def __init__(self, program, folder, name, *arguments):
        self.printed = folder / f"{name}.txt"
        with open(self.printed, "w") as out:
            # Lines are to be seen at once.
            command = ["stdbuf", "-oL", str(program), *arguments]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)

    @property
    def text(self):
        return self.printed.read_text()

    def type(self, line):
        self.process.stdin.write(line + "\n")

    def states(self):
        """(joined, host time, position) of each answer so far."""
        return [(word == "joined", int(host), int(item)) for word, host, item in re.findall(r"^(\w+) (\d+) (-?\d+)\n", self.text, re.M)]

    def state(self):
        before = len(self.states())
        self.type("where")
        steps.until(lambda: len(self.states()) > before, f"it answered: {self.text}")
        return self.states()[-1]


@pytest.fixture
def program():
    if shutil.which("swift") is None:
        pytest.skip("there is no Swift on this machine")
    done = subprocess.run(["swift", "build", "--scratch-path", str(SCRATCH), "--product", "console-host"],
                          cwd=ROOT / "bindings" / "swift", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return SCRATCH / "debug" / "console-host"


def test_the_console_host_is_as_short_as_it_is_said_to_be():
    lines = (ROOT / "bindings" / "swift" / "Sources" / "console-host" / "main.swift").read_text().splitlines()
    assert "a console host in 40 lines" in (ROOT / "docs" / "swift.md").read_text()
    assert len(lines) == 40 and max(map(len, lines)) <= 120


def test_two_consoles_of_a_foreign_package_are_in_step(program, tmp_path):
    ann = Host(program, tmp_path, "Ann")
    steps.until(lambda: re.search(r"^invite \S+\n", ann.text, re.M), "Ann printed her invite")
    ben = Host(program, tmp_path, "Ben", re.search(r"^invite (\S+)", ann.text, re.M)[1])
    try:
        steps.until(lambda: ben.state()[0], "Ben joined")
        ben.type("play")
        steps.until(lambda: all(one.state()[2] > 1e9 for one in (ann, ben)), "both played a second")
        frames = {ann: [], ben: []}
        for _ in range(steps.enough(60)):
            for one in frames:
                frames[one].append((*one.state()[1:], 0))  # no poll to measure: the context has a thread
        steps.judge("Swift", *frames.values(), 60)
        ann.type("seek 60")
        steps.until(lambda: all(one.state()[2] > 60e9 for one in (ann, ben)), "both went on elsewhere")
        ann.type("pause")

        def standing(one):
            return one.state()[2] == one.state()[2]

        steps.until(lambda: standing(ann) and standing(ben), "both stand")
    finally:
        for one in (ann, ben):
            one.process.stdin.close()
    assert [one.process.wait(30) for one in (ann, ben)] == [0, 0], ann.text + ben.text
