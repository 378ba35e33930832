"""F75: `unisono monitor` on a group of real players."""

import json
import os
import re
import select
import signal
import subprocess

import pytest
from hosts_support import Program, environment, until
from test_two_mpv import both_play, both_stand
from test_watch import ann, ben, folders, invite_of, unisono  # noqa: F401


@pytest.fixture
def monitor(built, ann, ben):  # noqa: F811
    started = []

    def start(*options, **more):
        program = Program(built / "unisono", "monitor", invite_of(ann), *options, stdin=subprocess.DEVNULL, **more)
        started.append(program)
        return program

    yield start
    for program in started:
        if program.process.poll() is None:
            program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(20) == 0


def records(program):
    return [json.loads(line) for line in list(program.out.lines) if line.startswith("{")]


def some(program, holds, what):
    until(lambda: any(holds(record) for record in records(program)), f"{what}; the last: {program.out.lines[-3:]}")


def skews(record):
    return {one["name"]: one["skew"] for one in record["participants"]}


def test_f75_the_monitor_tells_every_change_of_a_group(monitor, ann, ben):  # noqa: F811
    watcher = monitor("--json")
    some(watcher, lambda r: r["motion"] == "paused" and len(r["participants"]) == 2, "both were seen to stand")
    first = next(r for r in records(watcher) if r["motion"] == "paused")
    assert first["item"] == "film.mkv" and first["connection"] == "connected" and first["hub"]

    # Who has just come does not tell what people did before it knew the time.
    some(watcher, lambda r: r["clock_error"] is not None, "it knew the time")
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)

    def is_in_step(record):
        found = skews(record)
        return record["motion"] == "playing" and set(found) == {"Ann", "Ben"} and all(
            skew is not None and abs(skew) < 0.1 for skew in found.values())

    some(watcher, is_in_step, "both were seen in step")
    some(watcher, lambda r: any(event["text"] == "Ben pressed play" for event in r["events"]), "it was told who pressed play")
    later = [r["position"] for r in records(watcher) if r["motion"] == "playing" and r["position"] is not None]
    assert later == sorted(later)

    ann.mpv.command("set_property", "pause", True)
    both_stand(ann, ben)
    some(watcher, lambda r: any(event["text"] == "Ann paused" for event in r["events"]), "it was told who paused")
    measured = records(watcher)[-1]["participants"]
    assert all(0 <= one["clock_error"] < 0.1 for one in measured)
    assert ben.quit() == 0
    some(watcher, lambda r: len(r["participants"]) == 1, "Ben was seen to be gone")


def test_f75_nobody_waits_for_the_monitor_and_the_others_see_what_it_is(monitor, ann, ben):  # noqa: F811
    watcher = monitor("--json")
    some(watcher, lambda r: len(r["participants"]) == 2, "it was in")
    ben.says_something("monitor joined")
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    ann.press("Ctrl+u")
    ann.says_something("monitor: is apart")
    assert not any(r["waiting_for"] == [{"name": "monitor", "reason": ""}] for r in records(watcher))


def test_f75_where_the_output_is_no_terminal_it_shows_one_picture_without_colour(monitor, ann, ben):  # noqa: F811
    shown = monitor()
    assert shown.process.wait(30) == 0
    lines = shown.out.lines
    assert lines[0].startswith('"film.mkv"  paused at 0:00:00.0 of 0:10:00')
    assert any(re.match(r"[12] Ann +stands", line) for line in lines)
    assert any(line.startswith("0:00:00 ●") for line in lines)
    assert "waits for nobody" in lines
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("more,coloured", [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_f75_a_terminal_has_its_own_screen_back_at_the_end(built, ann, ben, more, coloured):  # noqa: F811
    outer, inner = os.openpty()
    given = {**environment(), "TERM": "xterm", **more}
    given = {name: value for name, value in given.items() if name != "NO_COLOR" or "NO_COLOR" in more}
    command = [str(built / "unisono"), "monitor", invite_of(ann)]
    watcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=inner, stderr=inner, env=given)
    os.close(inner)
    seen = b""

    def reads(limit=0.2):
        nonlocal seen
        while select.select([outer], [], [], limit)[0]:
            try:
                seen += os.read(outer, 65536)
            except OSError:  # nobody holds the other end any more
                return

    def has_both():
        reads(0)
        return b"Ann" in seen and b"Ben" in seen and b"waits for nobody" in seen

    until(has_both, "the picture came")
    watcher.send_signal(signal.SIGINT)
    assert watcher.wait(20) == 0
    reads()
    assert seen.startswith(b"\x1b[?1049h") and seen.endswith(b"\x1b[?25h\x1b[?1049l")
    assert (b"\x1b[36m" in seen) is coloured
    os.close(outer)


@pytest.mark.parametrize("arguments,words", [(["unisono://nobody"], "invite"), (["@/nowhere"], "cannot read"), (["-", "--json", "--once"], "give one")])
def test_f75_wrong_arguments_are_said(built, arguments, words):
    refused = subprocess.run(
        [str(built / "unisono"), "monitor", *arguments], input="", env=environment(), capture_output=True, text=True, timeout=30)
    assert refused.returncode == 64 and words in refused.stderr
