"""F65, Z30: bad company. An error or a counted refusal, never a crash or a hang, and the others go on undisturbed."""

import contextlib
import ctypes
import os
import random
import re
import select
import signal
import struct
import threading
import subprocess
import sys
import time

import pytest
import unisono
import waiting
from group_support import ROOT, Player, pump
from hostile_support import (
    DELIVER,
    ENTERED,
    PRESENCE,
    REFUSED,
    OnPath,
    Server,
    frame,
    item,
    items,
    members,
    port_of,
    refused,
    resident_bytes,
    send_and_wait_for_end,
    through,
    with_key,
)
from unisono import SECOND, SessionState, _ffi


@pytest.fixture
def room(pair):
    """A pair, and proof at the end that it was not disturbed."""
    a, b, until = pair
    yield a, b, until
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "the two others played")
    b.coordinator.pause()
    until(lambda: not a.playing and not b.playing, "the two others stood")


def joined_by_way_of(path, a, context):
    guest = Player(context)
    guest.attach(unisono.Session.open(context, through(a.session.invite, path.port), display_name="Cem", standby_hub=False))
    return guest


@pytest.fixture
def hostile():
    """The module with those who lie (Tests/independent)."""
    pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
    sys.path.insert(0, str(ROOT / "Tests" / "independent"))
    import hostile

    return hostile


@contextlib.contextmanager
def at_lying_hub(hostile):
    """A hub that will lie to whom it is told to, and two who are joined there and know the time."""
    with hostile.LyingHub() as hub, unisono.Context(device_name="a") as one, unisono.Context(device_name="b") as two:
        a, b = Player(one), Player(two)
        a.attach(unisono.Session.host(one, display_name="Ann", hub=hub.line, standby_hub=False))
        pump([one], lambda: a.session.state == SessionState.JOINED, "the host was in")
        b.attach(unisono.Session.open(two, a.session.invite, display_name="Ben", standby_hub=False))
        both = [one, two]
        pump(both, lambda: len(a.session.participants) == len(b.session.participants) == 2, "they met")
        known = unisono.ClockState.SYNCHRONIZED
        pump(both, lambda: all(p.session.statistics.clock_state == known for p in (a, b)), "they knew the time")
        yield hub, a, b


@pytest.fixture
def lying(library, hostile):
    """A hub that will lie to the third who comes, two who are joined there, and proof at the end that they were not disturbed."""
    with at_lying_hub(hostile) as (hub, a, b):
        yield hub, a, b
        both = [a.context, b.context]
        a.coordinator.play()
        pump(both, lambda: a.playing and b.playing, "the two others played")
        b.coordinator.pause()
        pump(both, lambda: not a.playing and not b.playing, "the two others stood")


def seen_doubts(player):
    """What a session is told of doubted clocks from now on."""
    seen = []
    player.session.on_clock_doubt = seen.append
    return seen


