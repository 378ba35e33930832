"""Z40: client and hub that were written from docs/spec/wire.md alone (Tests/independent): among themselves, without the library,
and the client in a session of the library's."""

import hashlib
import logging
import os
import socket
import sys
import time
from contextlib import closing

import pytest
import waiting
from group_support import ROOT, Player, pump, unisono

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

import hostile  # noqa: E402
import link  # noqa: E402
from client import Client  # noqa: E402
from founder import Founder  # noqa: E402
from hub import Hub, HubRefused  # noqa: E402
from primitives import Signer, item, u8, u16, u64  # noqa: E402
from registers import ENTRY, Statement, body_of  # noqa: E402
from room import SNAPSHOT, Door  # noqa: E402
from server import EAUTH, ECLOSED, EFULL, EVERSION, HubServer  # noqa: E402
from wire import Refused, frame, frames  # noqa: E402

SECOND = 1_000_000_000
CLOSE = SECOND // 20
LIMIT = 20.0


def wait(holds, what, *ones):
    waiting.until(holds, what, LIMIT, waiting.polling(ones, 0.002))


def a_door():
    return Door(os.urandom(32), os.urandom(32))


def a_guest(hub, door, **more):
    return Hub(hub.address, more.pop("expected", hub.id), door, Signer(os.urandom(32)), **more)


# ---- among themselves ----


@pytest.fixture
def couple():
    """Who makes a session at the other hub, and who comes with the invite."""
    with HubServer() as hub:
        ann = Founder(hub.hub_address, "Ann")
        wait(lambda: ann.hub.entered and ann.hub.is_synchronised, "the first was in", ann)
        ann.begin("film", "film")
        with closing(ann), closing(Client(ann.invite, "Ben")) as ben:
            both = (ann, ben)
            wait(lambda: ben.is_in and ben.is_synchronised, "the second was in", *both)
            yield hub, ann, ben, lambda until, what: wait(until, what, *both)


def test_z40_f1_a_session_without_the_library_at_a_hub_without_it(couple):
    hub, ann, ben, until = couple
    assert ben.activity == "film" and ben.id in ann.room.roster
    ben.move_to("film")
    until(lambda: len(ann._on_item()) == 2, "both are on the item")
    ben.seek(30 * SECOND)
    until(lambda: ann.state.at == 30 * SECOND, "the seek is known")
    ann.play()
    until(lambda: ann.state.kind == ben.state.kind == "playing", "both play")
    now = time.monotonic_ns()
    assert abs(ann.position(now) - ben.position(now)) < CLOSE
    assert ann.refused == ben.refused == []


def test_who_leaves_is_told_to_the_others(couple):
    hub, ann, ben, until = couple
    ben.hub.send(link.LEAVE)
    ben.hub.poll(0.1)
    wait(lambda: ben.id not in ann.hub.present, "the leaving is known", ann)


def test_what_a_member_hands_over_unasked_is_not_taken_from_it(couple):
    hub, ann, ben, until = couple
    body = body_of(ENTRY, os.urandom(16), ann.id, ann._stamp(), item(1, b"\x80") + item(2, b"film") + item(3, bytes(8)))
    unsaid = Statement(body, ann.room.signer.sign(ann._signed_text(body)))
    part = item(1, u16(0)) + item(2, u16(1)) + ann._item(unsaid, 3)
    ann._say(u8(SNAPSHOT) + part, to=ben.id)
    until(lambda: ben.refused, "it was refused")
    assert ben.refused == ["snapshot"] and ben.playlist == ([], None)
    # Nobody is in by what another than the one that it asked says.
    with closing(Client(ann.invite, "Cal")) as cal:
        wait(lambda: cal.room.current, "it was welcomed", ann, cal)
        wait(lambda: cal.id in ben.room.roster, "the other one knows it", ben)
        cal.room.meet(ben.room.intro)
        ben._say(u8(SNAPSHOT) + part, to=cal.id)
        wait(lambda: cal.refused or cal.is_in, "that was heard", ben, cal)
        assert cal.refused == ["snapshot"] and not cal.is_in
        until(lambda: cal.poll(0) or cal.is_in, "who was asked answered")
        assert cal.activity == "film" and cal.playlist == ([], None)


def test_a_second_connection_of_an_id_ends_the_first():
    with HubServer() as hub:
        door, signer = a_door(), Signer(os.urandom(32))
        first = Hub(hub.address, hub.id, door, signer)
        wait(lambda: first.entered, "the first was in", first)
        second = Hub(hub.address, hub.id, door, signer)
        with pytest.raises(HubRefused) as refusal:
            wait(lambda: False, "the first was told", first, second)
        assert refusal.value.status == ECLOSED and not refusal.value.clear


