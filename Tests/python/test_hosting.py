"""What every host needs: a person's wish told from an echo, and lines that say what happens."""

import pytest
import unisono
from group_support import pump
from unisono import SECOND, Motion

# ---- wish or echo ----


@pytest.fixture
def coordinator(context):
    """Of a host that drives its player itself."""
    return unisono.Coordinator(context)


def test_what_the_player_was_told_is_an_echo_and_what_a_person_does_a_wish(coordinator):
    assert not coordinator.is_wish(Motion.RUNNING, False)
    coordinator.expect_motion(Motion.RUNNING, True)
    assert coordinator.is_wish(Motion.RUNNING, True) is False
    assert coordinator.is_wish(Motion.RUNNING, False) is True
    coordinator.expect_motion(Motion.RATE, 1.25 * 1.002)
    assert not coordinator.is_wish(Motion.RATE, 1.25 * 1.002) and coordinator.is_wish(Motion.RATE, 1.5)
    assert coordinator.is_wish(Motion.SEEKING, True) and coordinator.is_wish(Motion.SEEKING, False), "its end is the person's, too"
    coordinator.expect_motion(Motion.SEEKING, True)
    assert not coordinator.is_wish(Motion.SEEKING, True) and not coordinator.is_wish(Motion.SEEKING, False)


def test_what_is_no_motion_is_refused_by_name(coordinator):
    with pytest.raises(TypeError, match="value must be True or False"):
        coordinator.is_wish(Motion.RUNNING, 1)
    with pytest.raises(TypeError, match="value must be a number"):
        coordinator.expect_motion(Motion.RATE, True)
    with pytest.raises(unisono.InvalidArgumentError, match="unisono_coordinator_is_wish: value is no number"):
        coordinator.is_wish(Motion.RATE, float("nan"))
    with pytest.raises(unisono.InvalidArgumentError, match="give a unisono_motion"):
        coordinator.is_wish(unisono.Motion(4), True)


# ---- lines for people ----


@pytest.fixture
def told(pair):
    a, b, until = pair
    lines = []
    narrator = unisono.Narrator(a.session)
    a.context.on_event = lambda event: lines.extend(narrator.lines(event))
    return a, b, until, lines


def test_who_comes_does_something_is_waited_for_and_leaves_is_said(told):
    a, b, until, lines = told
    held = []
    b.buffer = b.seek = held.append
    with unisono.Context() as third:
        session = unisono.Session.open(third, a.session.invite, display_name="Cem")
        session.join()
        both = [a.context, b.context, third]
        pump(both, lambda: "Cem joined" in lines, "Cem's coming was said")
        session.leave()
        pump(both, lambda: "Cem left" in lines, "Cem's going was said")
    a.coordinator.play()
    until(lambda: any(line.startswith("Waiting for Ben") for line in lines), "it was said who is waited for")
    held[-1].complete()
    until(lambda: a.playing and b.playing, "both played")
    b.coordinator.pause()
    until(lambda: "Ben paused" in lines, "it was said who paused")
    b.buffer = b.seek = lambda command: command.complete()
    b.coordinator.seek(3723 * SECOND)
    until(lambda: "Ben sought to 1:02:03" in lines, "it was said who sought")
    assert lines.count("Cem joined") == 1
    b.session.depart()
    until(lambda: "Ben left" in lines, "Ben's going was said")


def test_an_end_and_a_hub_that_is_not_there_are_said(library):
    with unisono.Context() as one:
        host = unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"])
        invite = host.invite
        host.join()
        with unisono.Context() as two:
            guest, lines = unisono.Session.open(two, invite, display_name="Ben"), []
            narrator = unisono.Narrator(guest)
            two.on_event = lambda event: lines.extend(narrator.lines(event))
            guest.join()
            pump([one, two], lambda: "You joined" in lines, "it joined")
            host.end()
            pump([one, two], lambda: any(line == "The session was ended for everybody" for line in lines), "its end was said")
            assert lines[0] == "You joined"
    with unisono.Context() as three:
        late, lines = unisono.Session.open(three, invite, display_name="Cem"), []
        narrator = unisono.Narrator(late)
        three.on_event = lambda event: lines.extend(narrator.lines(event))
        late.join()
        pump([three], lambda: any("not reached" in line for line in lines), "it was said that nobody is there")
        assert len(lines) == 1


def test_what_others_write_cannot_control_a_terminal(pair):
    a, b, until = pair
    lines = []
    narrator = unisono.Narrator(a.session)
    a.context.on_event = lambda event: lines.extend(narrator.lines(event))
    with pytest.raises(unisono.InvalidArgumentError):
        b.session.post_notice("\x1b[2J\x07 look")
    b.session.post_notice("look")
    until(lambda: lines, "the notice came")
    assert lines == ["Ben: look"]
    refused = unisono.ErrorEvent(a.session, 0, unisono.Status.EDENIED, "unisono_session_end", "\x1b[2J no")
    assert all(letter.isprintable() for line in narrator.lines(refused) for letter in line)


def test_a_refusal_that_comes_late_is_said(context):
    session = unisono.Session.host(context, listen=["127.0.0.1:0"])
    narrator = unisono.Narrator(session)
    refused = unisono.ErrorEvent(session, 0, unisono.Status.EDENIED, "unisono_session_end", "you may not end it")
    assert narrator.lines(refused) == ["refused: you may not end it"]


def test_a_wait_is_said_after_a_moment_and_not_at_all_when_it_was_short(pair):
    a, b, until = pair
    said = []
    narrator = unisono.Narrator(a.session, said.append)
    a.context.on_event = lambda event: said.extend(narrator.lines(event))
    held = []
    b.buffer = b.seek = held.append
    a.coordinator.play()
    until(lambda: held, "Ben was asked to get ready")
    held[-1].complete()
    until(lambda: a.playing and b.playing, "both played")
    b.coordinator.pause()
    until(lambda: "Ben paused" in said, "Ben's pause was said")
    end = a.context.host_time_ns + 2 * narrator.PATIENCE_NS
    until(lambda: a.context.host_time_ns > end, "the moment had passed")
    assert not any(line.startswith("Waiting for") for line in said)
    held.clear()
    a.coordinator.play()
    until(lambda: any(line.startswith("Waiting for Ben") for line in said), "it was said who is waited for")
    assert held
    held[-1].complete()
    until(lambda: a.playing and b.playing, "both played")
