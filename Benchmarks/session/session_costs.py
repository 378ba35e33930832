#!/usr/bin/env python3
"""What a session costs on a network: how long joining takes, what a room says that does nothing, and what a re-key of many takes.

On virtual time (unisono_simulation.h), where delays are known exactly and computing takes none; a hub has a machine of its own, without
delay, so that a round trip is that of a participant's link. Joining on this machine's own sockets, too, where it takes what it computes.

session_costs.py LIBRARY [--only join idle rekey] [--rooms 2 8 32] [--members 256] [--runs 40]
"""

import argparse
import ctypes
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings" / "python"))
MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND
# One way of a participant's link and its jitter, ns.
LINKS = {"lan": (MILLISECOND // 10, 0), "wan": (50 * MILLISECOND, 20 * MILLISECOND)}
# A clock probe in a datagram, with the headers of UDP and IPv4; each is answered by one as long.
PROBE = 64 + 28
# Steps of virtual time in which hardly two machines have a turn, where messages take as long as their jitter lets them, ns.
INSTANT = 20_000
# What follows of a re-key counts for so long: those who went read the room before for 5 s more.
AFTER = 7 * SECOND
# Until all who stay are in the next room, Z85; of virtual time, so that it is judged on any machine. Processor time is told alone.
TOGETHER = 2 * SECOND


class Hub:
    """A hub with a machine to itself, and the limits of one that is run by itself: one in a participant's process sends a room a quarter."""

    def __init__(self, simulation):
        self.context = simulation.context()
        simulation.set_link(self.context, delay_ns=0)
        self.library = ffi.library()
        self.handle = ctypes.c_void_p()
        options = ffi.HubOptions(participants_per_room=1000, connections_per_address=1000, open=1,
                                 room_bytes_per_second=32 << 20)
        check(self.library.hub_create(self.context._handle, ctypes.byref(options), None, None, ctypes.byref(self.handle)))
        room = ctypes.create_string_buffer(512)
        length = ctypes.c_size_t(len(room))
        check(self.library.hub_line(self.handle, 0, room, ctypes.byref(length)))
        self.line = room.value.decode()

    @property
    def counted(self):
        counted = ffi.HubStatistics()
        check(self.library.hub_get_statistics(self.handle, ctypes.byref(counted)))
        return counted


class Room:
    """Participants of one session at one hub, all on virtual time."""

    def __init__(self, simulation, link):
        self.simulation, self.link = simulation, link
        self.hub = Hub(simulation)
        self.sessions = []
        self.coordinators = []

    def add(self):
        """One more, who begins to join."""
        context = self.simulation.context(clock_offset_ns=len(self.sessions) * 7 * SECOND, clock_drift_ppm=len(self.sessions) % 50)
        delay, jitter = LINKS[self.link]
        self.simulation.set_link(context, delay_ns=delay, jitter_ns=jitter)
        if self.sessions:
            session = unisono.Session.open(context, self.sessions[0].invite, standby_hub=False)
        else:
            session = unisono.Session.host(context, hub=self.hub.line, standby_hub=False)
        coordinator = unisono.Coordinator(context)
        coordinator.coordinate_with(session)
        session.join()
        self.sessions.append(session)
        self.coordinators.append(coordinator)
        return session

    def until(self, holds, limit, step):
        """Virtual ns that it took."""
        passed = 0
        while not holds():
            if passed > limit:
                sys.exit(f"it did not come to that within {limit / SECOND} s of virtual time")
            self.simulation.advance(step, step_ns=step)
            passed += step
        return passed

    def watch(self, length):
        """Lets that much virtual time pass; s of a processor that the longest instant of it took, and all of it."""
        handle, advance = self.simulation._handle, ffi.library().simulation_advance
        longest, begun = 0, time.thread_time()
        for _ in range(length // INSTANT):
            before = time.thread_time()
            check(advance(handle, INSTANT))
            longest = max(longest, time.thread_time() - before)
        self.simulation.advance(length % INSTANT or 1)
        return longest, time.thread_time() - begun

    def fill(self, count, pause):
        """One after the other; into a large room more slowly, as who lets them in says each who is here: a hub takes 256 KiB a second of it."""
        while len(self.sessions) < count:
            session = self.add()
            self.until(lambda: session.state == unisono.SessionState.JOINED, 60 * SECOND, 10 * MILLISECOND)
            self.simulation.advance(pause if len(self.sessions) < 128 else max(pause, SECOND))


def joining(options):
    print("joining: from the call until the participant is told that it is joined, to a room of two; ms, and round trips of its link")
    for link, (delay, _) in LINKS.items():
        took = []
        for seed in range(options.runs):
            with unisono.Simulation(seed=seed + 1) as simulation:
                room = Room(simulation, link)
                room.fill(2, 5 * SECOND)
                session = room.add()
                joined = unisono.SessionState.JOINED
                took.append(room.until(lambda: session.state == joined, 60 * SECOND, delay // 100 + 20_000))
        usual, worst = statistics.median(took), sorted(took)[int(len(took) * 0.95)]
        print(f"  {link:8} {usual / MILLISECOND:8.2f} median, {worst / MILLISECOND:8.2f} of 95 in 100, {options.runs} runs: "
              f"{usual / (2 * delay):.1f} and {worst / (2 * delay):.1f} round trips")
    took = []
    for _ in range(options.runs):
        took.append(join_here())
    print(f"  this machine's own sockets, one process for both: {statistics.median(took) * 1000:.2f} median, "
          f"{sorted(took)[int(len(took) * 0.95)] * 1000:.2f} of 95 in 100")


def join_here():
    """s on real sockets: two contexts, whose turns one thread takes."""
    with unisono.Context() as one, unisono.Context() as two:
        first = unisono.Session.host(one, listen=["127.0.0.1:0"])
        first.join()
        wait([one], lambda: first.state == unisono.SessionState.JOINED)
        second = unisono.Session.open(two, first.invite, standby_hub=False)
        begun = time.monotonic()
        second.join()
        wait([one, two], lambda: second.state == unisono.SessionState.JOINED)
        return time.monotonic() - begun


def wait(contexts, holds):
    end = time.monotonic() + 30
    while not holds():
        if time.monotonic() > end:
            sys.exit("it did not join within 30 s")
        for context in contexts:
            context.poll()


def idle(options):
    print("a room that does nothing: bytes that its hub's TCP connections carry in a minute, both ways, of one participant; beside them probes")
    for count in options.rooms:
        with unisono.Simulation(seed=count) as simulation:
            room = Room(simulation, "lan")
            room.fill(count, SECOND)
            simulation.advance(120 * SECOND, step_ns=SECOND)
            before = room.hub.counted
            simulation.advance(600 * SECOND, step_ns=SECOND)
            after = room.hub.counted
            share = 10 * count
            to_hub, from_hub = (after.bytes_in - before.bytes_in) / share, (after.bytes_out - before.bytes_out) / share
            probes = (after.probes - before.probes) / share
            print(f"  {count:3} participants: {to_hub:9.0f} to the hub, {from_hub:9.0f} from it, {(to_hub + from_hub) / 60:7.0f} a second; "
                  f"{probes:.0f} probes, {2 * probes * PROBE:.0f} bytes")


def rekey(options):
    count = options.members
    with unisono.Simulation(seed=1) as simulation:
        room = Room(simulation, "wan")
        begun = time.process_time()
        room.fill(count, 200 * MILLISECOND)
        room.until(lambda: all(len(one.participants) == count for one in room.sessions), 600 * SECOND, SECOND)
        filled = time.process_time() - begun
        simulation.advance(30 * SECOND, step_ns=SECOND)
        quiet = room.hub.counted
        simulation.advance(AFTER, step_ns=SECOND)
        owner, *others, out = room.sessions
        old, before, used = owner.invite, room.hub.counted, time.process_time()
        owner.remove_participant(out.local_participant)
        # Nobody else has heard of it, and hardly anybody has a turn: all turns in which it is handed to everybody.
        simulation.advance(1, step_ns=1)
        making = time.process_time() - used
        stay = [owner, *others]
        longest, passed, moved, together = 0, 0, None, None
        while together is None:
            if passed > 60 * SECOND:
                sys.exit("not everybody was there within 60 s of virtual time")
            longest = max(longest, room.watch(5 * MILLISECOND)[0])
            passed += 5 * MILLISECOND
            if moved is None and all(one.invite != old for one in stay):
                moved = passed
            if moved is not None and all(
                len(one.participants) == count - 1 and one.state == unisono.SessionState.JOINED for one in stay):
                together = passed
        longest = max(longest, room.watch(max(AFTER - together, 0))[0])
        spent, after = time.process_time() - used, room.hub.counted
        print(f"a room of {count}, each 100 +- 40 ms from the hub and back, is re-keyed, as somebody is removed:")
        print(f"  {moved / MILLISECOND:.0f} ms until the last one has the next invite, {together / MILLISECOND:.0f} ms until all show the others there")
        print(f"  within {AFTER // SECOND} s: {cost(before, after)}; in as long before it: {cost(quiet, before)}")
        print(f"  {making * 1000:.0f} ms of a processor for who re-keys until all wraps are out, {longest * 1000:.1f} ms the longest turn after that "
              f"of anybody, hub included; to fill the room before took {filled:.1f} s")
        print(f"  {spent:.1f} s of a processor in these {AFTER // SECOND} s for all {count}, hub and simulation included: "
              f"{spent / count * 1000:.0f} ms each")
        if together > TOGETHER:
            sys.exit(f"later than {TOGETHER // SECOND} s")


def cost(begin, end):
    return (f"{(end.bytes_in - begin.bytes_in) / 1e6:.2f} MB to the hub, {(end.bytes_out - begin.bytes_out) / 1e6:.1f} MB from it in "
            f"{end.frames_out - begin.frames_out} frames")


def main():
    global unisono, ffi, check
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--only", nargs="*", default=["join", "idle", "rekey"], choices=["join", "idle", "rekey"])
    parser.add_argument("--rooms", nargs="*", type=int, default=[2, 8, 32])
    parser.add_argument("--members", type=int, default=256)
    parser.add_argument("--runs", type=int, default=40)
    options = parser.parse_args()
    os.environ["UNISONO_LIBRARY"] = options.library
    import unisono
    from unisono import _ffi as ffi
    from unisono.errors import check
    for what, run in (("join", joining), ("idle", idle), ("rekey", rekey)):
        if what in options.only:
            run(options)


if __name__ == "__main__":
    main()