def test_z66_a_room_is_opened_with_a_pass_and_entered_without_one():
    secret = os.urandom(32)
    bought = link.token(secret, 7, 2**32 - 1, 4)
    with HubServer(secret=secret) as hub:
        good = link.make_pass(bought, hub.id, os.urandom(8))
        elsewhere = link.make_pass(bought, os.urandom(16), os.urandom(8))
        door = a_door()
        for shown in (None, elsewhere):
            stranger = a_guest(hub, door, bought=shown)
            with pytest.raises(HubRefused) as refusal:
                wait(lambda: stranger.entered, "a stranger was answered", stranger)
            assert refusal.value.status == EAUTH and not refusal.value.clear
        host = a_guest(hub, door, bought=good)
        wait(lambda: host.entered, "the host was in", host)
        guest = a_guest(hub, door)
        wait(lambda: guest.entered, "the guest was in", host, guest)
        assert host._side.asks_for_pass


def test_who_speaks_another_version_is_told_so_in_clear():
    with HubServer() as hub, closing(socket.create_connection(hub.address)) as stream:
        side = link.ClientSide(hub.id, os.urandom(32), os.urandom(32))
        stream.sendall(frame(link.OPEN, side.open.replace(item(2, u8(2)) + item(3, u8(2)), item(2, u8(9)) + item(3, u8(9)))))
        stream.settimeout(LIMIT)
        said = bytearray()
        while data := stream.recv(4096):
            said += data
        (kind, body), *more = frames(said)
        assert (kind, body, more) == (link.REFUSED, item(1, (2**32 + EVERSION).to_bytes(4, "big")), [])


@pytest.mark.parametrize("poses", [False, True])
def test_z63_another_hub_under_the_pinned_address_is_told_nothing(poses):
    meant, door = Signer(os.urandom(32)), a_door()
    with hostile.Impostor(shown=meant.public if poses else None) as other:
        guest = a_guest(other, door, expected=meant.id)
        with pytest.raises(Refused, match="hubSignature" if poses else "wrongHub"):
            wait(lambda: guest.entered, "it was noticed", guest)
        guest.close()
        wait(lambda: other.seen and not other.seats, "it was hung up on")
        assert other.was_told == [link.OPEN]
        assert door.topic not in other.bytes_heard and guest.signer.public not in other.bytes_heard


@pytest.mark.parametrize("status", [EAUTH, ECLOSED, EVERSION, EFULL])
def test_z61_who_did_not_prove_to_be_the_hub_refuses_nothing(status):
    with hostile.Impostor(refuses=status) as other:
        guest = a_guest(other, a_door(), expected=os.urandom(16))
        with pytest.raises(Refused, match="order"):
            wait(lambda: guest.entered, "it was told", guest)


def down_records(count=4):
    """An entered guest whose hub's next records are kept back, and these records."""
    hub = HubServer()
    guest = a_guest(hub, a_door())
    end = time.monotonic() + LIMIT
    while not guest.entered:
        assert time.monotonic() < end
        hub.turn(0.002), guest.poll(0.002)
    seat = hub.seats[0]
    hub.close()
    guest._next_probe = time.monotonic_ns() + 60 * SECOND
    seat.outgoing.clear()
    for number in range(count):
        seat.say(link.PING, item(1, u64(number)))
    return guest, list(link.records(bytearray(seat.outgoing)))


DAMAGE = {
    "doubled": lambda r: [r[0], r[0], *r[1:]],
    "dropped": lambda r: [r[0], *r[2:]],
    "bent": lambda r: [r[0], r[1][:40] + bytes([r[1][40] ^ 1]) + r[1][41:], *r[2:]],
    "swapped": lambda r: [r[0], r[2], r[1], *r[3:]],
    "of another length": lambda r: [r[0], r[1][:3] + bytes([r[1][3] - 1]) + r[1][4:-1], *r[2:]],
    "in clear": lambda r: [r[0], frame(link.PING, item(1, u64(1))), *r[1:]],
}


@pytest.mark.parametrize("how", DAMAGE)
def test_z65_a_record_that_was_tampered_with_ends_the_link_and_nothing_of_it_is_acted_on(how):
    guest, records = down_records()
    answered = guest._sealer.counter
    with pytest.raises(Refused):
        guest.take(b"".join(DAMAGE[how](records)) + bytes(700))
    # One PING came before it, and was answered.
    assert guest._sealer.counter == answered + 1


