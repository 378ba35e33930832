"""Group frames: each frame, message and register once as small and once as full as it may be (wire 11.3)."""

import struct

from common import (
    A, A_KEX, A_XWING, B, B_KEX, C0, CLOCK, EPOCH, FOUNDING, LANE, SESSION, STEP, TOPIC, Entry, case, i64, item, lab, make_header,
    make_certificate, make_intro, seal, seed, send_key, signed_plain, u8, u16, u32, u64,
)
from levels import make_level
from links import PASS
from some import make_private

COMMAND = 2
LATE = 2**63 - 1
ENTRY = bytes(range(16))
# The last of A's places for attachments.
PLACE = A.id + u8(15)
# 6 hours, ns.
CUT = 21_600_000_000_000
# 7 days, s.
WEEK = 604_800


def f64(value):
    return struct.pack(">d", value)


def key(rank=COMMAND, time=1_000, author=A.id, policy=bytes(16)):
    return policy + u8(rank) + i64(time) + author


def wait(reason, limit=None):
    return item(1, reason.encode()) + (item(2, u32(limit)) if limit is not None else b"")


def envelope(content, kind=1, counter=0, signer=A):
    header = make_header(kind, EPOCH, signer.id, LANE, counter)
    return seal(send_key(C0, TOPIC, kind, signer.id, LANE), header, signed_plain(signer, header, content)[1])


def statement(register, name, value, time=1_000, author=A):
    named = item(2, name) if name else b""
    return item(1, u8(register)) + named + item(3, author.id) + item(4, bytes(16)) + item(5, i64(time)) + item(6, value)


def signed(body, author=A):
    return item(1, body) + item(2, author.sign(lab("statement") + SESSION + body))


def chat_body(number, time, text, about=None, at=None, name=None):
    body = item(1, A.id) + item(2, u64(number)) + item(3, i64(time)) + item(4, text.encode())
    for tag, more in [(5, about and about.encode()), (6, at and i64(at)), (7, name and name.encode())]:
        body += item(tag, more) if more else b""
    return body


def said(body, author=A):
    """An entry of the chat."""
    return item(1, body) + item(2, author.sign(lab("chat") + SESSION + body))


def another_cut(entry, offset):
    return item(1, entry) + item(2, i64(offset))


def a_clock(name, rate=0):
    """In CLOCKS."""
    return name + i64(1) + u32(rate % 2**32) + u32(2) + u16(3) + u16(4)


def a_range(begin, end, kind):
    """Of an entry; times in s."""
    return i64(begin * 10**9) + i64(end * 10**9) + u8(kind)


def _hub_frames():
    run = Entry()
    members = b"".join(sorted((A.id + u64(1) + u32(0), B.id + u64(2) + u32(90))))
    sealed = envelope(b"\x14")
    ids = b"".join(sorted((A.id, B.id)))
    probe = b"UNI\1" + u8(1) + bytes(3) + seed("token")[:8] + u64(9) + bytes(8) + bytes(16) + seed("mac")[:16]
    yield "OPEN", 1, run.open, None
    yield "CHALLENGE", 2, run.challenge, None
    yield "ENTER", 3, run.enter(), run.enter(looks=True, bought=PASS)
    yield "ENTER of a listener", 3, run.enter(role=2), None
    yield "ENTER of a publisher", 3, run.enter(role=1), run.enter(role=1, bought=PASS)
    limits = item(5, u32(262_144)) + item(6, u32(262_144))
    head = item(1, u64(1))
    advertised = item(7, b"hub.example.org:7400") + item(7, b"h" * 257 + b":65535")
    yield "ENTERED", 4, head + item(2, b"") + item(3, u64(0)) + item(4, u16(0)) + limits, (
        head + item(2, members) + item(3, u64(2**64 - 1)) + item(4, u16(7400)) + limits + advertised
    )
    refused = item(1, u32(2**32 - 13))
    yield "REFUSED", 5, refused, refused + item(2, "é".encode() * 63 + b"!") + item(3, u32(1_000))
    gone = b"".join(sorted((A.id + u64(1), B.id + u64(2))))
    yield "PRESENCE", 6, b"", item(1, members) + item(2, gone) + item(3, gone)
    yield "SEND", 7, item(255, sealed), item(1, ids) + item(255, sealed)
    yield "DELIVER", 8, item(255, sealed), None
    yield "PROBE", 9, probe, None
    yield "PING", 10, item(1, u64(0)), item(1, u64(2**64 - 1))
    yield "PONG", 11, item(1, u64(0)), item(1, u64(2**64 - 1))
    yield "LEAVE", 12, b"", None
    yield "KEEP", 13, item(255, sealed), None
    line = envelope(b"\x25", kind=3)
    yield "KEEP in a slot", 13, item(1, u8(0)) + item(255, line), item(1, u8(1)) + item(255, line)
    yield "KEEP that asks", 13, b"", None
    yield "IDENTITY", 14, run.identity(), run.identity(asks=True, certificate=make_certificate())
    hub = item(1, item(1, b"hub.example.org:7400") + item(2, seed("next")[:16]))
    readings = [first.id + i64(LATE) + u32(1_000_000) + u32(2**32 - 1) + u16(65_535) * 2 for first in (A, B)]
    yield "CLOCKS", 15, item(1, i64(0)) + item(2, b""), item(1, i64(LATE)) + item(2, b"".join(sorted(readings)))
    yield "NEXT", 16, item(2, u32(0)), hub * 2 + item(2, u32(10_000))
    yield "TRYBACK", 17, item(1, u64(0)) + item(2, u16(1_024)), item(1, u64(2**64 - 1)) + item(2, u16(65_535))
    yield "TRIEDBACK", 18, item(1, u64(7)) + item(2, u8(4)), item(1, u64(7)) + item(2, u8(1)) + item(3, b"2001:db8::7")
    yield "LOST", 19, item(1, A.id), item(1, b"".join(sorted((A.id, B.id))))
    few = item(1, u32(2**32 - 1)) + item(3, u32(2**32 - 1))
    yield "COUNT", 20, item(1, u32(0)), few + item(4, u64(7) + u32(0)) + item(5, b"".join(u64(n << 60) + u32(n) for n in range(8)))
    yield "TALLY", 21, item(1, u8(0)) + item(2, u64(0)), item(1, u8(1)) + item(2, u64(2**64 - 1))


