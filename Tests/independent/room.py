"""The sealed room: door, welcome, epochs, envelopes (wire 2, 4, 5)."""

import os
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from invite import Invite
from primitives import Agreement, Signer, expand, extract, hpke_open, item, lab, sha, u8, u32, u64, verifies
from wire import Refused, integer, items, padded_length

__all__ = ["Door", "Header", "Invite", "Room"]

DOOR, ORDERED, UNORDERED = range(3)
INTRO, HELLO, WELCOME, UPDATE, BEAT, HAVE, WANT, SNAPSHOT, DATA, NOTICE = range(1, 11)
IGNORING = 18
WHO = 13
MAX_STEP = 64


class Door:
    def __init__(self, session, secret):
        root = extract(session, secret)
        self.key = Signer(expand(root, lab("topic")))
        self.topic = self.key.public
        self.chain = expand(root, lab("door") + self.topic)


class Header:
    """The 50 clear bytes of an envelope."""

    FORM = struct.Struct(">BB8sI16s12sQ")

    def __init__(self, kind, epoch, generation, sender, lane, counter):
        self.kind, self.epoch, self.generation = kind, epoch, generation
        self.sender, self.lane, self.counter = sender, lane, counter
        self.bytes = self.FORM.pack(1, kind, epoch, generation, sender, lane, counter)

    @classmethod
    def read(cls, envelope):
        if len(envelope) < 194:
            raise Refused("truncated")
        form, *rest = cls.FORM.unpack(envelope[:50])
        if form != 1 or rest[0] > UNORDERED:
            raise Refused("format")
        return cls(*rest)


class Room:
    """What is needed to speak inside a room and to understand the others."""

    def __init__(self, invite, name, signer=None, agreement=None, lane=None, hello_key=None):
        """Keys and lane are fresh where none are given."""
        self.session = sha(lab("session") + invite.origin)
        self.door = Door(self.session, invite.secret)
        self.signer = signer or Signer(os.urandom(32))
        self.agreement = agreement or Agreement(os.urandom(32))
        self.lane = lane or u32(1) + os.urandom(8)
        self._hello_key = hello_key
        self.roster = {}  # id -> (signing key, intro)
        self.epoch = None  # id, generation, chain
        self._counters = {DOOR: 0, ORDERED: 0}
        self._newest = {}  # (sender, lane, kind) -> counter
        body = item(1, self.signer.public) + item(2, self.agreement.public)
        self.intro = item(1, body) + item(2, self.signer.sign(lab("intro") + self.session + body))
        self.meet(self.intro)

    # Who is who

    def meet(self, intro):
        """Takes an introduction and returns whose it is."""
        outer = items(intro)
        body = items(outer[1])
        participant = sha(body[1])[:16]
        if not verifies(body[1], outer[2], lab("intro") + self.session + outer[1]):
            raise Refused("an introduction that its owner did not sign")
        self.roster.setdefault(participant, (body[1], intro))
        return participant

    # Sealing

    def hello(self):
        """Asks for the key: the answer is sealed to one that is made for it."""
        self._answer_key = self._hello_key or Agreement(os.urandom(32))
        self._hello = u8(HELLO) + item(1, self.intro) + item(4, self._answer_key.public)
        return self.seal_at_door(self._hello)

    def seal_at_door(self, content):
        """An envelope for whoever has the invite."""
        return self._seal(DOOR, content)

    def seal(self, content):
        """Envelopes to send: the introduction goes before everything else."""
        first = [self._seal(ORDERED, u8(INTRO) + item(1, self.intro))] if self._counters[ORDERED] == 0 else []
        return first + [self._seal(ORDERED, content)]

    def _seal(self, kind, content):
        epoch, generation, chain = self.epoch if kind else (bytes(8), 0, self.door.chain)
        header = Header(kind, epoch, generation, self.signer.id, self.lane, self._counters[kind])
        self._counters[kind] += 1
        text = lab("message") + self.session + self.door.topic + header.bytes + content
        plain = self.signer.sign(text) + u32(len(content)) + content
        plain += bytes(padded_length(len(content)) - len(plain))
        return header.bytes + AESGCM(self._key(chain, header)).encrypt(self._nonce(header), plain, header.bytes)

    def _key(self, chain, header):
        return expand(chain, lab("send") + self.door.topic + u8(header.kind) + header.sender + header.lane)

    @staticmethod
    def _nonce(header):
        return bytes(4) + u64(header.counter)

    # Opening

    def open(self, envelope):
        """Sender and content; raises what is wrong with it."""
        header = Header.read(envelope)
        chain = self._chain(header)
        try:
            plain = AESGCM(self._key(chain, header)).decrypt(self._nonce(header), envelope[50:], header.bytes)
        except InvalidTag:
            raise Refused("seal") from None
        length = struct.unpack(">I", plain[64:68])[0]
        content = plain[68 : 68 + length]
        if not content or len(plain) != padded_length(length) or any(plain[68 + length :]):
            raise Refused("padding")
        if content[0] in (HELLO, WELCOME) or (content[0] == INTRO and header.counter == 0):
            if self.meet(items(content[1:], lists=(3, 4))[1]) != header.sender:
                raise Refused("introduced as another")
        if header.sender not in self.roster:
            raise Refused("not introduced")
        text = lab("message") + self.session + self.door.topic + header.bytes + content
        if not verifies(self.roster[header.sender][0], plain[:64], text):
            raise Refused("not signed by its sender")
        self._advance(header, chain)
        return header.sender, content

    def _chain(self, header):
        if header.kind == DOOR:
            return self.door.chain
        if not self.epoch or header.epoch != self.epoch[0]:
            raise Refused("unknown epoch")
        if header.counter <= self._newest.get((header.sender, header.lane, header.kind), -1):
            raise Refused("replayed")
        steps = header.generation - self.epoch[1]
        if steps == -1:
            return self._previous
        if not 0 <= steps <= MAX_STEP:
            raise Refused("generation")
        chain = self.epoch[2]
        for _ in range(steps):
            chain = expand(chain, lab("next"))
        return chain

    def _advance(self, header, chain):
        if header.kind == DOOR:
            return
        self._newest[header.sender, header.lane, header.kind] = header.counter
        if header.generation > self.epoch[1]:
            self._previous = self.epoch[2]
            self.epoch = (header.epoch, header.generation, chain)

    def take_welcome(self, sender, content):
        found = items(content[1:], lists=(3, 4))
        info = lab("welcome") + self.session + self.door.topic + sender + self.signer.id + sha(self._hello)
        plain = hpke_open(self._answer_key, info, found[2])
        self.epoch = (plain[:8], integer(plain[8:12], ">I"), plain[12:44])
        self._previous = None
        for intro in found[3]:
            self.meet(intro)