def test_z64_what_is_short_has_one_length_on_the_wire():
    sealer = link.Sealer(os.urandom(32))
    bodies = {kind: os.urandom(length) for kind, length in [
        (link.PING, 12), (link.LEAVE, 0), (link.ENTER, 250), (link.SEND, 320), (link.DELIVER, 600), (link.PRESENCE, 150)]}
    assert {len(sealer.seal(kind, body)) for kind, body in bodies.items()} == {660}
    assert len(sealer.seal(link.PROBE, bytes(64))) == 148
    for length in range(637, 262_000, 997):
        sealed = len(sealer.seal(link.SEND, bytes(length)))
        assert length + 24 <= sealed <= 1.126 * (length + 4) + 20


@pytest.mark.parametrize("clear", [False, True])
@pytest.mark.parametrize("status", [EAUTH, ECLOSED, EVERSION, EFULL, -1])
def test_z61_a_refusal_says_whether_it_proves_anything(status, clear):
    def spoil(seat, kind, body):
        return [] if kind == link.ENTERED else None

    with hostile.LyingHub(spoil) as hub:
        guest = a_guest(hub, a_door())
        wait(lambda: hub.spoiled, "the hub knows who comes", guest)
        with hub.lock:
            seat = hub.members()[0]
            if clear:
                seat.say_clear(link.REFUSED, item(1, (2**32 + status).to_bytes(4, "big")))
            else:
                hub.refuse(seat, status, retry=100)
        with pytest.raises(Refused if clear else HubRefused) as refusal:
            wait(lambda: False, "it was told", guest)
        # What is in clear where records are is no record.
        assert str(refusal.value) == "truncated" if clear else (refusal.value.status, refusal.value.clear) == (status, False)


# ---- in a session of the library's ----


def also_polling(client, until):
    """As `until`, for which the client gets its turns, too."""

    def together(holds, what):
        def turn():
            client.poll(0.001)
            return holds()

        until(turn, what)

    return together


@pytest.fixture
def trio(pair):
    """Two participants of the library's on one item, and the other client among them."""
    a, b, until = pair
    a.session.activate(unisono.Activity("film", title="A film"))
    client = Client(a.session.invite, "Cem")
    together = also_polling(client, until)
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


@pytest.mark.parametrize(
    "name, shown", [("Cem\x1b[2J", "Cem\ufffd[2J"), ("Ann\n\u202eneB", "Ann\ufffd\ufffdneB"), ("\x9b7\ufdd0", "\ufffd7\ufffd")]
)
def test_z83_a_name_that_could_steer_a_terminal_is_shown_without(pair, name, shown):
    a, b, until = pair
    client = Client(a.session.invite, name)
    try:

        def polled(holds):
            client.poll(0.001)
            return holds()

        def is_shown():
            return all(shown in {one.display_name for one in player.session.participants} for player in (a, b))

        until(lambda: polled(lambda: client.is_in and client.is_synchronised), "the other client was in")
        client.move_to("film")
        until(lambda: polled(is_shown), "its name was shown")
    finally:
        client.close()
    with pytest.raises(unisono.InvalidArgumentError):
        unisono.Session.open(a.context, a.session.invite, display_name=name)


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


def connected(player):
    return {one.id for one in player.session.participants if one.connection == unisono.Connection.CONNECTED}


def test_z87_a_closed_group_does_not_let_it_in_says_why_and_does_once_it_is_open(pair):
    a, b, until = pair
    told = []
    b.session.on_state = lambda event: told.append(event.closed)
    a.session.set_closed(True)
    until(lambda: told and told[-1], "the other one knew that the group is closed")
    client = Client(a.session.invite, "Cem")
    together = also_polling(client, until)
    with closing(client):
        together(lambda: len(client.declined) >= 3, "it was told, again and again")
        assert set(client.declined) == {3} and not client.room.current
        assert connected(a) == connected(b) == {a.session.local_participant, b.session.local_participant}
        a.session.set_closed(False)
        together(lambda: client.is_in and client.is_synchronised, "it was in")
        assert not client.policy.terms.closed and client.refused == []
        client.move_to("film")
        together(lambda: not told[-1] and client.id in connected(b), "the other one knew all that")
        a.session.set_closed(True)
        together(lambda: client.policy.terms.closed, "it read the level")
        assert client.refused == []


