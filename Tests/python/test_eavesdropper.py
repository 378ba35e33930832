"""Z1 with real bytes: everything that went over TCP and UDP between three participants and a hub is recorded, and searched
for everything that they said, for who they are and where, and for every key. F37, Z64."""

import sys
import time

import pytest
from group_support import ROOT, Player, pump, unisono
from wiretap import Wiretap, found

pytest.importorskip("cryptography", reason="needs the Python package cryptography: pip install cryptography")
sys.path.insert(0, str(ROOT / "Tests" / "independent"))

from client import Client  # noqa: E402
from primitives import expand, extract, lab, u8  # noqa: E402
from room import Invite  # noqa: E402

NAMES = ["Zacharias Unverwechselbar", "Wilhelmine Einzigartig", "Theodora Sonderbar"]
DEVICES = ["Fernseher im Salon", "Klapprechner der Tante"]
ITEM = "Der dritte Mann, Fassung von 1949"
PLACE = 1_234_567_890_123
AGAIN = 2_345_678_901_234
PERSON = bytes(range(0xA0, 0xB0))
ACTIVITY = unisono.Activity(
    "org.example.kennung-der-vorstellung", title="Titel des Abends", subtitle="Untertitel des Abends",
    fallback_url="https://example.org/ausweichadresse", preview_image=b"\x89PNG vorschaubild", payload=b"nutzlast der vorstellung",
)
TEXTS = [
    b"eine nachricht an alle", b"eine fluechtige nachricht", b"nur fuer wilhelmine bestimmt", b"seite " * 9_000,
]
WORDS = "worte fuer alle im saal"
REACTION = "beifall-vom-balkon"
ENTRY = ("naechster-film-der-reihe", "Titel des naechsten Films", "https://example.org/naechster-film")
ATTACHMENT = "untertitel-der-vorstellung.vtt"
ATTACHED = b"eine zeile untertitel, " * 4_000
NOTICE = ("Hinweis an das Publikum", "https://example.org/hinweis")
SAID = [
    *NAMES, *DEVICES, ITEM, PLACE, AGAIN, *(text[:40] for text in TEXTS), *NOTICE, ACTIVITY.identifier, ACTIVITY.title,
    ACTIVITY.subtitle, ACTIVITY.fallback_url, ACTIVITY.preview_image, ACTIVITY.payload, "ein Grund zum Warten",
    WORDS, REACTION, *ENTRY, ATTACHMENT, ATTACHED[:40],
]
FOR_ONE = TEXTS[2]


@pytest.fixture
def evening(library):
    """A session of two of the library's and one of the independent client's at a hub behind the wiretap."""
    with (
        unisono.Context(device_name="hub") as zero,
        unisono.Context(device_name=DEVICES[0], person=PERSON) as one,
        unisono.Context(device_name=DEVICES[1]) as two,
    ):
        hub = unisono.Hub(zero, listen=["127.0.0.1:0"])
        tap = Wiretap(hub.lines[0])
        a, b = Player(one), Player(two)
        first = unisono.Session.host(one, display_name=NAMES[0], activity=ACTIVITY, hub=tap.line, standby_hub=False)
        a.attach(first, ITEM)
        b.attach(unisono.Session.open(two, first.invite, display_name=NAMES[1], standby_hub=False), ITEM)
        client = Listener(first.invite, NAMES[2])

        def until(holds, what):
            def turn():
                tap.turn()
                client.poll(0)
                return holds()

            pump([zero, one, two], turn, what)

        until(lambda: client.is_in and client.is_synchronised, "the third was in")
        client.move_to(ITEM)

        def complete(player):
            statistics = player.session.statistics
            others = {p.display_name for p in player.coordinator.other_participants}
            return len(others) == 2 and statistics.clock_state == unisono.ClockState.SYNCHRONIZED

        until(lambda: complete(a) and complete(b), "all three saw each other")
        yield a, b, client, tap, until
        client.close()
        tap.close()


class Listener(Client):
    """Keeps what it can read: the same words, in clear."""

    def __init__(self, invite, name):
        self.read = []
        super().__init__(invite, name)

    def _take(self, sender, content):
        self.read.append(content)
        super()._take(sender, content)


