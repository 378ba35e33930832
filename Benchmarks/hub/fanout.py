#!/usr/bin/env python3
"""Z84: what it costs a hub to hand a frame to one receiver: processor time of the process by frames delivered, beside a process in C that
writes the same bytes to as many connections and does nothing else, and beside nats-server and mosquitto (in clear) where they are
installed. They take turns, so that what else the machine does hits them alike; what is said is the median of the rounds, and within what
half of them were.

Receivers are in a process of their own, read without opening, and never rest: waking a processor costs whoever writes, and is no work of
the hub's. One connection may send 200 frames a second: `--senders 6 --rate 1140` is more than one. A hub that has a lot to do sends what
came together in one write.

fanout.py UNISONO WRITER [--receivers 64] [--senders 1] [--frames 400] [--rounds 15] [--rate 190] [--length 704] [--without-web]
"""

import argparse
import atexit
import multiprocessing
import os
import re
import selectors
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from guests import HEADER, header, processor
from hub import PONG, SEND, Hub
from invite import Line
from primitives import Signer, item, u64
from room import Door
from web import WebHub


def writes(pid):
    """Calls of the system that a process wrote with."""
    return int(re.search(r"syscw: (\d+)", Path(f"/proc/{pid}/io").read_text())[1])


def drain(sockets, wanted, done):
    """Reads until so many bytes came on each, or for a minute, without rest."""
    selector = selectors.DefaultSelector()
    left = {}
    for one in sockets:
        one.setblocking(False)
        selector.register(one, selectors.EVENT_READ)
        left[one] = wanted
    end = time.monotonic() + 60
    while any(count > 0 for count in left.values()) and time.monotonic() < end:
        for key, _ in selector.select(0):
            data = key.fileobj.recv(1 << 18)
            left[key.fileobj] -= len(data)
            if not data:
                selector.unregister(key.fileobj)
    done.put(all(count <= 0 for count in left.values()))


def paced(frames, rate):
    """Counts frames, each when it is due."""
    begun = time.monotonic()
    for counter in range(frames):
        yield counter
        time.sleep(max(0, begun + (counter + 1) / rate - time.monotonic()))


def started(command, pattern):
    """A process, killed at the end, and what it wrote that fits the pattern."""
    log = tempfile.NamedTemporaryFile("w+")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=log, stdout=log, text=True)
    atexit.register(process.kill)
    end = time.monotonic() + 10
    while not (found := re.search(pattern, Path(log.name).read_text())):
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"{command[0]} did not begin: {Path(log.name).read_text()}")
        time.sleep(0.01)
    return process, found, log


class Raw(Hub):
    """Comes from an address of its own: one address may not enter so often."""

    def __init__(self, *arguments, source):
        self._source = source
        super().__init__(*arguments)

    def _connect(self, address):
        return socket.create_connection(address, timeout=30, source_address=(self._source, 0))

    def keep(self):
        """Says something that nobody answers, or the hub asks whether anybody is there."""
        self.raw.sendall(self.record(PONG, item(1, u64(0))))


class Web(WebHub):
    """The same, by WebSocket."""

    def __init__(self, *arguments, source):
        super().__init__(*arguments, web={"source": (source, 0)})

    def keep(self):
        self.web.send(self.record(PONG, item(1, u64(0))))
        self.web.write()


