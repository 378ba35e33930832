"""Finds the library. Tests that need it are skipped, clearly, when there is none."""

import os

import pytest
from group_support import ROOT, Player, pump

if "UNISONO_LIBRARY" not in os.environ and (ROOT / "build" / "libunisono.so.0").exists():
    os.environ["UNISONO_LIBRARY"] = str(ROOT / "build" / "libunisono.so.0")

import unisono  # noqa: E402
from unisono import _ffi  # noqa: E402


@pytest.fixture
def library():
    try:
        return _ffi.library()
    except OSError as error:
        pytest.skip(f"no library to test with; run `make` first ({error})")


@pytest.fixture
def context(library):
    with unisono.Context(device_name="test") as made:
        yield made


@pytest.fixture
def pair(library):
    """Two participants in one process, joined, on one item."""
    with unisono.Context(device_name="a") as one, unisono.Context(device_name="b") as two:
        a, b = Player(one), Player(two)
        a.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"]))
        b.attach(unisono.Session.open(two, a.session.invite, display_name="Ben"))
        both = [one, two]

        def met(player, other):
            seen = player.coordinator.other_participants
            joined = player.session.state == unisono.SessionState.JOINED
            synchronised = player.session.statistics.clock_state == unisono.ClockState.SYNCHRONIZED
            return joined and synchronised and [(p.display_name, p.item) for p in seen] == [(other, "film")]

        pump(both, lambda: met(a, "Ben") and met(b, "Ann"), "both joined and saw each other on the item")
        pump(both, lambda: all(p.coordinator.timing for p in (a, b)), "both had the item's timing")
        yield a, b, lambda until, what: pump(both, until, what)
