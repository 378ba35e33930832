"""F100: `unisono bridge` between a real Syncplay server with a real client and a session with mpv, measured from outside."""

import shutil
import signal
import subprocess
import time

import pytest
from hosts_support import Program, until
from syncplay import SyncplayPerson, free_port, server
from test_two_mpv import both_play, both_stand, skew
from test_watch import ann, invite_of, unisono  # noqa: F401

ROOM = "film night"
#: Seconds; Syncplay's own clients are up to 0.35 s apart (docs/benchmarks.md), and the machine is busy.
NEAR = 0.6


@pytest.fixture
def syncplay_port():
    return free_port()


@pytest.fixture
def syncplay_server(syncplay_port):
    program = server(syncplay_port)
    yield program
    if program.process.poll() is None:
        program.kill()


@pytest.fixture
def carl(syncplay_server, syncplay_port, media, tmp_path):
    """In the room, with a copy of Ann's film."""
    copy = tmp_path / "carls" / media.name
    copy.parent.mkdir()
    shutil.copy(media, copy)
    person = SyncplayPerson("Carl", syncplay_port, ROOM, copy, tmp_path)
    until(lambda: person.mpv.loaded, "Carl's film was open")
    person.says_something("Carl is playing")
    yield person
    person.leave()


@pytest.fixture
def bridge(built, ann, carl, syncplay_port):  # noqa: F811
    program = Program(
        built / "unisono", "bridge", f"127.0.0.1:{syncplay_port}", ROOM, invite_of(ann), stdin=subprocess.DEVNULL)
    program.says(f'in the room "{ROOM}" of 127.0.0.1:{syncplay_port} as "Unisono: Ann"')
    yield program
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(20) == 0
    ann.says_something(f"Syncplay {ROOM} left")


def for_a_second(holds, what):
    """Whoever presses a key at the very moment of the other side's change loses, as in Syncplay itself."""
    since = time.monotonic()

    def is_so():
        nonlocal since
        if not holds():
            since = time.monotonic()
        return time.monotonic() - since > 1

    until(is_so, what)


def play_together(one, other, when):
    def are_near():
        value = skew(one, other)
        return value is not None and abs(value) <= NEAR

    for_a_second(are_near, f"both were at one place {when}")


def is_at(one, place, near=NEAR):
    """Asked once: while it seeks it has none."""
    here = one.mpv.place
    return None not in (here, place) and abs(here - place) < near


def stand_at(place, *people):
    for_a_second(lambda: all(is_at(one, place) for one in people), f"all stood at {place} s")


def test_f100_people_in_a_syncplay_room_and_in_a_session_play_pause_and_jump_together(bridge, ann, carl):  # noqa: F811
    ann.says_something("in the Syncplay room: Carl")
    carl.mpv.command("set_property", "pause", False)
    both_play(ann, carl)
    ann.says_something("Carl pressed play")
    play_together(ann, carl, "after Carl's play")
    carl.mpv.command("set_property", "pause", True)
    both_stand(ann, carl)
    ann.says_something("Carl paused")

    until(lambda: is_at(ann, carl.mpv.place, 0.15), "both stood at one place")
    carl.mpv.command("seek", 60, "absolute+exact")
    stand_at(60, ann, carl)
    ann.mpv.command("seek", 120, "absolute+exact")
    stand_at(120, ann, carl)
    ann.mpv.command("set_property", "pause", False)
    both_play(ann, carl)
    play_together(ann, carl, "after Ann's play")
    carl.says_something("Unisono: Ann unpaused")
    ann.mpv.command("seek", 300, "absolute+exact")
    until(lambda: (carl.mpv.position()[0] or 0) > 299, "Carl had jumped, too")
    play_together(ann, carl, "after Ann's jump")
    ann.mpv.command("set_property", "pause", True)
    both_stand(ann, carl)


def test_f100_chat_readiness_and_other_files_are_told_both_ways_and_a_lost_server_is_waited_for(
        bridge, ann, carl, season, syncplay_server, syncplay_port):  # noqa: F811
    carl.type("ch hello from there")
    ann.says_something("Carl: hello from there")
    ann.mpv.command("script-message", "unisono-say", "hello from here")
    carl.says_something("<Unisono: Ann> Ann: hello from here")

    def ann_sees(what):
        ann.press("Ctrl+u")
        return any(line.startswith(f"Syncplay {ROOM}: ") and line.endswith(what) for line in list(ann.out.lines))

    until(lambda: ann_sees(", is ready"), "Ann saw that the room was ready")
    carl.type("t")
    until(lambda: ann_sees(", is not ready"), "Ann saw that Carl was not")
    carl.type("l")
    carl.says_something("(Ready) <Unisono: Ann> is playing:")

    carl.mpv.command("loadfile", str(season / "one.mkv"))
    ann.says_something('Carl has another file open, "one.mkv"')
    ann.says_something("copy")
    # Syncplay's client warns when another one's file comes, here the group's next film.
    ann.mpv.command("loadfile", str(season / "two.mkv"))
    carl.says_something("Unisono: Ann is playing 'two.mkv'")
    carl.says_something("Your file differs in the following way(s): name")

    syncplay_server.kill()
    ann.says_something("the connection to the Syncplay room is lost")
    ann.mpv.command("set_property", "pause", False)
    until(lambda: not ann.mpv.paused, "nobody waited for who could not be reached")
    again = server(syncplay_port)
    try:
        until(lambda: sum("in the room" in line for line in bridge.out.lines) == 2, "the bridge was back")
    finally:
        bridge.process.send_signal(signal.SIGTERM)
        bridge.process.wait(20)
        again.kill()