def _pairing_frames():
    small = item(1, seed("commit")) + item(2, u8(1)) + item(3, b"a")
    yield "ASK", 32, small + item(6, u8(1)), (
        item(1, seed("commit")) + item(2, u8(2)) + item(3, b"a" * 63) + item(4, b"n" * 63) + item(5, u32(2)) + item(6, u8(1))
    )
    offer = item(1, seed("key")) + item(2, seed("nonce"))
    yield "OFFER", 33, offer, offer + item(4, b"n" * 63)
    yield "REVEAL", 34, offer, None
    yield "CANCEL", 37, b"", None


def _messages():
    intro = make_intro(A, A.public, A_KEX.public)
    level = make_level(A, [], 1, (A, B))
    one = signed(statement(3, b"", item(1, u8(1))))
    asking = item(4, A_XWING.public)
    yield "HELLO", 2, item(1, intro) + asking, item(1, intro) + item(2, FOUNDING.id) + item(3, u8(2)) + asking
    yield "WELCOME", 3, item(1, intro) + item(2, seed("sealed") * 40), None
    yield "UPDATE", 4, b"", item(1, one) * 2 + item(2, intro) + item(3, level)
    beat = [item(1, seed("digest")), item(2, i64(LATE)), item(3, u32(2**32 - 1)), item(4, u32(1_000))]
    echoes = b"".join(seed(f"echo {n}")[:16] + u32(2**32 - 1) + i64(LATE) for n in range(16))
    beat += [item(5, i64(LATE)), item(6, u32(2**32 - 1)), item(7, echoes), item(8, u32(2**32 - 1)), item(9, b"\xff" * 64)]
    yield "BEAT", 5, item(1, bytes(32)) + item(2, i64(-LATE)) + item(3, u32(0)) + item(4, u32(0)), b"".join(beat)
    have = [u8(register) + i64(5) + A.id + seed("sum")[:16] + name for register, name in [(3, b""), (5, b"film"), (8, A.id), (15, PLACE), (17, b"")]]
    yield "HAVE", 6, b"", b"".join(item(1, entry) for entry in have) + item(2, u8(31)) + item(3, u8(32))
    names = [(1, CLOCK), (2, b""), (3, b""), (4, b""), (5, b"film"), (6, b"film"), (7, b"film"), (8, A.id), (9, b""), (11, b"")]
    names += [(10, b""), (12, ENTRY), (13, b""), (15, PLACE), (17, b"")]
    yield "WANT", 7, b"", b"".join(item(1, u8(register) + name) for register, name in names)
    last = item(1, u16(63)) + item(2, u16(64))
    yield "SNAPSHOT", 8, item(1, u16(0)) + item(2, u16(0)), last + item(3, one) * 2 + item(4, level) + item(5, intro)
    labelled = item(1, u64(7)) + item(2, b"d") + item(4, b"org.example.stroke") + item(5, u32(2**32 - 1))
    yield "DATA that has a type", 9, labelled, None
    yield "DATA that waits for a place", 9, labelled + item(6, b"film") + item(7, i64(2_530_000_000_000)), None
    yield "DATA", 9, item(1, u64(0)) + item(2, b""), item(1, u64(2**64 - 1)) + item(2, b"d" * 99) + item(3, u64(4))
    notice = [item(1, u8(3)), item(2, i64(-15_000_000_000)), item(3, f64(1.25)), item(4, b"t" * 255), item(5, b"u" * 99)]
    yield "NOTICE", 10, b"", b"".join(notice)
    header = make_header(1, EPOCH, A.id, LANE, 1)
    private = make_private(header, [(B.id, B_KEX)])[1:]
    yield "PRIVATE", 11, item(2, b""), private
    named = item(1, level) + item(2, FOUNDING.bytes)
    yield "REKEY", 12, named, named + item(3, bytes(1_216)) * 2
    handed = item(1, intro) + item(2, FOUNDING.bytes) + item(3, bytes(1_216)) + item(4, level)
    yield "REKEY at the door", 12, handed, handed + item(5, intro)
    told = item(1, intro) + item(4, level)
    yield "REKEY as word left at the door", 12, told, told + item(4, level) + item(5, intro) * 2 + item(6, u8(1))
    yield "FOREGROUND", 14, item(1, u8(0)), item(1, u8(1))
    yield "SPEAKING", 15, item(1, u8(0)), item(1, u8(1))
    request = item(1, u64(2**64 - 1)) + item(2, u8(2)) + item(3, "日".encode() * 341) + item(4, i64(LATE)) + item(5, b"t" * 255)
    yield "REQUEST", 16, item(1, u64(1)) + item(3, b"f"), request
    yield "ANSWER", 17, item(1, B.id) + item(2, u64(1)), item(1, B.id) + item(2, u64(2**64 - 1)) + item(3, u8(1))
    yield "IGNORING", 18, item(2, u32(0)), item(1, u8(3)) + item(2, u32(60_000))
    end = signed(statement(3, b"", item(1, u8(1))))
    notice = item(1, intro) + item(2, u8(2)) + item(3, level) * 2 + item(4, intro) * 2 + item(5, end)
    yield "DECLINE", 19, item(1, intro) + item(2, u8(1)), None
    yield "DECLINE of a closed group", 19, item(1, intro) + item(2, u8(3)), None
    yield "DECLINE as word left at the door", 19, item(1, intro) + item(2, u8(2)) + item(5, end), notice
    yield "BYE", 20, b"", None
    records = b"".join(item(1, record.bytes) for record in (FOUNDING, STEP))
    yield "EPOCH", 21, b"", records + item(2, intro)
    chat = said(chat_body(1, 5, "a"))
    most = said(chat_body(2**64 - 1, LATE, "é" * 1_000, "日" * 341, -LATE, "n" * 63))
    yield "CHAT", 28, item(1, chat), item(1, most)
    yield "REACTION", 29, item(1, b"!"), item(1, "日".encode() * 10 + b"!!") + item(2, "日".encode() * 341) + item(3, i64(-LATE))
    yield "CHATDIGEST", 30, item(1, seed("chat digest")), None
    has = sorted(who.id + u64(number) for who in (A, B) for number in (1, 2**64 - 1))
    yield "CHATWANT", 31, b"", item(1, b"".join(one + seed("said")[:8] for one in has))
    yield "CHATHISTORY", 32, b"", item(1, chat) + item(1, most)
    content = item(1, seed("content"))
    yield "ATTACHMENTFETCH", 33, content + item(2, u64(0)) + item(3, u8(1)), content + item(2, u64(10**8)) + item(3, u8(8))
    piece = bytes(range(256)) * 128
    yield "ATTACHMENTCHUNK", 34, content + item(2, u64(0)) + item(3, b"\0"), content + item(2, u64(10**8)) + item(3, piece)
    yield "ATTACHMENTREFUSAL", 35, content + item(2, u8(1)), content + item(2, u8(2))
    yield "COORDINATOR", 36, item(1, b"k") + item(2, b""), item(1, "日".encode() * 10 + b"!!") + item(2, u8(7) + item(1, u8(5) + b"song"))
    line = item(1, i64(-LATE)) + item(2, u32(2**32 - 1)) + item(3, one) * 3 + item(4, u8(1))
    yield "LINE", 37, b"", line
    place = item(1, b"hub.example.org:443") + item(2, seed("hub")[:16])
    programme = item(1, level) + item(2, A.public) + item(2, B.public) + item(3, one) * 2 + item(4, "日".encode() * 341) + item(5, place)
    yield "PROGRAMME", 38, b"", programme
    reactions = item(9, "❤".encode()) + item(9, "👏".encode())
    yield "PROGRAMME of who reacts", 38, item(9, b"!"), item(8, u8(100)) + reactions + item(9, b"r" * 32)
    yield "PROGRAMME of a renewal", 38, item(6, seed("S") + seed("topic")), item(5, place) + item(6, bytes(64))
    yield "PROGRAMME that is renewed", 38, item(7, u8(1)), item(5, place) + item(7, u8(1))
    asks = item(1, A.public) + item(2, u8(1))
    full = asks + item(3, "日".encode() * 85) + item(4, u32(2**32 - 1)) + item(5, A_XWING.public)
    yield "HAND", 39, asks + item(4, u32(1)) + item(5, A_XWING.public), full
    yield "HAND that says something", 39, item(1, A.public) + item(2, u8(2)) + item(3, b"?") + item(4, u32(2)), None
    yield "HAND that asks for the time", 39, item(1, A.public) + item(2, u8(3)) + item(4, u32(7)), None
    echo = item(1, A.id) + item(2, u32(0)) + item(3, i64(0)) + item(4, u32(0))
    yield "ECHO", 42, echo, item(1, B.id) + item(2, u32(2**32 - 1)) + item(3, i64(-LATE)) + item(4, u32(2**32 - 1))
    yield "INVITE", 40, item(1, bytes(1_137)), item(1, b"\xff" * 5_231)
    topic = item(1, seed("audience"))
    yield "STAGE that asks", 41, topic, None
    yield "STAGE", 41, topic + item(2, seed("stage")), None
    yield "ASK", 22, item(2, FOUNDING.id), item(1, STEP.epoch) + item(2, FOUNDING.id) + item(3, b"".join(sorted((A.id, B.id))))


