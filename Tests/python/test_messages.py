"""F31, F34-F36 through the Python package: two sessions in one process, polled in turn."""

import pytest
import unisono
from group_support import pump


@pytest.fixture
def pair():
    with unisono.Context() as one, unisono.Context() as other:
        host = unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"])
        guest = unisono.Session.open(other, host.invite, display_name="Ben", in_background=True)
        host.join()
        guest.join()
        both = (one, other)
        pump(both, lambda: all(len(s.participants) == 2 for s in (host, guest)), "both see both")
        pump(both, lambda: all(s.state == unisono.SessionState.JOINED for s in (host, guest)), "both are joined")
        yield both, host, guest


def test_f34_messages_come_with_their_sender_once_and_in_order(pair):
    contexts, host, guest = pair
    heard = []
    host.on_message = heard.append
    sent = [b"", b"\0\xff", b"x" * 65_536] + [bytes([number]) for number in range(50)]
    for data in sent:
        guest.send(data)
    pump(contexts, lambda: len(heard) == len(sent), "all messages came")
    assert [message.data for message in heard] == sent
    assert all(message.sender == guest.local_participant and message.reliable for message in heard)
    guest.send(b"u", reliable=False)
    pump(contexts, lambda: len(heard) == len(sent) + 1, "the unreliable one came")
    assert not heard[-1].reliable
    guest.send(b"for Ann", to=[host.local_participant])
    pump(contexts, lambda: heard[-1].data == b"for Ann", "what was for some came")
    with pytest.raises(unisono.TooBigError):
        guest.send(b"x" * 65_537)
    with pytest.raises(unisono.NotFoundError):
        guest.send(b"x", to=[bytes(16)])


def test_f34_too_much_is_an_error_and_nothing_of_what_was_taken_is_lost(pair):
    contexts, host, guest = pair
    heard, writable = [], []
    host.on_message = heard.append
    guest.on_writable = writable.append
    taken = 0
    with pytest.raises(unisono.BusyError):
        for _ in range(64):
            guest.send(b"x" * 65_536)
            taken += 1
    pump(contexts, lambda: writable and len(heard) == taken, "it is writable again and all came", limit=30)


def test_f35_f36_notices_the_foreground_and_speaking(pair):
    contexts, host, guest = pair
    notices, requests, speaking = [], [], []
    host.on_notice = lambda notice: notice.kind == unisono.NoticeKind.JOINED or notices.append(notice)
    host.on_speaking = speaking.append
    guest.on_foreground_request = requests.append
    guest.post_notice("added a film", url="https://example.org/film")
    guest.post_notice(kind=unisono.NoticeKind.SKIPPED, amount_ns=-15 * unisono.SECOND)
    host.request_foreground()
    guest.set_speaking(True)
    pump(contexts, lambda: len(notices) == 2 and requests and speaking, "everything came")
    assert (notices[0].text, notices[0].url) == ("added a film", "https://example.org/film")
    assert notices[1].kind == unisono.NoticeKind.SKIPPED and notices[1].amount_ns == -15 * unisono.SECOND
    assert notices[0].originator == guest.local_participant
    assert [notice.sentence for notice in notices] == ["Ben: added a film", "Ben skipped 15 s back"]
    assert (notices[0].name, notices[0].item_time_ns) == ("Ben", None)
    assert requests[0].participant == host.local_participant and requests[0].in_background
    assert speaking[0].participant == guest.local_participant and speaking[0].speaking
    assert [p.display_name for p in host.participants if p.speaking] == ["Ben"]
    with pytest.raises(unisono.BusyError):
        host.request_foreground()


def test_f31_consent_is_asked_for_answered_and_remembered(tmp_path):
    film = unisono.Activity("org.example.film", type=unisono.ActivityType.WATCH_TOGETHER, preview_image=b"\x89PNG")
    for round_ in range(2):
        with unisono.Context(storage_path=str(tmp_path)) as context:
            session = unisono.Session.host(context, listen=["127.0.0.1:0"])
            asked, answers, states, activities = [], [], [], []
            session.on_state, session.on_activity = states.append, activities.append
            session.join()
            unisono.Session.open(context, session.invite).join()
            pump([context], lambda: states and not states[-1].alone, "somebody else was there")
            session.on_consent = lambda consent: (asked.append(consent), consent.answer(unisono.Activation.PREFERRED, remember=True))
            session.on_activation = answers.append
            session.prepare_for_activation(film)
            pump([context], lambda: answers, "it was answered")
            assert answers[0].result == unisono.Activation.PREFERRED and answers[0].activity == film
            assert (len(asked), answers[0].remembered) == ((1, False) if round_ == 0 else (0, True))
            session.activate(film)
            pump([context], lambda: activities, "the activity was told")
            assert activities[0].is_local and activities[0].activity == film
            if round_ == 1:
                context.forget_answers()
                session.prepare_for_activation(film)
                pump([context], lambda: asked, "people are asked again")


def test_f34_receivers_pick_by_the_type_and_its_version(pair):
    contexts, host, guest = pair
    heard = []
    host.on_message = heard.append
    guest.send(b"plain")
    guest.send(b"1,2", type="org.example.stroke", version=2)
    guest.send(b"hello", type="org.example.chat")
    pump(contexts, lambda: len(heard) == 3, "all came")
    assert [(m.type, m.version, m.data) for m in heard] == [
        ("", 0, b"plain"), ("org.example.stroke", 2, b"1,2"), ("org.example.chat", 0, b"hello")
    ]
    guest.send(b"3,4", type="org.example.stroke", version=3, to=[host.local_participant])
    pump(contexts, lambda: len(heard) == 4, "the one for Ann came")
    assert (heard[3].type, heard[3].version) == ("org.example.stroke", 3)
    for wrong in ("", "t" * 128):
        with pytest.raises(unisono.InvalidArgumentError):
            guest.send(b"x", type=wrong)
