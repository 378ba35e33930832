"""Chaos at real processes: rooms whose participants are spread over machines, two hubs beside them, and what can happen to either.

    sudo chaos.py [--seconds 600] [--rooms 6] [--size 8] [--seed N] [--nats] [--picture chaos.svg]

Participants of each room play, pause, seek, change the rate, stand aside, leave and come all the time. Meanwhile, drawn from a seed:
processes are killed (SIGKILL) or stopped (SIGSTOP) for up to 15 s, participants as well as hubs; cables of machines and of hubs are pulled
for as long; calendar clocks are set, by up to a day. Every now and then all of that is over, and within QUIET seconds all that live in a
room must be together, with one item, state and rate, and positions within 10 ms. Nobody may say JOINED while alone, nobody who was in
a room may lose it, and nothing may grow: one hub and the first of each room are never killed, and are measured.

Machines are network namespaces joined by a bridge, so this needs root. The first two rooms meet at the two hubs, the others at the
first participant's own. With --nats both hubs are one set: people of the first two rooms come to either, and the NATS server between the hubs is
killed, stopped and cut off as well.
"""

import argparse
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from chaos_picture import draw
from group import MILLISECOND, Group, Refused, environment
from hub_set import NO_SERVER, Nats, command_with_nats, write_key
from hub_set import SERVER as NATS_SERVER
from lan import Lan, unavailable
from monkey import Monkey
from wall_clock import WallClock, build_preload

# Seconds of commotion between two rests, and of quiet after which all must agree: halves of a room look for each other at one hub a second,
# of up to sixteen, most of which are dead here.
COMMOTION = 15
QUIET = 30
# Seconds that somebody is stopped, cut off or dead.
SHORTEST, LONGEST = 0.2, 15.0
# Seconds after which who meets somebody goes by the group's clock.
CLOCKS_MEET = 2
MACHINES = 6
HUBS = ("north", "south")
SERVER = "nats"  # its machine
# By how much calendar clocks are off once somebody set them, s.
CLOCKS = (-86_400, -3_600, -1, -0.05, 0, 0.003, 0.4, 60, 86_400)
# What is measured counts from this age on, s: until then caches fill. And how much more it may be in the end.
GROWN_UP = 60
GROWTH_MB, GROWTH_FILES = 6, 12


@dataclass
class Fault:
    kind: str
    who: str
    begin: float
    end: float
    mend: callable = field(repr=False)


@dataclass
class Measured:
    """Memory of its own (MB) and open files of a process that is to live through all: the first from GROWN_UP on, and the last."""

    name: str
    born: float
    rows: list = field(default_factory=list)

    def look(self, pid, now):
        status = Path(f"/proc/{pid}/status").read_text()
        memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon"))
        self.rows.append((now, memory / 1024, len(os.listdir(f"/proc/{pid}/fd"))))

    @property
    def growth(self):
        rows = [row for row in self.rows if row[0] >= self.born + GROWN_UP] or self.rows[-1:]
        return rows[-1][1] - rows[0][1], rows[-1][2] - rows[0][2]