def _registers():
    film, longest = "日" * 85, "日".encode() * 341
    waits = [wait("ad", 0), wait("person" * 20)]
    original = [item(9, B.id), item(10, i64(500))]
    yield "Clocks", 1, CLOCK, item(1, i64(0)) + item(2, u32(0)), item(1, i64(-LATE)) + item(2, u32(2**32 - 1)) + item(3, u32(2**32 - 1))
    yield "End", 3, b"", item(1, u8(1)), None
    activity = [item(1, u8(2)), item(2, b"i" * 255), item(3, b"t" * 255), item(4, b"s" * 255), item(5, b"u" * 99)]
    activity += [item(6, b"\x89PNG"), item(7, b"payload"), item(8, u8(1)), item(9, u8(1))]
    yield "Activity", 4, b"", item(2, b"i"), b"".join(activity)
    small = item(1, u8(0)) + item(2, f64(0)) + item(3, i64(0))
    rate = item(1, u8(2)) + item(2, f64(-16)) + item(3, i64(LATE)) + item(4, key()) + item(5, u8(1))
    rate += b"".join(item(6, one) for one in waits) + item(7, i64(1)) + item(8, i64(2)) + b"".join(original)
    persons = item(11, i64(LATE)) + item(12, b"".join(sorted((A.id, B.id))))
    rate += persons
    yield "R", 5, b"f", small, rate
    place = item(1, u8(1)) + item(2, i64(-1)) + b"".join(item(3, one) for one in waits) + item(4, i64(9)) + b"".join(original) + persons
    yield "P", 6, longest, item(1, u8(0)) + item(2, i64(0)), place
    base = item(1, key()) + item(2, key(author=B.id))
    line = base + item(3, u32(1)) + item(4, u8(1)) + item(5, u16(0)) + item(6, i64(7))
    more = base + item(3, u32(2**32 - 1)) + item(4, u8(1)) + item(5, u16(65535)) + item(6, i64(7)) + item(7, i64(8))
    more += item(8, i64(1) + f64(1.5) + i64(3)) + item(10, B.id) + item(11, i64(6))
    yield "C, a line", 7, b"film", line, more
    yield "C, a hold", 7, b"film", base + item(3, u32(2)) + item(4, u8(2)) + item(7, i64(8)) + item(9, i64(9)), None
    skip = base + item(3, u32(2)) + item(4, u8(2)) + item(7, i64(8)) + item(9, i64(9)) + item(12, i64(-7))
    yield "C, a range that is left out", 7, b"film", skip, None
    yield "C, the end", 7, b"film", base + item(3, u32(2)) + item(4, u8(3)) + item(7, i64(8)), None
    hubs = [item(1, b"192.168.1.5:7400") + item(2, B.id), item(1, b"hub.example.org:443") + item(2, A.id)]
    parts = [
        (1, u64(2**64 - 1)), (2, longest), (3, i64(1)), (4, key() + key(author=B.id) + u32(3)),
        (5, item(1, b"stalling") + item(2, i64(4))), (5, item(1, b"a reason of its own") + item(2, i64(5)) + item(3, u32(2**32 - 13))),
        (6, i64(1) + i64(2)), (7, i64(3) + i64(4)), (8, i64(5) + i64(6)), (8, i64(7) + i64(LATE)), (9, waits[0]),
        (10, i64(80_000_000)), (11, i64(-40_000_000)), (12, b"d" * 63), (13, "ü".encode() * 31), (14, hubs[0]), (14, hubs[1]),
        (15, u8(1)), (16, u8(1)), (17, f64(1.5)), (18, i64(11)), (19, i64(12)), (20, u8(2)),
        (21, item(1, ENTRY) + item(2, i64(5_400_000_000_000)) + item(3, u64(2**64 - 1)) + item(4, bytes(range(32)))),
        *((22, another_cut(seed(f"entry {n}")[:16], offset)) for n, offset in enumerate([-CUT, CUT, 1, -1, 2, -2, 3, -3])),
        (23, b"garden"), (23, "küche".encode()),
    ]
    yield "Participant", 8, A.id, item(1, u64(0)), b"".join(item(tag, value) for tag, value in parts)
    stall = item(1, u8(1)) + item(2, i64(1_000_000_000)) + item(3, i64(15_000_000_000))
    yield "StallPolicy", 9, b"", stall, None
    yield "ActionAtEnd", 10, b"", item(1, u8(2)), None
    yield "SkipPolicy", 18, b"", item(1, u8(0)), item(1, u8(15))
    starts = item(1, u8(2)) + item(2, i64(600_000_000_000)) + item(3, u8(1))
    yield "StartPolicy", 11, b"", item(2, i64(0)), starts
    begins = item(1, longest) + item(2, i64(LATE))
    yield "ScheduledStart", 17, b"", item(1, b"f") + item(2, i64(-LATE)), begins + item(3, i64(1_800_000_000_000_000_000))
    opened = item(1, seed("listeners")) + item(2, seed("audience"))
    hubs = item(3, item(1, b"192.168.1.5:7400") + item(2, B.id)) * 15 + item(3, item(1, b"h" * 263) + item(2, A.id))
    yield "Audience", 19, b"", opened + item(3, item(1, b"h:1") + item(2, A.id)), opened + hubs + item(4, seed("former audience")) + (
        item(5, u8(80)) + item(6, u32(250)) + item(7, b"r" * 32) + item(7, "👏".encode())
    )
    least = item(1, b"\x01") + item(2, b"f") + item(3, i64(7))
    full = item(1, b"\x00" * 63 + b"\xff") + item(2, longest) + item(3, i64(LATE)) + item(5, b"t" * 255)
    full += item(6, i64(1)) + item(7, u64(1)) + item(8, bytes(range(32))) + item(9, b"a" * 2_047) * 8
    full += b"".join(item(10, a_range(n, n + 1, 1 << n % 4)) for n in range(15)) + item(10, a_range(15, WEEK, 8))
    yield "PlaylistEntry", 12, ENTRY, least, full
    yield "PlaylistEntry, removed", 12, ENTRY, least + item(4, u8(1)), None
    step = item(1, ENTRY) + item(2, B.id) + item(3, i64(LATE)) + item(4, u32(2**32 - 1)) + item(5, u8(1))
    offer = item(1, seed("content")) + item(2, "日".encode() * 85)
    largest = offer + item(3, b"t" * 127) + item(4, u64(10**8))
    yield "Attachment", 15, PLACE, offer + item(4, u64(0)), largest
    yield "PlaylistCurrent", 13, b"", item(1, ENTRY), step


