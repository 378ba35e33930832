#!/usr/bin/env python3
"""What a hub takes: participants that enter and speak as the real ones do, over their sealed links. Each load is on a hub of its own:

idle   10,000 participants in rooms of four that say a heartbeat every two seconds, and are told the others';
rooms  1,000 rooms of eight: one commands every five seconds, the others say that they are ready, the first one starts: nine frames;
room   one room of 500, in which somebody says something ten times a second;
curve  one room of 250, in which more and more is said, until the hub does not keep up.

set    the same 1,000 rooms of eight, four of each at either of two hubs of one set, which hear each other through NATS.

Told are memory for a connection, how much of a processor the hub took, and how long a frame was under way from who sent it to who opened
it. Participants share this machine's processors with the hub and are many: what is said of delays is more than a hub of its own machine
would take. Root is not needed, 20,000 file descriptors and the package `cryptography` are; for `set` nats-server, and a command that was
built with NATS (`make command TRAITS=NATS`), or it is left out.

load.py UNISONO DRAIN [--only idle rooms room curve set] [--participants 10000] [--rooms 1000] [--listeners 500] [--seconds 60]
"""

import argparse
import heapq
import multiprocessing
import os
import random
import resource
import selectors
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from guests import HEADER, PER_ADDRESS, SHARE, Guest, enter, header, processor, resident, room, source, start
from hub import PONG, SEND
from primitives import item

sys.path[:0] = [str(Path(__file__).parents[2] / "Tests" / part) for part in ("python", "e2e")]

from hub_process import check  # noqa: E402
from hub_set import NO_SERVER, SERVER, Nats, write_key  # noqa: E402

# Of the hub's 200 entries a second in all.
ENTRIES = 180
# The shortest envelope on the wire; when it was sent is behind its header.
LENGTH = 690
# Bytes of its record from the hub: length and seal are around a text that is filled up to 704.
DELIVERED = 4 + 16 + 704
STAMP = struct.Struct(">d")
# Frames a second that a hub takes from one connection are 200.
RATE = 190
# Who says nothing for three times as long is closed, s.
KEEP = 5
# A frame that takes longer than this is late, s.
LATE = 0.2


class Speaker(Guest):
    """A participant that says frames which say when they were sent."""

    def __init__(self, hub, own, door):
        super().__init__(hub, own, door)
        self._head = header(self.signer.id)

    def say(self):
        self.send(SEND, item(255, self._head + STAMP.pack(time.monotonic()) + bytes(LENGTH - HEADER - STAMP.size)))
        self.flush()

    def keep(self):
        """Says what nobody answers: it is there, though it reads nothing itself."""
        self.send(PONG, item(1, bytes(8)))
        self.flush()

    def hear(self):
        """Delays of the frames that came, s; raises ConnectionError where the hub hung up."""
        envelopes = self.answer(self._read())
        now = time.monotonic()
        return [now - STAMP.unpack_from(envelope, HEADER)[0] for envelope in envelopes]


# --- Those who take part ----------------------------------------------------------------------------------------------


def heartbeats(rooms, at):
    """Every member of every room each two seconds, at times of its own."""
    for members in rooms:
        for member in members:
            yield at + random.random() * 2, 2, [[member]]


def commands(rooms, at):
    """Every five seconds one of each room, the others 50 ms after it, and the first once more."""
    for members in rooms:
        yield at + random.random() * 5, 5, [[members[0]], members[1:], [members[0]]]


