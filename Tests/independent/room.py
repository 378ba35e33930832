"""The sealed room: door, welcome, roster records, envelopes (wire 2, 4, 5, 6)."""

import os
import struct
import time

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from invite import Invite
from primitives import Agreement, Signer, XWing, expand, extract, hybrid_open, hybrid_seal, item, lab, sha, u8, u32, u64, verifies
from records import PROOF, STEP, Proof, Record, roster_hash
from wire import Refused, items, padded_length, required

__all__ = ["Door", "Header", "Invite", "Room"]

DOOR, ORDERED, UNORDERED = range(3)
HELLO, WELCOME, UPDATE, BEAT, HAVE, WANT, SNAPSHOT, DATA, NOTICE = range(2, 11)
DECLINE = 19
IGNORING = 18
EPOCH, ASK = 21, 22
CHAT, REACTION, DIGEST, WANTED, HISTORY = range(28, 33)
FETCH, CHUNK, REFUSAL = 33, 34, 35
NO_EPOCH = bytes(12)
LATELY = 8.0


class Door:
    def __init__(self, session, secret):
        root = extract(session, secret)
        self.key = Signer(expand(root, lab("topic")))
        self.topic = self.key.public
        self.chain = expand(root, lab("door") + self.topic)


class Header:
    """The 50 clear bytes of an envelope."""

    FORM = struct.Struct(">BB12s16s12sQ")

    def __init__(self, kind, epoch, sender, lane, counter):
        self.kind, self.epoch = kind, epoch
        self.sender, self.lane, self.counter = sender, lane, counter
        self.bytes = self.FORM.pack(2, kind, epoch, sender, lane, counter)

    @classmethod
    def read(cls, envelope):
        if len(envelope) < 578:
            raise Refused("truncated")
        form, *rest = cls.FORM.unpack(envelope[:50])
        if form != 2 or rest[0] > UNORDERED:
            raise Refused("format")
        return cls(*rest)


class Known:
    """A record that is known here, with its roster."""

    def __init__(self, record, roster, founding):
        self.record, self.roster, self.founding = record, roster, founding