class ThroughHub:
    """A hub with a room of receivers and a sender. `length` of a frame is that of its record's text."""

    def __init__(self, options, kind):
        command = [options.unisono, "hub", "--open", "--listen", "127.0.0.1:0", "--drain", "0", "--connections-per-address", "1000",
                   "--participants-per-room", "1000", "--bytes-per-second", str(1 << 30), "--room-bytes-per-second", str(1 << 36)]
        process, found, self._log = started(command, r"unisono-hub://[^/\s]+/[a-z2-7]{26}")
        self.pid = process.pid
        line, door = Line(found.group()), Door(os.urandom(32), os.urandom(32))

        def enter(number):
            one = kind(line.address.pair, line.hub, door, Signer(os.urandom(32)), source=f"127.0.1.{1 + number // 12}")
            while not one.entered:
                one.poll(1)
            return one

        self._receivers = [enter(number) for number in range(options.receivers)]
        self._senders = [enter(options.receivers + number) for number in range(options.senders)]
        time.sleep(0.3)
        for one in self._receivers:
            one.poll(0)
        self.sockets = [one.raw for one in self._receivers]
        # Senders hear each other.
        self.receivers = len(self.sockets) + options.senders - 1
        # A message of this length has four bytes before it.
        self.delivered = 4 + 16 + options.length + (4 if kind is Web else 0)
        self._rate = options.rate
        self._fill = bytes(options.length - 4 - 4 - HEADER)

    def keep(self):
        for one in self._receivers:
            one.keep()
        for one in self._senders:
            one.poll(0)

    def feed(self, frames):
        for counter in paced(frames, self._rate):
            turn = counter % len(self._senders)
            self._senders[turn].send(SEND, item(255, header(self._senders[turn].signer.id, counter) + self._fill))
            self._senders[turn].poll(0)


class Written:
    """The writer and as many connections: the same bytes, by nothing but writes."""

    def __init__(self, options):
        self.delivered = 4 + 16 + options.length
        self.receivers = options.receivers
        self._rate = options.rate
        self._process = subprocess.Popen([options.writer, str(options.receivers), str(self.delivered)], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, bufsize=1)
        atexit.register(self._process.kill)
        self.pid = self._process.pid
        port = int(self._process.stdout.readline())
        self.sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(options.receivers)]

    def keep(self):
        pass

    def feed(self, frames):
        self._process.stdin.write(f"{frames} {self._rate}\n")
        if self._process.stdout.readline() != "done\n":
            sys.exit("the writer broke off")


class ThroughNats:
    """The same number of messages, as long as the hub's frames, by a nats-server: no seal on link or content."""

    def __init__(self, options):
        process, found, self._log = started(["nats-server", "-a", "127.0.0.1", "-p", "-1"], r"client connections on 127\.0\.0\.1:(\d+)")
        self.pid = process.pid

        def enter(subscription):
            one = socket.create_connection(("127.0.0.1", int(found[1])))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(b'CONNECT {"verbose":false}\r\n' + subscription + b"PING\r\n")
            one.settimeout(10)
            answer = b""
            while not answer.endswith(b"PONG\r\n"):
                if not (data := one.recv(4096)):
                    sys.exit(f"nats-server hung up: {answer}")
                answer += data
            return one

        self.receivers = options.receivers
        self.sockets = [enter(b"SUB room 1\r\n") for _ in range(options.receivers)]
        self._sender = enter(b"")
        # The server's first PING, 6 bytes, comes within this time, so that what is counted is messages.
        time.sleep(3)
        for one in self.sockets:
            one.recv(4096)
        self._rate = options.rate
        self._message = b"PUB room %d\r\n" % options.length + bytes(options.length) + b"\r\n"
        self.delivered = len(b"MSG room 1 %d\r\n" % options.length) + options.length + 2

    def keep(self):
        pass

    def feed(self, frames):
        for _ in paced(frames, self._rate):
            self._sender.sendall(self._message)


