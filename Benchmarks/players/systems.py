"""The systems under measurement, each two players on one file in namespaces a and b, with what they need in s.

To measure another host: derive from System (from Typed, if its person types), give it `name`, `start` (which returns two
players), `play`, `pause` and `seek`, and put it into SYSTEMS of bench_players.py. A player is anything with what mpv_ipc.MpvIpc has: `position()` (seconds and the instant of
time.monotonic() at which they held), `moving()`, `paused`, `place` (seconds, standing), `speed`, `loaded`. `limits` of a
profile are what it must keep, ms, `wished` what it is to come to; those of Unisono's mpv hosts unless it has its own."""

import glob
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

from mpv_ipc import MpvIpc

HERE = pathlib.Path(__file__).resolve().parent
PYTHON_PACKAGE = HERE.parents[1] / "bindings" / "python"
#: What the emulator knows.
PROFILES = ("none", "lan", "wifi", "wan", "lte")
MPV_QUIET = ["--vo=null", "--ao=null"]


def wait_until(condition, what, limit=30.0, step=0.02):
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(step)
    raise TimeoutError(f"{what} did not happen within {limit:.0f} s")


def libfaketime():
    """Where it is, or None."""
    found = glob.glob("/usr/lib/*/faketime/libfaketime.so.1") + glob.glob("/usr/lib/faketime/libfaketime.so.1")
    return found[0] if found else None


def other_clock(ppm, folder):
    """What a command begins with so that its clock runs faster by so many parts per million; empty for 0."""
    if ppm == 0:
        return []
    timers = folder / "fast_timers.so"
    if not timers.exists():
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-o", timers, HERE / "fast_timers.c"], check=True)
    rate = f"{1 + ppm / 1e6:.9f}"
    return ["env", f"LD_PRELOAD={timers}:{libfaketime()}", f"FAKETIME=+0 x{rate}", "FAKETIME_DONT_RESET=1", f"FAST_TIMERS_RATE={rate}"]


class System:
    """Processes of one run; ends all it started, by pid."""

    #: Parts per million by which the clock of player B runs fast.
    clock = 0
    #: Where it is measured, unless it is measured alone.
    profiles = PROFILES
    #: By profile: p95 of |skew| and medians of command latencies, ms, that are promised. Others are only shown.
    limits = {}
    #: The same that is aimed at, a pause by its mean: it is said which of them are met, and with --strict all must be.
    wished = {}

    def __init__(self, network, folder):
        self.network = network
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._processes = []

    def clock_before(self, host):
        """What every command on that host begins with."""
        return other_clock(self.clock, self.folder) if host == "b" else []

    def spawn(self, host, command, name, **options):
        log = open(self.folder / f"{name}.log", "wb")
        command = [*self.clock_before(host), *command]
        process = self.network.popen(host, [str(part) for part in command], stdout=log, stderr=subprocess.STDOUT,
                                     start_new_session=True, **options)
        self._processes.append(process)
        return process

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            for pid in (*descendants(process.pid), process.pid):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            process.wait()