class Room:
    """What is needed to speak inside a room and to understand the others."""

    def __init__(self, invite, name, signer=None, agreement=None, hybrid=None, lane=None, hello_key=None, person=None):
        """Keys and lane are fresh where none are given. person: the secret of all devices of one."""
        self.origin = invite.origin
        self.session = sha(lab("session") + invite.origin)
        self.door = Door(self.session, invite.secret)
        self.scope = self.session + self.door.topic
        self.signer = signer or Signer(os.urandom(32))
        self.agreement = agreement or Agreement(os.urandom(32))
        self.hybrid = hybrid or XWing(os.urandom(32))
        self.lane = lane or u32(1) + os.urandom(8)
        self._hello_key = hello_key
        self.introduced = {}  # id -> (signing key, intro)
        self._persons = {}  # id -> of whose devices it is one
        self.records = {}  # record id -> Known
        self.keys = {}  # record id -> content key
        self.proofs = {}  # id -> the record that let it in
        self.current = None
        self._read = {}  # id -> (record id, when): who was read lately, and in which record
        self._counters = {DOOR: 0, ORDERED: 0}
        self._newest = {}  # (sender, lane, kind) -> counter
        body = item(1, self.signer.public) + item(2, self.agreement.public)
        if person:
            key = Signer(expand(extract(self.session, person), lab("person-key")))
            body += item(3, key.public) + item(4, key.sign(self._vouched(self.signer.id)))
        body += item(6, self.hybrid.public)
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
        if 3 in body:
            if not verifies(body[3], required(body, 4), self._vouched(participant)):
                raise Refused("vouch")
            self._persons.setdefault(participant, sha(lab("person-id") + body[3])[:16])
        self.introduced.setdefault(participant, (body[1], intro))
        return participant

    def _vouched(self, participant):
        return lab("person") + self.session + participant

    def person(self, participant):
        """Who shows none is one of its own."""
        return self._persons.get(participant, participant)

    @property
    def signing_keys(self):
        return {who: key for who, (key, _) in self.introduced.items()}

    @property
    def roster(self):
        return self.records[self.current].roster if self.current else []

    # Records

    def found(self):
        """Begins the session: the root's to do."""
        record, chain = Record.make(self.signer, self.scope, os.urandom(32), [self.signer.id], [self.signer.id])
        self._know(record, [self.signer.id], record.id)
        self.keys[record.id] = chain
        self.current = record.id

    def _know(self, record, roster, founding):
        self.records[record.id] = Known(record, roster, founding)
        for member in record.admitted:
            if member not in self.proofs or record.number < self.proofs[member].number:
                self.proofs[member] = record

    def learn(self, data):
        """Takes a step in whose parent is known; raises what is wrong with it."""
        record = Record(data, self.scope)
        if record.id in self.records:
            return
        parent = self.records.get(record.parent)
        if parent is None or record.kind != STEP:
            raise Refused("record")
        roster = parent.roster + record.admitted
        known = self.introduced.get(record.author)
        good = known and record.is_signed(known[0]) and record.number == parent.record.number + 1
        good = good and record.author in parent.roster and not set(record.admitted) & set(parent.roster)
        if not good or roster_hash(roster) != record.roster_hash or len(roster) > 512:
            raise Refused("record")
        if record.parent in self.keys:
            chain = record.key_from(self.keys[record.parent])
            if not record.fits(chain):
                raise Refused("record")
            self.keys[record.id] = chain
        self._know(record, roster, parent.founding)
        self.choose()

    def step(self, newcomers):
        """A record that lets these in; the message that tells the others."""
        parent = self.records[self.current]
        record, chain = Record.make(
            self.signer, self.scope, self.keys[self.current], newcomers, parent.roster + newcomers, parent.record)
        self._know(record, parent.roster + newcomers, parent.founding)
        self.keys[record.id] = chain
        told = u8(EPOCH) + item(1, record.bytes) + b"".join(item(2, self.introduced[who][1]) for who in newcomers)
        envelope = self._seal(ORDERED, told)
        self.current = record.id
        return envelope, [who for who in parent.roster if who != self.signer.id]

    def path(self, known, to):
        """The records after the last one before both."""
        before = set()
        while known in self.records:
            before.add(known)
            known = self.records[known].record.parent
        found = []
        while to not in before:
            if to not in self.records or len(found) == 32:
                return []
            found.insert(0, self.records[to].record)
            to = found[0].parent
        return found

    def follows(self, record, base):
        while record in self.records and record != base:
            record = self.records[record].record.parent
        return record == base

    def choose(self):
        """Speaks in the greatest record that follows from where the leader is: the most senior who was read lately, or itself."""
        if not self.current:
            return
        roster, now = self.roster, time.monotonic()
        lately = [who for who, (_, when) in self._read.items() if now - when <= LATELY and who in roster]
        leader = min([*lately, self.signer.id], key=roster.index)
        base = self.current if leader == self.signer.id else self._read[leader][0]
        readable = [known for known in self.keys if known in self.records and self.follows(known, base)]
        if readable:
            # The greatest number, then the lesser id.
            self.current = max(readable, key=lambda known: (self.records[known].record.number, [-byte for byte in known]))

    def proof(self, members, founding):
        """The records by which they came in, the founding one first."""
        found = {}
        for member in members:
            record = self.proofs[member]
            while record.number:
                found[record.id] = record
                record = self.proofs[record.author]
        if len(found) > 3 * PROOF:
            raise Refused("proof")
        return [self.records[founding].record, *sorted(found.values(), key=lambda record: (record.number, record.id))]

    # Being let in, and letting in

    def hello(self, reason=0):
        """Asks for the key: the answer is sealed to one that is made for it."""
        self._answer_key = self._hello_key or XWing(os.urandom(32))
        known = item(2, self.current) if self.current else b""
        known += item(3, u8(reason)) if reason else b""
        self._hello = u8(HELLO) + item(1, self.intro) + known + item(4, self._answer_key.public)
        return self.seal_at_door(self._hello)

    def welcome(self, newcomer, hello, levels=()):
        """Hands the key over to one who is on the roster."""
        known = self.records[self.current]
        asked = items(hello[1:])
        proof = self.proof([self.signer.id] + ([known.record.author] if known.record.kind == STEP else []), known.founding)
        since = self.path(asked[2], self.current) if asked.get(2) in self.records else []
        others = [who for who in known.roster if who not in (newcomer, self.signer.id) and who in self.introduced]
        text = item(1, known.record.bytes) + item(2, self.keys[self.current])
        text += b"".join(item(3, record.bytes) for record in proof) + b"".join(item(4, level) for level in levels)
        text += b"".join(item(5, self.introduced[who][1]) for who in others) + item(6, b"".join(known.roster))
        text += b"".join(item(7, record.bytes) for record in since)
        sealed = hybrid_seal(asked[4], self.welcome_info(self.signer.id, newcomer, hello), text)
        return self.seal_at_door(u8(WELCOME) + item(1, self.intro) + item(2, sealed))

    def welcome_info(self, welcomer, newcomer, hello):
        return lab("welcome") + self.scope + welcomer + newcomer + sha(hello)

    def take_welcome(self, sender, content):
        """Speaks in the record that a welcome proves; raises what is wrong with it."""
        sealed = items(content[1:])[2]
        try:
            text = hybrid_open(self._answer_key, self.welcome_info(sender, self.signer.id, self._hello), sealed)
        except InvalidTag:
            raise Refused("seal") from None
        found = items(text, lists=(3, 4, 5, 7))
        for tag in (1, 2, 6):
            required(found, tag)
        for intro in found[5]:
            self.meet(intro)
        proof = Proof(
            found, found[2], self.origin, self.session, self.door.topic, sender, self.signer.id, self.signing_keys)
        self._know(proof.founding, proof.founding.admitted, proof.founding.id)
        for step in proof.steps:
            for member in step.admitted:
                self.proofs.setdefault(member, step)
        self._know(proof.record, proof.roster, proof.founding.id)
        self.keys[proof.record.id] = found[2]
        self.current = proof.record.id
        self._read[sender] = (proof.record.id, time.monotonic())
        return proof

    # Sealing

    def seal_at_door(self, content):
        """An envelope for whoever has the invite."""
        return self._seal(DOOR, content)

    def seal(self, content, under=None):
        """An envelope for the readers of a record: the present one, or another."""
        return self._seal(ORDERED, content, under)

    def _seal(self, kind, content, under=None):
        record = under or self.current
        epoch, chain = (record[:12], self.keys[record]) if kind else (NO_EPOCH, self.door.chain)
        header = Header(kind, epoch, self.signer.id, self.lane, self._counters[kind])
        self._counters[kind] += 1
        text = lab("message") + self.scope + header.bytes + content
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
        record = None if header.kind == DOOR else self._record(header)
        chain = self.keys[record] if record else self.door.chain
        try:
            plain = AESGCM(self._key(chain, header)).decrypt(self._nonce(header), envelope[50:], header.bytes)
        except InvalidTag:
            raise Refused("seal") from None
        length = struct.unpack(">I", plain[64:68])[0]
        content = plain[68 : 68 + length]
        if not content or len(plain) != padded_length(length) or any(plain[68 + length :]):
            raise Refused("padding")
        if header.kind == DOOR and content[0] in (HELLO, WELCOME, DECLINE):
            if self.meet(items(content[1:])[1]) != header.sender:
                raise Refused("introduced as another")
        if header.sender not in self.introduced:
            raise Refused("not introduced")
        text = lab("message") + self.scope + header.bytes + content
        if not verifies(self.introduced[header.sender][0], plain[:64], text):
            raise Refused("not signed by its sender")
        if record:
            self._newest[header.sender, header.lane, header.kind] = header.counter
            if content[0] not in (EPOCH, ASK):
                self._read[header.sender] = (record, time.monotonic())
            self.choose()
        return header.sender, content

    def _record(self, header):
        record = next((known for known in self.keys if known[:12] == header.epoch and known in self.records), None)
        if record is None:
            raise Refused("unknown epoch")
        if header.sender not in self.records[record].roster:
            raise Refused("not on the roster")
        if header.counter <= self._newest.get((header.sender, header.lane, header.kind), -1):
            raise Refused("replayed")
        return record
