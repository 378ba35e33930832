"""F79: a Swift package of its own that depends on this one: its console host, two processes in step; both its hosts show what is shared."""

import os
import re
import shutil
import subprocess

import pytest
import sharing
import steps
from conftest import ROOT

#: The build of `make test-swift`, so that only the sample is compiled and not all that it stands on.
SCRATCH = ROOT / "build" / "tests"
#: The Makefile's TESTS and TESTED: with others all would be compiled anew, here and by the next `make test-swift`.
BUILD_FLAGS = ["-Xcc", "-O2"]
ENVIRONMENT = os.environ | {"UNISONO_OPTIMISED": "1"}


class Host(steps.Typed):
    def __init__(self, program, folder, name, *arguments):
        self.name, self.printed = name, folder / f"{name}.txt"
        with open(self.printed, "w") as out:
            # Lines are to be seen at once.
            command = ["stdbuf", "-oL", str(program), name, *arguments]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)

    def states(self):
        """(joined, host time, position) of each answer so far."""
        return [(word == "joined", int(host), int(item)) for word, host, item in re.findall(r"^(\w+) (\d+) (-?\d+)\n", self.text, re.M)]

    def state(self):
        before = len(self.states())
        self.type("")
        steps.until(lambda: len(self.states()) > before, f"it answered: {self.text}")
        return self.states()[-1]


@pytest.fixture
def program():
    """Builds a host of the sample package."""
    if shutil.which("swift") is None:
        pytest.skip("there is no Swift on this machine")

    def build(product):
        command = ["swift", "build", *BUILD_FLAGS, "--scratch-path", str(SCRATCH), "--product", product]
        done = subprocess.run(command, cwd=ROOT / "bindings" / "swift", env=ENVIRONMENT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return SCRATCH / "debug" / product

    return build


def test_the_console_host_is_as_short_as_it_is_said_to_be():
    lines = (ROOT / "bindings" / "swift" / "Sources" / "console-host" / "main.swift").read_text().splitlines()
    assert "a console host in 40 lines" in (ROOT / "docs" / "swift.md").read_text()
    assert len(lines) == 40 and max(map(len, lines)) <= 120


def test_two_consoles_of_a_foreign_package_are_in_step(program, tmp_path):
    console = program("console-host")
    ann = Host(console, tmp_path, "Ann")
    ben = Host(console, tmp_path, "Ben", ann.invite)
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


@pytest.mark.parametrize("product", ["console-host", "player-host"])
def test_f81_f84_f86_f87_f91_f93_f42_f19_two_hosts_show_what_the_group_shares(program, tmp_path, product):
    """Over a coordinator, and over a player: the lines are the same."""
    host = program(product)
    ann = Host(host, tmp_path, "Ann")
    started = [ann, Host(host, tmp_path, "Ben", ann.invite)]
    try:
        sharing.share(*started, tmp_path)
    finally:
        codes = [one.close() for one in started]
    assert codes == [0, 0], [one.text for one in started]
