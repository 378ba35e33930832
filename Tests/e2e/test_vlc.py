"""F121, F122: a VLC as it is takes part with an mpv: in step, and what a person does in either of them both do."""

import json
import os
import signal
import statistics
import subprocess
from collections import deque

import pytest
from hosts_support import Program, Window, until
from test_watch import HEADLESS, invite_of, is_running
from vlc_support import VlcPlace, VlcWindow

STEP = 0.05  # seconds; measured: 1 to 3 ms (DP54)
STRETCH = 5  # records of the monitor, which comes once a second


@pytest.fixture(scope="module")
def place(built):
    made = VlcPlace(built)
    yield made
    made.remove()


@pytest.fixture
def run(tmp_path):
    """Where private files are; nothing is left there."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    yield folder
    assert list(folder.iterdir()) == [], "no private file is left"


@pytest.fixture
def ann(built, place, media, run):
    """Hosts in VLC."""
    host = VlcWindow(built, place, "Ann", "watch", place.film(media), place.film(media, "second.mkv"), XDG_RUNTIME_DIR=str(run))
    host.says_something("invite unisono://")
    yield host
    host.leave()


@pytest.fixture
def ben(built, place, media, run, tmp_path, ann):
    """Joins in mpv."""
    if not (built / "unisono.so").exists():
        pytest.skip("build/unisono.so is not built; on Debian: apt install libmpv-dev, then `make plugin`")
    ipc = tmp_path / "ben.sock"
    host = Window(
        ipc, built / "unisono", "join", invite_of(ann), "--folder", place.folder, "--name", "Ben", "--config", "/dev/null", "--", *HEADLESS,
        f"--input-ipc-server={ipc}", stdin=subprocess.DEVNULL, XDG_RUNTIME_DIR=str(run), DISPLAY="", WAYLAND_DISPLAY="")
    yield host
    host.process.send_signal(signal.SIGTERM)
    host.end()


class Monitor(Program):
    """How the group sees each."""

    def __init__(self, built, invite):
        super().__init__(built / "unisono", "monitor", invite, "--json", stdin=subprocess.DEVNULL)

    @property
    def records(self):
        return [json.loads(line) for line in list(self.out.lines) if line.startswith("{")]

    def people(self, record):
        return {one["name"]: one for one in record["participants"]}

    def see(self, what, is_so, limit=60):
        until(lambda: any(is_so(record, self.people(record)) for record in self.records[-1:]), f"{what}; last {self.records[-1:]}", limit)

    def sees_in_step(self, names):
        """From now on for a stretch of records."""
        begun, last = len(self.records), {name: deque(maxlen=STRETCH) for name in names}

        def is_so():
            nonlocal begun
            for record in self.records[begun:]:
                begun += 1
                for name in names:
                    skew = self.people(record).get(name, {}).get("skew")
                    if skew is not None:
                        last[name].append(abs(skew))
            return all(len(of) == STRETCH and statistics.median(of) < STEP for of in last.values())

        until(is_so, f"{names} were in step; skews {last}", 90)


@pytest.fixture
def monitor(built, ann, ben):
    program = Monitor(built, invite_of(ann))
    program.see("both stood ready", lambda _, people: all(people.get(name, {}).get("state") == "ready" for name in ("Ann", "Ben")))
    yield program
    program.process.terminate()
    program.process.wait(20)


def plays_at(rate):
    """Ann's player says so itself."""
    return lambda _, people: people["Ann"]["state"] == "playing" and abs(float(people["Ann"]["detail"]) - rate) < 0.01


def moves(motion):
    return lambda record, _: record["motion"] == motion


def test_f121_vlc_and_mpv_start_together_and_stay_in_step(ann, ben, monitor):
    ann.does("pause")  # which is the key for playing as well
    until(lambda: not ben.mpv.paused, "mpv played")
    monitor.sees_in_step(["Ann", "Ben"])

    ben.mpv.command("set_property", "pause", True)
    ann.says_something("Ben paused")
    monitor.see("both stood", moves("paused"))
    ben.mpv.command("seek", 60, "absolute+exact")
    monitor.see("both stood at 60 s", lambda record, people: all(
        people[name]["state"] == "ready" for name in ("Ann", "Ben")) and abs(record["position"] - 60) < STEP)

    players = ann.processes
    assert len(players) == 2, "VLC and what drives it"
    ann.does("quit")
    assert ann.end() == 0
    ben.says_something("Ann left")
    assert not any(map(is_running, players)), "nothing runs on"