class Hub:
    """`unisono hub` on a machine of its own; its key, and so its id, outlives it. `nats`: the server of the set that it belongs to, whose keys
    are in the folder."""

    def __init__(self, name, lan, program, folder, variables, nats=None):
        self.name = name
        self.address = f"{lan.address[name]}:7400"
        self._lan, self._variables = lan, variables
        self._command = [program, "hub", "--listen", self.address, "--key", folder / f"{name}.key", "--open"]
        if nats is not None:
            certificate = folder / f"{name}.certificate"
            certificate.write_text(self._asked([
                program, "hub", "certify", "--authority-key", folder / "authority.key", "--hub", self._printed_line(), "--days", "30"]))
            self._command += ["--certificate", certificate, "--set-key", folder / "set.key", "--nats", nats.url]
        self.line = self._printed_line()
        self._log = open(folder / f"{name}.log", "ab")
        self.process = None
        self.start()

    def _printed_line(self):
        return self._asked([*self._command, "--print-line"]).split()[-1]

    def _asked(self, command):
        return subprocess.run(list(map(str, command)), env=self._variables, capture_output=True, text=True, check=True).stdout

    def start(self):
        command = self._lan.command(self.name, [*self._command, "--log-level", "warning"])
        self.process = subprocess.Popen(command, env=self._variables, stderr=self._log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.kill()
        self._log.close()


class Room(Monkey):
    """A group whose participants are on machines; its first participant is never killed and never leaves."""

    def __init__(self, name, world, size, hub):
        self.name = name
        self.world = world
        self.hub_line = hub
        self.turned_away = Counter()
        self.heard = Counter()  # doubts of each host that were looked at
        super().__init__(world.new_group(), f"{world.seed} {name}", size)
        self.first = self.hosts[0]
        self.kept = [self.first]

    def _new(self):
        self.born += 1
        machine = self.random.choice(self.world.machines)
        return self.group.add(f"{self.name}{self.born}", machine=machine, variables=self.world.variables(machine))

    def _begin(self, host):
        host.host(**({"hub": self.hub_line} if self.hub_line else {}))

    def come(self):
        return super().come() if any(host.invite and not host.is_frozen for host in self.hosts) else "nobody"

    def _invite(self, inviter):
        """Of a set half of those who come go to the other hub."""
        return self.world.swap_hubs(inviter.invite) if self.world.nats and self.random.random() < 0.5 else inviter.invite

    def deed(self):
        deeds = {self.play: 8, self.pause: 6, self.seek: 8, self.rate: 4, self.suspend: 4, self.resume: 6, self.leave: 1, self.die: 2}
        if len(self.hosts) < self.size:
            deeds[self.come] = 6
        chosen = self.random.choices(list(deeds), list(deeds.values()))[0]
        said = chosen()
        self.deeds.append(f"{self.world.now:7.2f} {self.name} {chosen.__name__}: {said}")
        if chosen == self.die and said != "nobody":
            self.world.happened("killed", said)

    def stopped(self):
        """One that is stopped now, of those of whom two thirds stay awake; None: there is none to stop."""
        awake = [host for host in self.hosts if not host.is_frozen]
        if 3 * len(awake) <= 2 * len(self.hosts) + 1:
            return None
        host = self.random.choice(awake)
        host.freeze()
        return host

    def _is_quiet(self):
        for host in [host for host in self.hosts if host.status == "INVALIDATED"]:
            # Who came while nobody could be reached is told so, and may try again; whoever was in stays in.
            if host.was_in or not host.reason:
                self._fail(f"{host.name} was in the room and lost it, or was turned away without a reason", lambda: False)
            self.turned_away[host.reason] += 1
            self._remove(host)
            host.quit()
        return self.group.are_together(*self.hosts) and self.group.agree(*self.hosts)

    def new_doubts(self):
        """What its participants came to doubt, which nobody here has deserved: no hub lies, and no clock runs wrong."""
        found = []
        for host in self.group.hosts:
            for number, doubt in host.doubts or []:
                if number > self.heard[host.name]:
                    self.heard[host.name] = number
                    found.append(f"{host.name}: {doubt}")
        return found

    def settle(self, until):
        self._wait(self._is_quiet, f"{len(self.hosts)} of room {self.name} were together and agreed", until - time.monotonic())

    def check_clocks(self):
        """No two that see each other differ by more than both state, for longer than it takes to hear of the other's clock: host time is
        one on one machine. The greatest difference, ms."""
        apart, difference = self._clocks_apart()
        if apart:
            self.group.pass_time(CLOCKS_MEET)
            again, difference = self._clocks_apart()
            for pair in again.keys() & apart.keys():
                raise AssertionError(f"{again[pair]}; it had done:\n  " + "\n  ".join(self.deeds[-60:]))
        return difference

    def _clocks_apart(self):
        """Sentences of those pairs that contradict each other, by their names, and the greatest difference of any that see each other."""
        now = time.monotonic_ns()
        known = []
        for host in self.hosts:
            if host.status != "JOINED" or host.is_frozen:
                continue
            try:
                clock = host.clock
            except Refused:
                continue
            if clock is not None:
                at, session, rate, bound, growth = clock
                known.append((session + rate * (now - at) - now, bound + growth * abs(now - at), host))
        apart, greatest = {}, 0
        for (low, low_bound, one), (high, high_bound, other) in itertools.permutations(known, 2):
            if high < low or one.name not in (other.people or ()) or other.name not in (one.people or ()):
                continue
            greatest = max(greatest, high - low)
            if high - low > low_bound + high_bound:
                apart[one.name, other.name] = (
                    f"the clocks of {one.name} and {other.name}, who see each other, differ by {(high - low) / MILLISECOND:.3f} ms, and"
                    f" are by their own word right to {low_bound / MILLISECOND:.3f} and {high_bound / MILLISECOND:.3f} ms"
                )
        return apart, greatest / MILLISECOND


class World:
    """Machines, hubs and rooms, and the faults that they have."""

    def __init__(self, seed, rooms, size, with_nats=False):
        self.seed, self.random = seed, random.Random(seed)
        self.began = time.monotonic()
        self.machines = [f"m{number}" for number in range(1, MACHINES + 1)]
        self.faults, self.over, self.rests, self.clocks = [], [], [], []
        self._stack = ExitStack()
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="unisono-chaos-")))
        self.lan = Lan([*HUBS, *self.machines, *([SERVER] if with_nats else [])])
        self.hubs, self.rooms, self.wall_clocks = [], [], {}
        self.nats = None
        self.spread_rests = 0
        self._with_nats = with_nats
        self._size, self._count = size, rooms

    @property
    def now(self):
        return time.monotonic() - self.began

    def __enter__(self):
        try:
            self._stack.enter_context(self.lan)
            preload = build_preload(self._folder)
            for name in self.lan.names:
                self.wall_clocks[name] = WallClock(self._folder / f"{name}.wall", preload)
            build = Path(environment()["UNISONO_LIBRARY"]).parent
            program = command_with_nats(build) if self._with_nats else build / "unisono"
            if self._with_nats:
                write_key(self._folder / "set.key")
                self.nats = Nats(self.lan.address[SERVER], lambda command: self.lan.command(SERVER, command))
                self._stack.callback(self.nats.kill)
            for name in HUBS:
                self.hubs.append(Hub(name, self.lan, program, self._folder, self.variables(name), self.nats))
                self._stack.callback(self.hubs[-1].end)
            for number in range(self._count):
                hub = self.hubs[number].line if number < len(self.hubs) else None
                self.rooms.append(Room("ABCDEFGHIJKLMNOP"[number], self, self._size, hub))
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        self.measured = [Measured(room.first.name, self.now) for room in self.rooms] + [Measured(HUBS[-1], self.now)]
        return self

    def __exit__(self, *error):
        self._stack.__exit__(*error)

    def new_group(self):
        return self._stack.enter_context(Group(network=self.lan))

    def variables(self, machine):
        return dict(environment(), **self.wall_clocks[machine].variables)

    # ---- faults ----

    def happened(self, kind, who, mend=None):
        """`mend`: what ends it; None: it is over at once."""
        lasts = SHORTEST + (LONGEST - SHORTEST) * self.random.random() ** 2 if mend else 0
        fault = Fault(kind, who, self.now, self.now + lasts, mend)
        (self.faults if mend else self.over).append(fault)
        for room in self.rooms:
            room.deeds.append(f"{self.now:7.2f} {kind}: {who}" + (f" for {lasts:.2f} s" if mend else ""))

    @staticmethod
    def part(who):
        """What of the service a fault befell, as a suffix."""
        return " (hub)" if who in HUBS else " (NATS)" if who == SERVER else ""

    def _has(self, who):
        return any(fault.who == who for fault in self.faults)

    @property
    def addresses(self):
        return {hub.address for hub in self.hubs}

    def swap_hubs(self, invite):
        """The invite with each hub of the set in the other's place."""
        north, south = (hub.address for hub in self.hubs)
        return south.join(part.replace(south, north) for part in invite.split(north))

    def break_something(self):
        kinds = {self._stop: 5, self._cut: 4, self._set_some_clock: 2, self._kill_hub: 1, self._stop_hub: 1}
        if self.nats:
            kinds |= {self._kill_nats: 1, self._stop_nats: 1}
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def _stop(self):
        host = self.random.choice(self.rooms).stopped()
        if host is not None:
            self.happened("stopped", host.name, lambda: host.thaw() if host.lives else None)

    def _cut(self):
        name = self.random.choice(self.lan.names)
        if not self._has(name):
            self.lan.disconnect(name)
            self.happened("cut", name, lambda: self.lan.connect(name))

    def _set_some_clock(self):
        name = self.random.choice([*HUBS, *self.machines])
        self.wall_clocks[name].set(self.random.choice(CLOCKS))
        self.happened("clock set", name)

    def _kill_hub(self):
        hub = self.hubs[0]
        if not self._has(hub.name):
            hub.kill()
            self.happened("killed", hub.name, hub.start)

    def _stop_hub(self):
        hub = self.random.choice(self.hubs)
        if not self._has(hub.name):
            hub.process.send_signal(signal.SIGSTOP)
            self.happened("stopped", hub.name, lambda: hub.process.send_signal(signal.SIGCONT))

    def _kill_nats(self):
        if not self._has(SERVER):
            self.nats.kill()
            self.happened("killed", SERVER, self.nats.start)

    def _stop_nats(self):
        if not self._has(SERVER):
            self.nats.send(signal.SIGSTOP)
            self.happened("stopped", SERVER, lambda: self.nats.send(signal.SIGCONT))

    def mend(self, all_of_them=False):
        for fault in [fault for fault in self.faults if all_of_them or fault.end <= self.now]:
            self.faults.remove(fault)
            fault.mend()
            fault.end = self.now
            self.over.append(fault)

    # ---- commotion and rest ----

    def rage(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.mend()
            if self.random.random() < 0.15:
                self.break_something()
            room = self.random.choice(self.rooms)
            room.deed()
            if self.random.random() < 0.1:
                room.check_clocks()
            room.group.pass_time(self.random.choice([0.02, 0.1, 0.3]))

    def rest(self):
        """Seconds until the last room agreed."""
        self.mend(all_of_them=True)
        begin = time.monotonic()
        for room in self.rooms:
            room.resume_all()
        for room in self.rooms:
            room.settle(begin + QUIET)
        took = time.monotonic() - begin
        self.spread_rests += any(len({host.hub for host in room.hosts} & self.addresses) > 1 for room in self.rooms)
        self.clocks.append(max(room.check_clocks() for room in self.rooms))
        pids = [room.first.process.pid for room in self.rooms] + [self.hubs[-1].process.pid]
        for measured, pid in zip(self.measured, pids):
            measured.look(pid, self.now)
        self.rests.append((self.now - took, took, max(room.group.spread(*room.hosts) for room in self.rooms) / MILLISECOND))
        return took


def processor_time():
    """Seconds that all processors worked since the machine started, and how many there are."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    ticks = list(map(int, words[1:]))
    return (sum(ticks[:3]) + sum(ticks[5:8])) / os.sysconf("SC_CLK_TCK"), os.cpu_count()


def run(seed, seconds, rooms, size, with_nats=False, tell=lambda line: None):
    """The world as it was in the end, and the share of the processors that was at work."""
    with World(seed, rooms, size, with_nats) as world:
        worked, processors = processor_time()
        begin = time.monotonic()
        while time.monotonic() < begin + seconds:
            world.rage(COMMOTION)
            took = world.rest()
            hosts = sum(len(room.hosts) for room in world.rooms)
            for room in world.rooms:
                for doubt in room.new_doubts():
                    tell(f"         in doubt: {doubt}")
            tell(f"{world.now:6.0f} s: {hosts} hosts agreed {took:.2f} s after {len(world.over)} faults and deaths")
        load = (processor_time()[0] - worked) / processors / (time.monotonic() - begin)
        for one in world.measured:
            memory, files = one.growth
            assert memory <= GROWTH_MB, f"{one.name} grew by {memory:.1f} MB: {one.rows}"
            assert files <= GROWTH_FILES, f"{one.name} has {files} more open files: {one.rows}"
    return world, load


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rooms", type=int, default=6)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--nats", action="store_true", help="both hubs are one set, with a NATS server between them")
    parser.add_argument("--picture", type=Path, help="draws what happened, as SVG")
    options = parser.parse_args()
    why = unavailable()
    if why is not None:
        sys.exit(f"chaos {why}")
    if shutil.which(os.environ.get("CC", "cc")) is None:
        sys.exit("chaos needs a C compiler, for calendar clocks that can be set (apt-get install gcc)")
    if options.nats and NATS_SERVER is None:
        sys.exit(NO_SERVER)
    if options.nats and command_with_nats(Path(environment()["UNISONO_LIBRARY"]).parent) is None:
        sys.exit("no command here was built with NATS; run `make command TRAITS=NATS` (needs libnats-dev)")
    print(f"seed {options.seed}: {options.rooms} rooms of up to {options.size}, for {options.seconds:g} s"
          + (", and a set of two hubs" if options.nats else ""), flush=True)
    world, load = run(
        options.seed, options.seconds, options.rooms, options.size, options.nats, lambda line: print(line, flush=True))
    kinds = Counter(fault.kind + world.part(fault.who) for fault in world.over)
    born = sum(room.born for room in world.rooms)
    away = sum((room.turned_away for room in world.rooms), Counter())
    took = sorted(took for _, took, _ in world.rests)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    spread = f", in {world.spread_rests} of them a room at both hubs" if options.nats else ""
    print(f"{len(took)} rests{spread}, {born} hosts; processors {100 * load:.0f} % busy")
    print(f"all agreed after {took[len(took) // 2]:.2f} s (median), {took[-1]:.2f} s (longest);"
          f" positions within {max(spread for *_, spread in world.rests):.2f} ms, clocks within {max(world.clocks):.2f} ms")
    print("came while nobody could be reached, and were told so: "
          + (", ".join(f"{count} {reason}" for reason, count in away.items()) or "none"))
    print("grew: " + ", ".join("{} {:+.1f} MB, {:+d} files".format(one.name, *one.growth) for one in world.measured))
    if options.picture:
        options.picture.write_text(draw(world, {name: f"hub {name}" for name in HUBS} | {SERVER: "NATS server"}))


if __name__ == "__main__":
    sys.exit(main())