def _items(body):
    found = []
    while body:
        length = int.from_bytes(body[1:4], "big")
        found.append({"tag": body[0], "value": body[4 : 4 + length]})
        body = body[4 + length :]
    return found


def frames():
    cases = []

    def add(name, form, kind, body, error="ok", comment=None):
        out = None
        if error == "ok":
            out = {"items": [] if name.startswith("PROBE") else _items(body)}
        cases.append(case(name, {"form": form, "type": kind, "body": body}, out, error, comment))

    def both(form, found):
        for name, kind, small, full in found:
            add(name if full is None else f"{name}, smallest", form, kind, small)
            if full is not None:
                add(f"{name}, fullest", form, kind, full)
            longest = full or small
            if longest:
                add(f"{name}, cut short", form, kind, longest[:-1], "truncated")

    both("hub", _hub_frames())
    both("pairing", _pairing_frames())
    both("message", _messages())
    registers = [(name, number, *(statement(number, key, value) if value else None for value in values))
                 for name, number, key, *values in _registers()]
    both("register", registers)

    add("a frame of a later version", "hub", 100, item(1, b"later"), "skipped")
    add("a frame that must be understood", "hub", 200, b"", "unknownMustUnderstand")
    add("a message of a later version", "message", 100, item(1, b"later"), "skipped")
    add("a message that must be understood", "message", 200, b"", "unknownMustUnderstand")
    said = item(2, b"f") + item(3, i64(7))
    for name, value, error in [
        ("an entry whose place ends in 0", item(1, b"\x05\x00") + said, "range"),
        ("an entry without a place", said, "truncated"),
        ("an entry that is removed and has a title", item(1, b"\x05") + said + item(4, u8(1)) + item(5, b"t"), "range"),
        ("an entry of no length", item(1, b"\x05") + said + item(6, i64(0)), "range"),
        ("an entry that is removed and has a range", item(1, b"\x05") + said + item(4, u8(1)) + item(10, a_range(1, 2, 1)), "range"),
        *((f"an entry with {what}", item(1, b"\x05") + said + b"".join(item(10, one) for one in ranges), error) for what, ranges, error in [
            ("a range before 0", [i64(-1) + i64(10**9) + u8(1)], "range"),
            ("a range shorter than 1 s", [i64(0) + i64(10**9 - 1) + u8(1)], "range"),
            ("a range that ends before it begins", [a_range(3, 2, 1)], "range"),
            ("a range that ends after 7 days", [i64(0) + i64(WEEK * 10**9 + 1) + u8(1)], "range"),
            ("a range to INT64_MAX", [i64(LATE) + i64(LATE) + u8(1)], "range"),
            ("a range of no kind", [a_range(1, 2, 0)], "range"),
            ("a range of two kinds", [a_range(1, 2, 3)], "range"),
            ("a range of 16 bytes", [a_range(1, 2, 1)[:-1]], "width"),
            ("ranges that overlap", [a_range(1, 3, 1), a_range(2, 5, 4)], "range"),
            ("ranges out of order", [a_range(5, 6, 1), a_range(1, 2, 1)], "range"),
            ("17 ranges", [a_range(n, n + 1, 1) for n in range(17)], "count"),
        ]),
    ]:
        add(name, "register", 12, statement(12, ENTRY, value), error)
    for name, value, error in [
        ("a step from nowhere", item(1, ENTRY) + item(4, u32(1)), "range"),
        ("a command with a base", item(1, ENTRY) + item(2, B.id) + item(3, i64(7)), "range"),
        ("a base without its stamp", item(1, ENTRY) + item(2, B.id) + item(4, u32(1)), "truncated"),
    ]:
        add(name, "register", 13, statement(13, b"", value), error)
    for name, value, error in [("a group that leaves out what is of no kind", item(1, u8(16)), "range"), ("no word of what is left out", b"", "truncated")]:
        add(name, "register", 18, statement(18, b"", value), error)
    jump = item(1, key()) + item(2, key(author=B.id)) + item(3, u32(2)) + item(4, u8(3)) + item(7, i64(8)) + item(12, i64(7))
    add("an end that leaves a range out", "register", 7, statement(7, b"film", jump), "range")
    offer, size = item(1, seed("content")) + item(2, b"n"), item(4, u64(1))
    add("Attachment, nothing", "register", 15, statement(15, A.id + u8(0), b""))
    for name, place, value, error in [
        ("an offer without a name", PLACE, item(1, seed("content")) + size, "truncated"),
        ("an offer of an empty name", PLACE, item(1, seed("content")) + item(2, b"") + size, "text"),
        ("an offer of a name of 256 bytes", PLACE, item(1, seed("content")) + item(2, b"n" * 256) + size, "text"),
        ("an offer of a type of 128 bytes", PLACE, offer + item(3, b"t" * 128) + size, "text"),
        ("an offer without a size", PLACE, offer, "truncated"),
        ("an offer of no content", PLACE, item(2, b"n") + size, "range"),
        ("an offer of a content of 31 bytes", PLACE, item(1, bytes(31)) + item(2, b"n") + size, "width"),
        ("an offer of 100,000,001 bytes", PLACE, offer + item(4, u64(10**8 + 1)), "range"),
        ("an offer in a 17th place", A.id + u8(16), offer + size, "range"),
        ("an offer in no place", A.id, offer + size, "width"),
    ]:
        add(name, "register", 15, statement(15, place, value), error)
    begins = item(1, b"film") + item(2, i64(7))
    add("ScheduledStart, nothing", "register", 17, statement(17, b"", b""))
    for name, place, value, error in [
        ("a start of nothing", b"", item(2, i64(7)), "truncated"),
        ("a start at no time", b"", item(1, b"film"), "truncated"),
        ("a start of an item of no bytes", b"", item(1, b"") + item(2, i64(7)), "text"),
        ("a start at INT64_MIN", b"", item(1, b"film") + item(2, i64(-LATE - 1)), "range"),
        ("a start with a key", b"film", begins, "trailing"),
    ]:
        add(name, "register", 17, statement(17, place, value), error)
    confirmed = statement(17, b"", begins) + item(7, B.id)
    add("ScheduledStart, confirmed", "register", 17, confirmed + item(8, i64(-1)))
    add("a confirmation without its first stamp", "register", 17, confirmed, "truncated")
    add("Audience, none", "register", 19, statement(19, b"", b""))
    secret, topic, hub = item(1, bytes(32)), item(2, bytes(32)), item(3, item(1, b"h:1") + item(2, A.id))
    for name, place, value, error in [
        ("an audience without a secret", b"", topic + hub, "truncated"),
        ("an audience without a topic", b"", secret + hub, "truncated"),
        ("an audience at no hub", b"", secret + topic, "truncated"),
        ("a hub of no audience", b"", hub, "truncated"),
        ("no audience, renewed", b"", item(4, bytes(32)), "truncated"),
        ("an audience at 17 hubs", b"", secret + topic + hub * 17, "count"),
        ("an audience of a topic of 31 bytes", b"", secret + item(2, bytes(31)) + hub, "width"),
        ("an audience of a secret of 33 bytes", b"", item(1, bytes(33)) + topic + hub, "width"),
        ("no audience, waited for", b"", item(5, u8(1)), "truncated"),
        ("no audience, waited for for 9 s", b"", item(6, u32(9_000)), "truncated"),
        ("no audience that reacts", b"", item(7, b"r"), "truncated"),
        ("an audience of which 101 % are waited for", b"", secret + topic + hub + item(5, u8(101)), "range"),
        ("an audience that is waited for for 0 ms", b"", secret + topic + hub + item(6, u32(0)), "range"),
        ("an audience that is waited for for 10,001 ms", b"", secret + topic + hub + item(6, u32(10_001)), "range"),
        ("an audience that reacts by nothing", b"", secret + topic + hub + item(7, b""), "text"),
        ("an audience with a reaction of 33 bytes", b"", secret + topic + hub + item(7, b"r" * 33), "text"),
        ("an audience with one reaction twice", b"", secret + topic + hub + item(7, b"r") + item(7, b"s") + item(7, b"r"), "order"),
        ("an audience with nine reactions", b"", secret + topic + hub + b"".join(item(7, u8(65 + n)) for n in range(9)), "count"),
        ("an audience with a key", b"film", secret + topic + hub, "trailing"),
    ]:
        add(name, "register", 19, statement(19, place, value), error)
    film = another_cut(ENTRY, 1)
    for name, cuts, error in [
        ("a cut that is ahead by 0", [another_cut(ENTRY, 0)], "range"),
        ("a cut that is more than 6 hours ahead", [another_cut(ENTRY, CUT + 1)], "range"),
        ("a cut that is more than 6 hours behind", [another_cut(ENTRY, -CUT - 1)], "range"),
        ("a cut of no entry", [item(2, i64(1))], "truncated"),
        ("two cuts of one entry", [film, another_cut(seed("entry")[:16], 5), another_cut(ENTRY, 2)], "order"),
        ("nine cuts", [another_cut(bytes(15) + u8(n), 1) for n in range(9)], "count"),
    ]:
        add(name, "register", 8, statement(8, A.id, item(1, u64(0)) + b"".join(item(22, one) for one in cuts)), error)
    for name, called, error in [
        ("nine coordinators", [bytes([65 + n]) for n in range(9)], "count"),
        ("one coordinator twice", [b"k", b"k"], "order"),
        ("coordinators out of order", [b"k", b"a"], "order"),
        ("a coordinator without a name", [b""], "text"),
    ]:
        add(name, "register", 8, statement(8, A.id, item(1, u64(0)) + b"".join(item(23, one) for one in called)), error)
    add("what is said of a named coordinator, as the first one's", "register", 8, statement(8, A.id, item(1, u64(0))) + item(128, b"k"), "range")
    done = item(1, b"r") + item(2, i64(5)) + item(3, u32(13))
    add("a suspension of a status above 0", "register", 8, statement(8, A.id, item(1, u64(0)) + item(5, done)), "range")
    add("a register of a later version", "register", 100, statement(100, b"x", b""), "skipped")
    add("a register that must be understood", "register", 200, statement(200, b"x", b""), "unknownMustUnderstand")
    add("an item of a later version in a frame", "hub", 10, item(1, u64(1)) + item(60, b"later"), "ok", "skipped")
    add("an item that must be understood in a frame", "hub", 10, item(1, u64(1)) + item(200, b""), "unknownMustUnderstand")
    probe = next(body for name, _, body, _ in _hub_frames() if name == "PROBE")
    add("PROBE of 65 bytes", "hub", 9, probe + b"\0", "trailing")
    for name, readings, error in [
        ("of a clock that is 1,000,001 ppb fast", [a_clock(A.id, 1_000_001)], "range"),
        ("of a clock that is 1,000,001 ppb slow", [a_clock(A.id, -1_000_001)], "range"),
        ("of clocks descending", sorted((a_clock(A.id), a_clock(B.id)), reverse=True), "order"),
        ("of one clock twice", [a_clock(A.id), a_clock(A.id)], "order"),
        ("of 129 clocks", [a_clock(bytes(15) + u8(n)) for n in range(129)], "count"),
        ("of a clock of 35 bytes", [a_clock(A.id)[:35]], "width"),
        ("of a clock that is ahead by no time", [A.id + i64(-(2**63)) + bytes(12)], "range"),
    ]:
        add(f"CLOCKS {name}", "hub", 15, item(1, i64(1)) + item(2, b"".join(readings)), error)
    add("CLOCKS of no time", "hub", 15, item(2, b""), "truncated")
    add("CLOCKS without clocks", "hub", 15, item(1, i64(1)), "truncated")
    add("TRYBACK of port 1023", "hub", 17, item(1, u64(7)) + item(2, u16(1_023)), "range")
    add("TRIEDBACK of an address of 46 bytes", "hub", 18, item(1, u64(7)) + item(2, u8(1)) + item(3, b"a" * 46), "text")
    add("LOST of nobody named", "hub", 19, b"", "truncated")
    add("COUNT of nothing", "hub", 20, b"", "truncated")
    add("COUNT of 8 bytes", "hub", 20, item(1, u64(7)), "width")
    add("COUNT of what was left out alone", "hub", 20, item(3, u32(7)), "truncated")
    add("COUNT of nine tallies", "hub", 20, item(1, u32(9)) + item(5, b"".join(u64(n) + u32(1) for n in range(9))), "count")
    add("COUNT of one tally twice", "hub", 20, item(1, u32(9)) + item(4, (u64(7) + u32(1)) * 2), "order")
    add("COUNT of a tally of 11 bytes", "hub", 20, item(1, u32(9)) + item(4, bytes(11)), "width")
    add("TALLY of a later sort", "hub", 21, item(1, u8(2)) + item(2, u64(7)), "range")
    add("TALLY of nothing", "hub", 21, item(1, u8(1)), "truncated")
    add("TALLY of no sort", "hub", 21, item(2, u64(7)), "truncated")
    add("KEEP in slot 2", "hub", 13, item(1, u8(2)) + item(255, envelope(b"\x25", kind=3)), "range")
    add("KEEP of nothing in slot 1", "hub", 13, item(1, u8(1)), "truncated")
    for slot, longest in [(0, 32_834), (1, 8_258)]:
        add(f"KEEP of the longest envelope in slot {slot}", "hub", 13, item(1, u8(slot)) + item(255, bytes(longest)))
        longer = item(1, u8(slot)) + item(255, bytes(longest + 1))
        add(f"KEEP of an envelope of {longest + 1} bytes in slot {slot}", "hub", 13, longer, "count")
    add("SEND of an envelope of 577 bytes", "hub", 7, item(255, bytes(577)), "truncated")
    ids = b"".join(sorted((A.id, B.id), reverse=True))
    add("SEND to ids descending", "hub", 7, item(1, ids) + item(255, envelope(b"\x14")), "order")
    add("REQUEST about no item", "message", 16, item(1, u64(1)) + item(2, u8(1)), "truncated")
    add("REQUEST about an item of 1,024 bytes", "message", 16, item(1, u64(1)) + item(3, b"f" * 1024), "text")
    add("REQUEST of a later version", "message", 16, item(1, u64(1)) + item(2, u8(9)) + item(3, b"f"), "skipped")
    add("ANSWER to nobody", "message", 17, item(2, u64(1)) + item(3, u8(1)), "truncated")
    beat = item(1, bytes(32)) + item(2, i64(0)) + item(3, u32(0)) + item(4, u32(0))
    content, at = item(1, seed("content")), item(2, u64(0))
    hand = item(1, A.public)
    for name, kind, body, error in [
        ("ATTACHMENTFETCH of 0 pieces", 33, content + at + item(3, u8(0)), "range"),
        ("ATTACHMENTFETCH of 9 pieces", 33, content + at + item(3, u8(9)), "range"),
        ("ATTACHMENTFETCH from behind all contents", 33, content + item(2, u64(10**8 + 1)) + item(3, u8(1)), "range"),
        ("ATTACHMENTFETCH of a content of 33 bytes", 33, item(1, bytes(33)) + at + item(3, u8(1)), "width"),
        ("ATTACHMENTFETCH of nothing", 33, at + item(3, u8(1)), "truncated"),
        ("ATTACHMENTCHUNK of no bytes", 34, content + at + item(3, b""), "count"),
        ("ATTACHMENTCHUNK of 32,769 bytes", 34, content + at + item(3, bytes(32_769)), "count"),
        ("ATTACHMENTCHUNK from behind all contents", 34, content + item(2, u64(10**8 + 1)) + item(3, b"\0"), "range"),
        ("ATTACHMENTCHUNK from nowhere", 34, content + item(3, b"\0"), "truncated"),
        ("ATTACHMENTREFUSAL without a reason", 35, content, "truncated"),
        ("COORDINATOR without a name", 36, item(2, b"\7"), "truncated"),
        ("COORDINATOR of a name of 33 bytes", 36, item(1, b"n" * 33) + item(2, b"\7"), "count"),
        ("COORDINATOR of an empty name", 36, item(1, b"") + item(2, b"\7"), "text"),
        ("COORDINATOR of a name with U+0085", 36, item(1, "\x85".encode()) + item(2, b"\7"), "text"),
        ("COORDINATOR that says nothing", 36, item(1, b"k"), "truncated"),
        ("LINE of a time without its error", 37, item(1, i64(5)), "truncated"),
        ("LINE of an error alone", 37, item(2, u32(5)), "truncated"),
        ("LINE of four statements", 37, item(3, signed(statement(3, b"", item(1, u8(1))))) * 4, "count"),
        ("LINE that is over twice", 37, item(4, u8(2)), "range"),
        ("PROGRAMME with a key of 31 bytes", 38, item(2, bytes(31)), "width"),
        ("PROGRAMME with 257 keys", 38, item(2, bytes(32)) * 257, "count"),
        ("PROGRAMME of nine levels", 38, item(1, b"l") * 9, "count"),
        ("PROGRAMME of an empty item", 38, item(4, b""), "text"),
        ("PROGRAMME with a hub without an id", 38, item(5, item(1, b"a:1")), "truncated"),
        ("HAND that asks without a key", 39, hand + item(2, u8(1)) + item(4, u32(1)), "range"),
        ("HAND that says something and asks", 39, hand + item(2, u8(2)) + item(3, b"x") + item(4, u32(1)) + item(5, bytes(1_216)), "range"),
        ("HAND that says nothing", 39, hand + item(2, u8(2)) + item(4, u32(1)), "truncated"),
        ("HAND of an empty text", 39, hand + item(2, u8(1)) + item(3, b"") + item(4, u32(1)) + item(5, bytes(1_216)), "text"),
        ("HAND of 256 bytes", 39, hand + item(2, u8(2)) + item(3, b"x" * 256) + item(4, u32(1)), "text"),
        ("HAND of a word of a later version", 39, hand + item(2, u8(4)) + item(3, b"x") + item(4, u32(1)), "range"),
        ("HAND that asks for the time in words", 39, hand + item(2, u8(3)) + item(3, b"x") + item(4, u32(1)), "range"),
        ("HAND that asks for the time with a key", 39, hand + item(2, u8(3)) + item(4, u32(1)) + item(5, bytes(1_216)), "range"),
        ("ECHO to nobody", 42, item(2, u32(1)) + item(3, i64(5)) + item(4, u32(1)), "truncated"),
        ("ECHO without an error", 42, item(1, A.id) + item(2, u32(1)) + item(3, i64(5)), "truncated"),
        ("ECHO without a number", 42, item(1, A.id) + item(3, i64(5)) + item(4, u32(1)), "truncated"),
        ("ECHO without a time", 42, item(1, A.id) + item(2, u32(1)) + item(4, u32(1)), "truncated"),
        ("PROGRAMME of a share of 101 %", 38, item(8, u8(101)), "range"),
        ("PROGRAMME of nine reactions", 38, b"".join(item(9, u8(65 + n)) for n in range(9)), "count"),
        ("PROGRAMME of one reaction twice", 38, item(9, b"r") * 2, "order"),
        ("PROGRAMME of an empty reaction", 38, item(9, b""), "text"),
        ("PROGRAMME of a renewal without a topic", 38, item(6, bytes(32)), "width"),
        ("PROGRAMME of a renewal that is renewed", 38, item(6, bytes(64)) + item(7, u8(1)), "range"),
        ("HAND without a number", 39, hand + item(2, u8(2)) + item(3, b"x"), "truncated"),
        ("HAND with a key of 1,215 bytes", 39, hand + item(2, u8(1)) + item(4, u32(1)) + item(5, bytes(1_215)), "width"),
        ("HAND of nobody", 39, item(2, u8(2)) + item(3, b"x") + item(4, u32(1)), "truncated"),
        ("INVITE of nothing", 40, b"", "truncated"),
        ("INVITE of 1,136 bytes", 40, item(1, bytes(1_136)), "count"),
        ("INVITE of 5,232 bytes", 40, item(1, bytes(5_232)), "count"),
        ("STAGE of no audience", 41, item(2, bytes(32)), "truncated"),
        ("STAGE of a seed of 31 bytes", 41, item(1, bytes(32)) + item(2, bytes(31)), "width"),
        ("DATA that waits in no item", 9, item(1, u64(7)) + item(2, b"d") + item(7, i64(1)), "truncated"),
        ("DATA that waits for no place", 9, item(1, u64(7)) + item(2, b"d") + item(6, b"film"), "truncated"),
        ("DATA that waits for INT64_MIN", 9, item(1, u64(7)) + item(2, b"d") + item(6, b"film") + item(7, i64(-LATE - 1)), "range"),
        ("DATA of a type without a version", 9, item(1, u64(7)) + item(2, b"d") + item(4, b"t"), "truncated"),
        ("HAVE of a 17th place", 6, item(1, u8(15) + i64(5) + A.id + bytes(16) + A.id + u8(16)), "range"),
        ("HAVE of a part that is not there", 6, item(2, u8(2)) + item(3, u8(2)), "range"),
        ("WANT of no place", 7, item(1, u8(15) + A.id), "width"),
        ("CHATWANT of one entry twice", 31, item(1, (A.id + u64(1) + bytes(8)) * 2), "order"),
        ("CHAT of 3,201 bytes", 28, item(1, item(1, bytes(3_201)) + item(2, bytes(64))), "count"),
        ("REACTION of 33 bytes", 29, item(1, b"r" * 33), "text"),
        ("DECLINE, ended, without the end", 19, item(1, make_intro(A, A.public, A_KEX.public)) + item(2, u8(2)), "range"),
        ("BEAT of a time without a number", 5, beat + item(5, i64(1)), "truncated"),
        ("BEAT of echoes alone", 5, beat + item(7, bytes(28)), "truncated"),
    ]:
        add(name, "message", kind, body, error)
    add("SPEAKING of 2", "message", 15, item(1, u8(2)), "range")
    add("a rate of 17", "register", 5, statement(5, b"f", item(1, u8(2)) + item(2, f64(17)) + item(3, i64(0))), "range")
    add("a register without its key", "register", 5, statement(5, b"", item(1, u8(0)) + item(2, f64(0)) + item(3, i64(0))), "text")
    add("End of false", "register", 3, statement(3, b"", item(1, u8(0))), "range")
    hold = item(1, key()) + item(2, key()) + item(3, u32(2)) + item(4, u8(2)) + item(6, i64(1)) + item(7, i64(8)) + item(9, i64(9))
    add("a hold that says since when", "register", 7, statement(7, b"f", hold), "range")
    nameless = item(1, u64(0)) + item(14, item(1, b"192.168.1.5:7400"))
    add("a hub without its id", "register", 8, statement(8, A.id, nameless), "truncated")
    small = item(1, u8(2)) + item(2, i64(0)) + item(9, A.id)
    add("an originator without its stamp", "register", 6, statement(6, b"f", small), "truncated")
    return cases
