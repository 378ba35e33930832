#!/usr/bin/env python3
"""Writes the test vectors of the protocol: one JSON file per group, next to this script.

An implementation of its own on hashlib and `cryptography`, sharing nothing with the library: what both compute alike is
what the protocol says. All randomness is an input made of fixed seeds, so the files come out the same
each time. `--check` compares instead of writing.

All bytes are lower-case hex, 64-bit integers and times are strings. `open` is "ok" or the name of the error.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from common import (
    A, A_KEX, A_XWING, B, B_KEX, B_XWING, C0, C1, DOOR, DOOR_SECRET, EPOCH, HUB, LANE, LOW_ORDER, NO_EPOCH, NON_CANONICAL, ORIGIN,
    SESSION, SMALL_ORDER, STEP, TOPIC, Agreement, Door, Entry, Signer, b32, case, expand, extract, i64, invite_key, item, lab,
    make_header, make_intro, padded_length, seal, seed, send_key, sha, signed_plain, u8, u16, u32, u64, with_sign,
)
from frames import frames
from membership import record, welcome
from levels import policy
from links import PASS, line, link, pass_, xwing
from orders import copy, order
from run import session
from some import private, rekey
from tlv import tlv
from tokens import continuation

HERE = Path(__file__).parent

# Groups


def invite():
    key = invite_key(ORIGIN, DOOR_SECRET)
    hub, bought = b32(HUB.id), b32(PASS)
    known = ("192.168.1.5:7400", HUB.id)

    def read(name, text, hubs, comment=None, *, written=None):
        out = {"origin": ORIGIN, "session": SESSION, "door": DOOR_SECRET}
        out["hubs"] = [{"address": address, "hub": i} | ({"pass": more[0]} if more else {}) for address, i, *more in hubs]
        if written:
            out["written"] = written
        return case(name, {"text": text}, out, comment=comment)

    def bad(name, text, error):
        return case(name, {"text": text}, result=error)

    here = "192.168.1.5:7400"
    plain = f"unisono://{here}/{hub}/{key}"

    def wrapped(name, text):
        return read(name, text, [known], written=plain)

    damaged = key[:20] + ("a" if key[20] != "a" else "b") + key[21:]
    tail = "abcdefghijklmnopqrstuvwxyz234567"

    def loosened(text):
        return text[:-1] + tail[tail.index(text[-1]) + 1]

    earlier = invite_key(b"\1" + ORIGIN[1:], DOOR_SECRET)
    later = invite_key(b"\3" + ORIGIN[1:], DOOR_SECRET)
    many = "/".join(f"10.0.0.{n}:7400/{hub}" for n in range(1, 16))
    return [
        read("one address", plain, [known], "the numbers of the reference"),
        read("with a pass", f"unisono://{here}/{hub}/{bought}/{key}", [(*known, PASS)]),
        read(
            "further hubs, with a pass and without, names and IPv6",
            f"unisono://fe80--1.ipv6:7400/{hub}/{bought}/hub.example.org:443/{hub}/10.0.0.7:65535/{hub}/{key}",
            [("[fe80::1]:7400", HUB.id, PASS), ("hub.example.org:443", HUB.id), ("10.0.0.7:65535", HUB.id)],
        ),
        read("sixteen hubs", f"unisono://a:1/{hub}/{many}/{key}",
             [("a:1", HUB.id)] + [(f"10.0.0.{n}:7400", HUB.id) for n in range(1, 16)]),
        wrapped("white space around it", f" \t\r\n{plain}\n\n"),
        wrapped("quotes", f"\"{plain}\""),
        wrapped("quotes as typographers and messengers make them", f"\u201e{plain}\u201c"),
        wrapped("angle brackets", f"<{plain}>"),
        wrapped("the end of a sentence", f"({plain})."),
        wrapped("words in front, as in a line that a host printed", f"join with: ./hello {plain}"),
        wrapped("capitals, as in the letters of a QR code", plain.upper()),
        wrapped("a scheme as a telephone writes it", plain.replace("unisono:", "Unisono:")),
        bad("no hub id", f"unisono://{here}/{key}", "noHubID"),
        bad("no hub id at the first of two", f"unisono://{here}/b:1/{hub}/{key}", "noHubID"),
        bad("no hub id at the last of two", f"unisono://{here}/{hub}/b:1/{key}", "noHubID"),
        bad("seventeen hubs", f"unisono://a:1/{hub}/{many}/b:1/{hub}/{key}", "tooManyHubs"),
        bad("empty", "", "scheme"),
        bad("nothing but quotes", "\"<>\"", "scheme"),
        bad("another scheme", plain.replace("unisono:", "unison:"), "scheme"),
        bad("the line of a hub", f"unisono-hub://{here}/{hub}", "scheme"),
        bad("a letter in front", "x" + plain, "scheme"),
        bad("257 bytes in front", "a" * 256 + " " + plain, "scheme"),
        bad("something behind", plain + " film", "keyLength"),
        bad("no address", f"unisono://{key}", "noKey"),
        bad("no port", f"unisono://192.168.1.5/{hub}/{key}", "address"),
        bad("port 0", f"unisono://192.168.1.5:0/{hub}/{key}", "address"),
        bad("port with a leading zero", f"unisono://192.168.1.5:07400/{hub}/{key}", "address"),
        bad("port too large", f"unisono://192.168.1.5:65536/{hub}/{key}", "address"),
        bad("no host", f"unisono://:7400/{hub}/{key}", "address"),
        bad("IPv6 with colons", f"unisono://fe80::1:7400/{hub}/{key}", "address"),
        bad("IPv6 in brackets", f"unisono://[fe80::1]:7400/{hub}/{key}", "address"),
        bad("a name that is no IPv6 address", f"unisono://host.ipv6:7400/{hub}/{key}", "address"),
        bad("a space in the host", f"unisono://192.168.1.5 :7400/{hub}/{key}", "address"),
        bad("an empty part", f"unisono://{here}//{key}", "hubID"),
        bad("hub id too short", f"unisono://{here}/{hub[:-1]}/{key}", "hubID"),
        bad("hub id not canonical", f"unisono://{here}/{loosened(hub)}/{key}", "hubID"),
        bad("a pass instead of the hub id", f"unisono://{here}/{bought}/{key}", "hubID"),
        bad("hub id twice", f"unisono://{here}/{hub}/{hub}/{key}", "pass"),
        bad("pass too short", f"unisono://{here}/{hub}/{bought[:-1]}/{key}", "pass"),
        bad("pass not canonical", f"unisono://{here}/{hub}/{loosened(bought)}/{key}", "pass"),
        bad("an empty pass", f"unisono://{here}/{hub}//{key}", "pass"),
        bad("pass twice", f"unisono://{here}/{hub}/{bought}/{bought}/{key}", "part"),
        bad("no key", f"unisono://{here}", "noKey"),
        bad("empty key", f"unisono://{here}/", "noKey"),
        bad("no key behind a hub id", f"unisono://{here}/{hub}/", "keyLength"),
        bad("no key after a hub", f"unisono://{here}/{hub}/b:1", "noKey"),
        bad("key too short", plain[:-1], "keyLength"),
        bad("key too long", plain + "a", "keyLength"),
        bad("a digit that base 32 does not have", plain[:-1] + "1", "keyCharacter"),
        bad("a letter with an accent", plain[:-3] + "\u00e9" + "a", "keyCharacter"),
        bad("mistyped", f"unisono://{here}/{hub}/{damaged}", "keyChecksum"),
        bad("version 1", f"unisono://{here}/{hub}/{earlier}", "version"),
        bad("version 3", f"unisono://{here}/{hub}/{later}", "version"),
        bad("too long", "unisono://" + "a" * 4000 + f":1/{hub}/{key}", "tooLong"),
        bad("too long with what is around it", " " * 5000 + plain, "tooLong"),
    ]


def schedule():
    cases = []
    for name, secret, chain, kind in [
        ("the numbers of the reference", DOOR_SECRET, C0, 1),
        ("unordered, the key of a step", DOOR_SECRET, C1, 2),
        ("door messages", DOOR_SECRET, C0, 0),
        ("another door of the session", seed("test other door"), C0, 1),
    ]:
        door = Door(SESSION, secret)
        given = {"origin": ORIGIN, "door": secret, "chain": chain, "kind": kind, "seed_sign": A.seed, "lane": LANE}
        out = {"id": A.id, "session": SESSION, "topic": door.topic, "door_chain": door.chain}
        out["send_key"] = send_key(door.chain if kind == 0 else chain, door.topic, kind, A.id, LANE)
        cases.append(case(name, given, out))
    return cases


def probe():
    key = Entry().probe_key

    def packet(kind, token, number, opaque, t2, t3):
        head = b"UNI\1" + u8(kind) + bytes(3) + token + u64(number) + opaque + i64(t2) + i64(t3)
        return head + hmac.new(key, head, hashlib.sha256).digest()[:16]

    cases = []
    token, opaque = seed("test token")[:8], seed("test opaque")[:8]
    for name, kind, number, t2, t3 in [
        ("ask", 1, 1, 0, 0),
        ("answer", 2, 1, 1_234_567_890_123, 1_234_567_891_456),
        ("answer with the largest number and times before zero", 2, 2**64 - 1, -5, -3),
    ]:
        given = {"key": key, "kind": kind, "token": token, "number": str(number), "opaque": opaque, "t2": str(t2), "t3": str(t3)}
        cases.append(case(name, given, {"packet": packet(kind, token, number, opaque, t2, t3)}))
    right = packet(2, token, 7, opaque, 10, 20)
    for name, bad, error in [
        ("last bit of the code", right[:-1] + u8(right[-1] ^ 1), "mac"),
        ("time changed", right[:40] + i64(21) + right[48:], "mac"),
        ("ask made an answer", packet(1, token, 7, opaque, 0, 0)[:4] + b"\2" + packet(1, token, 7, opaque, 0, 0)[5:], "mac"),
        ("no code", right[:48] + bytes(16), "mac"),
        ("63 bytes", right[:-1], "truncated"),
        ("65 bytes", right + b"\0", "trailing"),
        ("another magic", b"UNJ" + right[3:], "range"),
    ]:
        cases.append(case(name, {"key": key, "packet": bad}, result=error))
    return cases


def envelope():
    cases = []
    hello = b"\x09hello"

    def given(kind, epoch, counter, content, chain):
        return {
            "session": SESSION, "topic": TOPIC, "chain": chain, "seed_sign": A.seed, "lane": LANE, "counter": str(counter),
            "kind": kind, "epoch": epoch, "content": content,
        }

    for name, kind, epoch, chain, counter, content in [
        ("the numbers of the reference", 1, EPOCH, C0, 0, hello),
        ("unordered, under a step", 2, STEP.epoch, C1, 17, hello),
        ("sealed for the door", 0, NO_EPOCH, DOOR.chain, 0, b"\x02door"),
        ("one byte", 1, EPOCH, C0, 1, b"\x14"),
        ("fills its padding exactly", 1, EPOCH, C0, 2, b"\x09" * 60),
        ("one byte more", 1, EPOCH, C0, 3, b"\x09" * 61),
        ("large", 1, EPOCH, C0, 2**32 - 1, b"\x09" + bytes(range(256)) * 8),
    ]:
        key = send_key(chain, TOPIC, kind, A.id, LANE)
        header = make_header(kind, epoch, A.id, LANE, counter)
        signature, plain = signed_plain(A, header, content)
        out = {"header": header, "send_key": key, "signature": signature, "plain": plain, "envelope": seal(key, header, plain)}
        cases.append(case(name, given(kind, epoch, counter, content, chain), out, deterministic=True))

    def bad(name, sealed, error, chain=C0, kind=1, sender=A, lane=LANE, comment=None):
        key = send_key(chain, TOPIC, kind, sender.id, lane)
        verify = {"session": SESSION, "topic": TOPIC, "send_key": key, "author": sender.public, "envelope": sealed}
        cases.append(case(name, verify, result=error, comment=comment))

    key = send_key(C0, TOPIC, 1, A.id, LANE)
    header = make_header(1, EPOCH, A.id, LANE, 0)
    signature, plain = signed_plain(A, header, hello)
    right = seal(key, header, plain)

    bad("last bit of the tag", right[:-1] + u8(right[-1] ^ 1), "seal")
    bad("counter changed", right[:49] + u8(1) + right[50:], "seal")
    bad("another record's key", right, "seal", chain=C1)
    bad("577 bytes", right[:-1], "truncated")
    bad("a header alone", header, "truncated")
    bad("nothing", b"", "truncated")
    bad("format 1", u8(1) + right[1:], "range")
    bad("kind 5", right[:1] + u8(5) + right[2:], "range")
    bad("kind 0 with an epoch", right[:1] + u8(0) + right[2:], "range")

    b_header = make_header(1, EPOCH, B.id, LANE, 0)
    b_key = send_key(C0, TOPIC, 1, B.id, LANE)
    bad("sealed again under another sender", seal(b_key, b_header, plain), "signature", sender=B)
    bad("a member speaks in another's name", seal(key, header, signed_plain(B, header, hello)[1]), "signature")
    other_lane = LANE[:-1] + b"\xff"
    lane_header = make_header(1, EPOCH, A.id, other_lane, 0)
    bad(
        "sealed again in another lane",
        seal(send_key(C0, TOPIC, 1, A.id, other_lane), lane_header, plain),
        "signature",
        lane=other_lane,
    )
    bad("signed for another session", seal(key, header, signed_plain(A, header, hello, session=seed("x"))[1]), "signature")
    bad("signed for another topic", seal(key, header, signed_plain(A, header, hello, topic=seed("x"))[1]), "signature")
    swapped = A.sign(lab("statement") + SESSION + TOPIC + header + hello) + plain[64:]
    bad("signed under another label", seal(key, header, swapped), "signature")

    bad("padding not zero", seal(key, header, plain[:-1] + b"\1"), "trailing")
    bad("padding of the next length", seal(key, header, plain + bytes(512)), "width")
    bad("no content", seal(key, header, signature + u32(0) + bytes(444)), "count")
    bad("content longer than the text", seal(key, header, signature + u32(1000) + bytes(444)), "truncated")
    bad("content of 2^32 - 1", seal(key, header, signature + u32(2**32 - 1) + bytes(444)), "count")
    return cases


def intro():
    person_secret = seed("test person")[:16]
    person = Signer(expand(extract(SESSION, person_secret), lab("person-key")))
    person_id = sha(lab("person-id") + person.public)[:16]
    cases = []

    def good(name, bytes_, who=A.id, agreement=A_KEX.public, **more):
        given = {"session": SESSION, "seed_sign": A.seed, "seed_kex": A_KEX.seed, "seed_xwing": A_XWING.seed}
        out = {"intro": bytes_, "id": A.id, "person_id": who}
        if "person" in more:
            given["person"] = more["person"]
        if "minor" in more:
            given["minor"] = more["minor"]
        cases.append(case(name, given, out, deterministic=more.get("deterministic", True), comment=more.get("comment")))

    good("keys alone", make_intro(A, A.public, A_KEX.public))
    good("a device of a person", make_intro(A, A.public, A_KEX.public, person=person), who=person_id, person=person_secret)
    good(
        "a device of a person, minor 3",
        make_intro(A, A.public, A_KEX.public, person=person, minor=3),
        who=person_id,
        person=person_secret,
        minor=3,
    )
    good(
        "an item of a later minor version",
        make_intro(A, A.public, A_KEX.public, extra=item(60, b"later")),
        deterministic=False,
        comment="skipped, relayed as it came",
    )

    def bad(name, bytes_, error):
        cases.append(case(name, {"session": SESSION, "intro": bytes_}, result=error))

    right = make_intro(A, A.public, A_KEX.public)
    bad("agreement key changed", right[:44] + u8(right[44] ^ 1) + right[45:], "signature")
    bad("for another session", make_intro(A, A.public, A_KEX.public, session=seed("x")), "signature")
    bad("another's key shown", make_intro(B, A.public, B_KEX.public), "signature")
    bad("signed under another label", make_intro(A, A.public, A_KEX.public, label="statement"), "signature")
    bad("vouched for somebody else", make_intro(A, A.public, A_KEX.public, person=person, vouch_for=B.id), "vouch")
    bad("person without vouch", make_intro(A, A.public, A_KEX.public, middle=item(3, person.public)), "truncated")
    bad("item that must be understood", make_intro(A, A.public, A_KEX.public, extra=item(200, b"")), "unknownMustUnderstand")
    bad("cut short", right[:-1], "truncated")
    bad("no signature", right[: -(4 + 64)], "truncated")
    bad("too long", make_intro(A, A.public, A_KEX.public, extra=item(60, bytes(600))), "count")
    low = A_XWING.public[:-32] + LOW_ORDER["u = 1"]
    bad("X-Wing key with a part of low order", make_intro(A, A.public, A_KEX.public, hybrid=low), "lowOrder")
    bad("X-Wing key that is not reduced", make_intro(A, A.public, A_KEX.public, hybrid=b"\x01\x0d" + A_XWING.public[2:]), "nonCanonical")
    bad("X-Wing key of 1,215 bytes", make_intro(A, A.public, A_KEX.public, hybrid=low[:-1]), "width")
    for name, y in SMALL_ORDER.items():
        bad(f"Ed25519 of small order: {name}", make_intro(A, y, A_KEX.public), "smallOrder")
        bad(f"Ed25519 of small order: {name}, sign bit set", make_intro(A, with_sign(y), A_KEX.public), "smallOrder")
    for name, y in NON_CANONICAL.items():
        bad(f"Ed25519 not canonical: {name}", make_intro(A, y, A_KEX.public), "nonCanonical")
        bad(f"Ed25519 not canonical: {name}, sign bit set", make_intro(A, with_sign(y), A_KEX.public), "nonCanonical")
    for name, u in LOW_ORDER.items():
        bad(f"X25519 of low order: {name}", make_intro(A, A.public, u), "lowOrder")
        bad(f"X25519 of low order: {name}, highest bit set", make_intro(A, A.public, with_sign(u)), "lowOrder")
    return cases


class Pairing:
    """One ask; what is passed replaces what would be right."""

    INVITE = f"unisono://192.168.1.5:7400/{b32(HUB.id)}/{invite_key(ORIGIN, DOOR_SECRET)}"

    def __init__(self, intent=1, name="Ann's phone", responder_name="Living room", major=1, extra=b"", text=None, **own):
        self.intent, self.name, self.responder_name = intent, name, responder_name
        self.initiator, self.responder = (Agreement(seed(f"test pairing {side}")) for side in ("initiator", "responder"))
        self.initiator_nonce, self.responder_nonce = seed("test initiator nonce"), seed("test responder nonce")
        shown = own.get("initiator_key", self.initiator.public)
        offered = own.get("responder_key", self.responder.public)
        commit = sha(lab("pair-commit") + shown + self.initiator_nonce)
        names = [item(4, value.encode()) if value else b"" for value in (name, responder_name)]
        self.ask = item(1, commit) + item(2, u8(intent)) + item(3, b"org.example.watch") + names[0] + item(5, u32(2))
        self.ask += item(6, u8(major)) + extra
        self.offer = item(1, offered) + item(2, self.responder_nonce) + names[1]
        self.reveal = item(1, shown) + item(2, self.initiator_nonce)
        bodies = b"".join(u32(len(body)) + body for body in (self.ask, self.offer, self.reveal))
        self.transcript = sha(lab("pair") + bodies)
        self.key = extract(self.transcript, self.initiator.agree(self.responder.public))
        number = int.from_bytes(expand(self.key, lab("pair-digits"))[:8], "big") % 1_000_000
        self.digits = f"{number:06}"
        carried = self.plain(self.INVITE if text is None else text)
        empty = bytes(4608)
        self.grant = self.seal("pair-r2i", carried if intent == 1 else empty)
        self.passed = self.seal("pair-i2r", carried)

    @staticmethod
    def plain(text):
        return (u16(len(text)) + text.encode()).ljust(4608, b"\0")

    def seal(self, label, plain):
        return AESGCM(expand(self.key, lab(label))).encrypt(bytes(12), plain, self.transcript)

    @property
    def given(self):
        return {
            "intent": self.intent,
            "service": "org.example.watch",
            "name": self.name,
            "responder_name": self.responder_name,
            "platform": 2,
            "seed_initiator": self.initiator.seed,
            "nonce_initiator": self.initiator_nonce,
            "seed_responder": self.responder.seed,
            "nonce_responder": self.responder_nonce,
            "invite": self.INVITE,
        }


def pairing():
    cases = []
    for name, run in [
        ("let me join", Pairing()),
        ("come and join mine", Pairing(intent=2)),
        ("devices without a name", Pairing(name="", responder_name="")),
        ("names of 63 bytes", Pairing(name="é" * 31 + "e", responder_name="日" * 21)),
    ]:
        out = {"ask": run.ask, "offer": run.offer, "reveal": run.reveal, "transcript": run.transcript}
        out |= {"digits": run.digits, "grant": run.grant}
        if run.intent == 2:
            out["pass"] = run.passed
        cases.append(case(name, run.given, out, side="both"))

    def bad(name, side, error, run=None, **wrong):
        run = run or Pairing()
        wire = {"ask": run.ask, "offer": run.offer, "reveal": run.reveal}
        cases.append(case(name, run.given | wire | wrong, result=error, side=side))

    right, invited = Pairing(), Pairing(intent=2)
    bad("a later version", "responder", "version", Pairing(major=2))
    bad("item that must be understood", "responder", "unknownMustUnderstand", Pairing(extra=item(200, b"")))
    bad("a name with control characters", "responder", "text", Pairing(name="a\x1b[2J"))
    bad("a name that turns the direction of writing", "responder", "text", Pairing(name="a\u202eb"))
    bad("a name too long", "responder", "text", Pairing(name="n" * 64))
    bad("ask cut short", "responder", "truncated", ask=right.ask[:-1])
    bad("no such intent", "responder", "truncated", Pairing(intent=3))
    bad("reveal of another nonce", "responder", "commit", reveal=item(1, right.initiator.public) + item(2, seed("x")))
    bad("reveal of another key", "responder", "commit", reveal=item(1, A_KEX.public) + item(2, right.initiator_nonce))
    bad("reveal without nonce", "responder", "truncated", reveal=item(1, right.initiator.public))
    low = LOW_ORDER["u = 1"]
    bad("reveal of a key of low order", "responder", "lowOrder", Pairing(initiator_key=low))
    bad("offer of a key of low order", "initiator", "lowOrder", Pairing(responder_key=low))
    bad("offer without key", "initiator", "truncated", offer=item(2, right.responder_nonce))
    flipped = right.grant[:-1] + u8(right.grant[-1] ^ 1)
    bad("grant with one bit changed", "initiator", "seal", grant=flipped)
    bad("grant of another ask", "initiator", "seal", grant=Pairing(name="another").grant)
    bad("grant sealed for the other way", "initiator", "seal", grant=right.passed)
    bad("grant one byte short", "initiator", "seal", grant=right.grant[:-1])
    bad("grant without an invite", "initiator", "content", grant=right.seal("pair-r2i", bytes(4608)))
    bad("grant with an invite that is none", "initiator", "content", Pairing(text="unisono://x"), grant=Pairing(text="unisono://x").grant)
    dirty = right.plain(right.INVITE)[:-1] + b"\1"
    bad("grant with something behind the invite", "initiator", "content", grant=right.seal("pair-r2i", dirty))
    endless = b"\x12\x00" + b"a" * 4606
    bad("grant whose invite is longer than it", "initiator", "content", grant=right.seal("pair-r2i", endless))
    bad("grant with an invite where none may be", "initiator", "content", invited, grant=invited.seal("pair-r2i", right.plain(right.INVITE)))
    bad("pass without an invite", "responder", "content", invited, **{"pass": invited.seal("pair-i2r", bytes(4608))})
    bad("pass with one bit changed", "responder", "seal", invited, **{"pass": invited.passed[:-1] + u8(invited.passed[-1] ^ 1)})
    bad("pass of another ask", "responder", "seal", invited, **{"pass": Pairing(intent=2, name="another").passed})
    return cases


def padding():
    lengths = [1, 60, 444, 445, 956, 957, 1024, 1980, 1981, 4028, 4029, 8124, 8125, 9148, 9149, 69932, 131_072, 196_540, 196_541, 229_307, 229_308]
    return [case(f"{n} bytes", {"content_length": n}, {"plain_length": padded_length(n)}) for n in lengths]


GROUPS = (
    invite, line, schedule, record, xwing, link, pass_, probe, envelope, intro, welcome, pairing, padding, policy, private, rekey, tlv,
    frames, session, continuation, order, copy,
)


def main():
    check = "--check" in sys.argv[1:]
    stale = []
    for group in GROUPS:
        document = {"protocol": 2, "group": group.__name__, "cases": group()}
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        path = HERE / f"{group.__name__}.json"
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what this script makes: {', '.join(stale)}")


if __name__ == "__main__":
    main()
