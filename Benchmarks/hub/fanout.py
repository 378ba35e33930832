#!/usr/bin/env python3
"""Z84: what it costs a hub to hand a frame to one receiver: processor time of the process by frames delivered, beside a process that writes
the same bytes to as many connections and does nothing else, and beside nats-server (in clear) where it is installed. One run for all, so
the ratios hold on other machines.

Receivers are in a process of their own and read without opening. fanout.py UNISONO [--receivers 64] [--frames 2000] [--length 704]
"""

import argparse
import atexit
import multiprocessing
import os
import re
import selectors
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests" / "independent"))

from hub import SEND, Hub  # noqa: E402
from invite import Line  # noqa: E402
from primitives import Signer, item  # noqa: E402
from room import Door  # noqa: E402
from web import WebHub  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def processor(pid):
    """User and system time that a process used, s."""
    fields = Path(f"/proc/{pid}/schedstat").read_text().split()
    total = sum(int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir())
    return max(total, int(fields[0])) / 1e9


def drain(sockets, wanted, done):
    """Reads until so many bytes came on each, or for a minute."""
    selector = selectors.DefaultSelector()
    left = {}
    for one in sockets:
        one.setblocking(False)
        selector.register(one, selectors.EVENT_READ)
        left[one] = wanted
    end = time.monotonic() + 60
    while any(count > 0 for count in left.values()) and time.monotonic() < end:
        for key, _ in selector.select(1):
            data = key.fileobj.recv(1 << 18)
            left[key.fileobj] -= len(data)
            if not data:
                selector.unregister(key.fileobj)
    done.put(all(count <= 0 for count in left.values()))


def header(signer, counter):
    """An envelope's header, of which the hub reads kind and sender."""
    return b"\2\1" + bytes(12) + signer.id + bytes(12) + struct.pack(">Q", counter)


def through_hub(options, kind):
    door = Door(os.urandom(32), os.urandom(32))
    with tempfile.NamedTemporaryFile("w+") as log:
        command = [options.unisono, "hub", "--open", "--listen", "127.0.0.1:0", "--drain", "0", "--connections-per-address", "1000",
                   "--participants-per-room", "1000", "--bytes-per-second", str(1 << 30), "--room-bytes-per-second", str(1 << 36)]
        hub = subprocess.Popen(command, stderr=log, stdout=log)
        atexit.register(hub.kill)
        while not (found := re.search(r"unisono-hub://[^/\s]+/[a-z2-7]{26}", Path(log.name).read_text())):
            time.sleep(0.01)
        line = Line(found.group())

        def enter():
            one = kind(line.address.pair, line.hub, door, Signer(os.urandom(32)))
            while not one.entered:
                one.poll(1)
            return one

        receivers = []
        for number in range(options.receivers):
            receivers.append(enter())
            # Twenty at once, then five a second, may one address try.
            time.sleep(0.21 if number > 18 else 0)
        time.sleep(0.3)
        sender = enter()
        for one in receivers:
            one.poll(0)
        # A message of this length has four bytes before it.
        record = 4 + 16 + options.length + (4 if kind is WebHub else 0)
        done = multiprocessing.Queue()
        reader = multiprocessing.Process(target=drain, args=([one.raw for one in receivers], options.frames * record, done))
        reader.start()
        fill = options.length - 4 - 4 - len(header(sender.signer, 0))
        before = processor(hub.pid)
        begun = time.monotonic()
        for counter in range(options.frames):
            sender.send(SEND, item(255, header(sender.signer, counter) + bytes(fill)))
            sender.poll(0)
            # As many as one connection may send in a second.
            time.sleep(max(0, begun + counter / 190 - time.monotonic()))
        complete = done.get(timeout=90)
        spent = processor(hub.pid) - before
        reader.join()
        hub.terminate()
        return spent, complete


def writes_alone(options, ready, going):
    """A process that writes the same bytes to as many connections."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1000)
    ready.put(listener.getsockname()[1])
    sockets = [listener.accept()[0] for _ in range(options.receivers)]
    for one in sockets:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    data = bytes(4 + 16 + options.length)
    going.get()
    begun, before = time.monotonic(), time.process_time()
    for counter in range(options.frames):
        for one in sockets:
            one.sendall(data)
        time.sleep(max(0, begun + counter / 190 - time.monotonic()))
    ready.put(time.process_time() - before)


def bare(options):
    ready, going, done = multiprocessing.Queue(), multiprocessing.Queue(), multiprocessing.Queue()
    writer = multiprocessing.Process(target=writes_alone, args=(options, ready, going))
    writer.start()
    port = ready.get()
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(options.receivers)]
    reader = multiprocessing.Process(target=drain, args=(sockets, options.frames * (20 + options.length), done))
    reader.start()
    going.put(1)
    complete = done.get(timeout=90)
    spent = ready.get()
    reader.join()
    writer.join()
    return spent, complete


def through_nats(options):
    """The same number of messages, as long as the hub's frames, by a nats-server: no seal on link or content."""
    with tempfile.NamedTemporaryFile("w+") as log:
        server = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", "-1"], stderr=log, stdout=log)
        atexit.register(server.kill)
        end = time.monotonic() + 10
        while not (found := re.search(r"client connections on 127\.0\.0\.1:(\d+)", Path(log.name).read_text())):
            if server.poll() is not None or time.monotonic() > end:
                sys.exit(f"nats-server did not begin: {Path(log.name).read_text()}")
            time.sleep(0.01)

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

        receivers = [enter(b"SUB room 1\r\n") for _ in range(options.receivers)]
        sender = enter(b"")
        # The server's first PING, 6 bytes, comes within this time, so that what is counted is messages.
        time.sleep(3)
        for one in receivers:
            one.recv(4096)
        message = b"PUB room %d\r\n" % options.length + bytes(options.length) + b"\r\n"
        delivered = len(b"MSG room 1 %d\r\n" % options.length) + options.length + 2
        done = multiprocessing.Queue()
        reader = multiprocessing.Process(target=drain, args=(receivers, options.frames * delivered, done))
        reader.start()
        before = processor(server.pid)
        begun = time.monotonic()
        for counter in range(options.frames):
            sender.sendall(message)
            time.sleep(max(0, begun + counter / 190 - time.monotonic()))
        complete = done.get(timeout=90)
        spent = processor(server.pid) - before
        reader.join()
        server.terminate()
        server.wait()
        return spent, complete


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unisono")
    parser.add_argument("--receivers", type=int, default=64)
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--length", type=int, default=704, help="bytes of a record's text, at least 586")
    options = parser.parse_args()
    count = options.receivers * options.frames
    hub, complete = through_hub(options, Hub)
    web, webs = through_hub(options, WebHub)
    alone, also = bare(options)
    nats, arrived = through_nats(options) if shutil.which("nats-server") else (None, True)
    if not (complete and webs and also and arrived):
        print("not everything arrived in time: the machine is too busy to tell")
        return 2
    print(f"hub     {hub / count * 1e6:6.2f} us of a processor a delivered frame of {options.length} bytes, {options.receivers} receivers")
    print(f"web     {web / count * 1e6:6.2f} us where all come through WebSocket: {web / hub:.2f} times as much")
    print(f"writes  {alone / count * 1e6:6.2f} us for writing the same bytes (by Python, whose own share is in it)")
    if nats is None:
        print("nats    not installed: nothing to compare with")
    else:
        print(f"nats    {nats / count * 1e6:6.2f} us by nats-server, in clear: the hub takes {hub / nats:.2f} times as much")
    return 0


if __name__ == "__main__":
    sys.exit(main())