def test_f86_it_edits_the_playlist_with_the_others(trio):
    a, b, client, together = trio
    first = a.session.add_entry("first", "The first", addresses=["https://example.org/1", "https://example.org/2"])
    last = a.session.add_entry("last")
    together(lambda: [name for _, name in client.playlist[0]] == ["first", "last"], "it has the list")
    # Behind all places that the library counts by itself.
    client.add_entry(os.urandom(16), b"\xff\xff\xff\xff", "its own")
    client.select_entry(last)
    for player in (a, b):
        names = lambda: [entry.item for entry in player.session.playlist.entries]  # noqa: B023, E731
        together(lambda: names() == ["first", "last", "its own"], "the library has its entry")  # noqa: B023
        together(lambda: player.session.playlist.current == last, "the library is where it chose")  # noqa: B023
    b.session.next_entry(follows=last)
    together(lambda: client.playlist[1] == client.playlist[0][2][0], "it is where the library went on to")
    a.session.remove_entry(first)
    together(lambda: [name for _, name in client.playlist[0]] == ["last", "its own"], "it sees what is removed")


def agree_for_a_while(client, until):
    """Four heartbeats in a row say that all have the same."""
    since = [client.beats, client.differing]

    def agreed():
        if client.differing > since[1]:
            since[:] = client.beats, client.differing
        return client.beats >= since[0] + 4

    until(agreed, "heartbeats found nothing that differs")


@pytest.mark.parametrize("removes", ["the library", "the other client"])
def test_f86_an_entry_that_one_moves_and_another_removes_at_the_same_time_is_gone_for_all(trio, removes):
    a, b, client, together = trio
    kept, both = a.session.add_entry("kept"), a.session.add_entry("moved or removed", "A title", addresses=["https://example.org/1"])
    together(lambda: all(len(p.session.playlist.entries) == 2 for p in (a, b)) and len(client.playlist[0]) == 2, "all have the list")
    heard = []
    a.session.on_chat = heard.append
    # Neither has heard of what the other one does; what it says behind that tells that it has come.
    if removes == "the library":
        client.move_entry(both, b"\x01")
        a.session.remove_entry(both)
    else:
        client.remove_entry(both)
        a.session.move_entry(both, before=kept)
    client.say("from the other client")
    a.session.chat("from the library")
    together(lambda: len(client.chat.entries) == 2 and len(heard) == 2, "each has what the other one did")

    def lists():
        return [[one.id for one in p.session.playlist.entries] for p in (a, b)] + [[entry for entry, _ in client.playlist[0]]]

    together(lambda: lists() == [[kept]] * 3, "all have one entry")
    agree_for_a_while(client, together)
    assert lists() == [[kept]] * 3 and client.refused == []


def test_f86_an_entry_that_it_moves_keeps_all_that_the_library_said_of_it(trio):
    a, b, client, together = trio
    copy = unisono.Copy(duration_ns=5_400 * SECOND, file_size=700, hash=bytes(range(32)))
    ranges = [unisono.SkipRange(0, 90 * SECOND, unisono.RangeKind.INTRO)]
    first = a.session.add_entry("first")
    second = a.session.add_entry("second", "The second", copy=copy, addresses=["https://example.org/2"], ranges=ranges)
    together(lambda: len(client.playlist[0]) == len(b.session.playlist.entries) == 2, "all have the list")
    as_added = b.session.playlist.entries[1]
    client.move_entry(second, b"\x01")
    together(lambda: all([one.id for one in p.session.playlist.entries] == [second, first] for p in (a, b)), "it is moved for all")
    assert a.session.playlist.entries[0] == b.session.playlist.entries[0] == as_added


def test_f84_a_start_waits_for_its_person_and_begins_once_it_says_ready(trio):
    a, b, client, together = trio
    a.coordinator.set_start_policy(unisono.StartRule.WHEN_READY, limit_ns=600 * SECOND)
    for player in (a, b):
        player.coordinator.set_ready(unisono.Readiness.READY)
    client.say_ready(False)
    together(lambda: unisono.Readiness.NOT_READY in {one.readiness for one in b.session.participants}, "both know what it says")
    b.coordinator.play()
    expected = [(client.id, unisono.Reason.NOT_READY)]

    def waited_for(player):
        return [(one.participant, one.reason) for one in player.coordinator.waiting_for]

    together(lambda: waited_for(a) == waited_for(b) == expected, "it is waited for")
    assert client.state.kind == "preparing" and not a.playing and not b.playing
    client.say_ready(True)
    together(lambda: a.playing and b.playing and client.state.kind == "playing", "all play")
    together(lambda: apart(client, a, b) < CLOSE, "at one place")
    assert client.refused == []


