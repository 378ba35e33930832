"""Group session: a whole run as the frames that were on the wire, in order.

A makes a session at a hub; B comes with the invite, is welcomed, gets the state and commands; both talk; B leaves.
"""

from common import (
    A, A_KEX, A_XWING, B, B_KEX, B_XWING, C0, C1, DOOR, DOOR_SECRET, FOUNDING, HUB, LANE, NO_EPOCH, ORIGIN, SESSION, STEP, TOPIC,
    Entry, XWing, b32, case, hybrid_seal, invite_key, i64, item, lab, make_header, make_intro, seal, seed, send_key, sha,
    signed_plain, u8, u16, u32, u64,
)
from frames import f64, key, signed, statement
from links import link_plain, link_seal
from some import make_private

B_LANE = bytes.fromhex("0000000108090a0b0c0d0e0f")
# Made for B's HELLO alone.
B_FRESH = XWing(seed("test run B hello"))
ORIGIN_POLICY = sha(b"")[:16]
OPEN, CHALLENGE, ENTER, ENTERED = range(1, 5)
SEND, DELIVER, IDENTITY = 7, 8, 14


class Speaker:
    """One side of the room: its lane, its counters, the record that it speaks in."""

    def __init__(self, signer, lane):
        self.signer, self.lane, self.record, self.chain = signer, lane, FOUNDING, C0
        self.counters = [0, 0, 0]

    def header(self, kind):
        header = make_header(kind, self.record.epoch if kind else NO_EPOCH, self.signer.id, self.lane, self.counters[kind])
        self.counters[kind] += 1
        return header

    def seal(self, content, kind=1, header=None):
        header = header or self.header(kind)
        chain = self.chain if kind else DOOR.chain
        text = signed_plain(self.signer, header, content)[1]
        return seal(send_key(chain, TOPIC, kind, self.signer.id, self.lane), header, text)


class Run:
    def __init__(self):
        self.frames, self.links, self.counters = [], {}, {}
        self.a, self.b = Speaker(A, LANE), Speaker(B, B_LANE)

    def frame(self, source, to, kind, body, content=None, what=None):
        """A frame as records carry it, and the bytes that are on the wire."""
        entry = {"from": source, "to": to, "frame": u32(len(body) + 1) + u8(kind) + body}
        entry["wire"] = entry["frame"] if kind in (OPEN, CHALLENGE) else self._sealed(source, to, kind, body)
        if content is not None:
            entry["content"] = content
        if what:
            entry["comment"] = what
        self.frames.append(entry)

    def _sealed(self, source, to, kind, body):
        entry = self.links[to if source == "hub" else source]
        key = entry.down if source == "hub" else entry.up
        counter = self.counters.get((source, to), 0)
        self.counters[source, to] = counter + 1
        return link_seal(key, counter, link_plain(kind, body))

    def enter(self, name, signer, entered):
        entry = self.links[name] = Entry(names=(f"{name} client", f"{name} hub"))
        self.frame(name, "hub", OPEN, entry.open)
        self.frame("hub", name, CHALLENGE, entry.challenge)
        self.frame("hub", name, IDENTITY, entry.identity())
        self.frame(name, "hub", ENTER, entry.enter(seat_key=signer))
        self.frame("hub", name, ENTERED, entered)

    def say(self, source, content, to=None, kind=1, header=None, heard=True, what=None):
        """Through the hub to the other one, if that is there."""
        speaker, other = (self.a, "B") if source == "A" else (self.b, "A")
        envelope = speaker.seal(content, kind, header)
        directed = item(1, (B if other == "B" else A).id) if to else b""
        self.frame(source, "hub", SEND, directed + item(255, envelope), content, what)
        if heard:
            self.frame("hub", other, DELIVER, item(255, envelope), content)


def entered(connection, members):
    listed = b"".join(sorted(who.id + u64(number) + u32(age) for who, number, age in members))
    head = item(1, u64(connection)) + item(2, listed) + item(3, seed(f"token {connection}")[:8])
    return head + item(4, u16(7400)) + item(5, u32(262_144)) + item(6, u32(262_144))


def written(author, register, name, value, time):
    body = statement(register, name, value, time, author)
    return item(1, signed(body.replace(item(4, bytes(16)), item(4, ORIGIN_POLICY)), author))


