#!/usr/bin/env python3
"""Three hubs that are one, on this machine, and what those in a room at them see when a hub or the NATS server dies: `make hubs`.

    hubs.py                    a live view: 1, 2, 3 kill a hub and start it again, n the NATS server, q ends
    hubs.py --seconds 20       the same by itself: hub 2 dies and comes back, then the NATS server; exit status 0 only if in the end all
                               that live see each other again
    hubs.py --command PATH     a command that was built with NATS, if not the one of this build

Six members, two at each hub, are in one room and say something four times a second. Whose hub died enters at the next one, and goes home
once that serves again. All is on 127.0.0.1, with ports that are free, and with keys in a folder that is gone in the end.
"""

import argparse
import contextlib
import os
import select
import signal
import sys
import tempfile
import termios
import time
import tty
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "python"), str(ROOT / "Tests" / "e2e"), str(ROOT / "bindings" / "demo")]

from hosts_support import BUILD  # noqa: E402
from hub_process import LINE, Hub  # noqa: E402
from hub_set import NO_SERVER, SERVER, Guest, Nats, command_with_nats, figure, others, write_key  # noqa: E402
from room import Door  # noqa: E402
from view import Terminal  # noqa: E402
from wire import Refused  # noqa: E402

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn")
# Seconds between two words of a member, two looks at the figures, and two attempts to enter.
WORDS, LOOKS, ATTEMPTS = 0.25, 0.5, 0.1
# A hub that serves so long is home again.
SETTLED = 1.0
# Without NATS for so long, nobody is gone (hubs 5.1).
SHORT = 1.0
# Seconds within which all have to see each other again.
PATIENCE = 30.0
NEWS = 12  # lines of what happened


class Place:
    """One hub of the three: its key and its port outlive its processes."""

    def __init__(self, number, command, folder, nats):
        self.name = f"hub {number}"
        self._command, self._nats = command, nats
        self._key, self._set_key = folder / f"{number}.key", folder / "set.key"
        self._port = 0
        self.hub = None
        self._since = None
        self.figures = None
        self._sent = None

    def start(self):
        self.hub = Hub(
            self._command,
            ["--listen", f"127.0.0.1:{self._port}", "--metrics", "127.0.0.1:0", "--key", self._key, "--nats", self._nats.url,
             "--set-key", self._set_key], {})
        self._since = self.figures = self._sent = None

    def kill(self):
        self.hub.process.kill()
        self.hub.process.wait()
        self.hub = None

    @property
    def line(self):
        """Its line, which participants are given; None before it serves."""
        match = self.hub and self.hub.said(LINE)
        if not match:
            return None
        if self._since is None:
            self._since = time.monotonic()
            self._port = int(match.group(1).split(":")[2].split("/")[0])
        return match.group(1)

    @property
    def is_settled(self):
        return self.line is not None and time.monotonic() - self._since >= SETTLED

    @property
    def address(self):
        return f"127.0.0.1:{self._port}"

    def look(self):
        """Reads its figures."""
        if self.line is None or not self.hub.said("serves /metrics"):
            return
        with contextlib.suppress(OSError):
            now = time.monotonic()
            sent = figure(self.hub, "unisono_hub_sent_frames_total")
            rate = (sent - self._sent[0]) / (now - self._sent[1]) if self._sent else 0
            self._sent = sent, now
            here = figure(self.hub, 'unisono_hub_connections{state="entered"}')
            self.figures = here, rate, others(self.hub), self.hub.ask("/readyz")[0] == 200

    @property
    def state(self):
        if self.hub is None:
            return "red", "killed"
        if self.figures is None:
            return "yellow", "starting"
        return ("green", "serves") if self.figures[3] else ("yellow", "alone")