class ThroughMosquitto:
    """The same by mosquitto: MQTT 3.1.1 at its least assurance (QoS 0), in clear."""

    def __init__(self, options):
        # It takes no free port by itself.
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        process, _, self._log = started(["mosquitto", "-v", "-p", str(port)], r"mosquitto version \S+ running")
        self.pid = process.pid

        def told(kind, body):
            return bytes([kind]) + remaining(len(body)) + body

        def remaining(length):
            return bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])

        def text(value):
            return struct.pack(">H", len(value)) + value

        def enter(number, subscribes):
            one = socket.create_connection(("127.0.0.1", port))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(told(0x10, text(b"MQTT") + bytes([4, 2, 0, 0]) + text(b"%d" % number)))
            answers = one.recv(4, socket.MSG_WAITALL)
            if subscribes:
                one.sendall(told(0x82, bytes([0, 1]) + text(b"room") + b"\0"))
                answers += one.recv(5, socket.MSG_WAITALL)
            if answers != bytes([0x20, 2, 0, 0]) + (bytes([0x90, 3, 0, 1, 0]) if subscribes else b""):
                sys.exit(f"mosquitto refused: {answers}")
            return one

        self.receivers = options.receivers
        self.sockets = [enter(number, True) for number in range(options.receivers)]
        self._sender = enter(options.receivers, False)
        self._rate = options.rate
        self._message = told(0x30, text(b"room") + bytes(options.length))
        self.delivered = len(self._message)

    def keep(self):
        pass

    def feed(self, frames):
        for _ in paced(frames, self._rate):
            self._sender.sendall(self._message)


def measure(name, way, frames):
    """us of a processor, and writes, for one delivery."""
    done = multiprocessing.Queue()
    reader = multiprocessing.Process(target=drain, args=(way.sockets, frames * way.delivered, done))
    reader.start()
    before, calls = processor(way.pid), writes(way.pid)
    way.feed(frames)
    complete = done.get(timeout=90)
    spent, calls = processor(way.pid) - before, writes(way.pid) - calls
    reader.join()
    if not complete:
        print(f"{name}: not everything arrived in time: the machine is too busy to tell")
        sys.exit(2)
    deliveries = frames * way.receivers
    return spent / deliveries * 1e6, calls / deliveries


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unisono")
    parser.add_argument("writer")
    parser.add_argument("--receivers", type=int, default=64)
    parser.add_argument("--senders", type=int, default=1)
    parser.add_argument("--frames", type=int, default=400, help="of a round")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--rate", type=int, default=190, help="frames a second of all senders; one connection may send 200")
    parser.add_argument("--length", type=int, default=704, help="bytes of a record's text, at least 586")
    parser.add_argument("--without-web", action="store_true")
    options = parser.parse_args()
    ways = {"hub": ThroughHub(options, Raw), "writes": Written(options)}
    if not options.without_web:
        ways["web"] = ThroughHub(options, Web)
    if shutil.which("nats-server"):
        ways["nats"] = ThroughNats(options)
    if shutil.which("mosquitto"):
        ways["mosquitto"] = ThroughMosquitto(options)
    costs, calls = {name: [] for name in ways}, {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            for one in ways.values():
                one.keep()
            cost, written = measure(name, way, options.frames)
            costs[name].append(cost)
            calls[name].append(written)

    def said(values):
        low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        return f"{middle:6.2f} us (half of the rounds: {low:.2f} to {high:.2f})"

    def times(one, other):
        return f"{statistics.median(a / b for a, b in zip(costs[one], costs[other])):.2f} times as much"

    print(f"hub       {said(costs['hub'])} of a processor a delivered frame of {options.length} bytes, {options.receivers} receivers")
    print(f"writes    {said(costs['writes'])} for writing the same bytes and nothing else")
    print(f"more      {said([hub - alone for hub, alone in zip(costs['hub'], costs['writes'])])} than writing")
    if "web" in ways:
        print(f"web       {said(costs['web'])} where all come through WebSocket: {times('web', 'hub')}")
    for name, server in (("nats", "nats-server"), ("mosquitto", "mosquitto")):
        if name in ways:
            print(f"{name:9} {said(costs[name])} by {server}, in clear: the hub takes {times('hub', name)}")
        else:
            print(f"{name:9} not installed: nothing to compare with")
    # Where a process gets too little of a processor frames come to it several at once, and leave so.
    print("writes a delivery: " + ", ".join(f"{name} {statistics.median(values):.2f}" for name, values in calls.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