def session():
    run = Run()
    intro_a, intro_b = make_intro(A, A.public, A_KEX.public), make_intro(B, B.public, B_KEX.public)

    run.enter("A", A, entered(1, [(A, 1, 0)]))
    run.enter("B", B, entered(2, [(A, 1, 3), (B, 2, 0)]))
    run.frame("hub", "A", 6, item(1, B.id + u64(2) + u32(0)))

    hello = u8(2) + item(1, intro_b) + item(4, B_FRESH.public)
    run.say("B", hello, to=True, kind=0, what="asks to be let in")
    info = lab("welcome") + SESSION + TOPIC + A.id + B.id + sha(hello)
    for speaker in (run.a, run.b):
        speaker.record, speaker.chain = STEP, C1
    text = item(1, STEP.bytes) + item(2, C1) + item(3, FOUNDING.bytes) + item(3, STEP.bytes) + item(6, A.id + B.id)
    sealed = hybrid_seal(B_FRESH, info, text, "test run welcome")
    run.say("A", u8(3) + item(1, intro_a) + item(2, sealed), to=True, kind=0, what="by a record that names it; nobody else is there to be told")

    run.say("B", u8(7), to=True, what="asks for everything")
    activity = item(1, u8(1)) + item(2, b"org.example.film") + item(3, b"Film")
    me_a = item(1, u64(1)) + item(2, b"film") + item(12, b"Ann")
    known = written(A, 4, b"", activity, 1_000) + written(A, 8, A.id, me_a, 2_000)
    known = b"".join(b"\3" + part[1:] for part in _split(known))
    run.say("A", u8(8) + item(1, u16(0)) + item(2, u16(1)) + known, to=True)
    me_b = item(1, u64(2)) + item(2, b"film") + item(12, b"Ben")
    run.say("B", u8(4) + written(B, 8, B.id, me_b, 3_000))

    place = item(1, u8(2)) + item(2, i64(0))
    rate = item(1, u8(2)) + item(2, f64(1)) + item(3, i64(0)) + item(4, key(time=4_000, policy=ORIGIN_POLICY))
    play = written(A, 6, b"film", place, 4_000) + written(A, 5, b"film", rate, 4_001)
    run.say("A", u8(4) + play, what="plays")
    pair = item(1, key(time=4_001, policy=ORIGIN_POLICY)) + item(2, key(time=4_000, policy=ORIGIN_POLICY))
    line = pair + item(3, u32(1)) + item(4, u8(1)) + item(5, u16(2)) + item(6, i64(250_004_001))
    run.say("A", u8(4) + written(A, 7, b"film", line, 4_002), what="all are ready: from here on")
    there = item(1, u8(2)) + item(2, i64(60_000_000_000))
    run.say("B", u8(4) + written(B, 6, b"film", there, 900_000_000), what="seeks")
    beat = item(1, seed("test digest")) + item(2, i64(900_000_000)) + item(3, u32(900)) + item(4, u32(1_200))
    run.say("B", u8(5) + beat)

    run.say("B", u8(9) + item(1, u64(1)) + item(2, b"hello, Ann"))
    header = run.a.header(1)
    text = u8(9) + item(1, u64(1)) + item(2, b"for Ben alone")
    run.say("A", make_private(header, [(B.id, B_KEX)], text), to=True, header=header)
    run.say("A", u8(9) + item(1, u64(0)) + item(2, b"quick"), kind=2, what="unreliable")
    run.say("A", u8(10) + item(4, b"Look at this"))
    run.say("B", u8(20))
    run.frame("B", "hub", 12, b"")
    run.frame("hub", "A", 6, item(3, B.id + u64(2)))

    given = {
        "invite": f"unisono://192.168.1.5:7400/{b32(HUB.id)}/{invite_key(ORIGIN, DOOR_SECRET)}",
        "chain": C0,
        "people": [
            {"name": "A", "seed_sign": A.seed, "seed_kex": A_KEX.seed, "seed_xwing": A_XWING.seed, "lane": LANE, "up": run.links["A"].up, "down": run.links["A"].down},
            {"name": "B", "seed_sign": B.seed, "seed_kex": B_KEX.seed, "seed_xwing": B_XWING.seed, "lane": B_LANE, "seed_hello": B_FRESH.seed,
             "up": run.links["B"].up, "down": run.links["B"].down},
        ],
    }
    return [case("two people, from the first byte to the last", given, {"frames": run.frames})]


def _split(items):
    while items:
        length = 4 + int.from_bytes(items[1:4], "big")
        yield items[:length]
        items = items[length:]
