#!/usr/bin/env python3
"""What those who talk through a stand-alone hub notice while others attack it, one way after the other, each at a hub of its own: ten quiet
seconds, then the attack. Says for each how late what is said was in both, how much memory and processor the hub took, and what the attack
was. Ends with 0 when 99 of 100 messages under the attack take at most twice as long as in quiet (or FLOOR, where that is less), all come, and
memory stays within its bound; with 1 when not.

The talkers and, with --real-time (root), the hub go before all others of this machine; those who attack give way to all: elsewhere they would
be on other machines. Connections that begin a frame and do not end it are flood.py's.

attacks.py UNISONO [--only NAME ...] [--seconds 15] [--real-time]
"""

import argparse
import collections
import multiprocessing
import os
import socket
import sys
import tempfile
import time

from guests import PER_ADDRESS, Guest, enter, header, processor, resident, room, source, start
from hub import PING, SEND
from link import OPEN, ClientSide
from primitives import item, u16, u64
from talkers import await_all, line_between, listen, prefer, spawn, speak
from wire import frame

MEMORY_BOUND = 370
QUIET = 10
# A delay of which nobody takes note, s.
FLOOR = 0.001
WORKERS = 2
KEEP, TRYBACK = 13, 17
# Of a participant's queue, bytes: it says no more before that is gone.
BACKLOG = 65_536


def strangers(hub, index, ready, begin, seconds, result):
    """Connects from ever new addresses, says OPEN and leaves the hub with the rest: the dearest thing that a stranger can ask for."""
    opening = frame(OPEN, ClientSide(hub.hub, os.urandom(32), os.urandom(32)).open)
    return knock(hub, index, ready, begin, seconds, result, opening, "OPENs")


def silence(hub, index, ready, begin, seconds, result):
    """Connects from ever new addresses, and says nothing."""
    return knock(hub, index, ready, begin, seconds, result, b"", "silent connections")


def knock(hub, index, ready, begin, seconds, result, opening, name):
    os.nice(19)
    ready.set()
    begin.wait()
    end, count = time.monotonic() + seconds, 0
    held = collections.deque()
    while time.monotonic() < end:
        made = socket.socket()
        made.settimeout(2)
        made.bind((source(10_000 * (1 + index) + count % 10_000), 0))
        try:
            made.connect(hub.address.pair)
            made.sendall(opening)
        except OSError:
            pass
        held.append(made)
        if len(held) > 200:
            held.popleft().close()
        count += 1
    result.send((count, f"{name} from {min(10_000, count)} addresses"))


