#!/usr/bin/env python3
"""N18: a hub with one publisher and thousands who listen. A pause, a frame of 704 bytes, is shown in slot 1, again and again: when each of
them has read it, after how long all have, and what a delivery costs the hub, beside the same frame said to rooms
full of members.

Those who listen are in processes of their own, read without opening, and count whole records; all clocks are this machine's monotonic one.
The processor that the readers take is not the hub's to give: on a machine with few processors, or with others at work, times are theirs, too.

audience.py UNISONO [--listeners 5000] [--frames 10] [--rounds 6] [--processes 4] [--rooms 4] [--members 250]
"""

import argparse
import multiprocessing
import os
import queue
import resource
import select
import statistics
import sys
import tempfile
import time

from guests import HEADER, PER_ADDRESS, SHARE, Guest, enter, header, processor, source, start
from hub import PONG, SEND
from link import KEEP, LISTENER, MEMBER, PUBLISHER
from primitives import Signer, item, u8, u64

# The text of the frame's record; the envelope is what is left of it.
TEXT = 704
RECORD = 4 + 16 + TEXT


class Topic:
    """What a hub has to know of an audience's door."""

    def __init__(self, seed):
        self.key = Signer(seed)
        self.topic = self.key.public


def listen(line, door, role, first, count, orders, answers):
    """A process of those who read: each order is how many frames are on their way; the answer has, of each, when who read it."""
    sockets, guests = select.epoll(), {}

    def rest():
        """What came meanwhile, as counts, is read and gone; and that somebody is there is said."""
        for guest in guests.values():
            data = b"."
            while data:
                try:
                    data = guest.raw.recv(1 << 16)
                except BlockingIOError:
                    break
            guest.raw.sendall(guest.record(PONG, item(1, u64(0))))

    rested = time.monotonic()
    for number in range(first, first + count):
        guest = enter(Guest, line, source(number // PER_ADDRESS), door(number), False, role)
        guests[guest.raw.fileno()] = guest
        sockets.register(guest.raw.fileno(), select.EPOLLIN)
        # Many handshakes take their time, and who is silent for 15 s is gone.
        if time.monotonic() > rested + 4:
            rest()
            rested = time.monotonic()
    answers.put(count)

    while True:
        try:
            order = orders.get(timeout=8)
        except queue.Empty:
            rest()
            continue
        if order is None:
            return
        if order == 0:
            rest()
            answers.put(None)
            continue
        left = dict.fromkeys(guests, order * RECORD)
        times = [[] for _ in range(order)]
        end = time.monotonic() + 60
        while left and time.monotonic() < end:
            for number, _ in sockets.poll(0.05):
                data = os.read(number, 1 << 16)
                if not data:
                    sys.exit("the hub hung up")
                if number not in left:
                    continue
                now, before = time.monotonic(), left[number]
                left[number] = before - len(data)
                # Records that are whole by now.
                done, had = (order * RECORD - left[number]) // RECORD, (order * RECORD - before) // RECORD
                for frame in range(had, min(done, order)):
                    times[frame].append(now)
                if left[number] <= 0:
                    del left[number]
        answers.put((not left, times))


class Crowd:
    """Those who read, over several processes."""

    def __init__(self, line, door, role, count, processes, first=0, keep=lambda: None):
        """`keep`: called while they enter."""
        self.count = count
        self._workers, started = [], []
        processes = max(processes, -(-count // SHARE))
        shares = [count // processes + (number < count % processes) for number in range(processes)]
        for share in shares:
            orders, answers = multiprocessing.Queue(), multiprocessing.Queue()
            worker = multiprocessing.Process(target=listen, args=(line, door, role, first, share, orders, answers), daemon=True)
            worker.start()
            self._workers.append((orders, answers))
            started.append(worker)
            first += share
        for worker, (_, answers) in zip(started, self._workers):
            while answers.empty():
                if not worker.is_alive():
                    sys.exit("those who read did not come in")
                keep()
                time.sleep(0.2)
            answers.get()

    def rest(self):
        for orders, _ in self._workers:
            orders.put(0)
        for _, answers in self._workers:
            answers.get()

    def expect(self, frames):
        for orders, _ in self._workers:
            orders.put(frames)

    def answers(self, frames):
        """Of each frame, when it was read, ascending."""
        times = [[] for _ in range(frames)]
        for _, answers in self._workers:
            complete, some = answers.get()
            if not complete:
                sys.exit("not everything arrived in a minute: the machine is too busy to tell")
            for frame in range(frames):
                times[frame] += some[frame]
        return [sorted(one) for one in times]

    def end(self):
        for orders, _ in self._workers:
            orders.put(None)


def fill(guest, kind):
    """An envelope that fills the record in which it is delivered."""
    return header(guest.signer.id, kind=kind) + bytes(TEXT - 4 - 4 - HEADER)


def measure(pid, crowd, resting, speakers, others, say, frames):
    """`resting`, `others`: who is there, and says nothing now. Per frame when who read it (s after it was said), and us of the hub's processor a delivery."""
    # All are heard of now, so that nobody has to be during the round.
    for one in (crowd, resting):
        one.rest()
    for speaker in others + speakers:
        while speaker.poll(0):
            pass
    crowd.expect(frames)
    time.sleep(0.5)
    begun, before = [], processor(pid)
    for _ in range(frames):
        begun.append(time.monotonic())
        for speaker in speakers:
            say(speaker)
            speaker.flush()
        time.sleep(max(0, begun[-1] + 0.4 - time.monotonic()))
    times = crowd.answers(frames)
    spent = processor(pid) - before
    delays = [[one - said for one in all_] for said, all_ in zip(begun, times)]
    return delays, spent / (frames * crowd.count) * 1e6


def at(delays, share):
    return sorted(delays)[min(len(delays) - 1, int(len(delays) * share))] * 1e3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unisono")
    parser.add_argument("--listeners", type=int, default=5_000)
    parser.add_argument("--members", type=int, default=250, help="of each of the rooms that the same frame is said to, beside")
    parser.add_argument("--rooms", type=int, default=4, help="of these")
    parser.add_argument("--frames", type=int, default=10, help="of a round, which is over before anybody is asked whether it is there")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--processes", type=int, default=4)
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    log = tempfile.NamedTemporaryFile("w+")
    process, line = start(options.unisono, log, [
        "--open", "--participants-per-room", "1000", "--connections", "100000", "--listeners", "100000", "--rooms", "100000"])
    rooms = options.rooms
    seeds = [os.urandom(32) for _ in range(rooms)]
    topics = [Topic(seed) for seed in seeds]
    audience = Topic(os.urandom(32))
    publisher = enter(Guest, line, source(20_000), audience, False, PUBLISHER)

    def keep():
        publisher.poll(0)

    begun = time.monotonic()
    listeners = Crowd(line, lambda number: audience, LISTENER, options.listeners, options.processes, keep=keep)
    entered = time.monotonic() - begun
    members = Crowd(
        line, lambda number: topics[number // PER_ADDRESS % rooms], MEMBER, rooms * options.members, options.processes, first=40_000, keep=keep)
    speakers = [enter(Guest, line, source(30_000 + number), topic, False, MEMBER) for number, topic in enumerate(topics)]
    # Presence, and the counts of those who came, are told.
    for _ in range(12):
        time.sleep(1)
        for speaker in [publisher, *speakers]:
            while speaker.poll(0):
                pass

    def show(guest):
        guest.send(KEEP, item(1, u8(1)) + item(255, fill(guest, 3)))

    def say(guest):
        guest.send(SEND, item(255, fill(guest, 1)))

    audiences, beside = [], []
    for _ in range(options.rounds):
        audiences.append(measure(process.pid, listeners, members, [publisher], speakers, show, options.frames))
        beside.append(measure(process.pid, members, listeners, speakers, [publisher], say, options.frames))
    for crowd in (listeners, members):
        crowd.end()
    print(f"{options.listeners} listeners entered in {entered:.1f} s; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for name, rounds, count in (("audience", audiences, listeners.count), (f"{rooms} rooms", beside, members.count)):
        delays = [one for found, _ in rounds for one in found]
        all_ = [max(frame) for frame in delays]
        each = [one for frame in delays for one in frame]
        print(f"{name:10} {count} receivers: read p50 {at(each, 0.5):.1f} ms, p99 {at(each, 0.99):.1f} ms; "
              f"all have it p50 {at(all_, 0.5):.1f} ms, p99 {at(all_, 0.99):.1f} ms; "
              f"{statistics.median(cost for _, cost in rounds):.2f} us of the hub's processor a delivery")
    ratio = statistics.median(one[1] / other[1] for one, other in zip(audiences, beside))
    print(f"a delivery to an audience costs {ratio:.2f} times one to a room")
    return 0


if __name__ == "__main__":
    sys.exit(main())
