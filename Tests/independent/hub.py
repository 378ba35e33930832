"""Entering a hub's room and speaking with it: a client's connection (wire 3)."""

import hashlib
import hmac
import itertools
import os
import select
import socket
import struct
import time

from link import (
    CHALLENGE, DELIVER, ENTER, ENTERED, IDENTITY, MEMBER, OPEN, PING, PONG, PRESENCE, PROBE, REFUSED, SEND, ClientSide, Opener, Sealer,
    records,
)
from primitives import i64, u8, u64
from wire import Refused, frame, frames, ids, integer, items

__all__ = ["PING", "PONG", "SEND", "Hub", "HubRefused"]

# Which entry of its signer a connection is: of two the later counts.
_turns = itertools.count(1)


class HubRefused(ConnectionRefusedError):
    """The hub said so, in a record; or in clear, which proves nothing."""

    def __init__(self, body, clear):
        found = items(body)
        self.status = integer(found[1], ">i")
        self.clear = clear
        super().__init__(found.get(2, b"").decode() or f"the hub refused: {self.status}")


class Hub:
    """One connection to a hub: enters the door's room, then carries envelopes and measures the hub's clock."""

    def __init__(self, address, expected, door, signer, bought=None, role=MEMBER):
        """`role`: as what it enters; who listens needs no more of `door` than its topic."""
        self.door = door
        self.role = role
        self.signer = signer
        self.bought = bought
        self.entered = False
        self.clock_id = None
        self.present = {}  # id -> (turn, when it was heard of)
        self._samples = []
        self._asked = {}
        self._number = 0
        self._next_probe = 0
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self._side = ClientSide(expected, os.urandom(32), os.urandom(32))
        self._sealer = self._opener = None
        self._socket = self._connect(address)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._outgoing += frame(OPEN, self._side.open)

    def _connect(self, address):
        return socket.create_connection(address, timeout=30)

    @property
    def raw(self):
        return self._socket

    @property
    def id(self):
        """The hub's."""
        return self._side.hub

    @property
    def public(self):
        """The hub's key."""
        return self._side.hub_key

    @property
    def keys(self):
        return self._side.keys

    def close(self):
        self._socket.close()

    def record(self, kind, body=b""):
        """The next record, for somebody who sends it on the socket by himself."""
        return self._sealer.seal(kind, body)

    def send(self, kind, body=b""):
        self._outgoing += self.record(kind, body)

    def poll(self, timeout):
        """Waits for bytes, at most so many seconds; returns the envelopes that came."""
        if self.entered and time.monotonic_ns() >= self._next_probe:
            self._probe()
        readable, writable, _ = select.select([self._socket], [self._socket] if self._wants_to_write else [], [], timeout)
        if writable:
            self._write()
        if readable:
            self._incoming += self._read()
        return self.take(b"")

    @property
    def _wants_to_write(self):
        return bool(self._outgoing)

    def _write(self):
        del self._outgoing[: self._socket.send(self._outgoing)]

    def _read(self):
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the hub hung up")
        return data

    def take(self, data):
        """What the hub sent; returns the envelopes in it."""
        self._incoming += data
        return [envelope for kind, body in self._frames() if (envelope := self._take(kind, body))]

    def _frames(self):
        if not self._opener:
            for kind, body in frames(self._incoming):
                self._take_clear(kind, body)
                if self._opener:
                    break
        if self._opener:
            for record in records(self._incoming):
                yield self._opener.open(record)

    # What the hub says

    def _take_clear(self, kind, body):
        if kind == REFUSED:
            raise HubRefused(body, clear=True)
        if kind != CHALLENGE:
            raise Refused("order")
        self._side.take_challenge(body)
        self._sealer, self._opener = Sealer(self.keys.up), Opener(self.keys.down)

    def _take(self, kind, body):
        if not self.clock_id:
            # Nothing is believed before it is known who says it.
            if kind != IDENTITY:
                raise Refused("order")
            self._side.take_identity(body)
            self.clock_id = self._side.clock
            self.send(ENTER, self._side.enter(self.door, self.signer, next(_turns), bought=self.bought, role=self.role))
        elif kind == ENTERED:
            found = items(body, lists=(7,))
            self._join(found[2])
            self._token = found[3]
            self.entered = True
        elif kind == REFUSED:
            raise HubRefused(body, clear=False)
        elif kind == PRESENCE:
            found = items(body)
            self._join(found.get(1, b""))
            for member in ids(found.get(2, b"") + found.get(3, b""), 24):
                if self.present.get(member[:16], (None,))[0] == member[16:]:
                    del self.present[member[:16]]
        elif kind == DELIVER:
            return items(body)[255]
        elif kind == PING:
            self.send(PONG, body)
        elif kind == PROBE:
            self._measure(body)
        return None

    def _join(self, members):
        now = time.monotonic()
        for member in ids(members, 28):
            age = struct.unpack(">I", member[24:])[0]
            self.present[member[:16]] = (member[16:24], now - age / 1_000)

    @property
    def others_by_age(self):
        others = (participant for participant in self.present if participant != self.signer.id)
        return sorted(others, key=lambda participant: (self.present[participant][1], participant))

    # The hub's clock, asked inside the connection

    def _probe(self):
        self._number += 1
        head = b"UNI\1" + u8(1) + bytes(3) + self._token + u64(self._number) + bytes(8) + i64(0) + i64(0)
        now = time.monotonic_ns()
        self._asked[self._number] = now
        self.send(PROBE, head + probe_code(self.keys.probe, head))
        self._next_probe = now + (100_000_000 if self._number < 16 else 1_000_000_000)

    def _measure(self, packet):
        now = time.monotonic_ns()
        number = struct.unpack(">Q", packet[16:24])[0]
        if len(packet) != 64 or packet[48:] != probe_code(self.keys.probe, packet[:48]) or number not in self._asked:
            return
        sent = self._asked.pop(number)
        received, answered = struct.unpack(">qq", packet[32:48])
        trip = (now - sent) - (answered - received)
        self._samples = self._samples[-31:] + [(trip, ((received - sent) + (answered - now)) // 2)]

    @property
    def is_synchronised(self):
        return len(self._samples) >= 8

    @property
    def clock_offset(self):
        """The hub's clock minus time.monotonic_ns(), by the sample with the shortest trip."""
        return min(self._samples)[1]

    @property
    def round_trip(self):
        return min(self._samples)[0]


def probe_code(key, head):
    return hmac.new(key, head, hashlib.sha256).digest()[:16]