class Member:
    """Somebody in the room: one connection, and on the way home a second one."""

    def __init__(self, name, home, places, door, tell):
        self.name, self.home = name, home
        self.place = home
        index = places.index(home)
        self._places = places[index:] + places[:index]
        self._door, self._tell = door, tell
        self.guest = self._coming = self._leaving = None
        self.signer = None
        self._next = 0.0
        self._lost = None
        self._lanes = {}
        self.heard = self.missing = self.doubled = self.entries = self.seen_gone = 0
        self.longest = 0.0

    @property
    def is_in(self):
        return self.guest is not None and self.guest.connection.entered

    @property
    def sees(self):
        return set(self.guest.present) if self.is_in else set()

    @property
    def _may_go_home(self):
        return self.is_in and self.place is not self.home and self.home.is_settled and self._coming is None and self._leaving is None

    @property
    def clock(self):
        """Of the hub where it is, as text."""
        return self.guest.connection.clock_id.hex()[:4]

    def turn(self, now, names):
        """What came, and what is to be done about it."""
        if self.guest is None and self._coming is None:
            self._enter(now)
        if self.guest is not None:
            self._listen(now, names)
        if self._may_go_home and now >= self._next:
            self._next = now + SETTLED
            with contextlib.suppress(OSError):
                self._coming = Guest(self.home.hub, self._door, self.signer)
        if self._coming is not None:
            self._go_home()
        if self._leaving is not None:
            self._leave()

    def say(self):
        with contextlib.suppress(OSError):
            if self.is_in:
                self.guest.say()

    def close(self):
        for guest in (self.guest, self._coming, self._leaving):
            if guest is not None:
                guest.connection.close()

    def _enter(self, now):
        if now < self._next:
            return
        self._next = now + ATTEMPTS
        # At home first of all, once it is there.
        for place in self._places if self.signer else [self.home]:
            if place.line is not None:
                with contextlib.suppress(OSError):
                    self._take(Guest(place.hub, self._door, self.signer), place)
                    return

    def _take(self, guest, place):
        self.guest, self.place = guest, place
        self.signer = guest.signer
        self._lanes = {}

    def _listen(self, now, names):
        was_in = self.is_in
        try:
            self.guest.poll(0)
        except (OSError, Refused):
            self.guest.connection.close()
            self.guest = None
            # Who is on its way home is replaced here as soon as it is in there.
            if was_in and self._coming is None:
                self._lost = now
                self._tell("yellow", f"{self.name} has no link any more: {self.place.name} is gone")
            return
        if self.is_in and not was_in:
            self.entries += 1
            if self._lost is not None:
                self.longest = max(self.longest, now - self._lost)
                self._tell("green", f"{self.name} is in the room again, at {self.place.name}, {now - self._lost:.2f} s later")
                self._lost = None
        self._count()
        for gone in self.guest.gone:
            self.seen_gone += 1
            self._tell("red", f"{self.name} is shown that {names.get(gone, 'somebody')} is gone")
        self.guest.gone.clear()

    def _count(self):
        for header in self.guest.heard:
            lane = header.sender, header.lane
            expected = self._lanes.get(lane, header.counter)
            self.heard += 1
            self.missing += max(0, header.counter - expected)
            self.doubled += header.counter < expected
            self._lanes[lane] = max(expected, header.counter + 1)
        self.guest.heard.clear()

    def _go_home(self):
        try:
            self._coming.poll(0)
        except (OSError, Refused):
            self._coming.connection.close()
            self._coming = None
            return
        if self._coming.connection.entered:
            self._leaving = self.guest
            self._take(self._coming, self.home)
            self._coming = None
            self.entries += 1
            self._tell("green", f"{self.name} went home to {self.home.name}")


    def _leave(self):
        """The old hub ends the old link as soon as it hears of the new one. Who ended it sooner would be gone for a moment."""
        try:
            self._leaving.poll(0)
        except (OSError, Refused):
            self._leaving.connection.close()
            self._leaving = None


