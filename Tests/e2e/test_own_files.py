"""F72: what a sample host plays is what was given here; and its mpv never outlives it."""

import shutil
import signal
import subprocess
import sys

import pytest
from hosts_support import Host, Lines, environment, until


@pytest.fixture
def start(built, media, tmp_path):
    """Makes Python mpv hosts, without the --item that the other tests give."""
    made = []

    def make(name, *arguments):
        host = Host("python", list(arguments), name, tmp_path, built, item=None)
        made.append(host)
        return host

    yield make
    for host in reversed(made):
        host.close()


def children(process):
    """The processes that it started."""
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def is_running(pid):
    """A process that ended and was not waited for is over, too."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_mpv_ends_with_its_host_however_that_ends(start, media):
    host = start("Ann", "host", "--listen", "127.0.0.1:0", media)
    until(lambda: host.status.get("position") is not None, "it had loaded the file")
    players = children(host.process)
    assert players and all(map(is_running, players))
    host.process.send_signal(signal.SIGKILL)
    host.process.wait()
    until(lambda: not any(map(is_running, players)), "mpv had ended", 10)


def test_a_joiner_s_own_file_is_its_copy_whatever_its_name(start, media, tmp_path):
    mine = tmp_path / "another name.mkv"
    shutil.copy(media, mine)
    ann = start("Ann", "host", "--listen", "127.0.0.1:0", media)
    ben = start("Ben", "join", ann.invite, mine)
    until(lambda: ben.status.get("item") == media.name, "Ben is on the group's item")
    until(lambda: all(host.status.get("position") is not None for host in (ann, ben)), "both had loaded")
    assert ben.mpv.get("path") == str(mine)
    ann.type("seek 30")
    until(lambda: all(host.status.get("position") == pytest.approx(30, abs=0.05) for host in (ann, ben)), "both at 30 s")


def test_what_another_participant_named_is_not_opened(start, media, tmp_path):
    """A path that is there, and an address: named by another, neither is played until the person here says so."""
    trap = tmp_path / "trap.mkv"
    shutil.copy(media, trap)
    ann = start("Ann", "host", "--listen", "127.0.0.1:0", media)
    invite = ann.invite
    ben = start("Ben", "join", invite, media)
    out = Lines(ben.process.stdout)
    until(lambda: ben.status.get("item") == media.name, "Ben is on the group's item")
    for named in (str(trap), "http://127.0.0.1:9/film.mkv"):
        subprocess.run([sys.executable, "-c", NAMES, invite, named], check=True, timeout=60, env=environment())
        out.wait(f"* The group moved on to {named}: type file PATH", "it was said that the group moved on")
        assert ben.mpv.get("path") == str(media) and ben.status["item"] == media.name
    ben.type(f"file {trap}")
    until(lambda: ben.mpv.get("path") == str(trap), "Ben played what he typed himself")
    until(lambda: ben.status["item"] == "http://127.0.0.1:9/film.mkv", "as his copy of the group's item")


#: Somebody who names another item for all.
NAMES = """
import sys
import unisono
with unisono.Context() as context:
    with unisono.Session.open(context, sys.argv[1], display_name="Eve") as session:
        session.join()
        while session.state != unisono.SessionState.JOINED:
            context.poll(max_wait_ns=unisono.SECOND // 10)
        session.activate(unisono.Activity("org.unisono.sample.watch", payload=sys.argv[2].encode()))
        end = context.host_time_ns + unisono.SECOND // 2
        while context.host_time_ns < end:
            context.poll(max_wait_ns=unisono.SECOND // 20)
"""


def test_what_happens_is_said_in_lines(start, media):
    ann = start("Ann", "host", "--listen", "127.0.0.1:0", media)
    invite = ann.invite
    out = Lines(ann.process.stdout)
    ben = start("Ben", "join", invite, media)
    out.wait("* Ben joined", "it was said that Ben came")
    until(lambda: all(len(host.status.get("participants", ())) == 2 for host in (ann, ben)), "both were in")
    until(lambda: all(host.status.get("position") is not None for host in (ann, ben)), "both had loaded")
    ben.type("play")
    out.wait("* Ben pressed play", "it was said who played")
    ben.type("seek 62")
    out.wait("* Ben sought to 1:02", "it was said who sought")
    ben.type("pause")
    out.wait("* Ben paused", "it was said who paused")
    assert ben.close() == 0
    out.wait("* Ben left", "it was said that Ben left", 5)
