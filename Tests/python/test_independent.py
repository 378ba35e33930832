"""Z40: a client written from docs/spec/wire.md alone (Tests/independent) takes part in a session of the library's."""

import sys
import time

import pytest
from group_support import ROOT, unisono

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

from client import Client  # noqa: E402

SECOND = 1_000_000_000
CLOSE = SECOND // 20


@pytest.fixture
def trio(pair):
    """Two participants of the library's on one item, and the other client among them."""
    a, b, until = pair
    a.session.activate(unisono.Activity("film", title="A film"))
    client = Client(a.session.invite, "Cem")

    def together(holds, what):
        def turn():
            client.poll(0.001)
            return holds()

        until(turn, what)

    together(lambda: client.is_in and client.is_synchronised, "the other client was in")
    client.move_to("film")

    def knows(player):
        return ("Cem", "film") in {(p.display_name, p.item) for p in player.coordinator.other_participants}

    together(lambda: knows(a) and knows(b), "both knew it")
    yield a, b, client, together
    client.close()


def apart(client, *players):
    now = time.monotonic_ns()
    return max(abs(client.position(now) - player.position(now)) for player in players)


def test_z40_it_is_welcomed_and_reads_the_groups_state(trio):
    a, b, client, _ = trio
    assert client.activity == "film"
    assert client.state.kind == "paused"
    assert "Cem" in {participant.display_name for participant in a.session.participants}
    assert client.refused == []


def test_z40_it_follows_a_playback(trio):
    a, b, client, until = trio
    a.coordinator.play()
    until(lambda: client.state.kind == "playing" and a.playing and b.playing, "all three played")
    until(lambda: apart(client, a, b) < CLOSE, "all were at one place")
    b.coordinator.seek(60 * SECOND)
    until(lambda: client.state.kind == "playing" and client.state.at == 60 * SECOND, "it followed the seek")
    until(lambda: a.playing and b.playing and apart(client, a, b) < CLOSE, "all were at one place again")
    a.coordinator.pause()
    until(lambda: client.state.kind == "paused", "it followed the pause")
    assert client.refused == []


def test_z40_it_commands_a_playback(trio):
    a, b, client, until = trio
    client.seek(30 * SECOND)
    until(lambda: all(p.position(time.monotonic_ns()) == 30 * SECOND for p in (a, b)), "both went where it said")
    client.play()
    until(lambda: client.state.kind == "playing" and a.playing and b.playing, "all three played")
    until(lambda: apart(client, a, b) < CLOSE, "all were at one place")
    assert a.commands[-1].originator == b.commands[-1].originator == client.id
    client.pause()
    until(lambda: client.state.kind == "paused" and not a.playing and not b.playing, "all paused")
    assert apart(client, a, b) < CLOSE


def test_z40_the_librarys_heartbeats_find_nothing_amiss(trio):
    """What both hash for their heartbeats is the same: no participant asks another for what it lacks."""
    a, b, client, until = trio
    a.coordinator.play()
    heard = client.beats
    until(lambda: client.beats > heard + 6, "several heartbeats were heard")
    assert client.differing <= 2
    assert client.refused == []


def test_f44_who_forges_is_ignored_for_a_minute_and_both_are_told(trio):
    a, b, client, until = trio
    told = {a: [], b: []}
    for player in (a, b):
        player.session.on_ignored = told[player].append
    client.forge(99)
    client.seek(30 * SECOND)
    until(lambda: all(p.position(time.monotonic_ns()) == 30 * SECOND for p in (a, b)), "both still listened")
    client.forge(1)
    until(lambda: told[a] and told[b] and len(client.ignored_by) == 2, "all were told")
    for player in (a, b):
        assert len(told[player]) == 1
        ignored = told[player][0]
        assert ignored.participant == client.id and not ignored.by_other
        assert ignored.status == unisono.Status.EAUTH and "signature" in ignored.message
        left = ignored.until - player.context.host_time
        assert 50 * SECOND < left <= 60 * SECOND
    assert set(client.ignored_by.values()) == {(3, 60_000)}
    client.seek(90 * SECOND)
    a.coordinator.seek(45 * SECOND)
    until(lambda: all(p.position(time.monotonic_ns()) == 45 * SECOND for p in (a, b)), "the others went on alone")
