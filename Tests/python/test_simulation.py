"""F88: a host's own test on virtual time: no sockets, no waiting. The first test is the example for those who write hosts."""

import time

import pytest
import unisono
from unisono import MILLISECOND, SECOND


class Deck(unisono.Delegate):
    """The player of a host; here one that starts and stops at once."""

    def __init__(self):
        self.commands = []

    def play(self, command):
        self.commands.append(("play", command.item_time_ns))
        command.complete()

    pause = seek = buffer = lambda self, command: command.complete()


def group(simulation, count, ppm=20):
    """So many who are in one session, on one film, each one's clock so much faster than that of the one before: their coordinators and
    sessions."""
    coordinators, sessions = [], []
    for number in range(count):
        context = simulation.context(clock_offset_ns=number * 7 * SECOND, clock_drift_ppm=ppm * number)
        session = unisono.Session.open(context, sessions[0].invite) if sessions else unisono.Session.host(context)
        sessions.append(session)
        coordinator = unisono.Coordinator(context, Deck())
        coordinator.coordinate_with(session)
        session.join()
        simulation.advance(2 * SECOND)
        coordinator.transition_to_item("film")
        coordinators.append(coordinator)
    simulation.advance(5 * SECOND)
    return coordinators, sessions


def places(coordinators):
    return [one.expected_item_time_ns() for one in coordinators]


def session_time(session):
    """What it is now by this participant's clock, and the bound that is stated for it."""
    clock = session.clock
    age = session.context.host_time_ns - clock.host_time_ns
    return clock.session_time_ns + round(clock.rate * age), clock.error_bound_ns + clock.error_growth * max(0, age)


LONG_WAY = {"delay_ns": 50 * MILLISECOND, "jitter_ns": 20 * MILLISECOND}
LOPSIDED = {"delay_ns": 40 * MILLISECOND, "delay_in_ns": 10 * MILLISECOND, "jitter_ns": 2 * MILLISECOND}
LOPSIDED_OTHERWISE = {**LOPSIDED, "delay_ns": 10 * MILLISECOND, "delay_in_ns": 40 * MILLISECOND}