@pytest.mark.parametrize("shift", [10 * SECOND, -10 * SECOND])
def test_z72_a_hub_that_tells_a_newcomer_another_time_is_found_out_and_the_newcomer_plays_with_the_others(lying, shift):
    hub, a, b = lying
    with unisono.Context(device_name="c") as three:
        c = Player(three)
        session = unisono.Session.open(three, a.session.invite, display_name="Cem", standby_hub=False)
        hub.shifts[session.local_participant] = shift
        contexts = [a.context, b.context, three]
        doubts = [seen_doubts(a), seen_doubts(b)]
        c.session = session
        doubts.append(seen_doubts(c))
        hubs = []
        session.on_hub_doubt = hubs.append
        c.attach(session)
        pump(contexts, lambda: all(doubts), "all three were told")
        # Who measured it itself takes the hub for the one that lies; the others could have been lied to by that one.
        pump(contexts, lambda: hubs, "the hub was in doubt")
        assert hubs[0].reason == unisono.HubDoubtReason.CLOCK and not hubs[0].over and hubs[0].until_ns is None
        ids = {doubt.participant for told in doubts for doubt in told}
        assert ids == {session.local_participant} and doubts[2][0].own and not doubts[0][0].own
        assert all(abs(told[0].offset_ns - shift) < SECOND // 10 and not told[0].over for told in doubts)
        assert "ahead of" in doubts[0][0].message or "behind" in doubts[0][0].message
        a.coordinator.play()
        pump(contexts, lambda: a.playing and b.playing and c.playing, "all three played")

        def apart():
            now = a.context.host_time_ns
            return max(abs(a.position(now) - player.position(now)) for player in (b, c))

        pump(contexts, lambda: apart() < SECOND // 20, "they are together")
        checked = c.session.statistics.checked_bound_ns
        assert checked > abs(shift) - SECOND // 10, "what the hub tells is that far from the others"
        assert a.session.statistics.checked_bound_ns is not None


def session_time(player, at):
    """What a session's clock shows at a host time."""
    clock = player.session.clock
    return clock.session_time_ns + int(clock.rate * (at - clock.host_time_ns))


def test_z73_whose_clock_a_hub_lets_drift_is_in_doubt_before_it_is_off_by_checked_bound_and_20_ms(lying):
    hub, a, b = lying
    with unisono.Context(device_name="c") as three:
        c = joined_there(a, three)
        contexts = [a.context, b.context, three]
        known = unisono.ClockState.SYNCHRONIZED
        pump(contexts, lambda: all(len(p.session.participants) == 3 for p in (a, b, c)), "all met")
        pump(contexts, lambda: c.session.statistics.clock_state == known, "it knew the time")
        pump(contexts, lambda: c.session.statistics.checked_bound_ns is not None, "it was compared")
        doubts = [seen_doubts(player) for player in (a, b, c)]
        beyond = []

        def watched():
            bound, now = c.session.statistics.checked_bound_ns, three.host_time_ns
            assert bound is not None, "it is compared with the others all the time"
            beyond.append(abs(session_time(c, now) - session_time(a, now)) - bound)
            return doubts[0] and doubts[1] and any(doubt.own for doubt in doubts[2])

        hub.drift(c.session.local_participant, 0.01)
        pump(contexts, watched, "all three were told")
        assert max(beyond) <= 20 * unisono.MILLISECOND
        assert {doubt.participant for told in doubts[:2] for doubt in told} == {c.session.local_participant}
        # It goes by the others' time from then on, however far the hub's goes on to drift.
        told = three.host_time_ns
        a.coordinator.play()
        pump(contexts, lambda: a.playing and b.playing and c.playing, "all three played")
        apart = []

        def followed():
            now = three.host_time_ns
            apart.append(abs(session_time(c, now) - session_time(a, now)))
            return now - told > 10 * SECOND

        pump(contexts, followed, "it drifted on by 100 ms")
        assert max(apart) <= 50 * unisono.MILLISECOND


def joined_there(a, context, name="Cem"):
    """A third one at the hub that will lie to it, once all know the time."""
    guest = Player(context)
    guest.attach(unisono.Session.open(context, a.session.invite, display_name=name, standby_hub=False))
    return guest


def test_z78_the_removal_by_an_owner_to_whom_the_hub_tells_another_hour_counts_at_once_everywhere(library, hostile):
    with at_lying_hub(hostile) as (hub, a, b), unisono.Context(device_name="c") as three:
        c = joined_there(a, three)
        contexts = [a.context, b.context, three]
        pump(contexts, lambda: len(a.session.participants) == len(b.session.participants) == 3, "all met")
        pump(contexts, lambda: c.session.state == SessionState.JOINED, "it was in")

        def ahead():
            at = a.context.host_time_ns
            return session_time(a, at) - session_time(b, at)

        assert abs(ahead()) < SECOND
        hub.shifts[a.session.local_participant] = 3_600 * SECOND
        pump(contexts, lambda: ahead() > 3_000 * SECOND, "the owner's time was an hour ahead")
        begun = time.monotonic()
        a.session.remove_participant(c.session.local_participant)
        pump(contexts, lambda: c.session.state == SessionState.INVALIDATED, "the removed one was out")
        pump(contexts, lambda: len(b.session.participants) == 2, "the other one shows two")
        assert time.monotonic() - begun < 5


def test_z45_who_is_bent_out_of_reach_by_a_hub_is_told_by_all_whom_it_concerns_and_so_is_the_end(lying):
    hub, a, b = lying
    with unisono.Context(device_name="c") as three:
        c = joined_there(a, three)
        contexts = [a.context, b.context, three]
        pump(contexts, lambda: all(len(p.session.participants) == 3 for p in (a, b, c)), "all met")
        pump(contexts, lambda: all(p.session.state == SessionState.JOINED for p in (a, b, c)), "all were in")
        splits, hubs = {a: [], b: [], c: []}, []
        for player, seen in splits.items():
            player.session.on_split = seen.append
        a.session.on_hub_doubt = hubs.append
        mine, theirs = a.session.local_participant, c.session.local_participant
        kind = unisono.SplitKind
        hub.bend(theirs, mine)

        def kinds(player):
            return [(event.participant, event.kind, event.over) for event in splits[player]]

        def listed(player, other):
            return next(one.split for one in player.session.participants if one.id == other)

        pump(contexts, lambda: kinds(a) == [(theirs, kind.UNREADABLE, False)], "it could not be read", limit=30)
        assert listed(a, theirs) == kind.UNREADABLE and "can be read" in splits[a][0].message
        assert 9 * SECOND < a.context.host_time_ns - splits[a][0].since_ns < 20 * SECOND
        pump(contexts, lambda: len(splits[a]) == 2 and splits[c], "others heard it", limit=60)
        assert kinds(a)[1] == (theirs, kind.UNHEARD, False) and kinds(c) == [(mine, kind.DEAF, False)]
        assert listed(a, theirs) == kind.UNREADABLE | kind.UNHEARD and listed(c, mine) == kind.DEAF
        assert [(doubt.reason, doubt.over) for doubt in hubs] == [(unisono.HubDoubtReason.SPLIT, False)]
        assert hubs[0].hub == splits[a][1].hub and kinds(b) == []
        hub.spoil = lambda seat, kind, body: None
        pump(contexts, lambda: len(splits[a]) == 4 and len(splits[c]) == 2, "it was over", limit=30)
        assert all(event.over for event in splits[a][2:] + splits[c][1:])
        assert not listed(a, theirs) and not listed(c, mine)


def lies_to_others_than(spoil, *players):
    """As `spoil` (type, body), for connections of others."""
    spared = {player.session.local_participant for player in players}

    def tell(seat, kind, body):
        return None if seat.claim and seat.claim.participant in spared else spoil(kind, body)

    return tell


def guest_of(a, context):
    guest = Player(context)
    guest.attach(unisono.Session.open(context, a.session.invite, display_name="Cem", standby_hub=False))
    return guest


# ---- what strangers send to a hub ----


def test_a_hub_hangs_up_on_frames_that_are_none(room):
    a, _, until = room
    port = port_of(a.session.invite)
    dice = random.Random(1)
    cases = [b"", b"\0", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 64, b"\0\0\0\0" * 100]
    cases += [b"\xff\xff\xff\xff\x01" + bytes(1000), b"\0\0\x10\1" + b"\1" * 4200, frame(255), frame(1, bytes(1000))]
    cases += [frame(kind) for kind in range(16)]
    cases += [frame(kind, dice.randbytes(dice.randrange(900))) for kind in range(16)]
    cases += [dice.randbytes(dice.randrange(2000)) for _ in range(20)]
    for case in cases:
        send_and_wait_for_end(port, case, a.context.poll)


def test_a_hub_takes_every_beginning_and_every_damage_of_a_real_entry(room):
    a, b, until = room
    with OnPath(port_of(a.session.invite)) as path, unisono.Context(device_name="c") as context:
        guest = joined_by_way_of(path, a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED, "the guest joined")
        real = bytes(path.sent)
        guest.session.leave()
        pump(everybody, lambda: len(a.session.participants) == 2, "the guest had left")
    dice = random.Random(2)
    port = port_of(a.session.invite)
    assert len(real) > 1_900  # OPEN, ENTER, and what follows
    for cut in sorted(dice.sample(range(1_900), 20)):
        send_and_wait_for_end(port, real[:cut], a.context.poll)
    for _ in range(20):
        damaged = bytearray(real)
        damaged[dice.randrange(1_900)] ^= 1 << dice.randrange(8)
        send_and_wait_for_end(port, bytes(damaged), a.context.poll)
    send_and_wait_for_end(port, real, a.context.poll)  # a replay: the hub's challenge is another


# ---- what a hub sends to a participant ----


@pytest.mark.parametrize("kind", range(1, 16))
def test_a_joined_participant_survives_any_frame_of_its_hub(lying, kind):
    hub, a, b = lying
    dice = random.Random(kind)
    rest = [12]

    def spoil(came, body):
        if came in (ENTERED, PRESENCE) or rest[0] == 0:
            return None
        rest[0] -= 1
        return [(kind, dice.randbytes(dice.choice((0, 3, 8, 40, 200)))), (came, body)]

    hub.spoil = lies_to_others_than(spoil, a, b)
    with unisono.Context(device_name="c") as context:
        guest = guest_of(a, context)
        everybody = [a.context, b.context, context]
        if kind != REFUSED:  # a newcomer may believe it: a hub can always turn somebody away
            pump(
                everybody,
                lambda: rest[0] == 0 and guest.session.state == SessionState.JOINED,
                "the guest was in, for all the rubbish",
                limit=60,
            )
        else:
            pump(everybody, lambda: rest[0] < 12, "the rubbish came")


MOST_64, MOST_32 = 2**64 - 1, 2**32 - 1
LIES = {
    "no room for a frame": {5: struct.pack(">I", 0)},
    "endless frames": {5: struct.pack(">I", MOST_32)},
    "no bytes a second": {6: struct.pack(">I", 0)},
    "the greatest connection": {1: struct.pack(">Q", MOST_64)},
    "another token": {3: struct.pack(">Q", MOST_64)},
    "datagrams to nobody": {4: struct.pack(">H", 1)},
    "members without end": {2: members(1_024, MOST_64, MOST_32)},
    "nobody here": {2: b""},
}


@pytest.mark.parametrize("lie", LIES)
def test_what_a_hub_says_at_entry_is_only_believed_as_far_as_it_goes(lying, lie):
    hub, a, b = lying

    def spoil(kind, body):
        if kind != ENTERED:
            return None
        told = {**items(body), **LIES[lie]}
        return [(kind, b"".join(item(tag, told[tag]) for tag in sorted(told)))]

    hub.spoil = lies_to_others_than(spoil, a, b)
    with unisono.Context(device_name="c") as context:
        guest = guest_of(a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: hub.spoiled >= 1, "the lie was told")
        a.coordinator.seek(30 * SECOND)
        pump(everybody, lambda: b.position(time.monotonic_ns()) == 30 * SECOND, "the others went on")
        assert guest.session.state in (SessionState.WAITING, SessionState.JOINED, SessionState.INVALIDATED)


def test_people_that_a_hub_makes_up_come_and_go_and_hold_nobody_up(lying):
    hub, a, b = lying
    invented = iter(range(40))

    def spoil(kind, body):
        number = next(invented, None)
        if kind == ENTERED or number is None:
            return None
        fake = members(256, MOST_64 - number % 2, MOST_32)
        gone = b"".join(fake[at : at + 24] for at in range(0, len(fake), 28))
        return [(PRESENCE, item(1, fake)), (kind, body), (PRESENCE, item(2 + number % 2, gone))]

    hub.spoil = lies_to_others_than(spoil, a, b)
    with unisono.Context(device_name="c") as context:
        guest = guest_of(a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED, "the guest joined", limit=60)
        pump(everybody, lambda: hub.spoiled >= 5, "some were made up")
        a.coordinator.seek(60 * SECOND)
        pump(everybody, lambda: guest.position(time.monotonic_ns()) == 60 * SECOND, "the guest was there", limit=60)


def test_damaged_envelopes_are_refused_counted_and_made_good(lying):
    hub, a, b = lying
    dice = random.Random(3)
    spoiling = []

    def spoil(kind, body):
        if kind != DELIVER or not spoiling:
            return None
        damaged = bytearray(body)
        for _ in range(3):
            damaged[dice.randrange(4, len(damaged))] ^= 1 << dice.randrange(8)
        return [(kind, bytes(damaged))]

    hub.spoil = lies_to_others_than(spoil, a, b)
    with unisono.Context(device_name="c") as context:
        guest = guest_of(a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED, "the guest joined")
        spoiling.append(True)
        before = guest.session.statistics
        a.coordinator.seek(30 * SECOND)

        def refused():
            now = guest.session.statistics
            return now.messages_refused > before.messages_refused or now.reconnects > before.reconnects

        pump(everybody, refused, "the damage was noticed and counted")
        spoiling.clear()
        a.coordinator.seek(60 * SECOND)
        where = lambda: guest.position(time.monotonic_ns())  # noqa: E731
        pump(everybody, lambda: where() == 60 * SECOND, "the guest was where the group is", limit=60)


# ---- what hubs refuse, and what somebody on the path makes of a link ----

STATUSES = range(-119, -100)
ECLOSED, EVERSION, EAUTH, EFULL, EENDED = FORGED = (-103, -108, -109, -111, -119)


def is_connected(player):
    return player.session.connection == unisono.Connection.CONNECTED


def ended(*players):
    return [player for player in players if player.session.state == SessionState.INVALIDATED]


@pytest.mark.parametrize("status", [*STATUSES, -1, 0, 7])
def test_z61_whatever_a_hub_refuses_those_who_were_in_their_sessions_go_on(lying, status):
    hub, a, b = lying
    before = [player.session.statistics.reconnects for player in (a, b)]
    hub.refuse_everybody(status, b"go away", retry=100)
    both = [a.context, b.context]
    pump(both, lambda: not is_connected(a) and not is_connected(b), "they were cut off")
    assert not ended(a, b)
    # A hub that shuts members out is left alone for a minute; it is the only one, and is asked again then.
    limit = {EAUTH: 75, ECLOSED: 8}.get(status, 12)
    pump(both, lambda: is_connected(a) and is_connected(b), "they were back", limit=limit)
    assert not ended(a, b)
    assert [player.session.statistics.reconnects for player in (a, b)] == [count + 1 for count in before]
    a.coordinator.seek(30 * SECOND)
    pump(both, lambda: b.position(time.monotonic_ns()) == 30 * SECOND, "what the one does the other follows")


@pytest.mark.parametrize("when", ["instead of an answer", "among records"])
@pytest.mark.parametrize("status", FORGED)
def test_z61_a_refusal_that_somebody_on_the_path_writes_costs_a_moment(room, status, when):
    a, b, until = room
    forging = []

    def tamper(direction, number, whole):
        first = number == 0
        if direction != "down" or not forging or first != (when == "instead of an answer"):
            return None
        forging.pop()
        return refused(status, retry=MOST_32) + (b"" if first else whole)

    with OnPath(port_of(a.session.invite), tamper) as path, unisono.Context(device_name="c") as context:
        guest = joined_by_way_of(path, a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED, "the guest joined")
        forging.append(True)
        if when == "instead of an answer":
            path.hang_up()
        pump(everybody, lambda: path.tampered == 1, "the refusal was forged")
        # In clear among records it is none: lost, and back at once. In clear instead of an answer it may be true: a pause of 10 s at most.
        pump(everybody, lambda: not is_connected(guest), "the guest was cut off")
        pump(everybody, lambda: is_connected(guest), "it was back", limit=14 if when == "instead of an answer" else 2)
        assert guest.session.state == SessionState.JOINED


@pytest.mark.parametrize("status", FORGED)
def test_z61_a_newcomer_does_not_believe_one_forged_refusal(pair, status):
    a, b, until = pair
    forging = [True]

    def tamper(direction, number, whole):
        if direction == "down" and number == 0 and forging:
            forging.pop()
            return refused(status, retry=MOST_32)
        return None

    with OnPath(port_of(a.session.invite), tamper) as path, unisono.Context(device_name="c") as context:
        guest = joined_by_way_of(path, a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state != SessionState.WAITING, "the guest got somewhere", limit=20)
        assert guest.session.state == SessionState.JOINED and path.tampered == 1


@pytest.mark.parametrize("poses", [False, True])
def test_z63_another_hub_under_the_pinned_address_is_told_no_topic(pair, hostile, poses):
    from client import Client
    from invite import Invite
    from primitives import lab, sha
    from room import Door

    a, b, until = pair
    invite = Invite(a.session.invite)
    door = Door(sha(lab("session") + invite.origin), invite.secret)
    shown = None
    if poses:
        with contextlib.closing(Client(a.session.invite, "Cem")) as client:
            until(lambda: client.poll(0) or client.hub.entered, "the right hub showed its key")
            shown = client.hub.public
    with hostile.Impostor(shown=shown) as other, unisono.Context(device_name="c") as context:
        session = unisono.Session.open(context, through(a.session.invite, other.address[1]), standby_hub=False)
        doubts = []
        session.on_hub_doubt = doubts.append
        session.join()
        pump([context], lambda: other.was_told, "it was asked")
        pump([context], lambda: other.seen and not other.seats, "it was hung up on")
        assert set(other.was_told) == {1}
        heard = other.bytes_heard
        for secret in (door.topic, session.local_participant):
            assert secret not in heard
        pump([context], lambda: doubts, "the host was told that it is another one")
        assert doubts[0].reason == unisono.HubDoubtReason.IDENTITY and doubts[0].hub == "127.0.0.1:%d" % other.address[1]
        assert 50 * SECOND < doubts[0].until_ns - context.host_time_ns <= 60 * SECOND and not doubts[0].over
        assert session.state == SessionState.WAITING


@pytest.mark.parametrize("status", FORGED)
def test_z61_who_did_not_prove_to_be_the_hub_turns_nobody_away(pair, hostile, status):
    """Anybody on the path can make a link; a refusal in its first record, in the place of IDENTITY, is nobody's."""
    a, b, until = pair
    with hostile.Impostor(refuses=status) as other, unisono.Context(device_name="c") as context:
        session = unisono.Session.open(context, through(a.session.invite, other.address[1]), standby_hub=False)
        session.join()
        # Who is turned away for good does not come again.
        pump([context], lambda: len(other.seen) >= 2 and not other.seats, "it was asked again")
        assert session.state == SessionState.WAITING


TAMPERING = ["doubled", "dropped", "bent", "swapped", "cut", "sent again later"]


@pytest.mark.parametrize("direction", ["down", "up"])
@pytest.mark.parametrize("how", TAMPERING)
def test_z65_a_tampered_record_ends_the_link_and_nothing_comes_twice_or_in_another_order(room, how, direction):
    a, b, until = room
    held, armed = [], []

    def tamper(came, number, whole):
        if came != direction or number < 2 or not armed:
            return None
        if how in ("doubled", "dropped", "bent", "cut"):
            armed.clear()
            return {
                "doubled": whole + whole, "dropped": b"", "cut": whole[:-1],
                "bent": whole[:20] + bytes([whole[20] ^ 4]) + whole[21:],
            }[how]
        held.append(whole)
        if how == "swapped":
            if len(held) == 1:
                return b""
            armed.clear()
            return held[1] + held[0]
        if len(held) < 4:
            return None
        armed.clear()
        return whole + held[0]

    with OnPath(port_of(a.session.invite), tamper) as path, unisono.Context(device_name="c") as context:
        guest = joined_by_way_of(path, a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED and is_connected(guest), "the guest joined")
        heard = {a: [], guest: []}
        for player in heard:
            player.session.on_message = lambda message, player=player: heard[player].append(message.data)
        before = guest.session.statistics.reconnects
        armed.append(True)
        said = [b"%d" % number for number in range(8)]
        for text in said:
            a.session.send(text)
            guest.session.send(text)
        pump(everybody, lambda: not armed, "it was tampered with")
        pump(everybody, lambda: guest.session.statistics.reconnects == before + 1, "the link ended, and there was another")
        pump(everybody, lambda: is_connected(guest) and len(a.coordinator.other_participants) == 2, "it was back")
        a.session.send(b"8")
        guest.session.send(b"8")
        pump(everybody, lambda: all(told[-1:] == [b"8"] for told in heard.values()), "what is said now comes")
        # What was under way when the link ended may be missing.
        assert all(told == sorted(set(told)) for told in heard.values())


def test_z64_what_members_do_has_one_length_on_the_path(room):
    a, b, until = room
    with OnPath(port_of(a.session.invite)) as path, unisono.Context(device_name="c") as context:
        guest = joined_by_way_of(path, a, context)
        everybody = [a.context, b.context, context]
        pump(everybody, lambda: guest.session.state == SessionState.JOINED, "the guest joined")
        known = unisono.ClockState.SYNCHRONIZED
        pump(everybody, lambda: guest.session.statistics.clock_state == known, "it knew the time")
        for lengths in path.lengths.values():
            lengths.clear()
        short = b"a word"
        heard = []
        guest.session.on_message = lambda message: heard.append(message.data)
        a.session.send(short)
        pump(everybody, lambda: heard == [short], "the word came")
        up, down = path.lengths["up"], path.lengths["down"]
        pump(everybody, lambda: len(up) >= 7 and len(down) >= 10, "there were heartbeats, and PINGs between them")
        quiet = set(path.lengths["up"] + path.lengths["down"])
        assert quiet <= {4 + 16 + 640, 4 + 16 + 128}
        guest.coordinator.seek(30 * SECOND)
        pump(everybody, lambda: a.position(time.monotonic_ns()) == 30 * SECOND, "the command came")
        assert set(path.lengths["up"] + path.lengths["down"]) <= quiet | {4 + 16 + length for length in range(704, 1_025, 64)}


# ---- invites that are not right ----


def test_every_damaged_part_of_an_invite_is_named(context, pair):
    a, _, _ = pair
    invite = a.session.invite
    hubs, key = invite.rsplit("/", 1)
    address = re.match(r"unisono://[^/]+", invite).group(0)
    hub, bought = "a" * 26, "a" * 61
    wrong = {
        "unisono://": invite.replace("unisono", "unison0", 1),
        "address that is not": invite.replace("127.0.0.1:", "127.0.0.1:x"),
        "host:port": f"{address}/{hub}/nowhere:x/{hub}/{key}",
        "without the id of the hub": f"{address}/{key}",
        "id of a hub": f"{address}/short/{key}",
        "pass": f"{address}/{hub}/{hub}/{key}",
        "neither an address": f"{address}/{hub}/{bought}/{bought}/{key}",
        "16 hubs": address + "/" + hub + "".join(f"/10.0.0.{i}:1/{hub}" for i in range(17)) + "/" + key,
        "missing": address,
        "88 characters": invite[:-1],
        "cannot be there": invite[:-1] + "1",
        "mistyped": hubs + "/" + key[:10] + ("a" if key[10] != "a" else "b") + key[11:],
    }
    for part, text in wrong.items():
        with pytest.raises(unisono.InvalidArgumentError, match=part):
            unisono.Session.open(context, text)
    newer = with_key(invite, lambda data: bytearray([data[0] + 1]) + data[1:])
    with pytest.raises(unisono.VersionError):
        unisono.Session.open(context, newer)
    dice = random.Random(4)
    for _ in range(500):
        damaged = bytearray(invite.encode())
        damaged[dice.randrange(len(damaged))] = dice.randrange(1, 256)
        try:
            unisono.Session.open(context, damaged.decode("latin-1")).close()
        except unisono.UnisonoError:
            pass


def flip(where):
    def change(data):
        data[where] ^= 1
        return data

    return change


@pytest.mark.parametrize("where, what", [(5, "door"), (40, "root"), (49, "policy")])
def test_a_key_that_fits_no_group_lets_nobody_in(room, where, what):
    a, b, until = room
    with unisono.Context(device_name="c") as context:
        guest = Player(context)
        guest.attach(unisono.Session.open(context, with_key(a.session.invite, flip(where)), display_name="Cem"))
        everybody = [a.context, b.context, context]
        alone = lambda: guest.session.statistics.probes_received >= 3  # noqa: E731
        turned_away = lambda: guest.session.state == SessionState.INVALIDATED  # noqa: E731
        pump(everybody, lambda: turned_away() or alone(), f"the wrong {what} was turned away or left alone")
        a.coordinator.seek(9 * SECOND)
        pump(everybody, lambda: b.position(time.monotonic_ns()) == 9 * SECOND, "the others went on")
        assert len(a.session.participants) == 2
        assert not [p for p in guest.coordinator.other_participants]


def test_another_hub_than_the_invite_names_is_not_trusted(room):
    a, b, until = room
    with unisono.Context(device_name="c") as context, unisono.Context(device_name="d") as elsewhere:
        with unisono.Hub(elsewhere, listen=["127.0.0.1:0"]) as other:
            port = int(re.search(r":(\d+)/", other.lines[0]).group(1))
            session = unisono.Session.open(context, through(a.session.invite, port))
            session.join()
            everybody = [a.context, b.context, context, elsewhere]
            entered = lambda: other.statistics.bytes_in > 0  # noqa: E731
            pump(everybody, entered, "the other hub was asked")
            reasons = []
            session.on_state = lambda event: reasons.append(event.reason)
            pump(everybody, lambda: reasons or session.state == SessionState.INVALIDATED, "that was noticed")
            assert session.state != SessionState.JOINED


# ---- hubs that are none ----


def silent(stream):
    while stream.recv(4096):
        pass


def http(stream):
    stream.recv(4096)
    stream.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def garbage(stream):
    dice = random.Random(5)
    while True:
        stream.sendall(dice.randbytes(4096))


def endless_frame(stream):
    stream.sendall(b"\0\0\4\0\2")
    while True:
        stream.sendall(bytes(1))
        if select.select([stream], [], [], 0.01)[0] and not stream.recv(4096):
            return


def hang_up(stream):
    del stream


@pytest.mark.parametrize("serve", [silent, http, garbage, endless_frame, hang_up])
def test_what_is_no_hub_keeps_a_session_waiting_and_nothing_else(pair, serve):
    a, _, _ = pair
    with Server(serve) as server, unisono.Context(device_name="c") as context:
        before = resident_bytes()
        session = unisono.Session.open(context, through(a.session.invite, server.port))
        session.join()
        # Given up and tried anew, also where that takes a while.
        tries = 3 if serve in (silent, endless_frame) else 6
        pump([context], lambda: server.accepted >= tries, "it was tried again and again")
        assert session.state == SessionState.WAITING
        assert session.connection != unisono.Connection.CONNECTED
        assert resident_bytes() - before < 32 << 20
        began = time.monotonic()
        session.close()
        assert time.monotonic() - began < 2


# ---- processes that stop ----


GUEST = """
import sys
from group_support import Player
import unisono
with unisono.Context(device_name="c") as context:
    guest = Player(context)
    guest.attach(unisono.Session.open(context, sys.argv[1], display_name="Cem"))
    while True:
        context.poll(max_wait_ns=unisono.SECOND)
"""


@contextlib.contextmanager
def guest_process(invite):
    """A participant in a process of its own."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "Tests" / "python"))
    child = subprocess.Popen([sys.executable, "-c", GUEST, invite], env=environment)
    try:
        yield child
    finally:
        child.send_signal(signal.SIGCONT)
        child.kill()
        child.wait(10)


def third_of(a):
    return [p for p in a.coordinator.other_participants if p.display_name == "Cem" and p.item == "film"]


@pytest.fixture
def process(room):
    """A third participant in a process of its own, joined and on the item."""
    a, b, until = room
    with guest_process(a.session.invite) as child:
        pump([a.context, b.context], lambda: third_of(a) and third_of(b), "the third was there", limit=60)
        yield a, b, until, child


def test_a_killed_process_is_waited_for_by_nobody(process):
    a, b, until, child = process
    child.kill()
    lost = lambda p: [t.connection for t in third_of(p)] in ([], [unisono.Connection.RECONNECTING])  # noqa: E731
    until(lambda: lost(a) and lost(b), "it was seen to be cut off")
    began = time.monotonic()
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "the others played")
    assert time.monotonic() - began < 5


def test_a_stopped_process_holds_nobody_up_for_longer_than_the_wait_limit(process):
    a, b, until, child = process
    a.coordinator.set_wait_limit(SECOND)
    child.send_signal(signal.SIGSTOP)
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "the others played without it")
    b.coordinator.pause()
    until(lambda: not a.playing, "the others stood")


HOST = """
from group_support import Player
import unisono
with unisono.Context(device_name="h") as context:
    host = Player(context)
    host.attach(unisono.Session.host(context, display_name="Ann", listen=["127.0.0.1:0"]))
    print(host.session.invite, flush=True)
    while True:
        context.poll(max_wait_ns=unisono.SECOND)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_hub_whose_process_goes_leaves_its_guest_to_itself(library, how):
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "Tests" / "python"))
    child = subprocess.Popen([sys.executable, "-c", HOST], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        with unisono.Context(device_name="c") as context:
            guest = Player(context)
            guest.attach(unisono.Session.open(context, child.stdout.readline().strip(), display_name="Cem"))
            pump([context], lambda: guest.session.state == SessionState.JOINED, "the guest joined", limit=60)
            known = unisono.ClockState.SYNCHRONIZED
            pump([context], lambda: guest.session.statistics.clock_state == known, "it knew the group's time")
            child.send_signal(how)
            if how == signal.SIGKILL:
                cut_off = lambda: guest.session.connection == unisono.Connection.RECONNECTING  # noqa: E731
                pump([context], cut_off, "the guest noticed")
            guest.coordinator.play()
            pump([context], lambda: guest.playing, "the guest played on by itself", limit=60)
            began = time.monotonic()
            guest.session.close()
            assert time.monotonic() - began < 2
            guest.coordinator.pause()
            pump([context], lambda: not guest.playing, "its coordinator goes on alone")
    finally:
        child.send_signal(signal.SIGCONT)
        child.kill()
        child.wait(10)
        child.stdout.close()


def fast_hub(context):
    """A hub that lets one participant send as fast as it can; the Python class has no option for that."""
    options = _ffi.HubOptions(bytes_per_second=1 << 30, memory=24 << 20)
    listen = (ctypes.c_char_p * 1)(b"127.0.0.1:0")
    options.listen, options.listen_count = ctypes.cast(listen, ctypes.POINTER(ctypes.c_char_p)), 1
    hub = unisono.Hub.__new__(unisono.Hub)
    handle = ctypes.c_void_p()
    hub._library, hub.context = _ffi.library(), context
    assert hub._library.hub_create(context._handle, ctypes.byref(options), None, None, ctypes.byref(handle)) == 0
    hub._handle = handle.value
    return hub


def test_a_process_that_stops_reading_is_let_go_before_it_fills_the_hub(library):
    payload = random.Random(6).randbytes(60_000)
    with unisono.Context(device_name="hub") as middle, unisono.Context(device_name="a") as one:
        with unisono.Context(device_name="b") as two:
            hub = fast_hub(middle)
            a, b = Player(one), Player(two)
            a.attach(unisono.Session.host(one, display_name="Ann", hub=hub.lines[0]))
            everybody = [middle, one, two]
            pump(everybody, lambda: a.session.state == SessionState.JOINED, "the host was in")
            b.attach(unisono.Session.open(two, a.session.invite, display_name="Ben"))
            pump(everybody, lambda: b.session.state == SessionState.JOINED, "the guest was in")
            with guest_process(a.session.invite) as child:
                pump(everybody, lambda: third_of(a) and third_of(b), "the third was there", limit=60)
                child.send_signal(signal.SIGSTOP)
                before = resident_bytes()
                sent = 0
                end = time.monotonic() + 60
                while hub.statistics.closed_slow == 0:
                    assert time.monotonic() < end, f"after {sent} long messages the hub still holds it"
                    sent += 1
                    a.session.activate(unisono.Activity("org.example.film", title=str(sent), payload=payload))
                    for context in everybody:
                        context.poll(max_wait_ns=unisono.MILLISECOND)
                assert resident_bytes() - before < 64 << 20
                newest = lambda: b.session.activity and b.session.activity.title == str(sent)  # noqa: E731
                pump(everybody, newest, "the other one had the newest", limit=60)
            a.coordinator.play()
            pump(everybody, lambda: a.playing and b.playing, "the others played", limit=60)


# ---- a host that does not look ----


def test_a_queue_that_nobody_reads_stays_small_and_ends_in_the_present(library):
    with unisono.Context(device_name="a", own_thread=True) as context:
        coordinator = unisono.Coordinator(context)
        coordinator.transition_to_item("film")

        def work_off(target):
            """Lets the loop catch up: what is asked for faster than it turns waits in front of it, not in the queue."""
            coordinator.seek(target)
            end = time.monotonic() + 20
            while coordinator.timing is None or coordinator.timing.item_time_ns != target:
                assert time.monotonic() < end, "the calls were not worked off"

        def storm(rounds):
            for number in range(rounds):
                coordinator.play(immediately=True)
                coordinator.seek(number * SECOND)
                coordinator.pause()
                if number % 1_000 == 999:
                    work_off((10_000 + number) * SECOND)

        storm(2_000)  # caches and allocators find their size
        before = resident_bytes()
        storm(20_000)
        work_off(7 * SECOND)
        assert resident_bytes() - before < 8 << 20
        events = list(context.events())
        commands = [e for e in events if isinstance(e, unisono.Command)]
        assert 1 <= len(commands) <= 65
        assert commands[-1].item_time_ns == 7 * SECOND
        assert len(events) < 200


# ---- who has the invite and no key ----


MEMBER = """
import os, select, sys, time
from group_support import Player
import unisono
from unisono import SECOND
with unisono.Context(device_name="m") as context:
    player = Player(context)
    host, name, invite = sys.argv[1] == "", sys.argv[2], sys.argv[1]
    if host:
        session = unisono.Session.host(context, display_name=name, listen=["127.0.0.1:0"])
    else:
        session = unisono.Session.open(context, invite, display_name=name, standby_hub=False)
    player.attach(session)
    told = None
    while True:
        context.poll(max_wait_ns=10 * unisono.MILLISECOND)
        if session.state == unisono.SessionState.INVALIDATED:
            break
        names = sorted(p.display_name for p in player.coordinator.other_participants if p.item == "film")
        known = session.statistics.clock_state == unisono.ClockState.SYNCHRONIZED
        state = (session.invite, known, player.position(time.monotonic_ns()) // SECOND, names)
        if state != told:
            told = state
            print(*state[:3], *names, flush=True)
        if select.select([0], [], [], 0)[0]:
            act, value = os.read(0, 4096).decode().split()
            if act == "seek":
                player.coordinator.seek(int(value) * SECOND)
            else:
                out = next(p for p in session.participants if p.display_name == value)
                session.remove_participant(out.id)
"""


class Member:
    """A participant in a process of its own, which tells what it sees and does what it is told."""

    def __init__(self, name, invite=""):
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "Tests" / "python"))
        command = [sys.executable, "-c", MEMBER, invite, name]
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.told = ["", "False", "0"]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.child.stdout:
            self.told = line.split()

    invite = property(lambda self: self.told[0])
    knows_time = property(lambda self: self.told[1] == "True")
    position = property(lambda self: int(self.told[2]))
    others = property(lambda self: self.told[3:])

    def do(self, act, value):
        self.child.stdin.write(f"{act} {value}\n")
        self.child.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait(10)
        self.child.stdin.close()
        self.child.stdout.close()