def test_f122_what_a_person_does_in_vlc_all_do(ann, ben, monitor):
    ann.does("pause")
    monitor.see("VLC played", plays_at(1))
    ann.does("seek 120")
    ben.says_something("Ann sought to 2:00")
    until(lambda: (ben.mpv.get("time-pos") or 0) >= 120, "mpv played on from there")
    ann.does("faster")
    ben.says_something("Ann set the speed to 1.5")
    until(lambda: abs((ben.mpv.get("speed") or 0) - 1.5) < 0.1, "mpv played faster")
    monitor.see("VLC played so fast by the group's word", plays_at(1.5))
    ann.does("normal")
    ben.says_something("Ann set the speed to 1×")

    ann.does("next")
    until(lambda: (ben.mpv.get("path") or "").endswith("second.mkv"), "all went on to the next film")
    until(lambda: ann.has_open("second.mkv") and not ann.has_open("film.mkv"), "VLC had opened the next film, and left the one before")
    monitor.see("VLC stood at its beginning", lambda record, people: moves("paused")(
        record, people) and people["Ann"]["state"] == "ready" and abs(record["position"]) < STEP)


def test_f122_stopping_in_vlc_pauses_all_and_vlc_that_hangs_is_said_to(ann, ben, monitor):
    ann.does("pause")
    until(lambda: not ben.mpv.paused, "mpv played")
    monitor.see("VLC played", lambda _, people: people["Ann"]["state"] == "playing")
    vlc = ann.processes[-1]
    os.kill(vlc, signal.SIGSTOP)
    try:
        monitor.see("VLC was not said to play", lambda _, people: people["Ann"]["state"] not in ("playing", "ready"))
    finally:
        os.kill(vlc, signal.SIGCONT)
    monitor.see("VLC played again", lambda _, people: people["Ann"]["state"] == "playing")
    before = ann.does("stop")
    ben.says_something("Ann paused")
    until(lambda: ben.mpv.paused, "mpv stood")
    ann.stands_at_beginning_of("film.mkv", before)
    ann.does("pause")
    monitor.see("both play again", lambda record, people: record["motion"] == "playing" and people["Ann"]["state"] == "playing")


def test_f121_vlc_does_not_outlive_a_command_that_is_killed(built, place, media, run):
    host = VlcWindow(built, place, "Cem", "watch", place.film(media), XDG_RUNTIME_DIR=str(run))
    host.says_something("invite unisono://")
    host.does("key key-quiet")  # VLC is there
    players = host.processes
    host.kill()
    until(lambda: not any(map(is_running, players)), "VLC and what drives it ended")
    for path in sorted(run.rglob("*"), reverse=True):  # which nobody could take away
        path.unlink() if path.is_file() else path.rmdir()


def test_f121_a_signal_leaves_in_order(ann, ben, monitor):
    players = ann.processes
    assert ann.leave() == 0
    ben.says_something("Ann left")
    assert not any(map(is_running, players))


@pytest.mark.parametrize(
    "script,words",
    [
        (None, "VLC was not found"),
        ("echo 'VLC media player 4.0.0 Otto Chriek'", "version 4.0.0, which is driven in other ways; VLC 3 is needed"),
        ("[ \"$1\" = --version ] || exit 1", "ended at once"),
    ],
)
def test_f121_what_is_wrong_with_vlc_is_said(built, media, run, tmp_path, script, words):
    if not (built / "unisono-vlc").exists():
        pytest.skip("build/unisono-vlc is not built; run `make` first")
    folder = tmp_path / "bin"
    folder.mkdir()
    if script:
        (folder / "vlc").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "vlc").chmod(0o755)
    ann = Program(
        built / "unisono", "watch", media, "--player", "vlc", "--config", "/dev/null", stdin=subprocess.DEVNULL, PATH=f"{folder}:/nowhere",
        XDG_RUNTIME_DIR=str(run))
    assert ann.process.wait(60) == 1
    ann.says_something(words)