def test_f91_its_copy_is_another_cut_and_so_is_one_of_the_librarys(trio):
    a, b, client, together = trio
    entry = a.session.add_entry("film", "A film")
    together(lambda: client.playlist[0] and b.session.playlist.entries, "all have the entry")
    a.session.select_entry(entry)
    together(lambda: client.playlist[1] == entry == b.session.playlist.current, "all are at it")
    client.state_cut(entry, -7 * SECOND)

    def said_of(who, player):
        return next(one.cut_offset_ns for one in player.session.participants if one.id == who)

    together(lambda: said_of(client.id, a) == said_of(client.id, b) == -7 * SECOND, "both know by how much")
    b.session.set_cut_offset(5 * SECOND)
    ben = b.session.local_participant
    together(lambda: client.cuts(ben) == {entry: 5 * SECOND} and said_of(ben, a) == 5 * SECOND, "the others know of the library's")
    # Each is in its own copy where the group is.
    a.coordinator.seek(60 * SECOND)
    together(lambda: client.state.at == 60 * SECOND, "it hears the group's item time")
    together(lambda: (a.position(0), b.position(0)) == (60 * SECOND, 65 * SECOND), "the library's players are each in their own")
    client.seek(30 * SECOND)
    together(lambda: (a.position(0), b.position(0)) == (30 * SECOND, 35 * SECOND), "and what it says is the group's, too")
    a.coordinator.play()
    together(lambda: a.playing and b.playing and client.state.kind == "playing", "all play")

    def in_step():
        now = time.monotonic_ns()
        return apart(client, a) < CLOSE and abs(b.position(now) - a.position(now) - 5 * SECOND) < CLOSE

    together(in_step, "in step, each in its own copy")
    assert client.refused == []


def test_f85_it_is_a_second_device_of_a_person_and_says_for_both_that_the_person_is_ready(library):
    person = os.urandom(16)
    with unisono.Context(device_name="laptop") as one, unisono.Context(device_name="tv", person=person) as two:
        ann, ben = Player(one), Player(two)
        ann.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"]))
        ben.attach(unisono.Session.open(two, ann.session.invite, display_name="Ben", standby_hub=False))
        with closing(Client(ann.session.invite, "Ben", person=person)) as client:
            together = also_polling(client, lambda holds, what: pump([one, two], holds, what))
            together(lambda: client.is_in and client.is_synchronised, "the other client was in")
            client.move_to("film")

            def met(player):
                items = [other.item for other in player.coordinator.other_participants]
                return items == ["film", "film"] and player.coordinator.timing is not None

            together(lambda: met(ann) and met(ben), "all see each other on the item")
            tv = ben.session.local_participant
            assert client.room.person(tv) == client.room.person(client.id) != client.id
            for player in (ann, ben):
                persons = {other.id: other.person for other in player.session.participants}
                assert persons[tv] == persons[client.id] == client.room.person(tv)
                assert persons[ann.session.local_participant] == client.room.person(ann.session.local_participant) != persons[tv]
            ann.coordinator.set_start_policy(unisono.StartRule.WHEN_READY, limit_ns=600 * SECOND)
            ann.coordinator.play()
            first = min(tv, client.id)
            together(lambda: [other.participant for other in ann.coordinator.waiting_for] == [first], "one of the two is waited for")
            client.say_ready(True)
            together(lambda: ann.playing and ben.playing and client.state.kind == "playing", "its word is the person's")
            assert client.refused == []


def test_f81_it_says_and_reads_what_is_said_and_has_what_was_said_before(trio):
    a, b, client, together = trio
    heard = []
    a.session.on_chat = heard.append
    b.session.chat("hello\nall")
    together(lambda: [one.text for one in client.chat.entries] == ["hello\nall"], "it reads")
    read = client.chat.entries[0]
    assert read.author == b.session.local_participant and read.number == 1 and read.item == "film"
    client.say("hello, library")
    client.react("clap")
    together(lambda: len(heard) == 3, "the library reads all three")
    said = next(event.entry for event in heard if event.entry.author == client.id and not event.entry.reaction)
    assert said.text == "hello, library" and said.name == "Cem" and said.number == 1 and said.item == "film"
    assert [event.entry.text for event in heard if event.entry.reaction] == ["clap"]
    b.session.react("wow")
    together(lambda: client.chat.reactions == [(b.session.local_participant, "wow")], "it reads a reaction")
    # Who comes later asks, and is answered by the library; the library's own newcomer is told what the client said.
    with closing(Client(a.session.invite, "Dea")) as late:
        def turn(holds):
            late.poll(0.001)
            return holds()

        together(lambda: turn(lambda: late.is_in and late.is_synchronised), "another one came")
        late.ask_what_was_said(a.session.local_participant)
        together(lambda: turn(lambda: [one.text for one in late.chat.entries] == ["hello\nall", "hello, library"]), "it was told")
        assert late.chat.refused == client.chat.refused == 0
    assert client.refused == []


