"""F81: chat and reactions, over the C API."""

import pytest
import unisono


def test_f81_what_is_said_reaches_all_with_its_author_and_a_late_joiner_has_it(pair):
    a, b, until = pair
    heard = {a: [], b: []}
    for player in (a, b):
        player.session.on_chat = heard[player].append
    assert a.session.chat("look\nthere") == 1
    b.session.react("🎉")
    until(lambda: all(len(events) == 2 for events in heard.values()), "both heard both")
    for player in (a, b):
        said = next(event for event in heard[player] if not event.entry.reaction)
        assert said.entry.text == "look\nthere" and said.entry.author == a.session.local_participant
        assert said.own == (player is a) and not said.is_history and said.entry.said_ns is not None
        assert [entry.text for entry in player.session.chat_history] == ["look\nthere"]
    late = unisono.Session.open(b.context, a.session.invite, display_name="Zoe", standby_hub=False)
    told = []
    late.on_chat = told.append
    late.join()
    until(lambda: told, "the late joiner was told")
    assert [(event.entry.text, event.is_history) for event in told] == [("look\nthere", True)]
    late.leave()


@pytest.mark.parametrize("text", ["", "\x1b[2J", "a\tb", "\u202etxt", "\x85"])
def test_f81_what_could_steer_a_terminal_is_not_said(pair, text):
    a, _, _ = pair
    with pytest.raises(unisono.UnisonoError):
        a.session.chat(text)


def test_f81_more_than_ten_in_ten_seconds_are_refused_and_it_says_for_how_long(pair):
    a, _, _ = pair
    for _ in range(10):
        a.session.chat("more")
    with pytest.raises(unisono.BusyError, match="try again in"):
        a.session.chat("too much")