def wait(holds, what, *ones, limit=60.0):
    if ones:
        waiting.until(holds, what, limit, waiting.polling(ones, 0.005))
    else:
        waiting.until(holds, what, limit)


def attacked(members, holder, length=8.0):
    """For so long, and at the end, what each commands is there at the others within a second."""
    wait(lambda: holder.heard, "the others were heard", holder)
    end, place = time.monotonic() + length, 10
    while time.monotonic() < end:
        for member in members:
            for _ in range(10):
                holder.be_ahead()
                holder.poll(0.01)
            place += 10
            member.do("seek", place)
            wait(lambda: all(m.position == place for m in members), "a command arrived", holder, limit=1.0)


def test_z41_z42_who_has_the_invite_and_no_key_stops_nobody(library, hostile):
    with Member("Ann") as ann:
        wait(lambda: ann.invite, "there was an invite")
        with Member("Ben", ann.invite) as ben:
            both = (ann, ben)
            wait(lambda: ann.others == ["Ben"] and ben.others == ["Ann"], "they met")
            wait(lambda: all(m.knows_time for m in both), "they knew the time")
            holder = hostile.InviteHolder(ann.invite)
            with contextlib.closing(holder):
                attacked(both, holder)
                # Each asks it at most once in 6 s.
                assert holder.hellos <= 6


def test_z41_who_was_removed_stops_nobody_at_the_old_door(library, hostile):
    with Member("Ann") as ann:
        wait(lambda: ann.invite, "there was an invite")
        old = ann.invite
        with Member("Ben", old) as ben, Member("Out", old) as out:
            wait(lambda: all(len(m.others) == 2 and m.knows_time for m in (ann, ben, out)), "they met")
            # It knows the epoch of the room that is left, as any member does.
            with contextlib.closing(hostile.InviteHolder(old)) as witness:
                wait(lambda: witness.heard, "the old room was heard", witness)
            ann.do("remove", "Out")
            wait(lambda: ann.invite != old and ben.invite == ann.invite, "they moved")
            wait(lambda: ann.others == ["Ben"] and ben.others == ["Ann"], "they were together there")
            holder = hostile.InviteHolder(old)
            holder.heard = witness.heard
            with contextlib.closing(holder):
                wait(lambda: holder.hub.entered, "it was at the old door", holder)
                attacked((ann, ben), holder)
                assert holder.hellos == 0