@pytest.mark.parametrize("text, shown", [
    ("\x1b[2Jgone", "\ufffd[2Jgone"), ("two\nlines", "two\nlines"), ("a\tb\x85c\x7f", "a\ufffdb\ufffdc\ufffd"),
    ("\u202etxt.exe", "\ufffdtxt.exe")])
def test_f81_what_would_steer_a_terminal_is_not_in_what_a_host_is_told(trio, text, shown):
    """Of a member that does not leave it out."""
    a, _, client, together = trio
    heard = []
    a.session.on_chat = heard.append
    client.say(text)
    together(lambda: heard, "it came")
    assert heard[0].entry.text == shown
    assert [entry.text for entry in a.session.chat_history] == [shown]


def test_z40_the_librarys_heartbeats_find_nothing_amiss(trio):
    """What both hash for their heartbeats is the same: no participant asks another for what it lacks."""
    a, b, client, until = trio
    a.coordinator.play()
    heard = client.beats
    until(lambda: client.beats > heard + 6, "several heartbeats were heard")
    assert client.differing <= 2
    assert client.refused == []


def together_in_step(a, b, until):
    """Both play, at one place."""

    def in_step():
        now = time.monotonic_ns()
        return a.playing and b.playing and abs(a.position(now) - b.position(now)) < CLOSE

    until(in_step, "both played in step")


def go_on_undisturbed(a, b, until, seconds=4):
    """For so long each command of one is the other's, as soon as `until` waits for anything, and what comes of it one picture."""
    end, target = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        target += 100 * SECOND
        a.coordinator.seek(target)
        until(lambda: 0 <= b.position(time.monotonic_ns()) - target < 50 * SECOND, "a command arrived")
        together_in_step(a, b, until)


@pytest.fixture
def playing(trio):
    a, b, client, until = trio
    a.coordinator.play()
    together_in_step(a, b, until)
    return trio


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING, "unisono")
    return lambda: [record.getMessage() for record in caplog.records]


def changes(told):
    return [event.change for event in told if event.change != unisono.AttachmentChange.PROGRESS]


def test_f42_the_library_loads_what_the_other_client_offers_and_the_other_way_round(trio, tmp_path):
    a, b, client, until = trio
    told = []
    a.session.on_attachment = told.append
    theirs, ours = os.urandom(200_001), os.urandom(150_000)
    found = client.offer(theirs, "theirs.bin", place=15)
    until(lambda: told, "it is known")
    assert told[0].attachment.id == found and told[0].attachment.owner == client.id and told[0].attachment.length == 200_001
    a.session.load_attachment(told[0].attachment, tmp_path / "theirs")
    until(lambda: changes(told)[-1] == unisono.AttachmentChange.LOADED, "it is here")
    assert (tmp_path / "theirs").read_bytes() == theirs
    b.session.attach_bytes(ours, "ours.bin")
    until(lambda: len(client.offered) == 2, "the other client knows of it")
    name = next(one for one in client.offered if one != found)
    assert client.offered[name] == (b.session.local_participant, 150_000)
    until(lambda: client.load(name) == ours, "the other client has it")
    assert client.refused == []


