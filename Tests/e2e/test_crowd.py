"""F46: a long evening in some minutes: 1,200 newcomers over real sockets, half of whom leave without a word. Z85: a room of processes is
re-keyed; CROWD_ROOM=256 has as many as it has places for, which takes some ten processors (docs/benchmarks.md)."""

import collections
import logging
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import lan
import pytest
from hosts_support import environment

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NEWCOMERS = 1200
# One wave after another: each newcomer is a whole participant, and all of them share the processors of this machine.
WAVE = 12
# A hub lets five in a second of one address.
ADDRESSES = 60
# s for one wave, which takes one or two where nothing else runs; a hub closes whom it does not hear for 8 s, and they begin again.
PATIENCE = 240


# Processes in the room that is re-keyed, one participant each. Each hears all others all the time: 256 of them take more than two processors
# have, so an ordinary run has a few, and how long it takes is told and not judged. What is promised of it, 2 s, is judged where time is
# virtual and computing takes none (`make bench-session`).
ROOM = int(os.environ.get("CROWD_ROOM", "12"))


def in_a_network_of_its_own(what):
    """Runs a part of this file where `ADDRESSES` addresses are one machine's."""
    why = lan.unavailable()
    if why:
        pytest.skip(why)
    space = f"unisono-{os.getpid()}-crowd"
    subprocess.run(["ip", "netns", "add", space], check=True)
    try:
        subprocess.run(["ip", "-n", space, "link", "set", "lo", "up"], check=True)
        for number in range(ADDRESSES):
            subprocess.run(["ip", "-n", space, "addr", "add", f"10.80.0.{number + 1}/32", "dev", "lo"], check=True)
        done = subprocess.run(
            ["ip", "netns", "exec", space, sys.executable, __file__, what],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=3600,
        )
        # What failed stands at the end.
        assert done.returncode == 0, done.stdout + done.stderr[-6000:]
        print(done.stdout)
    finally:
        subprocess.run(["ip", "netns", "del", space], check=False)


def test_1200_newcomers_get_in_one_after_another():
    in_a_network_of_its_own("evening")


def test_z85_a_room_of_processes_is_rekeyed_and_all_who_stay_are_in_the_next():
    in_a_network_of_its_own("rekey")


class Wave:
    """Newcomers in a process of their own."""

    def __init__(self, number, invites):
        self.number = number
        self.lines = []
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "crowd_wave.py"), str(number * WAVE), *invites],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.strip())

    @property
    def joined(self):
        return "joined" in self.lines

    def go(self):
        """Every other wave is killed."""
        if self.number % 2:
            self.process.kill()
        else:
            self.process.stdin.write("leave\n")
            self.process.stdin.flush()


class Said(logging.Handler):
    """How often which reason for a refusal was said."""

    # What comes before the record that lets somebody in, an answer after the question was given up, and what is too much at
    # once: all of it is said again, and counts against nobody (wire 4.4, 10.1).
    HONEST = {"unknownSender", "unknownEpoch", "welcome", "budget"}

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.refusals = collections.Counter()
        logger = logging.getLogger("unisono")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self)

    def emit(self, record):
        text = record.getMessage()
        refusal = re.search(r"was refused: (\w+)$", text)
        if refusal:
            self.refusals[refusal[1]] += 1
        elif record.levelno >= logging.INFO and not re.search(r" (came|is gone)$", text):
            print(text, file=sys.stderr)

    def faults(self):
        return set(self.refusals) - self.HONEST


def what_each_sees(said, *players):
    """For people who look into a failure."""
    lines = [f"refused where it was heard: {dict(said.refusals)}"]
    for player in players:
        local = next(p.display_name for p in player.session.participants if p.is_local)
        lines.append(f"{local}: {player.session.state.name}, playing: {player.playing}, {player.session.statistics}")
        lines += [
            f"  {p.display_name}: {p.connection.name}, split: {p.split!r}, {', '.join(p.suspension_reasons) or 'takes part'}"
            for p in player.session.participants
        ]
    return "\n".join(lines)


def invites(session):
    """By number: an invite whose hub is reached by another address than that of the ones before."""
    port = int(re.search(r":(\d+)$", listening()).group(1))

    def invite(number):
        address = f"10.80.0.{number % (ADDRESSES - 1) + 2}:{port}"
        return session.invite.replace("10.80.0.1:1", address, 1)

    return invite


def names(session):
    """Whom a participant shows as being there, itself included."""
    connected = unisono.Connection.CONNECTED
    return {one.display_name for one in session.participants if one.connection == connected}


