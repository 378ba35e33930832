"""J18, F94: a group goes on on another day, each from what it kept, over a hub that remembers nothing."""

import pytest
import unisono
from group_support import Player, pump
from unisono import SECOND

KEY = b"a key of a test, and of a test alone"


def joined(player):
    return player.session.state == unisono.SessionState.JOINED


def kept(context, session, key=KEY):
    """What it goes on from, as soon as it knows the session's time."""
    made = []

    def made_one():
        try:
            made.append(session.continuation(key))
        except unisono.StateError:
            return False
        return True

    pump([context], made_one, "it knew the time")
    return made[0]


@pytest.fixture
def hub(tmp_path):
    context = unisono.Context(own_thread=True)
    made = unisono.Hub(context, listen=["127.0.0.1:0"])
    yield made
    context.close()


def test_j18_two_end_for_today_and_go_on_tomorrow_where_they_were(hub):
    with unisono.Context() as context:
        ann, ben = Player(context), Player(context)
        activity = unisono.Activity("org.example.film")
        ann.attach(unisono.Session.host(context, display_name="Ann", hub=hub.lines[0], activity=activity))
        pump([context], lambda: joined(ann), "Ann joined")
        ben.attach(unisono.Session.open(context, ann.session.invite, display_name="Ben"))
        pump([context], lambda: joined(ben), "Ben joined")
        ann.session.add_entry("film", title="A film")
        ann.coordinator.seek(90 * SECOND)
        pump([context], lambda: ben.position(context.host_time_ns) == 90 * SECOND, "both were at 90 s")
        pump([context], lambda: len(ben.session.playlist.entries) == 1, "Ben knew the playlist")
        ids = [player.session.local_participant for player in (ann, ben)]
        tokens = [kept(context, player.session) for player in (ann, ben)]
        assert all(len(token) < 16_384 and token.startswith(b"UNIC\x01") for token in tokens)
        for player in (ann, ben):
            player.session.leave()
        pump([context], lambda: all(p.session.state == unisono.SessionState.INVALIDATED for p in (ann, ben)), "both left")
    with unisono.Context() as context:
        ann, ben = Player(context), Player(context)
        for player, name, token in ((ben, "Ben", tokens[1]), (ann, "Ann", tokens[0])):
            player.attach(
                unisono.Session.host(
                    context, display_name=name, listen=["127.0.0.1:0"], continuation=token, continuation_key=KEY))
        together = lambda: all(joined(p) and len(p.session.participants) == 2 for p in (ann, ben))  # noqa: E731
        pump([context], together, "both were together again")
        assert [player.session.local_participant for player in (ann, ben)] == ids
        pump(
            [context], lambda: all(p.position(context.host_time_ns) == 90 * SECOND for p in (ann, ben)),
            "both stood where they were")
        for player in (ann, ben):
            assert player.session.activity.identifier == "org.example.film"
            assert [entry.title for entry in player.session.playlist.entries] == ["A film"]
            assert {p.id: p.role for p in player.session.participants}[ids[0]] == unisono.Role.OWNER


def test_f94_a_token_is_judged(context):
    session = unisono.Session.host(context, listen=["127.0.0.1:0"])
    session.join()
    pump([context], lambda: session.state == unisono.SessionState.JOINED, "it joined")
    token = kept(context, session)
    bent = token[:-1] + bytes([token[-1] ^ 1])
    for given, key, error in (
        (token, b"another key, of as many letters as it", unisono.AuthenticationError), (bent, KEY, unisono.AuthenticationError),
        (token[:20], KEY, unisono.InvalidArgumentError), (token, b"", unisono.InvalidArgumentError),
        (token, b"short", unisono.InvalidArgumentError),
    ):
        with pytest.raises(error):
            unisono.Session.host(context, listen=["127.0.0.1:0"], continuation=given, continuation_key=key)
    with pytest.raises(unisono.InvalidArgumentError):
        session.continuation()
    other = unisono.Session.host(context, listen=["127.0.0.1:0"])
    with pytest.raises(unisono.InvalidArgumentError, match="another session"):
        unisono.Session.open(context, other.invite, continuation=token, continuation_key=KEY)


def test_f94_a_person_opens_what_its_device_kept():
    person = bytes(range(16))
    with unisono.Context(person=person) as context:
        session = unisono.Session.host(context, listen=["127.0.0.1:0"])
        session.join()
        pump([context], lambda: session.state == unisono.SessionState.JOINED, "it joined")
        mine = session.local_participant
        token = kept(context, session, b"")
    with unisono.Context(person=person) as context:
        assert unisono.Session.host(context, listen=["127.0.0.1:0"], continuation=token).local_participant == mine
    with unisono.Context(person=bytes(range(1, 17))) as context, pytest.raises(unisono.AuthenticationError):
        unisono.Session.host(context, listen=["127.0.0.1:0"], continuation=token)
