"""The link between a client and a hub: handshake and records, both sides (wire 3)."""

import hashlib
import hmac
import struct
import time

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from primitives import (
    XWING_ENCAPSULATED, XWING_PUBLIC, XWing, expand, extract, item, lab, sha, u8, u16, u32, u64, verifies,
    xwing_encapsulate, Agreement, signing_key,
)
from wire import Refused, boolean, fixed, integer, items, only, required

(
    OPEN, CHALLENGE, ENTER, ENTERED, REFUSED, PRESENCE, SEND, DELIVER, PROBE, PING, PONG, LEAVE, KEEP, IDENTITY,
) = range(1, 15)
IN_CLEAR = (OPEN, CHALLENGE, REFUSED)
VERSION = 2
# In which one enters.
MEMBER, PUBLISHER, LISTENER = range(3)
# Of u32 n: what counts after it; and of type and body together.
LEAST, MOST, MOST_FRAME = 144, 294_928, 262_144


# Records


def plain_length(kind, body):
    """Of a record that carries a body of this many bytes."""
    needed = 4 + body
    if kind == PROBE and needed <= 128:
        return 128
    unit = 2 ** (needed.bit_length() - 4)
    return max(640, -(-needed // unit) * unit)


class Sealer:
    """One direction of a link, at the end that sends."""

    def __init__(self, key):
        self._key = AESGCM(key)
        self.counter = 0

    def seal(self, kind, body=b""):
        return self.seal_plain(plain(kind, body))

    def seal_plain(self, text):
        head = u32(len(text) + 16)
        nonce = bytes(4) + u64(self.counter)
        self.counter += 1
        return head + self._key.encrypt(nonce, text, head)


class Opener:
    """One direction of a link, at the end that receives. After the first `Refused` nothing that comes can be opened."""

    def __init__(self, key):
        self._key = AESGCM(key)
        self.counter = 0

    def open(self, record):
        """Type and body of a whole record as it was on the wire."""
        record_length(record)
        try:
            text = self._key.decrypt(bytes(4) + u64(self.counter), record[4:], record[:4])
        except InvalidTag:
            raise Refused("seal") from None
        self.counter += 1
        return parse(text)


def plain(kind, body):
    text = u8(kind) + u32(len(body))[1:] + body
    return text + bytes(plain_length(kind, len(body)) - len(text))


def parse(text):
    """Type and body of a record's plain text."""
    kind, length = text[0], integer(b"\0" + text[1:4], ">I")
    if length > len(text) - 4:
        raise Refused("truncated")
    if length + 1 > MOST_FRAME:
        raise Refused("count")
    if any(text[4 + length :]):
        raise Refused("trailing")
    return kind, text[4 : 4 + length]


def record_length(data):
    """Bytes of the record that begins here, its length included."""
    length = struct.unpack_from(">I", data)[0]
    if length > MOST:
        raise Refused("count")
    if length < LEAST:
        raise Refused("truncated")
    return 4 + length


def records(buffer):
    """Cuts whole records from the front of a bytearray."""
    while len(buffer) >= 4 and len(buffer) >= (length := record_length(buffer)):
        record = bytes(buffer[:length])
        del buffer[:length]
        yield record


# Handshake


class Keys:
    """What a handshake ends in."""

    def __init__(self, open_body, challenge, secret):
        self.transcript = sha(
            lab("handshake") + u32(len(open_body)) + open_body + u32(len(challenge)) + challenge)
        root = extract(self.transcript, secret)
        self.up, self.down, self.probe = (expand(root, lab(name)) for name in ("up", "down", "probe"))

    def claim(self, hub, topic, signer, turn, role=MEMBER):
        """What a client signs twice, behind the labels: `hub` and `signer` are public keys."""
        return self.transcript + hub + topic + signer + u32(turn) + u8(role)


def certify(signer, hub, until):
    """A set's word that the hub of this id is one of its, until this hour since 1970. `signer`: the set's."""
    return signer.public + u32(until) + signer.sign(lab("set") + hub + u32(until))


def is_certified(hub, certificate):
    """Whether the key in it signed the certificate for this hub."""
    key, until, signature = certificate[:32], certificate[32:36], certificate[36:]
    try:
        signing_key(key)
    except Refused:
        return False
    return verifies(key, signature, lab("set") + hub + until)


class ClientSide:
    """From OPEN to ENTER. `expected`: the id that the invite tells, the hub's or its set's. `hour`: now, since 1970; None: the clock's."""

    def __init__(self, expected, seed, nonce, hour=None):
        self.expected = expected
        self._hour = int(time.time() // 3_600) if hour is None else hour
        self._key = XWing(seed)
        self.open = item(1, b"unisono") + item(2, u8(VERSION)) + item(3, u8(VERSION)) + item(4, nonce)
        self.open += item(5, self._key.public)

    def take_challenge(self, body):
        found = only(items(body), {1, 2, 3})
        version = integer(required(found, 1), ">B")
        fixed(required(found, 2), 32), fixed(required(found, 3), XWING_ENCAPSULATED)
        if version != VERSION:
            raise Refused("version")
        self.keys = Keys(self.open, body, self._key.open(found[3]))

    def take_identity(self, body):
        """The hub proves who it is: nothing was said to it before."""
        found = only(items(body), {1, 2, 3, 4, 255})
        key, self.clock = fixed(required(found, 1), 32), fixed(required(found, 2), 16)
        self.asks_for_pass = boolean(found.get(3, b"\0"))
        certificate = fixed(found[4], 100) if 4 in found else None
        signature = fixed(required(found, 255), 64)
        signing_key(key)
        self.hub = sha(key)[:16]
        if self.expected != self.hub:
            self._judge(certificate)
        if not verifies(key, signature, lab("hub") + self.keys.transcript):
            raise Refused("hubSignature")
        self.hub_key = key

    def _judge(self, certificate):
        """The hub is of the set that was meant, as the set says."""
        if certificate is None or sha(certificate[:32])[:16] != self.expected:
            raise Refused("wrongHub")
        if self._hour >= integer(certificate[32:36], ">I"):
            raise Refused("certificateOver")
        if not is_certified(self.hub, certificate):
            raise Refused("certificate")

    def enter(self, door, signer, turn, looks=False, bought=None, role=MEMBER):
        """`turn`: which of the signer's entries this is; a later one has a greater turn. Who listens needs the topic of `door` alone."""
        claim = self.keys.claim(self.hub_key, door.topic, signer.public, turn, role)
        body = item(1, door.topic) + item(2, signer.public)
        body += b"" if role == LISTENER else item(3, door.key.sign(lab("enter") + claim))
        body += item(4, signer.sign(lab("seat") + claim))
        body += (item(5, u8(1)) if looks else b"") + (item(6, bought) if bought else b"")
        return body + item(7, u32(turn)) + (item(8, u8(role)) if role else b"")


class HubSide:
    """From OPEN to ENTER, at the hub. `encapsulate`: encapsulated key and secret to a public key."""

    def __init__(self, signer, clock, nonce, asks=False, encapsulate=None, certificate=None):
        self.signer, self.clock, self.nonce, self.asks, self.certificate = signer, clock, nonce, asks, certificate
        self.shown = signer.public
        self._encapsulate = encapsulate or (lambda public: xwing_encapsulate(public, Agreement.fresh()))

    def take_open(self, body):
        """CHALLENGE's body."""
        found = only(items(body), {1, 2, 3, 4, 5})
        magic, lowest, highest = (required(found, tag) for tag in (1, 2, 3))
        lowest, highest = integer(lowest, ">B"), integer(highest, ">B")
        fixed(required(found, 4), 32), fixed(required(found, 5), XWING_PUBLIC)
        if fixed(magic, 7) != b"unisono" or lowest > highest:
            raise Refused("range")
        if not lowest <= VERSION <= highest:
            raise Refused("version")
        encapsulated, secret = self._encapsulate(found[5])
        challenge = item(1, u8(VERSION)) + item(2, self.nonce) + item(3, encapsulated)
        self.keys = Keys(body, challenge, secret)
        return challenge

    @property
    def identity(self):
        asking = item(3, u8(1)) if self.asks else b""
        signature = self.signer.sign(lab("hub") + self.keys.transcript)
        certified = item(4, self.certificate) if self.certificate else b""
        return item(1, self.shown) + item(2, self.clock) + asking + certified + item(255, signature)

    def take_enter(self, body):
        found = only(items(body), set(range(1, 9)))
        role = integer(found.get(8, b"\0"), ">B")
        role = role if role in (PUBLISHER, LISTENER) else MEMBER
        topic, shown = (fixed(required(found, tag), 32) for tag in (1, 2))
        enter = None if role == LISTENER and 3 not in found else fixed(required(found, 3), 64)
        seat = fixed(required(found, 4), 64)
        looks, bought = boolean(found.get(5, b"\0")), found.get(6)
        turn = integer(required(found, 7), ">I")
        if role == LISTENER and enter or role and looks:
            raise Refused("range")
        if bought is not None:
            fixed(bought, 38)
        signing_key(topic), signing_key(shown)
        claim = self.keys.claim(self.signer.public, topic, shown, turn, role)
        if not verifies(shown, seat, lab("seat") + claim):
            raise Refused("seatSignature")
        if role != LISTENER and not verifies(topic, enter, lab("enter") + claim):
            raise Refused("enterSignature")
        return Claim(topic, sha(shown)[:16], looks, bought, turn, role)


class Claim:
    """Who enters which room."""

    def __init__(self, topic, participant, looks, bought, turn, role=MEMBER):
        self.topic, self.participant, self.looks, self.bought, self.turn = topic, participant, looks, bought, turn
        self.role = role


# Passes (wire 3.7)


def token(secret, serial, until, rooms):
    head = u64(serial) + u32(until) + u16(rooms)
    return head + expand(extract(secret, lab("token") + head), lab("token"))


def make_pass(bought, hub, group):
    """Of a token, for one session; `group`: 8 random bytes."""
    return bought[:14] + group + _pass_code(bought[14:], hub, bought[:14] + group)


def check_pass(secret, hub, shown, hour, revoked=()):
    """Serial, rooms and group of a pass that is good in this hour since 1970."""
    if len(shown) != 38:
        raise Refused("length")
    serial, until, rooms = struct.unpack(">QIH", shown[:14])
    key = token(secret, serial, until, rooms)[14:]
    if not hmac.compare_digest(shown[22:], _pass_code(key, hub, shown[:22])):
        raise Refused("forged")
    if hour >= until:
        raise Refused("expired")
    if serial in revoked:
        raise Refused("revoked")
    return serial, rooms, shown[14:22]


def _pass_code(key, hub, head):
    return hmac.new(key, lab("pass") + hub + head, hashlib.sha256).digest()[:16]
