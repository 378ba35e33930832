"""A hub of its own (wire 3): admits, forwards, keeps word, tells time. For tests, and for lies (hostile.py): it has none of the limits
that a hub among strangers needs (wire 10)."""

import os
import selectors
import socket
import struct
import threading
import time

from hub import probe_code
from invite import Address, HubAddress, Line
from link import (
    CHALLENGE, DELIVER, ENTER, ENTERED, IDENTITY, KEEP, LEAVE, OPEN, PING, PONG, PRESENCE, PROBE, REFUSED, SEND, HubSide,
    Opener, Sealer, check_pass, record_length,
)
from primitives import Signer, i64, item, u8, u16, u32, u64
from shapes import check
from wire import Refused, frame, frames, ids, items

ECLOSED, EVERSION, EAUTH, EFULL = -103, -108, -109, -111
UNENTERED, UNENTERED_TIME = 4_096, 10.0
PING_AFTER, SILENCE = 5.0, 15.0


class Seat:
    """One connection. `raw`: all that came; `heard`: types of frames in order, in clear or of records that opened."""

    def __init__(self, stream, side):
        self.stream, self.side = stream, side
        self.token = os.urandom(8)
        self.claim = self.sealer = self.opener = None
        self.incoming, self.outgoing, self.raw, self.heard = bytearray(), bytearray(), bytearray(), []
        self.began = self.last = self.pinged = time.monotonic()
        self.is_ending = False

    def say(self, kind, body=b""):
        self.outgoing += self.sealer.seal(kind, body)

    def say_clear(self, kind, body=b""):
        self.outgoing += frame(kind, body)

    @property
    def id(self):
        return self.claim.participant

    @property
    def place(self):
        return self.id + u64(self.claim.turn)

    @property
    def member(self):
        return self.place + u32(int((time.monotonic() - self.began) * 1_000))

    def frames(self):
        """What came, opened; ends with an exception where something does not open."""
        while len(self.incoming) >= 4:
            if self.opener:
                length = record_length(self.incoming)
            else:
                length = 4 + struct.unpack_from(">I", self.incoming)[0]
            if not self.claim and length > UNENTERED:
                raise Refused("count")
            if len(self.incoming) < length:
                return
            whole = bytearray(self.incoming[:length])
            del self.incoming[:length]
            kind, body = self.opener.open(bytes(whole)) if self.opener else next(frames(whole))
            self.heard.append(kind)
            yield kind, body


