"""Groups private and rekey: what is sealed for some of a room (wire 5.4, 6.6)."""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from common import (
    A, A_KEX, A_XWING, B, B_KEX, B_XWING, C, C_KEX, C_XWING, EPOCH, LANE, ORIGIN, SESSION, TOPIC, Agreement, Door, Record, case,
    hpke_seal, hybrid_seal, item, lab, make_header, make_intro, seed, u8, u64,
)
from levels import make_level, policy_id

DATA, PRIVATE, REKEY = 9, 11, 12
TEXT = u8(DATA) + item(1, u64(7)) + item(2, b"for some")


def make_private(header, recipients, text=TEXT, session=SESSION, topic=TOPIC):
    """Content of a PRIVATE to (id, agreement key) pairs."""
    key = seed("test private key")
    wraps = b""
    for number, (who, agreement) in enumerate(sorted(recipients, key=lambda pair: pair[0])):
        info = lab("private") + session + topic + header + who
        wraps += item(1, who + hpke_seal(agreement, info, key, Agreement(seed(f"test private ephemeral {number}"))))
    sealed = AESGCM(key).encrypt(bytes(12), text, lab("private") + header)
    return u8(PRIVATE) + wraps + item(2, sealed)


def private():
    cases = []
    header = make_header(1, EPOCH, A.id, LANE, 5)
    both = [(B.id, B_KEX), (C.id, C_KEX)]

    def add(name, content, recipient=B, kex=B_KEX, head=header, error="ok", text=TEXT, comment=None):
        given = {"session": SESSION, "topic": TOPIC, "header": head, "recipient": recipient.id, "seed_kex": kex.seed}
        given["content"] = content
        cases.append(case(name, given, {"text": text} if error == "ok" else None, error, comment))

    right = make_private(header, both)
    add("to two, the first of them", right)
    add("to two, the second of them", right, C, C_KEX)
    add("to one", make_private(header, both[:1]))
    unordered = make_header(2, EPOCH, A.id, LANE, 0)
    add("unordered", make_private(unordered, both), head=unordered)
    add("a notice for some", make_private(header, both, u8(10) + item(4, b"psst")), text=u8(10) + item(4, b"psst"))
    add("an item of a later version", right + item(60, b"later"), comment="skipped")
    refused = "notAddressed"
    add("to others", right, A, A_KEX, error=refused)
    add("with another's key", right, B, C_KEX, error=refused)
    resent = make_header(1, EPOCH, C.id, LANE, 5)
    add("sent on by another as its own", right, head=resent, error=refused, comment="Z14")
    add("under another counter", right, head=make_header(1, EPOCH, A.id, LANE, 6), error=refused)
    add("of another session", make_private(header, both, session=seed("x")), error=refused)
    add("of another room", make_private(header, both, topic=seed("x")), error=refused)
    add("the last bit changed", right[:-1] + u8(right[-1] ^ 1), error=refused)
    flipped = bytearray(right)
    flipped[1 + 4 + 95] ^= 1
    add("a wrap with one bit changed", bytes(flipped), recipient=min((B, C), key=lambda who: who.id),
        kex=B_KEX if B.id < C.id else C_KEX, error=refused)
    wrap = item(1, right[5:101])
    add("sealed text shorter than its tag", u8(PRIVATE) + wrap + item(2, bytes(15)), error=refused)
    add("no sealed text", u8(PRIVATE) + wrap, error="truncated")
    add("a wrap of 95 bytes", u8(PRIVATE) + item(1, bytes(95)) + item(2, bytes(32)), error="width")
    add("an item that must be understood", right + item(200, b""), error="unknownMustUnderstand")
    add("cut short", right[:-1], error="truncated")
    return cases


def make_wrap(secrets, recipient, hybrid, levels, record, sender=A, session=SESSION, topic=TOPIC):
    info = lab("rekey") + session + topic + sender.id + recipient.id + policy_id(levels) + record.id
    return recipient.id + hybrid_seal(hybrid, info, secrets, f"test rekey {recipient.id.hex()}")


