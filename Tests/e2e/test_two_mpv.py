"""F1, F2, F70, F72: two mpv on one real file, measured from outside. Bounds are generous: figures are the benchmark's."""

import statistics
import time
from collections import deque

import pytest
from hosts_support import Host, until
from range_server import serving

SKEW = 0.030  # seconds, median of a stretch of play
STRETCH = 40  # samples
STANDING = 0.050
KEYS = (0.025, 0.025, 0.025, 0.15, 0.15, 0.1, 0.05, 0)  # seconds after each press: a key held down, and one pressed again and again


@pytest.fixture(params=["c-python", "python-c", "python-python"])
def hosts(request, built, media, tmp_path):
    first, second = request.param.split("-")
    if "c" in (first, second) and not (built / "mpv_host").exists():
        pytest.skip("build/mpv_host is not built; on Debian: apt install libmpv-dev, then `make hosts`")
    ann = Host(first, ["host", "--listen", "127.0.0.1:0", media], "Ann", tmp_path, built)
    ben = None
    try:
        ben = Host(second, ["join", ann.invite, media], "Ben", tmp_path, built)
        both = (ann, ben)
        until(lambda: all(len(h.status.get("participants", ())) == 2 for h in both), "both were in")
        until(lambda: all(h.status.get("position") is not None for h in both), "both had loaded the file")
        yield ann, ben
    finally:
        ended = [h.close() for h in (ben, ann) if h is not None]
    assert ended == [0, 0], "both hosts end cleanly"


def skew(a, b):
    """Seconds between what the two players sound like at one instant; None while one of them is between places."""
    (here_a, when_a), (here_b, when_b) = a.mpv.position(), b.mpv.position()
    return None if here_a is None or here_b is None else (here_a - when_a) - (here_b - when_b)


def in_step(a, b, when):
    """Both come to the same sound and stay there: a stretch of samples, within a minute however busy the machine is."""
    last = deque(maxlen=STRETCH)

    def is_so():
        value = skew(a, b)
        if value is not None:
            last.append(abs(value))
        return len(last) == STRETCH and statistics.median(last) < SKEW

    until(is_so, f"both were in step {when}", 60)


def both_play(a, b):
    until(lambda: not a.mpv.paused and not b.mpv.paused, lambda: f"both played; {a.account()}; {b.account()}")


def both_stand(a, b):
    until(lambda: a.mpv.paused and b.mpv.paused, lambda: f"both stood; {a.account()}; {b.account()}")


def standing_together(a, b):
    here = a.mpv.place
    return here is not None and standing_at(b, here)


def place_of(host):
    """Seconds where it stands, once it does: as all come to one picture it may seek once more."""
    seen = []
    until(lambda: seen.append(host.mpv.place) or seen[-1] is not None, "it stood somewhere")
    return seen[-1]


def standing_at(host, place):
    here = host.mpv.get("time-pos")
    return here is not None and not host.mpv.get("seeking") and abs(here - place) < STANDING


def test_play_pause_and_seek_keep_two_mpv_in_step(hosts):
    ann, ben = hosts
    ann.type("play")
    both_play(ann, ben)
    in_step(ann, ben, "after play")

    ben.type("pause")
    both_stand(ann, ben)
    until(lambda: standing_together(ann, ben), "both stood at one place")

    ann.type("seek 60")
    until(lambda: standing_at(ann, 60) and standing_at(ben, 60), "both stood at 60 s")
    assert ann.mpv.paused and ben.mpv.paused, "a seek plays nobody"

    ben.type("play")
    both_play(ann, ben)
    in_step(ann, ben, "after playing again")

    ann.type("seek 120")
    until(lambda: all(120 <= (h.mpv.get("audio-pts") or 0) < 130 for h in (ann, ben)), "both played on from 120 s")
    both_play(ann, ben)
    in_step(ann, ben, "after a seek while playing")


def test_what_a_person_does_in_one_window_both_do(hosts):
    ann, ben = hosts
    ann.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    in_step(ann, ben, "after the space bar")

    ben.mpv.command("seek", 30, "absolute+exact")
    until(lambda: all(30 <= (h.mpv.get("audio-pts") or 0) < 40 for h in (ann, ben)), "both played on from 30 s")
    both_play(ann, ben)
    in_step(ann, ben, "after a click on the time line")

    ben.mpv.command("set_property", "pause", True)
    both_stand(ann, ben)


def test_seeks_count_that_others_or_a_press_of_play_follow(hosts):
    ann, ben = hosts
    until(lambda: standing_together(ann, ben), "both stood at one place")
    ben.mpv.command("seek", 200, "absolute+exact")
    ben.mpv.command("set_property", "pause", False)
    both_play(ann, ben)
    until(lambda: all(200 <= (h.mpv.get("audio-pts") or 0) < 240 for h in (ann, ben)), "both played on from 200 s")
    in_step(ann, ben, "after a seek and a press of play")

    before = ben.mpv.get("time-pos")
    for pause in KEYS:
        ben.mpv.command("seek", 20, "relative+exact")
        time.sleep(pause)
    # One that mpv is told of in the same instant as the group's answer to the one before is the group's.
    least, most = 20 * (len(KEYS) - 2), 20 * len(KEYS) + 20
    until(lambda: all(least <= (h.mpv.get("audio-pts") or 0) - before < most for h in (ann, ben)), "the presses counted", 20)


def test_a_late_mpv_starts_in_place(hosts, built, media, tmp_path):
    ann, ben = hosts
    ann.type("play")
    both_play(ann, ben)
    ann.type("invite")
    late = Host("python", ["join", ann.invite, media], "Cem", tmp_path, built)
    try:
        until(lambda: late.status.get("state") == "playing", "the late one played")
        in_step(ann, late, "with the late one")
        assert not ann.mpv.paused
    finally:
        assert late.close() == 0


@pytest.mark.parametrize("kind", ["c", "python"])
def test_a_press_of_play_before_the_film_is_there_starts_it(kind, built, media, tmp_path):
    if kind == "c" and not (built / "mpv_host").exists():
        pytest.skip("build/mpv_host is not built; on Debian: apt install libmpv-dev, then `make hosts`")
    with serving(media) as server:
        server.hold(0, len(server.data))
        ann = Host(kind, ["host", "--listen", "127.0.0.1:0", server.address], "Ann", tmp_path, built)
        try:
            until(lambda: ann.mpv.get("path") == server.address and server.begun, "mpv was opening the film")
            ann.mpv.command("set_property", "pause", False)
            until(lambda: ann.mpv.paused, "mpv was set back until the group starts")
            assert not ann.mpv.loaded
            server.release()
            until(lambda: ann.status.get("state") == "playing" and not ann.mpv.paused, "the film started")
        finally:
            assert ann.close() == 0