def take_part(hubs, first, doors, size, rate, plan, ready, begin, seconds, result):
    """Enters `size` into each room, keeps them there, and lets them say what `plan` has; with several hubs each room is at all of them.
    Returns delays, s, how many frames were said, and how many were hung up on."""
    rooms = []
    watched = selectors.DefaultSelector()
    due = time.monotonic()
    for index, door in enumerate(doors):
        rooms.append([])
        for place in range(size):
            due = max(due + 1 / rate, time.monotonic())
            while time.monotonic() < due:
                listen(watched, due - time.monotonic(), [])
            guest = enter(Speaker, hubs[place % len(hubs)], source((first + index * size + place) // PER_ADDRESS), door)
            watched.register(guest.raw, selectors.EVENT_READ, guest)
            rooms[-1].append(guest)
    ready.set()
    while not begin.is_set():
        listen(watched, 0.05, [])
    delays, lost, said = [], 0, 0
    turns = [(time_, number, every, steps, 0) for number, (time_, every, steps) in enumerate(plan(rooms, time.monotonic()))]
    heapq.heapify(turns)
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        while turns and turns[0][0] <= now:
            at, number, every, steps, step = heapq.heappop(turns)
            for guest in steps[step]:
                try:
                    guest.say()
                    said += 1
                except OSError:
                    continue
            following = (at + 0.05, number, every, steps, step + 1)
            heapq.heappush(turns, following if step + 1 < len(steps) else (at - 0.05 * step + every, number, every, steps, 0))
        lost += listen(watched, min(0.05, max(0, (turns[0][0] if turns else end) - time.monotonic())), delays)
    # What is under way.
    end = time.monotonic() + 1
    while time.monotonic() < end:
        lost += listen(watched, 0.05, delays)
    result.send((delays, said, lost))


def listen(watched, timeout, delays):
    """Reads what came; returns how many were hung up on."""
    lost = 0
    for key, _ in watched.select(timeout):
        try:
            delays += key.data.hear()
        except ConnectionError:
            watched.unregister(key.fileobj)
            lost += 1
    return lost


def attend(guest, end, result):
    """Hears what one is told until the end. Returns its delays, s; None: it was hung up on."""
    watched = selectors.DefaultSelector()
    watched.register(guest.raw, selectors.EVENT_READ, guest)
    delays = []
    while not end.is_set():
        if listen(watched, 0.05, delays):
            return result.send(None)
    return result.send(delays)


# --- Loads ------------------------------------------------------------------------------------------------------------


class Load:
    """A hub of its own, or some that are one set, and what they took."""

    def __init__(self, unisono, *options, hubs=1):
        self._folder = tempfile.TemporaryDirectory()
        self.nats = None
        options = ["--open", "--connections", "20000", "--rooms", "4096", *options]
        if hubs > 1:
            self.nats = Nats()
            options += ["--nats", self.nats.url, "--set-key", write_key(Path(self._folder.name) / "set.key")]
        logs = [open(Path(self._folder.name) / f"{number}.log", "w+b") for number in range(hubs)]
        started = [start(unisono, log, options) for log in logs]
        self._processes = [process for process, _ in started]
        self.hubs = [hub for _, hub in started]
        self._before = sum(resident(process)[0] for process in self._processes)

    @property
    def hub(self):
        return self.hubs[0]

    def processor(self):
        """Of all hubs, s."""
        return sum(processor(process.pid) for process in self._processes)

    def each(self, participants):
        """KiB of memory for a connection."""
        return (sum(resident(process)[0] for process in self._processes) - self._before) * 1024 / participants

    def memory(self):
        """Of one hub, MiB."""
        return max(resident(process)[1] for process in self._processes)

    def end(self):
        for process in self._processes:
            process.terminate()
            process.wait()
        if self.nats:
            self.nats.kill()
        self._folder.cleanup()


def conditions():
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def delays_told(delays):
    delays = sorted(delays)
    if not delays:
        return "nothing came"
    half, most = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    return f"50 of 100 within {half * 1000:.2f} ms, 99 within {most * 1000:.1f} ms"


def spread(name, unisono, count, size, plan, seconds, receivers, hubs=1):
    """Rooms of `size`, in as many processes as they need."""
    load = Load(unisono, hubs=hubs)
    per = SHARE // size
    shares = [(first, min(per, count - first)) for first in range(0, count, per)]
    begin, readies, members = multiprocessing.Event(), [], []
    begun = time.monotonic()
    for first, rooms in shares:
        here, there = multiprocessing.Pipe()
        readies.append(multiprocessing.Event())
        member = multiprocessing.Process(daemon=True, target=take_part, args=(
            load.hubs, first * size, [room() for _ in range(rooms)], size, ENTRIES / len(shares), plan, readies[-1], begin, seconds, there))
        member.start()
        members.append((member, here))
    for ready, (member, _) in zip(readies, members):
        while not ready.wait(1):
            if not member.is_alive():
                sys.exit("not measured: a process of this script ended")
    entered, spent = time.monotonic() - begun, load.processor()
    between = processor(load.nats.process.pid) if load.nats else 0
    each = load.each(count * size)
    print(f"{name}: {count * size} participants in {count} rooms came in {entered:.0f} s, {spent / count / size * 1e6:.0f} us of a "
          f"processor each; {each:.1f} KiB of memory each", flush=True)
    begin.set()
    results = [pipe.recv() for _, pipe in members]
    spent = load.processor() - spent
    between = processor(load.nats.process.pid) - between if load.nats else 0
    delays = [delay for found, _, _ in results for delay in found]
    said, lost = (sum(result[part] for result in results) for part in (1, 2))
    part = f"{spent / (seconds + 1) * 100:.1f} % of a processor"
    took = f"both hubs took {part}, NATS {between / (seconds + 1) * 100:.1f} %" if load.nats else f"the hub took {part}"
    print(f"  {said / seconds:.0f} frames a second, {len(delays) / seconds:.0f} deliveries; {took}, "
          f"{spent / max(1, len(delays)) * 1e6:.1f} us a delivery, {load.memory():.0f} MiB at most; {delays_told(delays)}; "
          f"{len(delays)} of {said * receivers} came, {lost} were hung up on; {conditions()}", flush=True)
    load.end()
    return lost == 0 and len(delays) == said * receivers


def of_a_set(unisono, count, seconds):
    """Rooms of eight, half of each at either of two hubs."""
    if SERVER is None or check(unisono, "--nats", "nats://127.0.0.1", "--set-key", "/dev/null").returncode != 0:
        why = NO_SERVER if SERVER is None else "the command was built without NATS; run `make command TRAITS=NATS`"
        print(f"set: not measured, {why}", flush=True)
        return True
    return spread("set", unisono, count, 8, commands, seconds, 7, hubs=2)


def crowd(unisono, listeners):
    """A hub with one room of so many, and some who speak there."""
    load = Load(unisono, "--participants-per-room", "1000", "--bytes-per-second", str(1 << 30), "--room-bytes-per-second", str(1 << 36))
    door = room()
    members = []
    due = time.monotonic()
    for number in range(listeners):
        due = max(due + 1 / ENTRIES, time.monotonic())
        time.sleep(max(0, due - time.monotonic()))
        members.append(enter(Speaker, load.hub, source(number // PER_ADDRESS), door))
    return load, members


def speak(load, drain, listeners, speakers, rate, seconds):
    """Lets some speak at a rate in all. Returns delays to the first one who listens, the part of a processor that the hub took, whether all
    was delivered, and deliveries a second."""
    # Those who listen have read what came before.
    for one in listeners:
        one.poll(0)
    end = multiprocessing.Event()
    here, there = multiprocessing.Pipe()
    hearer = multiprocessing.Process(daemon=True, target=attend, args=(listeners[0], end, there))
    hearer.start()
    sockets = [one.raw.fileno() for one in listeners[1:]]
    drained = subprocess.Popen([drain, *map(str, sockets)], pass_fds=sockets, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    spent, begun, said, hung_up = load.processor(), time.monotonic(), 0, False
    kept = begun
    while (now := time.monotonic()) < begun + seconds:
        if now < begun + said / rate:
            time.sleep(begun + said / rate - now)
            continue
        try:
            speakers[said % len(speakers)].say()
            for one in speakers if said % 64 == 0 else []:
                one.poll(0)
        except OSError:
            # It is hung up on who reads too slowly, too.
            hung_up = True
            break
        said += 1
        if time.monotonic() > kept + KEEP:
            kept = time.monotonic()
            for one in listeners[1:]:
                one.keep()
    passed = time.monotonic() - begun
    time.sleep(1)
    spent = load.processor() - spent
    end.set()
    delays = here.recv()
    hearer.join()
    read, lost = map(int, drained.communicate()[0].split())
    is_complete = lost == 0 and not hung_up and delays is not None and len(delays) == said and read >= said * DELIVERED * len(sockets)
    return delays or [], spent / passed, is_complete, said * (len(listeners) + len(speakers) - 1) / passed


def one_room(unisono, drain, count, seconds):
    load, members = crowd(unisono, count)
    each = load.each(count)
    delays, part, is_complete, deliveries = speak(load, drain, members[1:], members[:1], 10, seconds)
    print(f"room: one of {count}, {each:.1f} KiB of memory each; 10 frames and {deliveries:.0f} deliveries a second take {part * 100:.1f} % "
          f"of a processor, {load.memory():.0f} MiB at most; to one of them {delays_told(delays)}; {conditions()}", flush=True)
    load.end()
    return is_complete


def curve(unisono, drain, seconds):
    """More and more in one room of 250, until it comes late, or not at all."""
    print("curve: one room of 250")
    rate = RATE
    while True:
        speakers = -(-rate // RATE)
        load, members = crowd(unisono, 250)
        delays, part, is_complete, deliveries = speak(load, drain, members[speakers:], members[:speakers], rate, seconds)
        load.end()
        late = sorted(delays)[len(delays) * 99 // 100] if delays else float("inf")
        print(f"  {rate:6} frames a second, {deliveries:8.0f} deliveries: {part * 100:5.1f} % of a processor; {delays_told(delays)}"
              f"{'' if is_complete else '; NOT all came'}; {conditions()}", flush=True)
        if not is_complete or late > LATE:
            # The first row is no load that a hub may fail at.
            return rate > RATE
        rate *= 2


def main():
    options = argparse.ArgumentParser()
    options.add_argument("unisono", help="the command")
    options.add_argument("drain", help="drain.c: who listens in rooms of many")
    kinds = ["idle", "rooms", "set", "room", "curve"]
    options.add_argument("--only", nargs="+", choices=kinds, default=kinds)
    options.add_argument("--participants", type=int, default=10_000, help="of idle")
    options.add_argument("--rooms", type=int, default=1_000, help="of eight")
    options.add_argument("--listeners", type=int, default=500, help="in one room")
    options.add_argument("--seconds", type=float, default=60)
    chosen = options.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (20_000, max(20_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    loads = {
        "idle": lambda: spread("idle", chosen.unisono, chosen.participants // 4, 4, heartbeats, chosen.seconds, 3),
        "rooms": lambda: spread("rooms", chosen.unisono, chosen.rooms, 8, commands, chosen.seconds, 7),
        "set": lambda: of_a_set(chosen.unisono, chosen.rooms, chosen.seconds),
        "room": lambda: one_room(chosen.unisono, chosen.drain, chosen.listeners, chosen.seconds),
        "curve": lambda: curve(chosen.unisono, chosen.drain, min(chosen.seconds, 10)),
    }
    broken = [name for name in chosen.only if not loads[name]()]
    if broken:
        print("NOT as promised: not every frame came to everybody, or somebody was hung up on: " + ", ".join(broken))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