def descendants(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in task.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [*descendants(child), child]
    return found


class Typed(System):
    """Hosts whose person types: what is asked for is a line to `a`."""

    a = None

    def say(self, line):
        self.a.stdin.write(line.encode() + b"\n")
        self.a.stdin.flush()

    def play(self, _):
        self.say("play")

    def pause(self, _):
        self.say("pause")

    def seek(self, _, seconds):
        self.say(f"seek {seconds:.3f}")


class Pressed(System):
    """Players whose person acts on mpv itself, as a key press does."""

    def play(self, a):
        a.command("set_property", "pause", False)

    def pause(self, a):
        a.command("set_property", "pause", True)

    def seek(self, a, seconds):
        a.command("seek", seconds, "absolute+exact")


class Unisono(Typed):
    """The sample mpv hosts of bindings/c through a stand-alone hub in s; the person acts at a."""

    name = "unisono"
    second = "c"  # or "python": which of the two sample hosts B is
    limits = {
        "none": {"skew": 2, "settled": 1, "play": 80, "pause": 15, "seek_paused": 60},
        "wifi": {"skew": 5},
        "wan": {"skew": 5, "settled": 2, "play": 260, "pause": 130},
        "lte": {"skew": 12},
    }
    wished = {"none": {"settled": 0.5, "play": 30, "pause": 3}, "wan": {"settled": 1, "play": 220, "pause": 103}}

    def start_hub(self, build):
        """Its line."""
        hub = f"{self.network.address['s']}:7400"
        command = [build / "unisono", "hub", "--listen", hub, "--key", self.folder / "hub.key"]
        line = subprocess.check_output([*command, "--print-line"], text=True).strip()
        self.spawn("s", command, "hub")
        return line

    def start(self, build, media):
        hub = self.start_hub(build)
        player = [build / "mpv_host"]
        options = ["--item", "film", "--snap", "--vo", "null", "--ao", "null"]
        invite_file = self.folder / "invite"
        self.a = self.spawn("a", [*player, "host", "--hub", hub, "--invite-file", invite_file, "--ipc", self.folder / "a.sock",
                                  "--name", "A", *options, media], "host_a", stdin=subprocess.PIPE)
        invite = wait_until(lambda: invite_file.exists() and invite_file.read_text().strip(), "the invite")
        environment = dict(os.environ)
        if self.second == "python":
            player = [sys.executable, "-m", "unisono.examples.mpv"]
            environment |= {"PYTHONPATH": str(PYTHON_PACKAGE), "UNISONO_LIBRARY": str(build / "libunisono.so.0")}
        self.b = self.spawn("b", [*player, "join", invite, "--ipc", self.folder / "b.sock", "--name", "B", *options, media],
                            "host_b", stdin=subprocess.PIPE, env=environment)
        return MpvIpc(self.folder / "a.sock"), MpvIpc(self.folder / "b.sock")


class Watch(Pressed, Unisono):
    """`unisono watch` and `unisono join`: mpv with the plugin, whose keys the person at a presses."""

    name = "watch"

    def start(self, build, media):
        hub = self.start_hub(build)
        a, said = self.open(build, "a", "watch", media, "--hub", hub), self.folder / "a.log"
        invite = wait_until(lambda: re.search(r"unisono://\S+", said.read_text(errors="replace")), "the invite")
        return a, self.open(build, "b", "join", invite[0], media)

    def open(self, build, host, *arguments):
        ipc = self.folder / f"{host}.sock"
        command = [build / "unisono", *arguments, "--config", "/dev/null", "--name", host.upper(), "--"]
        environment = dict(os.environ, DISPLAY="", WAYLAND_DISPLAY="", UNISONO_MPV_PLUGIN=str(build / "unisono.so"))
        environment["PATH"] = f"{self.mpv_of(host)}:{environment['PATH']}"
        self.spawn(host, [*command, "--no-config", *MPV_QUIET, f"--input-ipc-server={ipc}"], host, stdin=subprocess.DEVNULL,
                     env=environment)
        return MpvIpc(ipc)

    def mpv_of(self, host):
        """Where the mpv of a host is: the session, and with it the clock, is the plugin's. The command does not survive libfaketime."""
        folder = self.folder / f"mpv-{host}"
        folder.mkdir(exist_ok=True)
        program = folder / "mpv"
        program.write_text(f'#!/bin/sh\nexec {shlex.join([*super().clock_before(host), shutil.which("mpv")])} "$@"\n')
        program.chmod(0o755)
        return folder

    def clock_before(self, host):
        return []


class Syncplay(Pressed):
    """syncplay-server in s, two syncplay clients; the person acts on player a as a key press does."""

    name = "syncplay"

    def start(self, _, media):
        self.spawn("s", ["syncplay-server", "--port", "8999"], "server")
        time.sleep(2)
        players = []
        for host in "ab":
            home = (self.folder / f"home_{host}").resolve()
            (home / ".config").mkdir(parents=True, exist_ok=True)
            (home / ".config" / "syncplay.ini").write_text(
                "[client_settings]\nunpauseaction = Always\nreadyatstart = True\nautoplayinitialstate = False\n"
                "[general]\ncheckforupdatesautomatically = False\nlanguage = en\n")
            environment = dict(os.environ, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"), PYTHONUNBUFFERED="1")
            client = self.spawn(
                host, ["syncplay", "--no-gui", "-a", f"{self.network.address['s']}:8999", "-n", f"user{host}", "-r", "room",
                       "--player-path", shutil.which("mpv"), media, "--", *MPV_QUIET, "--config=no"],
                f"client_{host}", env=environment, stdin=subprocess.PIPE)
            players.append(MpvIpc(wait_until(lambda: ipc_path(client.pid), "Syncplay's mpv", 40, 0.1)))
        return tuple(players)


def ipc_path(pid):
    for child in descendants(pid):
        try:
            arguments = pathlib.Path(f"/proc/{child}/cmdline").read_text().split("\0")
        except OSError:
            continue
        for argument in arguments:
            if argument.startswith("--input-ipc-server="):
                return argument.split("=", 1)[1]
    return None
