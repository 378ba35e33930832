#!/usr/bin/env python3
"""Z31 at its full size: all places of a stand-alone hub are taken by connections that announce a frame of 256 KiB and
send one byte of it; in a room of their own are a sender, a reader, and 16 who do not read. Says how much memory the hub
took, who was closed, and how long every single message took to the reader. Ends with 0 when all is as promised, with 1
when it is not, with 2 when the machine was too busy to tell.

What is measured is the hub and not what shares its processors: sender and reader are processes of their own, those who
attack give way to all others (elsewhere they would be on other machines), and every message also goes directly from
the sender to the reader. Beside the longest delays stands how long the direct way took then, and for how long the hub
waited for a processor.

Root is not needed (but for --real-time), 10,000 file descriptors and the package `cryptography` are.

flood.py UNISONO [--connections N] [--seconds 60] [--real-time] [--hang-up]
"""

import argparse
import multiprocessing
import os
import resource
import selectors
import signal
import struct
import sys
import tempfile
import time
from pathlib import Path

from guests import PER_ADDRESS, SHARE, Guest, enter, resident, room, source, start
from hub import PING
from primitives import item
from talkers import Waits, await_all, line_between, listen, milliseconds, prefer, spawn, speak

# The hub's own limits (docs/hub.md).
PLACES = 4_096
PER_ROOM = 250
MEMORY_BOUND, DELAY_BOUND = 370, 0.05
# Of the hub's 200 a second in all.
ENTRIES = 180
SLOW = 16


# --- Those who attack -------------------------------------------------------------------------------------------------