def converse(a, b, client, until):
    """Everything that a session carries, said once."""
    heard = {a: [], b: []}
    for player in (a, b):
        player.session.on_message = heard[player].append
    everybody, one, alone, long = TEXTS
    a.session.send(everybody)
    a.session.send(one, reliable=False)
    a.session.send(alone, to=[b.session.local_participant])
    a.session.send(long)
    b.session.post_notice(NOTICE[0], url=NOTICE[1])
    until(lambda: len(heard[b]) == 4, "all messages came")
    assert sorted(message.data for message in heard[b]) == sorted(TEXTS)
    a.session.chat(WORDS)
    b.session.react(REACTION)
    a.session.add_entry(ENTRY[0], ENTRY[1], addresses=[ENTRY[2]])
    until(lambda: any(one.text == WORDS for one in client.chat.entries) and client.chat.reactions, "words and a reaction came")
    until(lambda: ENTRY[0] in {name for _, name in client.playlist[0]}, "the list is known")
    b.session.attach_bytes(ATTACHED, ATTACHMENT)
    until(lambda: client.offered, "an attachment is offered")
    until(lambda: client.load(next(iter(client.offered))) == ATTACHED, "and was loaded")
    suspension = b.coordinator.suspend("ein Grund zum Warten")
    until(lambda: any("ein Grund zum Warten" in p.suspension_reasons for p in a.coordinator.other_participants), "it is known")
    suspension.end()
    b.coordinator.seek(PLACE)
    until(lambda: client.state and client.state.at == PLACE, "the seek is known")
    client.seek(AGAIN)
    until(lambda: all(p.position(time.monotonic_ns()) == AGAIN for p in (a, b)), "the other seek is known")
    a.coordinator.play()
    until(lambda: a.playing and b.playing and client.state.kind == "playing", "all play")
    a.coordinator.pause()
    until(lambda: client.state.kind == "paused", "all are paused")


def keys_of(client, invite):
    """All that opens something: what the invite derives, the client's own, and the content keys that it was handed."""
    read = Invite(invite)
    door = client.room.door
    root = extract(client.room.session, read.secret)
    yield from (read.secret, root, expand(root, lab("topic")), door.chain)
    yield from (client.room.signer.seed, client.room.agreement.seed, client.room.hybrid.seed, PERSON, invite.rsplit("/", 1)[1])
    yield from vars(client.hub.keys).values()
    for chain in client.room.keys.values():
        yield chain
        for sender in client.room.introduced:
            yield expand(chain, lab("send") + door.topic + u8(1) + sender + client.room.lane)


def is_grid(length):
    """Whether records of the link have plain texts of this length."""
    return length in (128, 640) or length > 640 and length % 2 ** (length.bit_length() - 4) == 0


def test_z1_z64_f37_nothing_that_was_said_and_no_key_is_in_a_recording_of_the_wire(evening):
    a, b, client, tap, until = evening
    converse(a, b, client, until)
    wire = tap.everything
    # It is a recording of this session: what may be seen is there, and no more of who is in which room.
    assert sum(map(len, wire)) > len(TEXTS[3])
    # Three talk, each over one connection; one of the library's that is in for some seconds opens another one, to see which hub is there,
    # and hangs up. Each says once, at its beginning, what it speaks, and is answered without that.
    opened = {name: stream.count(b"unisono") for name, stream in tap.streams.items() if stream}
    assert {(number, "up") for number in range(3)} <= opened.keys()
    assert all(count == (direction == "up") for (_, direction), count in opened.items())
    assert not any(b"unisono" in datagram for datagram in tap.datagrams)
    hidden = (client.room.door.topic, client.hub.id, client.hub.public, client.hub.clock_id, client.id)
    for identity in (*hidden, a.session.local_participant, b.session.local_participant):
        assert not found(identity, wire)
    assert min(tap.records) >= 148 and all(is_grid(length - 20) for length in tap.records)
    assert sum(length == 660 for length in tap.records) > len(tap.records) / 3
    assert any(datagram.startswith(b"UNI\1\1") for datagram in tap.datagrams)
    assert any(datagram.startswith(b"UNI\1\2") for datagram in tap.datagrams)
    # A member reads all of it but what was for another: the search finds what is there to be found.
    for secret in SAID:
        if secret not in (FOR_ONE, NAMES[2]):
            assert found(secret, client.read), secret
    assert not found(FOR_ONE, client.read)
    # And nobody else reads anything.
    for secret in SAID:
        assert not found(secret, wire), secret
    for key in keys_of(client, a.session.invite):
        assert not found(key, wire)


@pytest.mark.parametrize("secret", [secret for secret in SAID if secret != TEXTS[3][:40]])
def test_the_search_finds_every_spelling_of_what_a_careless_program_would_send(secret):
    from wiretap import spellings

    noise = bytes(range(256)) * 4
    for spelling in spellings(secret):
        assert found(secret, [noise, noise + spelling + noise])
    assert not found(secret, [noise])
