"""What tests against bad company share: frames in clear, somebody on the path, servers that are no hubs."""

import base64
import hashlib
import os
import re
import select
import socket
import struct
import threading
import time
from contextlib import closing

OPEN, CHALLENGE, ENTER, ENTERED, REFUSED, PRESENCE, SEND, DELIVER, PROBE, PING, PONG, LEAVE, KEEP, IDENTITY = range(1, 15)


def frame(kind, body=b""):
    return struct.pack(">IB", len(body) + 1, kind) + body


def item(tag, value):
    return struct.pack(">I", tag << 24 | len(value)) + value


def items(body):
    """Tag to value of a frame's body."""
    found = {}
    while body:
        word = struct.unpack_from(">I", body)[0]
        length = word & 0xFFFFFF
        found[word >> 24] = body[4 : 4 + length]
        body = body[4 + length :]
    return found


def members(count, connection, age):
    """Participants that do not exist, as hubs tell them."""
    return b"".join(struct.pack(">16sQI", struct.pack(">QQ", 1, n), connection, age) for n in range(count))


def refused(status, retry=None):
    """REFUSED, as anybody can write it."""
    return frame(REFUSED, item(1, struct.pack(">i", status)) + (item(3, struct.pack(">I", retry)) if retry is not None else b""))


def port_of(invite):
    return int(re.match(r"unisono://127\.0\.0\.1:(\d+)/", invite).group(1))


def through(invite, port):
    """The same invite by way of another port, and by no other hub."""
    address, hub, key = re.match(r"unisono://([^/]+)/([^/:]+)/(?:.*/)?([^/:]+)$", invite).groups()
    return f"unisono://{address.rsplit(':', 1)[0]}:{port}/{hub}/{key}"


def with_key(invite, change):
    """The invite with another key, whose checksum fits. `change` gets version, door, root, policy, role."""
    head, text = invite.rsplit("/", 1)
    data = base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    payload = bytes(change(bytearray(data[:51])))
    data = payload + hashlib.sha256(b"unisono/2 invite\0" + payload).digest()[:4]
    return head + "/" + base64.b32encode(data).decode().rstrip("=").lower()


def send_and_wait_for_end(port, data, turn, limit=60.0):
    """Sends bytes to a hub and returns once it hung up; `turn` runs the hub's loop. Fails when it does not hang up."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=limit)) as stream:
        end = time.monotonic() + limit
        try:
            stream.sendall(data)
            stream.shutdown(socket.SHUT_WR)
            while True:
                turn()
                if select.select([stream], [], [], 0.002)[0] and not stream.recv(65536):
                    return
                assert time.monotonic() < end, f"the hub kept {data[:40]!r}... for {limit:g} s"
        except ConnectionError:
            pass


class Server:
    """Accepts until closed; `serve` gets each connection, in a thread of its own."""

    def __init__(self, serve):
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.accepted = 0
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                stream, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            self._open.append(stream)
            threading.Thread(target=self._run, args=(stream,), daemon=True).start()

    def _run(self, stream):
        try:
            self._serve(stream)
        except OSError:
            pass
        finally:
            stream.close()

    def close(self):
        # Wakes the thread in accept, which close alone does not.
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        for stream in self._open:
            try:
                stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class OnPath(Server):
    """Stands between a participant and its hub, and has no key: what it sees are OPEN and CHALLENGE, and records after them.

    `tamper` gets each of them as it is on the wire (direction "up" or "down", number within connection and direction, bytes),
    and returns the bytes to pass on instead; None lets it through. What the participant sent is kept in `sent`, the lengths of
    all in `lengths`."""

    def __init__(self, hub_port, tamper=lambda direction, number, whole: None):
        self.tamper = tamper
        self.sent = bytearray()
        self.lengths = {"up": [], "down": []}
        self.tampered = 0
        self._hub_port = hub_port
        super().__init__(self._join)

    def hang_up(self):
        """On everybody who is connected."""
        for stream in self._open:
            try:
                stream.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _join(self, stream):
        with closing(socket.create_connection(("127.0.0.1", self._hub_port))) as hub:
            for end in (stream, hub):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._up, args=(stream, hub), daemon=True).start()
            self._pass_on(hub, stream, "down")

    def _up(self, stream, hub):
        try:
            self._pass_on(stream, hub, "up")
            hub.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _pass_on(self, source, target, direction):
        waiting, number = bytearray(), 0
        while data := source.recv(65536):
            if direction == "up":
                self.sent += data
            waiting += data
            while len(waiting) >= 4 and len(waiting) >= (length := 4 + struct.unpack_from(">I", waiting)[0]):
                whole = bytes(waiting[:length])
                del waiting[:length]
                self.lengths[direction].append(length)
                instead = self.tamper(direction, number, whole)
                number += 1
                self.tampered += instead is not None
                target.sendall(whole if instead is None else instead)


def resident_bytes(pid="self"):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def descriptors(pid="self"):
    return len(os.listdir(f"/proc/{pid}/fd"))