def test_g41_a_member_that_gives_other_bytes_is_named_and_nothing_of_them_stays(playing, tmp_path):
    a, b, client, until = playing
    told = []
    a.session.on_attachment = told.append
    content = os.urandom(100_000)
    client.offer(content, "../../etc/passwd", given=bytes(100_000))
    until(lambda: told, "it is known")
    assert told[0].attachment.name == ".._.._etc_passwd"
    a.session.load_attachment(told[0].attachment, tmp_path / "file")
    until(lambda: unisono.AttachmentChange.FORGED in changes(told), "it was found out")
    go_on_undisturbed(a, b, until, seconds=2)
    forged = next(event for event in told if event.change == unisono.AttachmentChange.FORGED)
    assert forged.participant == client.id and forged.status == unisono.Status.EAUTH and "are not it" in forged.message
    # Who has it as it should be is asked next.
    b.session.attach_bytes(content, "film.vtt")
    until(lambda: changes(told)[-1] == unisono.AttachmentChange.LOADED, "it came from another one")
    assert (tmp_path / "file").read_bytes() == content and [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("difference", [-34_464, 1])
def test_g69_a_member_that_lies_about_a_length_is_named_and_who_has_the_content_is_not(playing, tmp_path, difference):
    a, b, client, until = playing
    told = {a: [], b: []}
    for player in (a, b):
        player.session.on_attachment = told[player].append
    content = os.urandom(100_000)
    a.session.attach_bytes(content, "film.vtt")
    until(lambda: told[b] and client.offered, "it is known")
    client.lie_about_length(hashlib.sha256(content).digest(), len(content) + difference)
    until(lambda: changes(told[a])[-1] == unisono.AttachmentChange.LOST, "who has it was told")
    assert (told[a][-1].participant, told[a][-1].status) == (client.id, unisono.Status.EAUTH) and "not so" in told[a][-1].message
    b.session.load_attachment(told[b][0].attachment, tmp_path / "file")
    go_on_undisturbed(a, b, until, seconds=2)
    a.session.remove_participant(client.id)
    until_both = time.monotonic() + LIMIT
    while [one.length for one in b.session.attachments] != [len(content)]:
        assert time.monotonic() < until_both, "what was put out did not go"
        for player in (a, b):
            player.context.poll(max_wait_ns=2 * unisono.MILLISECOND)
    assert unisono.AttachmentChange.FORGED not in changes(told[b])


def test_g43_a_member_that_asks_without_end_and_gives_unasked_holds_up_nobody(trio, tmp_path):
    a, b, client, until = trio
    told = []
    b.session.on_attachment = told.append
    content = os.urandom(150_000)
    a.session.attach_bytes(content, "film.vtt")
    until(lambda: told and client.offered, "it is known")
    b.session.load_attachment(told[0].attachment, tmp_path / "file")

    pestered = 0.0

    def pester():
        nonlocal pestered
        # As often as the hub takes it.
        if time.monotonic() > pestered + 0.02:
            pestered = time.monotonic()
            client.pester(a.session.local_participant, b.session.local_participant, told[0].attachment.id)
        return unisono.AttachmentChange.PROGRESS in {event.change for event in told}

    until(pester, "it comes all the same")
    a.coordinator.play()
    until(lambda: b.playing, "a command took effect meanwhile")
    until(lambda: pester() and changes(told)[-1] == unisono.AttachmentChange.LOADED, "it is here")
    assert (tmp_path / "file").read_bytes() == content and unisono.AttachmentChange.FORGED not in changes(told)


def test_g68_ten_thousand_entries_of_a_member_disturb_nobody_and_its_name_is_told(playing, warnings):
    a, b, client, until = playing
    a.session.add_entry("first", "A film")
    until(lambda: len(b.session.playlist.entries) == 1, "both have one")
    told = []
    a.session.on_ignored = told.append
    client.flood_playlist(10_000)
    go_on_undisturbed(a, b, until, seconds=6)
    until(lambda: all(len(p.session.playlist.entries) == 1_000 for p in (a, b)), "both have a thousand")
    until(lambda: a.session.playlist.entries == b.session.playlist.entries, "the same")
    assert "first" in {entry.item for entry in a.session.playlist.entries}
    # Each of them is told it once.
    [ignored] = told
    assert ignored.status == unisono.Status.EFULL and not ignored.by_other and "playlist" in ignored.message
    assert sum("(Cem) adds to a playlist that is full" in line for line in warnings()) == 2
    # Who may command makes room again.
    with pytest.raises(unisono.FullError, match="remove some first"):
        a.session.add_entry("too much")
    gone = next(entry for entry in a.session.playlist.entries if entry.item == "film")
    b.session.remove_entry(gone.id)
    until(lambda: gone.id not in {entry.id for entry in a.session.playlist.entries}, "one was removed")
    a.session.add_entry("room")
    until(lambda: "room" in {entry.item for entry in b.session.playlist.entries}, "there was room for another one")


def test_g68_whose_entry_goes_for_what_a_member_says_was_added_before_it_is_told(playing):
    a, b, client, until = playing
    refused = []
    a.session.on_error = refused.append
    a.session.add_entry("first", "A film")
    until(lambda: len(b.session.playlist.entries) == 1, "both have one")
    client.flood_playlist(1_500, added=1)
    go_on_undisturbed(a, b, until, seconds=2)
    until(lambda: refused, "it was told")
    assert (refused[0].operation, refused[0].status) == ("unisono_session_add_entry", unisono.Status.EFULL)
    until(lambda: a.session.playlist.entries == b.session.playlist.entries, "both have the same")
    assert len(a.session.playlist.entries) == 1_000


def test_g68_titles_that_are_too_long_are_refused_unread_and_who_goes_on_with_them_is_ignored(playing):
    a, b, client, until = playing
    told = {a: [], b: []}
    for player in (a, b):
        player.session.on_ignored = told[player].append
    for length in (256, 20_000, 60_000):
        client.flood_playlist(1, title="x" * length)
    until(lambda: all(p.session.statistics.messages_refused >= 3 for p in (a, b)), "both refused them")
    for _ in range(100):
        client.flood_playlist(1, title="x" * 256)
    go_on_undisturbed(a, b, until)
    until(lambda: told[a] and told[b] and len(client.ignored_by) == 2, "all were told")
    for player in (a, b):
        assert [(event.participant, event.status) for event in told[player]] == [(client.id, unisono.Status.EPROTOCOL)]
        assert "too much of what it sent was refused" in told[player][0].message
        assert player.session.playlist.entries == ()


def test_g68_a_title_of_a_megabyte_ends_the_link_of_who_sends_it_and_nothing_else(playing, pair):
    a, b, client, until = playing
    client.flood_playlist(1, title="x" * 1_048_576)
    with pytest.raises(HubRefused, match="the protocol was broken"):
        until(lambda: False, "the hub refused it")
    go_on_undisturbed(a, b, pair[2])
    assert a.session.playlist.entries == () == b.session.playlist.entries


def test_z95_a_member_that_says_all_it_can_of_registers_disturbs_nobody_and_its_name_is_told(playing, warnings):
    a, b, client, until = playing
    a.session.add_entry("first", "A film")
    until(lambda: len(b.session.playlist.entries) == 1, "both have one")
    # Twice what the hub takes of it in eight seconds.
    client.flood_registers(600)
    go_on_undisturbed(a, b, until, seconds=8)
    # Each of them says once a minute what is too much.
    until(lambda: sum("(Cem) says more" in line for line in warnings()) == 2, "both named it")
    assert "first" in {entry.item for entry in b.session.playlist.entries}
    go_on_undisturbed(a, b, until, seconds=1)


def test_g18_a_flood_in_the_chat_is_cut_off_told_once_and_disturbs_nobody(playing):
    a, b, client, until = playing
    told, heard = {a: [], b: []}, {a: [], b: []}
    for player in (a, b):
        player.session.on_ignored = told[player].append
        player.session.on_chat = heard[player].append
    for number in range(2_000):
        client.say(f"spam {number}")
        client.react("!")
    go_on_undisturbed(a, b, until)
    until(lambda: told[a] and told[b], "both were told")
    for player in (a, b):
        spam = [event for event in heard[player] if event.entry.author == client.id]
        # As many as in twice ten seconds of anybody: a test may take that long.
        assert sum(not event.entry.reaction for event in spam) <= 40 and sum(event.entry.reaction for event in spam) <= 80
        assert {(event.participant, event.by_other, event.status) for event in told[player]} == {(client.id, False, unisono.Status.EBUSY)}
        assert len(told[player]) <= 2 and "too much at a time" in told[player][0].message
    b.session.chat("ignore it")
    until(lambda: any(event.entry.text == "ignore it" for event in heard[a]), "others are heard")


def test_g32_what_a_member_says_of_its_copy_is_told_as_its_word_and_moves_nobody(playing):
    a, b, client, until = playing
    told = {a: [], b: []}
    for player in (a, b):
        player.session.on_copy = told[player].append
    entry = a.session.add_entry("film", "A film")
    until(lambda: b.session.playlist.entries, "both have it")
    a.session.select_entry(entry)
    until(lambda: b.session.playlist.current == entry, "the group is at it")
    a.coordinator.play()
    together_in_step(a, b, until)
    honest = unisono.Copy(duration_ns=5_400 * SECOND, file_size=700, hash=bytes(range(32)))
    for player in (a, b):
        player.session.set_copy(entry, honest)
    until(lambda: all(told.values()), "both were told of each other's")
    assert all(event.differs == unisono.Difference.NONE for event in told[a] + told[b])
    for player in (a, b):
        told[player].clear()
    client.state_copy(entry, 5_400 * SECOND, 700, bytes(32))
    until(lambda: all(told.values()), "both were told")
    for player in (a, b):
        assert told[player][0].participant == client.id and told[player][0].differs & unisono.Difference.HASH
    # What is no copy at all is refused.
    before = [p.session.statistics.messages_refused for p in (a, b)]
    client.state_copy(entry, -1, 0, bytes(31))
    until(lambda: all(p.session.statistics.messages_refused > n for p, n in zip((a, b), before)), "both refused it")
    go_on_undisturbed(a, b, until, seconds=2)
    assert all(len(events) == 1 for events in told.values())


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
        left = ignored.until_ns - player.context.host_time_ns
        assert 50 * SECOND < left <= 60 * SECOND
    assert set(client.ignored_by.values()) == {(3, 60_000)}
    client.seek(90 * SECOND)
    a.coordinator.seek(45 * SECOND)
    until(lambda: all(p.position(time.monotonic_ns()) == 45 * SECOND for p in (a, b)), "the others went on alone")