def attack(hub, first, count, rate, hang_up, ready, announce, seconds, result):
    """Enters all, answers the hub while it waits, then announces a frame on each and sends one byte of it. The first
    of each room announces nothing: it must stay, and hear of those who were closed. Returns how many announced, how
    many of them ended, how many did not announce, and how many of those are there and know that they are alone."""
    os.nice(19)
    watched = selectors.DefaultSelector()
    honest = []
    due = time.monotonic()
    for number in range(count):
        if number % PER_ROOM == 0:
            door = room()
        # What was missed is not made up for: the hub would refuse a rush.
        due = max(due + 1 / rate, time.monotonic())
        while time.monotonic() < due:
            pump(watched, 0.002)
        guest = enter(Guest, hub, source((first + number) // PER_ADDRESS), door)
        if number % PER_ROOM == 0:
            honest.append(guest)
        else:
            watched.register(guest.raw, selectors.EVENT_READ, guest)
        attend(honest)
        pump(watched, 0)
    ready.set()
    while not announce.is_set():
        attend(honest)
        pump(watched, 0.05)
    announcing = list(watched.get_map().values())
    for key in announcing:
        key.fileobj.send(struct.pack(">IB", 294_928, 0))
    end = time.monotonic() + seconds
    if hang_up:
        time.sleep(5)
        for key in announcing:
            watched.unregister(key.fileobj)
            key.fileobj.close()
    while time.monotonic() < end:
        attend(honest)
        if watched.get_map():
            pump(watched, 0.05)
        else:
            time.sleep(0.05)
    alone = sum(not guest.others_by_age for guest in honest)
    result.send((len(announcing), len(announcing) - len(watched.get_map()), count - len(announcing), alone))


def attend(honest):
    """Lets those who announce nothing do what a member does; who was hung up on is taken out."""
    for guest in list(honest):
        try:
            guest.poll(0)
        except OSError:
            honest.remove(guest)


def pump(watched, timeout):
    for key, _ in watched.select(timeout):
        try:
            data = key.fileobj.recv(65536)
            # It may be a refusal, before the hub hangs up.
            key.data.answer(data)
        except ConnectionError:
            data = b""
        if not data:
            watched.unregister(key.fileobj)
            key.fileobj.close()


def dawdle(hub, number, door, ready, announce, seconds, result):
    """Members who are there and do not read. Returns how many of them were closed."""
    os.nice(19)
    slow = [Guest(hub, source(number + index), door, small=True) for index in range(SLOW)]
    ready.set()
    announce.wait()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for guest in slow:
            try:
                guest.raw.send(guest.record(PING, item(1, bytes(8))))
            except OSError:
                pass
        time.sleep(3)
    closed = 0
    for guest in slow:
        guest.raw.setblocking(True)
        guest.raw.settimeout(0.5)
        try:
            while guest.raw.recv(1 << 20):
                pass
            closed += 1
        except ConnectionError:
            closed += 1
        except TimeoutError:
            pass
    result.send(closed)


# --- All together -----------------------------------------------------------------------------------------------------


def was_machine(heard, beside, waits):
    """Whether this message would have come in time had the machine not been busy with something else."""
    said, delay = heard
    return beside[1] >= DELAY_BOUND or delay - waits.between(said, said + delay) < DELAY_BOUND


def main():
    options = argparse.ArgumentParser()
    options.add_argument("unisono", help="the command")
    options.add_argument(
        "--connections", type=int,
        help="that announce; the hub is given places for them (default: all that the hub has by itself)")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--hang-up", action="store_true", help="after 5 s all who announced hang up, at the same time")
    options.add_argument("--real-time", action="store_true", help="hub, sender and reader before all else; needs root")
    chosen = options.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (10_000, max(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))

    # One of each room does not announce.
    crowd = chosen.connections and -(-chosen.connections * PER_ROOM // (PER_ROOM - 1)) or PLACES - SLOW - 2
    places = max(PLACES, crowd + SLOW + 2)
    log = tempfile.NamedTemporaryFile()
    process, hub = start(chosen.unisono, log, ["--connections", str(places)], lambda: prefer(chosen.real_time))
    announce = multiprocessing.Event()
    shares = [(first, min(SHARE, crowd - first)) for first in range(0, crowd, SHARE)]
    begun = time.monotonic()
    ready = [multiprocessing.Event() for _ in range(len(shares) + 3)]
    attackers = [
        spawn(attack, hub, first, count, ENTRIES / len(shares), chosen.hang_up, event, announce, chosen.seconds)
        for (first, count), event in zip(shares, ready)
    ]
    await_all(zip(ready, attackers))
    door, base = room(), 60_000
    to_reader, from_sender = line_between()
    slow = spawn(dawdle, hub, base + 2, door, ready[-3], announce, chosen.seconds)
    reader = spawn(listen, hub, base + 1, door, from_sender, ready[-2], chosen.real_time)
    sender = spawn(speak, hub, base, door, to_reader, ready[-1], announce, chosen.seconds, chosen.real_time)
    await_all(zip(ready[-3:], (slow, reader, sender)))
    print(
        f"{crowd} connections were in after {time.monotonic() - begun:.0f} s, hub {resident(process)[0]:.0f} MiB; "
        f"{'real-time priority' if chosen.real_time else 'ordinary priority'}, "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
    waits = Waits(process.pid)
    waits.start()
    announce.set()

    began, sent, latest = sender[1].recv()
    crowds = [pipe.recv() for _, pipe in attackers]
    closed = slow[1].recv()
    reader[1].send(None)
    heard, beside = reader[1].recv()
    sender[1].send(None)
    waits.end()
    process.send_signal(signal.SIGUSR1)
    time.sleep(0.5)
    largest = resident(process)[1]
    lines = Path(log.name).read_text().splitlines()
    process.terminate()
    process.wait()

    announced, ended, honest, stayed = (sum(column) for column in zip(*crowds))
    print(f"hub: largest {largest:.0f} MiB (bound {MEMORY_BOUND} MiB); {len(lines)} lines of log")
    print(f"closed: {closed} of {SLOW} who did not read, {ended} of {announced} who did not send what they announced, "
          f"{honest - stayed} of {honest} others in their rooms")
    print(f"{len(heard)} of {sent} messages came: {milliseconds(delay for _, delay in heard.values())}")
    print(f"beside the hub:           {milliseconds(delay for _, delay in beside.values())}; "
          f"sender late by {latest * 1000:.2f} ms at most")
    worst = sorted(heard, key=lambda index: -heard[index][1])[:5]
    for index in worst:
        said, delay = heard[index]
        waited = waits.between(said, said + delay)
        print(f"  {delay * 1000:.2f} ms, {said - began:.2f} s after the announcement; directly "
              f"{beside[index][1] * 1000:.2f} ms; about then the hub waited {waited * 1000:.2f} ms for a processor")
    print(next(line for line in reversed(lines) if "closed_slow" in line))
    kept = {
        "memory": largest <= MEMORY_BOUND,
        "only who broke a rule was closed": closed == SLOW and stayed == honest,
        "every message came": len(heard) == sent,
        f"each within {DELAY_BOUND * 1000:.0f} ms": heard[worst[0]][1] < DELAY_BOUND,
    }
    broken = [promise for promise, holds in kept.items() if not holds]
    late = [index for index in heard if heard[index][1] >= DELAY_BOUND]
    if len(broken) == 1 and late and all(was_machine(heard[index], beside[index], waits) for index in late):
        print("not measured: what came late came late directly, too, or the hub had no processor; try --real-time")
        return 2
    print("NOT as promised: " + ", ".join(broken) if broken else "as promised: " + ", ".join(kept))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