def members(hub, index, count, of_a_room):
    """Those who are in, in rooms of that many."""
    made, door = [], None
    for number in range(count):
        if number % of_a_room == 0:
            door = room()
        # One address opens eight rooms.
        made.append(enter(Guest, hub, source(40_000 + (index * count + number) // (PER_ADDRESS // 2)), door))
        time.sleep(0.02)
        for guest in made:
            guest.poll(0)
    return made


def push(count, of_a_room, say, name, hub, index, ready, begin, seconds, result):
    """So many are in, say as much as the hub takes from them, and read what comes."""
    os.nice(19)
    guests = members(hub, index, count, of_a_room)
    ready.set()
    while not begin.wait(0.5):
        for guest in guests:
            guest.poll(0)
    end, said, gone = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        for guest in list(guests):
            try:
                if guest.backlog < BACKLOG:
                    guest.send(*say(guest, said))
                    said += 1
                guest.flush()
                guest.poll(0)
            except OSError:
                guests.remove(guest)
                gone += 1
    result.send((said, f"{name} from {count}; {gone} of those were closed"))


def filled(guest, number, fill):
    return item(255, header(guest.signer.id, number) + fill)


def speakers(*run):
    """Eight in a room say to each other what the hub takes."""
    fill = bytes(2_000)
    push(32, 8, lambda guest, number: (SEND, filled(guest, number, fill)), "envelopes of 2 KB, in rooms of eight,", *run)


def pings(*run):
    """Members who ask PING, and nothing else, as often as they can."""
    push(48, 1, lambda guest, number: (PING, item(1, u64(number))), "PINGs", *run)


def keepers(*run):
    """Members who have the hub keep 32 KB, another each time."""
    fill = bytes(32_000)
    push(48, 1, lambda guest, number: (KEEP, filled(guest, number, fill)), "KEEPs of 32 KB", *run)


def tryers(*run):
    """Members who want to be tried back, at a port at which nothing listens."""
    push(48, 1, lambda guest, number: (TRYBACK, item(1, u64(number)) + item(2, u16(40_000 + number % 20_000))), "TRYBACKs", *run)


def dawdlers(hub, index, ready, begin, seconds, result):
    """Three in a room do not read what a fourth one says, and come again when the hub must have had enough of them."""
    os.nice(19)
    fill = bytes(4_000)
    doors = [room() for _ in range(8)]
    home = 50_000 + 1_000 * index
    talkers = [enter(Guest, hub, source(home + number), door) for number, door in enumerate(doors)]
    slow, places = [], [(number, door) for number, door in enumerate(doors) for _ in range(3)]
    ready.set()
    while not begin.wait(0.5):
        for guest in talkers:
            guest.poll(0)
    end, count, comings, next_entry = time.monotonic() + seconds, 0, 0, 0.0
    while (now := time.monotonic()) < end:
        if places and now >= next_entry:
            number, door = places.pop()
            next_entry = now + 0.05
            comings += 1
            slow.append((enter(lambda *given: Guest(*given, small=True), hub, source(home + 20 + comings), door), now, (number, door)))
        for guest in talkers:
            if guest.backlog < BACKLOG:
                guest.send(SEND, item(255, header(guest.signer.id, count) + fill))
                count += 1
            guest.flush()
            guest.poll(0)
        # After five seconds a mebibyte waits for each, which is what the hub keeps.
        while slow and now >= slow[0][1] + 5:
            guest, _, place = slow.pop(0)
            guest.close()
            places.append(place)
    result.send((count, f"envelopes of 4 KB to 24 who do not read, and who came {comings} times"))


def datagrams(hub, index, ready, begin, seconds, result):
    """Clock probes of nobody. Whatever came back could be sent to a victim."""
    os.nice(19)
    made = socket.socket(type=socket.SOCK_DGRAM)
    made.bind((source(60_000 + index), 0))
    made.setblocking(False)
    ready.set()
    begin.wait()
    end, count, answers = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        head = b"UNI\1\1" + bytes(3)
        for _ in range(64):
            try:
                made.sendto(head + os.urandom(56), hub.address.pair)
                count += 1
            except OSError:
                pass
        try:
            while made.recv(2048):
                answers += 1
        except BlockingIOError:
            pass
    assert answers == 0, f"the hub answered {answers} datagrams of nobody"
    result.send((count, "datagrams; none was answered"))


ATTACKS = {
    "strangers": strangers, "silence": silence, "speakers": speakers, "dawdlers": dawdlers, "pings": pings, "keepers": keepers,
    "tryers": tryers, "datagrams": datagrams,
}


def ninety_nine(delays):
    delays = sorted(delays)
    return delays[min(len(delays) - 1, len(delays) * 99 // 100)]


def measure(unisono, name, seconds, real_time):
    """One attack; prints what came of it, and returns whether all is as promised."""
    log = tempfile.NamedTemporaryFile()
    process, hub = start(unisono, log, ["--open"], lambda: prefer(real_time))
    begin, talk = multiprocessing.Event(), multiprocessing.Event()
    ready = [multiprocessing.Event() for _ in range(WORKERS + 2)]
    attackers = [spawn(ATTACKS[name], hub, index, ready[index], begin, seconds) for index in range(WORKERS)]
    await_all(zip(ready, attackers))
    door = room()
    to_reader, from_sender = line_between()
    reader = spawn(listen, hub, 61_001, door, from_sender, ready[-2], real_time)
    sender = spawn(speak, hub, 61_000, door, to_reader, ready[-1], talk, QUIET + seconds, real_time)
    await_all(zip(ready[-2:], (reader, sender)))
    talk.set()
    time.sleep(QUIET)
    used, attacked = processor(process.pid), time.monotonic()
    begin.set()
    _, sent, _ = sender[1].recv()
    used = (processor(process.pid) - used) / (time.monotonic() - attacked)
    outcomes = [pipe.recv() for _, pipe in attackers]
    reader[1].send(None)
    heard, beside = reader[1].recv()
    sender[1].send(None)
    largest = resident(process)[1]
    process.terminate()
    process.wait()

    quiet = ninety_nine([delay for said, delay in heard.values() if said < attacked])
    under = [delay for said, delay in heard.values() if said >= attacked]
    direct = ninety_nine([delay for said, delay in beside.values() if said >= attacked])
    late = ninety_nine(under)
    kept = {
        "every message came": len(heard) == sent,
        "99 of 100 as promised": late <= max(2 * quiet, FLOOR),
        "memory": largest <= MEMORY_BOUND,
    }
    broken = [promise for promise, holds in kept.items() if not holds]
    print(
        f"{name}: {sum(count for count, _ in outcomes) / seconds:,.0f} a second, {outcomes[0][1]} (each of {WORKERS} who attack)\n"
        f"  99 of 100 within {late * 1000:.2f} ms, greatest {max(under) * 1000:.2f} ms; in quiet {quiet * 1000:.2f} ms; directly, beside "
        f"the attack, {direct * 1000:.2f} ms; {len(heard)} of {sent} came\n"
        f"  hub: {largest:.0f} MiB at most (bound {MEMORY_BOUND}), {used * 100:.0f} % of a processor; load {os.getloadavg()[0]:.1f}\n"
        f"  {'NOT as promised: ' + ', '.join(broken) if broken else 'as promised'}", flush=True)
    return not broken


def main():
    options = argparse.ArgumentParser()
    options.add_argument("unisono", help="the command")
    options.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    options.add_argument("--seconds", type=float, default=15)
    options.add_argument("--real-time", action="store_true", help="hub, sender and reader before all else; needs root")
    chosen = options.parse_args()
    outcomes = [measure(chosen.unisono, name, chosen.seconds, chosen.real_time) for name in chosen.only]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