@pytest.mark.parametrize(
    ("before", "after"),
    [({}, LONG_WAY), ({}, LOPSIDED), ({}, LOPSIDED_OTHERWISE), (LONG_WAY, LOPSIDED), (LONG_WAY, LOPSIDED_OTHERWISE)],
    ids=["near to far", "near to lopsided", "near to lopsided otherwise", "far to lopsided", "far to lopsided otherwise"],
)
def test_f60_while_the_group_plays_over_a_path_that_changes_its_clocks_stay_within_their_bounds(before, after):
    with unisono.Simulation(seed=31) as simulation:
        (ann, ben), sessions = group(simulation, 2, ppm=100)
        simulation.set_link(ben.context, **before)
        ann.play()
        simulation.advance(40 * SECOND)
        simulation.set_link(ben.context, **after)
        late = unisono.Session.open(simulation.context(clock_drift_ppm=-100), sessions[0].invite)
        simulation.set_link(late.context, **after)
        late.join()
        learnt = []
        for tick in range(900):
            simulation.advance(100 * MILLISECOND, step_ns=100 * MILLISECOND)
            (here, sure), (there, bound) = map(session_time, sessions)
            error = abs(there - here)
            assert error <= sure + bound, f"{tick / 10} s after the change"
            assert abs(ben.expected_item_time_ns() - ann.expected_item_time_ns()) <= sure + bound + MILLISECOND
            if tick >= 200:
                told, limit = session_time(late)
                assert abs(told - here) <= sure + limit
                learnt.append((error, abs(told - here), bound, limit))
        errors, newcomers, bounds, limits = (sorted(column)[len(learnt) * 95 // 100] for column in zip(*learnt))
        print(f"after 20 s, ms: {errors / 1e6:.2f}, a newcomer {newcomers / 1e6:.2f}; bounds {bounds / 1e6:.2f}, {limits / 1e6:.2f}")
        assert errors <= 1.5 * newcomers + MILLISECOND // 10, "from 20 s on it is known as well as by who came over such a path"
        assert bounds <= 1.5 * limits, "and nobody is told more doubt than a newcomer is"


def test_f95_the_group_leaves_the_intro_out_for_all_and_undo_takes_it_back():
    with unisono.Simulation(seed=11) as simulation:
        (ann, ben, cem), sessions = group(simulation, 3)
        intro = unisono.SkipRange(10 * SECOND, 100 * SECOND, unisono.RangeKind.INTRO)
        entry = sessions[0].add_entry("film", ranges=[intro])
        ben.set_skipped_ranges([unisono.RangeKind.INTRO, unisono.RangeKind.CREDITS])
        simulation.advance(SECOND)
        assert cem.skipped_ranges == (unisono.RangeKind.INTRO, unisono.RangeKind.CREDITS)
        sessions[0].select_entry(entry)
        notices, timing = [], []
        sessions[2].on_notice = notices.append
        cem.delegate.timing_changed = timing.append
        ann.play()
        simulation.advance(15 * SECOND)
        here = places((ann, ben, cem))
        assert 100 * SECOND <= min(here) and max(here) < 106 * SECOND and max(here) - min(here) < MILLISECOND
        told = [one for one in notices if one.kind == unisono.NoticeKind.RANGE_SKIPPED]
        assert [(one.text, one.item_time_ns, one.sentence) for one in told] == [
            ("intro", 100 * SECOND, "The intro was skipped, to 1:40")
        ]
        assert timing[-1].cause == unisono.Cause.RANGE
        ben.undo_jump()
        simulation.advance(15 * SECOND)
        here = places((ann, ben, cem))
        assert 20 * SECOND <= min(here) and max(here) < 26 * SECOND
        ben.set_skipped_ranges([])
        simulation.advance(SECOND)
        assert cem.skipped_ranges == ()


def test_f89_two_with_different_ranges_of_their_own_stay_together():
    with unisono.Simulation(seed=12) as simulation:
        (ann, ben, cem), sessions = group(simulation, 3)
        ann.set_interstitials("film", [(20 * SECOND, 26 * SECOND)])
        ben.set_interstitials("film", [(40 * SECOND, 44 * SECOND), (10 * SECOND, 14 * SECOND)])
        told = []
        ben.delegate.suspensions_changed = lambda change: told.append(list(change.reasons))
        ann.play()
        simulation.advance(18 * SECOND)
        assert told == [["playing-interstitial"], []]
        here, there, other = places((ann, ben, cem))
        assert abs(there - here - 4 * SECOND) < MILLISECOND and abs(other - here) < MILLISECOND
        simulation.advance(15 * SECOND)
        here, there, other = places((ann, ben, cem))
        assert abs(here - other - 6 * SECOND) < MILLISECOND and abs(there - other - 4 * SECOND) < MILLISECOND
        assert [kind for kind, _ in cem.delegate.commands] == ["play"], "nobody else was told anything"
        ben.seek(42 * SECOND)
        simulation.advance(SECOND)
        assert places((cem,))[0] < 38 * SECOND, "all are where it was cut in"
        with pytest.raises(unisono.UnisonoError):
            ben.set_interstitials("film", [(0, 5), (4, 9)])
        with pytest.raises(ValueError):
            ben.set_interstitials("film", [(0, 5, 9)])


def test_f91_who_has_another_cut_is_at_its_own_place_of_it():
    with unisono.Simulation(seed=9) as simulation:
        (ann, ben, cem), sessions = group(simulation, 3)
        entry = sessions[0].add_entry("film")
        simulation.advance(SECOND)
        sessions[0].select_entry(entry)
        simulation.advance(SECOND)
        ann.play()
        simulation.advance(10 * SECOND)
        sessions[1].set_cut_offset(12 * SECOND)
        simulation.advance(5 * SECOND)
        here, there, other = places((ann, ben, cem))
        assert abs(there - here - 12 * SECOND) < MILLISECOND and abs(other - here) < MILLISECOND
        assert len(cem.delegate.commands) == 1, "nobody else was told anything"
        assert ben.delegate.commands[-1][1] > 20 * SECOND, "its own player was told its own place"
        seen = [[one.cut_offset_ns for one in session.participants] for session in sessions]
        assert [sorted(offsets) for offsets in seen] == [[0, 0, 12 * SECOND]] * 3
        ben.seek(112 * SECOND)
        simulation.advance(5 * SECOND)
        here, there, other = places((ann, ben, cem))
        assert 100 * SECOND <= here < 106 * SECOND and abs(there - here - 12 * SECOND) < MILLISECOND
        ann.pause()
        simulation.advance(5 * SECOND)
        here, there, other = places((ann, ben, cem))
        assert there - here == 12 * SECOND and other == here
        came = []
        for session in sessions[:2]:
            session.on_message = lambda m: came.append((m.item_time_ns, m.data))
        sessions[2].send_at("film", here + 2 * SECOND, b"to all")
        sessions[1].send_at("film", there + 3 * SECOND, b"of Ben's copy")
        simulation.advance(SECOND)
        ann.play()
        simulation.advance(10 * SECOND)
        assert sorted(came) == sorted(
            [(here + 2 * SECOND, b"to all"), (there + 2 * SECOND, b"to all"), (here + 3 * SECOND, b"of Ben's copy")]
        )
        for wrong in (7 * 3600 * SECOND, -7 * 3600 * SECOND):
            with pytest.raises(unisono.InvalidArgumentError):
                sessions[1].set_cut_offset(wrong)


def test_f88_four_hosts_start_together_and_one_of_them_comes_back_from_a_dead_network():
    began = time.monotonic()
    with unisono.Simulation(seed=7) as simulation:
        coordinators, _ = group(simulation, 4)
        coordinators[1].play()
        simulation.advance(60 * SECOND)
        assert [len(one.delegate.commands) for one in coordinators] == [1] * 4
        assert max(places(coordinators)) - min(places(coordinators)) < 1 * MILLISECOND
        simulation.set_link(coordinators[3].context, down=True)
        coordinators[0].seek(600 * SECOND)
        simulation.advance(40 * SECOND)
        assert places(coordinators)[0] - places(coordinators)[3] > 400 * SECOND
        simulation.set_link(coordinators[3].context)
        simulation.advance(30 * SECOND)
        assert max(places(coordinators)) - min(places(coordinators)) < 1 * MILLISECOND
    assert time.monotonic() - began < 60, "more than two minutes, in which nobody waited"


def test_f88_the_same_seed_is_the_same_run():
    def run(seed):
        with unisono.Simulation(seed=seed) as simulation:
            coordinators, sessions = group(simulation, 2)
            simulation.set_link(coordinators[1].context, delay_ns=80 * MILLISECOND, jitter_ns=30 * MILLISECOND, loss=0.1)
            coordinators[1].play()
            entry = sessions[0].add_entry("film")
            simulation.advance(20 * SECOND)
            assert [one.id for one in sessions[1].playlist.entries] == [entry], "the other has it"
            return places(coordinators), entry

    assert run(3) == run(3) != run(4)


def test_f88_timers_fire_at_their_instant_and_fetching_waits_for_nothing():
    with unisono.Simulation() as simulation:
        context = simulation.context()
        fired = []
        context.call_at(context.host_time_ns + 3600 * SECOND, fired.append)
        assert context.next_event(max_wait_ns=None) is None
        simulation.advance(3600 * SECOND - 1, step_ns=600 * SECOND)
        assert not fired
        simulation.advance(1)
        assert len(fired) == 1 and not fired[0].canceled


def test_f88_what_a_simulation_cannot_do_is_refused():
    with unisono.Simulation() as simulation:
        with pytest.raises(unisono.InvalidArgumentError, match="own_thread"):
            simulation.context(own_thread=True)
        context = simulation.context()
        with pytest.raises(unisono.StateError, match="unisono_simulation_advance runs it"):
            context.fileno()
        with pytest.raises(unisono.InvalidArgumentError, match="0...1"):
            simulation.set_link(context, loss=2.0)
        with unisono.Context() as real, pytest.raises(unisono.InvalidArgumentError, match="none of this simulation's"):
            simulation.set_link(real)
        with pytest.raises(unisono.InvalidArgumentError):
            simulation.advance(-1)


def test_f92_a_message_comes_when_each_ones_playback_is_at_its_place():
    with unisono.Simulation(seed=11) as simulation:
        coordinators, sessions = group(simulation, 3)
        came = []
        for coordinator, session in zip(coordinators, sessions):
            session.on_message = lambda m, c=coordinator, s=session: came.append(
                (s is sessions[2], m.data, m.item, m.item_time_ns, c.expected_item_time_ns())
            )
        coordinators[1].play()
        simulation.advance(2 * SECOND)
        sessions[0].send_at("film", 42 * SECOND, b"now", type="org.example.card", version=1)
        sessions[0].send_at("film", 50 * SECOND, b"skipped")
        simulation.advance(30 * SECOND)
        assert came == []
        simulation.advance(15 * SECOND, step_ns=MILLISECOND // 10)
        # Nobody corrects these players: one whose clock is 40 ppm fast is there before one whose clock is 20 ppm fast.
        assert [(at, data, item, place) for at, data, item, place, _ in came] == [
            (True, b"now", "film", 42 * SECOND),
            (False, b"now", "film", 42 * SECOND),
        ]
        for ppm, here in zip([40, 20], [here for *_, here in came]):
            assert abs(here + 42 * ppm * 1_000 - 42 * SECOND) < MILLISECOND // 4
        coordinators[2].seek(100 * SECOND)
        simulation.advance(10 * SECOND)
        assert len(came) == 2
        coordinators[2].seek(48 * SECOND)
        simulation.advance(10 * SECOND)
        assert [data for _, data, *_ in came[2:]] == [b"skipped"] * 2
        coordinators[2].seek(40 * SECOND)
        simulation.advance(15 * SECOND)
        assert len(came) == 4, "each comes once"


def test_f93_all_begin_at_the_time_that_was_scheduled_and_who_comes_later_counts_down_too():
    with unisono.Simulation(seed=3) as simulation:
        coordinators, sessions = group(simulation, 2)
        told = [[], []]
        for session, news in zip(sessions, told):
            session.on_schedule = news.append
        now = sessions[0].context.host_time_ns
        sessions[0].schedule_start("film", host_time_ns=now + 60 * SECOND, calendar_time_ns=1_800_000_000 * SECOND)
        simulation.advance(1 * SECOND)
        seen = sessions[1].scheduled_start
        assert (seen.item, seen.calendar_time_ns, seen.originator) == ("film", 1_800_000_000 * SECOND, sessions[0].local_participant)
        assert sessions[0].scheduled_start.originator is None
        assert abs(sessions[0].scheduled_start.host_time_ns - now - 60 * SECOND) < MILLISECOND
        late = simulation.context(clock_offset_ns=99 * SECOND)
        guest = unisono.Session.open(late, sessions[1].invite)
        third = unisono.Coordinator(late, Deck())
        third.coordinate_with(guest)
        news = []
        guest.on_schedule = news.append
        guest.join()
        simulation.advance(5 * SECOND)
        third.transition_to_item("film")
        sessions[0].leave()
        simulation.advance(50 * SECOND)
        assert [one.expected_item_time_ns() for one in (coordinators[1], third)] == [0, 0]
        simulation.advance(14 * SECOND)
        places = [one.expected_item_time_ns() for one in (coordinators[1], third)]
        assert all(abs(place - 10 * SECOND) < 5 * MILLISECOND for place in places)
        kinds = [event.change for event in news]
        assert kinds[0] == unisono.ScheduleStatus.SET and kinds[-1] == unisono.ScheduleStatus.DUE
        assert [round(event.remaining_ns / SECOND) for event in news[1:]] == [30, *range(10, -1, -1)]
        assert [event.change for event in told[1]][1:] == [unisono.ScheduleStatus.REMAINING] * 11 + [unisono.ScheduleStatus.DUE]
        assert guest.scheduled_start is None
        with pytest.raises(unisono.InvalidArgumentError):
            guest.schedule_start("film", host_time_ns=late.host_time_ns + 8 * 86_400 * SECOND)
        with pytest.raises(unisono.InvalidArgumentError):
            guest.schedule_start("film", host_time_ns=late.host_time_ns - 1)
        guest.schedule_start_at("film", time.time_ns() + 30 * SECOND)
        simulation.advance(1 * SECOND)
        assert 28 * SECOND < sessions[1].scheduled_start.host_time_ns - sessions[1].context.host_time_ns < 30 * SECOND
        guest.cancel_start()
        simulation.advance(1 * SECOND)
        assert sessions[1].scheduled_start is None and told[1][-1].change == unisono.ScheduleStatus.CANCELED