def rekey():
    cases = []
    door_secret, chain = seed("test next door secret"), seed("test next content key")
    secrets = door_secret + chain
    next_door = Door(SESSION, door_secret)
    scope = SESSION + next_door.topic
    roster = [A.id, B.id]
    record, _ = Record.make(A, scope, chain, roster, roster)
    place = (next_door.topic, record.id)
    base = make_level(A, [], 1, (A, B))
    levels = [make_level(A, [], 2, (A, B), removed=(C,), place=place)]
    stacked = [base, make_level(B, [base], 3, (A, B), removed=(C,), place=place)]

    def content(wraps, levels=levels, record=record):
        named = b"".join(item(1, level) for level in levels) + item(2, record.bytes)
        return u8(REKEY) + named + b"".join(item(3, wrap) for wrap in wraps)

    intro = make_intro(A, A.public, A_KEX.public)

    def at_door(wraps, levels=levels, record=record):
        handed = item(2, record.bytes) + b"".join(item(3, wrap) for wrap in wraps) if wraps else b""
        return u8(REKEY) + item(1, intro) + handed + b"".join(item(4, level) for level in levels)

    def add(name, content, error="ok", sender=A, recipient=B, hybrid=B_XWING, comment=None):
        given = {"origin": ORIGIN, "session": SESSION, "topic": TOPIC, "sender": sender.id, "recipient": recipient.id}
        given |= {"seed_xwing": hybrid.seed, "content": content}
        out = {"door": door_secret, "chain": chain, "topic": place[0], "record_id": place[1]} if error == "ok" else None
        cases.append(case(name, given, out, error, comment))

    right = make_wrap(secrets, B, B_XWING, levels, record)
    add("to one", content([right]))
    add("to two", content(sorted([right, make_wrap(secrets, A, A_XWING, levels, record)])))
    add("by an owner on top of its senior", content([make_wrap(secrets, B, B_XWING, stacked, record)], stacked))
    add("carried by another member", content([make_wrap(secrets, A, A_XWING, levels, record, sender=B)]), sender=B, recipient=A,
        hybrid=A_XWING)
    add("told at the door", at_door([right]))
    add("told at the door, with introductions", at_door([right]) + item(5, intro))
    add("the second part of two", content([right]) + item(7, u8(1)) + item(8, u8(2)))
    add("an item of a later version", content([right]) + item(60, b"later"), comment="skipped")
    add("no wrap for the recipient", content([right]), "notAddressed", recipient=A, hybrid=A_XWING)
    add("of another sender", content([right]), "rekey", sender=C)
    add("with another's key", content([right]), "rekey", hybrid=C_XWING)
    add("the last bit changed", content([right[:-1] + u8(right[-1] ^ 1)]), "rekey")
    add("sealed under another policy", content([make_wrap(secrets, B, B_XWING, stacked, record)]), "rekey")
    add("of another session", content([make_wrap(secrets, B, B_XWING, levels, record, session=seed("x"))]), "rekey")
    add("of another room", content([make_wrap(secrets, B, B_XWING, levels, record, topic=seed("x"))]), "rekey")
    add("another door than the policy names", content([make_wrap(seed("x") + chain, B, B_XWING, levels, record)]), "rekey")
    add("another key than the record's", content([make_wrap(door_secret + seed("x"), B, B_XWING, levels, record)]), "rekey")
    other, _ = Record.make(A, scope, chain, [A.id], [A.id])
    add("another record than the policy names", content([right], record=other), "rekey")
    add("a wrap of 1,215 bytes", content([right[:-1]]), "width")
    add("no levels", u8(REKEY) + item(3, right), "truncated")
    add("no record", u8(REKEY) + item(1, levels[0]) + item(3, right), "range")
    add("two wraps at the door", at_door([right, right]), "range")
    add("a notice hands nothing over", at_door([right]) + item(6, u8(1)), "range")
    add("introductions that are not at the door", content([right]) + item(5, intro), "range")
    add("cut short", content([right])[:-1], "truncated")
    return cases