def evening():
    said = Said()
    debug = unisono.LogLevel.DEBUG
    with unisono.Context(device_name="a", log_level=debug) as one, unisono.Context(device_name="b") as two:
        a, b = Player(one), Player(two)
        a.attach(unisono.Session.host(one, display_name="Ann", listen=["0.0.0.0:0"], advertise=["10.80.0.1:1"]))
        invite = invites(a.session)
        b.attach(unisono.Session.open(two, invite(0), display_name="Ben"))
        both = [one, two]
        pump(both, lambda: len(a.coordinator.other_participants) == 1 and a.coordinator.timing, "the two met")
        a.coordinator.play()
        pump(both, lambda: a.playing and b.playing, "the two played")

        try:
            begun = time.monotonic()
            waves, resident = [], None
            for number in range(NEWCOMERS // WAVE):
                wave = Wave(number, [invite(number * WAVE + index) for index in range(WAVE)])
                people = {f"N{number * WAVE + index}" for index in range(WAVE)}
                pump(both, lambda: wave.joined and people <= names(a.session), f"wave {number} came in", limit=PATIENCE)
                waves.append(wave)
                if len(waves) > 1:
                    waves[-2].go()
                if number == NEWCOMERS // WAVE // 2:
                    resident = resident_bytes()
            took = time.monotonic() - begun
            grown = resident_bytes() - resident
            last = {f"N{NEWCOMERS - 1 - index}" for index in range(WAVE)}
            pump(both, lambda: names(a.session) == {"Ann", "Ben"} | last, "only the last ones are still there", limit=PATIENCE)
            assert a.playing and b.playing
            a.coordinator.pause()
            pump(both, lambda: not a.playing and not b.playing, "the two stood")
        except BaseException:
            print(what_each_sees(said, a, b), file=sys.stderr)
            raise
        assert not said.faults(), said.refusals
        statistics = a.session.statistics
        assert sum(said.refusals.values()) == statistics.messages_refused
        assert statistics.messages_refused * 100 < statistics.messages_received, said.refusals
        # 600 more cost nothing that stays: what is left is what the allocator keeps.
        assert grown < 16 << 20, f"{grown >> 20} MiB more after the second half"
        for wave in waves:
            wave.process.kill()
            wave.process.wait()
        print(
            f"{NEWCOMERS} newcomers in {took:.0f} s, {grown >> 10} KiB more resident after the second half, "
            f"refused: {dict(said.refusals) or 'nothing'}"
        )


class Crowd:
    """Processes of one participant each."""

    def __init__(self, said):
        self.processes = []
        self._said = said

    def add(self, name, invite):
        process = subprocess.Popen(
            [sys.executable, str(HERE / "crowd_member.py"), name, invite], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        threading.Thread(target=self._read, args=(process,), daemon=True).start()

    def _read(self, process):
        for line in process.stdout:
            self._said.append(line.split())

    def tell(self, line):
        for process in self.processes:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


def rekey():
    said = []
    crowd = Crowd(said)
    with unisono.Context(device_name="a") as one:
        a = Player(one)
        a.attach(unisono.Session.host(one, display_name="Ann", listen=["0.0.0.0:0"], advertise=["10.80.0.1:1"]))
        invite = invites(a.session)
        people = {"Ann"} | {f"N{number}" for number in range(ROOM - 1)}
        try:
            begun = time.monotonic()
            for number in range(ROOM - 1):
                crowd.add(f"N{number}", invite(number))
                # A few at a time: each one's beginning is a Python that starts.
                if number % 4 == 3:
                    pump([one], lambda: len(names(a.session)) >= number - 2, "most were in", limit=PATIENCE)
            pump([one], lambda: names(a.session) == people and said.count(["joined"]) == ROOM - 1, "all were in", limit=PATIENCE)
            filled = time.monotonic() - begun
            crowd.tell(ROOM - 1)
            pump([one], lambda: said.count(["ready"]) == ROOM - 1, "all had seen all", limit=PATIENCE)
            old, out = a.session.invite, next(p.id for p in a.session.participants if p.display_name == f"N{ROOM - 2}")
            removed = time.monotonic()
            a.session.remove_participant(out)

            def moved():
                return [float(line[1]) for line in said if line[0] == "there"]

            pump([one], lambda: len(moved()) == ROOM - 2 and a.session.invite != old, "all who stay were in the next room", limit=PATIENCE)
            assert names(a.session) == people - {f"N{ROOM - 2}"}
            assert ["removed"] in said
            took = sorted(when - removed for when in moved())
        except BaseException:
            print(f"{collections.Counter(line[0] for line in said)}", file=sys.stderr)
            raise
        finally:
            crowd.end()
    print(f"{ROOM} in as many processes: in within {filled:.1f} s; re-keyed, half of them show all others "
          f"{took[len(took) // 2] * 1000:.0f} ms after the removal, the last one {took[-1] * 1000:.0f} ms")


def listening():
    """The address of the one TCP socket that this process listens on."""
    with open("/proc/self/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file.readlines()[1:]]
    return next(f"0.0.0.0:{int(row[1].split(':')[1], 16)}" for row in rows if row[3] == "0A")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "Tests" / "python"))
    from group_support import Player, pump
    from hostile_support import resident_bytes

    import unisono

    {"evening": evening, "rekey": rekey}[sys.argv[1]]()
