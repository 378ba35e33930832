"""Entering a hub's room and speaking with it (wire 3)."""

import hashlib
import hmac
import os
import select
import socket
import struct
import time

from primitives import Agreement, expand, extract, i64, item, lab, sha, u8, u32, u64, verifies
from wire import Refused, frame, frames, ids, integer, items

OPEN, CHALLENGE, ENTER, ENTERED, REFUSED, PRESENCE, SEND, DELIVER, PROBE, PING, PONG, LEAVE = range(1, 13)


class Hub:
    """One connection to a hub: enters the door's room, then carries envelopes and measures the hub's clock."""

    def __init__(self, address, expected, door, signer):
        self.door = door
        self.signer = signer
        self.expected = expected
        self.entered = False
        self.clock_id = None
        self.present = {}  # id -> (connection number, when it was heard of)
        self._samples = []
        self._asked = {}
        self._number = 0
        self._next_probe = 0
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self._ephemeral = Agreement(os.urandom(32))
        self._open = item(1, b"unisono") + item(2, u8(1)) + item(3, u8(1)) + item(4, os.urandom(32))
        self._open += item(5, self._ephemeral.public)
        self._socket = socket.create_connection(address, timeout=30)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send(OPEN, self._open)

    def close(self):
        self._socket.close()

    def send(self, kind, body=b""):
        self._outgoing += frame(kind, body)

    def poll(self, timeout):
        """Waits for bytes, at most so many seconds; returns the envelopes that came."""
        if self.entered and time.monotonic_ns() >= self._next_probe:
            self._probe()
        readable, writable, _ = select.select([self._socket], [self._socket] if self._outgoing else [], [], timeout)
        if writable:
            del self._outgoing[: self._socket.send(self._outgoing)]
        if readable:
            data = self._socket.recv(65536)
            if not data:
                raise ConnectionError("the hub hung up")
            self._incoming += data
        return [envelope for kind, body in frames(self._incoming) if (envelope := self._take(kind, body))]

    # What the hub says

    def _take(self, kind, body):
        if kind == CHALLENGE:
            self._answer(body)
        elif kind == ENTERED:
            found = items(body)
            self._join(found[2])
            self._token = found[3]
            self.entered = True
        elif kind == REFUSED:
            raise ConnectionRefusedError(items(body).get(2, b"").decode() or "the hub refused")
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
            self.present[member[:16]] = (member[16:24], now - age)

    @property
    def others_by_age(self):
        others = (participant for participant in self.present if participant != self.signer.id)
        return sorted(others, key=lambda participant: (self.present[participant][1], participant))

    def _answer(self, challenge):
        found = items(challenge)
        unsigned = challenge[: -(4 + 64)]
        transcript = sha(lab("handshake") + u32(len(self._open)) + self._open + u32(len(unsigned)) + unsigned)
        if integer(found[1], ">B") != 1:
            raise Refused("the hub speaks another version")
        if not verifies(found[4], found[255], lab("hub") + transcript):
            raise Refused("the hub did not sign what was said")
        if self.expected and sha(found[4])[:16] != self.expected:
            raise Refused("another hub than the invite names")
        self.clock_id = found[5]
        self._probe_key = expand(extract(transcript, self._ephemeral.agree(found[3])), lab("probe"))
        claim = transcript + self.door.topic + self.signer.public
        self.send(
            ENTER,
            item(1, self.door.topic)
            + item(2, self.signer.public)
            + item(3, self.door.key.sign(lab("enter") + claim))
            + item(4, self.signer.sign(lab("seat") + claim)),
        )

    # The hub's clock, asked inside the connection

    def _probe(self):
        self._number += 1
        head = b"UNI\1" + u8(1) + bytes(3) + self._token + u64(self._number) + bytes(8) + i64(0) + i64(0)
        now = time.monotonic_ns()
        self._asked[self._number] = now
        self.send(PROBE, head + hmac.new(self._probe_key, head, hashlib.sha256).digest()[:16])
        self._next_probe = now + (100_000_000 if self._number < 16 else 1_000_000_000)

    def _measure(self, packet):
        now = time.monotonic_ns()
        code = hmac.new(self._probe_key, packet[:48], hashlib.sha256).digest()[:16]
        number = struct.unpack(">Q", packet[16:24])[0]
        if len(packet) != 64 or packet[48:] != code or number not in self._asked:
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
