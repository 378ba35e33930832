"""F84, F85: starts that wait for people, and what happens when one leaves, over the C API."""

import pytest
import unisono
from group_support import Player, pump
from unisono import LeavingRule, Readiness, StartRule, TimingState


@pytest.fixture
def watching(pair):
    """Two on one item, whose first start waits for people."""
    a, b, until = pair
    a.coordinator.set_start_policy(StartRule.FIRST_WHEN_READY, leaving=LeavingRule.PAUSE)
    until(lambda: b.coordinator.start_policy.start == StartRule.FIRST_WHEN_READY, "the policy is the session's")
    assert b.coordinator.start_policy.limit_ns == 60 * unisono.SECOND
    return pair


def test_f84_a_start_waits_for_a_person_and_names_it(watching):
    a, b, until = watching
    a.coordinator.play()
    expected = (b.session.local_participant, unisono.Reason.NOT_READY)
    until(lambda: [(one.participant, one.reason) for one in a.coordinator.waiting_for] == [expected], "b is waited for")
    assert not a.playing and not b.playing
    b.coordinator.set_ready(Readiness.READY)
    until(lambda: a.playing and b.playing, "both play")
    assert {one.readiness for one in a.session.participants} == {Readiness.READY, Readiness.NOT_SAID}


def test_f84_who_may_command_goes_on_without_somebody(watching):
    a, b, until = watching
    a.coordinator.play()
    until(lambda: a.coordinator.waiting_for, "b is waited for")
    until(lambda: b.coordinator.waiting_for, "and knows")
    b.coordinator.start_without([b.session.local_participant])
    until(lambda: a.playing and b.playing, "both play")


def test_f84_nobody_is_waited_for_is_said_when_one_goes_on(watching):
    a, _, until = watching
    told = []
    a.error = told.append
    a.coordinator.start_without()
    until(lambda: told, "it is refused")
    assert told[0].status == unisono.Status.ESTATE and told[0].operation == "unisono_coordinator_start_without"


def test_f84_the_group_pauses_when_somebody_leaves(watching):
    a, b, until = watching
    b.coordinator.set_ready(Readiness.READY)
    a.coordinator.play()
    until(lambda: a.playing and b.playing, "both play")
    ben = b.session.local_participant
    b.session.leave()
    until(lambda: a.timings[-1].state == TimingState.PAUSED and not a.playing, "it is paused")
    assert (a.timings[-1].cause, a.timings[-1].originator) == (unisono.Cause.LEFT, ben)


@pytest.mark.parametrize("start,limit,leaving", [(3, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 600 * 10**9 + 1, 0), (0, 0, 2)])
def test_f84_a_policy_that_is_none_is_refused(pair, start, limit, leaving):
    a, _, _ = pair
    with pytest.raises(unisono.UnisonoError):
        a.coordinator.set_start_policy(start, limit_ns=limit, leaving=leaving)


def test_f84_words_and_names_that_are_none_are_refused(pair):
    a, _, _ = pair
    with pytest.raises(unisono.UnisonoError):
        a.coordinator.set_ready(3)
    with pytest.raises(unisono.UnisonoError):
        a.coordinator.start_without([bytes(16)] * 17)


def test_f85_two_devices_of_a_person_are_waited_for_once(library):
    """Ann has a second screen: she says on either that she is ready, and one that leaves is not missed."""
    person = b"0123456789abcdef"
    with (
        unisono.Context(device_name="tv", person=person) as one,
        unisono.Context(device_name="phone", person=person) as two,
        unisono.Context(device_name="laptop") as three,
    ):
        tv, phone, ben = Player(one), Player(two), Player(three)
        tv.attach(unisono.Session.host(one, display_name="Ann", listen=["127.0.0.1:0"]))
        phone.attach(unisono.Session.open(two, tv.session.invite, display_name="Ann", standby_hub=False))
        ben.attach(unisono.Session.open(three, tv.session.invite, display_name="Ben", standby_hub=False))
        all_three = [tv, phone, ben]

        def until(condition, what):
            pump([one, two, three], condition, what)

        def met(player):
            seen = player.session.participants
            return len(seen) == 3 and all(one.item == "film" for one in seen) and player.coordinator.timing

        until(lambda: all(met(player) for player in all_three), "all see each other on the item")
        ben.coordinator.set_start_policy(StartRule.FIRST_WHEN_READY, leaving=LeavingRule.PAUSE)
        ben.coordinator.play()
        first = min(tv.session.local_participant, phone.session.local_participant)
        until(lambda: [one.participant for one in ben.coordinator.waiting_for] == [first], "one of the devices is named")
        phone.coordinator.set_ready(Readiness.READY)
        until(lambda: all(player.playing for player in all_three), "all play")
        phone.session.leave()
        until(lambda: len(ben.session.participants) == 2, "the phone is gone")
        assert ben.playing and tv.playing and ben.timings[-1].state == TimingState.PLAYING
