"""F74: LuaJIT, and its sample for LÖVE: two windows, a key pressed in one of them."""

import os
import subprocess

import pytest
import steps
from conftest import LIBRARY, ROOT


def test_the_package(library, program):
    command = [program("luajit", "luajit"), "Tests/bindings/unisono_test.lua"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stdout + done.stderr


def test_another_lua_is_told_what_is_missing(program):
    command = [program("lua5.4", "lua5.4"), "-e", 'package.path = "bindings/lua/?.lua" require("unisono")']
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0 and "unisono needs LuaJIT" in done.stderr


class Game:
    """A window of the sample on a screen of its own."""

    def __init__(self, name, love, screen, folder, *arguments):
        self.keyboard = dict(os.environ, DISPLAY=screen)
        self.trace, self.picture, self.printed = (folder / f"{name}.{kind}" for kind in ("trace", "png", "txt"))
        environment = dict(self.keyboard, UNISONO_LIBRARY=str(LIBRARY), ALSOFT_DRIVERS="null", LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="0",
                           XDG_DATA_HOME=str(folder))
        command = [love, str(ROOT / "bindings" / "lua" / "samples" / "love"), *arguments, "--name", name, "--trace", str(self.trace),
                   "--picture", str(self.picture), "--picture-at", "3"]
        with open(self.printed, "w") as out:
            self.process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)

    @property
    def frames(self):
        return steps.frames(self.trace)

    def press(self, key):
        subprocess.run(["xdotool", "key", key], env=self.keyboard, check=True)

    @property
    def invite(self):
        steps.until(lambda: "\n" in self.printed.read_text(), "the game printed its invite")
        word, invite = self.printed.read_text().split()[:2]
        assert word == "invite", self.printed.read_text()
        return invite

    def close(self):
        if self.process.poll() is None:
            self.press("Escape")
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@pytest.fixture
def games(library, program, display, tmp_path):
    program("xdotool", "xdotool")
    love, started = program("love", "love"), []
    try:
        started.append(Game("Ann", love, display(), tmp_path, "host", "--listen", "127.0.0.1:0"))
        started.append(Game("Ben", love, display(), tmp_path, "join", started[0].invite))
        yield started
    finally:
        codes = [game.close() for game in started]
    assert codes == [0, 0], [game.printed.read_text() for game in started]


def test_two_windows_show_one_river(games):
    ann, ben = games

    def playing():
        """A key before the window has the screen, or before the group is in, does nothing or is refused: press until it is done."""
        if not ben.frames:
            ben.press("space")
            steps.time.sleep(0.5)
        return len(ann.frames) > 30 and len(ben.frames) > 30

    steps.until(playing, "space made both play")
    steps.until(lambda: all(game.picture.exists() and game.frames[-1][1] > 4e9 for game in games), "both played four seconds")
    steps.judge("LÖVE", ann.frames, ben.frames, 30)
    assert all(game.picture.read_bytes().endswith(b"IEND\xaeB`\x82") for game in games), "both drew it"
    before = ben.frames[-1][1]
    ann.press("BackSpace")
    steps.until(lambda: any(frame[1] < before - 1e9 for frame in ben.frames[-20:]), "a key in the other window took both back")