class Hubs:
    """The three, their server, the members, and the view of all of it."""

    def __init__(self, command, folder, nats):
        self.nats, self.is_served = nats, True
        self.terminal = Terminal()
        self.news = []
        self.began = time.monotonic()
        write_key(folder / "set.key")
        self.places = [Place(number, command, folder, nats) for number in (1, 2, 3)]
        door = Door(os.urandom(32), os.urandom(32))
        self.members = [Member(name, self.places[index // 2], self.places, door, self.tell) for index, name in enumerate(NAMES)]
        self.begun = []
        self._told = {}
        self._next_word = self._next_look = 0.0

    def tell(self, colour, text):
        line = [("dim", f"{time.monotonic() - self.began:6.1f} s  "), (colour, text)]
        self.news = [*self.news, line][-NEWS:]
        self.terminal.say(line)

    # What can be done to them

    def press(self, key):
        """false: it is to end."""
        if key in "123":
            place = self.places[int(key) - 1]
            (self.kill if place.hub else self.start)(place)
        elif key == "n":
            self.kill_nats() if self.is_served else self.start_nats()
        return key not in "q\x03\x04"

    def start(self, place):
        self.tell("blue", f"{place.name} is started")
        place.start()

    def kill(self, place):
        self.tell("blue", f"{place.name} is killed")
        place.kill()

    def start_nats(self):
        self.tell("blue", "the NATS server is started")
        self.nats.start()
        self.is_served = True

    def kill_nats(self):
        self.tell("blue", "the NATS server is killed")
        self.nats.kill()
        self.is_served = False

    def close(self):
        for member in self.members:
            member.close()
        for place in self.places:
            if place.hub:
                place.kill()
        if self.is_served:
            self.nats.kill()
        self.terminal.end()

    # Turns

    def turn(self):
        now = time.monotonic()
        names = {member.signer.id: member.name for member in self.members if member.signer}
        for member in self.members:
            member.turn(now, names)
        if now >= self._next_word:
            self._next_word = now + WORDS
            for member in self.members:
                member.say()
        for place in self.places:
            if place.hub and place.hub.process.poll() is not None:
                self.tell("red", f"{place.name} ended by itself: {place.hub.log.lines[-1:]}")
                place.hub = None
        if now >= self._next_look:
            self._next_look = now + LOOKS
            for place in self.places:
                place.look()
            self.show()
        sockets = [member.guest.connection.raw for member in self.members if member.guest]
        select.select([*sockets, *self._keys], [], [], 0.02)

    @property
    def _keys(self):
        return [sys.stdin] if self.terminal.live and sys.stdin.isatty() else []

    def pressed(self):
        """Keys that were pressed since."""
        return os.read(sys.stdin.fileno(), 16).decode(errors="replace") if self._keys and select.select(self._keys, [], [], 0)[0] else ""

    @property
    def are_together(self):
        """All members see each other and nobody else, and all hubs that live hear each other."""
        everybody = {member.signer.id for member in self.members if member.signer}
        living = [place for place in self.places if place.hub]
        hears = all(place.figures is not None and place.figures[2] == len(living) - 1 and place.figures[3] for place in living)
        return hears and len(everybody) == len(self.members) and all(member.sees == everybody for member in self.members)

    # What is shown

    def show(self):
        lines = [self._line(place) for place in self.places]
        if not self.terminal.live:
            for place, (words, _) in zip(self.places, lines):
                if self._told.get(place) != words:
                    self._told[place] = words
                    self.terminal.say([("dim", " " * 10), *words])
            return
        server = ("green", "runs") if self.is_served else ("red", "killed")
        title = [("", "three hubs that are one, through NATS at "), ("dim", self.nats.url + " "), server]
        keys = [("dim", "1 2 3 kill a hub and start it again, n the NATS server, q ends")]
        where = [("dim", "who is where  ")]
        for member in self.members:
            where.append(("", f"{member.name} {member.place.name[-1]}  ") if member.is_in else ("red", f"{member.name} -  "))
        rows = [[*words, rate] for words, rate in lines]
        self.terminal.draw([title, keys, [], *rows, [], where, [], *self.begun, [], *self.news])

    def _line(self, place):
        """What changes seldom, and what always does."""
        colour, state = place.state
        here = [member for member in self.members if member.is_in and member.place is place]
        name = [("blue", place.name), ("dim", f" {place.address:<16}")]
        if colour == "red" or place.figures is None:
            return [*name, (colour, f" {state:<9}"), ("", " ")], ("", "")
        entered, rate, heard, _ = place.figures
        room = f"{len(here[0].sees)} in the room, clock {here[0].clock}" if here else "nobody of the room"
        words = ("", f"{entered} here, {room}, {heard} other hubs")
        return [*name, (colour, f" {state:<9}"), words], ("dim", f", {rate:5.0f} deliveries/s")


def invite(hubs, command):
    """What somebody types who wants to try it with an own group."""
    line = hubs.places[0].line
    shown = command.relative_to(ROOT) if command.is_relative_to(ROOT) else command
    # In lines that no window cuts, and that a shell takes together.
    return [[("dim", "a group of your own at these hubs:")], [("", f"  {shown} watch FILM --hub \\")], [("", f"    {line}")],
            [("dim", "friends: "), ("", f"{shown} join INVITE")]]


def until_together(hubs, limit=PATIENCE):
    """Whether all see each other within that long, s."""
    end = time.monotonic() + limit
    while not hubs.are_together and time.monotonic() < end:
        hubs.turn()
    return hubs.are_together


def wait(hubs, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        hubs.turn()


def by_itself(hubs, seconds):
    """Hub 2 and the NATS server die and come back; true: all see each other in the end."""
    part = seconds / 5
    second = hubs.places[1]
    wait(hubs, part)
    hubs.kill(second)
    wait(hubs, part)
    hubs.start(second)
    wait(hubs, part)
    hubs.kill_nats()
    wait(hubs, SHORT)
    hubs.start_nats()
    wait(hubs, max(0.0, 2 * part - SHORT))
    return until_together(hubs)


def by_hand(hubs):
    while all(hubs.press(key) for key in hubs.pressed()):
        hubs.turn()
    return True


def verdict(hubs, are_together):
    """What members saw, as text."""
    print(f"\n{'':<8}{'entries':>8}{'heard':>8}{'missing':>9}{'doubled':>9}{'seen gone':>11}{'longest without a link':>25}")
    for member in hubs.members:
        print(f"{member.name:<8}{member.entries:>8}{member.heard:>8}{member.missing:>9}{member.doubled:>9}{member.seen_gone:>11}"
              f"{member.longest:>23.2f} s")
    if are_together:
        print("all see each other")
    else:
        for member in hubs.members:
            lacks = [other.name for other in hubs.members if other.signer and other.signer.id not in member.sees]
            print(f"{member.name} {'does not see ' + ', '.join(lacks) if lacks else 'sees everybody'}")


@contextlib.contextmanager
def keyboard(terminal):
    """Keys as they are pressed."""
    if not terminal.live or not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, help="by itself, for about so long; by default until q is pressed")
    parser.add_argument("--command", type=Path, help="the command, built with NATS; by default the one of this build")
    options = parser.parse_args()
    if options.seconds is not None and not 5 <= options.seconds <= 86_400:
        parser.error("--seconds must be 5...86400")
    if SERVER is None:
        return NO_SERVER
    command = options.command or command_with_nats(BUILD)
    if command is None:
        return "no command is built with NATS; on Debian: apt install libnats-dev, then make hubs"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="unisono-hubs-") as folder:
        hubs = Hubs(command, Path(folder), Nats())
        are_together = False
        try:
            with keyboard(hubs.terminal):
                for place in hubs.places:
                    hubs.start(place)
                if not until_together(hubs):
                    return "the hubs and their members did not find each other"
                hubs.tell("green", "all see each other")
                hubs.begun = invite(hubs, command)
                for line in hubs.begun:
                    hubs.terminal.say(line)
                are_together = by_hand(hubs) if options.seconds is None else by_itself(hubs, options.seconds)
        except KeyboardInterrupt:
            are_together = options.seconds is None
        finally:
            hubs.close()
        if options.seconds is not None:
            verdict(hubs, are_together)
        return 0 if are_together else 1


if __name__ == "__main__":
    sys.exit(main())