class HubServer:
    """`secret`: what tokens are made from; with it rooms are opened by passes alone. `turn` it, or `start` a thread that does."""

    def __init__(self, signer=None, secret=None, host="127.0.0.1", port=0):
        self.signer = signer or Signer(os.urandom(32))
        self.clock = os.urandom(16)
        self.secret = secret
        self.seats = []
        self.seen = []  # every connection that there was
        self.kept = {}  # topic -> envelope
        self.lock = threading.RLock()
        self._thread = None
        self._listener = socket.create_server((host, port), backlog=64)
        self._listener.setblocking(False)
        self.address = self._listener.getsockname()[:2]
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)

    @property
    def id(self):
        return self.signer.id

    @property
    def line(self):
        return f"unisono-hub://{self.hub_address.text}"

    @property
    def hub_address(self):
        host, port = self.address
        return HubAddress(Address(f"{host}:{port}"), self.id)

    def start(self):
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def _run(self):
        while self._thread:
            self.turn(0.005)

    def close(self):
        thread, self._thread = self._thread, None
        if thread:
            thread.join(5)
        with self.lock:
            for seat in list(self.seats):
                self._end(seat)
            self._selector.close()
            self._listener.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()

    # Connections

    def turn(self, timeout):
        for key, _ in self._selector.select(timeout):
            with self.lock:
                self._accept() if key.data is None else self._read(key.data)
        with self.lock:
            self._tend()
            for seat in list(self.seats):
                self._write(seat)

    def _accept(self):
        stream, _ = self._listener.accept()
        stream.setblocking(False)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        side = HubSide(self.signer, self.clock, os.urandom(32), asks=self.secret is not None)
        seat = Seat(stream, side)
        self.seats.append(seat)
        self.seen.append(seat)
        self._selector.register(stream, selectors.EVENT_READ, seat)

    def _read(self, seat):
        try:
            data = seat.stream.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            return self._end(seat)
        seat.last = time.monotonic()
        seat.incoming += data
        seat.raw += data
        try:
            for kind, body in seat.frames():
                if seat.is_ending:
                    return
                self.take(seat, kind, body)
        except Refused:
            self._end(seat)

    def _write(self, seat):
        try:
            del seat.outgoing[: seat.stream.send(seat.outgoing)]
        except BlockingIOError:
            pass
        except OSError:
            self._end(seat)
        if seat.is_ending and not seat.outgoing:
            self._end(seat)

    def _tend(self):
        now = time.monotonic()
        for seat in list(self.seats):
            if now - seat.last > SILENCE or not seat.claim and now - seat.began > UNENTERED_TIME:
                self._end(seat)
            elif seat.claim and now - max(seat.last, seat.pinged) > PING_AFTER:
                seat.pinged = now
                self.tell(seat, PING, item(1, u64(1)))

    def _end(self, seat, left=False):
        if seat not in self.seats:
            return
        self.seats.remove(seat)
        self._selector.unregister(seat.stream)
        seat.stream.close()
        if seat.claim and not seat.claim.looks:
            for other in self.room(seat):
                self.tell(other, PRESENCE, item(3 if left else 2, seat.place))

    def end(self, seat):
        """Hangs up once all that was said is out."""
        seat.is_ending = True

    # What is said

    def tell(self, seat, kind, body=b""):
        """All that a hub says behind IDENTITY goes this way."""
        seat.say(kind, body)

    def refuse(self, seat, status, text=b"", retry=None):
        waits = item(3, u32(retry)) if retry is not None else b""
        self.tell(seat, REFUSED, item(1, struct.pack(">i", status)) + (item(2, text) if text else b"") + waits)
        self.end(seat)

    def room(self, seat):
        """The others in it."""
        return [other for other in self.seats if other is not seat and other.claim and other.claim.topic == seat.claim.topic]

    def take(self, seat, kind, body):
        if kind in (OPEN, ENTER) or kind < 128 and seat.claim:
            check("hub", kind, body)
        if not seat.opener:
            self._open(seat, kind, body)
        elif not seat.claim:
            self._enter(seat, kind, body)
        elif kind == SEND:
            self._forward(seat, items(body))
        elif kind == KEEP:
            self.kept[seat.claim.topic] = items(body)[255]
        elif kind == PING:
            self.tell(seat, PONG, body)
        elif kind == PROBE:
            self._answer(seat, body, self.time_for(seat))
        elif kind == LEAVE:
            self._end(seat, left=True)

    def _open(self, seat, kind, body):
        if kind != OPEN:
            raise Refused("order")
        try:
            challenge = seat.side.take_open(body)
        except Refused as reason:
            if str(reason) == "version":
                seat.say_clear(REFUSED, item(1, struct.pack(">i", EVERSION)))
                return self.end(seat)
            raise
        seat.say_clear(CHALLENGE, challenge)
        seat.sealer, seat.opener = Sealer(seat.side.keys.down), Opener(seat.side.keys.up)
        self._identify(seat)

    def _identify(self, seat):
        seat.say(IDENTITY, seat.side.identity)

    def _enter(self, seat, kind, body):
        try:
            if kind != ENTER:
                raise Refused("order")
            claim = seat.side.take_enter(body)
        except Refused:
            return self.refuse(seat, EAUTH)
        seat.claim = claim
        others = self.room(seat)
        if self.secret is not None and not others and not claim.looks and not self._is_paid(claim):
            seat.claim = None
            return self.refuse(seat, EAUTH)
        if claim.looks:
            seat.claim = None
            self.tell(seat, ENTERED, self._entered(claim, others, bytes(8)))
            return self.end(seat)
        if any(other.id == seat.id and other.claim.turn >= claim.turn for other in others):
            seat.claim = None
            return self.refuse(seat, ECLOSED)
        for older in [other for other in others if other.id == seat.id]:
            others.remove(older)
            self.refuse(older, ECLOSED)
        for other in others:
            self.tell(other, PRESENCE, item(1, seat.member))
        self.tell(seat, ENTERED, self._entered(claim, [*others, seat], seat.token))
        if claim.topic in self.kept:
            self.tell(seat, DELIVER, item(255, self.kept[claim.topic]))

    def _is_paid(self, claim):
        hour = int(time.time()) // 3_600
        try:
            return bool(claim.bought and check_pass(self.secret, self.id, claim.bought, hour))
        except Refused:
            return False

    @staticmethod
    def _entered(claim, members, token):
        listed = b"".join(sorted(member.member for member in members))
        body = item(1, u64(claim.turn)) + item(2, listed) + item(3, token)
        return body + item(4, u16(0)) + item(5, u32(262_144)) + item(6, u32(262_144))

    def _forward(self, seat, found):
        envelope = found[255]
        if envelope[14:30] != seat.id:
            raise Refused("another's id")
        named = ids(found[1]) if 1 in found else None
        for other in self.room(seat):
            if named is None or other.id in named:
                self.tell(other, DELIVER, item(255, envelope))

    def time_for(self, seat):
        return time.monotonic_ns()

    def _answer(self, seat, packet, received):
        key = seat.side.keys.probe
        if packet[:5] != b"UNI\1\1" or packet[8:16] != seat.token or packet[48:] != probe_code(key, packet[:48]):
            return
        head = packet[:4] + u8(2) + packet[5:32] + i64(received) + i64(self.time_for(seat))
        self.tell(seat, PROBE, head + probe_code(key, head))
