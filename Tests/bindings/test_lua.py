"""F74: LuaJIT, and its sample for LÖVE: two windows, a key pressed in one of them."""

import os
import subprocess

import pytest
import sharing
import steps
from conftest import LIBRARY, ROOT


def test_the_package(library, program):
    command = [program("luajit", "luajit"), "Tests/bindings/unisono_test.lua"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stdout + done.stderr


def test_f88_a_host_s_own_test_on_virtual_time(library, program):
    command = [program("luajit", "luajit"), "Tests/bindings/unisono_simulated.lua"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stdout + done.stderr


class Console(steps.Typed):
    """The console sample in a process, with a keyboard."""

    def __init__(self, interpreter, name, folder, *arguments):
        self.name, self.printed = name, folder / f"{name}.{len(arguments)}.txt"
        command = [interpreter, "bindings/lua/samples/console.lua", *arguments, "--name", name]
        with open(self.printed, "w") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=out, stderr=out, text=True, bufsize=1)


@pytest.fixture
def consoles(library, program, tmp_path):
    started = []

    def start(name, *arguments):
        started.append(Console(program("luajit", "luajit"), name, tmp_path, *arguments))
        return started[-1]

    yield start
    assert [one.close() for one in started] == [0] * len(started), [one.text for one in started]


def test_f81_f84_f86_f87_f42_f19_two_consoles_show_what_the_group_shares(consoles, tmp_path):
    ann = consoles("Ann", "host", "--listen", "127.0.0.1:0")
    sharing.share(ann, consoles("Ben", "join", ann.invite), tmp_path)


def test_f85_two_devices_of_one_person_are_one_and_ready_together(consoles):
    ann = consoles("Ann", "host", "--listen", "127.0.0.1:0")
    secret = ("--person", "Ben's own secret")
    desk = consoles("Ben", "join", ann.invite, "--device", "desk", *secret)
    phone = consoles("Ben", "join", ann.invite, "--device", "phone", "--play", *secret)
    sharing.be_one_person(ann, desk, phone)


def test_another_lua_is_told_what_is_missing(program):
    command = [program("lua5.4", "lua5.4"), "-e", 'package.path = "bindings/lua/?.lua" require("unisono")']
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0 and "unisono needs LuaJIT" in done.stderr


def test_two_consoles_are_in_step(library, program, tmp_path):
    """They end with the session, which a Python host ends."""
    import unisono

    interpreter, started = program("luajit", "luajit"), []
    traces = [tmp_path / f"{name}.trace" for name in ("Ann", "Ben")]

    def text(index):
        return (tmp_path / f"{index}.txt").read_text()

    def start(name, *arguments):
        command = [interpreter, "bindings/lua/samples/console.lua", *arguments, "--name", name, "--trace", str(traces[len(started)])]
        with open(tmp_path / f"{len(started)}.txt", "w") as out:
            started.append(subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out))

    try:
        start("Ann", "host", "--listen", "127.0.0.1:0")
        steps.until(lambda: "invite " in text(0) and text(0).endswith("\n"), "Ann printed the invite")
        invite = next(line.split()[1] for line in text(0).split("\n") if line.startswith("invite "))
        start("Ben", "join", invite, "--play")
        steps.until(lambda: all(len(steps.frames(trace)) > steps.enough(200) for trace in traces), "both played a while")
        steps.judge("LuaJIT", *map(steps.frames, traces), 150)
        with unisono.Context(device_name="test") as context:
            session = unisono.Session.open(context, invite, display_name="Cid")
            session.join()
            steps.until(lambda: context.poll(max_wait_ns=10_000_000) < 0 or session.state == unisono.SessionState.JOINED, "Cid joined")
            session.end()
            steps.until(lambda: context.poll(max_wait_ns=10_000_000) < 0 or all(one.poll() is not None for one in started), "both end")
        assert [one.returncode for one in started] == [0, 0], text(0) + text(1)
        assert "Ben pressed play" in text(0) and "playing at 0.000" in text(1)
    finally:
        for one in started:
            if one.poll() is None:
                one.terminate()
            one.wait()


class Game:
    """A window of the sample on a screen of its own."""

    def __init__(self, name, love, screen, folder, *arguments):
        self.name = name
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

    def type(self, line):
        """Into the line that return opens."""
        self.press("Return")
        subprocess.run(["xdotool", "type", "--delay", "5", line], env=self.keyboard, check=True)
        self.press("Return")

    @property
    def text(self):
        return self.printed.read_text()

    @property
    def has_keyboard(self):
        """Whether keys go to its window: one that is not there yet hears none."""
        focused = subprocess.run(["xdotool", "getwindowfocus", "getwindowpid"], env=self.keyboard, capture_output=True, text=True)
        return focused.stdout.strip() == str(self.process.pid)

    @property
    def invite(self):
        steps.until(lambda: "\n" in self.text, "the game printed its invite")
        word, invite = self.text.split()[:2]
        assert word == "invite", self.text
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
    assert codes == [0, 0], [game.text for game in started]


def test_two_windows_show_one_river(games):
    ann, ben = games

    steps.until(lambda: all("joined\n" in game.text and game.has_keyboard for game in games), "both are in, with a window")
    ben.press("space")
    steps.until(lambda: len(ann.frames) > 30 and len(ben.frames) > 30, "space made both play")
    steps.until(lambda: all(game.picture.exists() and game.frames[-1][1] > 4e9 for game in games), "both played four seconds")
    steps.until(lambda: all(len(game.frames) > steps.enough(30) for game in games), "and as long as was asked for")
    steps.judge("LÖVE", ann.frames, ben.frames, 30)
    assert all(game.picture.read_bytes().endswith(b"IEND\xaeB`\x82") for game in games), "both drew it"
    before = ben.frames[-1][1]
    ann.press("BackSpace")
    steps.until(lambda: any(frame[1] < before - 1e9 for frame in ben.frames[-20:]), "a key in the other window took both back")


def test_f81_f84_f86_f87_f42_f19_two_windows_show_what_the_group_shares(games, tmp_path):
    """By what is typed into the line of each window."""
    steps.until(lambda: all("joined\n" in game.text and game.has_keyboard for game in games), "both are in, with a window")
    sharing.share(*games, tmp_path)
