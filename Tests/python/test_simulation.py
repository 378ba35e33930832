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


def group(simulation, count):
    """So many who are in one session, on one film: their coordinators and sessions."""
    coordinators, sessions = [], []
    for number in range(count):
        context = simulation.context(clock_offset_ns=number * 7 * SECOND, clock_drift_ppm=20 * number)
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
